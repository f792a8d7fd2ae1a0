"""The position in words: terminal board, headline, one card explained."""

from __future__ import annotations

from collections.abc import Mapping

from games.suikoden.position import GROVE, SuikodenPosition
from games.suikoden.terms import Keyword, Mode
from pbem.engine.options import PUBLIC, View

METHODS = {"fire": Keyword.FIRE, "water": Keyword.WATER, "sorcery": Keyword.SORCERY}


def aliases(pos: SuikodenPosition) -> Mapping[str, str]:
    """Other names of cards; 竹林 as a fighter, and the stratagems in English."""
    return {**pos.data.names, **{word: kw.value for word, kw in METHODS.items()}}


def word(pos: SuikodenPosition, ident: str) -> str:
    """How an id is written in orders."""
    return pos.data.people[ident].name if ident in pos.data.people else ident


def headline(pos: SuikodenPosition) -> str:
    """Turn and phase in a few words."""
    if not pos.stack:
        return "the game is over"
    return f"turn {pos.turn}, {pos.active or pos.seats[0]}: {pos.stack[-1].step.rule}"


def board(pos: SuikodenPosition, view: View = PUBLIC) -> str:
    """Everything on the table that the view knows."""
    lines = [headline(pos)]
    if pos.mode is Mode.SHARED and pos.land:
        lines.append(f"land in the middle: {pos.call(pos.land)}")
    for seat in pos.seats:
        lines += _side(pos, seat, view)
    return "\n".join(lines)


def _side(pos: SuikodenPosition, seat: str, view: View) -> list[str]:
    side = pos.sides[seat]
    lines = ["", f"== {seat}"]
    if side.leader:
        lines.append(f"leader {describe(pos, side.leader)}{' (acted)' if side.spent else ''}")
    if side.land:
        lines.append(f"land {land_text(pos, side.land)}; face down: {len(side.stack)}")
    if side.lands:
        lines.append("lands " + " ".join(pos.call(land) for land in side.lands))
    for card in pos.on_field(seat):
        lines.append(f"  {describe(pos, card)} {pos.field[card].state.value}")
    for name, pile in (("wander", side.wander), ("trophies", side.trophies), ("routed", side.routed)):
        if pile:
            lines.append(f"{name}: {' '.join(pos.call(c) for c in pile)}")
    hand = " ".join(pos.call(view.value(h) or h) if h not in pos.hidden or view.value(h) else "?" for h in side.hand)
    lines.append(f"hand ({len(side.hand)}): {hand}")
    return lines


def describe(pos: SuikodenPosition, card: str) -> str:
    """One line about a person."""
    person = pos.person(card)
    kw = " ".join(k.value + (str(person.archery) if k is Keyword.ARCHERY else "") for k in person.keywords)
    cost = "".join(s.value for s in person.cost) or "0"
    return f"{person.name} {person.attribute.value} {person.attack}/{person.defence}/{person.wit} cost {cost} {kw}".strip()


def land_text(pos: SuikodenPosition, land: str) -> str:
    """One line about a land."""
    one = pos.data.lands[land]
    return f"{one.label} 頭領{one.leaders} 修復{one.repair or '–'} 商業{one.trade} 狩猟{one.hunt}"


def explain(pos: SuikodenPosition, place: str) -> str:
    """What is known of a card, a land or a player."""
    ident = pos.data.names.get(place, place)
    if ident in pos.data.people:
        person = pos.data.people[ident]
        text = "; ".join(a.text for a in person.abilities) or "no ability"
        return f"{person.number:03} {describe(pos, ident)}\n{person.english}, {person.gloss}\n{text}"
    if ident in pos.data.lands:
        return land_text(pos, ident)
    if place in pos.seats:
        return "\n".join(_side(pos, place, PUBLIC)[1:])
    return "竹林" if place.startswith(GROVE) else f"nothing is known of {place}"
