"""A position as a case to go on from: what differs from the scenario as it is set up, no more."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem import toml
from pbem.engine.case_begin import begun
from pbem.engine.notation import Handle
from pbem.engine.position import Position
from pbem.engine.rules import AnyRules


@dataclass(frozen=True, slots=True)
class Origin:
    """What a game is played with, and what the writer knows of its hidden cards."""

    scenario: str
    options: Mapping[str, str]
    seats: tuple[str, ...]
    seat: str | None
    known: Mapping[Handle, str]
    files: Mapping[str, Mapping[str, Any]]
    """The pack's files by name, where it is not the game's own."""


def case_of(rules: AnyRules, pos: Position, origin: Origin, title: str) -> str:
    """The text of the case."""
    now = tomllib.loads(pos.text())
    frames = now.pop("stack", [])
    start = begun(rules, pos.pack, origin.scenario, dict(origin.options), origin.seats, frames)
    old = tomllib.loads(start.text())
    usual = rules.options(pos.pack)
    options = {name: value for name, value in origin.options.items() if value != usual[name][0]}
    rule = pos.stack[-1].step.rule if pos.stack else ""
    lines = [
        f"game = {toml.inline(rules.name)}",
        *([f"rule = {toml.inline(rule)}"] if rule else []),
        f"title = {toml.inline(title)}",
    ]
    lines += [f"options = {toml.inline(options)}"] if options else []
    lines += [f"seats = {toml.inline(list(origin.seats))}"]
    hand = {h: value for h, value in origin.known.items() if h in pos.hidden}
    if hand and origin.seat is not None:
        lines += ["", f"[cards.{toml.key_text(origin.seat)}]  # what you alone know"]
        lines += [f"{toml.key_text(handle)} = {toml.inline(value)}" for handle, value in sorted(hand.items())]
        now["hidden"] = {h: slot for h, slot in now.get("hidden", {}).items() if h not in hand}
    for name, content in origin.files.items():
        lines += ["", f"[pack.{toml.key_text(name)}]"]
        lines += [f"{toml.key_text(key)} = {toml.inline(value)}" for key, value in content.items()]
    old.pop("stack", None)
    lines += ["", "[position]", f"scenario = {toml.inline(origin.scenario)}", "stack = ["]
    lines += [*(f"    {toml.inline(frame)}," for frame in frames), "]"]
    changed = _difference(old, now)
    changed.pop("scenario", None)
    tables = {key: value for key, value in changed.items() if isinstance(value, dict)}
    lines += [f"{key} = {toml.inline(value)}" for key, value in changed.items() if key not in tables]
    for key, table in tables.items():
        lines += ["", f"[position.{key}]"]
        lines += [f"{toml.key_text(name)} = {toml.inline(value)}" for name, value in table.items()]
    return "\n".join(lines) + "\n"


def _difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What must be written over `old` to make it `new`; "remove" where something is gone."""
    found: dict[str, Any] = {key: "remove" for key in old if key not in new}
    for key, value in new.items():
        if key in old and isinstance(value, Mapping) and isinstance(old[key], Mapping):
            inner = _difference(old[key], value)
            found |= {key: inner} if inner else {}
        elif key not in old or old[key] != value:
            found[key] = value
    return found
