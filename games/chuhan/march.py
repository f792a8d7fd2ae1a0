"""6 THE MARCH: the players take turns; every action but waiting costs a card.

What a player may do depends on cards that only he sees, so the question is `hidden` while he holds any and
the engine never answers it; with an empty hand there is nothing but to wait (6-8), and the engine does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from games.chuhan.battle import Battle
from games.chuhan.board import legions_left, on_board
from games.chuhan.camps import camp_of, lords_on_board, moved_marker, others_in, toward
from games.chuhan.events import EVENTS, unusable
from games.chuhan.groups import NOT_IN_HAND, PaidFights, PaidMoves, not_in_hand
from games.chuhan.movement import Arrival, set_out, stand_to
from games.chuhan.moves import Begin, Diplomacy, FightOn, MoveGroup, PlayEvent, Reinforce, Wait
from games.chuhan.position import ChuhanPosition
from games.chuhan.reach import Group
from games.chuhan.strength import first_to_act, highest_strategy
from games.chuhan.terms import PLAYERS, Camp, ForceId, GeneralId
from games.chuhan.words import force_named, read_group
from games.kit.cards import Played, known
from pbem.engine.events import Event, Named
from pbem.engine.notation import Handle
from pbem.engine.options import Among, Family, Options, Refusal, View
from pbem.engine.procedure import Finish, Goto, Perform, Procedure, chooses, rule


class MarchBegan(Event):
    says = "highest strategy: Chu {chu}, Han {han}; {first} begins"
    chu: int
    han: int
    first: Named


class CardPlayed(Event):
    says = "{seat} plays {card}"
    seat: str
    card: Named


class MarchEnded(Event):
    says = "both wait: the march is over"


class LegionJoined(Event):
    says = "an acted legion joins {general} in {area}"
    general: Named
    force: Named
    area: Named


class UnitsActed(Event):
    says = "acted: {units:# unit|# units}"
    area: Named
    units: int


class MayFightOn(Event):
    says = "they may fight on"
    area: Named


@dataclass(slots=True)
class MarchPhase(Procedure):
    """6: action by action, until both wait."""

    seat: str = ""
    """Whose action it is."""
    waits: int = 0
    """How many have waited in a row."""

    @rule("6-1")
    def order(self, pos: ChuhanPosition) -> None:
        """The higher strategy begins, Han if equal; settled once for the whole march."""
        first = first_to_act(pos)
        chu, han = (highest_strategy(pos, side) for side in PLAYERS)
        self.seat = first.value
        pos.say(MarchBegan(chu, han, first.value))

    def beginners(self, pos: ChuhanPosition) -> Options | None:
        if pos.option("first-action") == "higher-strategy":
            return None
        family = Among(Begin, [Begin(side.value) for side in PLAYERS], "6-1")
        return Options(self.seat, (family,), "begin", "who acts first")

    @chooses("6-1", beginners)
    def begin_with(self, pos: ChuhanPosition, move: Begin) -> None:
        """By option the side with the higher strategy chooses."""
        self.seat = move.seat

    def actions(self, pos: ChuhanPosition) -> Options:
        side = Camp(self.seat)
        waiting = Among(Wait, [Wait()], "6-8")
        if not pos.hand(self.seat):
            return Options(self.seat, (waiting,), "action", "no card is left: wait")
        families = (
            waiting,
            Events(pos, side),
            Reinforcements(pos, side),
            Diplomacies(pos, side),
            PaidMoves(pos, side),
            PaidFights(pos, side),
        )
        return Options(self.seat, families, "action", "an action, or wait", hidden=True)

    @chooses("6-2", actions)
    def act(
        self,
        pos: ChuhanPosition,
        move: Wait | PlayEvent | Reinforce | Diplomacy | MoveGroup | FightOn,
    ) -> Goto | Perform | Finish | None:
        """An action for a card, or a wait for none."""
        if isinstance(move, Wait):
            return self._wait(pos)
        self.waits = 0
        side = Camp(self.seat)
        card = pos.play_card(self.seat, move.card)
        match move:
            case PlayEvent():
                pos.say(CardPlayed(self.seat, card, rule="6-3"))
                return Perform(EVENTS[card](self.seat))
            case Reinforce():
                self._reinforce(pos, move.general)
            case Diplomacy():
                pos.shift_marker(force_named(pos, move.lord), toward(side), "6-5")
            case MoveGroup():
                group = read_group(pos, side, move.units, move.start)
                assert isinstance(group, Group)
                set_out(pos, group, move.area)
                return Perform(Arrival(self.seat))
            case FightOn():
                group = read_group(pos, side, move.units, move.area)
                assert isinstance(group, Group)
                stand_to(pos, group)
                return Perform(Battle(self.seat))
        return None

    def _wait(self, pos: ChuhanPosition) -> Goto | Finish:
        """6-8, 6-9: two waits in a row end the march."""
        self.waits += 1
        if self.waits == len(PLAYERS):
            pos.say(MarchEnded(rule="6-9"))
            return Finish()
        self.seat = Camp(self.seat).opponent.value
        return Goto("act")

    def _reinforce(self, pos: ChuhanPosition, general: GeneralId) -> None:
        """6-4: an acted legion of his force joins him."""
        state = pos.generals[general]
        pos.raise_legions(state.place, state.force, 1, acted=True)
        pos.say(LegionJoined(general, state.force, state.place, rule="6-4"))

    @rule("7-1-5")
    def finish_action(self, pos: ChuhanPosition) -> None:
        """Units that moved have acted; so have those who fought on, if no other camp is left (7-2-9)."""
        company = pos.company
        if company is not None:
            left = others_in(pos, company.area, Camp(self.seat))
            if company.moved or not left:
                pos.turn_company()
                acted = len(company.generals) + company.legions
                number = "7-1-5" if company.moved else "7-2-9"
                pos.say(UnitsActed(company.area, acted, rule=number))
            else:
                pos.say(MayFightOn(company.area, rule="7-2-9"))
        pos.company = None
        pos.fought = {}

    @rule("6-10")
    def pay(self, pos: ChuhanPosition) -> Goto:
        """The card goes face up to the discards, and the other player is next."""
        pos.discard(pos.played)
        pos.played = ""
        self.seat = Camp(self.seat).opponent.value
        return Goto("act")


# --- what may be done


class Events(Played):
    """6-3, 1-4-1: cards whose event may be used now."""

    def __init__(self, pos: ChuhanPosition, side: Camp) -> None:
        absent, closed = Refusal("6", NOT_IN_HAND), Refusal("6-3", "the card must be shown")

        def check(card: str) -> Refusal | None:
            return unusable(pos, card, side) if card in pos.pack.cards else closed

        super().__init__(PlayEvent, pos.hand(side), check, absent, closed)

    def sample(self, rng: Random, view: View) -> PlayEvent | None:
        cards = known(self.cards, view)
        rng.shuffle(cards)
        usable = (c for c in cards if self.check(str(view.value(c))) is None)
        return next((PlayEvent(card) for card in usable), None)


class Reinforcements(Family[Reinforce]):
    """6-4: generals of the own camp whose force has a counter left."""

    kind = Reinforce

    def __init__(self, pos: ChuhanPosition, side: Camp) -> None:
        self.pos, self.side = pos, side

    def _refusal(self, general: GeneralId) -> Refusal | None:
        pos = self.pos
        if general not in pos.pack.generals or not on_board(pos, general):
            return Refusal("6-4", f"no general {general} is on the board")
        force = pos.generals[general].force
        if camp_of(pos, force) != self.side:
            return Refusal("6-4", f"{general} is not of your camp")
        if not legions_left(pos, force):
            return Refusal("1-2-2-1", f"{force} has no legion counter left")
        return None

    def moves(self, view: View) -> Iterator[Reinforce]:
        cards = known(self.pos.hand(self.side), view)
        for general in self.pos.pack.generals if cards else ():
            if self._refusal(general) is None:
                for card in cards:
                    yield Reinforce(general, card)

    def why_not(self, move: Reinforce, view: View) -> Refusal | None:
        wrong = not_in_hand(self.pos, self.side, move.card)
        return wrong or self._refusal(move.general)

    def sample(self, rng: Random, view: View) -> Reinforce | None:
        return _sample(self, rng, view, Reinforce, list(self.pos.pack.generals))


class Diplomacies(Family[Diplomacy]):
    """6-5: lords on the board whose marker can still come nearer."""

    kind = Diplomacy

    def __init__(self, pos: ChuhanPosition, side: Camp) -> None:
        self.pos, self.side = pos, side

    def _refusal(self, force: ForceId) -> Refusal | None:
        pos = self.pos
        if force not in lords_on_board(pos):
            return Refusal("6-5", f"the lord {force} is not on the board")
        box = pos.markers[force]
        if moved_marker(pos.pack, force, box, toward(self.side)) == box:
            return Refusal("6-5", f"the marker of {force} cannot come nearer")
        return None

    def moves(self, view: View) -> Iterator[Diplomacy]:
        cards = known(self.pos.hand(self.side), view)
        for force in self.pos.pack.lords() if cards else ():
            if self._refusal(force) is None:
                for card in cards:
                    yield Diplomacy(force, card)

    def why_not(self, move: Diplomacy, view: View) -> Refusal | None:
        wrong = not_in_hand(self.pos, self.side, move.card)
        force = force_named(self.pos, move.lord)
        if wrong is None and force not in self.pos.pack.lords():
            return Refusal("6-5", f"{move.lord} is no lord: nobody else has a marker")
        return wrong or self._refusal(force)

    def sample(self, rng: Random, view: View) -> Diplomacy | None:
        return _sample(self, rng, view, Diplomacy, list(self.pos.pack.lords()))


M = TypeVar("M", Reinforce, Diplomacy)


def _sample(
    family: Reinforcements | Diplomacies, rng: Random, view: View, kind: type[M], names: list[str]
) -> M | None:
    """A random legal order that names one thing and a card."""
    cards: list[Handle] = known(family.pos.hand(family.side), view)
    rng.shuffle(names)
    for name in names if cards else ():
        if family._refusal(name) is None:
            return kind(name, rng.choice(cards))
    return None
