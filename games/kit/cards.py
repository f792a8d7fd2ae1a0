"""Cards of a hand, hidden ones by handle: which of them a view can tell, and orders that play one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pbem.engine.notation import Handle, Move
from pbem.engine.options import Family, Refusal, View

Check = Callable[[str], Refusal | None]
"""Why a card, by what it is, will not do."""


def without(cards: Iterable[Handle], *gone: str) -> tuple[Handle, ...]:
    """A hand or pile after some of its cards have left it."""
    return tuple(card for card in cards if card not in gone)


def known(cards: Iterable[Handle], view: View) -> list[Handle]:
    """The cards that a view can see: their owner all, everybody else none."""
    return [card for card in cards if view.value(card) is not None]


class Played(Family[Any]):
    """Orders of one class that play a hidden card: `card` is its field for the handle.

    One is offered where the view can tell what the card is and `check` has nothing against it; everybody else
    checks it when its opening has come with the order. `absent` refuses a card from elsewhere, `closed` one
    without its opening.
    """

    def __init__(
        self,
        kind: type[Move],
        cards: Iterable[Handle],
        check: Check,
        absent: Refusal,
        closed: Refusal,
        more: tuple[tuple[Any, ...], ...] = ((),),
    ) -> None:
        """`more`: what the order may say besides the card, in the order of its fields."""
        self.kind, self.cards, self.check, self.more = kind, tuple(cards), check, more
        self._absent, self._closed = absent, closed

    def moves(self, view: View) -> Iterator[Any]:
        for card in known(self.cards, view):
            if self.check(str(view.value(card))) is None:
                for rest in self.more:
                    yield self.kind(card, *rest)

    def why_not(self, move: Any, view: View) -> Refusal | None:
        if move.card not in self.cards:
            return self._absent
        value = view.value(move.card)
        if value is None:
            return self._closed
        return self.check(value) or unsaid(move, self.more, self._absent.rule)


def unsaid(move: Any, more: tuple[tuple[Any, ...], ...], rule: str) -> Refusal | None:
    """Whether the other words of an order are among those that are offered with its card."""
    given = tuple(getattr(move, name) for name in move.__dataclass_fields__ if name != "card")
    return None if given in more else Refusal(rule, "that cannot be named here")
