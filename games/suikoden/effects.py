"""D24, D42 SPECIAL ABILITIES: choosing whom one is about, carrying it out, what works by itself.

One procedure for every verb of the little language in ability_text.py; no card has code of its own. Whom an
effect is about is chosen when it is carried out, among those that are there then (7.6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.kit.cards import Check, without
from games.suikoden.ability import Effect as Deed
from games.suikoden.ability import Selector, Until, When
from games.suikoden.deeds import carry_out
from games.suikoden.hands import Hidden, anything, both, face_up, taken
from games.suikoden.moves import Arrange, Bring, BringOpen, Discard, DiscardOpen, Done, Name, Target
from games.suikoden.piles import Peek
from games.suikoden.position import SuikodenPosition
from games.suikoden.targets import candidates, slots_for
from games.suikoden.terms import CardId, State
from games.suikoden.told import AbilityUsed, HandLost
from games.suikoden.values import abilities, fits, holds, watch
from pbem.engine.events import Event, Named
from pbem.engine.notation import Handle
from pbem.engine.options import Among, Family, Options, Refusal, View
from pbem.engine.procedure import Finish, Goto, Perform, Procedure, chooses, draws, opens, rule


class Found(Event):
    says = "{card} is found"
    card: Named


class Poisoned(Event):
    says = "{card} is poisoned"
    card: Named


class WandersOn(Event):
    says = "{card} goes back to wander"
    card: Named


class Arrived(Event):
    says = "{card} comes to {seat}'s field"
    card: Named
    seat: str


@dataclass(slots=True)
class Effects(Procedure):
    """The effects of one ability, in order."""

    seat: str
    card: CardId
    number: int
    step_no: int = 0
    named: str = ""
    picked: tuple[str, ...] = ()
    enough: bool = False

    def deed(self, pos: SuikodenPosition) -> Deed | None:
        found = pos.person(self.card).abilities[self.number].do
        return found[self.step_no] if self.step_no < len(found) else None

    def _player(self, pos: SuikodenPosition, deed: Deed) -> str:
        return self.seat if deed.player == "me" else pos.foe(self.seat)

    def sides(self, pos: SuikodenPosition) -> Options | None:
        deed = self.deed(pos)
        if deed is None or deed.selector is None or deed.selector.side != "side" or self.named:
            return None
        family = Among(Name, [Name(s) for s in pos.seats], "Q36")
        return Options(self.seat, (family,), "side", "which player's people")

    @chooses("Q36", sides)
    def name_side(self, pos: SuikodenPosition, move: Name) -> None:
        """One side or the other, never both."""
        self.named = move.seat

    def targets(self, pos: SuikodenPosition) -> Options | None:
        deed = self.deed(pos)
        wanted = deed.selector if deed is not None else None
        if deed is None or wanted is None or self.enough or deed.verb == "gamble":
            return None
        if not wanted.count or wanted.side in ("self", "mine", "opp") or wanted.zone in ("hand", "deck"):
            return None
        found = [
            c
            for c in candidates(pos, self.seat, self.card, wanted, self.named)
            if c not in self.picked and not _pointless(pos, deed, c)
        ]
        if not found or len(self.picked) >= wanted.count:
            return None
        families: list[Family[Any]] = [Among(Target, [Target(c) for c in found], "D24")]
        if not wanted.exact:
            families.append(Among(Done, [Done()], "D24"))
        return Options(self.seat, tuple(families), "target", f"whom to {deed.verb}")

    @chooses("D24", targets)
    def target(self, pos: SuikodenPosition, move: Any) -> Goto:
        """The user chooses, one by one."""
        if isinstance(move, Done):
            self.enough = True
        else:
            self.picked = (*self.picked, move.person)
        return Goto("target")

    def cards(self, pos: SuikodenPosition) -> Options | None:
        deed = self.deed(pos)
        wanted = deed.selector if deed is not None else None
        if wanted is None or wanted.zone not in ("hand", "deck"):
            return None
        slots = slots_for(pos, self.seat, wanted)
        check = _brings(pos, wanted, self.card)
        families: list[Family[Any]] = [Hidden(Bring, pos, slots, "D24", check, where=wanted.zone)]
        if wanted.zone == "hand":
            families = list(both((Bring, BringOpen), pos, slots, "D24", check))
        families.append(Among(Done, [Done()], "D24"))
        return Options(self.seat, tuple(families), "bring", f"a card of your {wanted.zone}", hidden=True)

    @chooses("D24", cards)
    def bring(self, pos: SuikodenPosition, move: Any) -> Perform | Goto | None:
        """A card of the hand or the deck; nobody else can see that there is none, so it may be declined."""
        deed = self.deed(pos)
        assert deed is not None and deed.selector is not None
        if deed.selector.zone == "deck":  # I-4: shuffled afterwards
            side = pos.sides[self.seat]
            pos.change(self.seat, deck=side.deck + side.top, top=())
        if isinstance(move, Done):
            return Goto("next_one")
        card = move.card if face_up(pos, move.card) and move.card not in pos.faces else pos.face(move.card)
        side = pos.sides[self.seat]
        pos.change(
            self.seat,
            hand=without(side.hand, move.card),
            deck=without(side.deck, move.card),
        )
        if deed.verb == "search" and deed.word == "hand":
            pos.change(self.seat, hand=(*pos.sides[self.seat].hand, Handle(card)))
            pos.say(Found(card))
            return Goto("next_one")
        return Perform(Arrive(self.seat, card), then="next_one")

    def order(self, pos: SuikodenPosition) -> Options | None:
        deed = self.deed(pos)
        if deed is None or deed.verb != "stack" or self.enough:
            return None
        return Options(self.seat, (Arrangements(pos, self.seat, deed.number),), "arrange", "their new order")

    @rule("D24")
    def before_stack(self, pos: SuikodenPosition) -> Perform | None:
        """Which cards are on top is settled before they are put in order."""
        deed = self.deed(pos)
        return Perform(Peek(self.seat, deed.number)) if deed is not None and deed.verb == "stack" else None

    @chooses("D24", order)
    def arrange(self, pos: SuikodenPosition, move: Arrange) -> None:
        """The top cards in an order that only their owner knows."""
        top = pos.sides[self.seat].top
        pos.change(self.seat, top=(*move.cards, *top[len(move.cards) :]))

    def wanderers(self, pos: SuikodenPosition) -> tuple[CardId, ...] | None:
        deed = self.deed(pos)
        return pos.sides[pos.foe(self.seat)].wander if deed is not None and deed.verb == "gamble" else None

    @draws("Q38", wanderers)
    def gamble(self, pos: SuikodenPosition, item: CardId) -> None:
        """One wanderer at random: the right kind is discarded, any other goes back."""
        deed = self.deed(pos)
        assert deed is not None and deed.selector is not None
        foe = pos.foe(self.seat)
        if fits(pos, item, deed.selector.filter):
            pos.leave_wander(foe, item)
            pos.to_discard(foe, item)
            pos.say(Poisoned(item, rule="Q38"))
        else:
            pos.say(WandersOn(item, rule="Q38"))

    def their_hand(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        deed = self.deed(pos)
        if deed is None or deed.verb != "toss" or deed.word != "random" or self.picked:
            return None
        return pos.sides[self._player(pos, deed)].hand

    @draws("D24", their_hand)
    def toss(self, pos: SuikodenPosition, item: str) -> None:
        """A card of a hand at random."""
        self.picked = (item,)

    def tossed(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        deed = self.deed(pos)
        hidden = deed is not None and deed.verb == "toss" and self.picked and self.picked[0] in pos.hidden
        return (Handle(self.picked[0]),) if hidden else None

    @opens("D24", tossed)
    def show_tossed(self, pos: SuikodenPosition, values: Mapping[Handle, str]) -> None:
        """It is shown."""
        (slot,) = self.picked
        self._toss(pos, slot, values[Handle(slot)])
        self.picked = ()

    def owners(self, pos: SuikodenPosition) -> Options | None:
        deed = self.deed(pos)
        if deed is None or deed.verb != "toss" or deed.word != "owner" or self.enough:
            return None
        seat = self._player(pos, deed)
        if not pos.sides[seat].hand:
            return None
        families = both((Discard, DiscardOpen), pos, pos.sides[seat].hand, "D24")
        return Options(seat, families, "toss", "a card of your hand to discard", hidden=True)

    @chooses("D24", owners)
    def toss_own(self, pos: SuikodenPosition, move: Discard | DiscardOpen) -> None:
        """Its owner chooses."""
        deed = self.deed(pos)
        assert deed is not None
        seat = self._player(pos, deed)
        pos.to_discard(seat, taken(pos, seat, move.card))

    def _toss(self, pos: SuikodenPosition, slot: str, card: CardId) -> None:
        deed = self.deed(pos)
        assert deed is not None
        seat = self._player(pos, deed)
        pos.leave_hand(seat, Handle(slot))
        pos.to_discard(seat, card)
        pos.say(HandLost(seat, card))

    @rule("D24")
    def carry_out(self, pos: SuikodenPosition) -> Perform | None:
        """Everything that needs no further choice."""
        deed = self.deed(pos)
        if deed is None:
            return None
        if deed.verb == "toss" and self.picked:
            self._toss(pos, self.picked[0], self.picked[0])
        if deed.verb == "enter" and self.picked:
            (card,) = self.picked
            left = tuple(c for c in pos.sides[self.seat].discard if c != card)
            pos.change(self.seat, discard=left)
            return Perform(Arrive(self.seat, card))
        return carry_out(pos, self.seat, self.card, deed, self.picked, self.named)

    @rule("D24")
    def next_one(self, pos: SuikodenPosition) -> Goto | Finish:
        """The next effect."""
        self.step_no += 1
        self.picked, self.named, self.enough = (), "", False
        return Goto("name_side") if self.deed(pos) is not None else Finish()


def _pointless(pos: SuikodenPosition, deed: Deed, card: CardId) -> bool:
    """Whoever has acted cannot act again, who is ready cannot be readied."""
    state = pos.field[card].state if card in pos.field else None
    return (deed.verb == "act" and state is State.ACTED) or (
        deed.verb == "ready" and state is not State.ACTED
    )


def _brings(pos: SuikodenPosition, wanted: Selector, source: CardId) -> Check:
    def check(card: str) -> Refusal | None:
        if card not in pos.data.people or not fits(pos, card, wanted.filter, source):
            return Refusal("D24", f"{pos.call(card)} is not one of those meant")
        return None

    return check if wanted.filter.names or wanted.filter != type(wanted.filter)() else anything


class Arrangements(Family[Arrange]):
    """Any order of the top cards."""

    kind = Arrange

    def __init__(self, pos: SuikodenPosition, seat: str, count: int) -> None:
        self.top = pos.sides[seat].top[:count]

    def moves(self, view: View) -> Any:
        from itertools import permutations

        return (Arrange(one) for one in permutations(self.top))

    def why_not(self, move: Arrange, view: View) -> Refusal | None:
        same = sorted(move.cards) == sorted(self.top)
        return None if same else Refusal("D24", "the same cards in another order, each once")

    def sample(self, rng: Any, view: View) -> Arrange:
        return Arrange(tuple(rng.sample(self.top, len(self.top))))


# --- coming to the field, and what happens by itself


@dataclass(slots=True)
class Arrive(Procedure):
    """D17, Q26: somebody comes to the field, not ready to act in this turn."""

    seat: str
    card: CardId

    @rule("D18")
    def enter(self, pos: SuikodenPosition) -> Perform:
        """行動準備中, unless the card says otherwise."""
        pos.put(self.card, self.seat, State.PREPARING)
        pos.say(Arrived(self.card, self.seat))
        watch(pos)
        return Perform(Triggers(due(pos, (self.card,), When.ENTERED)))


def due(pos: SuikodenPosition, cards: tuple[CardId, ...], *moments: When) -> tuple[str, ...]:
    """What is triggered now, as `seat card number`."""
    return tuple(
        f"{pos.field[card].seat} {card} {number}"
        for card in cards
        if card in pos.field
        for number, ability in enumerate(abilities(pos, card))
        if ability.when in moments and ability.do[0].verb != "limit"
    )


@dataclass(slots=True)
class Triggers(Procedure):
    """Abilities that work by themselves, one after the other (7.6)."""

    queue: tuple[str, ...]

    @rule("D24")
    def next_one(self, pos: SuikodenPosition) -> Goto | Perform | Finish:
        """The next one whose condition holds."""
        if not self.queue:
            return Finish()
        seat, card, number = self.queue[0].split()
        self.queue = self.queue[1:]
        if card not in pos.field:
            return Goto("next_one")
        found = abilities(pos, card)
        if int(number) >= len(found) or not holds(pos, card, found[int(number)].condition):
            return Goto("next_one")
        ability = found[int(number)]
        if ability.limit is Until.BATTLE and pos.battle is not None:
            if card in pos.battle.used:
                return Goto("next_one")
            pos.battle = replace(pos.battle, used=(*pos.battle.used, card))
        pos.say(AbilityUsed(seat, card, f"{card}/{number}"))
        return Perform(Effects(seat, card, int(number)), then="next_one")
