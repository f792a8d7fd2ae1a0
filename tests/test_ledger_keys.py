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
from pbem.protocol.papers.entry import compose
from pbem.protocol.rounds import deck_duties
from pbem.protocol.rounds.key_papers import make_paper
from pbem.protocol.rounds.own_knowledge import chain_of
from pbem.protocol.rounds.own_secrets import Secrets
from tests.scenes import Deeds, Weather, fault, orders, play, reach, table_of, texts
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


def offered(table: dict[str, Player], seat: str, paper: str, signer: SigningKey | None = None) -> list[bytes]:
    """Every seat offers to go on with the new keys in a paper; their owner may sign with its spare key."""
    made = []
    for other, player in table.items():
        own = other == seat
        body = Rekey(paper) if own else player.secrets.rekey(paper)
        made.append(compose(player.head("rekey"), body, (own and signer) or player.key))
        give(table, made[-1])
    return made


def noted(table: dict[str, Player], seat: str, key: SigningKey) -> bytes:
    """Who decides notes the agreement; for its own new keys with those."""
    first = next(iter(next(iter(table.values())).ledger.due()))
    return compose(table[first].head("note"), Note(), key if first == seat else table[first].key)


def consent(table: dict[str, Player], seat: str, key: SigningKey, signer: SigningKey | None = None) -> None:
    """All agree to new keys for a seat."""
    offered(table, seat, paper_of(table[seat], key, NONCE), signer)
    give(table, noted(table, seat, key))


def key_in_use(player: Player, seat: str) -> bytes:
    return player.ledger.place.key(seat)


@pytest.mark.parametrize("count", [2, 3])
def test_a_seat_that_is_waited_for_goes_on_with_a_new_key(count: int) -> None:
    table = table_of(count)
    play(table, "a", "swear")
    new = key_of("a", "new")
    consent(table, "a", new)
    one = same_everywhere(table)
    assert "a goes on with new keys" in texts(table)
    assert key_in_use(one, "a") == new.public
    assert one.ledger.state.seats["a"].links == 0 and one.asked == "a"
    table["a"] = with_new_key(table["a"], new, keep_old=False)
    play(table, "a", "hit b")
    assert same_everywhere(table).ledger.state.event == 1


@pytest.mark.parametrize("count", [2, 3])
def test_new_keys_of_another_seat_are_noted_by_who_decides(count: int) -> None:
    table = table_of(count)
    last, new = list(table)[-1], key_of("last", "new")
    consent(table, last, new)
    one = same_everywhere(table)
    assert key_in_use(one, last) == new.public and one.asked == "a"
    table[last] = with_new_key(table[last], new)
    play_out(table, random.Random(1))
    one = same_everywhere(table)
    assert one.over and not one.ledger.state.gone


def test_the_old_key_is_worth_nothing_any_more() -> None:
    """Nor what it signed at the tip where the new keys were noted, unless others had built on that."""
    table = table_of(2)
    thief = Player(table["a"].contract, "a", table["a"].key, table["a"].rules)
    new = key_of("a", "new")
    offers = offered(table, "a", paper_of(table["a"], new, NONCE))
    note = noted(table, "a", new)
    stolen = orders(thief, "swear")
    table["b"].receive(stolen)
    assert table["b"].ledger.position.players["a"].points == 1
    for raw in (note, stolen):
        give(table, raw)
    one = same_everywhere(table)
    assert key_in_use(one, "a") == new.public and one.ledger.position.players["a"].points == 0
    thief.receive(*offers)
    thief.receive(note)
    give(table, orders(thief, "swear"))
    assert list(same_everywhere(table).ledger.missing()) == ["a"]
    table["a"] = with_new_key(table["a"], new)
    play(table, "a", "swear")
    assert same_everywhere(table).ledger.position.players["a"].points == 1


def test_all_must_offer_the_same_paper() -> None:
    table = table_of(3)
    new = key_of("a", "new")
    paper = paper_of(table["a"], new, NONCE)
    other = paper_of(table["a"], key_of("a", "other"), NONCE)
    give(table, table["a"].entry("rekey", Rekey(paper)))
    give(table, table["b"].entry("rekey", table["b"].secrets.rekey(paper)))
    give(table, table["c"].entry("rekey", table["c"].secrets.rekey(other)))
    give(table, noted(table, "a", new))
    one = same_everywhere(table)
    assert key_in_use(one, "a") == table["a"].key.public and one.ledger.state.number == 0


def test_who_consents_without_the_piece_that_the_seat_holds_does_not_consent() -> None:
    """Else a seat that changed its keys could no longer help when another has gone."""
    table = table_of(3)
    new = key_of("a", "new")
    paper = paper_of(table["a"], new, NONCE)
    for player in table.values():
        give(table, player.entry("rekey", Rekey(paper)))
    give(table, noted(table, "a", new))
    assert key_in_use(same_everywhere(table), "a") == table["a"].key.public


def test_a_key_that_is_in_use_is_no_new_one() -> None:
    table = table_of(2)
    new = key_of("a", "new")
    consent(table, "a", new)
    table["a"] = with_new_key(table["a"], new)
    consent(table, "a", new)
    play(table, "a", "swear")
    one = same_everywhere(table)
    assert not one.ledger.state.gone and len(one.ledger.state.seats["a"].former) == 1


def with_spare(count: int) -> dict[str, Player]:
    """A table whose seats have spare keys."""
    contract, keys = make_contract(count, rules=Deeds(), options={"deck": "own"}, spare=True)
    return {seat: Player(contract, seat, keys[seat], Deeds()) for seat in contract.seats}


@pytest.mark.parametrize("count", [2, 3])
def test_the_spare_key_signs_for_a_key_that_is_lost(count: int) -> None:
    table = with_spare(count)
    a, new = table["a"], key_of("a", "new")
    consent(table, "a", new, key_of("a", "spare"))
    assert "a goes on with new keys, as it signed with its spare key" in texts(table)
    table["a"] = with_new_key(a, new, keep_old=False)
    play(table, "a", "swear")
    assert key_in_use(same_everywhere(table), "a") == new.public


def test_the_spare_key_signs_nothing_but_an_offer_of_new_keys() -> None:
    table = with_spare(2)
    a = table["a"]
    with pytest.raises(VerificationError, match="no key of a signed this"):
        table["b"].receive(compose(a.head("orders"), a.secrets.orders("swear"), key_of("a", "spare")))


@pytest.mark.parametrize("count", [2, 3])
def test_what_all_others_agree_on_gives_nobody_a_key_that_he_did_not_sign_for(count: int) -> None:
    """Their own keys, the new key itself, and the spare keys of others are no signature of the seat."""
    table = with_spare(count)
    play(table, "a", "done")
    a, new = table["a"], key_of("a", "new")
    for signer in (new, table["b"].key, key_of("b", "spare"), key_of("a", "other")):
        for old in (a.key.public, signer.public):
            paper = make_paper(a.contract, a.ledger.state, "a", old, new, NONCE)
            with pytest.raises(VerificationError, match="no key of a signed this"):
                table["b"].receive(compose(a.head("rekey"), Rekey(paper), signer))
            for other in list(table)[1:]:
                give(table, table[other].entry("rekey", table[other].secrets.rekey(paper)))
            give(table, noted(table, "a", new))
    one = same_everywhere(table)
    assert key_in_use(one, "a") == a.key.public and list(one.ledger.missing()) == ["b"]


def test_a_paper_is_worth_nothing_once_its_key_has_been_replaced() -> None:
    """The spare key signed for two new keys; the first is in use and may be stolen later: it stays away."""
    table = with_spare(2)
    a, spare = table["a"], key_of("a", "spare")
    first, third = key_of("a", "first"), key_of("a", "third")
    early = paper_of(a, first, NONCE)
    consent(table, "a", first, spare)
    table["a"] = with_new_key(a, first)
    consent(table, "a", third)
    table["a"] = with_new_key(table["a"], third)
    offered(table, "a", early, spare)
    give(table, noted(table, "a", first))
    assert key_in_use(same_everywhere(table), "a") == third.public
    play(table, "a", "swear")
    assert same_everywhere(table).ledger.position.players["a"].points == 1


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
    paper = spoil(paper_of(table["a"], key_of("a", "new"), NONCE))
    for player in table.values():
        give(table, player.entry("rekey", Rekey(paper)))
    give(table, noted(table, "", key_of("a", "new")))
    assert same_everywhere(table).ledger.state.number == 0
    play(table, "a", "swear")
    assert key_in_use(same_everywhere(table), "a") == table["a"].key.public


def test_a_key_of_another_seat_or_game_is_refused() -> None:
    table, elsewhere = table_of(2), table_of(2, salt="elsewhere")
    for paper in (
        paper_of(table["a"], table["b"].key, NONCE),
        paper_of(elsewhere["a"], key_of("a", "new"), NONCE),
    ):
        for player in table.values():
            give(table, player.entry("rekey", Rekey(paper)))
        give(table, noted(table, "", key_of("a", "new")))
    one = same_everywhere(table)
    assert key_in_use(one, "a") == table["a"].key.public and one.ledger.state.number == 0


def test_a_chain_cannot_be_fitted_to_links_that_are_already_out() -> None:
    """b owes the last link of a die and would rather have new keys: what is owed is given first."""
    table = table_of(3)
    give(table, orders(table["a"], "hit b"))
    answer = table["c"].answer()
    assert answer is not None
    give(table, answer)
    assert list(table["a"].ledger.missing()) == ["b"]
    old, new = key_in_use(table["a"], "b"), key_of("b", "new")
    offered(table, "b", paper_of(table["b"], new, NONCE))
    for player in table.values():
        for key in (player.key, new) if player.seat == "b" else (player.key,):
            give(table, compose(player.head("note"), Note(), key))
    assert list(table["a"].ledger.missing()) == ["b"] and key_in_use(table["a"], "b") == old
    owed = table["b"].secrets.next_link()
    settle(table)
    one = same_everywhere(table)
    assert one.ledger.state.event == 1 and one.ledger.state.seats["b"].link == owed


@pytest.mark.parametrize("deck", ["own", "shared"])
def test_what_the_old_secret_sealed_the_old_secret_opens(deck: str) -> None:
    """In the middle of a game with hands, cups and seals one seat changes its key; the game ends in order."""
    for seed in range(3):
        table = players(3, options={"deck": deck})
        rng = random.Random(f"rekey {deck} {seed}")
        seat = reach(table, rng.choice(["deed", "bid"]), rng)
        new = key_of(seat, "new")
        consent(table, seat, new)
        hand = table[seat].secrets.view().known
        table[seat] = with_new_key(table[seat], new)
        assert table[seat].secrets.view().known == hand
        play_out(table, rng)
        one = same_everywhere(table)
        assert one.over and not one.ledger.state.gone
        assert one.ledger.state.opened_former.keys() == {seat}


# --- chains that run out


def used_up(links: int) -> dict[str, Player]:
    """A game of weather in which a has used up so many links, and is asked for the next."""
    table, rng = table_of(2, Weather(), chain=64, scenario="long"), random.Random(1)
    while table["a"].ledger.state.seats["a"].links < links or table["a"].owed() is None:
        others = [p for p in table.values() if p.seat != "a" or p.ledger.state.seats["a"].links < links]
        give(table, next(r for p in others if (r := p.answer() or p.decide(rng)) is not None))
    return table


def next_of(player: Player, **spoilt: str) -> bytes:
    """What a seat owes next, with other fields."""
    owed = player.owed()
    body = player.secrets.answer(owed) if owed.lane == "answer" else player.secrets.orders("done")
    return player.entry(owed.kind, replace(body, **spoilt))


def test_with_the_last_link_of_a_chain_comes_the_tip_of_the_next() -> None:
    table = used_up(63)
    assert all(not entry_of(raw).body.tip for raw in table["a"].signed)
    raw = next_of(table["a"])
    assert entry_of(raw).body.tip
    give(table, raw)
    settle(table)
    mine = same_everywhere(table).ledger.state.seats["a"]
    assert (mine.links, mine.chain) == (0, 1)
    secret, contract = table["a"].secrets.secret, table["a"].contract
    assert mine.link == chain_of(secret, contract.listed, "a", 64, 1).tip.hex()
    play_out(table, random.Random(1))
    assert same_everywhere(table).over


def test_answers_bring_new_tips_too() -> None:
    """A game of weather with more days than a chain has links."""
    table = table_of(2, Weather(), chain=64, scenario="long")
    play_out(table, random.Random(1))
    one = same_everywhere(table)
    assert one.over and not one.ledger.state.gone
    assert min(mine.chain for mine in one.ledger.state.seats.values()) >= 2
    kinds = {logged.entry.head.kind for logged in one.log if getattr(logged.entry.body, "tip", "")}
    assert kinds == {"orders", "answers"}
    links = [link for logged in one.log if (link := getattr(logged.entry.body, "link", ""))]
    assert len(links) == 300 and len(set(links)) == 300


@pytest.mark.parametrize(
    ("after", "tip"),
    [(63, ""), (10, "ab" * 32)],
    ids=["no tip with the last link", "a tip before the last link"],
)
def test_a_tip_at_the_wrong_time_is_a_breach(after: int, tip: str) -> None:
    table = used_up(after)
    give(table, next_of(table["a"], tip=tip))
    settle(table)
    one = same_everywhere(table)
    assert fault(one, "a") == "TipMisplaced"
    assert one.ledger.position.outcome is not None and one.ledger.position.outcome.winners == ("b",)


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
        assert one.over and not one.ledger.state.gone
        epoch = one.ledger.position.decks["deck"].epoch
        assert len(deck_duties.load(one.ledger.state, "deck").keys[0]) == (1 if epoch == 1 else 17)
        shuffles = max(shuffles, epoch)
    assert shuffles > 1
