"""How a line ends and how it goes on: doubles, breaches, settlements."""

from __future__ import annotations

import itertools
import random
from contextlib import suppress
from dataclasses import replace

import pytest
from pbem.protocol.log.doubles import double_proof
from pbem.protocol.log.settlements import settlement, without_settled

from pbem.engine.events import Fact
from pbem.errors import VerificationError
from pbem.protocol.papers.bodies import Draw, Note, Settle
from pbem.protocol.papers.entry import compose
from pbem.protocol.papers.times import seconds, stamp
from tests.scenes import orders, play, reach, table_of, texts
from tests.table import Player, entry_of, give, players, same_everywhere

HOURS = 3600


def two_halves(player: Player, one: str = "swear", other: str = "done") -> tuple[bytes, bytes]:
    """Two different lists of orders with one number."""
    head = player.head("orders")
    return (
        compose(head, player.secrets.orders(one), player.key),
        compose(head, player.secrets.orders(other), player.key),
    )


# --- doubles


def both_built_on(table: dict[str, Player], halves: tuple[bytes, bytes]) -> list[bytes]:
    """Each of two other seats has seen one half, and says so; nobody has seen both."""
    ids = [entry_of(raw).id for raw in halves]
    return [table[seat].entry("note", Note(), (one,)) for seat, one in zip("bc", ids, strict=True)]


@pytest.mark.parametrize("count", [2, 3])
def test_a_double_on_which_nobody_has_built_heals_the_same_everywhere(count: int) -> None:
    table = table_of(count)
    halves = two_halves(table["a"])
    logs = []
    for order in itertools.permutations(halves):
        late = Player(table["b"].contract, "b", table["b"].key, table["b"].rules)
        for raw in order:
            late.receive(raw)
        assert late.ledger.state.verdict is None and late.ledger.state.number == 1
        logs.append(late.texts)
    assert logs[0] == logs[1]


@pytest.mark.parametrize("choice", [0, 1])
def test_the_half_counts_that_others_have_built_on(choice: int) -> None:
    """Whatever arrives first; the other half comes to nothing, and no verdict is needed."""
    table = table_of(2)
    halves = two_halves(table["a"], "hit b", "swear\nhit b")
    table["b"].receive(halves[choice])
    answer = table["b"].answer()
    assert answer is not None and entry_of(answer).head.head == entry_of(halves[choice]).id
    logs = []
    for order in itertools.permutations([*halves, answer]):
        late = Player(table["a"].contract, "a", table["a"].key, table["a"].rules)
        for raw in order:
            late.receive(raw)
        assert late.ledger.state.verdict is None
        logs.append(late.texts)
    assert all(log == logs[0] for log in logs)
    assert entry_of(halves[choice]).id in logs[0][0][0]


def test_a_double_on_which_others_have_built_apart_names_its_author() -> None:
    table = table_of(3)
    halves = two_halves(table["a"])
    entries = [*halves, *both_built_on(table, halves)]
    for order in itertools.permutations(entries):
        late = Player(table["b"].contract, "b", table["b"].key, table["b"].rules)
        for raw in order:
            late.receive(raw)
        verdict = late.ledger.state.verdict
        assert verdict is not None and verdict.culprit == "a"
        assert verdict.reason == Fact("SignedTwice", {"lane": "decide", "number": 1})
        assert {verdict.first, verdict.entry} == {entry_of(raw).id for raw in halves}
        assert set(late.ledger.due()) == {"a", "b", "c"}, "what was hidden is still audited"
        again = Player(table["b"].contract, "b", table["b"].key, table["b"].rules)
        for logged in late.log:
            again.receive(logged.entry.raw)
        assert again.texts == late.texts


def test_where_a_double_ended_lines_apart_every_audit_counts() -> None:
    """Each honest line ends with its own half; that says nothing against what a seat publishes."""
    table = table_of(3)
    halves = two_halves(table["a"])
    built = both_built_on(table, halves)
    for seat in "bc":
        own = [raw for raw in built if entry_of(raw).seat == seat]
        mine = [raw for raw in halves if entry_of(raw).id in entry_of(own[0]).head.seen]
        for raw in (*mine, *own, *halves, *built):
            table[seat].receive(raw)
    b, c = table["b"], table["c"]
    assert all(p.ledger.state.verdict is not None and p.ledger.state.verdict.culprit == "a" for p in (b, c))
    for player, other in ((b, c), (c, b)):
        raw = player.audit()
        assert raw is not None
        player.receive(raw)
        other.receive(raw)
    for player in (b, c):
        assert set(player.ledger.missing()) == {"a"}, "nobody honest can be claimed to be late"


def test_two_notes_with_one_number_lock_nobody_out() -> None:
    """An order has seen one of them; then the other comes, whose id is the lower: the order still counts."""
    for salt in range(8):
        table = table_of(3)
        b = table["b"]
        head = b.head("note")
        one = compose(head, Note(), b.key)
        other = compose(replace(head, kind="draw", sent=stamp(seconds(head.sent) + salt)), Draw(), b.key)
        raw = None
        for player in table.values():
            player.receive(one)
            raw = raw or player.decide(random.Random(1))
        assert raw is not None and entry_of(one).id in entry_of(raw).head.seen
        for player in table.values():
            for entry in (other, raw):
                player.receive(entry)
        assert entry_of(raw).id in [logged.entry.id for logged in same_everywhere(table).log]


def sealed_halves(player: Player, rng: random.Random, count: int) -> list[bytes]:
    """So many different sealed choices with one number."""
    halves: dict[str, bytes] = {}
    while len(halves) < count:
        owed = player.owed()
        move = owed.options.sample(rng, player.secrets.view(owed.options))
        raw = compose(
            player.head("sealed"), player.secrets.sealed_choice(owed.options, move, False), player.key
        )
        halves[entry_of(raw).id] = raw
    return [raw for _, raw in sorted(halves.items())]


def test_a_double_in_a_round_of_several_is_seen_by_the_position() -> None:
    """All name the same head after it: the position alone tells on which half they stand."""
    table = players(3)
    reach(table, "bid", random.Random(3))
    rng = random.Random(1)
    one, other = sealed_halves(table["a"], rng, 2)
    rest = [r for s in "bc" if (r := table[s].decide(rng)) is not None]
    for raw in (*rest, one):
        table["b"].receive(raw)
    for raw in (*rest, other):
        table["c"].receive(raw)
    mine, theirs = table["b"].answer(), table["c"].answer()
    assert mine is not None and theirs is not None
    table["b"].receive(mine)
    table["c"].receive(theirs)
    with suppress(VerificationError):
        table["b"].receive(theirs)
    table["b"].receive(other)
    assert table["b"].ledger.state.verdict is not None
    assert table["b"].ledger.state.verdict.culprit == "a"


def test_the_two_entries_alone_prove_a_double() -> None:
    table = table_of(2)
    contract = table["a"].contract
    one, other = two_halves(table["a"])
    assert double_proof(one, other, contract.keys) == "a"
    second = Player(contract, "b", table["b"].key, table["b"].rules)
    with pytest.raises(VerificationError, match="no double"):
        double_proof(one, one, contract.keys)
    with pytest.raises(VerificationError, match="no double"):
        double_proof(one, second.entry("note", Note()), contract.keys)
    forged = compose(entry_of(other).head, entry_of(other).body, table["b"].key)
    with pytest.raises(VerificationError, match="another key"):
        double_proof(one, forged, contract.keys)


# --- settlements


def agree(table: dict[str, Player], counts: str = "", but: str = "a") -> None:
    """All seats but one sign the same settlement."""
    bodies = {s: settlement(p.ledger, s, counts) for s, p in table.items() if s != but}
    for seat, body in bodies.items():
        give(table, table[seat].entry("settle", body))


@pytest.mark.parametrize("choice", [0, 1])
def test_all_others_choose_which_half_of_a_double_counts(choice: int) -> None:
    table = table_of(3)
    halves = two_halves(table["a"], "swear", "hit b")
    for raw in (*halves, *both_built_on(table, halves)):
        give(table, raw)
    assert same_everywhere(table).ledger.state.verdict is not None
    agree(table, entry_of(halves[choice]).id)
    one = same_everywhere(table)
    assert one.ledger.state.verdict is None
    assert entry_of(halves[choice]).id in [logged.entry.id for logged in one.log]
    give(table, halves[1 - choice])  # it comes again: nothing happens
    assert same_everywhere(table).ledger.state.verdict is None


def test_one_missing_or_different_vote_settles_nothing() -> None:
    table = table_of(3)
    halves = two_halves(table["a"])
    for raw in (*halves, *both_built_on(table, halves)):
        give(table, raw)
    verdict = table["b"].ledger.state.verdict
    assert verdict is not None
    give(table, table["b"].entry("settle", settlement(table["b"].ledger, "b", verdict.first)))
    assert table["b"].ledger.state.verdict == verdict
    give(table, table["c"].entry("settle", settlement(table["c"].ledger, "c", verdict.entry)))
    assert table["b"].ledger.state.verdict == verdict


def test_nobody_can_vote_a_lawful_entry_away() -> None:
    """In a game of two, b alone is `all others`: a settlement without a breach changes nothing."""
    from pbem.protocol.papers.bodies import Settle

    table = table_of(2)
    raw = orders(table["a"], "swear")
    give(table, table["b"].entry("settle", Settle("a", entry_of(raw).id)))
    give(table, raw)
    one = same_everywhere(table)
    assert one.ledger.position.players["a"].points == 1
    assert one.ledger.state.verdict is None


def test_who_signed_two_halves_passes_none_of_them_over() -> None:
    """The vote blames the other seat, so its author would be "all others"."""
    a, b = table_of(2).values()
    one, two = (compose(b.head("note"), body, b.key) for body in (Note(), Draw()))
    for raw in (one, two):
        with suppress(VerificationError):
            a.receive(raw)
    halves = [entry_of(one), entry_of(two)]
    b.receive(one)
    vote = b.entry("settle", Settle("a", halves[0].id, halves[1].id))
    a.ledger.votes[entry_of(vote).id] = entry_of(vote)
    assert without_settled(a.ledger, halves) == halves


def test_after_a_breach_the_others_may_agree_to_wait_for_a_lawful_entry() -> None:
    table = table_of(3)
    player = table["a"]
    body = player.secrets.orders("hit b")
    bad = player.entry("orders", replace(body, link="11" * 32))
    give(table, bad)
    verdict = same_everywhere(table).ledger.state.verdict
    assert verdict is not None and verdict.reason.event == "LinkFalse"
    agree(table)
    one = same_everywhere(table)
    assert one.ledger.state.verdict is None and one.asked == "a" and not one.log
    assert list(one.ledger.missing()) == ["a"]
    good = orders(player, "swear")
    assert entry_of(good).head.seq == 2
    give(table, good)
    one = same_everywhere(table)
    assert "a: void, as the others agreed" in texts(table)
    assert one.ledger.position.players["a"].points == 1
    late = Player(one.contract, "b", table["b"].key, one.rules)
    late.ledger.votes = {e.id: e for e in map(entry_of, votes_of(table))}
    for logged in one.log:
        late.receive(logged.entry.raw)
    assert late.texts == one.texts


def votes_of(table: dict[str, Player]) -> list[bytes]:
    return [raw for p in table.values() for raw in p.signed if entry_of(raw).head.kind == "settle"]


# --- void entries


@pytest.mark.parametrize("text", ["hit a", "lose face", "what", "    boast 1", "?"])
def test_a_list_whose_first_order_is_illegal_is_void_and_uses_up_its_number(text: str) -> None:
    table = table_of(2)
    body = table["a"].secrets.orders("swear")
    give(table, table["a"].entry("orders", replace(body, orders=f"{text}\n")))
    one = same_everywhere(table)
    assert one.ledger.state.verdict is None and one.asked == "a"
    assert one.ledger.state.seats["a"].decided == 1 and one.ledger.state.seats["a"].links == 1
    assert [e.data["void"] for e in one.log[0].events if "void" in e.data] == [True]
    assert one.ledger.position.players["a"].points == 0
    play(table, "a", "swear")
    assert same_everywhere(table).ledger.position.players["a"].points == 1
