"""Cards of a hand as questions ask for them: hidden ones by handle, open ones by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from games.suikoden.position import SuikodenPosition
from pbem.engine.notation import Handle
from pbem.engine.options import Family, Refusal, View

Check = Callable[[str], Refusal | None]
"""Why a card, by what it is, will not do."""


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


class Hidden(Family[Any]):
    """One class of order that plays a hidden card of the hand (or of another pile of the seat)."""

    def __init__(
        self,
        kind: Any,
        pos: SuikodenPosition,
        slots: Iterable[str],
        rule: str,
        check: Check = anything,
        more: tuple[tuple[Any, ...], ...] = ((),),
        where: str = "hand",
    ) -> None:
        self.kind, self.pos, self.rule, self.check, self.more, self.where = (
            kind,
            pos,
            rule,
            check,
            more,
            where,
        )
        self.slots = tuple(s for s in slots if not face_up(pos, s))

    def moves(self, view: View) -> Iterable[Any]:
        for slot in self.slots:
            card = view.value(Handle(slot))
            if card is not None and self.check(card) is None:
                for rest in self.more:
                    yield self.kind(slot, *rest)

    def why_not(self, move: Any, view: View) -> Refusal | None:
        if move.card not in self.slots:
            return Refusal(self.rule, f"the card is not in your {self.where}")
        card = view.value(move.card)
        if card is None:
            return Refusal(self.rule, "the card must be shown")
        return self.check(card) or _rest(self, move)


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
        self.slots = tuple(s for s in slots if face_up(pos, s))

    def moves(self, view: View) -> Iterable[Any]:
        for slot in self.slots:
            if self.check(slot) is None:
                for rest in self.more:
                    yield self.kind(slot, *rest)

    def why_not(self, move: Any, view: View) -> Refusal | None:
        if move.card not in self.slots:
            return Refusal(self.rule, f"{self.pos.call(move.card)} is not in your hand")
        return self.check(move.card) or _rest(self, move)


def _rest(family: Any, move: Any) -> Refusal | None:
    """The other words of the order are among those that are offered."""
    names = [name for name in move.__dataclass_fields__ if name != "card"]
    given = tuple(getattr(move, name) for name in names)
    return None if given in family.more else Refusal(family.rule, "that cannot be named here")


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
    return tuple(f for f in (hidden, shown) if f.slots)


def taken(pos: SuikodenPosition, seat: str, slot: str) -> str:
    """A card that an order plays leaves the hand; what it is."""
    card = slot if face_up(pos, slot) and slot not in pos.faces else pos.face(Handle(slot))
    pos.leave_hand(seat, Handle(slot))
    return card
