"""`Options`: the one source of legality. What is listed is what is accepted, and nothing else.

A question to a seat is an `Options` made of families, one per class of move. A family lists its
legal moves and says why another one is refused. Everything here is a pure function of the position
and of a view: the public view (nothing hidden known) or a seat's own (its hand and sealed choices).
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, Generic, TypeVar

from pbem.engine.notation import Handle, Move

M = TypeVar("M", bound=Move)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is not legal: the rule's number and the reason."""

    rule: str
    reason: str
    also: tuple[str, ...] = ()
    """Other rules of the book that forbid the same: whoever cites one of them is right too."""


@dataclass(frozen=True, slots=True)
class View:
    """What somebody knows beyond the public position: hidden handles and what they are."""

    seat: str | None = None
    known: Mapping[Handle, str] = field(default_factory=dict)

    def value(self, handle: Handle) -> str | None:
        """What the handle hides, or None if this view does not know."""
        return self.known.get(handle)


PUBLIC = View()


class NoAnswer(LookupError):
    """Somebody is asked and has no legal answer: a fault of the rules."""


@dataclass(frozen=True, slots=True)
class Offers(Generic[M]):
    """What may follow the words picked so far: (word, field) pairs, and the moves that they already make."""

    words: tuple[tuple[str, str], ...]
    complete: tuple[M, ...] = ()


class Family(ABC, Generic[M]):
    """The legal moves of one class. Subclass it, or use `Among`.

    `moves` must be deterministic (no sets) and may be lazy. `why_not` must agree with `moves`;
    override it to say *which* rule forbids, and `sample` where listing everything is slow.
    """

    kind: type[M]

    @abstractmethod
    def moves(self, view: View) -> Iterable[M]:
        """Every legal move of this class that the view can see, in a fixed order."""

    def why_not(self, move: M, view: View) -> Refusal | None:
        """None if the move is legal; else the rule and the reason."""
        return (
            None
            if any(m == move for m in self.moves(view))
            else Refusal("", "it is not among the legal moves")
        )

    def offers(self, words: tuple[str, ...], view: View) -> Offers[M] | None:
        """What may follow these words, for answers too many to be listed (a set-up); None: see `moves`.

        `unit@hex` is one word: a board that joins it from two clicks asks with the bare unit in between.
        """
        return None

    def sample(self, rng: random.Random, view: View) -> M | None:
        """A random legal move (any distribution that reaches all of them), or None if there is none."""
        listed = list(self.moves(view))
        return rng.choice(listed) if listed else None


class Among(Family[M]):
    """A family given as an explicit list, with an optional explanation for what is not in it."""

    def __init__(
        self,
        kind: type[M],
        moves: Iterable[M],
        rule: str = "",
        why: Callable[[M], Refusal | str | None] | None = None,
    ) -> None:
        self.kind = kind
        self._moves = tuple(moves)
        self._rule = rule
        self._why = why

    def moves(self, view: View) -> Sequence[M]:
        return self._moves

    def why_not(self, move: M, view: View) -> Refusal | None:
        if move in self._moves:
            return None
        reason = self._why(move) if self._why else None
        if isinstance(reason, Refusal):
            return reason
        return Refusal(self._rule, reason or "it is not among the legal moves")


@dataclass(frozen=True, slots=True)
class Options:
    """A question to one seat."""

    seat: str
    families: tuple[Family[Any], ...]
    kind: str = ""
    """The kind of decision ("retreat", "chits" …): what a standing order refers to."""
    ask: str = ""
    """The question in words, for status and mails."""
    hidden: bool = False
    """True if what is legal depends on hidden cards: then the engine never answers by itself."""
    slots: int | None = None
    """For a secret filling: how many sealed slots the answer makes."""

    looks: tuple[Handle, ...] = ()
    """Face-down cards of its own deck that the seat may look at while it answers (a search)."""

    def _family(self, move: Move) -> Family[Any] | None:
        return next((f for f in self.families if f.kind is type(move)), None)

    def why_not(self, move: Move, view: View = PUBLIC) -> Refusal | None:
        """None if the move is legal now; else the rule and the reason."""
        family = self._family(move)
        if family is None:
            wanted = ", ".join(f.kind.notation for f in self.families)
            return Refusal(
                "", f"the question now is another: {self.ask or self.kind}; answers are written: {wanted}"
            )
        return family.why_not(move, view)

    def contains(self, move: Move, view: View = PUBLIC) -> bool:
        """Whether the move is legal now."""
        return self.why_not(move, view) is None

    def list(self, view: View = PUBLIC) -> Iterator[Move]:
        """Every legal move that the view can see."""
        return chain.from_iterable(family.moves(view) for family in self.families)

    def sample(self, rng: random.Random, view: View = PUBLIC) -> Move:
        """A random legal move: a random family first, so that rare kinds are reached."""
        order = list(self.families)
        rng.shuffle(order)
        for family in order:
            move = family.sample(rng, view)
            if move is not None:
                return move  # type: ignore[no-any-return]
        raise NoAnswer(f"no legal answer to {self.kind or self.ask!r} for {self.seat}")

    def only(self) -> Move | None:
        """The answer, if there is exactly one and everybody can see that."""
        if self.hidden:
            return None
        found = list(islice(self.list(PUBLIC), 2))
        return found[0] if len(found) == 1 else None

    def kinds(self) -> tuple[type[Move], ...]:
        """The classes of move that may answer."""
        return tuple(f.kind for f in self.families)
