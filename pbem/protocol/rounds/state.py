"""The protocol's part of the position: where the log stands, links, lists of orders under way.

It is public, derived from the entries alone and part of position.toml, so that a game goes on from
its last position without being replayed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
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


@dataclass(frozen=True, slots=True)
class SeatState(Record):
    """How far one seat has come in its chain, and what replaced its part of the contract."""

    link: str
    """The last link revealed (at first the tip)."""
    links: int = 0
    """How many links of the present chain have been revealed."""
    chain: int = 0
    """How many chains came before it."""
    spoken: str = ""
    """Its last entry out of turn that counts."""
    key: str = ""
    """New keys after a replacement (hex); empty: those of the contract."""
    answer_key: str = ""
    box: str = ""
    commitment: str = ""
    former: tuple[str, ...] = ()
    """Commitments to the secrets from before each replacement."""
    hold: str = ""
    seed: tuple[str, ...] = ()
    """After a replacement: the point that pieces are sealed to, and the box with the seed of `box`."""

    @property
    def next_link(self) -> int:
        """The number of the next link in its chain, from 1."""
        return self.links + 1

    def brings_tip(self, length: int) -> bool:
        """Whether the tip of the next chain must come with the next link."""
        return self.next_link >= length


@dataclass(frozen=True, slots=True)
class Queue(Record):
    """A list of orders under way: what is left of it."""

    entry: str
    orders: tuple[Order, ...] = ()
    answers: tuple[str, ...] = ()
    opens: tuple[Opening, ...] = ()
    tail: tuple[Seal, ...] = ()
    place: str = ""
    """Where the list was signed: it names the places of the sealed parts."""
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
    place: str = ""
    """Where it was signed: it names the place of the seal."""


@dataclass(frozen=True, slots=True)
class Away(Record):
    """The last absence that a seat announced."""

    until: str
    used: int
    """The hours that all its absences so far may take."""


class Why(StrEnum):
    """Why a seat is out."""

    LATE = "late"
    RESIGNED = "resigned"
    BREACH = "breach"


@dataclass(frozen=True, slots=True)
class Gone(Record):
    """A seat that is out."""

    why: Why
    entry: str
    """The entry that shows it: its own resignation or breach, or the first call."""
    fault: Fact | None = None
    """How it broke the protocol (`breach`)."""


@dataclass(slots=True, kw_only=True)
class State:
    """Public protocol state after an entry."""

    number: int = 0
    """How many entries the log has."""
    tip: tuple[str, ...]
    """The ids of the last round (at first the game's): what the next entries come after."""
    by: str = ""
    """How the last round came about: "answers", "note" or "late"."""
    since: str = ""
    """The latest time that a decision so far says it was sent at: answers of machines copy it."""
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
    absences: dict[str, Away] = field(default_factory=dict)
    """By seat; one that is over is kept for what it cost."""
    opened: dict[str, str] = field(default_factory=dict)
    """Published secrets: of seats that are out, and of all after the end."""
    opened_boxes: dict[str, str] = field(default_factory=dict)
    """Seeds of the X25519 keys of seats that are out."""
    opened_former: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Published secrets from before a replacement of keys, by seat."""
    decks: dict[str, SharedDeck] = field(default_factory=dict)
    """Decks that several seats share."""
    dealt: dict[str, Dealt] = field(default_factory=dict)
    """Pieces dealt since the contract: by the commitment to the secret and the point they are sealed to."""
    gone: dict[str, Gone] = field(default_factory=dict)
    """Who is out, and why."""
    closed: tuple[str, ...] = ()
    """Seats that are out and whose secrets are not put together yet."""
    disputed: str = ""
    """A card that its giver and its taker disagree about: the game is over, and the audit says who lied."""
    terms: Agreed | None = None
    """What the seats have agreed on instead of the contract's clocks and version of the rules."""

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
class Agreed(Record):
    """Clocks in hours, and the version of the rules, that all agreed on; 0 and "": as in the contract."""

    version: str = ""
    move: int = 0
    grace: int = 0
    audit: int = 0
    absence: int = 0


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


def signed_at(tip: tuple[str, ...], prev: str = "") -> str:
    """A short name for where something was signed: after this tip, and this own entry out of turn."""
    return digest("signed at", *tip, prev).hex()[:16]


def tail_place(place: str, part: int) -> str:
    """The name under which a part of an order list is committed to."""
    return f"tail {place} {part}"


def standing_place(place: str) -> str:
    """The name under which a sealed standing order is committed to."""
    return f"standing {place}"
