"""Cards of a hand as questions ask for them: hidden ones by handle, open ones by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.kit.cards import Check, Played, unsaid
from games.suikoden.position import SuikodenPosition
from pbem.engine.notation import Handle, Move
from pbem.engine.options import Among, Family, Refusal, View


def anything(card: str) -> Refusal | None:
    """Any card will do."""
    return None


def face_up(pos: SuikodenPosition, slot: str) -> bool:
    """Whether everybody knows this card of a hand."""
    return slot not in pos.hidden


def unknown(pos: SuikodenPosition, slots: Iterable[str]) -> bool:
    """Whether there is a card among them that not everybody knows."""
    return any(slot in pos.hidden for slot in slots)


def face(pos: SuikodenPosition, view: View, slot: str) -> str | None:
    """What a card of a hand is, as far as the view knows."""
    return slot if face_up(pos, slot) else view.value(Handle(slot))


class Hidden(Played):
    """One class of order that plays a hidden card of the hand (or of another pile of the seat)."""

    def __init__(
        self,
        kind: type[Move],
        pos: SuikodenPosition,
        slots: Iterable[str],
        rule: str,
        check: Check = anything,
        more: tuple[tuple[Any, ...], ...] = ((),),
        where: str = "hand",
    ) -> None:
        cards = [Handle(slot) for slot in slots if not face_up(pos, slot)]
        absent, closed = f"the card is not in your {where}", "the card must be shown"
        super().__init__(kind, cards, check, Refusal(rule, absent), Refusal(rule, closed), more)


class Open(Family[Any]):
    """The same with a card that everybody knows."""

    def __init__(
        self,
        kind: Any,
        pos: SuikodenPosition,
        slots: Iterable[str],
        rule: str,
        check: Check = anything,
        more: tuple[tuple[Any, ...], ...] = ((),),
    ) -> None:
        self.kind, self.pos, self.rule, self.check, self.more = kind, pos, rule, check, more
        self.cards = tuple(s for s in slots if face_up(pos, s))

    def moves(self, view: View) -> Iterable[Any]:
        for slot in self.cards:
            if self.check(slot) is None:
                for rest in self.more:
                    yield self.kind(slot, *rest)

    def why_not(self, move: Any, view: View) -> Refusal | None:
        if move.card not in self.cards:
            return Refusal(self.rule, f"{self.pos.call(move.card)} is not in your hand")
        return self.check(move.card) or unsaid(move, self.more, self.rule)


def both(
    kinds: tuple[Any, Any],
    pos: SuikodenPosition,
    slots: Iterable[str],
    rule: str,
    check: Check = anything,
    more: tuple[tuple[Any, ...], ...] = ((),),
) -> tuple[Family[Any], ...]:
    """Hidden and open cards of a hand; only the families that have a card."""
    listed = tuple(slots)
    hidden = Hidden(kinds[0], pos, listed, rule, check, more)
    shown = Open(kinds[1], pos, listed, rule, check, more)
    return tuple(f for f in (hidden, shown) if f.cards)


def taken(pos: SuikodenPosition, seat: str, slot: str) -> str:
    """A card that an order plays leaves the hand; what it is."""
    card = slot if face_up(pos, slot) and slot not in pos.faces else pos.face(Handle(slot))
    pos.leave_hand(seat, Handle(slot))
    return card


def no_abilities(*kinds: type[Any]) -> list[Family[Any]]:
    """S04: with a shared deck special abilities are not used, from the field or from the hand."""
    return [Among(kind, [], "S04", lambda m: "special abilities are not used here") for kind in kinds]
