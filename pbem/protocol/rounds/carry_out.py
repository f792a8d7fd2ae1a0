"""Carrying a complete round out: first what it takes in, then the round itself, then the rules.

A breach undoes the whole round: position and state stay as they were before it, its entries are logged as
the evidence, and its author is out. What the others gave to that round they give again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pbem.engine.events import Event, Fact
from pbem.engine.machine import Machine
from pbem.engine.position import Claim, Position
from pbem.protocol.papers.bodies import Answers, Audit, Body, Complaint, Late, Orders, Resign, SealedChoice
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds import agreements, leaving, resigned
from pbem.protocol.rounds.breach import Culprit
from pbem.protocol.rounds.complaints import judge, judge_by_secrets
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.in_turn import take_in_turn
from pbem.protocol.rounds.out_of_turn import take_aside
from pbem.protocol.rounds.runner import Runner
from pbem.protocol.rounds.state import State, Why

Told = tuple[tuple[Event, ...], ...]
"""What each entry of a round led to."""


@dataclass(frozen=True, slots=True)
class Round:
    """What is logged together."""

    by: str
    """"answers", "note" or "late"."""
    members: tuple[Entry, ...]
    """Those that make the round, in seat order: their ids are the next tip."""
    listed: tuple[Entry, ...] = ()
    """What they take in, in the order in which it counts."""

    @property
    def tip(self) -> tuple[str, ...]:
        """What entries after this round name."""
        return tuple(entry.id for entry in self.members)


@dataclass(frozen=True, slots=True)
class Before:
    """Where a round is carried out."""

    contract: Contract
    machine: Machine
    position: Position
    state: State
    wanted: dict[str, Due]
    """What every seat owes, those whose secret is open included."""
    earlier: Callable[[int], str]
    """position.toml after an earlier entry of this line."""
    kind: type[Runner] = Runner
    """What carries it out: a film of the game has its own."""

    def runner(self) -> Runner:
        """A runner on a copy of all this."""
        return self.kind(self.contract, self.machine, self.position, self.state.copy())


@dataclass(frozen=True, slots=True)
class After:
    """What a round led to."""

    round: Round
    runner: Runner
    """Position and state as they are then, and what was done on the way."""
    order: tuple[Entry, ...]
    """All entries that are logged with it."""
    told: Told
    claims: tuple[Claim, ...] = ()
    idle: bool = False
    """No order of it could be carried out: such a decision is none."""


def carry_out(before: Before, found: Round) -> After:
    """Position, state and events after a round."""
    runner = before.runner()
    order = (*found.listed, *found.members)
    told: list[tuple[Event, ...]] = []
    try:
        for entry in order:
            _begin(runner, entry)
            if entry in found.listed:
                take_aside(runner, entry)
            elif isinstance(entry.body, Resign):
                leaving.resign(runner, entry, entry.body)
            told.append(tuple(runner.events))
            runner.events = []
        _take(before, runner, found)
        if not runner.state.closed:
            runner.run()
    except Culprit as error:
        return _evidence(before, found, error, runner.entry)
    runner.state.tip, runner.state.by = found.tip, found.by
    told[-1] += tuple(runner.events)
    idle = not runner.carried and any(isinstance(e.body, Orders) for e in found.members)
    return After(found, runner, order, tuple(told), tuple(runner.claims), idle)


def _begin(runner: Runner, entry: Entry) -> None:
    state = runner.state
    runner.entry = entry
    state.number += 1
    if entry.head.lane == "decide" and entry.seat in state.seats:
        state.since = max(state.since, entry.head.sent)


def _take(before: Before, runner: Runner, found: Round) -> None:
    first = found.members[0]
    if isinstance(first.body, Late):
        for seat in first.body.seats:
            leaving.leave(runner, seat, Why.LATE, first.id)
    elif found.by == "note":
        offers = agreements.agreed(before.contract, before.position, before.state, found.listed)
        agreements.take(runner, offers, before.earlier)
    else:
        _answers(before, runner, found)


def _answers(before: Before, runner: Runner, found: Round) -> None:
    """Every seat has given what it was asked for; for one whose secret is open it is worked out."""
    for entry in found.members:
        if isinstance(entry.body, Complaint):
            judge(runner, entry, entry.body)
        elif isinstance(entry.body, Audit):
            runner.entry = entry
            leaving.publish_for_audit(runner, entry.seat, entry.body)
    if runner.pos.outcome is not None:
        judge_by_secrets(runner)
        return
    entries = {e.seat: e for e in found.members if isinstance(e.body, (Orders, SealedChoice, Answers))}
    bodies: dict[str, Body] = {seat: entry.body for seat, entry in entries.items()}
    for seat, owed in before.wanted.items():
        if seat not in bodies:
            bodies[seat] = resigned.body_of(runner, owed)
    take_in_turn(runner, before.wanted, bodies, entries)


def _evidence(before: Before, found: Round, error: Culprit, at: Entry | None) -> After:
    """The round is undone, and logged as the evidence; whoever broke the protocol is out."""
    own = [entry for entry in found.members if entry.seat == error.seat]
    shown = at if at is not None and at.seat == error.seat else (own or found.members)[-1]
    runner = before.runner()
    for entry in found.members:
        _begin(runner, entry)
    if error.seat:
        leaving.leave(runner, error.seat, Why.BREACH, shown.id, Fact.of(error.fault))
    if not error.seat or error.seat in before.state.gone:
        runner.end((), error.fault)  # its secret is of no use, so the others cannot go on without it
        runner.state.closed = ()
    runner.state.tip, runner.state.by = found.tip, found.by
    told = (*((),) * (len(found.members) - 1), tuple(runner.events))
    return After(found, runner, found.members, told)
