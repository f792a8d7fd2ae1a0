"""Sanada in words: where in the turn we are, one hex or unit, and where the points come from."""

from __future__ import annotations

from typing import Any

from games.sanada.names import names
from games.sanada.position import POINTS, SanadaPosition
from games.sanada.strength import rating, strength
from games.sanada.supply import supplied
from games.sanada.terms import ENEMY, IEYASU, INSIDE, KANTO, OSAKA, OSAKA_CASTLE, SIDES
from pbem.engine.shown import Tally
from pbem.engine.wording import fill, tell

PHASES = {
    "StartPhase": "Start Phase",
    "CombatPhase": "Combat Phase",
    "Battle": "battle",
    "Storm": "assault",
    "Onslaught": "overrun",
    "Rout": "retreat",
}


def headline(pos: SanadaPosition) -> str:
    """Turn, phase and what is being done."""
    if pos.outcome:
        return tell(pos.outcome.reason, pos)
    frames: dict[str, Any] = {type(frame).__name__: frame for frame in pos.stack}
    if "Turn" not in frames:
        return "set-up"
    parts = [f"turn {pos.turn} ({pos.date})"]
    for name, words in PHASES.items():
        if name in frames:
            seat = f"{frames[name].seat} " if name.endswith("Phase") else ""
            parts.append(f"{seat}{words}")
    if "MovingPhase" in frames:
        phase = frames["MovingPhase"]
        parts.append(f"{phase.seat} {phase.kind}" + (f", {phase.actor} acts" if phase.actor else ""))
    parts.append(f"Osaka {pos.points:+d}")
    return ", ".join(parts)


def explain(pos: SanadaPosition, place: str) -> str:
    """Ground, castle, Forces and zones of one hex; or one unit."""
    word = names(pos.data).get(place, place)
    if word in pos.units:
        return describe(pos, word)
    field = pos.data.map
    if word not in field.grid.terrain:
        return f"{place} is neither a hex of the map nor a unit on it"
    town = f" {field.names[word]}" if word in field.names else ""
    lines = [f"{word}{town}: {field.ground(word)}"]
    rivers = [n for n in field.grid.neighbours[word] if (word, n) in field.river]
    if rivers:
        lines.append(f"  river to {', '.join(rivers)}")
    areas = [name for name, hexes in field.grid.areas.items() if word in hexes]
    if areas:
        lines.append(f"  area: {', '.join(areas)}")
    castle = pos.data.castle_at.get(word)
    if castle:
        lines.append(f"  {_castle(pos, castle)}")
    if word in pos.forts:
        lines.append(f"  a fort of {pos.forts[word]}")
    for where in (word, word + INSIDE):
        units = pos.at(where)
        if units:
            lines.append(f"  {where}: strength {strength(pos, units)}, rating {rating(pos, units)}")
            lines += [f"    {describe(pos, leader)}" for leader in pos.leaders(where)]
    for side in SIDES:
        if word in pos.index.zone(side):
            lines.append(f"  in a zone of control of {side}")
    return "\n".join(lines)


def _castle(pos: SanadaPosition, castle: str) -> str:
    state, printed = pos.castles[castle], pos.stronghold(castle)
    words = [f"{castle} {printed.name} {pos.strength(castle)}-{pos.walls(castle)} of {state.owner}"]
    if state.closed:
        words.append("unusable")
    if state.siege is not None:
        words.append(f"under siege, level {state.siege}")
    inside = len(pos.at(printed.hex + INSIDE))
    words.append(f"{inside} of {2 * pos.walls(castle)} units inside")
    return ", ".join(words)


def describe(pos: SanadaPosition, unit: str) -> str:
    """One unit or Force in a line."""
    printed, piece = pos.unit(unit), pos.units[unit]
    words = [
        f"{unit} {printed.name} ({printed.rank} of {pos.side(unit)})",
        f"{printed.combat}-{printed.action}",
        "face-down" if piece.down else "face-up",
    ]
    if piece.under:
        words.append(f"under {piece.under}")
    else:
        members = pos.force(unit)[1:]
        if members:
            shown = [f"({u})" if pos.units[u].down else u for u in members]
            words.append(f"with {', '.join(shown)}")
        if not supplied(pos, unit):
            words.append("out of supply")
        if pos.pinned(unit):
            words.append("engaged")
    if unit in pos.frozen:
        words.append("cannot move yet")
    return f"{', '.join(words)}, in {pos.place(unit)}"


def score(pos: SanadaPosition) -> tuple[Tally, ...]:
    """The points so far and what they came from; then what would end the game at once."""
    lines = []
    for key, points in pos.earned.items():
        side, what, *of = key.split(" ")
        words = fill(POINTS, pos, what=what, of=" ".join(of))
        lines.append(Tally(side, words, points, "26.2.1"))
    play = pos.play
    for band in play.bands:
        if band.least is None or pos.points >= band.least:
            words = f"{band.level} of {band.winner}" if band.winner else "draw"
            rule = f"{play.rule}-4"
            lines.append(Tally(band.winner, f"{words} if it ended now, at {pos.points}", None, rule))
            break
    castle = pos.castles.get(OSAKA_CASTLE)
    if castle and castle.siege is not None:
        walls = pos.walls(OSAKA_CASTLE)
        words = f"Osaka Castle under siege, level {castle.siege}, durability {walls}: its fall ends the game"
        lines.append(Tally(KANTO, words, None, "27.2"))
    if IEYASU in pos.units:
        near = pos.data.map.near[pos.units[IEYASU].hex]
        if any(pos.holder(n) == ENEMY[KANTO] for n in near):
            lines.append(Tally(OSAKA, "Ieyasu is within reach: his death ends the game", None, "27.2"))
    return tuple(lines)
