"""Whom an effect may be about: selectors against the position."""

from __future__ import annotations

from typing import Any

from games.suikoden.ability import Ability, Selector
from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import CardId
from games.suikoden.values import fits
from pbem.engine.notation import Handle
from pbem.engine.options import Refusal


def fighter_of(pos: SuikodenPosition, seat: str) -> CardId | None:
    """The open fighter of a seat in the present clash."""
    if pos.clash is None or pos.battle is None or not pos.clash.opened:
        return None
    card = pos.clash.attack if seat == pos.battle.attacker else pos.clash.defence
    return card if card in pos.field else None


def open_participants(pos: SuikodenPosition, seat: str) -> list[CardId]:
    """The fighter of a seat, and those who lie face up beside it."""
    battle = pos.battle
    if battle is None:
        return []
    names = battle.sortie if seat == battle.attacker else battle.guard
    fighter = fighter_of(pos, seat)
    return [c for c in names if c in pos.field and (c == fighter or c in battle.shown)]


def candidates(
    pos: SuikodenPosition, seat: str, source: CardId, wanted: Selector, named: str = ""
) -> list[CardId]:
    """The open cards that a selector means, in card order."""
    foe = pos.foe(seat)
    if wanted.side == "self":
        return [source] if source in pos.field else []
    if wanted.side in ("mine", "opp"):
        found = fighter_of(pos, seat if wanted.side == "mine" else foe)
        return [found] if found is not None else []
    sides = {"own": (seat,), "enemy": (foe,), "any": (seat, foe), "side": (named,) if named else (seat, foe)}
    cards: list[CardId] = []
    for one in sides[wanted.side]:
        match wanted.zone:
            case "field":
                cards += pos.on_field(one)
            case "fight":
                cards += open_participants(pos, one)
            case "wander":
                cards += pos.sides[one].wander
            case "discard":
                cards += [c for c in pos.sides[one].discard if c in pos.data.people]
    return [card for card in cards if fits(pos, card, wanted.filter, source)]


def slots_for(pos: SuikodenPosition, seat: str, wanted: Selector) -> tuple[Handle, ...]:
    """The cards of a hand or deck that a selector looks through."""
    side = pos.sides[seat]
    return side.hand if wanted.zone == "hand" else side.top + side.deck


def without_object(pos: SuikodenPosition, seat: str, source: CardId, ability: Ability) -> Refusal | None:
    """Whether the first thing that an ability does has nobody to do it to (it would be for nothing)."""
    deed = ability.do[0]
    number = "D24" if pos.battle is None else "D42"
    wanted = deed.selector
    if wanted is not None and wanted.zone in ("hand", "deck"):
        spare = len(slots_for(pos, seat, wanted)) - (ability.costs("hand") if wanted.zone == "hand" else 0)
        return None if spare > 0 else Refusal(number, "there is no card to choose from")
    if deed.verb == "gamble":
        found: list[Any] = list(pos.sides[pos.foe(seat)].wander)
    elif deed.verb == "toss":
        found = list(pos.sides[seat if deed.player == "me" else pos.foe(seat)].hand)
    elif deed.verb in ("draw", "stack"):
        found = [1] * pos.deck_size(seat)
    elif deed.verb == "mill":
        found = [1] * pos.deck_size(seat if deed.player == "me" else pos.foe(seat))
    elif deed.word == "repair":
        found = list(pos.sides[seat].ruins)
    elif wanted is not None:
        found = candidates(pos, seat, source, wanted)
    else:
        return None
    return None if found else Refusal(number, "there is nobody whom it could be about")
