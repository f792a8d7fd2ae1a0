"""One log for everybody: whatever the order in which entries arrive, twice, late and with gaps."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from functools import lru_cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.errors import VerificationError
from pbem.protocol.papers.acceptance import make_accept, read_accept, table_secret
from pbem.protocol.papers.bodies import Draw, Revoke, Standing
from pbem.protocol.papers.contract import conclude, game_secret, list_digest, make_signing
from pbem.protocol.papers.entry import compose, read
from pbem.protocol.papers.times import stamp
from tests.scenes import Deeds, events, orders, play, table_of, texts
from tests.table import (
    START,
    Network,
    Player,
    entry_of,
    give,
    key_of,
    make_contract,
    play_out,
    players,
    same_everywhere,
    settle,
)

SLOW = settings(deadline=None, max_examples=6, suppress_health_check=list(HealthCheck))
TABLES = [(2, "own"), (2, "shared"), (3, "own"), (3, "shared"), (6, "own"), (6, "shared")]


@lru_cache(maxsize=16)
def whole_game(count: int, deck: str, seed: int = 1) -> tuple[dict[str, Player], tuple[bytes, ...]]:
    """A game over bad mail, with standing orders, words and offers on the way."""
    table = players(count, options={"deck": deck})
    return table, tuple(Network(table, random.Random(f"{count} {deck} {seed}")).play())


def watcher(table: dict[str, Player]) -> Player:
    """Somebody who has seen nothing yet."""
    some = next(iter(table.values()))
    return Player(some.contract, some.seat, some.key, some.rules)


# --- arrival never matters


@pytest.mark.parametrize(("count", "deck"), TABLES)
def test_players_who_only_exchange_late_and_doubled_mail_hold_the_same_bytes(count: int, deck: str) -> None:
    table, _ = whole_game(count, deck)
    one = same_everywhere(table)
    assert one.ledger.state.number > 12 * count and one.over and set(one.ledger.state.opened) == set(table)
    assert one.ledger.state.gone == {} and one.ledger.split is None
    assert one.ledger.position.outcome is not None


@pytest.mark.parametrize(("count", "deck"), TABLES)
@given(data=st.data())
@SLOW
def test_entries_in_any_order_twice_and_with_gaps_make_the_same_log(count: int, deck: str, data) -> None:
    table, sent = whole_game(count, deck)
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    shuffled = [*sent, *rng.choices(sent, k=len(sent) // 3)]
    rng.shuffle(shuffled)
    late = watcher(table)
    reopen = {rng.randrange(len(shuffled)) for _ in range(3)}
    for number, raw in enumerate(shuffled):
        late.receive(raw)
        if number in reopen:
            late.reopen()
    one = same_everywhere(table)
    assert late.texts == one.texts
    assert late.ledger.text == one.ledger.text
    assert set(late.ledger.pool) == set(one.ledger.pool)


@pytest.mark.parametrize(("count", "deck"), TABLES[:4])
def test_a_gap_stops_the_log_until_it_is_filled(count: int, deck: str) -> None:
    table, _ = whole_game(count, deck)
    one = same_everywhere(table)
    sent = [logged.entry.raw for logged in one.log]
    missing = len(sent) // 2
    late = watcher(table)
    for raw in [*sent[:missing], *sent[missing + 1 :]]:
        late.receive(raw)
    assert late.ledger.state.number <= missing
    assert one.texts[: len(late.log)] == late.texts
    late.receive(sent[missing])
    assert late.texts == one.texts


@pytest.mark.parametrize(("count", "deck"), TABLES[:4])
def test_the_log_offered_in_its_own_order_makes_itself_again(count: int, deck: str) -> None:
    """What a spectator does who has nothing but the moves."""
    table, _ = whole_game(count, deck)
    one = same_everywhere(table)
    late = watcher(table)
    for logged in one.log:
        late.receive(logged.entry.raw)
        assert len(late.log) <= logged.number
        assert late.texts == one.texts[: len(late.log)]
    assert late.texts == one.texts and not late.ledger.pool


def test_such_games_have_what_they_must_have() -> None:
    """An enemy deciding in the middle of a list, several deciders in a round, standing orders that fire."""
    counts = dict.fromkeys(["tails", "deciders", "fired", "declined", "returned"], 0)
    for seed in range(1, 60):
        table, _ = whole_game(3, "own", seed)
        one = same_everywhere(table)
        tips: dict[tuple[str, ...], set[str]] = {}
        for logged in one.log:
            head, body = logged.entry.head, logged.entry.body
            counts["tails"] += head.kind == "answers" and body.tail is not None
            if head.kind == "sealed":
                tips.setdefault(head.after, set()).add(head.seat)
        told = texts(table)
        counts["deciders"] += sum(len(seats) > 1 for seats in tips.values())
        counts["fired"] += sum(t.startswith("standing order of") for t in told)
        counts["declined"] += sum("does not cover this" in t for t in told)
        counts["returned"] += sum("goes back" in t for t in told)
        if min(counts.values()) > 0:
            return
    raise AssertionError(f"something never came: {counts}")


@pytest.mark.parametrize("deck", ["own", "shared"])
def test_a_position_goes_on_from_its_text_alone(deck: str) -> None:
    table, other = players(3, options={"deck": deck}), players(3, options={"deck": deck})
    play_out(table, random.Random(4))
    rng = random.Random(4)
    settle(other)
    while (raw := next((r for p in other.values() if (r := p.decide(rng) or p.audit())), None)) is not None:
        give(other, raw)
        settle(other)
        for player in other.values():
            player.reopen()
    assert same_everywhere(other).texts == same_everywhere(table).texts


# --- entries out of turn


def hurt(table: dict[str, Player], target: str) -> bool:
    """Whether the target is asked for a loss."""
    owed = table[target].owed()
    return owed is not None and owed.options is not None and owed.options.kind == "loss"


def test_an_entry_out_of_turn_counts_from_the_entry_that_has_seen_it() -> None:
    table = table_of(2)
    standing = table["b"].entry("standing", Standing("loss", ("lose face",)))
    table["b"].receive(standing)  # on its way, not at a yet
    play(table, "a", "swear")
    assert "b loss" not in table["b"].ledger.state.standing
    table["a"].receive(standing)
    assert "b loss" not in table["a"].ledger.state.standing
    play(table, "a", "swear")
    kinds = [one.entry.head.kind for one in table["b"].log]
    assert kinds == ["orders", "standing", "orders"]
    assert table["b"].log[2].entry.head.seen == (entry_of(standing).id,)
    assert "b loss" in table["b"].ledger.state.standing
    same_everywhere(table)


def test_a_standing_order_cannot_be_back_dated() -> None:
    """After the die has fallen, b signs a standing order that pretends to be older: it does not act there."""
    for salt in range(10):
        table = table_of(2, salt=str(salt))
        before = table["b"].head("standing")
        play(table, "a", "hit b")
        if not hurt(table, "b"):
            continue
        back_dated = compose(before, Standing("loss", ("lose face",)), table["b"].key)
        give(table, back_dated)
        assert hurt(table, "b"), "the question stays open"
        assert not any("standing order" in text for text in texts(table))
        # b is asked, so its own later entry takes the older one in: from now on it counts
        play(table, "b", "lose stone")
        assert [e.data.get("order") for e in events(table.values()) if e.rule == "5.2"] == ["lose stone"]
        assert "b loss" in table["a"].ledger.state.standing
        same_everywhere(table)
        return
    raise AssertionError("no hit in ten tries")


def test_a_revoked_standing_order_acts_no_more() -> None:
    table = table_of(2)
    give(table, table["b"].entry("standing", Standing("loss", ("lose face",))))
    play(table, "a", "swear")
    give(table, table["b"].entry("revoke", Revoke("loss")))
    play(table, "a", "swear")
    assert table["a"].ledger.state.standing == {}
    assert "b: no standing order for loss any more" in texts(table)


def test_an_entry_waits_until_what_it_has_seen_is_there() -> None:
    table = table_of(2)
    standing = table["b"].entry("standing", Standing("loss", ("lose face",)))
    for player in table.values():
        player.receive(standing)
    first = orders(table["a"], "swear")
    late = watcher(table)
    assert late.receive(first) == []
    assert [one.entry.head.kind for one in late.receive(standing)] == ["standing", "orders"]


def test_an_entry_waits_until_what_comes_before_what_it_has_seen_is_there() -> None:
    """a lists b's second entry under `seen`: that takes in the first one too, wherever it arrives last."""
    table = table_of(2)
    first = table["b"].entry("draw", Draw())
    give(table, first)
    second = table["b"].entry("standing", Standing("loss", ("lose face",)))
    give(table, second)
    raw = orders(table["a"], "swear", seen=(entry_of(second).id,))
    give(table, raw)
    for order in itertools.permutations([first, second, raw]):
        late = watcher(table)
        for one in order:
            late.receive(one)
        assert [logged.entry.head.kind for logged in late.log] == ["draw", "standing", "orders"]
        assert late.texts == table["a"].texts


# --- two devices of one player


def test_two_devices_of_one_player_make_the_same_answers_and_nobody_is_accused() -> None:
    table = players(3)
    second = Player(table["b"].contract, "b", table["b"].key)
    rng = random.Random(8)
    devices = {**table, "b, at work": second}
    answered = 0
    for _ in range(400):
        raws = [raw for p in devices.values() if (raw := p.answer()) is not None]
        own, other = table["b"].answer(), second.answer()
        assert own == other
        answered += own is not None
        if not raws:
            raw = next((r for p in table.values() if (r := p.decide(rng) or p.audit()) is not None), None)
            if raw is None:
                break
            raws = [raw]
        for raw in raws:
            for device in rng.sample(list(devices.values()), len(devices)):
                device.receive(raw)
    one = same_everywhere(devices)
    assert answered > 5 and one.over
    assert one.ledger.state.gone == {} and one.ledger.split is None


# --- tables with one name


def test_a_second_table_of_the_same_name_learns_nothing() -> None:
    """The same players, the same table id, fresh nonces: no secret, link, seal or entry is shared."""
    first, second = players(2), players(2)
    other, keys = make_contract(2, salt="")
    assert other.game == first["a"].contract.game  # the same nonces: this is the same table
    seats = list(other.seats)
    invite = other.papers["invite"]
    accepts = [make_accept(keys[s], invite, s, s.upper(), bytes([9, n] * 16)) for n, s in enumerate(seats)]
    papers = {"invite": invite}
    for seat, accept in zip(seats, accepts, strict=True):
        papers |= {
            f"accept-{seat}": accept,
            f"sign-{seat}": make_signing(keys[seat], invite, accepts, seat, stamp(START)),
        }
    again = conclude(papers)
    assert again.invite.table == other.invite.table and again.game != other.game
    second = {seat: Player(again, seat, keys[seat]) for seat in seats}
    assert first["a"].secrets.secret != second["a"].secrets.secret
    assert again.seats["a"].tip != other.seats["a"].tip
    one, two = play_out(first, random.Random(1)), play_out(second, random.Random(1))
    shared = set(links_of(one)) & set(links_of(two))
    assert not shared and len(set(links_of(one))) > 10
    for raw in one:
        with pytest.raises(VerificationError, match="another game"):
            second["b"].receive(raw)


def links_of(raws: list[bytes]) -> list[str]:
    return [link for raw in raws if (link := getattr(entry_of(raw).body, "link", ""))]


def test_one_acceptance_serves_one_list() -> None:
    """An inviter who shows two lists with one acceptance gets unrelated commitments, tips and chains."""
    contract, keys = make_contract(2)
    invite = contract.papers["invite"]
    mine = contract.papers["accept-a"]
    stranger = key_of("stranger")
    others = [
        contract.papers["accept-b"],
        make_accept(stranger, invite, "b", "Somebody else", bytes(32)),
    ]
    nonce = read_accept(mine, invite).nonce
    secret = table_secret(keys["a"], contract.invite.table, "a", nonce)
    seen = []
    for other in others:
        signed = make_signing(keys["a"], invite, [mine, other], "a", stamp(START))
        listed = list_digest(invite, [mine, other])
        seen.append((signed, game_secret(secret, listed)))
    (one, secret_one), (two, secret_two) = seen
    assert secret_one != secret_two
    tips = [next(line for line in raw.split(b"\n") if line.startswith(b"tip")) for raw in (one, two)]
    assert tips[0] != tips[1]
    papers = dict(contract.papers) | {"sign-a": two}
    with pytest.raises(VerificationError, match="a signed another list"):
        conclude(papers)


# --- what does not fit


def test_an_early_entry_that_turns_out_to_see_another_position_blocks_nothing() -> None:
    table = table_of(2)
    first = orders(table["a"], "swear")
    table["a"].receive(first)
    table["b"].receive(orders(table["a"], "swear", pos="ab" * 32))
    table["b"].receive(first)
    assert table["b"].ledger.state.number == 1
    assert list(table["b"].ledger.missing()) == ["a"]
    give(table, orders(table["a"], "swear"))
    assert table["b"].ledger.state.number == 2


def test_an_entry_of_another_game_is_refused() -> None:
    table, other = table_of(2), players(2, salt="other")
    raw = orders(table["a"], "swear")
    with pytest.raises(VerificationError):
        other["b"].receive(raw)
    head = replace(entry_of(raw).head, game="00" * 32)
    moved = compose(head, entry_of(raw).body, table["a"].key)
    with pytest.raises(VerificationError, match="the entry belongs to another game"):
        table["b"].receive(moved)


def test_the_log_says_what_each_entry_led_to() -> None:
    table = table_of(2)
    raw = play(table, "a", "swear")
    logged = table["b"].log[0]
    assert table["b"].ledger.admit(read(raw)).id == logged.entry.id
    text = logged.text()
    assert 'kind = "orders"' in text and 'seat = "a"' in text and 'order = "swear"' in text
    assert isinstance(table["a"].rules, Deeds)
