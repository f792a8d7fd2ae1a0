"""A seat that vanishes from a game of three or more: the others put its secret together and go on."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pbem.doing import agreeing
from pbem.doing.notices import OUT, notices
from pbem.errors import MalformedError, PbemError
from pbem.outgoing import outgoing
from pbem.protocol.crypto.canonical import digest
from pbem.protocol.papers import piece_fields, pieces
from pbem.protocol.papers.bodies import Late, Say
from pbem.protocol.papers.contract import conclude
from pbem.protocol.papers.invitation import Invite
from pbem.protocol.papers.paper import write_paper
from pbem.protocol.papers.pieces import Dealt
from pbem.protocol.papers.times import seconds, stamp
from pbem.protocol.rounds.events import NumbersFell
from pbem.protocol.rounds.state import Why
from tests.homes import party
from tests.scenes import call_late, events, fault, orders, reach, table_of, verified
from tests.table import (
    Player,
    give,
    key_of,
    make_contract,
    play_out,
    players,
    same_everywhere,
    settle,
)
from tests.test_ledger_keys import consent, with_new_key

Table = dict[str, Player]


def step(table: Table, rng: random.Random) -> bool:
    """One decision of somebody who is asked, and the answers to it."""
    for player in table.values():
        raw = player.decide(rng)
        if raw is not None:
            give(table, raw)
            settle(table)
            return True
    return False


def go_on_without(table: Table, *gone: str) -> Table:
    """The others play until only seats that are gone are waited for, and call these late; who stays."""
    rest = {seat: player for seat, player in table.items() if seat not in gone}
    rng = random.Random(" ".join(gone))
    settle(rest)
    while not (late := tuple(next(iter(rest.values())).ledger.missing())) or not set(late) <= set(gone):
        assert step(rest, rng), late
    call_late(rest, *late)
    settle(rest)
    return rest


def without(table: Table, *gone: str) -> Table:
    """These seats are waited for, and all others call them late; returns these."""
    rest = {seat: player for seat, player in table.items() if seat not in gone}
    call_late(rest, *gone)
    return rest


@contextmanager
def dealer(seat: str, spoil: Any) -> Iterator[None]:
    """One seat deals otherwise than its program does."""
    honest = piece_fields.deal_all

    def deal(*args: Any) -> dict[str, Dealt]:
        made = honest(*args)
        return spoil(made, *args) if args[3] == seat else made

    with patch.object(piece_fields, "deal_all", deal):
        yield


# --- the splitting


@pytest.mark.parametrize(("seats", "threshold"), [(3, 2), (4, 2), (4, 3), (5, 3), (6, 4), (6, 2)])
def test_any_so_many_pieces_make_the_secret_and_fewer_do_not(seats: int, threshold: int) -> None:
    secret, listed, names = digest("s", seats), digest("list", threshold), list("abcdef")[:seats]
    of = digest("secret", listed, "a", secret).hex()
    made = {h: pieces.split(secret, b"context", threshold, names.index(h) + 1) for h in names[1:]}
    for chosen in itertools.combinations(made, threshold):
        some = {h: made[h] for h in chosen}
        assert pieces.put_together(listed, names, "a", of, threshold, some) == secret
        del some[chosen[0]]
        assert pieces.put_together(listed, names, "a", of, threshold, some) is None
        assert pieces.join({names.index(h) + 1: one for h, one in some.items()}) != secret
    assert len(set(made.values())) == seats - 1


def test_the_usual_threshold_lets_two_vanish_at_once_and_nobody_look_alone() -> None:
    assert [pieces.usual_threshold(n) for n in range(2, 7)] == [0, 2, 2, 3, 4]
    for wrong in ((2, 2), (3, 1), (3, 3), (6, 0), (6, 6)):
        with pytest.raises(MalformedError, match="threshold"):
            pieces.check_threshold(*wrong)


def test_a_contract_of_two_seats_says_nothing_of_pieces() -> None:
    contract, _ = make_contract(2)
    papers = b"".join(contract.papers.values())
    assert not any(word in papers for word in (b"threshold", b"hold = ", b"pieces", b"seed"))


def test_a_contract_in_which_a_piece_is_missing_or_no_piece_begins_no_game() -> None:
    for spoil in (
        lambda made, *_: dict(list(made.items())[1:]),
        lambda made, *_: {h: replace(one, once="00" * 32) for h, one in made.items()},
        lambda made, *_: {h: replace(one, commit="5A" * 32) for h, one in made.items()},
    ):
        with dealer("a", spoil), pytest.raises(PbemError):
            make_contract(3)


def test_pieces_follow_from_the_key_alone() -> None:
    one, _ = make_contract(4)
    two, _ = make_contract(4)
    assert one.papers == two.papers


# --- going on


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_a_game_goes_on_to_its_end_and_is_audited_without_a_seat_that_vanished(count: int) -> None:
    table = players(count)
    rng = random.Random(count)
    settle(table)
    for _ in range(count):
        step(table, rng)
    gone = rng.choice(list(table))
    rest = go_on_without(table, gone)
    one = same_everywhere(rest)
    assert one.ledger.state.opened == {gone: table[gone].secrets.secret.hex()}
    assert one.ledger.state.opened_boxes == {gone: table[gone].secrets.box_secret.hex()}
    play_out(rest, rng)
    one = same_everywhere(rest)
    assert one.over and set(one.ledger.state.gone) == {gone} and not one.ledger.missing()
    found = verified(one)
    assert found.ok and all(found.audited.values()), (
        "the secret that was put together is audited like the others"
    )


def test_what_the_seat_hid_is_shown_from_there_on_and_nothing_of_the_others_ever() -> None:
    table = players(4)
    settle(table)
    for _ in range(6):
        step(table, random.Random(2))
    gone = "c"
    secrets = {seat: player.secrets.secret.hex() for seat, player in table.items()}
    rest = go_on_without(table, gone)
    one = same_everywhere(rest)
    place = next(n for n, logged in enumerate(one.log) if secrets[gone] in logged.text())
    assert "SecretOpened" in one.log[place].text()
    for number, logged in enumerate(one.log):
        whole = logged.text() + logged.position + logged.entry.raw.decode()
        assert not any(secrets[seat] in whole for seat in rest), "nobody else's secret is in the log"
        assert number >= place or secrets[gone] not in whole


def test_the_die_that_was_waited_for_falls_as_it_would_have_fallen() -> None:
    """Whoever is the last to give a link, and sees what it will make, cannot change it by vanishing."""

    def fallen(vanish: bool) -> list[NumbersFell]:
        table = table_of(4, salt="die")
        a, d = table["a"], table["d"]
        raw = orders(a, "hit b")
        give(table, raw)
        rest = {s: p for s, p in table.items() if s != "d"}
        for player in rest.values():
            answer = player.answer()
            if answer is not None:
                give(table, answer)
        assert set(a.ledger.missing()) == {"d"} and d.owed().link
        if vanish:
            call_late(rest, "d")
            settle(rest)
        else:
            settle(table)
        return [
            e for e in events(rest.values()) if isinstance(e, NumbersFell) and (e.seed, e.request) == (1, 0)
        ]

    assert fallen(True) == fallen(False) != []


def test_two_of_five_that_vanish_at_once_stop_nothing() -> None:
    table = players(5)
    reach(table, "bid", random.Random(3))
    rest = {seat: table[seat] for seat in "cde"}
    for player in rest.values():
        raw = player.decide(random.Random(1))
        assert raw is not None
        give(rest, raw)
    assert set(rest["c"].ledger.missing()) == {"a", "b"}
    call_late(rest, "a", "b")
    settle(rest)
    assert set(same_everywhere(rest).ledger.state.opened) == {"a", "b"}
    play_out(rest, random.Random(3))
    one = same_everywhere(rest)
    assert one.over and set(one.ledger.state.gone) == {"a", "b"} and verified(one).ok


def test_half_of_the_seats_cannot_call_the_other_half_late() -> None:
    table = players(4)
    reach(table, "bid", random.Random(3))
    rest = without(table, "a", "b")
    one = same_everywhere(rest)
    assert not one.ledger.state.gone and [len(calls) for calls in one.ledger.called().values()] == [2]


def test_who_gives_no_word_on_a_call_is_named_in_a_further_one() -> None:
    table = table_of(5)
    rest = {seat: table[seat] for seat in "cde"}
    call_late(rest, "a")
    assert not same_everywhere(rest).ledger.state.gone, "b has not signed it"
    call_late(rest, "a", "b")
    settle(rest)
    one = same_everywhere(rest)
    assert set(one.ledger.state.opened) == {"a", "b"}
    play_out(rest, random.Random(1))
    assert verified(same_everywhere(rest)).ok


def test_a_holder_that_signs_the_call_and_then_gives_nothing_vanishes_too() -> None:
    table = table_of(4)
    rest = without(table, "a")
    assert same_everywhere(rest).ledger.state.closed == ("a",)
    left = {seat: player for seat, player in rest.items() if seat != "b"}
    settle(left)
    assert list(left["c"].ledger.missing()) == ["b"]
    call_late(left, "b")
    settle(left)
    one = same_everywhere(left)
    assert set(one.ledger.state.opened) == {"a", "b"}
    assert {gone.why for gone in one.ledger.state.gone.values()} == {Why.LATE}


def test_when_fewer_remain_than_the_threshold_says_the_game_ends_and_nobody_wins() -> None:
    table = table_of(4, threshold=3)
    left = {"c": table["c"], "d": table["d"]}
    rest = without(table, "a")
    settle(left)
    assert list(rest["c"].ledger.missing()) == ["b"]
    call_late(left, "b")
    end = same_everywhere(left).ledger.position.outcome
    assert end is not None and end.winners == () and end.reason.event == "SecretMissing"


def test_of_three_seats_of_which_two_are_gone_the_last_cannot_end_the_game_alone() -> None:
    table = table_of(3)
    rest = without(table, "a")
    c = {"c": rest["c"]}
    settle(c)
    call_late(c, "b")
    assert set(c["c"].ledger.state.gone) == {"a"} and list(c["c"].ledger.missing()) == ["b"]


def test_a_seat_whose_secret_does_not_give_what_it_owes_ends_the_game_and_is_named() -> None:
    """Else the others would be asked for the same round again and again."""
    table = players(3, salt="useless")
    a = table["a"]
    honest = a.secrets.answer(a.owed())
    others = tuple(f"{n:064x}" for n in range(len(honest.commits)))
    give(table, a.entry("answers", replace(honest, commits=others)))
    rest = go_on_without(table, "a")
    play_out(rest, random.Random(1), limit=60)
    one = same_everywhere(rest)
    assert fault(one, "a") == "SecretUseless"
    end = one.ledger.position.outcome
    assert end is not None and end.winners == () and end.reason.event == "SecretUseless"


# --- what crosses


@pytest.mark.parametrize("built", [True, False])
def test_an_answer_that_crosses_a_complete_call_is_judged_alike_in_every_order(built: bool) -> None:
    """It counts if one of the others has built on it; else the call does."""
    table = table_of(3)
    move = orders(table["a"], "swear")
    calls = [table[seat].entry("late", Late(("a",))) for seat in "bc"]
    made = [move, *calls]
    if built:
        table["b"].receive(move)
        made.append(table["b"].entry("say", Say("I have got it")))
    ends = set()
    for order in itertools.permutations(made):
        late = Player(table["c"].contract, "c", table["c"].key, table["c"].rules)
        for raw in order:
            late.receive(raw)
        ends.add((late.ledger.text, len(late.log)))
        assert ("a" in late.ledger.state.gone) is not built and late.ledger.split is None
    assert len(ends) == 1


def test_what_all_have_called_and_built_on_stands_and_who_comes_back_is_out() -> None:
    table = table_of(3)
    a = table["a"]
    move = orders(a, "swear")
    rest = without(table, "a")
    settle(rest)
    one = same_everywhere(rest)
    line = [logged.entry.raw for logged in one.log]
    texts_there = {one.ledger.text}
    orders_ = [[move, *line], [*line, move], [*line[:2], move, *line[2:]], [*line[2:], move, *line[:2]]]
    for order in (*orders_, *(random.Random(n).sample([move, *line], len(line) + 1) for n in range(20))):
        late = Player(a.contract, "a", a.key, a.rules)
        for raw in order:
            late.receive(raw)
        texts_there.add(late.ledger.text)
    assert len(texts_there) == 1
    for raw in (move, *line):
        a.receive(raw)
    assert a.owed() is None and "a" in a.ledger.state.opened
    give(table, move)
    word = a.entry("say", Say("I am back"))
    give(table, word)
    play_out(rest, random.Random(4))
    one = same_everywhere(rest)
    assert one.over and not {move, word} & {logged.entry.raw for logged in one.log}


# --- new keys


@pytest.mark.parametrize("who", ["a", "b"])
def test_new_keys_mean_new_pieces_for_a_seat_that_deals_and_for_one_that_holds(who: str) -> None:
    """Who has new keys vanishes (a), or must give a piece (b): both go as before."""
    table = table_of(3)
    new = key_of(who, "new")
    consent(table, who, new)
    table[who] = with_new_key(table[who], new)
    rest = go_on_without(table, "a")
    state = same_everywhere(rest).ledger.state
    assert state.seats[who].key == new.public.hex()
    assert state.opened["a"] == table["a"].secrets.secret.hex()


def test_nothing_that_is_put_together_opens_the_pieces_that_the_seat_holds() -> None:
    """What is published of a seat is its own secret and boxes; what others dealt to it stays closed."""
    table = table_of(4)
    rest = without(table, "a")
    settle(rest)
    state, contract = same_everywhere(rest).ledger.state, table["a"].contract
    told = bytes.fromhex(state.opened["a"]), bytes.fromhex(state.opened_boxes["a"])
    for seat in "bcd":
        of, dealt = contract.seats[seat].commitment, contract.seats[seat].pieces["a"]
        for seed in told:
            x = pieces.hold_scalar(seed, contract.invite.table, "a")
            assert pieces.open_piece(contract.listed, of, "a", dealt, x) is None
        own = pieces.hold_scalar(table["a"].answering.seed, contract.invite.table, "a")
        assert pieces.open_piece(contract.listed, of, "a", dealt, own) is not None


def test_an_invitation_with_a_threshold_that_makes_no_sense_is_refused() -> None:
    contract, _ = make_contract(3)
    for wrong in (0, 1, 3):
        raw = write_paper(replace(contract.invite, threshold=wrong), Invite, None)
        with pytest.raises(PbemError):
            conclude({**contract.papers, "invite": raw})


# --- on disk


def test_three_homes_go_on_without_the_third_and_it_is_told_when_it_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls and pieces as the program makes them, each by the clock of its own machine."""
    game = party(tmp_path, monkeypatch, 3)
    game.exchange()
    gone = next(iter(game.tables["a"].ledger.missing()))
    late = game.tables.pop(gone)
    first = next(iter(game.tables.values()))
    while set(first.ledger.missing()) != {gone}:
        assert game.decide() is not None
        game.exchange()
    clocks = first.contract.invite.clocks

    def after(hours: int) -> None:
        for table in game.tables.values():
            begun = seconds(table.came())
            table.clock = lambda begun=begun: stamp(begun + hours * 3600)  # type: ignore[misc]

    after(clocks.move)
    with pytest.raises(PbemError):
        agreeing.call(first)
    after(clocks.move + clocks.grace + 1)
    for seat, table in game.tables.items():
        game.act(seat, "late", agreeing.call(table))
    game.exchange()
    assert all(table.ledger.state.closed == (gone,) for table in game.tables.values()), "it is held first"
    after(clocks.grace + 1)
    game.exchange()
    assert all(gone in table.ledger.state.opened for table in game.tables.values())
    assert len({table.fingerprint for table in game.tables.values()}) == 1
    late.receive(outgoing(first, gone))
    assert late.fingerprint == first.fingerprint and gone in late.ledger.state.opened
    assert late.due() is None and OUT in notices(late) and OUT not in notices(first)
