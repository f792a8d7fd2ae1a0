"""Keys and chains that are replaced in the middle of a game."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pbem.errors import VerificationError
from pbem.protocol.crypto.keys import SigningKey
from pbem.protocol.deck import state as deck_state
from pbem.protocol.deck import wire
from pbem.protocol.papers import contract as contract_module
from pbem.protocol.papers.acceptance import box_secret, table_secret
from pbem.protocol.papers.bodies import Note, Rekey
from pbem.protocol.papers.contract import game_secret
from pbem.protocol.rounds import deck_duties
from pbem.protocol.rounds.key_papers import make_paper
from pbem.protocol.rounds.own_knowledge import chain_of
from pbem.protocol.rounds.own_secrets import Secrets
from tests.scenes import Deeds, Weather, orders, play, reach, table_of, texts
from tests.table import (
    Player,
    entry_of,
    give,
    key_of,
    make_contract,
    paper_of,
    play_out,
    players,
    same_everywhere,
    settle,
)
from tests.tiny import turns as tiny_turns

NONCE = bytes(range(32))


def with_new_key(old: Player, key: SigningKey, keep_old: bool = True, nonce: bytes = NONCE) -> Player:
    """The same seat on a new machine, with the new key and perhaps what the old one had sealed."""
    new = Player(old.contract, old.seat, key, old.rules)
    for logged in old.log:
        new.receive(logged.entry.raw)
    for entry in list(old.ledger.pool.values()):
        new.ledger.pool[entry.id] = entry
    table, seat = old.contract.invite.table, old.seat
    secret = game_secret(table_secret(key, table, seat, nonce.hex()), old.contract.listed)
    former = ((old.secrets.secret, old.secrets.box_secret),) if keep_old else ()
    new.secrets = Secrets(
        new.ledger, seat, secret, box_secret(key, table, seat, nonce.hex()), former, new.answering.seed
    )
    return new


def consent(table: dict[str, Player], seat: str, key: SigningKey) -> list[bytes]:
    """All others agree to new keys for a seat."""
    paper = paper_of(table[seat], key, NONCE)
    made = []
    for other, player in table.items():
        if other != seat:
            made.append(player.entry("rekey", player.secrets.consent(paper)))
            give(table, made[-1])
    return made


@pytest.mark.parametrize("count", [2, 3])
def test_a_seat_that_is_waited_for_goes_on_with_a_new_key(count: int) -> None:
    table = table_of(count)
    play(table, "a", "swear")
    new = key_of("a", "new")
    consent(table, "a", new)
    one = same_everywhere(table)
    assert "a goes on with new keys, as it signed with the old key" in texts(table)
    assert one.ledger.keys()["a", "decide"] == new.public
    assert one.ledger.state.seats["a"].links == 0 and one.asked == "a"
    table["a"] = with_new_key(table["a"], new, keep_old=False)
    play(table, "a", "hit b")
    assert same_everywhere(table).ledger.state.event == 1


def test_the_old_key_is_worth_nothing_any_more() -> None:
    table = table_of(2)
    thief = Player(table["a"].contract, "a", table["a"].key, table["a"].rules)
    stolen = orders(thief, "swear")
    thief.receive(stolen)
    waiting = thief.entry("note", Note())  # it would be next, and is already with b
    table["b"].receive(waiting)
    new = key_of("a", "new")
    consent(table, "a", new)
    assert table["b"].ledger.pool == {}, "entries of the old key that were not logged never will be"
    for raw in (stolen, waiting):
        with pytest.raises(VerificationError, match="another key"):
            table["b"].receive(raw)
    table["a"] = with_new_key(table["a"], new)
    play(table, "a", "swear")
    assert same_everywhere(table).ledger.position.players["a"].points == 1


def test_one_consent_is_not_enough() -> None:
    table = table_of(3)
    paper = paper_of(table["a"], key_of("a", "new"), NONCE)
    give(table, table["b"].entry("rekey", table["b"].secrets.consent(paper)))
    assert table["b"].ledger.keys() == table["b"].contract.keys
    other = paper_of(table["a"], key_of("a", "other"), NONCE)
    give(table, table["c"].entry("rekey", table["c"].secrets.consent(other)))
    assert same_everywhere(table).ledger.keys() == table["b"].contract.keys


def test_a_key_that_is_in_use_is_no_new_one() -> None:
    """Else a move that crosses the consents would be judged by a chain that its author had left."""
    table = table_of(2)
    new = key_of("a", "new")
    consent(table, "a", new)
    table["a"] = with_new_key(table["a"], new)
    again = paper_of(table["a"], new, bytes(32))
    give(table, table["b"].entry("rekey", table["b"].secrets.consent(again)))
    play(table, "a", "swear")
    one = same_everywhere(table)
    assert any("a key that is known already" in text for text in texts(table))
    assert one.ledger.state.verdict is None and len(one.ledger.state.seats["a"].former) == 1


def with_spare(count: int) -> dict[str, Player]:
    """A table whose seats have spare keys."""
    contract, keys = make_contract(count, rules=Deeds(), options={"deck": "own"}, spare=True)
    return {seat: Player(contract, seat, keys[seat], Deeds()) for seat in contract.seats}


@pytest.mark.parametrize("count", [2, 3])
def test_the_spare_key_signs_for_a_key_that_is_lost(count: int) -> None:
    table = with_spare(count)
    a, new = table["a"], key_of("a", "new")
    paper = make_paper(
        a.contract, a.ledger.state, "a", a.key.public, new, NONCE, key_of("a", "spare")
    ).decode()
    for other in list(table)[1:]:
        give(table, table[other].entry("rekey", table[other].secrets.consent(paper)))
    assert "a goes on with new keys, as it signed with its spare key" in texts(table)
    table["a"] = with_new_key(a, new, keep_old=False)
    play(table, "a", "swear")
    assert same_everywhere(table).ledger.keys()["a", "decide"] == new.public


@pytest.mark.parametrize("count", [2, 3])
def test_what_all_others_agree_on_gives_nobody_a_key_that_he_did_not_sign_for(count: int) -> None:
    """Their own keys, the new key itself, and the spare keys of others are no signature of the seat."""
    table = with_spare(count)
    a, new = table["a"], key_of("a", "new")
    for signer in (new, table["b"].key, key_of("b", "spare"), key_of("a", "other")):
        for old in (a.key.public, signer.public):
            paper = make_paper(a.contract, a.ledger.state, "a", old, new, NONCE, signer).decode()
            for other in list(table)[1:]:
                give(table, table[other].entry("rekey", table[other].secrets.consent(paper)))
    play(table, "a", "swear")
    one = same_everywhere(table)
    assert one.ledger.keys() == a.contract.keys and one.ledger.position.players["a"].points == 1


def test_a_paper_is_worth_nothing_once_its_key_has_been_replaced() -> None:
    """The spare key signed for two new keys; the first is in use and may be stolen later: it stays away."""
    table = with_spare(2)
    a, spare = table["a"], key_of("a", "spare")
    first, second, third = (key_of("a", f"new {n}") for n in range(3))
    early = make_paper(a.contract, a.ledger.state, "a", a.key.public, first, NONCE, spare).decode()
    other = make_paper(a.contract, a.ledger.state, "a", a.key.public, second, NONCE, spare).decode()
    give(table, table["b"].entry("rekey", table["b"].secrets.consent(early)))
    give(table, table["b"].entry("rekey", table["b"].secrets.consent(other)))
    table["a"] = with_new_key(a, first)
    assert same_everywhere(table).ledger.keys()["a", "decide"] == first.public
    give(table, table["b"].entry("rekey", table["b"].secrets.consent(paper_of(table["a"], third, NONCE))))
    table["a"] = with_new_key(table["a"], third)
    give(table, table["b"].entry("rekey", table["b"].secrets.consent(early)))
    play(table, "a", "swear")
    assert same_everywhere(table).ledger.keys()["a", "decide"] == third.public
    assert any("consent to new keys for a has no effect" in text for text in texts(table))


def test_consents_out_of_turn_count_when_they_are_seen() -> None:
    table = table_of(3)
    new = key_of("c", "new")
    consent(table, "c", new)  # a, who is asked, consents in turn; b's consent has not been seen then
    assert table["a"].ledger.keys()["c", "decide"] != new.public
    play(table, "a", "swear")
    assert same_everywhere(table).ledger.keys()["c", "decide"] == new.public


@pytest.mark.parametrize(
    "spoil",
    [
        lambda paper: paper.replace("nonce = ", "nonse = "),
        lambda paper: paper.replace('seat = "a"', 'seat = "b"'),
        lambda paper: paper.replace("tip = ", "tip = 3\nx = "),
        lambda paper: "not a paper",
    ],
)
def test_a_paper_that_is_not_in_order_replaces_nothing(spoil) -> None:
    table = table_of(2)
    paper = paper_of(table["a"], key_of("a", "new"), NONCE)
    give(table, table["b"].entry("rekey", Rekey(spoil(paper))))
    play(table, "a", "swear")
    assert any("not in order" in text for text in texts(table))
    assert same_everywhere(table).ledger.keys() == table["b"].contract.keys


def test_a_key_of_another_seat_or_game_is_refused() -> None:
    table, elsewhere = table_of(2), table_of(2, salt="elsewhere")
    for paper in (
        paper_of(table["a"], table["b"].key, NONCE),
        paper_of(elsewhere["a"], key_of("a", "new"), NONCE),
    ):
        give(table, table["b"].entry("rekey", table["b"].secrets.consent(paper)))
    play(table, "a", "swear")
    assert sum("not in order" in text for text in texts(table)) == 2


def test_a_chain_cannot_be_fitted_to_links_that_are_already_out() -> None:
    """b owes the last link of a die and asks for new keys instead: all others' links are then asked anew."""
    table = table_of(3)
    orders_of_a = orders(table["a"], "hit b")
    give(table, orders_of_a)
    answer = table["c"].answer()
    assert answer is not None
    give(table, answer)
    assert list(table["a"].ledger.missing()) == ["b"]
    consent(table, "b", key_of("b", "new"))
    assert set(table["a"].ledger.missing()) == {"a", "b", "c"}
    table["b"] = with_new_key(table["b"], key_of("b", "new"))
    made = settle(table)
    fresh = {entry_of(raw).body.link for raw in made if entry_of(raw).body.link}
    assert len(fresh) == 3 and not fresh & {entry_of(raw).body.link for raw in (orders_of_a, answer)}
    assert same_everywhere(table).ledger.state.event == 1


@pytest.mark.parametrize("deck", ["own", "shared"])
def test_what_the_old_secret_sealed_the_old_secret_opens(deck: str) -> None:
    """In the middle of a game with hands, cups and seals one seat changes its key; the game ends in order."""
    for seed in range(3):
        table = players(3, options={"deck": deck})
        rng = random.Random(f"rekey {deck} {seed}")
        seat = reach(table, rng.choice(["deed", "bid"]), rng)
        if table[seat].owed().kind == "sealed":
            give(table, table[next(s for s in table if s != seat)].decide(rng) or b"")
        new = key_of(seat, "new")
        consent(table, seat, new)
        hand = table[seat].secrets.view().known
        table[seat] = with_new_key(table[seat], new)
        assert table[seat].secrets.view().known == hand
        play_out(table, rng)
        one = same_everywhere(table)
        assert one.over and one.ledger.state.verdict is None
        assert one.ledger.state.opened_former.keys() == {seat}


# --- chains that run out


def used_up(table: dict[str, Player], seat: str, links: int) -> None:
    """Void orders use up links."""
    player = table[seat]
    for _ in range(links):
        body = replace(player.secrets.orders("swear"), orders="nonsense\n")
        give(table, player.entry("orders", body))


def test_with_the_last_link_of_a_chain_comes_the_tip_of_the_next() -> None:
    table = table_of(2, chain=64)
    used_up(table, "a", 47)
    assert table["b"].ledger.state.seats["a"].links == 47
    assert all(not entry_of(raw).body.tip for raw in table["a"].signed)
    used_up(table, "a", 1)
    assert entry_of(table["a"].signed[-1]).body.tip
    mine = same_everywhere(table).ledger.state.seats["a"]
    assert (mine.links, mine.chain) == (0, 1)
    secret, contract = table["a"].secrets.secret, table["a"].contract
    assert mine.link == chain_of(secret, contract.listed, "a", 64, 1).tip.hex()
    play(table, "a", "hit b")
    assert same_everywhere(table).ledger.state.event == 1


def test_answers_bring_new_tips_too() -> None:
    """A game of weather with more days than a chain has links."""
    table = table_of(2, Weather(), chain=64, scenario="long")
    play_out(table, random.Random(1))
    one = same_everywhere(table)
    assert one.over and one.ledger.state.verdict is None
    assert min(mine.chain for mine in one.ledger.state.seats.values()) >= 2
    kinds = {logged.entry.head.kind for logged in one.log if getattr(logged.entry.body, "tip", "")}
    assert kinds == {"orders", "answers"}
    links = [link for logged in one.log if (link := getattr(logged.entry.body, "link", ""))]
    assert len(links) == 300 and len(set(links)) == 300


@pytest.mark.parametrize(
    ("after", "spoil"),
    [(47, {"tip": ""}), (10, {"tip": "ab" * 32})],
    ids=["no tip with the last link", "a tip before the last link"],
)
def test_a_tip_at_the_wrong_time_is_a_breach(after: int, spoil: dict) -> None:
    table = table_of(2, chain=64)
    used_up(table, "a", after)
    give(table, table["a"].entry("orders", replace(table["a"].secrets.orders("swear"), **spoil)))
    verdict = same_everywhere(table).ledger.state.verdict
    assert verdict is not None and verdict.culprit == "a" and verdict.reason.event == "TipMisplaced"


# --- deck keys that run out


def test_further_deck_keys_are_published_before_they_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_key(listed: bytes, seat: str, name: str, secret: bytes) -> tuple[str, ...]:
        return wire.to_lines(deck_state.make_keys(listed, seat, name, secret, count=1))

    monkeypatch.setattr(contract_module, "_deck_keys", one_key)
    monkeypatch.setattr(tiny_turns, "DECK", ("mill", "mill", "fortune"))
    shuffles = 0
    for seed in range(4):
        table = players(2, options={"deck": "shared"}, scenario="long")
        play_out(table, random.Random(seed))
        one = same_everywhere(table)
        assert one.over and one.ledger.state.verdict is None
        epoch = one.ledger.position.decks["deck"].epoch
        assert len(deck_duties.load(one.ledger.state, "deck").keys[0]) == (1 if epoch == 1 else 17)
        shuffles = max(shuffles, epoch)
    assert shuffles > 1
