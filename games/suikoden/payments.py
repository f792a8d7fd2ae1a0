"""D17 RECRUITING COST and prices: who can pay what, and whether the rest can still be paid.

Each person or card pays one symbol (ruling D-8). A payment is offered only if the symbols after it can still
be paid, so nobody pays for a recruitment that fails.
"""

from __future__ import annotations

from games.suikoden.ability import Ability, When
from games.suikoden.position import SuikodenPosition
from games.suikoden.terms import CardId, Keyword, State, Symbol
from games.suikoden.values import abilities, banned, has
from pbem.engine.options import Refusal


def gives(pos: SuikodenPosition, card: CardId) -> str:
    """The colour that somebody gives by acting (`gain`), "" if none."""
    if banned(pos, "ability:act", card=card):
        return ""
    for ability in abilities(pos, card):
        if ability.when is When.DOMESTIC and ability.do[0].verb == "gain":
            return ability.do[0].word
    return ""


def can_pay(pos: SuikodenPosition, card: CardId, symbol: Symbol) -> bool:
    """D17: whether somebody on the field can pay a symbol."""
    state = pos.field[card].state
    if state is State.PREPARING:
        return False  # D18
    if symbol is Symbol.WHITE:
        return state is State.READY and has(pos, card, Keyword.BEAUTY)
    colour = symbol.colour
    mine = pos.person(card).attribute is colour and card in pos.data.people
    if symbol.kills:
        return mine and (state is State.READY or pos.option("kill-cost") == "any")
    return state is State.READY and (mine or (colour is not None and gives(pos, card) == colour.value))


def payable(
    pos: SuikodenPosition, seat: str, cost: tuple[Symbol, ...], cards: int, gone: CardId = ""
) -> bool:
    """Whether a cost can be paid with `cards` cards of the hand and the people on the field, but `gone`."""
    if not cost:
        return True
    people = [card for card in pos.on_field(seat) if card != gone]
    order = sorted(cost, key=lambda s: s is Symbol.WHITE)
    payer: dict[CardId, int] = {}

    def settle(number: int, tried: set[CardId]) -> bool:
        """Find somebody for a symbol, moving others to another symbol if need be."""
        for card in people:
            if card in tried or not can_pay(pos, card, order[number]):
                continue
            tried.add(card)
            if card not in payer or settle(payer[card], tried):
                payer[card] = number
                return True
        return False

    unpaid = 0
    for number, symbol in enumerate(order):
        if not settle(number, set()):
            if symbol is not Symbol.WHITE:
                return False
            unpaid += 1
    return unpaid <= cards


def unaffordable(
    pos: SuikodenPosition, seat: str, source: CardId, ability: Ability, *, in_hand: bool = False
) -> Refusal | None:
    """Q25: all of a price or nothing; why it cannot be paid now."""
    side = pos.sides[seat]
    if banned(pos, "ability:act", card=source) and ability.costs("act"):
        return Refusal("Q37", f"{pos.call(source)} cannot use an ability that makes it act")
    if len(side.hand) - in_hand < ability.costs("hand"):
        return Refusal("Q25", "there are not enough cards in your hand")
    if pos.deck_size(seat) < ability.costs("deck"):
        return Refusal("Q25", "there are not enough cards in your deck")
    if len(side.trophies) < ability.costs("trophy"):
        return Refusal("Q25", "you have no trophy to give up")
    leaves = ability.costs("wander") + ability.costs("discard-self")
    clash = pos.clash
    if leaves and clash is not None and source in (clash.attack, clash.defence):
        return Refusal("D42", f"{pos.call(source)} is fighting and cannot leave")
    return None
