"""The log round by round, with what [protocol] says before and after, from `pbem help protocol` alone."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.second_contract import Bad
from tests.second_signatures import H

IN_TURN = ("orders", "sealed")
PLAIN = {
    "number": 0,
    "event": 0,
    "seed": "",
    "decisions": [],
    "verdict": None,
    "leaving": None,
    **{name: {} for name in ("fresh", "offers", "rekeys", "claims", "absences", "settles", "opened")},
    **{name: {} for name in ("opened_boxes", "boxes")},
}
SEAT = {
    **dict.fromkeys(("links", "skip", "then", "chain", "decided", "answered", "idle"), 0),
    **dict.fromkeys(("decision", "dated", "answer", "key", "answer_key", "box", "commitment", "hold"), ""),
    "former": [],
    "seed": [],
    "used_former": False,
}


@dataclass
class Signed:
    """An entry of the log."""

    number: int
    raw: bytes
    id: str
    head: dict[str, Any]
    body: dict[str, Any]

    @property
    def seat(self) -> str:
        return str(self.head["seat"])

    @property
    def kind(self) -> str:
        return str(self.head["kind"])

    @property
    def lane(self) -> str:
        return str(self.head["lane"])


@dataclass
class Round:
    """Entries that were logged together, and what the position was before and after them."""

    number: int
    text: str
    game: dict[str, Any]
    before: dict[str, Any]
    after: dict[str, Any]
    entries: list[Signed]

    @property
    def verdict(self) -> dict[str, Any] | None:
        """A verdict that this round brought."""
        new = self.after["verdict"]
        return new if new != self.before["verdict"] else None

    @property
    def undone(self) -> bool:
        """Whether all of it is evidence only: a breach, or a double."""
        told = self.verdict
        return told is not None and not (told.get("late") or self._complaint(told))

    def _complaint(self, told: Mapping[str, Any]) -> bool:
        """Whether the verdict judges a complaint of a box that was delivered to its author."""
        found = next((e for e in self.entries if e.id == told["entry"] and e.kind == "complaint"), None)
        box = self.before["boxes"].get(found.body["slot"], {}) if found is not None else {}
        return found is not None and bool(box.get("giver")) and box["reader"] == found.seat

    def named(self) -> list[Signed]:
        """Entries that name its head and position."""
        pos = H("position", self.text.encode()).hex()
        return [e for e in self.entries if (e.head["head"], e.head["pos"]) == (self.before["head"], pos)]

    def answers(self) -> list[dict[str, Signed]]:
        """What seats may have given to the round: all that name it, or of those that decide one."""
        found = {e.seat: e for e in self.named() if e.kind in (*IN_TURN, "answers")}
        deciders = [seat for seat, e in found.items() if e.kind in IN_TURN]
        alone = [
            {seat: e for seat, e in found.items() if seat == one or seat not in deciders} for one in deciders
        ]
        return [found, *alone] if len(deciders) > 1 else [found]

    def ways(self) -> Iterator[tuple[str, dict[str, Signed]]]:
        """How it may have come about: complete, with something else instead, or ended by its last entry."""
        if "outcome" in self.game or self.before["verdict"] is not None:
            yield "audit", {}
        else:
            yield from (("complete", one) for one in self.answers())
            if any(e.lane == "decide" and e.kind not in IN_TURN for e in self.named()):
                yield from (("instead", one) for one in self.answers())
        if self.entries[-1].kind in ("rekey", "forfeit"):
            yield "ended", {}


def protocol(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A position.toml: the game's part, and [protocol] with all defaults."""
    table = tomllib.loads(text)
    told = copy.deepcopy(PLAIN) | table.pop("protocol")
    told["seats"] = {name: SEAT | seat for name, seat in told["seats"].items()}
    return table, told


def rounds(entries: Sequence[Signed], positions: Sequence[str]) -> Iterator[Round]:
    """position.toml changes only with the last entry of a round."""
    begin, (game, before) = 0, protocol(positions[0])
    for number in range(1, len(positions)):
        if positions[number] != positions[begin]:
            later, after = protocol(positions[number])
            yield Round(number, positions[begin], game, before, after, list(entries[begin:number]))
            begin, game, before = number, later, after
    if begin != len(entries):
        raise Bad(len(entries), "the last round changes nothing")


def read(number: int, raw: bytes) -> Signed:
    table = tomllib.loads(raw.decode())
    return Signed(number, raw, H("entry", raw).hex(), table, table.get("body", {}))


def check_logs(raws: Sequence[bytes], positions: Sequence[str], logs: Sequence[str]) -> set[str]:
    """Every log file tells of its entry, and of voids and verdicts as the page says; which it told of."""
    found = set()
    for one in rounds([read(number, raw) for number, raw in enumerate(raws, 1)], positions):
        events: list[dict[str, Any]] = []
        for entry in one.entries:
            log = tomllib.loads(logs[entry.number - 1])
            events += log.pop("events", [])
            told = {name: entry.head[name] for name in ("seat", "kind", "sent")}
            told["position"] = H("position", positions[entry.number].encode()).hex()
            if log != {"number": entry.number, "entry": entry.id, **told}:
                raise Bad(entry.number, "its log file tells of another entry or position")
        said = [e for e in events if not e["rule"] and e["event"] == "Judged"]
        new = one.verdict
        if bool(said) != (new is not None):
            raise Bad(one.number, "a verdict is in the log or in the position, not in both")
        for event in said:
            if new and not set(event.get("culprit", "").split(", ")) <= {"", *new["culprit"].split(", ")}:
                raise Bad(one.number, "the log names another culprit than the position")
        for event in (e for e in events if e.get("void") is True):
            if event["rule"] or event["seat"] not in [e.seat for e in one.entries]:
                raise Bad(one.number, "a void of a seat that gave nothing")
            found.add("void" if "returned" in event else "taken out")
        found |= {"verdict"} if said else set()
    return found
