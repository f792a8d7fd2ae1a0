"""What an acting Force may do, and the rule that forbids what it may not: 14, 16, 17, 19.2, 20, 21, 22."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Protocol

from games.kit.families import Listed, Seldom
from games.kit.hexes import HexId
from games.sanada.combat import why_no_siege
from games.sanada.forces import why_no_force
from games.sanada.moves import (
    Detach,
    Engage,
    Fort,
    Garrison,
    Halt,
    Invest,
    Join,
    Leave,
    March,
    Overrun,
)
from games.sanada.paths import ALLOWANCE, EXIT, Traveller, blocked, reachable, step_price, wander
from games.sanada.position import SanadaPosition
from games.sanada.refusals import absent, no_hex
from games.sanada.terms import ENEMY
from pbem.engine.options import Family, Refusal, View


class Acting(Protocol):
    """A phase in which a Force acts, as far as its deeds depend on it."""

    seat: str
    actor: str
    used: int
    fed: bool
    zoned: bool
    done: tuple[str, ...]

    @property
    def kind(self) -> str: ...

    def traveller(self, pos: SanadaPosition) -> Traveller: ...


def investing(pos: SanadaPosition, seat: str) -> Listed[Invest]:
    """19.2.1: castles that may be invested, free and at once, any time in an own moving phase."""

    def listed() -> Iterator[Invest]:
        return (Invest(c.hex) for c in pos.data.castles.values() if c.hex in pos.index.standing[seat])

    def why(move: Invest) -> Refusal | None:
        return no_hex(pos, move.hex) or why_no_siege(pos, seat, move.hex)

    return Listed(Invest, listed, why)


def deeds(pos: SanadaPosition, phase: Acting) -> tuple[Family[Any], ...]:
    """Everything that the acting Force may do now."""
    deed = Deeds(pos, phase)
    actor = phase.actor
    return (
        Seldom(Halt(actor), "14.2.1"),
        Marches(pos, phase),
        Listed(Overrun, deed.overruns, deed.why_no_overrun),
        Listed(Engage, deed.engagements, deed.why_no_engage, 0.3),
        Listed(Garrison, lambda: iter((Garrison(actor),)), deed.why_no_garrison, 0.5),
        Listed(Leave, lambda: iter((Leave(actor),)), deed.why_no_leave, 0.5),
        Listed(Fort, lambda: iter((Fort(actor),)), deed.why_no_fort, 0.2),
        Listed(Join, deed.joins, deed.why_no_join, 0.5),
        Listed(Detach, deed.detaches, deed.why_no_detach, 0.2),
        investing(pos, phase.seat),
    )


class Deeds:
    """The questions of one acting Force."""

    def __init__(self, pos: SanadaPosition, phase: Acting) -> None:
        self.pos, self.phase, self.actor, self.seat = pos, phase, phase.actor, phase.seat
        self.piece = pos.units[self.actor]

    def not_mine(self, force: str) -> Refusal | None:
        """14.2.1: only the Force that is acting does anything."""
        if force == self.actor:
            return None
        return Refusal("14.2.1", f"{self.actor} is acting: it halts before {force} does anything")

    def spent(self) -> bool:
        return self.pos.spent(self.pos.force(self.actor))

    # --- 20: overruns

    def overruns(self) -> Iterator[Overrun]:
        if self.piece.inside:
            return
        foes = self.pos.index.standing[ENEMY[self.seat]]
        for there in self.pos.data.map.near[self.piece.hex]:
            if there in foes:
                yield Overrun(there, self.actor)

    def why_no_overrun(self, move: Overrun) -> Refusal | None:
        pos, here, there = self.pos, self.piece.hex, move.hex
        refusal = no_hex(pos, there) or self.not_mine(move.force)
        if refusal:
            return refusal
        if there not in pos.data.map.near[here] and there != here:
            return Refusal("20", f"{there} is not adjacent to {here}, or water is between them")
        if self.piece.inside:
            return Refusal("17.3.4", f"{self.actor} is in garrison and overruns nobody")
        if pos.holder(there) != ENEMY[self.seat]:
            garrison = bool(pos.at(there + "/in"))
            return Refusal("20.2" if garrison else "20", f"no enemy Force stands in the open of {there}")
        if self.spent():
            return Refusal("18.4.2", f"everybody under {self.actor} is face-down")
        if any(pos.pinned(leader) for leader in pos.leaders(there)):
            return Refusal("20.2", f"a Force in {there} is engaged already")
        price = step_price(pos, self.seat, here, there)
        if self.phase.used + price > ALLOWANCE:
            return Refusal(
                "20.1.1", f"entering {there} would cost {price} of {ALLOWANCE - self.phase.used} points"
            )
        return None

    # --- 21: engaged markers

    def engagements(self) -> Iterator[Engage]:
        for overrun in self.overruns():
            for leader in self.pos.leaders(overrun.hex):
                yield Engage(leader, self.actor)

    def why_no_engage(self, move: Engage) -> Refusal | None:
        pos, here = self.pos, self.piece.hex
        refusal = self.not_mine(move.force)
        if refusal:
            return refusal
        if move.target not in pos.units:
            return absent(pos, move.target, "21.1.1")
        theirs = pos.units[move.target]
        if pos.side(move.target) == self.seat or theirs.under:
            return Refusal("21.1.1", f"{move.target} leads no enemy Force")
        if self.piece.inside or theirs.inside:
            return Refusal("17.3.4", "a garrison takes no part in engagements")
        if theirs.hex not in pos.data.map.near[here]:
            return Refusal("21.1.1", f"{move.target} in {theirs.hex} is not adjacent to {here}")
        if self.spent():
            return Refusal("18.4.2", f"everybody under {self.actor} is face-down")
        if self.phase.used + 1 > ALLOWANCE:
            return Refusal("21.1.2", "a marker costs a point, and none is left")
        return None

    # --- 17: castles

    def why_no_garrison(self, move: Garrison) -> Refusal | None:
        pos, place = self.pos, self.piece.hex
        refusal = self.not_mine(move.force)
        if refusal:
            return refusal
        castle = pos.castle_at(place)
        if self.piece.inside or castle is None or pos.castles[castle].owner != self.seat:
            return Refusal("17.1.1", f"no castle of yours to go into is in {place}")
        size = len(pos.force(self.actor))
        if size > pos.room(castle):
            return Refusal("17.2", f"{castle} has room for {max(pos.room(castle), 0)} more units, not {size}")
        if self._left() < 1:
            return Refusal("17.1.1", "going in costs a point, and none is left")
        return None

    def why_no_leave(self, move: Leave) -> Refusal | None:
        refusal = self.not_mine(move.force)
        if refusal:
            return refusal
        if not self.piece.inside:
            return Refusal("17.1.2", f"{self.actor} is not in garrison")
        if self.pos.holder(self.piece.hex) == ENEMY[self.seat]:
            return Refusal("17.3.3", "the enemy is before the gate")
        if self.spent() and self.piece.hex in self.pos.index.zone(ENEMY[self.seat]):
            return Refusal("14.2.6", "a Force that is all face-down does not come out into an enemy zone")
        if self._left() < EXIT:
            return Refusal("17.1.2", "coming out costs a point, and none is left")
        return None

    def _left(self) -> int:
        """Points that are left without entering a hex."""
        return (2 if self.phase.fed and not self.phase.zoned else 1) * ALLOWANCE - self.phase.used

    # --- 22: forts

    def why_no_fort(self, move: Fort) -> Refusal | None:
        refusal = self.not_mine(move.force)
        if refusal:
            return refusal
        if self.phase.used:
            return Refusal("22.1", "a fort takes the whole allowance, and points have been used")
        if self.piece.inside:
            return Refusal("22.1", f"{self.actor} is in garrison")
        if self.piece.hex in self.pos.forts:
            return Refusal("22.1", f"there is a fort in {self.piece.hex}")
        return None

    # --- 16: reorganisation

    def mates(self) -> Iterable[str]:
        """Own units in the place of the acting Force."""
        return self.pos.at(self.pos.place(self.actor))

    def why_not_regroup(self, unit: str) -> Refusal | None:
        """16.1: whether a unit may take part in a reorganisation here and now."""
        pos = self.pos
        if unit not in pos.units:
            return absent(pos, unit, "16")
        if pos.side(unit) != self.seat:
            return Refusal("16", f"{unit} is not yours")
        if self.phase.used:
            return Refusal("16.1.3", f"{self.actor} has begun to move")
        if pos.units[unit].hex != self.piece.hex:
            return Refusal("16.1.1", f"{unit} is not in {self.piece.hex}")
        if pos.units[unit].inside != self.piece.inside:
            return Refusal("17.3.2", f"{unit} and {self.actor} are on different sides of the wall")
        if unit in self.phase.done:
            return Refusal("16.1.3", f"{unit} has used up this phase")
        if pos.pinned(pos.leader(unit)):
            return Refusal("21.2.1", f"{unit} is engaged")
        if unit in pos.frozen:
            return Refusal(f"{pos.play.rule}-5", f"{unit} cannot move yet")
        return None

    def joins(self) -> Iterator[Join]:
        if self.phase.used:
            return
        pos = self.pos
        mates = [u for u in self.mates() if not pos.units[u].under]
        leaders = [u for u in mates if pos.unit(u).track]
        for leader in leaders:
            for unit in mates:
                if unit != leader and len(pos.force(unit)) == 1:
                    yield Join(unit, leader)

    def why_no_join(self, move: Join) -> Refusal | None:
        pos = self.pos
        refusal = self.why_not_regroup(move.unit) or self.why_not_regroup(move.leader)
        if refusal:
            return refusal
        if pos.units[move.leader].under or move.unit == move.leader:
            return Refusal("7.3.2", f"{move.leader} leads no Force of its own")
        if pos.units[move.unit].under or len(pos.force(move.unit)) > 1:
            return Refusal("16", f"{move.unit} is not alone: detach the units of its Force first")
        if move.unit == self.actor:
            number = "16.1.2" if self.phase.kind != "movement" else "16.1.1"
            return Refusal(number, f"{self.actor} is acting and stays the leader of its Force")
        return why_no_force(pos, (*pos.force(move.leader), move.unit))

    def detaches(self) -> Iterator[Detach]:
        if not self.phase.used:
            for unit in self.mates():
                if self.pos.units[unit].under:
                    yield Detach(unit)

    def why_no_detach(self, move: Detach) -> Refusal | None:
        pos = self.pos
        refusal = self.why_not_regroup(move.unit)
        if refusal:
            return refusal
        leader = pos.units[move.unit].under
        if not leader:
            return Refusal("16", f"{move.unit} is under nobody")
        refusal = self.why_not_regroup(leader)
        if refusal:
            return refusal
        rest = tuple(u for u in pos.force(leader) if u != move.unit)
        stranded = why_no_force(pos, rest)
        return (
            stranded
            if stranded and stranded.rule == "8.1" and why_no_force(pos, pos.force(leader)) is None
            else None
        )


class Marches(Family[March]):
    """14.2, 14.3: every hex that the acting Force can reach."""

    kind = March

    def __init__(self, pos: SanadaPosition, phase: Acting) -> None:
        self.pos, self.phase = pos, phase
        piece = pos.units[phase.actor]
        self.locked = piece.inside and pos.holder(piece.hex) == ENEMY[phase.seat]
        """17.3.3: an enemy outside keeps a garrison in."""

    def moves(self, view: View) -> Iterator[March]:
        if not self.locked:
            for place in reachable(self.pos, self.phase.traveller(self.pos)):
                yield March(self.phase.actor, place)

    def sample(self, rng: Random, view: View) -> March | None:
        if self.locked:
            return None
        place: HexId | None = wander(self.pos, self.phase.traveller(self.pos), rng)
        return March(self.phase.actor, place) if place is not None else None

    def why_not(self, move: March, view: View) -> Refusal | None:
        pos, actor = self.pos, self.phase.actor
        if move.force != actor:
            return Refusal("14.2.1", f"{actor} is acting: it halts before {move.force} moves")
        refusal = no_hex(pos, move.hex)
        if refusal:
            return refusal
        if self.locked:
            return Refusal("17.3.3", "the enemy is before the gate")
        if move.hex == pos.units[actor].hex:
            return Refusal("14.2.3", "that is where it stands")
        return blocked(pos, self.phase.traveller(pos), move.hex)
