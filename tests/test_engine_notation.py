"""The notation of moves: what is written can be read, and what cannot be read is explained."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import pytest

from pbem.engine import registry
from pbem.engine.croupier import Croupier
from pbem.engine.machine import Machine
from pbem.engine.notation import Handle, Lookup, Move, NotationError, Prose, parse, prose_from, write
from pbem.engine.options import Family, Options, Refusal, View
from pbem.engine.position import Position
from pbem.errors import RulesError
from pbem.playtest.local import any_start, begin, is_over
from tests.tiny import TINY


@dataclass(frozen=True, slots=True)
class Attack(Move):
    notation = "attack {target} with {units*} odds {columns}"
    target: str
    units: tuple[str, ...]
    columns: int


@dataclass(frozen=True, slots=True)
class Reveal(Move):
    notation = "reveal {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class Remark(Move):
    notation = "remark {to} {text*}"
    to: str
    text: Prose = Prose("")


@pytest.mark.parametrize("text", ["", 'two corps, "the guard" and  the rest ２２１４, # 3', "to with odds"])
def test_free_words_stand_as_they_were_written(text: str) -> None:
    line = f"remark south {text}".rstrip()
    (found,) = parse(line, [Remark], Lookup({"south": "s"}))
    assert found == Remark("s", Prose(text)) and write(found, lambda word: "south") == line


def test_free_words_come_last_in_a_notation() -> None:
    @dataclass(frozen=True, slots=True)
    class Early(Move):
        notation = "say {text*} to {whom}"
        text: Prose
        whom: str

    with pytest.raises(TypeError, match="prose comes last"):
        write(Early(Prose("x"), "y"))


def test_notation_reads_what_it_writes() -> None:
    move = Attack("0507", ("first guard", "b", "c"), -2)
    text = write(move)
    assert text == 'attack 0507 with "first guard" b c odds -2'
    assert parse(text, [Reveal, Attack], Lookup()) == [move]


ZEROS = {"Arabic": 0x0660, "Devanagari": 0x0966, "full width": 0xFF10, "mathematical": 0x1D7D8}
"""Where the digits of other scripts begin: to Python all of them are digits."""


def in_other_digits(text: str) -> Iterator[str]:
    """The same order in digits of other scripts."""
    for zero in ZEROS.values():
        yield text.translate({ord("0") + n: zero + n for n in range(10)})


@pytest.mark.parametrize("game", registry.names())
def test_digits_of_other_scripts_mean_the_same_or_are_refused(game: str) -> None:
    """Two machines must never read two orders, and none may stop at one."""
    rules, rng = registry.load(game), random.Random(f"digits {game}")
    machine = Machine(rules, rules.load_pack())
    croupier = Croupier(machine, rng)
    tried = 0

    def player(pos: Position, options: Options, view: View) -> Move:
        nonlocal tried
        move = options.sample(rng, view)
        text = machine.write_move(pos, move, view)
        for other in in_other_digits(text):
            if other == text:
                continue
            tried += 1
            with suppress(RulesError):
                found = machine.read_move(pos, options, other, view)
                same = machine.write_move(pos, found, view) == text  # another copy of the same card does too
                free = prose_from(type(found)) is not None  # free words stand as they were written
                assert same or free or options.why_not(found, view) is not None
        return move

    start = any_start(rules, machine.pack, None, rng)
    pos = begin(croupier, start)
    for _ in range(80):
        if not is_over(machine, pos):
            pos = croupier.play(pos, dict.fromkeys(start.seats, player)).position
    assert tried or game in ("tiny", "chuhan")


def test_other_keyboards_and_commas_do_as_well() -> None:
    move = Attack("0507", ("a", "b", "大胡"), 1)
    assert parse("ａｔｔａｃｋ　０５０７ with a, b、 , 大胡 odds １", [Attack], Lookup()) == [move]
    assert parse('attack "" with "x," odds 1', [Attack], Lookup()) == [Attack("", ("x,",), 1)]


@pytest.mark.parametrize(
    ("text", "words", "hint", "column"),
    [
        ("", "an empty order", None, 1),
        ("atack 0507 with a odds 1", "no order begins with 'atack'", "did you mean attack?", 1),
        ("zzz", "no order begins with 'zzz'", None, 1),
        ("attack 0507 odds 1", "is written: attack {target} with {units*} odds {columns}", None, 1),
        ("attack 0507 with a odds many", "columns must be a number, not 'many'", None, 25),
        ("attack 0507 with a odds 1 2", "is written", None, 1),
        ('attack "0507 with a odds 1', "a quotation mark is not closed", None, 8),
        ("reveal gold", "no hidden card called 'gold' is known to you", None, 8),
        ("reveal", "card is missing", None, 1),
    ],
)
def test_what_cannot_be_read_is_explained(text: str, words: str, hint: str | None, column: int) -> None:
    with pytest.raises(NotationError) as refused:
        parse(text, [Attack, Reveal], Lookup())
    assert words in refused.value.message
    assert refused.value.hint == hint
    assert refused.value.column == column


def test_a_card_is_named_by_its_face_or_by_its_slot() -> None:
    known = {Handle("d-1.3"): "gold", Handle("d-1.4"): "gold", Handle("d-1.5"): "spy"}
    lookup = Lookup({"or": "gold"}, known, ("d-1.9",))
    assert parse("reveal spy", [Reveal], lookup) == [Reveal(Handle("d-1.5"))]
    assert parse("reveal or", [Reveal], lookup) == [Reveal(Handle("d-1.3")), Reveal(Handle("d-1.4"))]
    assert parse("reveal d-1.4", [Reveal], lookup) == [Reveal(Handle("d-1.4"))]
    assert parse("reveal d-1.9", [Reveal], lookup) == [Reveal(Handle("d-1.9"))]


def test_a_move_whose_notation_and_fields_differ_is_an_error_of_its_author() -> None:
    @dataclass(frozen=True, slots=True)
    class Wrong(Move):
        notation = "go {where}"
        place: str

    with pytest.raises(TypeError, match=r"notation names \['where'\], fields are \['place'\]"):
        write(Wrong("x"))


def test_of_two_meanings_the_legal_one_is_taken() -> None:
    class Held(Family[Reveal]):
        kind = Reveal

        def moves(self, view: View) -> list[Reveal]:
            return [Reveal(Handle("d-1.4"))]

        def why_not(self, move: Reveal, view: View) -> Refusal | None:
            return None if move in self.moves(view) else Refusal("6.1", "it is not in your hand")

    machine = Machine(TINY, TINY.load_pack())
    pos = machine.start("short", {"deck": "own"}, ("a", "b")).position
    options = Options("a", (Held(),))
    view = View("a", {Handle("d-1.3"): "gold", Handle("d-1.4"): "gold", Handle("d-1.5"): "spy"})
    assert machine.read_move(pos, options, "reveal gold", view) == Reveal(Handle("d-1.4"))
    with pytest.raises(RulesError) as refused:
        machine.read_move(pos, options, "reveal spy", view)
    assert refused.value.rule == "6.1" and refused.value.message == "it is not in your hand"
