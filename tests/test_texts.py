"""Every command, order and unit that a text names exists: primers, help pages, and what cards say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from pbem.cli.main import pbem
from pbem.engine import registry
from pbem.engine.names import Names, texts_of
from pbem.engine.notation import NotationError, UnknownCard, keyword, parse
from pbem.engine.options import View
from pbem.engine.position import Position
from pbem.engine.rules import AnyRules
from tests.cli import ROOT

GAMES = ("chuhan", "kawagoe", "redcoats", "sanada", "suikoden")
HELP = ROOT / "pbem" / "help"
PAGES = [page for page in sorted(HELP.glob("*.md")) if page.stem != "table"]
"""Those that show orders of kawagoe; one is about a table of one's own."""
PRIMERS = [ROOT / "games" / game / "primer.md" for game in GAMES]
SHORT = {"sanada": {"regroup"}}
"""Words that begin short orders and no other."""
LEFT_OUT = "…"


@cache
def table(game: str) -> tuple[AnyRules, Position, Names]:
    rules = registry.load(game)
    pack = rules.load_pack()
    scenario = next(iter(rules.scenarios(pack)))
    usual = {name: values[0] for name, values in rules.options(pack).items()}
    pos = rules.start(pack, scenario, usual, rules.seat_names(pack, scenario, rules.seats[0]))
    pos.pack = pack
    return rules, pos, Names(rules, pos, texts_of(rules, pack))


def orders(text: str, verbs: set[str]) -> Iterator[str]:
    """Lines that are orders, without what is said of them, and orders between backticks."""
    for line in text.splitlines():
        if line.startswith("    "):
            for part in re.split(r"\s{2,}|[.:]\s", line.strip())[0].split(" · "):
                if part.lstrip("? ").split(" ")[0] in verbs:
                    yield part.lstrip("? ")
    for quoted in re.findall(r"`([^`\n]+)`", text):
        if quoted.split(" ")[0] in verbs:
            yield quoted


def problem(game: str, order: str) -> str | None:
    """Why a line is no order of the game, or whom it names that does not exist."""
    rules, pos, names = table(game)
    if LEFT_OUT in order:
        order = order.replace(LEFT_OUT, "").strip()
        return names.unknown(order)
    stands = rules.macros(order, pos, View()) or [order]
    for one in stands:
        try:
            parse(one, rules.moves, rules.lookup(pos, {}))
        except UnknownCard:
            pass  # a card of somebody's hand; its name is looked up below
        except NotationError as error:
            if one.split(" ")[0] not in SHORT.get(game, set()):
                return f"{error.message} ({error.hint})"
    verb, _, rest = order.partition(" ")
    return names.unknown(rest if verb in SHORT.get(game, set()) else order)


def verbs_of(game: str) -> set[str]:
    return {keyword(kind) for kind in table(game)[0].moves} | SHORT.get(game, set())


@pytest.mark.parametrize("game", GAMES)
def test_every_order_in_a_primer_can_be_read_and_names_what_exists(game: str) -> None:
    text = (ROOT / "games" / game / "primer.md").read_text("utf-8")
    found = list(orders(text, verbs_of(game)))
    assert len(found) >= 8
    assert [(one, problem(game, one)) for one in found if problem(game, one)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_every_order_on_a_help_page_is_one_of_kawagoe(page: Path) -> None:
    """Help pages show orders of one game, so that they fit each other."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    lines = "\n".join(line for line in text.splitlines() if not line.strip().startswith("pbem "))
    quoted = re.findall(r'pbem (?:standing|odds|play|draft)[^"\n]*"([^"*\n]+)"', text)
    found = [*orders(lines, verbs_of("kawagoe") - {"done", "put", "attack", "stay"}), *quoted]
    strange = [(one, problem("kawagoe", one)) for one in found if one.split(" ")[0] in verbs_of("kawagoe")]
    assert [pair for pair in strange if pair[1]] == []


@pytest.mark.parametrize("page", [*PRIMERS, *sorted(HELP.glob("*.md")), ROOT / "README.md"], ids=str)
def test_every_command_with_its_options_exists(page: Path) -> None:
    """Each `pbem …` is resolved down to its options; a command that is gone, or never was, is named."""
    text = page.read_text("utf-8")
    named = re.findall(r"`pbem ([a-z][^`\n]*)`", text) + re.findall(
        r"^ {4}pbem ([a-z].*)$", text, re.MULTILINE
    )
    strange = []
    for line in named:
        words = re.split(r"\s{2,}|\s·\s| #", line)[0].split()
        command = pbem.get_command(click.Context(pbem), words[0])  # type: ignore[attr-defined]
        if isinstance(command, click.Group) and len(words) > 1:
            command = command.get_command(click.Context(command), words[1])
        if command is None:
            strange.append(line)
            continue
        known = {
            option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)
        }
        known |= {"--help", "-h", "--version"}
        strange += [line for word in words if word.startswith("-") and len(word) > 1 and word not in known]
    assert strange == []


def test_sanadas_word_is_that_of_its_order() -> None:
    for path in sorted((ROOT / "games" / "sanada").rglob("*")):
        if path.suffix in (".py", ".toml", ".md"):
            assert not re.search(r"\bmobilis", path.read_text("utf-8")), path


# --- what the cards of suikoden say


def test_the_primer_says_how_much_of_the_cards_is_printed() -> None:
    pack = registry.load("suikoden").load_pack()
    text = " ".join((ROOT / "games" / "suikoden" / "primer.md").read_text("utf-8").split())
    able = sum("ability" in said for said in pack.printed.values())
    ours = len(pack.people) - len(pack.printed)
    wanted = (
        f"Of the {len(pack.people)} people it, or its errata, tells us something about {len(pack.printed)}"
    )
    assert f"{wanted}, an ability of {able}; the other {ours} are wholly ours." in text


def test_a_card_says_where_it_is_known_from() -> None:
    rules, pos, _ = table("suikoden")
    assert "Printed: 攻7 (D34 ex. 1); the rest is ours." in rules.explain(pos, "関勝")
    assert "Not printed: all of it is ours." in rules.explain(pos, "公孫勝")
    (sheet,) = [one for one in rules.tables(pos.pack) if one.id == "people"]
    assert {row[-1] for row in sheet.rows} >= {"攻7 (D34 ex. 1)", "nothing: ours"}
    assert "people are our own" in rules.headline(pos)
