"""No foresight: whatever a seat could sign now, its own machine cannot tell the die that follows.

In every state that a random game of all kinds of entries reaches, each seat tries what it could sign: it
puts it into a copy of its own ledger, lets its own machine answer as far as it can, and looks what happens.
Two courses that part at something the seat chose, with a die, draw or deal after the parting, are a break:
it knew the result before it chose.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any

from pbem.errors import PbemError
from pbem.protocol.log.logged import Stale
from pbem.protocol.papers.bodies import (
    ANSWERING,
    KINDS,
    Absence,
    ClaimTime,
    Forfeit,
    Note,
    Revoke,
    Standing,
    TakeBack,
)
from pbem.protocol.papers.times import seconds, stamp
from pbem.protocol.rounds.events import NumbersFell
from pbem.protocol.rounds.sight import sealed_question
from tests.adversary.harm import Found
from tests.attack_kit import Reshuffling
from tests.scenes import Weather, table_of
from tests.table import Player, entry_of, give, key_of, paper_of, players

GAMES: dict[str, Any] = {
    "own": lambda n, salt: players(n, options={"deck": "own"}, salt=salt),
    "shared": lambda n, salt: players(n, options={"deck": "shared"}, salt=salt),
    "deeds": lambda n, salt: table_of(n, salt=salt),
    "weather": lambda n, salt: table_of(n, Weather(), salt=salt),
    "reshuffling": lambda n, salt: table_of(n, Reshuffling(), salt=salt),
    "reshared": lambda n, salt: table_of(
        n, Reshuffling(), salt=salt, scenario="long", options={"deck": "shared"}
    ),
}
FEW = 6
"""So many legal answers to one question are tried."""

Course = tuple[tuple[str, ...], ...]
"""What happened under the rules, and what fell, in order."""


# --- what a seat could sign


def candidates(player: Player) -> Iterator[list[tuple[str, Any, str | None]]]:
    """Everything worth trying: one entry, or something out of turn and then a decision."""
    decisions = list(_decisions(player))
    asides = list(_asides(player))
    yield from ([one] for one in decisions)
    yield from ([one] for one in asides)
    for aside in asides:
        if aside[0] in ("standing", "revoke", "note"):
            yield from ([aside, one] for one in decisions[:FEW])


def _decisions(player: Player) -> Iterator[tuple[str, Any, str | None]]:
    owed = player.owed()
    if owed is None or owed.lane != "decide":
        return
    view = player.secrets.view(owed.options)
    later = stamp(seconds(player.ledger.state.since or stamp(player.clock)) + 7200)
    for move in islice(owed.options.list(view), FEW):
        if owed.kind == "sealed":
            question = sealed_question(player.ledger, player.seat)
            assert question is not None
            body: Any = player.secrets.sealed_choice(owed.options, move, question[1])
            yield "sealed", body, None
        else:
            body = player.secrets.orders_of(move)
            yield "orders", body, None
        yield ("sealed" if owed.kind == "sealed" else "orders"), body, later
    if owed.kind == "orders":
        for text in ("hit b\nhit b\nhit c", "done\nhit b", "swear\nhit c\nswear"):
            yield "orders", player.secrets.orders(text), None


def _asides(player: Player) -> Iterator[tuple[str, Any, str | None]]:
    """Every kind that a seat may sign at any time, with what it may say."""
    state, own = player.ledger.state, player.secrets
    lines = _lines(player)
    for decision, answers in lines.items():
        for answer in answers[:FEW]:
            yield "standing", Standing(decision, (answer,)), None
            yield "standing", (decision, answer), None  # sealed: its place needs the number
        yield "revoke", Revoke(decision), None
    for to in range(max(0, state.barrier), state.number)[-2:]:
        yield "take-back", TakeBack(to), None
    others = tuple(s for s in player.contract.seats if s != player.seat)
    far = stamp(seconds(state.since or stamp(player.clock)) + 40 * 24 * 3600)
    paper = paper_of(player, key_of(player.seat, "new"))
    simple: dict[str, Any] = {
        "note": lambda: Note(),
        "draw": lambda: KINDS["draw"](),
        "resign": own.resign,
        "audit": own.audit,
        "absence": lambda: Absence(far),
        "claim": lambda: ClaimTime(others[:1], state.question),
        "forfeit": lambda: Forfeit(others[:1], far, state.question),
        "rekey": lambda: player.secrets.consent(paper),
    }
    for kind, make in simple.items():
        yield kind, make(), (far if kind in ("claim", "forfeit") else None)


def _lines(player: Player) -> dict[str, list[str]]:
    """Answers for standing orders: to the question that is open, and to those that may come."""
    found = {
        "loss": ["lose stone", "lose face", "lose point"],
        "boast": ["boast 0", "boast 1"],
        "deed": ["done", "swear", *[f"hit {s}" for s in player.contract.seats if s != player.seat]],
    }
    for owed in player.ledger.all_due().values():
        if owed.options is not None and owed.seat == player.seat and owed.kind == "orders":
            view, machine, pos = (
                player.secrets.view(owed.options),
                player.ledger.machine,
                player.ledger.position,
            )
            texts = [machine.write_move(pos, m, view) for m in islice(owed.options.list(view), FEW)]
            found[owed.options.kind] = texts
    return found


# --- what its own machine makes of it


def clone(player: Player) -> Player:
    """The same machine, to try something on."""
    new = copy.copy(player)
    new.ledger = copy.copy(player.ledger)
    for name, value in list(vars(player.ledger).items()):
        if isinstance(value, (dict, set, list)):
            setattr(new.ledger, name, copy.copy(value))
    new.log, new.signed = list(player.log), []
    new.ledger.earlier = new.earlier
    new.secrets = copy.copy(player.secrets)
    new.secrets.ledger = new.ledger
    return new


def course(player: Player, plan: Sequence[tuple[str, Any, str | None]]) -> Course | None:
    """What happens on this machine alone if its seat signs these; None if it would be a breach."""
    mine = clone(player)
    try:
        for kind, body, sent in plan:
            told = body
            if kind == "standing" and isinstance(body, tuple):
                told = mine.secrets.standing(body[0], [body[1]], True, mine.head("standing").seq)
            seen = mine.unseen() if kind not in ANSWERING else ()
            mine.receive(mine.entry(kind, told, seen, sent))
        for _ in range(50):
            raw = mine.answer()
            if raw is None:
                break
            mine.receive(raw)
    except (PbemError, Stale):
        return None
    verdict = mine.ledger.state.verdict
    if verdict is not None and player.seat in verdict.culprits:
        return None
    told_events = [event for one in mine.log[len(player.log) :] for event in one.events]
    return tuple(_told(event) for event in told_events if event.rule or _fell(event))


def _fell(event: Any) -> bool:
    return isinstance(event, NumbersFell) and max(event.bounds) > 1


def _told(event: Any) -> tuple[str, ...]:
    if _fell(event):
        return ("fell", *map(str, event.values))
    return ("rule", event.rule, repr(event))


def parted(one: Course, other: Course) -> Course | None:
    """What was known beforehand: the rest of a course after the parting, if a die is in it."""
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if at is None:
        return None  # one is the beginning of the other: nothing was chosen that made a difference
    for rest in (one[at:], other[at:]):
        if any(step[0] == "fell" for step in rest):
            return rest
    return None


def probe(player: Player, limit: int = 200) -> str | None:
    """What this seat can foresee now, in words; None if nothing."""
    courses: dict[Course, Any] = {}
    for plan in islice(candidates(player), limit):
        found = course(player, plan)
        if found:
            courses.setdefault(found, plan)
    for one, other in combinations(courses, 2):
        rest = parted(one, other)
        if rest is not None:
            plans = [" then ".join(_plan(p) for p in courses[c]) for c in (one, other)]
            return f"{player.seat} foresees {rest[:3]} when it chooses between [{plans[0]}] and [{plans[1]}]"
    return None


def _plan(one: tuple[str, Any, str | None]) -> str:
    body = one[1]
    words = getattr(body, "orders", None) or getattr(body, "lines", None) or ""
    return f"{one[0]} {words if not isinstance(body, tuple) else body}".strip()


# --- states


def walk(table: dict[str, Player], rng: random.Random, steps: int) -> Iterator[None]:
    """A random game in which every kind of entry is signed; rests after each entry."""
    for _ in range(steps):
        yield
        raw = None
        if rng.random() < 0.12:
            raw = _any_aside(rng.choice(list(table.values())), rng)
        order = list(table.values())
        rng.shuffle(order)
        raw = raw or next((r for p in order if (r := p.answer()) is not None), None)
        raw = raw or next((r for p in order if (r := p.decide(rng) or p.audit()) is not None), None)
        if raw is None:
            return
        give(table, raw)
        if any(p.ledger.state.verdict is not None for p in table.values()):
            return


def _any_aside(player: Player, rng: random.Random) -> bytes | None:
    if entry_kinds := [c for c in _asides(player) if c[0] not in ("claim", "forfeit", "rekey")]:
        kind, body, sent = rng.choice(entry_kinds)
        if kind in ("resign", "audit", "draw") and rng.random() < 0.8:
            return None
        if isinstance(body, tuple):
            body = player.secrets.standing(body[0], [body[1]], True, player.head("standing").seq)
        return player.entry(kind, body, player.unseen() if kind not in ANSWERING else (), sent)
    return None


def run_one(
    game: str, seats: int, seed: int, number: int, steps: int = 60, share: float = 0.3, limit: int = 200
) -> Found | None:
    """One walk, by its numbers; a share of its states is looked at by every seat."""
    rng = random.Random(f"foresight {game} {seats} {seed} {number}")
    table = GAMES[game](seats, f"foresight {number % 5}")
    trace: list[str] = []
    for _ in walk(table, rng, steps):
        one = next(iter(table.values()))
        if one.log:
            trace.append(f"{one.log[-1].number} {one.log[-1].entry.seat} {one.log[-1].entry.head.kind}")
        if rng.random() > share:
            continue
        for player in table.values():
            what = probe(player, limit)
            if what is not None:
                return Found(game, seats, number, what, tuple(trace[-20:]))
    return None


def states(found: list[bytes]) -> list[Any]:
    """The entries of a walk, for a report."""
    return [entry_of(raw).head for raw in found]
