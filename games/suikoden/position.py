"""The position of suikoden: who stands on which field, which cards lie where, and the battle under way.

Invariants: hands, decks and face-down lands hold handles only; every other pile holds open cards by id; a
person on a field is in `field` and nowhere else. A card is there once, so its id is the person's id. What
belongs to one battle or clash is in `battle` and `clash` and is gone with it. In D everybody has a deck and a
discard pile of his own; in S and M there is one deck (`decks`) and one discard pile (`discards`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from games.kit.cards import without
from games.suikoden.ability import Until
from games.suikoden.cards import Person
from games.suikoden.pack import Pack
from games.suikoden.terms import PEOPLE, STOCK, Attribute, CardId, Keyword, LandId, Mode, State
from pbem.engine.codec import Record
from pbem.engine.notation import Handle
from pbem.engine.position import Position
from pbem.engine.shown import Choice

CHOICES = (
    Choice(
        "siege-retreat", ("saves-person", "saves-land"), "D46",
        "What does a retreat save when the besieged side has lost?",
        ("the person alone: the land is destroyed all the same", "the person and the land"),
    ),
    Choice(
        "sorcerer-wanders", ("clash", "battle"), "D02",
        "When does somebody who used 妖術 and did not lose wander?",
        ("after the clash", "when the whole battle is over"),
    ),
    Choice(
        "fighter-may-shoot", ("yes", "no"), "D41",
        "May the one who fights use his own 射撃?",
        ("yes, and acts by it", "no, only those who wait"),
    ),
    Choice(
        "kill-cost", ("any", "ready"), "D17",
        "Who can pay a 殺 symbol?",
        ("anybody of that attribute on the field, but newcomers", "only somebody who has not acted"),
    ),
    Choice(
        "shared-abandon", ("attacker", "removed"), "S05",
        "With one deck for both: who gets a land that is given up?",
        ("the attacker takes it", "it is removed from the game"),
    ),
    Choice(
        "reshuffle", ("yes", "no"), "S05",
        "What happens when a shared deck is empty?",
        ("the discards are shuffled and become the deck", "nothing: draws give no card any more"),
    ),
    Choice(
        "leader-must-defend", ("yes", "no"), "M23",
        "Must a ready leader answer an attack when nobody is in the hand?",
        ("yes", "no, the attack may be left unanswered"),
    ),
)  # fmt: skip
"""Readings on which players may agree (rulings B-1, P-2, B-12, P-5, S-2, S-8, M-9); the default first."""
OPTIONS = {choice.id: choice.values for choice in CHOICES}

SEATS = ("east", "south", "west", "north", "dragon", "tiger")
"""The seats, clockwise."""
GROVE = "grove:"
"""竹林 as a fighter is called by this and its owner's seat (Q48)."""


@dataclass(frozen=True, slots=True)
class Side(Record):
    """What lies before one player."""

    hand: tuple[Handle, ...] = ()
    deck: tuple[Handle, ...] = ()
    """D: the own deck, in no order that anybody knows."""
    top: tuple[Handle, ...] = ()
    """D: cards on it whose order is settled (情報), the top one first."""
    discard: tuple[CardId, ...] = ()
    wander: tuple[CardId, ...] = ()
    """放浪置き場."""
    trophies: tuple[CardId, ...] = ()
    """戦果."""
    routed: tuple[CardId, ...] = ()
    """S: 撃退数, the newest last."""
    land: LandId = ""
    """D: the current land."""
    under: tuple[LandId, ...] = ()
    """D: lands that lay open before a repair, beneath the current one (ruling D-11)."""
    ruins: tuple[LandId, ...] = ()
    """D: destroyed lands, sideways."""
    stack: tuple[Handle, ...] = ()
    """D: face-down lands, in no order that anybody knows."""
    half: tuple[Handle, ...] = ()
    """D, S: people dealt to choose from."""
    estate: tuple[Handle, ...] = ()
    """D: lands dealt to choose from."""
    lands: tuple[LandId, ...] = ()
    """S: lands won. M: lands on the field."""
    leader: CardId = ""
    """M: 頭領."""
    spent: bool = False
    """M: the leader has acted."""


@dataclass(frozen=True, slots=True)
class Fighter(Record):
    """Somebody on a field."""

    seat: str
    state: State = State.READY


@dataclass(frozen=True, slots=True)
class Mark(Record):
    """An effect that lasts for a while."""

    kind: str
    """add, set, fix, grant, lose, ban, land, retreat."""
    until: Until
    by: str
    """The seat that caused it."""
    card: CardId = ""
    """On whom; "" if on a player or land."""
    seat: str = ""
    """On which player."""
    attack: int | None = None
    defence: int | None = None
    wit: int | None = None
    keyword: Keyword | None = None
    number: int = 0
    word: str = ""


@dataclass(frozen=True, slots=True)
class Battle(Record):
    """D25: from the declaration to the end."""

    attacker: str
    defender: str
    sortie: tuple[CardId, ...] = ()
    guard: tuple[CardId, ...] = ()
    shown: tuple[CardId, ...] = ()
    """Participants who lie face up."""
    joined: tuple[CardId, ...] = ()
    """From the hand, for this battle alone (Q41)."""
    groves: tuple[str, ...] = ()
    """Seats whose 竹林 is out as a fighter (Q48)."""
    used: tuple[str, ...] = ()
    """Abilities used up for this battle."""
    razed: bool = False
    """The defender's land has fallen: the battle ends (D48)."""


@dataclass(frozen=True, slots=True)
class Clash(Record):
    """D28 to D46: one pair of fighters."""

    attack: CardId = ""
    defence: CardId = ""
    """Who fights; "" until it is opened."""
    attack_slot: Handle = Handle("")
    defence_slot: Handle = Handle("")
    siege: bool = False
    method: Keyword | None = None
    """The attacker's stratagem (D32)."""
    answer: Keyword | None = None
    """The defender's stratagem (D29)."""
    void: tuple[str, ...] = ()
    """Seats whose stratagem has no effect."""
    opened: bool = False
    used: tuple[str, ...] = ()
    """Hand cards and abilities used up for this clash (D42)."""
    shot: bool = False
    """The last thing used was a shot, which may be answered (Q33)."""


@dataclass(frozen=True, slots=True)
class Duel(Record):
    """M22: one battle of the multiplayer game."""

    attacker: str
    defender: str
    attack: CardId = ""
    defence: CardId = ""
    attack_slot: Handle = Handle("")
    defence_slot: Handle = Handle("")
    attack_leads: bool = False
    """The attacker's leader fights."""
    defence_leads: bool = False
    wit: bool = False
    """智 is compared instead of 攻 and 防."""
    dice: tuple[int, ...] = ()
    """The attacker's and the defender's."""
    bonus: tuple[int, ...] = (0, 0)
    doomed: tuple[str, ...] = ()
    """Seats whose fighter was named by a black card."""
    done: tuple[str, ...] = ()
    """Seats that have used their effect."""
    passed: tuple[str, ...] = ()
    """Seats that have passed since the last use."""
    out: tuple[str, ...] = ()
    """Seats that have passed for the whole battle."""


@dataclass(slots=True, kw_only=True)
class SuikodenPosition(Position):
    """Public and the same on every machine."""

    mode: Mode = Mode.DECK
    options: dict[str, str] = field(default_factory=dict)
    """Readings of the contract that are not the default."""
    active: str = ""
    """Whose turn it is."""
    first: str = ""
    """Who began; 親 in M."""
    sides: dict[str, Side] = field(default_factory=dict)
    field: dict[str, Fighter] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    land: LandId = ""
    """S: the land in the middle."""
    top: tuple[Handle, ...] = ()
    """S: cards on the shared deck that somebody has looked at, the top one first; their holder knows them."""
    pool: tuple[LandId, ...] = ()
    """S: lands that nobody has seen yet. M: lands for the first deal."""
    discards: tuple[CardId, ...] = ()
    """S, M: the common discard pile."""
    removed: tuple[str, ...] = ()
    """Out of the game (Q03)."""
    used: tuple[str, ...] = ()
    """Abilities and hand cards used up for this turn."""
    again: bool = False
    """Another turn follows for whose turn it is (Q46)."""
    battle: Battle | None = None
    clash: Clash | None = None
    duel: Duel | None = None

    # --- lookups

    @property
    def data(self) -> Pack:
        """The cards."""
        return self.pack  # type: ignore[no-any-return]

    def option(self, name: str) -> str:
        """The reading of an unclear rule that this game is played by."""
        return self.options.get(name, OPTIONS[name][0])

    def foe(self, seat: str) -> str:
        """D, S: the other player."""
        one, two = self.seats
        return two if seat == one else one

    def clockwise(self, seat: str) -> tuple[str, ...]:
        """All seats, beginning with this one."""
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]

    def person(self, card: CardId) -> Person:
        """Who is printed on a card; a grove fights with the values of its land (Q48)."""
        found = self.data.people.get(card)
        return found if found is not None else grove(self, card)

    def on_field(self, seat: str, *states: State) -> list[CardId]:
        """A player's people, in card order, in one of the states (any, if none is named)."""
        found = [
            card
            for card, one in self.field.items()
            if one.seat == seat and (not states or one.state in states)
        ]
        return sorted(found, key=lambda card: (self.person(card).number, card))

    def ready(self, card: CardId) -> bool:
        """未行動."""
        return card in self.field and self.field[card].state is State.READY

    def deck_size(self, seat: str) -> int:
        """How many cards the deck of a seat has."""
        if self.mode is Mode.DECK:
            return len(self.sides[seat].deck) + len(self.sides[seat].top)
        name = PEOPLE if self.mode is Mode.SHARED else STOCK
        return len(self.top) + (len(self.decks[name]) if name in self.decks else 0)

    def current_land(self, seat: str) -> LandId:
        """The land that a seat uses: its own (D), or the one in the middle (S)."""
        return self.land if self.mode is Mode.SHARED else self.sides[seat].land

    def lands_left(self, seat: str) -> int:
        """D: lands that are not destroyed."""
        side = self.sides[seat]
        return bool(side.land) + len(side.under) + len(side.stack)

    def call(self, card: str) -> str:
        """A card's name."""
        if card.startswith(GROVE):
            return "竹林"
        return self.data.label(card)

    def name_of(self, ident: str) -> str:
        """The name of a card or a land; of `card/1` the text of that ability."""
        card, _, number = ident.partition("/")
        return self.person(card).abilities[int(number)].text if number else self.call(card)

    # --- changes

    def change(self, seat: str, **fields: Any) -> None:
        """What lies before a player changes."""
        self.sides[seat] = replace(self.sides[seat], **fields)

    def set_state(self, card: CardId, state: State) -> None:
        """A person is turned."""
        self.field[card] = replace(self.field[card], state=state)

    def act(self, card: CardId) -> None:
        """行動済み."""
        if card in self.field:
            self.set_state(card, State.ACTED)

    def to_discard(self, seat: str, *cards: CardId) -> None:
        """Open cards go to the discard pile of a seat, or to the common one."""
        if self.mode is Mode.DECK:
            self.change(seat, discard=(*self.sides[seat].discard, *cards))
        else:
            self.discards = (*self.discards, *cards)

    def leave_field(self, card: CardId) -> str:
        """A person leaves the field; whose it was."""
        self.marks = tuple(m for m in self.marks if m.card != card)
        return self.field.pop(card).seat

    def to_wander(self, card: CardId) -> None:
        """放浪."""
        seat = self.leave_field(card)
        self.change(seat, wander=(*self.sides[seat].wander, card))

    def leave_hand(self, seat: str, *handles: Handle) -> None:
        """Cards leave a hand."""
        self.change(seat, hand=without(self.sides[seat].hand, *handles))

    def leave_wander(self, seat: str, card: CardId) -> None:
        """A wanderer goes elsewhere."""
        self.change(seat, wander=tuple(c for c in self.sides[seat].wander if c != card))

    def put(self, card: CardId, seat: str, state: State) -> None:
        """Somebody comes to the field."""
        self.field[card] = Fighter(seat, state)

    def mark(self, one: Mark) -> None:
        """An effect begins."""
        self.marks = (*self.marks, one)

    def expire(self, *ends: Until, by: str = "") -> None:
        """Effects end; with `by` only those that this seat caused."""
        if self.marks:
            self.marks = tuple(m for m in self.marks if m.until not in ends or (by and m.by != by))


def grove(pos: SuikodenPosition, card: CardId) -> Person:
    """竹林 as a fighter: the values of its owner's land, no attribute that an ability names, no keyword."""
    land = pos.data.lands[pos.current_land(card.removeprefix(GROVE))]
    attack, defence, wit = land.body or (0, 0, 0)
    return Person(
        id=card, number=999, name=land.name, reading=land.reading, english=land.english, gloss="",
        attribute=Attribute.YELLOW, cost=(), attack=attack, defence=defence, wit=wit, keywords=(), archery=0,
        abilities=(),
    )  # fmt: skip
