"""Redcoats in words: names, where in the turn we are, one hex or unit, orders for several units at once."""

from __future__ import annotations

from collections.abc import Mapping

from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import AMERICAN, BRITISH, Counter
from pbem.engine.notation import words
from pbem.engine.wording import halves, tell

PARTS = {
    "SetUp": "set-up",
    "Bombardment": "bombardment",
    "Reinforcement": "reinforcements",
    "Movement": "movement",
    "Assaults": "assault",
    "Recovery": "recovery",
    "Shot": "one bombardment",
    "Battle": "one battle",
    "Rout": "retreat",
    "Casualty": "leaders",
}
SIDE_NAMES = {"american": ("アメリカ軍", "愛国者"), "british": ("イギリス軍", "ヘッセン傭兵", "王党派")}


def aliases(pos: RedcoatsPosition) -> Mapping[str, str]:
    """Printed names of counters, groups and places, where they are not shared, and the ids they stand for."""
    found: dict[str, str] = {}
    shared: set[str] = set()
    for counter in pos.book.values():
        for name in {counter.name, counter.name.lower()} - {counter.id}:
            if name in found:
                shared.add(name)
            found[name] = counter.id
    found = {name: unit for name, unit in found.items() if name not in shared and name not in pos.book}
    found.update({name: place for place, name in pos.land.names.items() if name not in found})
    found.update({name: side for side, names in SIDE_NAMES.items() for name in names})
    return found


def headline(pos: RedcoatsPosition) -> str:
    """Turn, whose it is, what is being done, and the two levels."""
    if pos.outcome:
        return tell(pos.outcome.reason, pos)
    parts = [
        f"{pos.setting.title}",
        f"turn {pos.turn} ({pos.setting.clock(pos.turn)})" if pos.turn else "set-up",
    ]
    seat = next((str(getattr(f, "seat", "")) for f in pos.stack if type(f).__name__ == "PlayerTurn"), "")
    if seat:
        parts.append(seat)
    parts += [PARTS[type(f).__name__] for f in pos.stack if type(f).__name__ in PARTS and pos.turn]
    levels = " / ".join(f"{side} {halves(pos.levels.get(side, 0))}" for side in (AMERICAN, BRITISH))
    return ", ".join((*parts, levels))


def values(counter: Counter, disrupted: bool = False) -> str:
    """What is printed on the side that lies up."""
    if counter.is_leader:
        return f"{counter.value}-{counter.range}"
    morale = counter.back_morale if disrupted else counter.morale
    if counter.is_gun:
        return f"({counter.fire})-{counter.ma}-{morale}"
    return f"{counter.back_strength if disrupted else counter.strength}-{counter.ma}-{morale}"


def describe(pos: RedcoatsPosition, unit: str) -> str:
    """One counter in a line."""
    counter, piece = pos.book[unit], pos.units.get(unit)
    name = f" {counter.name}" if counter.name != unit else ""
    said = [f"{unit}{name} ({counter.side} {counter.arm})"]
    if counter.is_leader:
        said.append(f"value {counter.value}, range {counter.range}")
    elif counter.is_gun:
        said.append(
            f"bombardment {counter.fire}, range {counter.range}, moves {counter.ma}, morale {counter.morale}"
        )
    else:
        said.append(f"strength {counter.strength} ({counter.back_strength}), moves {counter.ma}")
        said.append(f"morale {counter.morale} ({counter.back_morale}), {counter.points} points")
    if piece is None:
        return ", ".join((*said, "lost" if unit in pos.lost else "to come"))
    states = {
        "disrupted": piece.disrupted,
        "out of command": piece.ooc,
        "not released": piece.held,
        "arrived this turn": piece.fresh,
        "may charge": piece.charge,
    }
    said += [state for state, holds in states.items() if holds]
    return ", ".join((*said, f"in {piece.hex}"))


def explain(pos: RedcoatsPosition, place: str) -> str:
    """Ground, hexsides, units and zones of control of one hex; or one counter."""
    word = aliases(pos).get(place, place)
    if word in pos.book:
        return describe(pos, word)
    land = pos.land
    if word not in land.terrain:
        return f"{place} is neither a hex of the map nor a counter"
    lines = [f"{word}{f' {land.names[word]}' if word in land.names else ''}: {land.terrain[word]}"]
    for n in land.neighbours[word]:
        what = [*land.grid.features[word][n]]
        what += ["slope up"] * (n in land.edges.up[word]) + ["slope down"] * (word in land.edges.up[n])
        if word in land.edges.works[n]:
            what.append(f"{land.edges.works[n][word]} against it")
        what += ["road"] * (n in land.grid.roads[word]) + ["trail"] * (n in land.edges.trails[word])
        if what:
            lines.append(f"  {', '.join(what)}: {n}")
    for side in (AMERICAN, BRITISH):
        lines += [f"  {describe(pos, u)}" for u in pos.here(side, word)]
        if pos.here(side, word):
            lines.append(f"  {pos.load(side, word)} of 12 strength points")
        if word in pos.zoc(side):
            lines.append(f"  in the zone of control of {pos.zoc(side)[word]} {side} units")
    areas = [name for name, hexes in land.areas.items() if word in hexes]
    if areas:
        lines.append(f"  area: {', '.join(areas)}")
    return "\n".join(lines)


def several(text: str) -> list[str] | None:
    """`move a b c to 1213` stands for one move each; so do force, disengage, enter and hasten."""
    parts = [word.text for word in words(text)]
    if not parts:
        return None
    first, rest = parts[0], parts[1:]
    if first in ("move", "force") and "to" in rest:
        units, tail = rest[: rest.index("to")], rest[rest.index("to") :]
    elif first in ("enter", "hasten") and "at" in rest:
        units, tail = rest[: rest.index("at")], rest[rest.index("at") :]
    elif first == "disengage":
        units, tail = rest, []
    else:
        return None
    return [" ".join((first, unit, *tail)) for unit in units] if len(units) > 1 else None
