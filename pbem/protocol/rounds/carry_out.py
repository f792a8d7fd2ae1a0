"""Carrying a complete round out: first what stands beside it, then the round itself, then the rules.

A breach undoes the whole round: position and state stay as they were before it, all its entries are
logged as the evidence, and the line ends with a verdict. So a replay comes to the same end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pbem.engine.events import Event, Fact
from pbem.engine.machine import Machine
from pbem.engine.position import Position
from pbem.protocol.papers.bodies import IN_TURN, Body
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds import events, resigned
from pbem.protocol.rounds.breach import Culprit
from pbem.protocol.rounds.clocks import confirm_return
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.in_turn import burn_link, take_in_turn
from pbem.protocol.rounds.new_keys import pass_over_links
from pbem.protocol.rounds.out_of_turn import take_aside
from pbem.protocol.rounds.runner import Runner
from pbem.protocol.rounds.state import State, Verdict

Told = list[tuple[Event, ...]]
"""What each entry of a round led to."""
IDLE = 4 << 20
"""So many bytes a seat may sign that do not bring the game on: a game of all that must still be verified."""


@dataclass(frozen=True, slots=True)
class Round:
    """What is to be logged together, and which entries of it answer the question."""

    order: list[Entry]
    answers: dict[str, Entry] = field(default_factory=dict)
    given: frozenset[str] = frozenset()
    """The seats whose answers a forfeit has taken in: none of them is late."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a round is carried out."""

    contract: Contract
    machine: Machine
    position: Position
    state: State
    wanted: dict[str, Due]
    """What every seat owes, resigned ones included."""
    earlier: Callable[[int], str]
    voided: set[str]

    def runner(self) -> Runner:
        """A runner on a copy of all this."""
        return Runner(self.contract, self.machine, self.position, self.state.copy())


def carry_out(scene: Scene, found: Round) -> tuple[Runner, Told]:
    """Position, state and events after the round, or a verdict."""
    runner = scene.runner()
    runner.answered = {*found.answers, *found.given}
    try:
        told = _entries(scene, runner, found)
        taken = _answers(scene, runner, found)
        if not found.answers and runner.state.leaving is scene.state.leaving:
            pass_over_links(runner, [seat for seat in scene.position.seats if seat not in scene.state.opened])
        runner.run()
        if taken and runner.void and not runner.progress:
            for entry in found.answers.values():
                _fill(runner, entry)
    except Culprit as error:
        return _breach(scene, found, error, runner.entry)
    told[-1] += tuple(runner.events)
    if runner.progress or (taken and not runner.void):
        runner.state.clock, runner.state.question = runner.state.since, runner.state.head
        runner.state.claims = {}
    return runner, told


def _entries(scene: Scene, runner: Runner, found: Round) -> Told:
    """Every entry gets its number; those beside the round have their effect, in this order."""
    told: Told = []
    waited_for = {s: owed for s, owed in scene.wanted.items() if s not in scene.state.opened}
    for entry in found.answers.values():
        if entry.head.kind in IN_TURN:
            confirm_return(runner.state, entry)
    for entry in found.order:
        _begin(runner, entry)
        if entry.id in scene.voided:
            runner.say(events.EntryVoided(entry.seat))
        elif found.answers.get(entry.seat) is not entry or entry.head.kind not in (*IN_TURN, "answers"):
            take_aside(runner, entry, waited_for, scene.earlier)
            if found.answers.get(entry.seat) is not entry or entry.head.kind != "audit":
                _fill(runner, entry)
        told.append(tuple(runner.events))
        runner.events = []
    return told


def _begin(runner: Runner, entry: Entry) -> None:
    state, head = runner.state, entry.head
    runner.entry = entry
    state.number += 1
    _use_number(state, entry)
    state.head = entry.id
    if head.lane == "decide":
        state.since = max(state.since, head.sent)


def _fill(runner: Runner, entry: Entry) -> None:
    """An entry that does not bring the game on takes room in every folder: each seat has so much of it."""
    state = runner.state
    state.change(entry.seat, idle=state.seats[entry.seat].idle + len(entry.raw))
    if state.seats[entry.seat].idle > IDLE and state.verdict is None:
        raise Culprit(entry.seat, events.LogFilled(IDLE))


def _use_number(state: State, entry: Entry) -> None:
    """The author's next entry in this lane comes after this one. (Half of a double comes after nothing.)"""
    head, seat = entry.head, state.seats[entry.seat]
    if head.lane == "decide" and head.prev == seat.decision:
        state.change(entry.seat, decided=head.seq, decision=entry.id, dated=head.sent)
    elif head.lane == "answer" and head.prev == seat.answer:
        state.change(entry.seat, answered=head.seq, answer=entry.id)


def _answers(scene: Scene, runner: Runner, found: Round) -> bool:
    """Take the round itself, unless one of its seats gave something else or the position has changed."""
    entries = {s: e for s, e in found.answers.items() if e.head.kind in (*IN_TURN, "answers")}
    bodies: dict[str, Body] = {seat: entry.body for seat, entry in entries.items()}
    replaced = [s for s in scene.wanted if runner.state.seats[s].key != scene.state.seats[s].key]
    if replaced:
        pass_over_links(runner, [seat for seat in scene.position.seats if seat not in scene.state.opened])
    same = runner.pos is scene.position and runner.state.leaving is scene.state.leaving
    if runner.state.verdict is None and same and not replaced:
        for seat, owed in scene.wanted.items():
            if seat not in bodies and seat in runner.state.opened and owed.kind != "audit":
                bodies[seat] = resigned.body_of(runner, owed)
        if bodies and len(bodies) == len(scene.wanted):
            take_in_turn(runner, scene.wanted, bodies, entries)
            return True
    for seat, body in bodies.items():
        if seat in entries:
            burn_link(runner, seat, body)
    return False


def _breach(scene: Scene, found: Round, error: Culprit, at: Entry | None) -> tuple[Runner, Told]:
    if at is None or at.seat != error.seat:
        at = found.answers.get(error.seat, found.order[-1])
    runner = scene.runner()
    runner.state.number += len(found.order)
    return end(runner, found.order, Verdict(error.seat, Fact.of(error.reason), at.id))


def end(runner: Runner, order: list[Entry], verdict: Verdict) -> tuple[Runner, Told]:
    """The line ends with a verdict; the entries are kept as the evidence, and their numbers are used up."""
    last = order[-1]
    for entry in order:
        _use_number(runner.state, entry)
        if entry.head.lane == "decide":
            runner.state.since = max(runner.state.since, entry.head.sent)
    runner.state.head = last.id
    runner.state.verdict = verdict
    runner.state.clock, runner.state.question = runner.state.since, last.id
    runner.state.claims = {}
    runner.say(events.Judged(verdict.culprit, verdict.reason))
    return runner, [()] * (len(order) - 1) + [tuple(runner.events)]
