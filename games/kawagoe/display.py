"""Kawagoe in words: names that are understood, one hex explained, and where in the turn we are."""

from __future__ import annotations

from collections.abc import Mapping

from games.kawagoe.book import Counter
from games.kawagoe.command import commanded, generals
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI, HOJO, HOUSES, UnitClass
from pbem.engine.wording import tell

HOUSE_NAMES = {
    "koga": ("古河公方", "古河", "足利"),
    "ougigayatsu": ("扇谷上杉", "扇谷"),
    "yamanouchi": ("山内上杉", "山内"),
}
"""What the book calls the houses (2.1, 4.2); the chit of a house has the id of the house."""
SHORT_NAMES = {
    "河越城兵": "garrison",
    "川越城兵": "garrison",
    "北条氏康軍": "ujiyasu-army",
    "相模勢": "sagami",
    "北条方": "hojo",
    "北条": "hojo",
    "北条／手番": "hojo",
    "勝った勝った": "katta",
    **{name: house for house, names in HOUSE_NAMES.items() for name in names},
    **{
        name + chit: f"{house}-general"
        for house, names in HOUSE_NAMES.items()
        for name in names
        for chit in ("大将", "・大将", "／大将・手番", "／手番・大将")
    },
}
"""Groups and chits as players write them."""


def aliases(pos: KawagoePosition) -> Mapping[str, str]:
    """Japanese names of units, places, groups and chits, and their ids; captains' once they are known."""
    found = SHORT_NAMES | {name: place for place, name in pos.pack.map.names.items()}
    for unit in pos.units:
        who = pos.identity(unit)
        if who and who.cls is UnitClass.CAPTAIN:
            found[who.name] = unit
    found.update(pos.book.by_name)
    found.update({chit.name: chit.id for chit in pos.pack.chits.values()})
    return found


def headline(pos: KawagoePosition) -> str:
    """Turn, what is being done, and by whom."""
    if pos.outcome:
        return tell(pos.outcome.reason, pos)
    frames = {type(frame).__name__: frame for frame in pos.stack}
    parts = [f"turn {pos.turn}" if pos.turn else "set-up"]
    if "Activation" in frames:
        parts.append(str(pos.pack.chits[frames["Activation"].chit].name))  # type: ignore[attr-defined]
    for name, words in (("Movement", "movement"), ("CombatPhase", "combat"), ("Combat", "one combat")):
        if name in frames:
            parts.append(words)
    return ", ".join(parts)


def explain(pos: KawagoePosition, place: str) -> str:
    """Ground, units and zones of control of one hex; or one unit."""
    unit = aliases(pos).get(place, place)
    if unit in pos.units:
        return describe(pos, unit)
    field = pos.pack.map
    if place not in field.terrain:
        return f"{place} is neither a hex of the map nor a unit on it"
    words = [f"{place}{f' {field.names[place]}' if place in field.names else ''}: {field.terrain[place]}"]
    sides = [f"{what} to {n}" for n in field.neighbours[place] for what in field.grid.features[place][n]] + [
        f"road to {n}" for n in field.roads[place]
    ]
    words += [f"  {side}" for side in sides]
    words += [f"  {describe(pos, u)}" for u in pos.at(place)]
    for side in (HOJO, ANTI):
        if place in pos.zone(side):
            words.append(f"  in the zone of control of {pos.zone(side)[place]} units of {side}")
    if place in field.castle:
        words.append(f"  last entered by {'anti' if place in pos.taken else 'hojo'}")
    areas = [name for name, hexes in field.areas.items() if place in hexes]
    if areas:
        words.append(f"  area: {', '.join(areas)}")
    return "\n".join(words)


def describe(pos: KawagoePosition, unit: str) -> str:
    """One unit on the map in a line."""
    counter: Counter = pos.book[unit]
    piece = pos.units[unit]
    who = pos.identity(unit)
    known = who.name if who else counter.name
    name = f" {known}" if known != unit else ""
    strength = "?" if pos.unknown(unit) else str(pos.strength(unit))
    words = [
        f"{unit}{name} ({counter.group})",
        f"{strength}-{pos.movement(unit)}",
        f"{pos.steps(unit)} of {counter.steps} steps",
    ]
    if counter.general:
        words.append(f"command {counter.command}")
    if piece.disordered:
        words.append("in disorder")
    if counter.group in HOUSES and not commanded(pos, unit):
        words.append(f"out of command of {', '.join(generals(pos, counter.group)) or 'anybody'}")
    return f"{', '.join(words)}, in {piece.hex}"
