"""The position in words: a map of areas for the terminal, one area explained, a headline.

Nothing depends on colour: the camps are letters, c for Chu, h for Han, n for neutral.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from games.chuhan.board import forces_in, generals_in, legions_in, units_in
from games.chuhan.camps import camp_of, lords_on_board
from games.chuhan.position import DECK, ChuhanPosition, box_text
from games.chuhan.strength import cards_to_draw, highest_strategy, supply_areas
from games.chuhan.terms import PLAYERS, AreaId, Camp, ForceId, GeneralId
from games.chuhan.words import aliases
from pbem.engine.options import PUBLIC, View

_LETTER = {Camp.CHU: "c", Camp.HAN: "h", Camp.NEUTRAL: "n"}
_LEFT, _ROW = 10, 2
"""How the map's coordinates become columns and rows."""


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


def board(pos: ChuhanPosition, view: View = PUBLIC) -> str:
    """The whole position: map, areas, lords, cards."""
    parts = [headline(pos), _map(pos), _areas(pos), _lords(pos), _sides(pos, view)]
    return "\n\n".join(parts) + "\n"


# --- the map


def _map(pos: ChuhanPosition) -> str:
    """Every area at its place: name, supply value and controller's camp; below the units of each camp."""
    rows: dict[int, list[tuple[int, str]]] = {}
    for area in pos.pack.areas.values():
        column, row = max(area.at[0] - _LEFT, 0), area.at[1] // _ROW
        holder = pos.control.get(area.id)
        letter = _LETTER[camp_of(pos, holder)] if holder else "-"
        star = "*" if area.capital else ""
        rows.setdefault(row, []).append((column, f"{area.english} {area.supply or '.'}{star} {letter}"))
        rows.setdefault(row + 1, []).append((column, _counts(pos, area.id)))
    lines = []
    for row in range(max(rows, default=0) + 1):
        line = ""
        for column, text in sorted(rows.get(row, [])):
            line = line.ljust(column) if len(line) < column else line + " "
            line += text
        lines.append(line.rstrip())
    key = "name, supply (. none, * capital), controller; below: units of c Chu's, h Han's, n neutral camp"
    return "\n".join([*lines, key])


def _counts(pos: ChuhanPosition, area: AreaId) -> str:
    found = dict.fromkeys(Camp, 0)
    for force in forces_in(pos, area):
        found[camp_of(pos, force)] += units_in(pos, area, force)
    return " ".join(f"{_LETTER[camp]}{count}" for camp, count in found.items() if count)


# --- lists


def _areas(pos: ChuhanPosition) -> str:
    rows = [("area", "", "supply", "control", "units (' acted)")]
    for area in pos.pack.areas.values():
        holder = pos.control.get(area.id)
        name = pos.pack.forces[holder].english if holder else "-"
        worth = f"{area.supply or '.'}{'*' if area.capital else ''}"
        units = "; ".join(_units(pos, area.id, force) for force in forces_in(pos, area.id))
        rows.append((area.id, area.name, worth, name, units))
    return _table(rows)


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


def _lords(pos: ChuhanPosition) -> str:
    rows = [("lord", "", "Chu", "", "", "", "Han", "camp")]
    present = lords_on_board(pos)
    for force in pos.pack.lords():
        lord = pos.pack.forces[force]
        if force not in pos.markers:
            rows.append((force, lord.name, *[""] * 5, "gone"))
            continue
        boxes = []
        for box in range(pos.pack.tables.track.chu, pos.pack.tables.track.han + 1):
            within = lord.lowest <= box <= lord.highest
            boxes.append(f"[{box_text(box)}]" if box == pos.markers[force] else " . " if within else "   ")
        camp = str(camp_of(pos, force).value) if force in present else "not on the board"
        rows.append((force, lord.name, *boxes, camp))
    return _table(rows)


def _sides(pos: ChuhanPosition, view: View) -> str:
    lines = []
    for side in PLAYERS:
        areas = supply_areas(pos, side)
        lines.append(
            f"{pos.pack.forces[side].english}: {len(areas)} supply areas, {cards_to_draw(pos, side)} cards"
            f" a turn, strategy {highest_strategy(pos, side)}, {len(pos.hand(side))} cards in hand"
        )
        shown = [str(view.value(h)) for h in pos.hand(side) if view.value(h) is not None]
        lines += [f"  {card}: {_card(pos, card)}" for card in shown]
    stock = len(pos.decks[DECK]) if DECK in pos.decks else 0
    cup = ", ".join(pos.pack.generals[g].english for g in pos.cup()) or "empty"
    lines += [f"cup: {cup}", f"deck: {stock} cards; discards: {', '.join(pos.discards) or 'none'}"]
    return "\n".join(lines)


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


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(_width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _width(text: str) -> int:
    """Columns on a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
