"""A rulebook to read: the whole book, a chapter, one rule with its rulings and cases, or a search.

What is read are the game's own records (rulebook.toml, the options of the contract, the cases that ship
with it); nothing here prints.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.engine.case_files import read
from pbem.engine.rules import AnyRules
from pbem.engine.shown import Choice
from pbem.errors import UsageError

Rule = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Example:
    """A case that shows a rule at work."""

    title: str
    file: Path


def book(rules: AnyRules) -> list[Rule]:
    """Every rule, in printed order."""
    listed = list(rules.summaries())
    if not listed:
        raise UsageError(f"{rules.name} has no rulebook", "its author writes rulebook.toml")
    return listed


def one(listed: Sequence[Rule], number: str) -> Rule | None:
    """The rule with that number."""
    return next((rule for rule in listed if rule["id"] == number), None)


def below(listed: Sequence[Rule], number: str) -> list[Rule]:
    """The rules of a chapter or section: `9` has 9.1 and 9.54, `9.5` has 9.54, `3-2` has 3-2-1."""
    after = r"[.\-]|(?<=\.\d)\d|[a-z]\b" if re.search(r"\d$", number) else "-"
    begins = re.compile(rf"{re.escape(number)}(?:{after})")
    return [rule for rule in listed if begins.match(str(rule["id"])) and rule["id"] != number]


def search(listed: Sequence[Rule], words: str) -> list[Rule]:
    """The rules in which all the words occur (the beginning of a word will do), in any script and case."""
    wanted = [
        re.compile(rf"(?<![a-z0-9]){re.escape(word)}" if word.isascii() else re.escape(word))
        for word in words.lower().split()
    ]

    def text(rule: Rule) -> str:
        keys = ("id", "title", "summary", "ruling", "reason")
        return " ".join(str(rule.get(key, "")) for key in keys).lower()

    return [rule for rule in listed if all(word.search(text(rule)) for word in wanted)]


def choice(rules: AnyRules, name: str) -> Choice | None:
    """The option of the contract with that name."""
    return next((one for one in rules.choices(rules.load_pack()) if one.id == name), None)


def case_folder(rules: AnyRules) -> Path | None:
    """Where the cases of a game are: beside its rulebook, or in the sources that they are run from."""
    home = rules.rulebook().parent
    places = (home / "cases", home.parent.parent / "tests" / "cases" / rules.name)
    return next((place for place in places if place.is_dir()), None)


def cited(path: Path) -> list[str]:
    """The rules that a case says it is about; none if it cannot be read."""
    case = _read(path)
    variants = case.get("variant", [])
    inner = [part for part in variants if isinstance(part, dict)] if isinstance(variants, list) else []
    parts = [case, *inner]
    named = [rule for part in parts for rule in (part.get("rule"), *_texts(part.get("rules")))]
    return [rule for rule in dict.fromkeys(named) if isinstance(rule, str)]


def examples(rules: AnyRules, number: str) -> list[Example]:
    """The cases that are about a rule."""
    folder = case_folder(rules)
    found = []
    for path in sorted(folder.glob("*.toml")) if folder is not None else ():
        if not path.name.startswith("_") and number in cited(path):
            found.append(Example(str(_read(path).get("title", path.stem)), path))
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        return read(path)
    except UsageError:
        return {}


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
