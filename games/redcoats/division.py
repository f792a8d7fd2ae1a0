"""8.22-8.28: who must fight whom, and every division of the assaults into battles that meets all duties.

Hexes fight, not units: all infantry and dragoons of a hex are one force (8.26). A duty is a link: an
attacking hex in the zone of control of a defending one. A battle is a set of attacking and a set of defending
hexes, each of which may fight each (8.272(3)). The rest can be divided lawfully exactly when nobody with a
duty is left without a partner: such a graph can be covered by stars, and a star is a battle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

from games.kit.hexes import HexId
from games.redcoats.moves import Assault
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import ENEMY
from pbem.engine.options import Family, Refusal, View

Hexes = tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class Duties:
    """The links of one side's assault segment as the units stand."""

    seat: str
    links: dict[HexId, Hexes]
    """Attacking hex: the enemy hexes that it must fight among (8.22)."""
    bound: dict[HexId, Hexes]
    """Defending hex: the attacking hexes in its zone of control."""
    extra: dict[HexId, Hexes]
    """Attacking hex: enemies it may fight without being obliged to (8.0-a): lone guns, or from a fortress."""

    def left_out(self, targets: Iterable[HexId], origins: Iterable[HexId]) -> tuple[HexId, bool] | None:
        """The first hex with a duty and no partner left, once these have been used; True: it attacks."""
        gone, spent = frozenset(targets), frozenset(origins)
        for a, foes in self.links.items():
            if a not in spent and all(d in gone for d in foes):
                return a, True
        for d, friends in self.bound.items():
            if d not in gone and all(a in spent for a in friends):
                return d, False
        return None

    def done(self, targets: Iterable[HexId], origins: Iterable[HexId]) -> tuple[HexId, bool] | None:
        """The first hex whose duty has not been met; None: all of them have."""
        gone, spent = frozenset(targets), frozenset(origins)
        a = next((a for a in self.links if a not in spent), None)
        if a is not None:
            return a, True
        d = next((d for d in self.bound if d not in gone), None)
        return (d, False) if d is not None else None

    def may_fight(self, a: HexId, d: HexId) -> bool:
        return d in self.links.get(a, ()) or d in self.extra.get(a, ())


def duties(pos: RedcoatsPosition, seat: str) -> Duties:
    """8.22, 8.272, 8.0-a, as the units stand."""
    enemy = ENEMY[seat]
    foot, men, near = pos.foot(enemy), pos.men(enemy), pos.land
    links: dict[HexId, Hexes] = {}
    bound: dict[HexId, Hexes] = {}
    extra: dict[HexId, Hexes] = {}
    for a in sorted(pos.foot(seat)):
        if all(pos.units[u].held for u in pos.infantry(seat, a)):
            continue
        foes = tuple(d for d in near.neighbours[a] if d in foot and a in near.zoc_into[d])
        if foes:
            links[a] = foes
        for d in foes:
            bound[d] = (*bound.get(d, ()), a)
        others = tuple(d for d in near.open[a] if d in men and d not in foes)
        if others:
            extra[a] = others
    return Duties(seat, links, dict(sorted(bound.items())), extra)


class Divisions(Family[Assault]):
    """8.272: the battles that may be declared next; only those that leave the rest coverable are offered."""

    kind = Assault

    def __init__(self, pos: RedcoatsPosition, known: Duties, targets: Hexes, origins: Hexes) -> None:
        self.pos, self.known = pos, known
        self.gone, self.spent = targets, origins
        self._gone, self._spent = frozenset(targets), frozenset(origins)

    # --- listing

    def _partners(self) -> tuple[dict[HexId, Hexes], dict[HexId, Hexes]]:
        """Who may still fight whom, from both sides."""
        attack: dict[HexId, Hexes] = {}
        defend: dict[HexId, Hexes] = {}
        for a in dict.fromkeys((*self.known.links, *self.known.extra)):
            if a in self._spent:
                continue
            foes = (*self.known.links.get(a, ()), *self.known.extra.get(a, ()))
            left = tuple(d for d in foes if d not in self._gone)
            if left:
                attack[a] = left
            for d in left:
                defend[d] = (*defend.get(d, ()), a)
        return attack, defend

    def moves(self, view: View) -> Iterator[Assault]:
        attack, defend = self._partners()
        for d, friends in defend.items():
            for size in range(1, len(friends) + 1):
                for origins in combinations(friends, size):
                    yield from self._lawful((d,), origins)
        for a, foes in attack.items():
            for size in range(2, len(foes) + 1):
                for targets in combinations(foes, size):
                    yield from self._lawful(targets, (a,))
        for a, b in combinations(attack, 2):
            common = tuple(d for d in attack[a] if d in attack[b])
            for targets in combinations(common, 2):
                yield from self._lawful(targets, (a, b))

    def _lawful(self, targets: Hexes, origins: Hexes) -> Iterator[Assault]:
        move = Assault(tuple(sorted(targets)), tuple(sorted(origins)))
        if self._refused(move.targets, move.origins) is None:
            yield move

    def any(self) -> bool:
        return next(iter(self.moves(View())), None) is not None

    def sample(self, rng: Random, view: View) -> Assault | None:
        attack, defend = self._partners()
        if not attack:
            return None
        targets: Hexes
        for _ in range(8):
            if rng.random() < 0.7:
                d = rng.choice(list(defend))
                some = [a for a in defend[d] if rng.random() < 0.7] or [rng.choice(defend[d])]
                targets, origins = (d,), tuple(sorted(some))
            else:
                a = rng.choice(list(attack))
                some = [d for d in attack[a] if rng.random() < 0.6] or [rng.choice(attack[a])]
                targets, origins = tuple(sorted(some)), (a,)
            if self._refused(targets, origins) is None:
                return Assault(targets, origins)
        return next(iter(self.moves(view)), None)

    # --- refusing

    def why_not(self, move: Assault, view: View) -> Refusal | None:
        targets, origins = move.targets, move.origins
        if not targets or not origins:
            return Refusal("8.1", "name the hexes that are attacked and those that attack")
        if len(set(targets)) != len(targets) or len(set(origins)) != len(origins):
            return Refusal("8.24", "a hex is named twice")
        return self._refused(targets, origins)

    def _refused(self, targets: Hexes, origins: Hexes) -> Refusal | None:
        known, pos = self.known, self.pos
        for a in origins:
            if a in self._spent:
                return Refusal("8.24", f"{a} attacks in another battle already", also=("8.25", "8.26"))
            if a not in known.links and a not in known.extra:
                return self._no_attack(a)
        for d in targets:
            if d in self._gone:
                return Refusal("8.24", f"{d} is attacked in another battle already")
            refusal = self._no_target(d)
            if refusal:
                return refusal
            for a in origins:
                if not known.may_fight(a, d):
                    reason = f"{_names(pos, a)} in {a} is not in contact with {d}"
                    return Refusal("8.272", reason, also=("8.0",))
        for a in origins:
            if a in known.links and not any(d in known.links[a] for d in targets):
                return _duty(f"{_names(pos, a)} in {a} must attack those in whose zone it is")
        for d in targets:
            if d in known.bound and not any(a in known.bound[d] for a in origins):
                return _duty(f"{d} must be attacked by somebody in its zone of control")
        lost = known.left_out((*self.gone, *targets), (*self.spent, *origins))
        if lost is None:
            return None
        place, attacks = lost
        who = _names(pos, place)
        if attacks:
            return _duty(f"{who} in {place} must attack and would have nobody left to fight")
        return _duty(f"{who} in {place} must be attacked and nobody would be left to do it")

    def _no_attack(self, a: HexId) -> Refusal:
        pos, seat = self.pos, self.known.seat
        if a in pos.men(seat) and a not in pos.foot(seat):
            return Refusal("8.41", f"guns never assault: in {a} there is nobody else")
        if a in pos.foot(seat):
            return Refusal("8.0", f"nobody in {a} is beside an enemy whom it could attack")
        return Refusal("8.21", f"you have no troops in {a}")

    def _no_target(self, d: HexId) -> Refusal | None:
        enemy = ENEMY[self.known.seat]
        if d in self.pos.men(enemy):
            return None
        if d in self.pos.at(enemy):
            return Refusal("11.14", f"only leaders are in {d}: they cannot be attacked")
        return Refusal("8.0", f"no enemy is in {d}")


def _duty(reason: str) -> Refusal:
    """8.22, which 8.0 announces and 8.272(1)(2) repeats."""
    return Refusal("8.22", reason, also=("8.0", "8.272"))


def _names(pos: RedcoatsPosition, place: HexId) -> str:
    """Who is in a hex, for a refusal."""
    units = [u for side in ENEMY for u in pos.infantry(side, place)]
    return " and ".join(units) or "nobody"
