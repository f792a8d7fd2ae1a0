"""4(1): a Start Phase in six steps: points, falls, siege levels, attrition, replenishment, newcomers.

Each step sees what the ones before it did (4-f). Dice of one step fall together, castle by castle and Force
by Force in the order of their names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.kit.families import Listed, Seldom
from games.sanada.arrivals import Mobilization, Reinforcements
from games.sanada.attrition import attrition
from games.sanada.battle import Hits
from games.sanada.losses import Losses, suffer
from games.sanada.moves import DoneRestoring, Lose, Restore
from games.sanada.position import SanadaPosition
from games.sanada.refusals import Question, absent
from games.sanada.supply import supplied
from games.sanada.terms import HEIGHT, INSIDE, KANTO, OSAKA, SAKAI, Rank
from games.sanada.victory import castle_taken, presence_points, present, sudden
from pbem.engine.events import Event
from pbem.engine.options import Options, Refusal
from pbem.engine.procedure import Dice, Finish, Goto, Perform, Procedure, chooses, rolls, rule

HIGHEST_LEVEL = 6
"""10.1.1: at six a castle falls on anything."""
REPLENISHMENT_STEPS = ((40, 3), (20, 2), (10, 1))
MOBILIZATION_STEPS = ((40, 3), (20, 2), (15, 1))
"""13.1.1, 24.2.1: points from which a die is better, not cumulative."""


def point_modifier(points: int, steps: tuple[tuple[int, int], ...]) -> int:
    """One less below zero; else the best step reached."""
    if points < 0:
        return -1
    return next((plus for least, plus in steps if points >= least), 0)


CHANGES = "{die}{reasons:?, {reasons:*{key:sakai=Sakai|points} {value:+}} = {total}|}"
"""A die and what changes it, in words."""


class WallsRestored(Event):
    says = "the walls of {castle} are restored"
    castle: str


class FallTried(Event):
    says = "{castle} {falls:?falls|holds}: {die} against level {level}"
    castle: str
    die: int
    level: int
    falls: bool


class SiegeWorked(Event):
    says = "siege of {castle}: {die} with {rank} inside, {plus:?{plus}|nothing}: level {level}"
    castle: str
    die: int
    rank: str
    plus: int
    level: int


class OutOfSupply(Event):
    says = "out of supply: {forces}"
    forces: tuple[str, ...]


class Replenished(Event):
    says = "replenishment points: {points}, by " + CHANGES
    points: int
    die: int
    reasons: dict[str, int]
    plus: int
    total: int


class FaceUp(Event):
    says = "{unit} is face-up again"
    unit: str


class Mobilised(Event):
    says = "units that are mobilized: {count}, by " + CHANGES
    count: int
    die: int
    reasons: dict[str, int]
    plus: int
    total: int


@dataclass(slots=True)
class StartPhase(Procedure):
    """4(1), 4(6): the Start Phase of one side; only its own castles, Forces and points (4-e)."""

    seat: str
    starving: tuple[str, ...] = ()
    """12.1(1): Forces out of supply when step 4 began (11-f)."""
    hits: tuple[Hits, ...] = ()
    """Attrition still to be taken, by leader."""
    points: int = 0
    """Replenishment points left."""

    @rule("26.1.1")
    def count_points(self, pos: SanadaPosition) -> None:
        """Points for being somewhere."""
        presence_points(pos, self.seat)

    # --- 10: castles

    @rule("19.1.12")
    def mend(self, pos: SanadaPosition) -> None:
        """Walls of castles that are not invested are made good."""
        anybody = pos.option("walls_mended") == "any-start"
        for castle, state in pos.castles.items():
            if state.lost and state.siege is None and (anybody or state.owner == self.seat):
                pos.hold(castle, lost=0)
                pos.say(WallsRestored(castle))

    def besieged(self, pos: SanadaPosition, least: int) -> tuple[str, ...]:
        """The own castles under siege at that level or more."""
        return tuple(
            castle
            for castle, state in pos.castles.items()
            if state.owner == self.seat and state.siege is not None and state.siege >= least
        )

    def fall_dice(self, pos: SanadaPosition) -> Dice | None:
        count = len(self.besieged(pos, 1))  # at level 0 nothing can fall
        return Dice(count, 6) if count else None

    @rolls("10.1.1", fall_dice)
    def fall(self, pos: SanadaPosition, dice: tuple[int, ...]) -> None:
        """A castle falls on a die of its siege level or less."""
        for castle, die in zip(self.besieged(pos, 1), dice, strict=True):
            level = pos.castles[castle].siege
            assert level is not None
            falls = die <= level
            pos.say(FallTried(castle, die, level, falls))
            if falls:
                castle_taken(pos, castle, "10.1.2")
        sudden(pos)

    def level_dice(self, pos: SanadaPosition) -> Dice | None:
        count = len(self.besieged(pos, 0))
        return Dice(count, 6) if count else None

    @rolls("10.2.2", level_dice)
    def raise_levels(self, pos: SanadaPosition, dice: tuple[int, ...]) -> None:
        """The siege table by the highest rank inside; an empty castle is held as by gunzei (10.2.2-b)."""
        for castle, die in zip(self.besieged(pos, 0), dice, strict=True):
            inside = pos.at(pos.stronghold(castle).hex + INSIDE)
            rank = max((pos.unit(u).rank for u in inside), key=HEIGHT.__getitem__, default=Rank.GUNZEI)
            plus = pos.data.tables.siege_result(rank, die)
            level = min((pos.castles[castle].siege or 0) + plus, HIGHEST_LEVEL)
            pos.hold(castle, siege=level)
            pos.say(SiegeWorked(castle, die, rank.value, plus, level, rule="10.2.3" if plus else "10.2.2"))

    # --- 12: attrition

    @rule("12.1")
    def take_stock(self, pos: SanadaPosition) -> None:
        """Supply is looked at once for all Forces before the first die."""
        own = (u for u in pos.index.forces if pos.side(u) == self.seat)
        self.starving = tuple(sorted(u for u in own if not supplied(pos, u)))
        if self.starving:
            pos.say(OutOfSupply(self.starving, rule="11.1"))

    def wear_dice(self, pos: SanadaPosition) -> Dice | None:
        return Dice(len(self.starving), 6) if self.starving else None

    @rolls("12.2.1", wear_dice)
    def wear(self, pos: SanadaPosition, dice: tuple[int, ...]) -> None:
        """A die for each Force that is out of supply."""
        worn = [
            (leader, attrition(pos, leader, die, True))
            for leader, die in zip(self.starving, dice, strict=True)
        ]
        self.hits = tuple(Hits(leader, hits) for leader, hits in worn if hits)

    def worn(self, pos: SanadaPosition) -> Options | None:
        if not self.hits:
            return None
        first = self.hits[0]
        losses = Losses(pos, pos.force(first.place), first.hits, "12.2.2")
        return Question(self.seat, (losses,), "attrition", f"attrition of {first.place}: {losses.words()}")

    @chooses("12.2.2", worn)
    def attrit(self, pos: SanadaPosition, move: Lose) -> Goto:
        """Flips first, then removals (12.2.3)."""
        first, self.hits = self.hits[0], self.hits[1:]
        suffer(pos, pos.force(first.place), first.hits, move, "12.2.2")
        sudden(pos)
        return Goto("attrit")

    # --- 13: replenishment

    @rolls("13.1.1", Dice(1, 6))
    def replenish(self, pos: SanadaPosition, dice: tuple[int, ...]) -> None:
        """The table, better with Sakai and with points of one's own."""
        plus = self._plus(pos, REPLENISHMENT_STEPS)
        self.points = pos.data.tables.replenished(self.seat, dice[0] + plus)
        reasons = self._reasons(pos, REPLENISHMENT_STEPS)
        pos.say(Replenished(self.points, dice[0], reasons, plus, dice[0] + plus))

    def _plus(self, pos: SanadaPosition, steps: tuple[tuple[int, int], ...]) -> int:
        sakai = 1 if present(pos, self.seat, (SAKAI,)) else 0
        return sakai + point_modifier(pos.own_points(self.seat), steps)

    def _reasons(self, pos: SanadaPosition, steps: tuple[tuple[int, int], ...]) -> dict[str, int]:
        """What changes the die, and by how much."""
        by_points = point_modifier(pos.own_points(self.seat), steps)
        found = {"sakai": self._plus(pos, steps) - by_points, "points": by_points}
        return {what: by for what, by in found.items() if by}

    def restorable(self, pos: SanadaPosition) -> Options | None:
        if not self.points:
            return None

        def listed() -> Iterator[Restore]:
            return (Restore(u) for u, p in pos.units.items() if p.down and pos.side(u) == self.seat)

        family = Listed(Restore, listed, lambda m: self.why_not(pos, m.unit))
        if not any(self.why_not(pos, m.unit) is None for m in listed()):
            return None
        ask = f"turn units face-up, {self.points} points left"
        return Question(self.seat, (Seldom(DoneRestoring(), "13.2.2", 0.1), family), "replenish", ask)

    def why_not(self, pos: SanadaPosition, unit: str) -> Refusal | None:
        """13.2.1: besieged and unsupplied units get nothing."""
        if unit not in pos.units:
            return absent(pos, unit, "13.1.2")
        piece = pos.units[unit]
        if pos.side(unit) != self.seat:
            return Refusal("13.1.2", f"{unit} is not yours")
        if not piece.down:
            return Refusal("13.1.2", f"{unit} is face-up")
        castle = pos.castle_at(piece.hex)
        if piece.inside and castle and pos.castles[castle].siege is not None:
            return Refusal("13.2.1", f"{unit} is besieged")
        if not supplied(pos, pos.leader(unit)):
            return Refusal("13.2.1", f"{unit} is out of supply")
        return None

    @chooses("13.1.2", restorable)
    def restore(self, pos: SanadaPosition, move: Restore | DoneRestoring) -> Goto | None:
        """A point turns one unit, under command or not; points left are lost (13.2.2)."""
        if isinstance(move, DoneRestoring):
            return None
        self.points -= 1
        pos.turn_over(move.unit, False)
        pos.say(FaceUp(move.unit))
        return Goto("restore")

    # --- 23, 24: newcomers

    def call_die(self, pos: SanadaPosition) -> Dice | None:
        return Dice(1, 6) if self.seat == OSAKA and pos.box else None

    @rolls("24.2.1", call_die)
    def mobilize(self, pos: SanadaPosition, dice: tuple[int, ...]) -> Perform:
        """Osaka calls up units from the box."""
        plus = self._plus(pos, MOBILIZATION_STEPS)
        count = pos.data.tables.mobilized(dice[0] + plus)
        reasons = self._reasons(pos, MOBILIZATION_STEPS)
        pos.say(Mobilised(count, dice[0], reasons, plus, dice[0] + plus))
        return Perform(Mobilization(self.seat, left=count), then="end_phase")

    @rule("23.1.1")
    def reinforce(self, pos: SanadaPosition) -> Perform | None:
        """Kanto units enter on their turn or later."""
        return Perform(Reinforcements(self.seat)) if self.seat == KANTO and pos.waiting else None

    @rule("4")
    def end_phase(self, pos: SanadaPosition) -> Finish:
        """The Start Phase is over."""
        return Finish()
