"""What a round asks of whom: links, sealed standing orders, sealed parts of lists, deliveries."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.notation import Handle
from pbem.engine.waits import Deliver
from pbem.errors import UsageError, VerificationError
from pbem.protocol.crypto import sealing
from pbem.protocol.papers.bodies import Answers, Complaint, Delivery, Opening, Standing
from pbem.protocol.papers.body_checks import pack_box, unpack_box
from pbem.protocol.papers.entry import compose
from pbem.protocol.rounds.card_boxes import delivery_context, made_box
from pbem.protocol.rounds.events import StandingUsed
from pbem.protocol.rounds.state import standing_place
from tests.scenes import Weather, fault, orders, play, reach, table_of, texts
from tests.table import Player, entry_of, give, play_out, players, same_everywhere, settle
from tests.tiny.moves import Ambush

# --- dice


@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_links_are_asked_for_only_when_a_die_is_about_to_fall(count: int) -> None:
    """Not before the decision, also if the die falls whatever it is: no decider could foresee it."""
    table = table_of(count, Weather())
    due = table["a"].ledger.due()
    assert {s: (d.kind, d.link) for s, d in due.items()} == {"a": ("orders", False)}
    give(table, orders(table["a"], "done"))
    others = list(table)[1:]
    assert {s: d.link for s, d in table["a"].ledger.missing().items()} == dict.fromkeys(others, True)
    for seat in others:
        assert same_everywhere(table).ledger.state.event == 0
        raw = table[seat].answer()
        assert raw is not None
        give(table, raw)
    one = same_everywhere(table)
    assert one.ledger.state.event == 1 and one.asked == "b"
    play_out(table, random.Random(1))
    assert same_everywhere(table).ledger.position.outcome is not None


def test_after_several_decided_together_every_seat_gives_a_fresh_link() -> None:
    table, rng = players(3), random.Random(1)
    reach(table, "chits", rng)
    for player in table.values():
        give(table, player.decide(rng) or b"")
    while not any(owed.link for owed in table["a"].ledger.missing().values()):
        raw = next(r for p in table.values() if (r := p.answer() or p.decide(rng)) is not None)
        give(table, raw)
    assert {s: d.link for s, d in table["a"].ledger.missing().items()} == dict.fromkeys("abc", True)


# --- sealed standing orders


def standing(player: Player, decision: str, lines: list[str]) -> bytes:
    prev = player.ledger.last_aside(player.seat)
    return player.entry("standing", player.secrets.standing(decision, lines, True, prev))


def hurt(count: int = 2, lines: tuple[str, ...] = ("lose stone",)) -> dict[str, Player]:
    """b has a sealed standing order for losses, a has seen it, hits b, and it hurts."""
    for salt in range(20):
        table = table_of(count, salt=str(salt))
        give(table, standing(table["b"], "loss", list(lines)))
        raw = orders(table["a"], "hit b")
        give(table, raw)
        for seat in table:
            link = table[seat].answer()
            if link is not None and entry_of(link).body.link:
                give(table, link)
        if table["b"].owed() is not None:
            return table
    raise AssertionError("no hit in twenty tries")


def test_a_sealed_standing_order_is_opened_when_it_covers_the_question_and_public_from_then_on() -> None:
    table = hurt()
    assert "lose stone" not in table["a"].ledger.text
    owed = table["b"].owed()
    assert (owed.kind, owed.standing) == ("answers", "loss")
    settle(table)
    one = same_everywhere(table)
    assert "standing order of b for loss: lose stone" in texts(table)
    assert one.ledger.position.players["b"].stones == 2
    order = one.ledger.state.standing["b loss"]
    assert order.seal is None and order.lines == ("lose stone",)


def test_a_sealed_standing_order_that_does_not_cover_is_declined_and_the_seat_is_asked() -> None:
    table = hurt(lines=("lose point",))
    settle(table)
    assert "b claims that its sealed standing order does not cover this" in texts(table)
    assert table["b"].owed().kind == "orders"
    play(table, "b", "lose face")
    play(table, "a", "boast 0")
    one = same_everywhere(table)
    assert one.ledger.state.standing["b loss"].seal is not None, "it stays, for the next time"
    assert not one.ledger.state.declined


def answer_of(player: Player, change: Any) -> bytes:
    """The owed automatic answer, changed and signed again."""
    honest = player.answer()
    assert honest is not None
    entry = entry_of(honest)
    return compose(entry.head, change(entry.body), player.answering)


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        (
            lambda b: replace(b, standing=(replace(b.standing[0], value="lose face"),)),
            "StandingWrong",
        ),
        (
            lambda b: replace(b, standing=(replace(b.standing[0], slot=Handle("boast")),)),
            "StandingMisnamed",
        ),
        (lambda b: replace(b, link="ab" * 32), "LinkNotAsked"),
    ],
)
def test_a_standing_order_opened_falsely_is_a_breach(change: Any, broken: str) -> None:
    table = hurt()
    give(table, answer_of(table["b"], change))
    assert fault(same_everywhere(table), "b") == broken


def test_opening_what_is_no_answer_is_a_breach() -> None:
    table = hurt(lines=("lose point",))
    player = table["b"]
    order = player.ledger.state.standing["b loss"]
    nonce = sealing.nonce(
        player.secrets.secret, player.secrets.game, standing_place(order.place), "lose point"
    )
    opening = Opening(Handle("loss"), "lose point", nonce.hex())
    give(table, answer_of(player, lambda b: replace(b, standing=(opening,))))
    assert fault(same_everywhere(table), "b") == "StandingUseless"


def test_a_public_standing_order_fires_with_its_reason_and_costs_no_mail() -> None:
    for salt in range(20):
        table = table_of(2, salt=str(salt))
        raw = table["b"].entry("standing", Standing("loss", ("lose point", "lose face")))
        give(table, raw)
        play(table, "a", "hit b")
        if getattr(getattr(table["a"].owed(), "options", None), "kind", "") == "boast":
            break
    fired = [e for one in table["a"].log for e in one.events if isinstance(e, StandingUsed)]
    assert fired == [StandingUsed("b", "loss", "lose face", entry_of(raw).id)]
    assert {one.entry.head.kind for one in table["a"].log if one.entry.seat == "b"} == {"standing", "answers"}


def test_a_seat_has_a_bounded_number_of_standing_orders() -> None:
    table = table_of(2)
    for number in range(18):
        give(table, table["a"].entry("standing", Standing(f"kind {number}", ("x",))))
    play(table, "a", "swear")
    assert len(table["b"].ledger.state.standing) == 16
    assert any("more than 16 standing orders" in text for text in texts(table))


# --- sealed parts of a list


def hand_of(player: Player) -> dict[Handle, str]:
    return dict(player.secrets.view().known)


def test_a_sealed_part_hides_its_cards_until_it_is_opened() -> None:
    """What follows a hit is sealed: neither the order nor the card it will show can be read before."""
    for seed in range(40):
        table = players(2, salt=str(seed))
        rng = random.Random(seed)
        try:
            seat = reach(table, "deed", rng)
        except AssertionError:
            continue
        player, other = table[seat], table["b" if seat == "a" else "a"]
        hand = {h: v for h, v in hand_of(player).items() if h in player.ledger.position.players[seat].hand}
        if not hand or len(player.ledger.position.players[seat].hand) < 1:
            continue
        handle, card = next(iter(hand.items()))
        raw = orders(player, f"hit {other.seat}\n    boast 0\nplay {card}\n")
        body = entry_of(raw).body
        assert card.encode() not in raw and not body.opens and len(body.tail) == 1
        give(table, raw)
        settle(table)
        if other.owed() is not None and other.owed().lane == "decide":
            assert card not in other.ledger.state.queues[seat].line()
            give(table, orders(other, "lose face"))
            settle(table)
        one = same_everywhere(table)
        opened = [
            e.entry.body for e in one.log if getattr(e.entry.body, "tail", None) and e.entry.seat == seat
        ]
        tails = [b for b in opened if isinstance(b, Answers)]
        assert len(tails) == 1 and [o.value for o in tails[0].tail.opens] == [card]
        assert f"{seat}: play {card}" in texts(table)
        assert handle not in one.ledger.position.hidden
        return
    raise AssertionError("nobody with a card was ever asked for a deed")


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        (lambda t: replace(t, text="done\n"), "TailWrong"),
        (lambda t: replace(t, nonce="00" * 32), "TailWrong"),
        (
            lambda t: replace(t, opens=(Opening(Handle("x"), "gold", "00" * 32),)),
            "TailCardsWrong",
        ),
    ],
)
def test_a_sealed_part_binds(change: Any, broken: str) -> None:
    for salt in range(20):
        table = table_of(2, salt=str(salt))
        raw = orders(table["a"], "hit b\n    boast 0\nswear")
        give(table, raw)
        link = table["b"].answer()
        assert link is not None
        give(table, link)
        owed = table["b"].owed()
        if owed is None or owed.lane != "decide":
            continue
        give(table, orders(table["b"], "lose face"))
        give(table, answer_of(table["a"], lambda b: replace(b, tail=change(b.tail))))
        assert fault(same_everywhere(table), "a") == broken
        return
    raise AssertionError("no hit in twenty tries")


# --- cards handed over


def stealing(start: int = 0) -> tuple[dict[str, Player], str, str]:
    """A spy has drawn a card of the next seat's hidden hand: the giver's machine owes its delivery."""
    for seed in range(start, start + 60):
        table = players(3, salt=str(seed))
        rng = random.Random(seed)
        settle(table)
        for _ in range(60):
            raw = next((r for p in table.values() if (r := p.decide(rng)) is not None), None)
            if raw is None:
                break
            give(table, raw)
            while True:
                wait = table["a"].ledger.machine.waits_for(table["a"].ledger.position)
                if isinstance(wait, Deliver) and wait.giver:
                    return table, wait.giver, wait.taker
                answer = next((r for p in table.values() if (r := p.answer()) is not None), None)
                if answer is None:
                    break
                give(table, answer)
    raise AssertionError("no spy was ever played")


def delivered(change: Any, start: int = 0) -> tuple[dict[str, Player], str, str, Handle]:
    """The delivery, changed by a dishonest giver."""
    table, giver, taker = stealing(start)
    player = table[giver]
    handle = player.owed().deliver.handles[0]
    honest = player.secrets.answer(player.owed()).deliver[0]
    box = change(player, handle, taker, honest)
    give(table, player.entry("answers", Answers(deliver=(Delivery(handle, pack_box(box)),))))
    return table, giver, taker, handle


def another_card(player: Player, handle: Handle, taker: str, honest: Delivery) -> bytes:
    public = player.contract.seats[taker].box
    card = bytes(32) + b"gold"
    return made_box(player.contract.game, handle, taker, public, card, player.secrets.secret)


def test_a_card_that_was_delivered_badly_is_complained_about_and_its_giver_is_named() -> None:
    table, giver, taker, handle = delivered(another_card)
    player = table[taker]
    assert player.secrets.bad_deliveries() == [handle]
    assert player.ledger.state.boxes[handle].giver == giver
    complain(table, taker, player.secrets.complaint(handle))
    assert fault(same_everywhere(table), giver) == "BoxWrong"


def complain(table: dict[str, Player], taker: str, body: Complaint) -> None:
    """The taker complains in the place of the next thing that it is asked for; the others go on."""
    rng, player = random.Random(0), table[taker]
    others = {seat: other for seat, other in table.items() if seat != taker}
    while player.owed() is None:
        give(table, next(r for p in others.values() if (r := p.answer() or p.decide(rng)) is not None))
    raw = player.entry("complaint", body)
    give(table, raw)
    while raw not in [one.entry.raw for one in player.log]:
        give(table, next(r for p in others.values() if (r := p.answer() or p.decide(rng)) is not None))


def holds_on(start: int) -> tuple[dict[str, Player], str, str, Handle] | None:
    """The taker is asked for an ambush while the bad card is still in its hand."""
    table, giver, taker, handle = delivered(another_card, start)
    settle(table)
    try:
        reach(table, "ambush", random.Random(3), taker)
    except (AssertionError, UsageError):
        return None
    return (table, giver, taker, handle) if handle in table["a"].ledger.position.players[taker].hand else None


def test_who_must_open_a_card_that_was_delivered_badly_complains_instead() -> None:
    """The taker sets the card face down; when it is to be shown, only the giver can be at fault."""
    table, giver, taker, handle = next(found for n in range(20) if (found := holds_on(n * 60)) is not None)
    player = table[taker]
    choice = player.secrets.sealed_choice(player.owed().options, Ambush((handle,)), True)
    give(table, player.entry("sealed", choice))
    slot = player.secrets.answer(player.owed())
    give(table, player.entry("answers", slot))
    assert player.owed().opens == (handle,)
    with pytest.raises(UsageError, match="it was not handed over as it should"):
        player.answer()
    give(table, player.entry("complaint", player.secrets.complaint(handle)))
    assert fault(same_everywhere(table), giver) == "BoxWrong"


def test_a_box_that_cannot_be_one_is_its_givers_breach() -> None:
    """It could neither be opened nor complained of."""
    for wrong in (bytes(128), b"\x07" * 100, b"\x07" * (64 + 16 + 128 + 1)):
        table, giver, *_ = delivered(lambda player, handle, taker, honest, wrong=wrong: wrong)
        assert fault(same_everywhere(table), giver) == "BoxMalformed"


def complained(table: dict[str, Player], taker: str, handle: Handle) -> None:
    """A complaint that discloses a key which opens nothing; then the secrets of all."""
    complain(table, taker, Complaint(handle, "ab" * 32))
    one = same_everywhere(table)
    assert one.ledger.state.gone == {} and one.ledger.state.disputed == handle
    assert one.ledger.position.outcome is not None and one.ledger.position.outcome.winners == ()
    assert {d.kind for d in one.ledger.due().values()} == {"audit"}
    for p in table.values():
        give(table, p.audit() or b"")
    assert set(same_everywhere(table).ledger.state.opened) == {"a", "b", "c"}


def test_a_complaint_that_the_key_does_not_settle_is_settled_by_the_audit() -> None:
    """The box is made again from the giver's secret: the same box names the complainer, another the giver."""

    def other_commitment(player: Player, handle: Handle, taker: str, honest: Delivery) -> bytes:
        box = unpack_box(honest.box)
        return box[:32] + bytes(32) + box[64:]

    table, giver, taker, handle = delivered(lambda player, handle, taker, honest: unpack_box(honest.box))
    complained(table, taker, handle)
    assert fault(same_everywhere(table), taker) == "ComplaintGroundless"
    table, giver, taker, handle = delivered(other_commitment)
    assert table[taker].secrets.bad_deliveries() == [handle]
    complained(table, taker, handle)
    assert fault(same_everywhere(table), giver) == "BoxWrong"


def test_a_complaint_without_cause_names_its_author() -> None:
    table, giver, taker = stealing()
    player = table[taker]
    handle = table[giver].owed().deliver.handles[0]
    settle(table)
    assert handle in player.ledger.state.boxes and player.secrets.bad_deliveries() == []
    complain(table, taker, player.secrets.complaint(handle))
    assert fault(same_everywhere(table), taker) == "ComplaintGroundless"


def test_a_disclosed_key_opens_that_box_alone() -> None:
    table, giver, taker = stealing()
    handle = table[giver].owed().deliver.handles[0]
    settle(table)
    player = table[taker]
    key = bytes.fromhex(player.secrets.complaint(handle).key)
    box = unpack_box(player.ledger.state.boxes[handle].box)
    assert sealing.open_with_shared(key, delivery_context(player.contract.game, handle), box)
    with pytest.raises(VerificationError, match="closed with another key"):
        sealing.open_with_shared(key, delivery_context(player.contract.game, "deck-a-1.0x"), box)
