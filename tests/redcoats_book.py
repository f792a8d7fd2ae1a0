"""A second reading of the redcoats rulebook and its rulings, without the program's lookups.

Slow and plain on purpose: it looks at units and at the drawing of the map, and counts again every time.
`test_redcoats_reading.py` compares the program with it in random games.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise

from games.redcoats.assault import Assaults
from games.redcoats.battle import Battle
from games.redcoats.movement import Movement
from games.redcoats.position import RedcoatsPosition
from games.redcoats.rules import REDCOATS

PACK = REDCOATS.load_pack()
OTHER = {"american": "british", "british": "american"}
POINTS = {"clear": 2, "light-woods": 2, "woods": 4, "town": 4, "swamp": 6, "fortress": 4}
"""Half points (4.1, 12.11)."""
LEFT = {"woods": 1, "town": 2, "swamp": 1, "fortress": 2}
SIDE_LEFT = {
    "stream": 1,
    "slope": 1,
    "bridge": 2,
    "ford": 2,
    "fieldwork": 1,
    "hedge": 1,
    "abatis": 1,
    "redoubt": 2,
}
ROUGH = ("woods", "town", "swamp")
COLUMNS = ["1:3", "1:2", "2:3", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "6:1"]


class Table:
    """A position as somebody at the table sees it."""

    def __init__(self, pos: RedcoatsPosition) -> None:
        self.pos = pos
        self.battle = PACK.scenarios[pos.scenario]
        self.map = PACK.fields[self.battle.field].grid
        self.drawn = PACK.fields[self.battle.field].edges
        self.terrain = self.map.terrain
        self.cards = PACK.rosters[self.battle.roster]

    # --- the map

    def around(self, place: str) -> list[str]:
        column, row = int(place[:2]), int(place[2:])
        low = 0 if column % 2 else 1
        steps = [(0, -1), (0, 1)] + [(dx, dy) for dx in (-1, 1) for dy in (low - 1, low)]
        found = [f"{column + dx:02d}{row + dy:02d}" for dx, dy in steps]
        return [h for h in found if h in self.terrain]

    def closed(self, a: str, b: str) -> bool:
        """4.23."""
        there = self.map.features[a][b]
        return "river" in there and not {"bridge", "ford"} & set(there)

    def walkable(self, a: str, b: str) -> bool:
        return self.terrain[b] != "water" and not self.closed(a, b)

    def away(self, a: str, b: str) -> int:
        """Steps between two hexes, counted out."""
        ax, ay = int(a[:2]), int(a[2:]) + (0.5 if int(a[:2]) % 2 == 0 else 0.0)
        bx, by = int(b[:2]), int(b[2:]) + (0.5 if int(b[:2]) % 2 == 0 else 0.0)
        across, down = abs(ax - bx), abs(ay - by)
        return int(across + max(0, down - across / 2))

    def price(self, a: str, b: str, light: bool) -> int:
        """4.2, 12.11 in half points."""
        features = self.map.features[a][b]
        if b in self.map.roads[a]:
            cost = 1
        else:
            cost = POINTS[self.terrain[b]]
            if light and self.terrain[b] in ROUGH:
                cost -= 2
            if b in self.drawn.trails[a]:
                cost = 2
            cost += 2 * ("stream" in features) + 2 * ("ford" in features and "bridge" not in features)
        cost += 2 * (b in self.drawn.up[a])
        return cost + 2 * (b in self.drawn.works[a])

    # --- units

    def of(self, side: str, place: str | None = None, kinds: str = "ildg") -> list[str]:
        """Units of a side, by the first letters of their arms; L for leaders."""
        letters = {"infantry": "i", "light": "l", "dragoon": "d", "gun": "g", "leader": "L"}
        return [
            u
            for u, piece in self.pos.units.items()
            if self.cards[u].side == side
            and letters[self.cards[u].arm] in kinds
            and (place is None or piece.hex == place)
        ]

    def hexes(self, side: str, kinds: str = "ildg") -> set[str]:
        return {self.pos.units[u].hex for u in self.of(side, kinds=kinds)}

    def weight(self, unit: str) -> int:
        """6.0, 6.2, 6.3."""
        card, piece = self.cards[unit], self.pos.units.get(unit)
        shaken = piece is not None and piece.disrupted
        if card.arm == "leader":
            return 0
        if card.arm == "gun":
            return (card.fire // 2) * (2 if shaken else 1)
        return card.back_strength * 2 if shaken else card.strength

    def fits(self, unit: str, place: str) -> bool:
        side = self.cards[unit].side
        others = [u for u in self.of(side, place, "ildgL") if u != unit]
        total = self.weight(unit) + sum(self.weight(u) for u in others)
        return self.cards[unit].arm == "leader" or not others or total <= 12

    def reaches(self, a: str, b: str) -> bool:
        """5.5: a zone of control from a into b."""
        return not self.closed(a, b) and self.terrain[b] != "fortress"

    def zone(self, side: str) -> set[str]:
        """5.0."""
        return {n for h in self.hexes(side, "ild") for n in self.around(h) if self.reaches(h, n)}

    def covering(self, side: str, place: str) -> list[str]:
        """Enemy hexes with this one in their zone."""
        foes = self.hexes(OTHER[side], "ild")
        return [n for n in self.around(place) if n in foes and self.reaches(n, place)]

    # --- 11.3

    def out_of_command(self, side: str) -> set[str]:
        zone, foes, mine = self.zone(OTHER[side]), self.hexes(OTHER[side]), self.hexes(side)
        covered: set[str] = set()
        for leader in self.of(side, kinds="L"):
            ring = {self.pos.units[leader].hex}
            covered |= ring
            for _ in range(self.cards[leader].range):
                ring = {
                    n
                    for h in ring
                    for n in self.around(h)
                    if self.walkable(h, n) and n not in foes and (n not in zone or n in mine)
                }
                covered |= ring
        return {u for u in self.of(side) if self.pos.units[u].hex not in covered}

    # --- 4.0, 5.0

    def allowance(self, unit: str) -> int:
        card = self.cards[unit]
        return 2 * card.ma * (2 if self.battle.doubled == card.side and self.pos.turn == 1 else 1)

    def slow(self, unit: str) -> bool:
        slow = self.battle.slow
        if slow is None or self.pos.turn >= slow.before:
            return False
        return any(g.id == slow.group and unit in g.units for g in self.battle.groups)

    def barred(self, unit: str, a: str, b: str) -> bool:
        """BK-17.2, WP-17.0."""
        side = self.cards[unit].side
        for bar in self.battle.closed:
            if bar.side != side or self.pos.turn >= bar.before or (bar.spared and unit in self.pos.chosen):
                continue
            if bar.column and int(b[:2]) < bar.column and int(b[:2]) < int(a[:2]):
                return True
            if bar.row and int(b[2:]) < bar.row and int(b[2:]) < int(a[2:]):
                return True
        west = set(self.map.areas.get("west", ()))
        for crossing in self.battle.crossings:
            if crossing.side != side:
                continue
            if crossing.closed in (a, b) and "bridge" in self.map.features[a][b]:
                return True
            wades = crossing.only and crossing.only not in (a, b)
            if b in west and a not in west and (unit not in self.pos.chosen or wades):
                return True
        return False

    def ignored(self, unit: str, place: str) -> bool:
        """12.13."""
        card = self.cards[unit]
        if card.arm != "light" or self.terrain[place] not in ROUGH:
            return False
        stacks = self.covering(card.side, place)
        return not any(self.of(OTHER[card.side], h, "ld") for h in stacks)

    def beside(self, side: str, place: str) -> bool:
        return any(n in self.hexes(OTHER[side]) for n in self.around(place))

    def ways(self, unit: str, points: int, forced: bool) -> set[str]:
        """Where a unit can go, rule by rule, spending its points in every possible manner."""
        card, piece = self.cards[unit], self.pos.units[unit]
        side, start = card.side, piece.hex
        foes = self.hexes(OTHER[side], "ildgL")
        zone, mine = self.zone(OTHER[side]), self.hexes(side)
        near = {n for h in self.hexes(OTHER[side]) for n in self.around(h)}
        rides = card.arm == "leader" and start in zone and start not in mine
        most = 2 if self.slow(unit) else 99
        best = {(start, 0): 0}
        front = [(start, 0)]
        while front:
            here, steps = front.pop()
            spent = best[here, steps]
            stops = here != start and here in zone and not rides and not self.ignored(unit, here)
            if stops or steps == most:
                continue
            for n in self.around(here):
                if not self.walkable(here, n) or n in foes or self.barred(unit, here, n) or n == start:
                    continue
                if card.arm == "leader":
                    if not rides and n in near and n not in mine:
                        continue
                elif (forced and n in near) or (
                    (piece.disrupted or piece.ooc) and n in zone and not self.ignored(unit, n)
                ):
                    continue
                total = spent + self.price(here, n, card.arm == "light")
                if total > points:
                    if spent or here != start:
                        continue
                    total = points
                key = (n, min(steps + 1, most) if most < 99 else 1)
                if total < best.get(key, 999):
                    best[key] = total
                    front.append(key)
        return {h for h, _ in best if h != start}

    def ends(self, unit: str, places: set[str]) -> set[str]:
        """6.0, 9.1(2), 11.15 at the end of a move."""
        side, piece = self.cards[unit].side, self.pos.units[unit]
        found = {h for h in places if self.fits(unit, h)}
        if piece.disrupted:
            rally = [*self.battle.lines[side], *(self.pos.units[u].hex for u in self.of(side, kinds="L"))]
            found = {h for h in found if any(self.away(h, r) < self.away(piece.hex, r) for r in rally)}
        if self.cards[unit].arm == "leader":
            mine = self.hexes(side)
            found = {h for h in found if h in mine or not self.beside(side, h)}
        return found

    def unchecked(self, unit: str) -> bool:
        """12.3."""
        card = self.cards[unit]
        binds = {"dragoon": "d", "light": "dl"}.get(card.arm)
        stacks = self.covering(card.side, self.pos.units[unit].hex)
        return binds is not None and not any(self.of(OTHER[card.side], h, binds) for h in stacks)

    def moves(self, segment: Movement, only: str | None = None) -> set[tuple[str, str, str]]:
        """Every move and forced march that may be ordered now, of one counter if told."""
        found = set()
        for unit, piece in self.pos.units.items():
            if only not in (None, unit):
                continue
            card = self.cards[unit]
            if card.side != segment.seat or unit in segment.moved or piece.fresh or piece.held:
                continue
            if self.battle.frozen == card.side and (card.arm == "gun" or self.pos.turn < 3):
                continue
            if card.arm != "leader" and not self._free(segment, unit):
                continue
            plain = self.ways(unit, self.allowance(unit), False)
            found |= {("move", unit, h) for h in self.ends(unit, plain)}
            top = 18 if card.arm == "dragoon" else 12
            if card.arm == "leader" or piece.ooc or unit in segment.beside or self.slow(unit):
                continue
            if self.allowance(unit) < top:
                forced = self.ends(unit, self.ways(unit, top, True) - plain)
                found |= {("force", unit, h) for h in forced}
        return found

    def _free(self, segment: Movement, unit: str) -> bool:
        """4.4: whether a unit may leave its hex now."""
        piece = self.pos.units[unit]
        if not self.covering(segment.seat, piece.hex) or unit in segment.freed:
            return True
        if piece.disrupted or unit in segment.tried:
            return False
        here = [g for g in segment.guards if g in self.pos.units and self.pos.units[g].hex == piece.hex]
        if unit in here:
            mates = [u for u in self.of(segment.seat, piece.hex) if u != unit]
            waiting = [u for u in mates if not self.pos.units[u].disrupted and u not in segment.moved]
            return not waiting and self.unchecked(unit)
        return bool(here) or self.unchecked(unit)

    # --- 7.3

    def centre(self, place: str) -> tuple[float, float]:
        column = int(place[:2])
        return 1.5 * column, math.sqrt(3) * (int(place[2:]) + (0.5 if column % 2 == 0 else 0.0))

    def touched(self, a: str, b: str) -> dict[str, tuple[float, bool]]:
        """Hexes on the line with where it meets them, and whether it only runs along their side."""
        (ax, ay), (bx, by) = self.centre(a), self.centre(b)
        found = {}
        reach = self.away(a, b)
        for h in self.terrain:
            if h in (a, b) or self.away(h, a) > reach or self.away(h, b) > reach:
                continue
            hx, hy = self.centre(h)
            low, high, along = 0.0, 1.0, False
            for turn in range(6):
                angle = math.radians(60 * turn + 30)
                nx, ny = math.cos(angle), math.sin(angle)
                inside = math.sqrt(3) / 2 - (nx * (ax - hx) + ny * (ay - hy))
                slope = nx * (bx - ax) + ny * (by - ay)
                if abs(slope) < 1e-9:
                    if inside < -1e-9:
                        low, high = 1.0, 0.0
                    along = along or abs(inside) < 1e-9
                elif slope > 0:
                    high = min(high, inside / slope)
                else:
                    low = max(low, inside / slope)
            if high - low > 1e-9:
                found[h] = (low, along)
        return found

    def may_fire(self, gun: str, target: str) -> bool:
        """7.1-7.3, HH-17.0."""
        card, piece = self.cards[gun], self.pos.units[gun]
        enemy = OTHER[card.side]
        if piece.ooc or piece.disrupted or piece.held or target not in self.hexes(enemy):
            return False
        away = self.away(piece.hex, target)
        if away == 1:
            return True
        if piece.hex in self.zone(enemy):
            return False
        met = self.touched(piece.hex, target)
        path = [piece.hex, *sorted((h for h in met if not met[h][1]), key=lambda h: met[h][0]), target]
        rise = 0
        for a, b in pairwise(path):
            if b in self.around(a):
                rise += (b in self.drawn.up[a]) - (a in self.drawn.up[b])
        if away > card.range - (rise > 0) + (rise < 0):
            return False
        full = self.hexes("american") | self.hexes("british")
        return card.howitzer or not any(h in full or self.terrain[h] in ("woods", "town") for h in met)

    # --- 8.2

    def links(self, seat: str) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
        """Pairs that must fight among each other, and pairs that may."""
        must, may = set(), set()
        mine = self.hexes(seat, "ild")
        awake = {h for h in mine if not all(self.pos.units[u].held for u in self.of(seat, h, "ild"))}
        for a in awake:
            for d in self.around(a):
                if d in self.hexes(OTHER[seat], "ild") and self.reaches(d, a):
                    must.add((a, d))
                elif d in self.hexes(OTHER[seat]) and self.walkable(a, d):
                    may.add((a, d))
        return must, may

    def battles(self, segment: Assaults) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
        """8.272: battles after which all duties can still be met, found by trying."""
        must, may = self.links(segment.seat)
        used = {h for b in (*segment.targets, *segment.origins) for h in b}
        attackers = sorted({a for a, _ in must | may} - used)
        defenders = sorted({d for _, d in must | may} - used)
        duty = {h for pair in must for h in pair} - used
        found = set()
        for size in range(1, len(attackers) + 1):
            for origins in combinations(attackers, size):
                common = [d for d in defenders if all((a, d) in must | may for a in origins)]
                for many in range(1, len(common) + 1):
                    for targets in combinations(common, many):
                        here = {*origins, *targets}
                        bound = [h for h in here & duty if not any({h} < {*p} and {*p} <= here for p in must)]
                        if not bound and self._coverable(duty - here, must):
                            found.add((targets, origins))
        return found

    def _coverable(self, left: set[str], must: set[tuple[str, str]]) -> bool:
        """Whether the rest can be divided: everybody is put into a star, by trying all of them."""
        if not left:
            return True
        first = min(left)
        for hub in (first, *sorted(left)):
            leaves = [h for h in left if (h, hub) in must or (hub, h) in must]
            if hub != first and first not in leaves:
                continue
            for many in range(1, len(leaves) + 1):
                for chosen in combinations(leaves, many):
                    if first in (hub, *chosen) and self._coverable(left - {hub, *chosen}, must):
                        return True
        return False

    def odds(self, seat: str, targets: tuple[str, ...], origins: tuple[str, ...]) -> dict[str, object]:
        """8.1-8.3, 12.12, 12.21, KM-17.0 for a battle as the units stand."""
        attack = Fraction(0)
        for h in origins:
            attack += min(8, sum(self._strength(u) for u in self.of(seat, h, "ild")))
        defence = Fraction(0)
        enemy = OTHER[seat]
        for h in targets:
            here = Fraction(0)
            for u in self.of(enemy, h):
                half = self.battle.halved == enemy and self.pos.turn == 1
                card = self.cards[u]
                here += Fraction(card.fire, 2) if card.arm == "gun" else Fraction(self._strength(u), 1 + half)
            defence += min(Fraction(8), here)
        first = 0
        for number, heading in enumerate(COLUMNS):
            a, d = heading.split(":")
            if attack * int(d) >= int(a) * defence:
                first = number
        shift = -max(LEFT.get(self.terrain[h], 0) for h in targets)
        sides = [self._side(a, d) for a in origins for d in targets if d in self.around(a)]
        shift -= min(sides)
        rough = [h for h in targets if self.terrain[h] in ROUGH]
        shift += bool(rough) and any(self.of(seat, h, "l") for h in origins)
        shift -= any(self.of(enemy, h, "l") for h in rough)
        shift += self._charge(seat, targets, origins)
        best = max((self.cards[u].value for h in origins for u in self.of(seat, h, "L")), default=0)
        other = max((self.cards[u].value for h in targets for u in self.of(enemy, h, "L")), default=0)
        column = min(max(first + shift, 0), len(COLUMNS) - 1)
        return {
            "attack": str(attack),
            "defence": str(defence),
            "first": COLUMNS[first],
            "shift": shift,
            "column": COLUMNS[column],
            "modifier": best - other,
        }

    def _strength(self, unit: str) -> int:
        card = self.cards[unit]
        return card.back_strength if self.pos.units[unit].disrupted else card.strength

    def _side(self, a: str, d: str) -> int:
        kinds = [*self.map.features[a][d], *(["slope"] if d in self.drawn.up[a] else [])]
        if d in self.drawn.works[a]:
            kinds.append(self.drawn.works[a][d])
        return max((SIDE_LEFT.get(kind, 0) for kind in kinds), default=0)

    def _charge(self, seat: str, targets: tuple[str, ...], origins: tuple[str, ...]) -> bool:
        smooth = ("clear", "light-woods")
        if len(targets) > 1 or self.terrain[targets[0]] not in smooth:
            return False
        if any(not self.pos.units[u].disrupted for u in self.of(OTHER[seat], targets[0], "d")):
            return False
        horses = [u for h in origins if self.terrain[h] in smooth for u in self.of(seat, h, "d")]
        return any(self.pos.units[u].charge and not self.pos.units[u].disrupted for u in horses)

    # --- 8.51, 10.0

    def routes(
        self, unit: str, steps: int, runs: bool, engaged: tuple[str, ...], mates: set[str]
    ) -> set[tuple[str, ...]]:
        """Every way of a retreat, step by step through the list of priorities; 8.51: together with mates."""
        side, start = self.cards[unit].side, self.pos.units[unit].hex
        foes = self.hexes(OTHER[side])
        home = self._home(side, start) if runs else None
        done: set[tuple[str, ...]] = set()
        waiting: list[tuple[str, ...]] = [()]
        while waiting:
            path = waiting.pop()
            here = path[-1] if path else start
            choices = [n for n in self.around(here) if self.walkable(here, n) and n not in foes]
            if len(path) >= steps:
                if self.fits(unit, here):
                    done.add(path)
                    continue
                choices = [n for n in choices if n not in (start, *path)]
            elif home is not None and home.get(here) == 0 and len(self.around(here)) < 6:
                done.add(path)
                continue
            if not choices:
                done.add(path)
                continue
            for test in self._priorities(unit, path, here, steps, home, engaged, mates):
                good = [n for n in choices if test(n)]
                choices = good or choices
            waiting += [(*path, n) for n in choices]
        return done

    def _priorities(self, unit, path, here, steps, home, engaged, mates):  # type: ignore[no-untyped-def]
        side, start = self.cards[unit].side, self.pos.units[unit].hex
        zone = self.zone(OTHER[side])
        mine = {self.pos.units[u].hex for u in self.of(side) if u not in mates}
        yield lambda n: all(self.away(n, e) >= self.away(here, e) for e in engaged)
        yield lambda n: all(self.away(n, e) > 1 for e in engaged)
        if home is not None:
            now = home.get(here, 0)
            yield lambda n: home.get(n, 999) < now or (now == 0 and home.get(n, 999) == 0)
        yield lambda n: n not in zone
        yield lambda n: n != start and n not in path
        if len(path) + 1 >= steps:
            yield lambda n: self.fits(unit, n)
        yield lambda n: n not in mine

    def _home(self, side: str, start: str) -> dict[str, int] | None:
        """10.0: steps to the nearest hex of the line, or to the hexes nearest to it that can be reached."""
        listed = self.battle.lines[side]
        foes = self.hexes(OTHER[side])
        for ring in range(60):
            goals = [h for h in self.terrain if min((self.away(h, g) for g in listed), default=-1) == ring]
            found = {h: 0 for h in goals if self.terrain[h] != "water" and h not in foes}
            front = list(found)
            while front:
                following = []
                for here in front:
                    for n in self.around(here):
                        if n not in found and n not in foes and self.walkable(here, n):
                            found[n] = found[here] + 1
                            following.append(n)
                front = following
            if start in found:
                return found
        return None

    # --- leaders: 8.515, 8.522, 11.13

    def escapes(self, leader: str) -> set[str]:
        """The nearest hexes with a friendly combat unit, within eight steps past the enemy."""
        side, start = self.cards[leader].side, self.pos.units[leader].hex
        foes, front, seen = self.hexes(OTHER[side]), {start}, {start}
        for _ in range(9):
            found = {h for h in front if self.of(side, h)}
            if found:
                return found
            front = {n for h in front for n in self.around(h) if self.walkable(h, n) and n not in foes} - seen
            seen |= front
        return set()

    def follows(self, leader: str, went: tuple[tuple[str, ...], ...]) -> set[str]:
        """With any of those who were stacked with him and are now elsewhere, or with those who stand."""
        here = self.pos.units[leader].hex
        there = {self.pos.units[u].hex for u, start, _ in went if start == here and u in self.pos.units}
        return there | ({here} if self.of(self.cards[leader].side, here) else set())

    def led(self, battle: Battle) -> set[tuple[str, str]]:
        """Every leader who has not gone with every unit of his hex that may go, or has gone with another."""
        origins = {unit: way[0] for unit, *way in battle.led}
        found = set()
        for leader in self.of(battle.seat, kinds="L"):
            here = self.pos.units[leader].hex
            if leader not in battle.advanced:
                found |= {(leader, unit) for unit, start in origins.items() if start == here}
                found |= {
                    (leader, unit) for unit in self._may_advance(battle) if self.pos.units[unit].hex == here
                }
        return found

    def _may_advance(self, battle: Battle) -> set[str]:
        """8.521, 11.41: who fought, stayed in his hex, has not gone, is in command, has a hex to go to."""
        left = [h for h in battle.targets if not self.of(OTHER[battle.seat], h, "ild")]
        found = set()
        for unit in self.of(battle.seat, kinds="ild"):
            here, piece = self.pos.units[unit].hex, self.pos.units[unit]
            if unit in battle.attackers and unit not in battle.advanced and here in battle.origins:
                goals = [h for h in left if h in self.around(here) and self.walkable(here, h)]
                if not piece.ooc and any(self._room(unit, h) for h in goals):
                    found.add(unit)
        return found

    def _room(self, unit: str, place: str) -> bool:
        """8.525; dragoons may find room in a second hex."""
        foes = self.hexes(OTHER[self.cards[unit].side])
        second = self.around(place) if self.cards[unit].arm == "dragoon" else []
        goals = [place, *(n for n in second if self.walkable(place, n) and n not in foes)]
        return any(self.fits(unit, goal) for goal in goals)

    # --- 9.21

    def modifier(self, unit: str) -> int:
        """A plain morale check: leader, guns, dragoons, enemies on two sides."""
        card, piece = self.cards[unit], self.pos.units[unit]
        leaders = self.of(card.side, piece.hex, "L")
        if piece.helped:
            leaders = [u for u in leaders if u == piece.helped]
        total = -max((self.cards[u].value for u in leaders), default=0)
        if card.arm in ("infantry", "light"):
            total -= bool(self.of(card.side, piece.hex, "g"))
            total -= any(not self.pos.units[u].disrupted for u in self.of(card.side, piece.hex, "d"))
        return total + (len(self.covering(card.side, piece.hex)) > 1)
