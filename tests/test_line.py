"""What counts at a fork, at a call and in an agreement: nothing that a seat has built on ever goes back."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from pbem.protocol.log.ledger import Ledger
from pbem.protocol.papers.bodies import Draw, Late, Note, Rekey, Say, TakeBack
from pbem.protocol.papers.entry import Entry, compose
from pbem.protocol.papers.invitation import WITNESS
from pbem.protocol.papers.times import stamp
from pbem.protocol.rounds.events import NumbersFell
from pbem.protocol.rounds.leaving import SecretOpened
from pbem.protocol.rounds.state import Why
from tests.scenes import play, table_of
from tests.table import (
    START,
    Player,
    entry_of,
    give,
    key_of,
    paper_of,
    play_out,
    players,
    same_everywhere,
    settle,
)

Table = dict[str, Player]


def to_a_decision(table: Table, kind: str = "orders") -> Player:
    """Play at random until one seat alone is asked for a decision of this kind; returns it."""
    rng = random.Random("to a decision")
    for _ in range(400):
        settle(table)
        asked = next(iter(table.values())).ledger.missing()
        kinds = [owed.kind for owed in asked.values()]
        if kinds == [kind] or (kind == "sealed" and set(kinds) == {kind}):
            return table[next(iter(asked))]
        for player in table.values():
            raw = player.decide(rng)
            if raw is not None:
                give(table, raw)
    raise AssertionError(f"nobody is ever asked for {kind}")


def two_faces(player: Player) -> tuple[bytes, bytes]:
    """Two different decisions of one seat after one tip, in the order of their ids."""
    made: dict[str, bytes] = {}
    for seed in range(50):
        raw = player.decide(random.Random(seed))
        assert raw is not None
        made[entry_of(raw).id] = raw
    low, *_, high = sorted(made)
    return made[low], made[high]


def alike(contract_of: Player, entries: list[Entry]) -> Ledger:
    """A machine that gets all entries at once."""
    fresh = Player(contract_of.contract, contract_of.seat, contract_of.key, contract_of.rules)
    fresh.keep(fresh.ledger.offer(entries))
    return fresh.ledger


def call(player: Player, *late: str) -> bytes:
    return player.entry("late", Late(tuple(sorted(late))))


def call_of_witness(table: Table, *late: str) -> bytes:
    """A call that the witness signs."""
    some = next(iter(table.values()))
    head = replace(some.flow.head("late", stamp(START + 10**6)), seat=WITNESS, prev="")
    return compose(head, Late(tuple(sorted(late))), key_of(WITNESS))


# --- forks


@pytest.mark.parametrize("count", [2, 3])
def test_of_two_faces_that_nobody_built_on_everybody_takes_the_same(count: int) -> None:
    table = players(count)
    author = to_a_decision(table)
    low, high = two_faces(author)
    for number, player in enumerate(table.values()):
        for raw in (low, high) if number % 2 else (high, low):
            player.receive(raw)
    assert same_everywhere(table).log[-1].entry.raw == low or low in [one.entry.raw for one in author.log]


def test_a_face_that_another_seat_has_built_on_stays_whatever_comes_after() -> None:
    table = players(3)
    author = to_a_decision(table)
    low, high = two_faces(author)
    others = [player for player in table.values() if player is not author]
    first, second = others
    for player in table.values():
        player.receive(high)
    built = first.answer() or first.entry("say", Say("I have seen it"))
    first.receive(built)
    before = [one.entry.id for one in first.log]
    for player in (first, second, author):
        player.receive(low)
        player.receive(built)
    assert [one.entry.id for one in first.log][: len(before)] == before
    same_everywhere(table)
    assert entry_of(high).id in [one.entry.id for one in second.log]


def test_two_faces_that_two_seats_have_built_on_end_the_game_and_name_their_author() -> None:
    table = players(3)
    author = to_a_decision(table)
    low, high = two_faces(author)
    one, other = [player for player in table.values() if player is not author]
    one.receive(low)
    other.receive(high)
    on_low = one.answer() or one.entry("say", Say("low"))
    on_high = other.answer() or other.entry("say", Say("high"))
    for player in table.values():
        for raw in (low, high, on_low, on_high):
            player.receive(raw)
    for player in table.values():
        assert player.ledger.split is not None and player.ledger.split.named == (author.seat,)
        assert player.ledger.due() == {}
    same_everywhere(table)


def test_who_has_built_on_both_sides_has_no_say_and_the_fork_heals() -> None:
    table = players(3)
    author = to_a_decision(table)
    low, high = two_faces(author)
    one, other = [player for player in table.values() if player is not author]
    one.receive(low)
    other.receive(high)
    on_low = one.answer() or one.entry("say", Say("low"))
    on_high = other.answer() or other.entry("say", Say("high"))
    also_low = replace(one.flow.head("say", stamp(START + 999)), seat=other.seat)
    both = compose(also_low, Say("and low"), other.key)
    for player in table.values():
        player.receive(low, high, on_low, on_high, both)
    assert same_everywhere(table).ledger.split is None
    assert low in [one.entry.raw for one in table[one.seat].log]


def test_the_line_follows_from_the_set_of_entries_in_every_order() -> None:
    table = players(3)
    author = to_a_decision(table)
    low, high = two_faces(author)
    one, other = [player for player in table.values() if player is not author]
    one.receive(high)
    say = one.entry("say", Say("high it is"))
    for order in itertools.permutations((low, high, say)):
        watcher = Player(author.contract, other.seat, other.key)
        for logged in author.log:
            watcher.receive(logged.entry.raw)
        for raw in order:
            watcher.receive(raw)
        found = [e.entry.id for e in watcher.log]
        assert entry_of(high).id in found and entry_of(low).id not in found


# --- decisions that are none


def test_an_illegal_list_is_nothing_and_its_author_still_owes() -> None:
    table = players(2)
    author = to_a_decision(table)
    bad = author.entry("orders", author.secrets.orders("fly to the moon"))
    give(table, bad)
    assert author.seat in author.ledger.missing()
    assert bad not in [one.entry.raw for one in author.log]
    good = author.decide(random.Random(1))
    assert good is not None
    give(table, good)
    assert good in [one.entry.raw for one in same_everywhere(table).log]


def test_an_entry_that_sees_another_position_is_nothing() -> None:
    table = players(2)
    author = to_a_decision(table)
    body = entry_of(author.decide(random.Random(1)) or b"").body
    give(table, author.entry("orders", body, pos="0" * 64))
    assert author.seat in author.ledger.missing()


# --- out of turn


def test_a_word_counts_when_a_decision_takes_it_in_with_all_before_it() -> None:
    table = players(2)
    author = to_a_decision(table)
    (other,) = [player for player in table.values() if player is not author]
    first = other.entry("say", Say("one"))
    other.receive(first)
    second = other.entry("say", Say("two"))
    author.receive(second)
    assert author.flow.unseen() == ()
    author.receive(first)
    assert author.flow.unseen() == (entry_of(second).id,)
    decided = author.decide(random.Random(1))
    assert decided is not None
    other.receive(second)
    give(table, decided)
    ids = [one.entry.id for one in same_everywhere(table).log]
    assert ids.index(entry_of(first).id) < ids.index(entry_of(second).id) < ids.index(entry_of(decided).id)


# --- calls


def silent(table: Table, *gone: str) -> Table:
    """The others play until only these are waited for; returns the others."""
    rest = {seat: player for seat, player in table.items() if seat not in gone}
    rng = random.Random("silent")
    for _ in range(400):
        settle(rest)
        if set(next(iter(rest.values())).ledger.missing()) <= set(gone):
            return rest
        for player in rest.values():
            raw = player.decide(rng)
            if raw is not None:
                give(rest, raw)
    raise AssertionError("it never waits for them")


@pytest.mark.parametrize("deck", ["own", "shared"])
def test_the_others_go_on_without_a_seat_that_all_of_them_call_late(deck: str) -> None:
    table = players(3, options={"deck": deck})
    rest = silent(table, "c")
    for raw in [call(player, "c") for player in rest.values()]:
        give(rest, raw)
    settle(rest)
    one = same_everywhere(rest)
    assert one.ledger.state.gone["c"].why is Why.LATE and "c" in one.ledger.state.opened
    play_out(rest, random.Random(7))
    assert same_everywhere(rest).over and not one.ledger.due()


def test_the_die_that_was_waited_for_falls_as_it_would_have_fallen() -> None:
    fell = []
    for answers in (True, False):
        table = players(3, scenario="short")
        rest = silent(table, "c")
        while not rest["a"].ledger.due()["c"].link:
            raw = table["c"].decide(random.Random(3)) or table["c"].answer()
            for logged in rest["a"].log:
                table["c"].receive(logged.entry.raw)
            raw = table["c"].decide(random.Random(3)) or table["c"].answer()
            assert raw is not None
            give(table, raw)
            rest = silent(table, "c")
        for logged in rest["a"].log:
            table["c"].receive(logged.entry.raw)
        for entry in rest["a"].ledger.pool.values():
            table["c"].receive(entry.raw)
        before = len(rest["a"].log)
        if answers:
            raw = table["c"].answer()
            assert raw is not None
            give(table, raw)
        else:
            for raw in [call(player, "c") for player in rest.values()]:
                give(rest, raw)
            settle(rest)
        told = [e for one in rest["a"].log[before:] for e in one.events if isinstance(e, NumbersFell)]
        fell.append(told[0].values)
    assert fell[0] == fell[1]


def test_between_two_seats_a_call_puts_nobody_out() -> None:
    table = players(2)
    rest = silent(table, "b")
    give(rest, call(rest["a"], "b"))
    assert "b" not in rest["a"].ledger.state.gone
    assert list(rest["a"].ledger.called()) == [("b",)]


def test_with_a_witness_a_call_between_two_seats_counts() -> None:
    table = players(2, witness=True)
    rest = silent(table, "b")
    mine, theirs = call(rest["a"], "b"), call_of_witness(rest, "b")
    give(rest, mine)
    assert "b" not in rest["a"].ledger.state.gone
    give(rest, theirs)
    ended = rest["a"].ledger.position.outcome
    assert ended is not None and ended.winners == ("a",)


def test_an_answer_that_somebody_built_on_stands_against_a_complete_call() -> None:
    table = players(3)
    rest = silent(table, "c")
    for one in rest["a"].log:
        table["c"].receive(one.entry.raw)
    for entry in rest["a"].ledger.pool.values():
        table["c"].receive(entry.raw)
    calls = [call(player, "c") for player in rest.values()]
    answer = table["c"].answer() or table["c"].decide(random.Random(5))
    assert answer is not None
    table["a"].receive(answer)
    built = table["a"].answer() or table["a"].entry("say", Say("on the answer"))
    for player in table.values():
        player.receive(answer, *calls, built)
    one = same_everywhere(table)
    assert "c" not in one.ledger.state.gone and answer in [e.entry.raw for e in one.log]


# --- agreements


def test_a_draw_counts_when_all_offer_it_and_who_decides_notes_it() -> None:
    table = players(3)
    author = to_a_decision(table)
    for player in table.values():
        give(table, player.entry("draw", Draw()))
    give(table, author.entry("note", Note()))
    end = same_everywhere(table).ledger.position.outcome
    assert end is not None and end.winners == ()


def test_an_offer_is_worth_nothing_at_any_other_tip() -> None:
    table = players(2)
    author = to_a_decision(table)
    (other,) = [player for player in table.values() if player is not author]
    give(table, other.entry("draw", Draw()))
    raw = author.decide(random.Random(1))
    assert raw is not None
    give(table, raw)
    asked = to_a_decision(table)
    give(table, author.entry("draw", Draw()))
    give(table, asked.entry("note", Note()))
    assert same_everywhere(table).ledger.position.outcome is None
    assert asked.seat in asked.ledger.missing()


def test_a_take_back_makes_a_new_position_and_deletes_nothing() -> None:
    table = table_of(2)
    settle(table)
    before = table["a"].ledger.position.text()
    play(table, "a", "done")
    logged = len(table["a"].log)
    for player in table.values():
        give(table, player.entry("take-back", TakeBack(0)))
    give(table, table["b"].entry("note", Note()))
    one = same_everywhere(table)
    assert len(one.log) == logged + 3 and one.ledger.position.text() == before
    assert list(one.ledger.missing()) == ["a"]


@pytest.mark.parametrize("spare", [False, True])
def test_new_keys_count_when_all_agree_and_the_old_key_signs_nothing_more(spare: bool) -> None:
    table = players(2, spare=True)
    author = to_a_decision(table)
    (other,) = [player for player in table.values() if player is not author]
    old, new = author.key, key_of(author.seat, "new")
    paper = paper_of(author, new)
    signer = key_of(author.seat, "spare") if spare else old
    give(table, compose(author.head("rekey"), Rekey(paper), signer))
    give(table, other.entry("rekey", other.secrets.rekey(paper)))
    by_old = author.entry("note", Note())
    give(table, by_old)
    assert by_old not in [one.entry.raw for one in author.log]
    give(table, compose(author.head("note"), Note(), new))
    one = same_everywhere(table)
    assert one.ledger.place.key(author.seat) == new.public
    assert author.seat in one.ledger.missing()


def test_nothing_is_agreed_while_a_machine_owes_an_answer() -> None:
    table = players(2)
    rest = silent(table, "b")
    while rest["a"].ledger.due()["b"].lane == "decide":
        for logged in rest["a"].log:
            table["b"].receive(logged.entry.raw)
        for entry in rest["a"].ledger.pool.values():
            table["b"].receive(entry.raw)
        raw = table["b"].decide(random.Random(2))
        assert raw is not None
        give(table, raw)
        rest = silent(table, "b")
    for player in table.values():
        for logged in rest["a"].log:
            player.receive(logged.entry.raw)
    give(table, table["a"].entry("draw", Draw()))
    give(table, table["b"].entry("draw", Draw()))
    give(table, table["b"].entry("note", Note()))
    assert table["a"].ledger.position.outcome is None


# --- breaches


def test_a_wrong_link_puts_its_author_out() -> None:
    table = players(3)
    rest = silent(table, "c")
    while not rest["a"].ledger.due()["c"].link:
        for logged in rest["a"].log:
            table["c"].receive(logged.entry.raw)
        for entry in rest["a"].ledger.pool.values():
            table["c"].receive(entry.raw)
        raw = table["c"].decide(random.Random(3)) or table["c"].answer()
        assert raw is not None
        give(table, raw)
        rest = silent(table, "c")
    for logged in rest["a"].log:
        table["c"].receive(logged.entry.raw)
    owed = table["c"].owed()
    body = replace(table["c"].secrets.answer(owed), link="00" * 32)
    give(table, table["c"].entry("answers", body))
    settle(rest)
    one = same_everywhere(rest)
    gone = one.ledger.state.gone["c"]
    assert gone.why is Why.BREACH and gone.fault is not None and gone.fault.event == "LinkWrong"
    assert any(isinstance(e, SecretOpened) for logged in one.log for e in logged.events)
    play_out(rest, random.Random(3))
    assert same_everywhere(rest).over
