"""Well-signed entries that repeat, mislead or overload: nothing of them moves anybody else."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from pbem.engine.notation import Handle
from pbem.errors import PbemError, VerificationError
from pbem.protocol.log.ledger import ROOM
from pbem.protocol.papers.bodies import Say, SealedChoice, Standing
from pbem.protocol.papers.body_checks import pack_box
from pbem.protocol.papers.entry import compose
from pbem.protocol.rounds.events import OrderSkipped
from tests.scenes import orders, play, reach, table_of
from tests.table import entry_of, give, play_out, players, same_everywhere, settle

# --- copies and repeats


def test_an_entry_of_another_seat_lane_or_game_is_refused() -> None:
    table = table_of(2)
    a, b = table["a"], table["b"]
    raw = orders(a, "swear")
    entry = entry_of(raw)
    cases = [
        compose(replace(entry.head, seat="b"), entry.body, a.key),
        compose(replace(entry.head, game="00" * 32), entry.body, a.key),
        compose(entry.head, entry.body, b.key),
        compose(entry.head, entry.body, a.answering),
        compose(replace(entry.head, seat="z"), entry.body, a.key),
    ]
    for case in cases:
        with pytest.raises(VerificationError):
            b.receive(case)
    assert b.ledger.pool == {} and b.ledger.state.number == 0


def test_an_entry_that_comes_again_changes_nothing() -> None:
    table = players(2)
    made = play_out(table, random.Random(1))
    texts = table["a"].texts
    for raw in made:
        assert table["a"].receive(raw) == []
    assert table["a"].texts == texts and not table["a"].ledger.pool


@pytest.mark.parametrize("seen", ["nothing there", "an own decision", "an answer", "what is logged already"])
def test_seen_that_names_what_is_no_entry_out_of_turn_makes_a_decision_none(seen: str) -> None:
    table = table_of(3)
    a, b = table["a"], table["b"]
    word = b.entry("say", Say("well met"))
    give(table, word)
    play(table, "a", "hit b" if seen == "an answer" else "swear")
    asked = next(p for p in table.values() if p.owed() is not None and p.owed().lane == "decide")
    body = entry_of(asked.decide(random.Random(1)) or b"").body
    names = {
        "nothing there": "12" * 32,
        "an own decision": entry_of(asked.entry("orders", body)).id,
        "an answer": next((o.entry.id for o in a.log if o.entry.head.kind == "answers"), "34" * 32),
        "what is logged already": entry_of(word).id,
    }
    number = b.ledger.state.number
    give(table, asked.entry("orders", body, seen=(names[seen],)))
    one = same_everywhere(table)
    assert one.ledger.state.number == number and list(one.ledger.missing()) == [asked.seat]
    give(table, asked.entry("orders", body))
    assert same_everywhere(table).ledger.state.number > number


# --- too much of everything


def test_a_huge_list_is_carried_out_or_returned_without_fuss() -> None:
    table = table_of(2)
    text = "\n".join(["? hit z"] * 900 + ["swear"])
    body = replace(table["a"].secrets.orders("swear"), orders=text)
    give(table, table["a"].entry("orders", body))
    one = same_everywhere(table)
    assert one.ledger.position.players["a"].points == 1
    assert sum(isinstance(e, OrderSkipped) for e in one.log[0].events) == 900


def test_boxes_of_any_size_carry_no_further_than_their_author() -> None:
    table = players(2)
    a = table["a"]
    reach(table, "chits", random.Random(1))
    move = next(iter(a.owed().options.list()))
    honest = a.secrets.sealed_choice(a.owed().options, move, True)
    assert isinstance(honest, SealedChoice)
    large = replace(honest.seals[0], box=pack_box(bytes(20_000)))
    give(table, a.entry("sealed", replace(honest, seals=(large, honest.seals[1]))))
    give(table, table["b"].decide(random.Random(1)) or b"")
    settle(table)
    one = same_everywhere(table)
    assert one.ledger.state.gone == {}, "what a seat writes to itself is its own affair"
    assert a.secrets.value(Handle("s1.a.1")) is not None


def test_entries_after_tips_that_nobody_knows_wait_in_bounded_room_and_block_nothing() -> None:
    table = table_of(2)
    a, b = table["a"], table["b"]
    body = a.secrets.orders("swear")
    for number in range(ROOM + 20):
        b.receive(a.entry("orders", body, after=(f"{number:064x}",)))
    assert len(b.ledger.pool) == ROOM
    give(table, orders(a, "swear"))
    assert b.ledger.state.number == 1 and list(b.ledger.missing()) == ["a"]


def test_an_unreadable_order_list_is_nothing_and_no_crash() -> None:
    table = table_of(2)
    for text in ('"', "hit \x7fb", "    x", "?", "hit " + "b " * 2000, "🂡 " * 50):
        a = table["a"]
        body = replace(a.secrets.orders("swear"), orders=f"{text}\n")
        try:
            raw = a.entry("orders", body)
            give(table, raw)
        except PbemError:
            continue
        one = same_everywhere(table)
        assert one.ledger.state.number == 0 and list(one.ledger.missing()) == ["a"]
    play(table, "a", "swear")
    assert same_everywhere(table).ledger.position.players["a"].points == 1


def test_standing_orders_with_strange_lines_never_fire() -> None:
    table = table_of(2)
    lines = ("play gold", "hit a", "lose everything", '"', "🂡")
    give(table, table["b"].entry("standing", Standing("loss", lines)))
    for _ in range(2):
        if table["a"].asked == "a":
            play(table, "a", "hit b\n    boast 0")
    one = same_everywhere(table)
    assert not any("standing" in e.data for logged in one.log for e in logged.events)


def test_different_orders_for_one_event_end_the_game_and_yield_no_second_link() -> None:
    for first, second in itertools.permutations(["hit b", "swear\nhit b", "hit c"], 2):
        table = table_of(3, salt="double")
        a, b, c = table.values()
        head = a.head("orders")
        halves = [compose(head, a.secrets.orders(text), a.key) for text in (first, second)]
        b.receive(halves[0])
        c.receive(halves[1])
        links = {p.seat: p.answer() for p in (b, c)}
        for player in (b, c):
            player.receive(links[player.seat] or b"")
        for player, other, third in ((b, halves[1], "c"), (c, halves[0], "b")):
            player.receive(links[third] or b"")
            player.receive(other)
            assert player.ledger.split is not None and player.ledger.split.named == ("a",)
            assert player.answer() is None, "no second link leaves"
        tips = {entry_of(raw).head.after for raw in links.values() if raw is not None}
        assert tips == {(entry_of(raw).id,) for raw in halves}
