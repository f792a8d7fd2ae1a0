"""`Rules`: what a game is made of, for the engine and for the rest of pbem.

A game package has one subclass and names one instance of it as an entry point (registry.py). It says
nothing of files, keys, dice or git.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from pbem.engine.notation import Handle, Lookup, Move
from pbem.engine.options import PUBLIC, Options, View
from pbem.engine.position import Position
from pbem.engine.procedure import Delivery, Procedure
from pbem.engine.scene import Scene
from pbem.engine.shown import Choice, Sheet, Tally, Term
from pbem.errors import UsageError


class Pack(Protocol):
    """The data that a game is played with; each game has a class of its own."""

    @property
    def digest(self) -> str:
        """What the contract pins."""


P = TypeVar("P", bound=Position)
D = TypeVar("D", bound=Pack)


class Rules(ABC, Generic[P, D]):
    """A rule module: `class MyRules(Rules[MyPosition, MyPack])`.

    Override what is needed; the defaults fit a game without secrets.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[str]
    seats: ClassVar[tuple[int, int]] = (2, 2)
    """Fewest and most seats."""
    position: ClassVar[type[Position]]  # a ClassVar cannot be generic: it is P
    procedures: ClassVar[tuple[type[Procedure], ...]]
    moves: ClassVar[tuple[type[Move], ...]]
    """Every class of move, for help and completion."""
    asks: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Every kind of decision that is asked, each with the seats that alone are asked it (none: anybody).

    A standing order for anything else is refused; a game that lists no kinds takes them all.
    """
    claims: ClassVar[Mapping[str, Callable[..., bool]]] = {}
    """How the audit checks each claim: function(position, truth: {handle: value}, **args)."""

    @abstractmethod
    def load_pack(self, path: Path | None = None) -> D:
        """The data to play with: the game's own pack, or the one in a folder or file. It has a `digest`."""

    def enclosed(self, pack: D) -> bytes | None:
        """A pack of a player's own as the one file that goes with an invitation; None if packs stay at home.

        It begins with the line `game = "NAME"`, and `load_pack` reads it from a file.
        """
        return None

    @abstractmethod
    def pack_from(self, tables: Mapping[str, Any]) -> D:
        """A small pack that a case brings along."""

    @abstractmethod
    def scenarios(self, pack: D) -> Mapping[str, str]:
        """Scenario names and titles."""

    def choices(self, pack: D) -> tuple[Choice, ...]:
        """The options of the contract, each explained."""
        return ()

    def options(self, pack: D) -> Mapping[str, tuple[str, ...]]:
        """The same in short: names and values, the usual one first."""
        return {choice.id: choice.values for choice in self.choices(pack)}

    @abstractmethod
    def seat_names(self, pack: D, scenario: str, count: int) -> tuple[str, ...]:
        """The seats of a scenario, in seat order."""

    def shared_decks(self, pack: D, scenario: str, options: Mapping[str, str]) -> tuple[str, ...]:
        """The decks that several seats share: their keys are part of the contract."""
        return ()

    @abstractmethod
    def start(self, pack: D, scenario: str, options: Mapping[str, str], seats: tuple[str, ...]) -> P:
        """The position before the first step: tables filled, first procedure on the stack."""

    def set_up(self, pos: P) -> None:
        """Put what the scenario itself places, for a case that begins a scenario at a later step."""

    def blank(self, pack: D, options: Mapping[str, str], seats: tuple[str, ...]) -> P:
        """An empty position, for cases that state everything themselves."""
        return cast(P, self.position(seats=seats))

    def fix_tables(self, pack: D, results: Mapping[str, Any]) -> D:
        """A pack whose named tables always give one result, for cases."""
        raise UsageError(f"{self.name} has no table whose result can be fixed")

    def reads(self, table: str, rule: str) -> bool:
        """Whether a roll by this rule is one on the named table, whose result a case may have fixed."""
        return True

    def complete(self, pos: P) -> None:
        """Fill in what a position written by hand may leave out because the rules decide it."""

    def check(self, pos: P) -> None:
        """Invariants, after every apply: raise AssertionError with the facts if one is broken."""

    def aliases(self, pos: P) -> Mapping[str, str]:
        """Names in any language, and the ids they stand for."""
        return {}

    def names(self, pos: P) -> Iterable[str]:
        """Ids that orders and positions may name and that the pack does not hold as texts.

        The pack's own texts, the aliases, seats, scenarios and options are known without being listed.
        """
        return ()

    def macros(self, text: str, pos: P, view: View) -> list[str] | None:
        """Order lines that one line stands for, or None if it is no macro."""
        return None

    def interrupts(self, pos: P, move: Move) -> bool:
        """Whether an order may make another seat decide next; a game whose data say so asks its pack."""
        return move.interrupts

    def show(self, pos: P, ident: str) -> str:
        """How an id or a card is written in orders and reports."""
        return ident

    def explain(self, pos: P, place: str) -> str:
        """What is at one place of the board (a hex, an area)."""
        return f"nothing is known of {place}"

    def headline(self, pos: P) -> str:
        """Turn and phase in a few words."""
        return pos.stack[-1].step.rule if pos.stack else ""

    def odds(self, pos: P, move: Move) -> str | None:
        """The table, modifiers and chances of an attack before it is made, or None."""
        return None

    # --- what players look at: pure functions of the pack, the public position and a view

    def scene(self, pos: P, view: View = PUBLIC) -> Scene:
        """Everything on the table that the view knows, for the pictures and the terminal's board."""
        return Scene(headline=self.headline(pos))

    def primer(self) -> str:
        """One page for a newcomer (primer.md): who you are, how you win, a turn, your first orders."""
        path = self.rulebook().with_name("primer.md")
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def glossary(self) -> tuple[Term, ...]:
        """The Japanese and Chinese terms (glossary.toml, [[term]] term, reading, english, means)."""
        import tomllib

        path = self.rulebook().with_name("glossary.toml")
        listed = tomllib.loads(path.read_text(encoding="utf-8"))["term"] if path.exists() else []
        return tuple(Term(**term) for term in listed)

    def tables(self, pack: D) -> tuple[Sheet, ...]:
        """Combat tables, terrain costs, rosters, chits, cards: all that an aid card would show."""
        return ()

    def score(self, pos: P) -> tuple[Tally, ...]:
        """Points so far and what they come from; also what would end the game at once."""
        return ()

    def advice(self, pos: P, options: Options) -> Move | None:
        """The routine answer to a decision (losses, retreats, advances …), or None where it needs a person.

        A standing order `auto` plays it: a function of the public position alone, the same on every machine.
        """
        return None

    def hand(self, pos: P, seat: str) -> Iterable[Handle]:
        """The cards that a seat holds."""
        return ()

    def drawn(self, pos: P, seat: str) -> Iterable[Handle]:
        """The cards that came to a seat to be played: `pbem arena --cards` asks what each was worth.

        A game in which a hand also holds what is only to be chosen from says so.
        """
        return self.hand(pos, seat)

    def began(self, pos: P) -> str:
        """The seat that moved first, where chance decides it; `pbem arena` counts how often it wins."""
        return ""

    @abstractmethod
    def bot(self, seat: str, seed: int) -> Callable[[P, Options, View], Move]:
        """A player that tries to win: function(position, options, view) -> move."""

    @cached_property
    def procedure_names(self) -> dict[str, type[Procedure]]:
        """The procedures by name, as frames call them."""
        return {p.__name__: p for p in (*self.procedures, Delivery)}

    def lookup(self, pos: P, known: Mapping[Handle, str]) -> Lookup:
        """How words of an order become ids in this position."""
        return Lookup(self.aliases(pos), known, pos.hidden)

    def rulebook(self) -> Path:
        """Where this game's rulebook.toml is."""
        import importlib

        module = importlib.import_module(type(self).__module__)
        return Path(str(module.__file__)).parent / "rulebook.toml"

    def summaries(self) -> Iterable[Mapping[str, Any]]:
        """The rules in our own words, as rulebook.toml lists them."""
        import tomllib

        path = self.rulebook()
        return tomllib.loads(path.read_text(encoding="utf-8"))["rule"] if path.exists() else []


AnyRules = Rules[Any, Any]
"""The rules of whatever game."""
