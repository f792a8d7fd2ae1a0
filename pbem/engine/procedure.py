"""Procedures: one section of a rulebook each, with its steps in printed order.

A step is a method marked with its rule number and with what it asks for. It returns nothing (go on
to the next step), `Goto(step)`, `Perform(p)` (do p, then go on), `Become(p)` (p takes its place) or
`Finish()`. The saved frame names the step, never its index, so an added step breaks no saved game.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar

from pbem import toml
from pbem.engine.codec import encoder, per_type
from pbem.engine.notation import Handle


@per_type
def _slots(kind: type[Procedure]) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(kind))


F = TypeVar("F", bound=Callable[..., Any])


class Kind(enum.Enum):
    """What a step asks for."""

    RULE = "rule"
    ROLLS = "rolls"
    DRAWS = "draws"
    CHOOSES = "chooses"
    CHOOSES_SECRETLY = "chooses secretly"
    FILLS_SECRETLY = "fills secretly"
    OPENS = "opens"
    SHUFFLES = "shuffles"
    DEALS = "deals"
    PASSES = "passes"


@dataclass(frozen=True, slots=True)
class Step:
    """A method of a procedure and what it needs before it can run."""

    name: str
    rule: str
    kind: Kind
    source: Any
    opened: bool
    run: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Dice:
    """`count` dice with `sides` faces."""

    count: int
    sides: int


@dataclass(frozen=True, slots=True)
class Shuffling:
    """Cards shuffled into a deck: a seat's own (`owner`) or shared by all (`owner` = "")."""

    deck: str
    owner: str
    cards: tuple[str, ...]
    returned: tuple[Handle, ...] = ()
    """Held or stock cards of the same deck that go back into it unseen."""


@dataclass(frozen=True, slots=True)
class Deal:
    """`count` cards from a deck to a seat, seen by that seat alone; fewer if the deck runs out."""

    deck: str
    to: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Passing:
    """Hidden cards handed from one seat to another, seen by those two alone."""

    handles: tuple[Handle, ...]
    giver: str
    taker: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A slot drawn and opened: its handle and what was in it."""

    handle: Handle
    value: str


@dataclass(frozen=True, slots=True)
class Goto:
    """Go on with the named step of the same procedure."""

    step: str


@dataclass(frozen=True, slots=True)
class Perform:
    """Do another procedure, then go on (with the next step, or with `then`)."""

    procedure: Procedure
    then: str | None = None


@dataclass(frozen=True, slots=True)
class Become:
    """The other procedure takes this one's place."""

    procedure: Procedure


@dataclass(frozen=True, slots=True)
class Finish:
    """This procedure is over."""


def _mark(rule: str, kind: Kind, source: Any = None, opened: bool = False) -> Callable[[F], F]:
    def wrap(method: F) -> F:
        method._step = (rule, kind, source, opened)  # type: ignore[attr-defined]
        return method

    return wrap


def rule(number: str) -> Callable[[F], F]:
    """A step that happens by itself: `def step(self, pos)`."""
    return _mark(number, Kind.RULE)


def rolls(number: str, dice: Dice | Callable[..., Dice | Sequence[Dice] | None]) -> Callable[[F], F]:
    """Asks for dice: `def step(self, pos, dice)`, a tuple of 1..sides; a function returning None skips.

    Dice of several kinds that fall together are given as a sequence; the step gets them in its order.
    """
    return _mark(number, Kind.ROLLS, dice)


def draws(
    number: str, source: Callable[..., Sequence[str] | None], *, opened: bool = False
) -> Callable[[F], F]:
    """Asks for one of `source(self, pos)` at random: `def step(self, pos, item)`.

    With `opened`, the items are handles: the drawn one is opened by its owner and the step gets a `Drawn`.
    None or nothing to draw from: the step is skipped.
    """
    return _mark(number, Kind.DRAWS, source, opened)


def chooses(number: str, options: Callable[..., Any]) -> Callable[[F], F]:
    """Asks a seat: `def step(self, pos, move)`. `options(self, pos)` returns `Options`, or None: skip."""
    return _mark(number, Kind.CHOOSES, options)


def chooses_secretly(number: str, options: Callable[..., Any]) -> Callable[[F], F]:
    """Asks seats for sealed answers, opened together: `def step(self, pos, moves)`, a dict by seat."""
    return _mark(number, Kind.CHOOSES_SECRETLY, options)


def fills_secretly(number: str, options: Callable[..., Any]) -> Callable[[F], F]:
    """Asks seats for slots opened only when drawn: `def step(self, pos, slots)`, handles by seat.

    Each `Options` has `slots`, their public number; the move has one tuple field, a value a slot.
    """
    return _mark(number, Kind.FILLS_SECRETLY, options)


def opens(number: str, handles: Callable[..., Sequence[Handle] | None]) -> Callable[[F], F]:
    """Asks the owners to open slots for all: `def step(self, pos, values)`, a dict by handle."""
    return _mark(number, Kind.OPENS, handles)


def shuffles(number: str, deck: Callable[..., Shuffling | None]) -> Callable[[F], F]:
    """Shuffles a deck: `def step(self, pos)` runs when it is ready."""
    return _mark(number, Kind.SHUFFLES, deck)


def deals(number: str, deal: Callable[..., Sequence[Deal] | None]) -> Callable[[F], F]:
    """Deals hidden cards: `def step(self, pos, dealt)`, a tuple of handles for each Deal."""
    return _mark(number, Kind.DEALS, deal)


def passes(number: str, passing: Callable[..., Passing | None]) -> Callable[[F], F]:
    """Hands hidden cards over: `def step(self, pos)` runs when the taker can see them."""
    return _mark(number, Kind.PASSES, passing)


@dataclass(slots=True)
class Procedure:
    """Base of every procedure. Subclasses are `@dataclass(slots=True)` with immutable field values."""

    steps: ClassVar[dict[str, Step]] = {}
    """The steps by name, in printed order."""
    following: ClassVar[dict[str, str | None]] = {}
    at: str = field(init=False, default="", metadata={"codec": False})
    """The name of the step at which this frame stands."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super(Procedure, cls).__init_subclass__(**kwargs)
        found: dict[str, Step] = {}
        for base in reversed(cls.__mro__):
            for name, method in vars(base).items():
                mark = getattr(method, "_step", None)
                if mark is not None:
                    found[name] = Step(name, mark[0], mark[1], mark[2], mark[3], method)
        cls.steps = found
        order = list(found)
        cls.following = dict(zip(order, [*order[1:], None][: len(order)], strict=True))

    def __post_init__(self) -> None:
        """A new frame stands at the first step."""
        self.at = next(iter(self.steps), "")

    @property
    def step(self) -> Step:
        """The step at which this frame stands."""
        return self.steps[self.at]

    def copy(self) -> Self:
        """A copy; the fields themselves are immutable."""
        kind = type(self)
        new = object.__new__(kind)
        for name in _slots(kind):
            setattr(new, name, getattr(self, name))
        return new

    def line(self) -> str:
        """The frame as one record of position.toml."""
        fields = encoder(type(self))(self)
        return toml.inline({"at": f"{type(self).__name__}.{self.at}", **fields})


@dataclass(slots=True)
class Delivery(Procedure):
    """The engine's own procedure: cards just dealt are made visible to the seat they were dealt to."""

    handles: tuple[Handle, ...]
    giver: str
    taker: str

    def passing(self, pos: Any) -> Passing:
        """What is handed over."""
        return Passing(self.handles, self.giver, self.taker)

    @passes("", passing)
    def delivered(self, pos: Any) -> None:
        """The taker sees the cards; the others see that it has them."""
