"""12 EVENTS of persons and lords, and what all events have in common.

Each event is a procedure with the seat that plays it. `idle` says why it could change nothing now (6-3); it
is asked before the card is shown, so every question that follows has an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from games.chuhan.board import legions_in, legions_left, on_board
from games.chuhan.camps import camp_of, lords_on_board, moved_marker, toward
from games.chuhan.control import Settle
from games.chuhan.moves import Dismiss, Gift, Recruit, Slander
from games.chuhan.position import ChuhanPosition
from games.chuhan.recruit import Placement, cup_options, open_to, serve
from games.chuhan.terms import EITHER, Camp, ForceId, General, GeneralId, Kind
from games.chuhan.words import force_named
from pbem.engine.events import Event as Told
from pbem.engine.events import Named
from pbem.engine.notation import Handle, Move, keyword
from pbem.engine.options import Among, Family, Options, Refusal, View
from pbem.engine.procedure import Become, Drawn, Perform, Procedure, chooses, draws, rule


class Seceded(Told):
    says = "{general} takes {legions:# legion|# legions} with him"
    general: Named
    area: Named
    legions: int
    ready: int


class AdviserLeft(Told):
    says = "{general} leaves the game"
    general: Named


class CardLost(Told):
    says = "{seat} loses {card}"
    seat: str
    card: Named


@dataclass(slots=True)
class Event(Procedure):
    """What every event has: the player who shows the card."""

    seat: str

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        """Why the event could change nothing now; None if it can."""
        return None

    @property
    def side(self) -> Camp:
        """The player of the event."""
        return Camp(self.seat)

    @property
    def opponent(self) -> Camp:
        """The other player."""
        return Camp(self.seat).opponent


def nothing(found: Iterable[object], why: str) -> Refusal | None:
    """6-3: an event that could change nothing is refused."""
    return None if any(True for _ in found) else Refusal("6-3", why)


def choice(
    seat: str, moves: list[Move], number: str, ask: str, why: Callable[[Any], str] | None = None
) -> Options:
    """One of a few public answers to an event."""
    return Options(seat, (Among(type(moves[0]), moves, number, why),), keyword(type(moves[0])), ask)


# --- persons


def turncoat(pos: ChuhanPosition) -> General | None:
    """12-third-realm: the lord whose other counter, a retainer, is on the board."""
    for general in pos.pack.generals.values():
        if general.retainer is not None and on_board(pos, general.retainer):
            return general  # type: ignore[no-any-return]
    return None


@dataclass(slots=True)
class ThirdRealm(Event):
    """12-third-realm: 韓信 goes his own way."""

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        if turncoat(pos) is not None:
            return None
        return Refusal("12-third-realm", "the retainer Han Xin is not on the board")

    @rule("12-third-realm")
    def secede(self, pos: ChuhanPosition) -> Perform:
        """He changes his counter, and half of the legions around him change theirs."""
        lord = turncoat(pos)
        assert lord is not None and lord.retainer is not None
        old = pos.generals[lord.retainer]
        pos.remove_general(lord.retainer)
        pos.place_general(lord.id, old.place, acted=old.acted)
        there = legions_in(pos, old.place, old.force)
        half = min((there.total + 1) // 2, legions_left(pos, lord.force))
        ready = min(half, there.ready)
        pos.change_legions(old.place, old.force, ready=-ready, acted=ready - half)
        pos.change_legions(old.place, lord.force, ready=ready, acted=half - ready)
        pos.say(Seceded(lord.id, old.place, half, ready))
        pos.set_marker(lord.force, 0)
        return Perform(Settle(self.seat))


def advisers(pos: ChuhanPosition, side: Camp) -> list[GeneralId]:
    """12-not-worth-counsel: the best strategists of a side who are no soldiers."""
    found = [
        g
        for g in pos.pack.generals.values()
        if g.kind is Kind.RETAINER and pos.generals[g.id].force == side and on_board(pos, g.id)
    ]
    fit = [g for g in found if (g.strategy or 0) >= 2 and g.military <= 1]
    best = max((g.strategy or 0 for g in fit), default=0)
    return [g.id for g in fit if g.strategy == best]


@dataclass(slots=True)
class NotWorthCounsel(Event):
    """12-not-worth-counsel: an adviser leaves his lord."""

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        return nothing(advisers(pos, side.opponent), "the opponent has no adviser on the board")

    def whom(self, pos: ChuhanPosition) -> Options:
        listed: list[Move] = [Dismiss(g) for g in advisers(pos, self.opponent)]
        return choice(self.seat, listed, "12-not-worth-counsel", "which adviser leaves")

    @chooses("12-not-worth-counsel", whom)
    def leave(self, pos: ChuhanPosition, move: Dismiss) -> Perform:
        """He leaves the game."""
        pos.remove_general(move.general)
        pos.say(AdviserLeft(move.general))
        return Perform(Settle(self.seat))


def candidates(pos: ChuhanPosition, side: Camp) -> list[GeneralId]:
    """12-scholar-enlists: retainers in the cup who serve this side, or may."""
    return [g for g in pos.cup() if pos.generals[g].force in (side.value, EITHER)]


@dataclass(slots=True)
class ScholarEnlists(Event):
    """12-scholar-enlists: a retainer of one's choice."""

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        if not open_to(pos, side.value):
            return Refusal("6-3", "you have no unit on the board where he could appear")
        return nothing(candidates(pos, side), "no retainer of yours is in the cup")

    def whom(self, pos: ChuhanPosition) -> Options:
        return cup_options(self.seat, candidates(pos, self.side), "12-scholar-enlists")

    @chooses("12-scholar-enlists", whom)
    def enlist(self, pos: ChuhanPosition, move: Recruit) -> Become:
        """He is placed as in 3-1; who may serve either side serves this one."""
        if pos.generals[move.general].force == EITHER:
            serve(pos, move.general, self.side)
        return Become(Placement(move.general))


@dataclass(slots=True)
class Spies(Event):
    """12-spies: two cards of the opponent's hand, at random."""

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        return nothing(pos.hand(side.opponent), "the opponent holds no card")

    def their_hand(self, pos: ChuhanPosition) -> tuple[Handle, ...]:
        return pos.hand(self.opponent)

    @draws("12-spies", their_hand, opened=True)
    def first(self, pos: ChuhanPosition, drawn: Drawn) -> None:
        """One card is discarded ..."""
        self._lose(pos, drawn)

    @draws("12-spies", their_hand, opened=True)
    def second(self, pos: ChuhanPosition, drawn: Drawn) -> None:
        """... and another one, if there is another."""
        self._lose(pos, drawn)

    def _lose(self, pos: ChuhanPosition, drawn: Drawn) -> None:
        pos.take_from_hand(self.opponent, drawn.handle)
        pos.discard(drawn.value)
        pos.say(CardLost(self.opponent.value, drawn.value))


# --- lords


def gifts(pos: ChuhanPosition, side: Camp) -> list[Gift]:
    """12-gifts: every lord on the board with the boxes that his marker can move toward a side."""
    found = []
    for force in lords_on_board(pos):
        for boxes in (1, 2):
            box = pos.markers[force]
            if moved_marker(pos.pack, force, box, boxes * toward(side)) == box + boxes * toward(side):
                found.append(Gift(force, boxes))
    return found


@dataclass(slots=True)
class Gifts(Event):
    """12-gifts: a lord is won over."""

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        return nothing(gifts(pos, side), "no lord's marker can come nearer")

    def lords(self, pos: ChuhanPosition) -> Options:
        return Options(self.seat, (Giving(pos, self.side),), "gift", "a lord, and one or two boxes")

    @chooses("12-gifts", lords)
    def give(self, pos: ChuhanPosition, move: Gift) -> None:
        """His marker moves toward the giver."""
        pos.shift_marker(force_named(pos, move.lord), move.boxes * toward(self.side))


class Giving(Family[Gift]):
    """12-gifts: lords and boxes."""

    kind = Gift

    def __init__(self, pos: ChuhanPosition, side: Camp) -> None:
        self.pos, self.listed = pos, gifts(pos, side)

    def moves(self, view: View) -> list[Gift]:
        return self.listed

    def why_not(self, move: Gift, view: View) -> Refusal | None:
        force = force_named(self.pos, move.lord)
        if Gift(force, move.boxes) in self.listed:
            return None
        if force not in lords_on_board(self.pos):
            return Refusal("12-gifts", f"no lord {move.lord} is on the board")
        if move.boxes not in (1, 2):
            return Refusal("12-gifts", "one box or two")
        return Refusal("10-3", f"the marker of {force} cannot go so far")


def _friends(pos: ChuhanPosition, side: Camp) -> list[ForceId]:
    return [force for force in lords_on_board(pos) if camp_of(pos, force) == side]


@dataclass(slots=True)
class SowDiscord(Event):
    """12-sow-discord: a lord leaves the opponent's camp."""

    @classmethod
    def idle(cls, pos: ChuhanPosition, side: Camp) -> Refusal | None:
        return nothing(_friends(pos, side.opponent), "no lord is of the opponent's camp")

    def lords(self, pos: ChuhanPosition) -> Options:
        found = _friends(pos, self.opponent)
        return Options(self.seat, (Slandered(pos, found),), "slander", "a lord of the opponent's camp")

    @chooses("12-sow-discord", lords)
    def sow(self, pos: ChuhanPosition, move: Slander) -> None:
        """His marker goes back to the middle."""
        pos.set_marker(force_named(pos, move.lord), 0)


class Slandered(Family[Slander]):
    """12-sow-discord: the lords of the opponent's camp."""

    kind = Slander

    def __init__(self, pos: ChuhanPosition, forces: list[ForceId]) -> None:
        self.pos, self.forces = pos, forces

    def moves(self, view: View) -> list[Slander]:
        return [Slander(force) for force in self.forces]

    def why_not(self, move: Slander, view: View) -> Refusal | None:
        if force_named(self.pos, move.lord) in self.forces:
            return None
        return Refusal("12-sow-discord", f"lords of the opponent's camp: {', '.join(self.forces)}")
