"""What the rulebook states about its own map, counters and tables: a pack that contradicts it is refused.

Invariants: each check names the rule it comes from; checks look at one finished pack and change nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NoReturn

from games.kawagoe.battlefield import BAILEYS, Battlefield
from games.kawagoe.pack import Pack
from games.kawagoe.printed import ANTI, GROUPS, HOJO, HOUSES, SAGAMI, UJIYASU_ARMY, UnitClass
from games.kit.hexes import HexId
from games.kit.ways import steps
from pbem.errors import UsageError

NAMED = {"tsunashige": "garrison", "benchiyo": "garrison", "ujiyasu": UJIYASU_ARMY, "tame": UJIYASU_ARMY}
"""北条綱成, 福島弁千代, 北条氏康, 多目元忠: ids that rules 5.3, 13.2 and 13.4 speak of, and their groups."""

RESULT = re.compile(r"乱戦|A[1-9E]|D[1-9E]|A[1-9E]/D[1-9E]|-")
"""How a combat result is written (9.51); "-" is no effect."""


def check_pack(pack: Pack) -> None:
    """Refuse a pack that contradicts the rulebook."""
    for check in (_units, _castle, _areas, _roads, _chits, _combat, _setups):
        check(pack)


def refuse(problem: str, rule: str) -> NoReturn:
    """Raise an error that names the rule."""
    raise UsageError(f"the pack contradicts rule {rule}: {problem}", f"see `pbem rules kawagoe {rule}`")


def _units(pack: Pack) -> None:
    count = Counter(unit.group for unit in pack.units.values())
    for (group, wanted), rule in zip(GROUPS.items(), ("4.1", "4.3", "4.4"), strict=True):
        if count[group] != wanted:
            refuse(f"{count[group]} units of {group} instead of {wanted}", rule)
    for unit_id, group in NAMED.items():
        if unit_id not in pack.units or pack.units[unit_id].group != group:
            refuse(f"there is no unit {unit_id} in {group}", "13.2")
    for unit in pack.units.values():
        if unit.steps != 3:
            refuse(f"{unit.id} has {unit.steps} steps instead of 3", "9.52")
        if unit.side == ANTI and unit.cls not in (UnitClass.COMMANDER, UnitClass.GENERAL):
            refuse(f"{unit.id} is neither 総大将 nor 大将, so it belongs in the pool of its house", "11.1")
        if (unit.command > 0) != (unit.side == ANTI):
            refuse(f"{unit.id} has command value {unit.command}", "10.2")
    for house in HOUSES:
        commanders = [u.id for u in pack.units.values() if u.house == house and u.cls is UnitClass.COMMANDER]
        if len(commanders) != 1:
            refuse(f"{house} has {len(commanders)} 総大将 instead of 1", "13.3")


def _castle(pack: Pack) -> None:
    for bailey in BAILEYS:
        if bailey not in pack.map.bailey.values():
            refuse(f"the map has no hex of {bailey}", "8.2")
    if not pack.map.gates:
        refuse("the castle has no gate", "5.33")
    for a, near in pack.map.gate.items():
        for b, gate in near.items():
            if gate and bool(pack.map.bailey[a]) == bool(pack.map.bailey[b]):
                refuse(f"the gate between {a} and {b} is not in the castle's outer wall", "5.33")
    if not can_cover_castle(pack.map, GROUPS["garrison"]):
        refuse("six units cannot cover the castle", "4.1")


def can_cover_castle(field: Battlefield, units: int) -> bool:
    """Whether so many units can hold or control every castle hex (4.1-a): all ways to fill each gap."""
    reach = {h: frozenset((h, *(n for n in field.zoc_into[h] if field.bailey[n]))) for h in field.castle}

    def search(covered: frozenset[HexId], left: int) -> bool:
        gap = next((h for h in field.castle if h not in covered), None)
        if gap is None:
            return True
        return left > 0 and any(search(covered | reach[h], left - 1) for h in field.castle if gap in reach[h])

    return search(frozenset(), units)


def _areas(pack: Pack) -> None:
    owner: dict[HexId, str] = {}
    for house in HOUSES:
        area = pack.map.areas.get(house, ())
        room = sum(u.house == house for u in pack.units.values()) + len(pack.pools[house].counters)
        if len(area) < room:
            refuse(f"the area of {house} has {len(area)} hexes for {room} units", "4.2")
        for h in area:
            if h in owner or pack.map.bailey[h]:
                refuse(f"{h} belongs to {house} and to {owner.get(h, 'the castle')}", "4.21")
            owner[h] = house
    for h in pack.map.ring:
        if h not in owner:
            refuse(f"{h} touches the castle but lies in no siege area", "4.24")
    for name, group in (("entry", UJIYASU_ARMY), ("reinforcement", SAGAMI)):
        if 2 * len(pack.map.areas.get(name, ())) < GROUPS[group]:
            refuse(f"the {name} area is too small for {group}", "7.0")


def _roads(pack: Pack) -> None:
    reached = steps(pack.map.castle, pack.map.roads)
    for h in reached:
        for n in pack.map.roads[h]:
            if pack.map.cost[h][n] is None:
                refuse(f"the road from {h} to {n} crosses a wall or the lake", "13.1")
    if not any(h in reached for h in pack.map.entry):
        refuse("no road leads from the castle to the entry area", "13.1")


def _chits(pack: Pack) -> None:
    count: Counter[tuple[str, str, str | None]] = Counter()
    for chit in pack.chits.values():
        count[chit.side, chit.kind, chit.house] += chit.count
    wanted: dict[tuple[str, str, str | None], int] = {(HOJO, "side", None): 2, (HOJO, "katta", None): 1}
    wanted |= {(ANTI, kind, house): 1 for kind in ("house", "general") for house in HOUSES}
    if dict(count) != wanted:
        refuse("the chits are not 北条 ×2, 勝った勝った ×1 and one of each kind per house", "5.11")


def _combat(pack: Pack) -> None:
    if (pack.crt.columns[0], pack.crt.columns[-1]) != ("1:3", "10:1"):
        refuse(f"the table runs from {pack.crt.columns[0]} to {pack.crt.columns[-1]}", "9.41")
    for result in pack.ladder:
        if not RESULT.fullmatch(result):
            refuse(f'the result "{result}" cannot be read', "9.51")


def _setups(pack: Pack) -> None:
    for scenario in pack.scenarios.values():
        for group, placed in scenario.default_setup.items():
            pool = pack.pools[group].counters if group in pack.pools else ()
            wanted = [unit.id for unit in pack.units.values() if unit.group == group] + list(pool)
            if sorted(placed) != sorted(wanted):
                refuse(f"the set-up of {scenario.id} does not place every unit of {group} once", "4.2")
            for unit, h in placed.items():
                if h not in pack.map.terrain:
                    refuse(
                        f"the set-up of {scenario.id} places {unit} in {h}, which is not on the map", "4.0"
                    )
