"""8.0 ASSAULT: one segment: lone guns give way, all battles are declared, then fought in any order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.kit.hexes import HexId
from games.redcoats import specials
from games.redcoats.battle import Battle
from games.redcoats.collapse import disrupt
from games.redcoats.division import Divisions, Duties, duties
from games.redcoats.morale import Cause, check, take
from games.redcoats.moves import Assault, EndDeclaring, Resolve
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY
from games.redcoats.rout import Rout, falls_back
from pbem.engine.events import Event
from pbem.engine.options import Among, Family, Options, Refusal, View
from pbem.engine.procedure import Dice, Goto, Perform, Procedure, chooses, rolls, rule

Names = tuple[tuple[str, ...], ...]


class Declared(Event):
    says = "{attackers} against {defenders} in {targets}"
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    targets: tuple[HexId, ...]


@dataclass(slots=True)
class Assaults(Procedure):
    """8.0 ASSAULT SEGMENT."""

    seat: str
    lone: tuple[str, ...] = ()
    """Guns without escort that must give way (8.41)."""
    targets: Names = ()
    origins: Names = ()
    attackers: Names = ()
    defenders: Names = ()
    """The battles that have been declared and not yet fought."""
    closed: bool = False

    # --- 8.41: guns without escort

    @rule("8.41")
    def unescorted(self, pos: RedcoatsPosition) -> None:
        """Guns of the phasing side in an enemy zone of control without infantry or dragoons suffer AR1."""
        zone, foot = pos.zoc(ENEMY[self.seat]), pos.foot(self.seat)
        self.lone = tuple(
            unit
            for unit, piece in pos.units.items()
            if pos.book[unit].is_gun
            and pos.book[unit].side == self.seat
            and piece.hex in zone
            and piece.hex not in foot
        )

    def gun_dice(self, pos: RedcoatsPosition) -> Dice | None:
        return Dice(len(self.lone), 10) if self.lone else None

    @rolls("8.41", gun_dice)
    def give_way(self, pos: RedcoatsPosition, dice: tuple[int, ...]) -> Goto | None:
        """A check each: passed, it goes back one hex; failed, it is abandoned where it stands (8.42)."""
        going = []
        for gun, die in zip(self.lone, dice, strict=True):
            if not take(pos, check(pos, gun, Cause()), die, "8.41"):
                disrupt(pos, gun, "8.42")
            elif falls_back(pos, gun):
                going.append(gun)
        self.lone = tuple(going)
        return None

    @rule("8.41")
    def guns_go(self, pos: RedcoatsPosition) -> Perform | Goto | None:
        """One hex after another, away from those in whose zone they are."""
        if not self.lone:
            return None
        place = pos.units[self.lone[0]].hex
        guns = tuple(gun for gun in self.lone if pos.units[gun].hex == place)
        self.lone = tuple(gun for gun in self.lone if gun not in guns)
        engaged, many = pos.covering(self.seat, place), len(guns)
        return Perform(Rout(self.seat, guns, (1,) * many, (False,) * many, engaged), then="guns_go")

    # --- 8.22, 8.272: the division

    def known(self, pos: RedcoatsPosition) -> Duties:
        """Duties as the units stand; nobody moves while battles are declared."""
        found: Duties = pos.remember(("duties", self.seat), lambda: duties(pos, self.seat))
        return found

    def _used(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return tuple(h for b in self.targets for h in b), tuple(h for b in self.origins for h in b)

    def divisions(self, pos: RedcoatsPosition) -> Options | None:
        if self.closed:
            return None
        known = self.known(pos)
        if not known.links and not known.extra:
            return None
        gone, spent = self._used()
        offered = Divisions(pos, known, gone, spent)
        if known.done(gone, spent) is None and not offered.any():
            return None
        families = (offered, Enough(known, gone, spent))
        return Options(self.seat, families, "assault", "declare all battles before the first die")

    @chooses("8.272", divisions)
    def declare(self, pos: RedcoatsPosition, move: Assault | EndDeclaring) -> Goto | None:
        """Everybody in enemy zones of control attacks, and everybody whose zone they are in is attacked."""
        if isinstance(move, EndDeclaring):
            self.closed = True
            return None
        targets, origins = tuple(sorted(move.targets)), tuple(sorted(move.origins))
        attackers = tuple(u for h in origins for u in pos.infantry(self.seat, h))
        defenders = tuple(u for h in targets for u in pos.combat(ENEMY[self.seat], h))
        self.targets, self.origins = (*self.targets, targets), (*self.origins, origins)
        self.attackers, self.defenders = (*self.attackers, attackers), (*self.defenders, defenders)
        pos.say(Declared(attackers, defenders, targets))
        return Goto("declare")

    # --- 8.23: in any order

    def next_battle(self, pos: RedcoatsPosition) -> Options | None:
        if not self.targets:
            return None
        moves = [Resolve(battle[0]) for battle in self.targets]

        def why(move: Resolve) -> Refusal:
            left = ", ".join(m.hex for m in moves)
            return Refusal("8.23", f"no declared battle is left against {move.hex}: {left}")

        return Options(
            self.seat, (Among(Resolve, moves, "8.23", why),), "resolve", "which battle is fought next"
        )

    @chooses("8.23", next_battle)
    def resolve(self, pos: RedcoatsPosition, move: Resolve) -> Perform:
        """One battle to its end, retreats and advances included (8.516, 8.527), then the next."""
        self.closed = True
        number = next(i for i, battle in enumerate(self.targets) if battle[0] == move.hex)
        battle = Battle(
            self.seat,
            self.targets[number],
            self.origins[number],
            self.attackers[number],
            self.defenders[number],
        )
        for name in ("targets", "origins", "attackers", "defenders"):
            kept = getattr(self, name)
            setattr(self, name, kept[:number] + kept[number + 1 :])
        for place in (*battle.targets, *battle.origins):
            specials.release(pos, place)
        return Perform(battle, then="resolve")


class Enough(Family[EndDeclaring]):
    """8.22: declaring ends when every duty is met."""

    kind = EndDeclaring

    def __init__(self, known: Duties, gone: tuple[str, ...], spent: tuple[str, ...]) -> None:
        self._missing = known.done(gone, spent)

    def moves(self, view: View) -> Iterator[EndDeclaring]:
        if self._missing is None:
            yield EndDeclaring()

    def why_not(self, move: EndDeclaring, view: View) -> Refusal | None:
        if self._missing is None:
            return None
        place, attacks = self._missing
        what = "must attack" if attacks else "must be attacked"
        reason = f"{place} is in a zone of control: it {what}"
        return Refusal("8.22", reason, also=("8.0", "8.272"))
