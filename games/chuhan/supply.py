"""3-2 DRAWING CARDS: as many as the supply areas are worth, from the deck that both players share."""

from __future__ import annotations

from dataclasses import dataclass

from games.chuhan.position import DECK, ChuhanPosition, Hand
from games.chuhan.strength import cards_to_draw, supply_areas, supply_value
from games.chuhan.terms import PLAYERS
from pbem.engine.events import Event, Named
from pbem.engine.notation import Handle
from pbem.engine.procedure import Deal, Goto, Procedure, Shuffling, deals, rule, shuffles


class SupplyFound(Event):
    says = "{seat} draws {cards:# card|# cards} for supply {supply}{sources:? ({sources:&+})|}"
    seat: Named
    cards: int
    supply: int
    sources: tuple[int, ...]


class LogisticsHelped(Event):
    says = "{cards:# card|# cards} of these for logistics"
    seat: Named
    cards: int


@dataclass(slots=True)
class Supply(Procedure):
    """3-2: Chu draws, then Han; an empty deck is made anew of the discards (6-10)."""

    owed: tuple[int, ...] = ()
    """How many cards each player still draws, in the order Chu, Han."""

    @rule("3-2")
    def count(self, pos: ChuhanPosition) -> None:
        """The supply areas of the camp, and the general of logistics (9-2)."""
        self.owed = tuple(cards_to_draw(pos, side) for side in PLAYERS)
        for side, cards in zip(PLAYERS, self.owed, strict=True):
            worth = supply_value(pos, side)
            sources = tuple(pos.pack.areas[a].supply for a in supply_areas(pos, side))
            pos.say(SupplyFound(side.value, cards, worth, sources))
            if cards > worth:
                pos.say(LogisticsHelped(side.value, cards - worth, rule="9-2"))

    def due(self, pos: ChuhanPosition) -> tuple[Deal, ...] | None:
        if DECK not in pos.decks:
            return None
        owed = zip(PLAYERS, self.owed, strict=True)
        return tuple(Deal(DECK, side.value, cards) for side, cards in owed if cards)

    @deals("3-2", due)
    def deal(self, pos: ChuhanPosition, dealt: tuple[tuple[Handle, ...], ...]) -> None:
        """Each sees his own cards alone."""
        drawers = [side for side, cards in zip(PLAYERS, self.owed, strict=True) if cards]
        got = dict(zip(drawers, dealt, strict=True))
        for side, cards in got.items():
            pos.hands[side.value] = Hand((*pos.hand(side.value), *cards))
        owed = zip(PLAYERS, self.owed, strict=True)
        self.owed = tuple(cards - len(got.get(side, ())) for side, cards in owed)

    def discards(self, pos: ChuhanPosition) -> Shuffling | None:
        return Shuffling(DECK, "", pos.discards) if any(self.owed) and pos.discards else None

    @shuffles("6-10", discards)
    def recycle(self, pos: ChuhanPosition) -> Goto:
        """The deck is used up: the discards become the new one, and drawing goes on."""
        pos.discards = ()
        return Goto("deal")
