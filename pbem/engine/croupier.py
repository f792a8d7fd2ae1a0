"""The croupier: settles chance and secrets at once, on one machine, all-seeing.

Only for cases, fuzz and arena. In a real game nobody can do this: entries of all seats do.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from pbem.engine.handles import card_handle, slot_handle
from pbem.engine.machine import Machine, Result
from pbem.engine.notation import Handle, Move, shown_handles
from pbem.engine.options import Options, View
from pbem.engine.position import Position
from pbem.engine.waits import (
    Ask,
    AskSealed,
    Chance,
    Decision,
    Deliver,
    Delivered,
    Open,
    Opened,
    Over,
    Rolled,
    Sealed,
    Shuffle,
    Shuffled,
    Wait,
)

Player = Callable[[Position, Options, View], Move]


class Croupier:
    """Holds the whole truth of one local game and answers every wait that is not a decision."""

    def __init__(self, machine: Machine, rng: random.Random) -> None:
        self.machine = machine
        self.rng = rng
        self.truth: dict[Handle, str] = {}
        self._sealed: dict[Handle, str] = {}

    def numbers(self, wait: Chance) -> tuple[int, ...]:
        """The numbers that fall; cases override this with a script."""
        return tuple(self.rng.randrange(bound) for bound in wait.bounds)

    def order(self, wait: Shuffle, size: int) -> Sequence[int]:
        """Which card lies in which slot."""
        found = list(range(size))
        self.rng.shuffle(found)
        return found

    def view(self, pos: Position, seat: str, options: Options | None = None) -> View:
        """What a seat knows: see `visible`."""
        return View(seat, {h: self.truth[h] for h in visible(pos, seat, options) if h in self.truth})

    def settle(self, result: Result) -> Result:
        """Go on until somebody must decide or the game is over; events are gathered."""
        events, claims = list(result.events), list(result.claims)
        pos = result.position
        while True:
            wait = self.machine.waits_for(pos)
            if isinstance(wait, (Ask, AskSealed, Over)):
                return Result(pos, tuple(events), tuple(claims))
            step = self.machine.apply(pos, self._answer(pos, wait))
            pos = step.position
            events += step.events
            claims += step.claims

    def _answer(self, pos: Position, wait: Wait) -> Any:
        match wait:
            case Chance():
                return Rolled(self.numbers(wait))
            case Open():
                return Opened({h: self.truth[h] for h in wait.handles})
            case Shuffle():
                cards = [*wait.cards, *(self.truth[h] for h in wait.returned)]
                for slot, card in enumerate(self.order(wait, len(cards))):
                    self.truth[card_handle(wait.deck, wait.epoch, slot)] = cards[card]
                return Shuffled(("",) * len(cards) if wait.owner else ())
            case Deliver():
                return Delivered()
        raise AssertionError(f"a croupier does not answer {wait!r}")

    def decide(self, pos: Position, move: Move, seat: str) -> Result:
        """Apply a seat's open decision, with the openings it needs, and settle."""
        shown = {h: self.truth[h] for h in shown_handles(move)}
        return self.settle(self.machine.apply(pos, Decision(seat, move, shown)))

    def seal(self, pos: Position, wait: AskSealed, moves: dict[str, Move]) -> Result:
        """Apply the sealed decisions of all seats asked, and settle."""
        commitments = {}
        serial = pos.serial + 1
        for options in wait.options:
            move = moves[options.seat]
            values = (
                slot_values(move) if wait.fills else (self.machine.write_move(pos, move, View(options.seat)),)
            )
            for number, value in enumerate(values):
                self.truth[slot_handle(serial, options.seat, number)] = value
            commitments[options.seat] = ("",) * len(values)
        return self.settle(self.machine.apply(pos, Sealed(commitments)))

    def play(self, pos: Position, players: dict[str, Player]) -> Result:
        """Ask the players what the position waits for, and go on from there."""
        wait = self.machine.waits_for(pos)
        if isinstance(wait, Ask):
            seat = wait.options.seat
            return self.decide(
                pos, players[seat](pos, wait.options, self.view(pos, seat, wait.options)), seat
            )
        assert isinstance(wait, AskSealed)
        moves = {o.seat: players[o.seat](pos, o, self.view(pos, o.seat, o)) for o in wait.options}
        for options in wait.options:
            refusal = options.why_not(moves[options.seat], self.view(pos, options.seat, options))
            if refusal is not None:
                raise AssertionError(f"{options.seat} sealed an illegal move: {refusal.reason}")
        return self.seal(pos, wait, moves)


def visible(pos: Position, seat: str, options: Options | None = None) -> list[Handle]:
    """The closed slots that a seat may see into: its sealed ones, and cards dealt, passed or shown to it."""
    stock = {h for deck in pos.decks.values() for h in deck.rest}
    looks = options.looks if options is not None else ()
    return [
        h
        for h, slot in pos.hidden.items()
        if h in looks or (h not in stock and seat == (slot.holder or slot.owner))
    ]


def slot_values(move: Move) -> tuple[str, ...]:
    """What a secret filling puts into its slots: the move's one tuple field."""
    import dataclasses

    (name,) = [f.name for f in dataclasses.fields(move) if isinstance(getattr(move, f.name), tuple)]  # type: ignore[arg-type]
    return tuple(str(v) for v in getattr(move, name))


def random_player(rng: random.Random) -> Player:
    """The fuzzer's player: any legal move."""
    return lambda pos, options, view: options.sample(rng, view)
