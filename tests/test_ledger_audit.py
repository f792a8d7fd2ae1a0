"""The audit: what nobody could see during the game is looked at when the secrets are out."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.notation import Handle
from pbem.protocol.crypto import sealing
from pbem.protocol.log.audit import Auditor
from pbem.protocol.papers.bodies import Answers, Audit, Resign, Standing
from pbem.protocol.papers.body_checks import pack_box
from pbem.protocol.papers.entry import read
from tests.scenes import (
    Weather,
    deeds,
    fault,
    hand_over_badly,
    held,
    orders,
    play,
    reach,
    table_of,
    with_a_chain_from_elsewhere,
)
from tests.table import Network, Player, give, key_of, play_out, players, same_everywhere, settle
from tests.test_ledger_keys import consent, with_new_key
from tests.test_rounds import hurt, stealing
from tests.tiny.turns import DECK


def audited(player: Player, lost: str = "") -> Auditor:
    """A stranger who has the moves, and in them the secrets; of one seat perhaps only the last."""
    secrets, former = {}, {}
    for logged in player.log:
        body = logged.entry.body
        if isinstance(body, (Audit, Resign)) and body.secret:
            secrets[logged.entry.seat] = bytes.fromhex(body.secret)
            known = body.former if logged.entry.seat != lost else ()
            former[logged.entry.seat] = tuple(bytes.fromhex(one) for one in known)
    auditor = Auditor(player.contract, secrets, former)
    auditor.begin()
    stranger = Player(player.contract, player.seat, player.key, player.rules)
    for logged in player.log:
        entry = stranger.ledger.admit(read(logged.entry.raw))
        auditor.look(stranger.ledger, logged.number, entry.seat, entry.body, entry.head.after)
        for new in stranger.receive(entry.raw):
            auditor.note(stranger.ledger, new)
    assert stranger.texts == player.texts
    auditor.finish(stranger.ledger)
    return auditor


def looked_at(player: Player, secrets: dict[str, bytes]) -> Auditor:
    """An auditor who has gone through a game that is not over, with the secrets as if they were out."""
    auditor = Auditor(player.contract, secrets)
    stranger = Player(player.contract, player.seat, player.key, player.rules)
    for logged in player.log:
        entry = logged.entry
        auditor.look(stranger.ledger, logged.number, entry.seat, entry.body, entry.head.after)
        stranger.receive(entry.raw)
    return auditor


def found(table: dict[str, Player]) -> list[tuple[str, str]]:
    """Play on to the end, and what the audit then finds."""
    play_out(table, random.Random(1))
    one = same_everywhere(table)
    assert one.over and not one.ledger.state.gone, "during the game nobody can tell"
    return [(problem.seat, problem.cause) for problem in audited(one).problems]


@pytest.mark.parametrize("deck", ["own", "shared"])
@pytest.mark.parametrize("seed", range(3))
def test_honest_games_pass_and_every_card_is_known(deck: str, seed: int) -> None:
    table = players(3, options={"deck": deck})
    Network(table, random.Random(f"audit {deck} {seed}")).play()
    one = same_everywhere(table)
    auditor = audited(one)
    assert auditor.problems == []
    decks = {name: d for name, d in one.ledger.position.decks.items() if d.epoch == 1}
    for name, own in decks.items():
        slots = [Handle(f"{name}-1.{n}") for n in range(len(own.cards))]
        assert sorted(auditor.truth[s] for s in slots) == sorted(own.cards)


def cheated(kind: str, lie: Callable[[Player, Any], Any], count: int = 2) -> list[tuple[str, str]]:
    """Seat a lies once, where it owes this kind; then everybody plays honestly."""
    table = players(count, salt=kind)
    rng = random.Random(3)
    a = table["a"]
    for _ in range(500):
        owed = a.owed()
        if owed is not None and (owed.kind == kind or getattr(owed, kind, None)):
            body = lie(a, owed)
            give(table, a.entry("answers" if owed.lane == "answer" else owed.kind, body))
            return found(table)
        raw = next((r for p in table.values() if (r := p.answer() or p.decide(rng)) is not None), None)
        assert raw is not None
        give(table, raw)
    raise AssertionError("it never came to that")


def own_deck(cards: list[str]) -> Callable[[Player, Any], Answers]:
    """A shuffle with other cards in it than belong there."""

    def lie(player: Player, owed: Any) -> Answers:
        name, secret, game = (
            f"{owed.shuffle.deck}-{owed.shuffle.epoch}",
            player.secrets.secret,
            player.secrets.game,
        )
        commits = []
        for number, card in enumerate(cards):
            place = f"slot {name}.{number}"
            nonce = sealing.nonce(secret, game, place, card)
            commits.append(sealing.commitment(game, player.seat, place, card.encode(), nonce).hex())
        box = sealing.box_for_self(secret, game, player.seat, f"deck {name}", "\n".join(cards).encode())
        return Answers(commits=tuple(commits), box=pack_box(box))

    return lie


def test_a_deck_of_gold_is_found() -> None:
    assert cheated("shuffle", own_deck(["gold"] * len(DECK))) == [
        ("a", "the shuffle of deck-a-1 is not the deck")
    ]


def test_a_deck_whose_commitments_are_others_is_found() -> None:
    def lie(player: Player, owed: Any) -> Answers:
        honest = player.secrets.answer(owed)
        return replace(honest, commits=(*honest.commits[:-1], "ab" * 32))

    table = players(2, salt="other commits")
    a = table["a"]
    give(table, a.entry("answers", lie(a, a.owed())))
    auditor = Auditor(a.contract, {"a": a.secrets.secret})
    stranger = Player(a.contract, "a", a.key)
    auditor.look(stranger.ledger, 1, "a", a.log[0].entry.body, a.log[0].entry.head.after)
    assert auditor.problems[0].cause == "slot 5 of deck-a-1 does not hold what was committed to"


def first(table: dict[str, Player], rng: random.Random) -> bytes | None:
    return next(
        (r for p in table.values() if (r := p.answer() or p.decide(rng) or p.audit()) is not None), None
    )


def test_an_unlawful_chit_that_was_never_drawn_is_found() -> None:
    """a puts a chit into the cup that is none; as long as it is not drawn nobody sees it."""
    for salt in range(20):
        table = players(2, salt=f"chits {salt}")
        reach(table, "chits", random.Random(1))
        a = table["a"]
        body = a.secrets.sealed_choice(a.owed().options, next(iter(a.owed().options.list())), True)
        forged = a.secrets.seal("slot s1.a.1", "joker")
        give(table, a.entry("sealed", replace(body, seals=(body.seals[0], forged))))
        play_out(table, random.Random(salt))
        one = same_everywhere(table)
        if one.ledger.state.gone:
            assert fault(one, "a") == "UnlawfulOpening"
            continue
        problems = audited(one).problems
        assert [(p.seat, p.cause) for p in problems] == [
            ("a", "the sealed choice 'act joker' was not legal: it is not among the legal moves")
        ]
        return
    raise AssertionError("the joker was always drawn")


def test_a_box_that_holds_something_else_than_the_seal_is_found() -> None:
    def lie(player: Player, owed: Any) -> Any:
        wait = player.ledger.machine.waits_for(player.ledger.position)
        body = player.secrets.sealed_choice(owed.options, next(iter(owed.options.list())), wait.fills)
        other = player.secrets.seal("another place", "rest")
        return replace(body, seals=(body.seals[0], replace(body.seals[1], box=other.box)))

    table = players(2, salt="boxes")
    reach(table, "chits", random.Random(1))
    a = table["a"]
    give(table, a.entry("sealed", lie(a, a.owed())))
    auditor = Auditor(a.contract, {"a": a.secrets.secret})
    stranger = Player(a.contract, "a", a.key)
    for logged in a.log:
        stranger.receive(logged.entry.raw)
    body = next(e for e in a.ledger.pool.values() if e.seat == "a").body
    auditor.look(stranger.ledger, 9, "a", body)
    assert [p.cause for p in auditor.problems] == ["the seal s1.a.1 does not hold what was committed to"]


def test_a_false_oath_is_found() -> None:
    for table, player in deeds("oath", 40):
        if "gold" not in held(player):
            continue
        give(table, orders(player, "swear"))
        assert ("no gold" in found(table)[0][1]) and found(table)[0][0] == player.seat
        return
    raise AssertionError("nobody with gold was ever asked")


def test_an_oath_signed_before_a_card_came_is_not_sworn() -> None:
    """Not in a list behind a draw, not by a standing order: nobody honest is named for a card it drew."""
    drawn = set()
    for table, player in deeds("ahead", 60):
        hand = held(player)
        if not hand or "gold" in hand:
            continue
        give(table, player.entry("standing", Standing("deed", ("swear",))))
        play(table, player.seat, f"bury {hand[0]}\nswear")
        drawn.add("gold" in held(player))
        assert player.owed().kind == "orders", "it is asked again, with the new card before its eyes"
        assert found(table) == []
        if drawn == {True, False}:
            return
    raise AssertionError("too little was drawn")


def test_a_standing_order_that_was_wrongly_said_not_to_cover_is_found() -> None:
    table = hurt(lines=("lose stone",))
    b = table["b"]
    give(table, b.entry("answers", Answers()))
    assert b.owed().kind == "orders", "it is a free option for now"
    play(table, "b", "lose face")
    assert found(table) == [("b", "its standing order did cover the question: 'lose stone'")]


def test_a_standing_order_rightly_declined_passes() -> None:
    table = hurt(lines=("lose point", "play gold"))
    settle(table)
    play(table, "b", "lose face")
    assert found(table) == []


def test_a_card_handed_over_badly_is_found_even_if_its_taker_says_nothing() -> None:
    table, giver, taker = stealing()
    handle = hand_over_badly(table, giver, taker)
    auditor = looked_at(table[giver], {s: p.secrets.secret for s, p in table.items()})
    cause = f"the box in which {handle} was handed over does not hold that card"
    assert [(p.seat, p.cause) for p in auditor.problems] == [(giver, cause)]


def test_a_further_chain_that_does_not_come_from_the_secret_is_found() -> None:
    table, _ = with_a_chain_from_elsewhere()
    a = table["a"]
    auditor = looked_at(a, {"a": a.secrets.secret})
    assert [p.cause for p in auditor.problems] == ["the tip of its next chain does not come from its secret"]


@pytest.mark.parametrize("deck", ["own", "shared"])
def test_a_game_with_a_replaced_key_passes_with_both_secrets(deck: str) -> None:
    table = players(3, options={"deck": deck}, salt="replaced")
    rng = random.Random(7)
    seat = reach(table, "deed", rng)
    new = key_of(seat, "new")
    consent(table, seat, new)
    table[seat] = with_new_key(table[seat], new)
    assert found(table) == []


@pytest.mark.parametrize("deck", ["own", "shared"])
def test_what_only_a_lost_secret_could_show_is_a_gap_and_nobodys_breach(deck: str) -> None:
    """An auditor who has the new secret of a seat alone."""
    table = players(2, options={"deck": deck}, salt="lost")
    rng = random.Random(7)
    seat = reach(table, "deed", rng)
    new = key_of(seat, "new")
    consent(table, seat, new)
    table[seat] = with_new_key(table[seat], new)
    play_out(table, rng)
    one = same_everywhere(table)
    assert one.over and not one.ledger.state.gone and set(one.ledger.state.opened) == {"a", "b"}
    auditor = audited(one, lost=seat)
    assert auditor.problems == [], "nobody is named"
    assert auditor.gaps[seat], "and nothing of it is called lawful"
    if deck == "shared":
        assert all(any("the shuffles of deck" in gap for gap in auditor.gaps[s]) for s in "ab")


@pytest.mark.parametrize("lost", [True, False])
def test_a_lost_first_chain_is_named_even_if_nothing_was_sealed_with_it(lost: bool) -> None:
    """In a game of dice alone the links are all that the old secret made; nobody can make their tip again."""
    table = table_of(2, Weather())
    rng = random.Random(3)
    for _ in range(4):
        raw = next((r for p in table.values() if (r := p.answer() or p.decide(rng)) is not None), None)
        give(table, raw or b"")
    seat = table["a"].asked or "a"
    new = key_of(seat, "new")
    consent(table, seat, new)
    table[seat] = with_new_key(table[seat], new)
    play_out(table, rng)
    one = same_everywhere(table)
    assert one.over and not one.ledger.state.gone and one.ledger.state.seats[seat].former
    auditor = audited(one, lost=seat if lost else "")
    assert auditor.problems == []
    assert auditor.gaps == ({seat: ["its chain from before a change of keys"]} if lost else {})


def test_who_has_changed_its_keys_owes_the_old_secret_too() -> None:
    """Else a stacked deck could be lost with the key that stacked it."""
    table, rng = players(2, options={"deck": "shared"}, salt="stacked"), random.Random(2)
    seat = reach(table, "deed", rng)
    new = key_of(seat, "new")
    consent(table, seat, new)
    table[seat] = with_new_key(table[seat], new)
    play_out_without_audit(table, rng)
    player = table[seat]
    give(table, player.entry("audit", replace(player.secrets.audit(), former=())))
    for other in table.values():
        give(table, other.audit() or table[seat].signed[-1])
    assert fault(same_everywhere(table), seat) == "FormerSecretMissing"


def play_out_without_audit(table: dict[str, Player], rng: random.Random) -> None:
    while not table["a"].over:
        raw = next((r for p in table.values() if (r := p.answer() or p.decide(rng)) is not None), None)
        assert raw is not None
        give(table, raw)


def test_a_resigned_seat_can_be_audited_too() -> None:
    table = players(3, salt="resigned")
    rng = random.Random(5)
    reach(table, "bid", rng)
    for seat in "ab":
        give(table, table[seat].decide(rng) or b"")
    give(table, table["c"].entry("resign", table["c"].secrets.resign()))
    left = {s: table[s] for s in "ab"}
    settle(left)
    play_out(left, rng)
    assert left["a"].over and audited(left["a"]).problems == []
