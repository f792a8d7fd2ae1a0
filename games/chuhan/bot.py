"""A player that tries to win: it weighs every action by what it is expected to change, and takes the best.

It looks one action ahead and sees only what its seat may see. Cards are worth nothing after the turn (3-5),
so it goes on as long as anything helps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from games.chuhan import plans
from games.chuhan.board import generals_in, legions_left
from games.chuhan.camps import camp_forces, lords_on_board, toward
from games.chuhan.events import unusable
from games.chuhan.groups import Fights, Moves
from games.chuhan.judgement import Judge, worth
from games.chuhan.moves import (
    Attack,
    Begin,
    Crown,
    Diplomacy,
    Dismiss,
    Done,
    EventFight,
    EventMove,
    FightOn,
    Gift,
    HandOver,
    Levy,
    MoveGroup,
    Muster,
    Place,
    PlayEvent,
    Recruit,
    Reinforce,
    Risk,
    Slander,
    Target,
    Wait,
)
from games.chuhan.position import ChuhanPosition
from games.chuhan.terms import Camp
from games.chuhan.words import force_named, unit_words
from games.kit.cards import known
from pbem.engine.notation import Handle, Move
from pbem.engine.options import Options, View

Choice = tuple[float, Move]
NOISE = 0.6
"""So much chance decides between what looks equally good."""


def player(seat: str, seed: int) -> Callable[[ChuhanPosition, Options, View], Move]:
    """The bot of a seat."""
    return Bot(Camp(seat), Random(f"chuhan {seat} {seed}"))


class Bot:
    """One side's player; remembers nothing but its random numbers."""

    def __init__(self, side: Camp, rng: Random) -> None:
        self.side, self.rng = side, rng
        self.judge = Judge(side)

    def __call__(self, pos: ChuhanPosition, options: Options, view: View) -> Move:
        if options.kind == "action":
            return self._action(pos, view)
        if options.kind == "event":
            return self._event_order(pos, options)
        listed = list(options.list(view))
        return max(listed, key=lambda move: self._answer(pos, move) + self.rng.random() * NOISE)

    # --- the march

    def _action(self, pos: ChuhanPosition, view: View) -> Move:
        cards = known(pos.hand(self.side.value), view)
        if not cards:
            return Wait()
        base = self.judge.value(pos)
        memo: plans.Memo = {}
        plain = list(self._plain(pos, base, cards[0], memo))
        events = {h: self._event(pos, str(view.value(h)), base, memo) for h in cards}
        choices: list[Choice] = [(0.0, Wait())]
        choices += [(value, PlayEvent(h)) for h, value in events.items() if value > 0]
        choices += plain
        best = max(choices, key=lambda choice: choice[0] + self.rng.random() * NOISE)[1]
        if isinstance(best, (Wait, PlayEvent)):
            return best
        assert isinstance(best, (Reinforce, Diplomacy, MoveGroup, FightOn))
        return replace(best, card=min(cards, key=lambda h: events[h]))

    def _plain(self, pos: ChuhanPosition, base: float, card: Handle, memo: plans.Memo) -> Iterator[Choice]:
        """Everything that any card pays for."""
        side, judge = self.side, self.judge
        for general in self._posts(pos):
            yield plans.reinforced(self.judge, pos, general) - base, Reinforce(general, card)
        for force in lords_on_board(pos):
            after = plans.courted(self.judge, pos, force, toward(side))
            if after is not None:
                yield plans.lasting(judge, pos) * (after - base), Diplomacy(force, card)
        for gain, group, to in plans.marches(self.judge, pos, Moves(pos, side), base, memo=memo):
            yield gain, MoveGroup(unit_words(side, group), group.area, to, card)
        for gain, group in plans.fights(self.judge, pos, Fights(pos, side)):
            yield gain, FightOn(unit_words(side, group), group.area, card)

    def _posts(self, pos: ChuhanPosition) -> Iterator[str]:
        """A general for each force and area that can be reinforced."""
        for force in camp_forces(pos, self.side):
            if not legions_left(pos, force):
                continue
            for area in pos.pack.areas:
                there = generals_in(pos, area, force)
                if there:
                    yield there[0]

    def _event(self, pos: ChuhanPosition, card: str, base: float, memo: plans.Memo) -> float:
        """What a card's event would bring now; below 0 if it cannot be used."""
        if unusable(pos, card, self.side) is not None:
            return -1.0
        return plans.event_value(self.judge, pos, card, base, memo)

    # --- questions

    def _event_order(self, pos: ChuhanPosition, options: Options) -> Move:
        """The move or battle of an event: the best one, or done."""
        frame = pos.stack[-1]
        best: Choice | None = None
        base = self.judge.value(pos)
        terms = plans.terms_of(frame)
        for family in options.families:
            inner = getattr(family, "inner", None)
            if family.kind is Done:
                found: list[Choice] = [(0.0, Done())]
            elif isinstance(inner, Moves):
                found = [
                    (gain, EventMove(unit_words(self.side, group), group.area, to))
                    for gain, group, to in plans.marches(self.judge, pos, inner, base, terms)
                ]
            elif isinstance(inner, Fights):
                found = [
                    (gain, EventFight(unit_words(self.side, group), group.area))
                    for gain, group in plans.fights(self.judge, pos, inner, terms)
                ]
            else:
                found = []  # the family that says that nobody fights on
            for choice in found:
                if best is None or choice[0] > best[0]:
                    best = choice
        return best[1] if best is not None else options.sample(self.rng)

    def _answer(self, pos: ChuhanPosition, move: Move) -> float:
        """How good an answer to a public question is."""
        judge = self.judge
        match move:
            case Begin():
                return 1.0 if move.seat == self.side else 0.0
            case Attack():
                return plans.attack_value(judge, pos, force_named(pos, move.force))
            case Risk():
                return -sum(worth(pos.pack.generals[g]) for g in move.generals)
            case Recruit():
                own = pos.generals[move.general].force != self.side.opponent
                return worth(pos.pack.generals[move.general]) + self.rng.random() * 5 if own else 0.0
            case Dismiss():
                return worth(pos.pack.generals[move.general])
            case HandOver() | Place() | Muster() | Gift() | Slander() | Levy() | Crown():
                return plans.answered(judge, pos, move)
            case Target():
                return plans.target_value(judge, pos, move.area)
        return 0.0
