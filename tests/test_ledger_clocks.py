"""Clocks: claims, forfeits, what surfaces after one, and how a game goes on all the same."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from pbem.protocol.log.settlements import settlement

from pbem.protocol.papers.bodies import ClaimTime, Forfeit, Note, Orders, Standing
from pbem.protocol.papers.entry import compose
from pbem.protocol.papers.times import seconds, stamp
from pbem.protocol.rounds.clocks import claim_of, forfeit_at
from tests.scenes import orders, play, reach, table_of, texts
from tests.table import START, Player, entry_of, give, players, same_everywhere
from tests.test_ledger_disputes import agree

HOURS = 3600


def waits(player: Player) -> dict:
    return player.ledger.missing()


def claim(player: Player, at: int) -> bytes:
    clocks, state = player.contract.invite.clocks, player.ledger.state
    body = claim_of(clocks, state, waits(player), player.seat, stamp(at))
    assert body is not None
    return player.entry("claim", body, sent=stamp(at))


def forfeit(player: Player, at: int) -> bytes:
    claimed = player.ledger.claimed(player.seat)
    assert claimed is not None
    late = tuple(s for s in waits(player) if s != player.seat)
    return player.entry(
        "forfeit",
        Forfeit(late, claimed, player.ledger.state.question),
        player.ledger.present(),
        sent=stamp(at),
    )


def test_a_claim_and_after_the_grace_a_forfeit() -> None:
    table = table_of(2)
    clocks = table["a"].contract.invite.clocks
    late = START + clocks.move * HOURS
    assert claim_of(clocks, table["b"].ledger.state, waits(table["b"]), "b", stamp(late - 1)) is None
    give(table, claim(table["b"], late))
    assert table["a"].ledger.state.number == 0 and table["a"].ledger.claimed("b") == stamp(late)
    end = seconds(forfeit_at(clocks, stamp(late)))
    give(table, forfeit(table["b"], end))
    one = same_everywhere(table)
    verdict = one.ledger.state.verdict
    assert verdict is not None and verdict.culprit == "a" and verdict.late == ("a",)
    assert [logged.entry.head.kind for logged in one.log] == ["claim", "forfeit"]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda c, f: (replace(c, sent=stamp(seconds(c.sent) - 1)), f), "claim without effect: the clock"),
        (lambda c, f: (c, replace(f, sent=stamp(seconds(f.sent) - 1))), "forfeit without effect: the grace"),
        (
            lambda c, f: (replace(c, pos="12" * 32), f),
            "claim without effect: the question has been answered",
        ),
        (
            lambda c, f: (c, replace(f, pos="12" * 32)),
            "forfeit without effect: the question has been answered",
        ),
    ],
)
def test_a_claim_or_forfeit_before_its_time_or_of_another_question_has_no_effect(spoil, words: str) -> None:
    table = table_of(2)
    b = table["b"]
    here = b.ledger.state.question
    clocks = b.contract.invite.clocks
    at = START + clocks.move * HOURS
    claim_head = replace(b.head("claim"), sent=stamp(at))
    claim_head, forfeit_head = spoil(
        claim_head, replace(claim_head, kind="forfeit", seq=2, sent=stamp(at + clocks.grace * HOURS))
    )
    other = [replace(h, pos=b.ledger.pos_digest) != h for h in (claim_head, forfeit_head)]
    named = ["12" * 32 if wrong else here for wrong in other]
    raw = compose(claim_head, ClaimTime(("a",), named[0]), b.key)
    claimed = claim_head.sent
    forfeit_head = replace(forfeit_head, prev=entry_of(raw).id)
    for one in (raw, compose(forfeit_head, Forfeit(("a",), claimed, named[1]), b.key)):
        give(table, one)
    assert table["a"].ledger.state.verdict is None and table["a"].ledger.state.number == 0
    play(table, "a", "swear")  # it lists both as seen: they are logged, and say why they do nothing
    assert any(text.startswith(f"b: {words}") for text in texts(table))
    assert same_everywhere(table).ledger.state.verdict is None


def test_notes_offers_and_voids_do_not_wind_the_clock_up() -> None:
    table = table_of(2)
    a, b = table["a"], table["b"]
    late = START + a.contract.invite.clocks.move * HOURS
    before = a.ledger.state.clock
    give(table, a.entry("note", Note()))
    give(table, a.entry("orders", replace(a.secrets.orders("swear"), orders="nonsense\n")))
    give(table, a.entry("standing", Standing("loss", ("lose face",)), sent=stamp(late - 5)))
    assert a.ledger.state.clock == before and a.ledger.state.number == 3
    give(table, claim(b, late))
    give(table, a.entry("note", Note(), a.unseen(), sent=stamp(late + 5)))  # the claim is logged now
    give(table, forfeit(b, late + b.contract.invite.clocks.grace * HOURS))
    assert same_everywhere(table).ledger.state.verdict.culprit == "a"
    assert a.contract.invite.clocks.move > 0


def test_a_real_answer_in_time_stops_the_clock() -> None:
    table = table_of(2)
    late = START + table["a"].contract.invite.clocks.move * HOURS
    give(table, claim(table["b"], late))
    play(table, "a", "swear")
    assert table["b"].ledger.claimed("b") is None
    clocks, state = table["b"].contract.invite.clocks, table["b"].ledger.state
    assert claim_of(clocks, state, waits(table["b"]), "b", stamp(late + 1)) is None
    assert claim_of(clocks, state, waits(table["b"]), "b", stamp(late + clocks.move * HOURS)) is not None


def test_a_move_that_surfaces_after_a_forfeit_makes_it_disputed_in_both_orders() -> None:
    table = table_of(2)
    a, b = table["a"], table["b"]
    late = START + a.contract.invite.clocks.move * HOURS
    move = orders(a, "swear")
    notice = claim(b, late)
    b.receive(notice)
    end = forfeit(b, late + a.contract.invite.clocks.grace * HOURS)
    for order in ([notice, end, move], [move, notice, end], [notice, move, end], [end, move, notice]):
        late_one = Player(a.contract, "a", a.key, a.rules)
        for raw in order:
            late_one.receive(raw)
        verdict = late_one.ledger.state.verdict
        assert verdict is not None and verdict.culprit == "" and verdict.reason.event == "Disputed"
        again = Player(a.contract, "a", a.key, a.rules)
        for logged in late_one.log:
            again.receive(logged.entry.raw)
        assert again.texts == late_one.texts


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0)])
def test_both_can_agree_to_go_on_after_a_disputed_forfeit(order: tuple[int, ...]) -> None:
    table = table_of(2)
    a, b = table["a"], table["b"]
    late = START + a.contract.invite.clocks.move * HOURS
    move, notice = orders(a, "swear"), claim(b, late)
    b.receive(notice)
    raws = (move, notice, forfeit(b, late + a.contract.invite.clocks.grace * HOURS))
    for number in order:
        give(table, raws[number])
    for player in (a, b):
        give(table, player.entry("settle", settlement(player.ledger, player.seat)))
    play(table, "a", "done")
    one = same_everywhere(table)
    assert one.ledger.state.verdict is None and one.asked == "b"
    assert one.ledger.position.players["a"].points == 1


def test_who_has_answered_is_not_late_because_the_late_seat_says_so() -> None:
    """Both owe a sealed answer; b gives none, and forfeits a, who has answered. Then a forfeits b."""
    table = players(2, salt="late")
    reach(table, "chits", random.Random(1))
    a, b = table["a"], table["b"]
    clocks, state = a.contract.invite.clocks, a.ledger.state
    a.receive(a.decide(random.Random(2)))
    late = seconds(state.clock) + clocks.move * HOURS
    end = late + clocks.grace * HOURS
    b.receive(said := b.entry("claim", ClaimTime(("a",), state.question), sent=stamp(late)))
    a.receive(said)
    a.receive(b.entry("forfeit", Forfeit(("a",), stamp(late), state.question), sent=stamp(end)))
    a.receive(a.entry("claim", ClaimTime(("b",), state.question), a.unseen(), sent=stamp(end)))
    seen = tuple(dict.fromkeys((*a.unseen(), *a.ledger.present())))
    body = Forfeit(("b",), stamp(end), state.question)
    a.receive(a.entry("forfeit", body, seen, sent=stamp(end + clocks.grace * HOURS)))
    verdict = a.ledger.state.verdict
    assert verdict is not None and verdict.culprit == "b" and verdict.late == ("b",)
    assert "b: forfeit without effect: an answer has arrived" in texts({"a": a})


def test_who_goes_on_after_its_own_forfeit_has_none() -> None:
    """b forfeits a, but its machine answers a's move: the forfeit is worth nothing."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    late = START + a.contract.invite.clocks.move * HOURS
    liar = Player(b.contract, "b", b.key, b.rules)
    notice = claim(liar, late)
    liar.receive(notice)
    end = forfeit(liar, late + a.contract.invite.clocks.grace * HOURS)
    play(table, "a", "hit b")
    assert any(logged.entry.seat == "b" for logged in a.log)
    give(table, notice)
    give(table, end)
    assert same_everywhere(table).ledger.state.verdict is None


def test_who_does_not_publish_its_secret_in_time_forfeits() -> None:
    table = table_of(3)
    for seat in "abc":
        play(table, seat, "done")
    a, c = table["a"], table["c"]
    assert a.over and set(waits(a)) == {"a", "b", "c"}
    for seat in "ac":
        raw = table[seat].audit()
        assert raw is not None
        give(table, raw)
    over = seconds(a.ledger.state.clock)
    clocks = a.contract.invite.clocks
    assert claim_of(clocks, c.ledger.state, waits(c), "c", stamp(over + clocks.audit * HOURS - 1)) is None
    give(table, claim(c, over + clocks.audit * HOURS))
    give(table, forfeit(c, over + (clocks.audit + clocks.grace) * HOURS))
    one = same_everywhere(table)
    verdict = one.ledger.state.verdict
    assert verdict is not None and verdict.culprit == "b"
    assert set(one.ledger.state.opened) == {"a", "c"}
    raw = compose(
        replace(table["b"].head("audit"), head=verdict.round, seq=1),
        table["b"].secrets.audit(),
        table["b"].answering,
    )
    give(table, raw)
    one = same_everywhere(table)
    assert one.ledger.state.verdict.reason.event == "Disputed"
    assert set(one.ledger.state.opened) == {"a", "b", "c"}


def test_a_settled_forfeit_is_forgotten_and_the_game_goes_on() -> None:
    table = table_of(2)
    a, b = table["a"], table["b"]
    late = START + a.contract.invite.clocks.move * HOURS
    give(table, claim(b, late))
    give(table, forfeit(b, late + a.contract.invite.clocks.grace * HOURS))
    assert a.ledger.state.verdict is not None
    agree(table)
    one = same_everywhere(table)
    assert one.ledger.state.verdict is None and one.asked == "a" and not one.log
    play(table, "a", "swear")
    play(table, "a", "done")
    play(table, "b", "swear")
    assert same_everywhere(table).ledger.position.players["b"].points == 1
    assert isinstance(one.log[-1].entry.body, Orders)
