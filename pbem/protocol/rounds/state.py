"""The protocol's part of the position: where the log stands, links, lists of orders under way.

It is public, derived from the entries alone and part of position.toml, so that a game goes on from
its last position without being replayed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

from pbem import toml
from pbem.engine.codec import Record, decode, encode, hints
from pbem.engine.events import Fact
from pbem.engine.notation import Handle
from pbem.engine.orders import Order
from pbem.engine.position import Position
from pbem.protocol.crypto.canonical import digest
from pbem.protocol.papers.bodies import Opening, Seal
from pbem.protocol.papers.pieces import Dealt

RESERVE = 16
"""So many links at the end of a chain are kept for passing over."""


@dataclass(frozen=True, slots=True)
class SeatState(Record):
    """How far one seat has come in both lanes and in its chain."""

    link: str
    """The last link revealed (at first the tip)."""
    links: int = 0
    """How many links of the present chain have been revealed."""
    skip: int = 0
    """How many links must be passed over: they may have been shown for a die that is thrown anew."""
    chain: int = 0
    """How many chains came before it."""
    decided: int = 0
    """The sequence number of its last decision, and its id."""
    decision: str = ""
    dated: str = ""
    """When it says it signed that: its next decision is not dated before."""
    answered: int = 0
    answer: str = ""
    key: str = ""
    """New keys after a replacement (hex); empty: those of the contract."""
    answer_key: str = ""
    box: str = ""
    commitment: str = ""
    former: tuple[str, ...] = ()
    """Commitments to the secrets from before each replacement."""
    used_former: bool = False
    """It has used the keys of shared decks since, which come from the first of them: it owes that one too."""
    hold: str = ""
    seed: tuple[str, ...] = ()
    """After a replacement: the point that pieces are sealed to, and the box with the seed of `box`."""
    then: int = 0
    """How many links must be passed over after the next one."""
    idle: int = 0
    """The bytes of its entries that did not bring the game on: what is out of turn, lists that were void."""

    @property
    def next_link(self) -> int:
        """The number of the next link in its chain, from 1."""
        return self.links + self.skip + 1

    def brings_tip(self, length: int) -> bool:
        """Whether the tip of the next chain must come with the next link."""
        return self.next_link >= length - RESERVE


@dataclass(frozen=True, slots=True)
class Queue(Record):
    """A list of orders under way: what is left of it."""

    entry: str
    orders: tuple[Order, ...] = ()
    answers: tuple[str, ...] = ()
    opens: tuple[Opening, ...] = ()
    tail: tuple[Seal, ...] = ()
    seq: int = 0
    """The list's own sequence number: it names the places of the sealed parts."""
    part: int = 0
    """How many sealed parts have been opened."""
    done: int = 0
    """How many of its orders and answers have been carried out."""


@dataclass(frozen=True, slots=True)
class StandingOrder(Record):
    """A standing order in force."""

    decision: str
    entry: str
    lines: tuple[str, ...] = ()
    seal: Seal | None = None
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Away(Record):
    """The last absence that a seat announced, and what of its allowance it has cost. Times are stamps."""

    begin: str
    until: str
    charged: str
    """Until when it is charged: later than `until` after an early end that no other seat has confirmed."""
    settled: int = 0
    """Seconds that the absences before it cost."""
    carried: int = 0
    """Seconds for which those before it stopped the clock of one question."""
    question: str = ""
    """The beginning of that question's clock."""


@dataclass(frozen=True, slots=True)
class Verdict(Record):
    """The line ends here: who is to blame, and for what. Nobody: a dispute, or the audit must say."""

    culprit: str
    """A seat; of several that forfeit together, their names with commas."""
    reason: Fact
    entry: str = ""
    """The entry that is the breach; of a double, the half that is not in the line."""
    first: str = ""
    """The half of a double that is in the line."""
    before: int = 0
    """How many entries there were before the breach: a settlement goes on from there."""
    round: str = ""
    """For a forfeit: the head of the round that was not answered in time."""
    late: tuple[str, ...] = ()
    """For a forfeit: the seats that did not answer it."""
    slot: str = ""
    """For a complaint that only the audit can judge: the card it is about."""

    @property
    def disputed(self) -> bool:
        """A forfeit that something contradicts: nobody can tell whose fault that is."""
        return not self.culprit and bool(self.late)

    @property
    def culprits(self) -> tuple[str, ...]:
        """The seats to blame: those that do not vote on a settlement."""
        return culprits(self.culprit)


def culprits(named: str) -> tuple[str, ...]:
    """The seats that a verdict or a vote blames."""
    return tuple(named.split(", ")) if named else ()


@dataclass(frozen=True, slots=True)
class Leaving(Record):
    """Seats that forfeit on time while the others go on: these confirm it, then they give their pieces."""

    seats: tuple[str, ...]
    entry: str
    """The forfeit."""
    by: str
    """Its author, who has confirmed it therewith."""
    confirmed: bool = False


@dataclass(slots=True, kw_only=True)
class State:
    """Public protocol state after an entry."""

    number: int = 0
    """How many entries the log has."""
    head: str
    """The id of the last entry (at first the game's): the one that opened the present round."""
    since: str = ""
    """The latest time that an entry so far says it was sent at."""
    clock: str = ""
    """Since when the present question waits: voids, notes and offers do not wind the clock up again."""
    question: str = ""
    """The entry with which the present question was asked: what a claim or a forfeit names."""
    event: int = 0
    """How many seeds there have been."""
    request: int = 0
    """How many requests the present seed has served."""
    seed: str = ""
    """The present seed; empty after a decision, until a die falls."""
    decisions: tuple[str, ...] = ()
    """The decisions since the last seed."""
    barrier: int = 0
    """No take-back to before this entry: with it something hidden was drawn, sealed or opened."""
    declined: bool = False
    """The present question's sealed standing order does not cover it, as its owner claims."""
    fresh: dict[str, str] = field(default_factory=dict)
    """Links revealed since the last decision, by seat."""
    seats: dict[str, SeatState]
    queues: dict[str, Queue] = field(default_factory=dict)
    standing: dict[str, StandingOrder] = field(default_factory=dict)
    """By "seat decision"."""
    announced: dict[str, StandingOrder] = field(default_factory=dict)
    """Standing orders, and their ends (without lines or a seal), that act from the next decision on."""
    boxes: dict[str, Boxed] = field(default_factory=dict)
    """Encrypted contents of closed slots, for those who may read them."""
    offers: dict[str, str] = field(default_factory=dict)
    """Draw and take-back offers that stand, by seat."""
    rekeys: dict[str, str] = field(default_factory=dict)
    """Papers for new keys that seats have agreed to, by agreeing seat."""
    claims: dict[str, str] = field(default_factory=dict)
    """When each seat claimed that the clock had run out."""
    absences: dict[str, Away] = field(default_factory=dict)
    """By seat; one that is over is kept for what it cost."""
    opened: dict[str, str] = field(default_factory=dict)
    """Secrets of seats that resigned or finished, by seat."""
    opened_boxes: dict[str, str] = field(default_factory=dict)
    """Seeds of the X25519 keys of seats that resigned."""
    opened_former: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Published secrets from before a replacement of keys, by seat."""
    settles: dict[str, str] = field(default_factory=dict)
    """Votes to go on after a verdict: by "void voter", "culprit counts"."""
    decks: dict[str, SharedDeck] = field(default_factory=dict)
    """Decks that several seats share."""
    dealt: dict[str, Dealt] = field(default_factory=dict)
    """Pieces dealt since the contract: by the commitment to the secret and the point they are sealed to."""
    leaving: Leaving | None = None
    verdict: Verdict | None = None

    def copy(self) -> Self:
        """A copy whose tables can be changed."""
        values: dict[str, Any] = {}
        for f in fields(self):
            value = getattr(self, f.name)
            values[f.name] = dict(value) if isinstance(value, dict) else value
        return type(self)(**values)

    def change(self, seat: str, **new: Any) -> None:
        """A seat's new state."""
        self.seats[seat] = replace(self.seats[seat], **new)

    def lines(self) -> list[str]:
        """The [protocol] section of position.toml: one line per field, one per record of a table."""
        out = ["", "[protocol]"]
        tables = []
        for name in sorted(hints(State)):
            value = getattr(self, name)
            if value is None or value in ({}, "", 0, (), False):
                continue
            if isinstance(value, dict):
                tables.append((name, value))
            elif isinstance(value, Record):
                out.append(f"{name} = {value.line()}")
            else:
                out.append(toml.line(name, list(value) if isinstance(value, tuple) else value))
        for name, table in tables:
            out += ["", f"[protocol.{name}]"]
            for key in sorted(table):
                item = table[key]
                text = item.line() if isinstance(item, Record) else toml.inline(item)
                out.append(f"{toml.key_text(key)} = {text}")
        return out


@dataclass(frozen=True, slots=True)
class Boxed(Record):
    """A box with the content of a slot, and whose eyes it is for."""

    reader: str
    box: tuple[str, ...]
    giver: str = ""
    """Who handed it over; empty: the reader's own note."""


@dataclass(frozen=True, slots=True)
class SharedDeck(Record):
    """The public state of a shared deck, as its own module writes it."""

    lines: tuple[str, ...]
    names: tuple[str, ...]
    """The name of each card number; copies of one card are different numbers."""


def join(pos: Position, state: State) -> str:
    """The whole of position.toml."""
    return "\n".join([*pos.lines(), *state.lines()]).lstrip("\n") + "\n"


def split(table: Mapping[str, Any]) -> tuple[dict[str, Any], State]:
    """The two parts of a position.toml that has been read."""
    rest = dict(table)
    state: State = decode(rest.pop("protocol"), State, "protocol")
    return rest, state


def position_digest(text: str) -> str:
    """What entries call `pos`."""
    return digest("position", text.encode()).hex()


def plain(value: Record) -> dict[str, Any]:
    """A record as a table."""
    table = encode(value, type(value))
    assert isinstance(table, dict)
    return table


def slot_place(handle: Handle) -> str:
    """The name under which a slot is committed to."""
    return f"slot {handle}"


def tail_place(entry_seq: int, part: int) -> str:
    """The name under which a part of an order list is committed to."""
    return f"tail {entry_seq} {part}"


def standing_place(entry_seq: int) -> str:
    """The name under which a sealed standing order is committed to."""
    return f"standing {entry_seq}"
