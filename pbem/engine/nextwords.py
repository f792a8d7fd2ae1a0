"""The words that may come next in a partial order: for clicks, for the shell, for `board --legal`.

An order is a bag of words beside the literal words of its notation. Clicks come in any order (`picked`),
typing follows the notation (`typed`). Both look at the same list of legal orders; where answers are too many
to be listed, the family says itself what may follow (`Family.offers`), and `why_not` has the last word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from pbem.engine.machine import Machine
from pbem.engine.notation import Handle, Move, NotationError, Tokens, keyword, shown_handles, tokens, words
from pbem.engine.options import Family, Options, View
from pbem.engine.position import Position
from pbem.engine.waits import Chance, Decision
from pbem.errors import RulesError


@dataclass(frozen=True, slots=True)
class Offer:
    """A word that may be added, the orders it would belong to, and which part of them it is."""

    word: str
    verbs: tuple[str, ...]
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Next:
    """What a partial order can still become."""

    fits: int
    """How many of the listed orders contain it."""
    complete: tuple[str, ...]
    """Orders that it already is, with what follows by itself."""
    offered: tuple[Offer, ...]
    implied: tuple[str, ...]
    """Words that every order of a kind has that still fits: they need no click."""
    all_listed: bool
    """False where more orders are legal than could be looked at."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What an order would cost, or its chances."""

    cost: str = ""
    left: str = ""
    path: tuple[str, ...] = ()
    odds: str = ""
    risk: bool = False
    """Dice are thrown, or something hidden is drawn, before the seat goes on."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One legal order, taken apart."""

    text: str
    kind: int
    parts: Tokens
    bag: Counter[str] = field(compare=False)


class Index:
    """The legal orders of one position, one question and one view, ready to be asked."""

    def __init__(
        self, machine: Machine, pos: Position, options: Options, view: View, most: int = 20_000
    ) -> None:
        self._machine, self._pos, self._options, self._view = machine, pos, options, view
        self._lines: list[_Line] = []
        self._with: dict[str, set[int]] = {}
        self._moves: dict[str, Move] = {}
        self._open: list[Family[Move]] = []
        self._usual: list[str] = []
        """What families with too many answers list all the same."""
        rest = most
        for number, family in enumerate(options.families):
            if family.offers((), view) is not None:
                self._open.append(family)
                self._usual += [machine.write_move(pos, move, view) for move in family.moves(view)]
                continue
            for move in islice(family.moves(view), rest):
                self._add(number, move)
                rest -= 1
        self.all_listed = rest > 0 and not self._open

    def _add(self, kind: int, move: Move) -> None:
        parts = tokens(move, self._word)
        text = self._machine.write_move(self._pos, move, self._view)
        if text in self._moves:  # two copies of a card are one order
            return
        self._moves[text] = move
        bag = Counter(word for _, name, word in parts if name)
        for word in bag:
            self._with.setdefault(word, set()).add(len(self._lines))
        self._lines.append(_Line(text, kind, parts, bag))

    def _word(self, value: str) -> str:
        return self._machine.rules.show(self._pos, self._view.known.get(Handle(value), value))

    def move(self, text: str) -> Move | None:
        """The move that a listed order writes."""
        return self._moves.get(text)

    def texts(self) -> list[str]:
        """The listed orders."""
        return [line.text for line in self._lines]

    def words(self, text: str) -> tuple[str, ...]:
        """The words of an order beside the literals of its notation."""
        move = self._moves.get(text)
        return () if move is None else self.words_of(move)

    def words_of(self, move: Move) -> tuple[str, ...]:
        """The words of a move beside the literals of its notation."""
        return tuple(w for _, name, w in tokens(move, self._word) if name)

    def __len__(self) -> int:
        return len(self._lines)

    def outlook(self, text: str) -> Outlook:
        """What can be told of an order before it is given: costs where nothing but the move happens, odds."""
        move = self._moves.get(text)
        if move is None:
            return Outlook()
        odds = self._machine.rules.odds(self._pos, move) or ""
        if odds or shown_handles(move):
            return Outlook(odds=odds)
        try:
            done = self._machine.apply(self._pos, Decision(self._options.seat, move))
        except RulesError:
            return Outlook()
        events, risk = done.events, isinstance(self._machine.waits_for(done.position), Chance)
        told = [event.data for event in events if "cost" in event.data]
        if not told:
            return Outlook(risk=risk)
        path = tuple(str(place) for place in told[0].get("path", ()))
        left = told[0].get("left")
        return Outlook(str(told[0]["cost"]), "" if left is None else str(left), path, risk=risk)

    # --- clicks

    def picked(self, picks: Sequence[str], verb: str = "") -> Next:
        """What may be clicked next when these words have been, in any order."""
        want = Counter(picks)
        by_kind = self._fitting(want, verb)
        offered: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
        complete: dict[str, None] = {}
        implied: dict[str, None] = {}
        for lines in by_kind.values():
            self._one_kind(lines, want, offered, complete, implied)
        for family in self._open:
            self._ask(family, picks, verb, offered, complete)
        return Next(
            sum(map(len, by_kind.values())),
            tuple(complete),
            tuple(Offer(word, tuple(verbs), tuple(names)) for word, (verbs, names) in offered.items()),
            tuple(word for word in implied if word not in offered),
            self.all_listed,
        )

    def _fitting(self, want: Counter[str], verb: str) -> dict[int, list[_Line]]:
        """The orders that contain these words, by kind."""
        found: Iterable[int] = range(len(self._lines))
        if want:
            found = sorted(set.intersection(*(self._with.get(word, set()) for word in want)))
        several = [(word, count) for word, count in want.items() if count > 1]
        by_kind: dict[int, list[_Line]] = {}
        for number in found:
            line = self._lines[number]
            if verb and line.parts[0][2] != verb:
                continue
            if all(line.bag[word] >= count for word, count in several):
                by_kind.setdefault(line.kind, []).append(line)
        return by_kind

    def costs(self, picks: Sequence[str], places: Iterable[str], verb: str = "") -> dict[str, Outlook]:
        """What each place would cost that makes the words one order; odds where it is an attack."""
        found = {}
        for place in places:
            want = Counter((*picks, place)) if place not in picks else Counter(picks)
            by_kind = self._fitting(want, verb)
            if sum(map(len, by_kind.values())) == 1:
                ((line,),) = by_kind.values()
                found[place] = self.outlook(line.text)
                continue
            exact = [line for lines in by_kind.values() for line in lines if line.bag == want]
            if len(exact) == 1:
                found[place] = self.outlook(exact[0].text)
        return found

    def _one_kind(
        self,
        lines: list[_Line],
        want: Counter[str],
        offered: dict[str, tuple[dict[str, None], dict[str, None]]],
        complete: dict[str, None],
        implied: dict[str, None],
    ) -> None:
        common = lines[0].bag.copy()
        for line in lines[1:]:
            common &= line.bag
            if not common - want:
                break
        whole = common | want
        for line in lines:
            if line.bag == whole:
                complete[line.text] = None
            seen: Counter[str] = Counter()
            for _, name, word in line.parts:
                if name:
                    seen[word] += 1
                    if seen[word] > whole[word]:
                        verbs, names = offered.setdefault(word, ({}, {}))
                        verbs[line.parts[0][2]] = None
                        names[name] = None
        for word in common - want:
            implied[word] = None

    def _ask(
        self,
        family: Family[Move],
        picks: Sequence[str],
        verb: str,
        offered: dict[str, tuple[dict[str, None], dict[str, None]]],
        complete: dict[str, None],
    ) -> None:
        begins = keyword(family.kind)
        if verb and verb != begins:
            return
        if not picks:
            complete.update(dict.fromkeys(self._usual))
        told = family.offers(tuple(picks), self._view)
        if told is None:
            return
        for word, name in told.words:
            verbs, names = offered.setdefault(word, ({}, {}))
            verbs[begins] = None
            names[name] = None
        for move in told.complete:
            text = self._machine.write_move(self._pos, move, self._view)
            self._moves.setdefault(text, move)
            complete[text] = None

    # --- typing

    def typed(self, text: str) -> tuple[str, ...]:
        """The words that may follow, or complete the last one, in the order of the notation.

        A text that ends in a space asks for the next word; else its last word is to be completed.
        """
        try:
            line = [word.text for word in words(text)]
        except NotationError:
            return ()
        begun = "" if not text or text[-1].isspace() or not line else line.pop()
        found: dict[str, None] = {}
        lines: Iterable[_Line] = self._lines
        named = [self._with[word] for word in line if word in self._with]
        if named:
            lines = [self._lines[n] for n in sorted(set.intersection(*named))]
        for one in lines:
            for word in _follow(one.parts, line, self._ordered(one.kind)):
                if word.startswith(begun):
                    found[f'"{word}"' if " " in word else word] = None
        for family in self._open:
            if not line and keyword(family.kind).startswith(begun):
                found[keyword(family.kind)] = None
            elif line and line[0] == keyword(family.kind):
                told = family.offers(tuple(line[1:]), self._view)
                for word, _ in told.words if told else ():
                    if word.startswith(begun):
                        found[word] = None
        return tuple(found)

    def _ordered(self, kind: int) -> tuple[str, ...]:
        declared: type[Move] = self._options.families[kind].kind
        return declared.ordered


def _follow(parts: Tokens, line: Sequence[str], ordered: tuple[str, ...]) -> list[str]:
    """What may stand after a typed line, if the order can be meant at all."""
    at = 0
    while at < len(parts):
        many, name, _ = parts[at]
        end = at + 1
        while many and end < len(parts) and parts[end][1] == name:
            end += 1
        group = [w for _, _, w in parts[at:end]]
        for typed in line[: len(group)]:
            if name in ordered or not many:
                if group[0] != typed:
                    return []
                group.pop(0)
            elif typed in group:
                group.remove(typed)
            else:
                return []
        line = line[end - at :]
        if group:
            return group[:1] if name in ordered or not many else list(dict.fromkeys(group))
        at = end
    return []
