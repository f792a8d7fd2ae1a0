"""The position in words: one area, general or card explained, and a headline."""

from __future__ import annotations

from games.chuhan.board import forces_in, generals_in, legions_in
from games.chuhan.position import ChuhanPosition
from games.chuhan.terms import AreaId, ForceId, GeneralId
from games.chuhan.words import aliases

_PHASES = {
    "Recruiting": "recruitment",
    "Supply": "supply",
    "Levies": "supply",
    "Friendship": "friendship",
    "MarchPhase": "march",
}
"""3-1 to 3-4, by the procedure that runs."""


def headline(pos: ChuhanPosition) -> str:
    """Turn, season and what is going on."""
    if pos.outcome is not None:
        return f"turn {pos.turn}: the game is over"
    if not pos.turn:
        return "set-up"
    season = "autumn" if pos.turn % 2 else "spring"
    running = {type(frame).__name__ for frame in pos.stack}
    phase = next((f", {name}" for kind, name in _PHASES.items() if kind in running), "")
    return f"turn {pos.turn} of {pos.pack.tables.turns}, {season}{phase}"


def _units(pos: ChuhanPosition, area: AreaId, force: ForceId) -> str:
    """A force in an area: `Chu: Xiang Yu, 4 legions + 1'`."""
    words = [_general(pos, g) for g in generals_in(pos, area, force)]
    stack = legions_in(pos, area, force)
    if stack.total:
        numbers = [str(stack.ready)] if stack.ready else []
        numbers += [f"{stack.acted}'"] if stack.acted else []
        words.append(f"{'+'.join(numbers)} legion{'' if stack.total == 1 else 's'}")
    return f"{pos.pack.forces[force].english}: {', '.join(words)}"


def _general(pos: ChuhanPosition, general: GeneralId) -> str:
    printed = pos.pack.generals[general]
    values = f"{printed.military}/{printed.strategy}" if printed.strategy else str(printed.military)
    return f"{printed.english} {values}{chr(39) if pos.generals[general].acted else ''}"


def _card(pos: ChuhanPosition, card: str) -> str:
    printed = pos.pack.cards[card]
    side = "" if printed.side == "both" else f", {printed.side} only"
    return f"{printed.name}, strategy {printed.needs}{side}"


def explain(pos: ChuhanPosition, place: str) -> str:
    """An area, a general or a card."""
    word = aliases(pos).get(place, place)
    if word in pos.pack.areas:
        return _explain_area(pos, word)
    if word in pos.pack.cards:
        printed = pos.pack.cards[word]
        return f"{printed.english} ({word}): {_card(pos, word)}\n{printed.text}"
    if word in pos.pack.generals:
        state, man = pos.generals[word], pos.pack.generals[word]
        attributes = ", ".join(man.attributes) or "none"
        return (
            f"{_general(pos, word)} ({word}, {man.name}), {man.kind} of {state.force}\n"
            f"at: {state.place}; attributes: {attributes}"
        )
    return f"nothing is known of {place}"


def _explain_area(pos: ChuhanPosition, area: AreaId) -> str:
    printed = pos.pack.areas[area]
    holder = pos.control.get(area)
    capital = f", capital of {printed.capital}" if printed.capital else ""
    lines = [
        f"{printed.english} {printed.name} ({area}): supply {printed.supply}{capital}",
        f"controlled by {pos.pack.forces[holder].english if holder else 'nobody'}",
        f"adjacent: {', '.join(pos.pack.neighbours[area])}",
    ]
    lines += [_units(pos, area, force) for force in forces_in(pos, area)]
    return "\n".join(lines)
