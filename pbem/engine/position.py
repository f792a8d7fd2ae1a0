"""The public position: the same on every machine, and all of it in position.toml.

Invariants: no field can hold an unopened card, only its `Handle`; tables map string ids to frozen
records; a position is changed only inside `Machine.apply`, on a copy of its own. `text()` is
canonical (keys sorted, one record a line) and `from_text(text())` gives an equal position.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from pbem import toml
from pbem.engine.codec import CodecError, Record, decoder, encoder, hints, per_type
from pbem.engine.events import Event, Fact, OrderText
from pbem.engine.notation import Handle
from pbem.engine.procedure import Procedure


class OnlyChoice(Event):
    """A decision that nobody was asked for, because there was only one."""

    says = "{seat}: {order} (the only choice)"
    seat: str
    order: OrderText


@dataclass(frozen=True, slots=True)
class Outcome(Record):
    """How the game ended. No winners: a draw."""

    winners: tuple[str, ...]
    reason: Fact
    rule: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class Hidden(Record):
    """A slot whose content is not public."""

    owner: str
    """The seat that can open it; "" for a card of a shared deck."""
    commitment: str = ""
    """What the owner committed to (hex); a shared deck keeps its masked points elsewhere."""
    holder: str = ""
    """The seat that knows a card of a shared deck, or that a card was passed to."""


@dataclass(frozen=True, slots=True)
class Deck(Record):
    """A face-down deck: known top, unordered rest, known bottom (PROTOCOL: the hidden and the random)."""

    owner: str
    """The seat whose own deck it is; "" if several seats share it."""
    epoch: int
    """Counts the shuffles."""
    cards: tuple[str, ...]
    """What was shuffled into it, as everybody knows; handle `name-epoch.i` is not card i."""
    rest: tuple[Handle, ...]
    top: tuple[Handle, ...] = ()
    bottom: tuple[Handle, ...] = ()

    def __len__(self) -> int:
        return len(self.top) + len(self.rest) + len(self.bottom)


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement that only the audit can check ("I have no such card")."""

    seat: str
    rule: str
    name: str
    args: Mapping[str, Any]


class Unlawful(Exception):
    """An opening that cannot be true: the seat broke a rule it had committed to keep."""

    def __init__(self, seat: str, rule: str, reason: str) -> None:
        super().__init__(reason)
        self.seat, self.rule, self.reason = seat, rule, reason


def transient(default: Any = None) -> Any:
    """A field of a position that is worked out from the others: not written, not compared."""
    return field(default=default, metadata={"codec": False}, compare=False, repr=False)


@dataclass(slots=True, kw_only=True)
class Position:
    """What every game's position has. A game adds its own fields: scalars, tuples, tables of records."""

    seats: tuple[str, ...]
    stack: list[Procedure] = field(default_factory=list, metadata={"codec": False})
    outcome: Outcome | None = None
    turn: int = 0
    """The number of the turn, for reports and measurements; 0 before the first, and in a game without."""
    hidden: dict[Handle, Hidden] = field(default_factory=dict)
    decks: dict[str, Deck] = field(default_factory=dict)
    serial: int = 0
    """Counts sealed questions, so that every handle is new."""
    stage: str = ""
    """"open" while drawn or sealed slots wait to be opened; else ""."""
    pending: tuple[Handle, ...] = ()
    """Those slots."""
    pack: Any = transient()
    """The data the game is played with; pinned by the contract, not part of the position."""
    events: Any = transient()
    faces: Any = transient()
    claims: Any = transient()
    rule: Any = transient("")
    wait: Any = transient()
    """What a settled position waits for, computed once."""

    def copy(self) -> Self:
        """A shallow copy: tables are copied, records are shared, frames are copied."""
        kind: Any = type(self)
        new: Self = object.__new__(kind)
        for name in _names(kind):
            value = getattr(self, name)
            setattr(new, name, value.copy() if type(value) is dict else value)
        new.stack = [frame.copy() for frame in self.stack]
        new.events, new.faces, new.claims, new.wait = [], {}, [], None
        return new

    def name_of(self, ident: str) -> str:
        """What readers call a thing (a card, a general) whose id an event names."""
        return ident

    def say(self, event: Event) -> None:
        """Report something, under the rule of the present step unless the event names another."""
        self.events.append(event.under(self.rule))

    def claim(self, seat: str, name: str, /, **args: Any) -> None:
        """Record a statement for the audit; the game's `claims` say how it is checked."""
        self.claims.append(Claim(seat, self.rule, name, args))

    def face(self, handle: Handle) -> str:
        """What a handle opened in this very step hides."""
        return str(self.faces[handle])

    def draw_from(self, deck: str, handles: Iterable[Handle]) -> None:
        """Take handles out of a deck, wherever in it they are."""
        gone = tuple(handles)
        old = self.decks[deck]
        self.decks[deck] = dataclasses.replace(
            old,
            rest=tuple(h for h in old.rest if h not in gone),
            top=tuple(h for h in old.top if h not in gone),
            bottom=tuple(h for h in old.bottom if h not in gone),
        )

    def end(self, winners: Iterable[str], reason: Event, *, level: str = "") -> None:
        """The game is over, and this event says why. The present step is the last to run."""
        self.say(reason)
        self.outcome = Outcome(tuple(winners), Fact.of(reason), reason.rule, level)

    def lines(self) -> list[str]:
        """The lines of position.toml, without the protocol's part."""
        kind: Any = type(self)
        top: list[tuple[str, str]] = [("stack", _stack_text(self.stack))] if self.stack else []
        sections: list[tuple[str, list[str]]] = []
        for name, one, default in _codec(kind):
            value = getattr(self, name)
            if value is None or value == default:
                continue
            if type(value) is dict:
                sections.append(
                    (name, [f"{toml.key_text(k)} = {_inline(value[k], one)}" for k in sorted(value)])
                )
            else:
                top.append((name, f"{name} = {_inline(value, one)}"))
        out = [text for _, text in sorted(top)]
        for name, section in sorted(sections):
            out += ["", f"[{name}]", *section]
        return out

    def text(self) -> str:
        """The canonical bytes of the position as text."""
        return "\n".join(self.lines()).lstrip("\n") + "\n"


def _inline(value: Any, one: Any) -> str:
    return value.line() if isinstance(value, Record) else toml.inline(one(value))


@per_type
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(kind) if f.name != "stack")


@per_type
def _codec(kind: Any) -> tuple[tuple[str, Any, Any], ...]:
    found = []
    for f in dataclasses.fields(kind):
        if not f.metadata.get("codec", True):
            continue
        declared = hints(kind)[f.name]
        if getattr(declared, "__origin__", None) is dict:
            one = encoder(declared.__args__[1])
        else:
            one = encoder(declared)
        default: Any = f.default
        if f.default_factory is not dataclasses.MISSING:
            default = f.default_factory()
        found.append((f.name, one, default))
    return tuple(found)


def _stack_text(stack: list[Procedure]) -> str:
    return "stack = [\n" + "".join(f"    {frame.line()},\n" for frame in stack) + "]"


def read_position(
    kind: type[Position], procedures: Mapping[str, type[Procedure]], data: Mapping[str, Any]
) -> Position:
    """The position that a TOML document describes; refused with a path if anything does not fit."""
    data = dict(data)
    frames = data.pop("stack", [])
    if not isinstance(frames, list):
        raise CodecError("stack", "expected an array of frames")
    plain: Any = kind
    pos: Position = decoder(plain)(data, "")
    for number, frame in enumerate(frames):
        pos.stack.append(_read_frame(procedures, frame, f"stack[{number}]"))
    pos.events, pos.faces, pos.claims = [], {}, []
    return pos


def _read_frame(procedures: Mapping[str, type[Procedure]], data: Any, path: str) -> Procedure:
    if not isinstance(data, dict) or not isinstance(data.get("at"), str):
        raise CodecError(path, "a frame needs `at`, procedure and step")
    data = dict(data)
    name, _, step = data.pop("at").partition(".")
    if name not in procedures:
        known = ", ".join(procedures)
        raise CodecError(f"{path}.at", f"no procedure is called {name!r} (procedures: {known})")
    kind: Any = procedures[name]
    if step not in kind.steps:
        raise CodecError(f"{path}.at", f"{name} has no step {step!r} (steps: {', '.join(kind.steps)})")
    frame: Procedure = decoder(kind)(data, path)
    frame.at = step
    return frame
