"""Well-signed entries that lie about links, openings, seals, shuffles and secrets: each names its author."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pbem.engine.notation import Handle
from pbem.engine.waits import Shuffled
from pbem.protocol.papers.bodies import Answers, Audit, Opening
from pbem.protocol.rounds import deck_duties, in_turn, out_of_turn
from tests.cheats.kit import End, always, cheat, end_of, nothing
from tests.scenes import orders, reach, table_of
from tests.table import Player, give, players

HEX = "ab" * 32
CLOSED = Handle("deck-a-1.0")
ANY_LINK = (in_turn, "_follows", always)
ANY_OPENING = (in_turn, "_check_opening", nothing)


def until(table: dict[str, Player], fits: Callable[[Any], bool], rng: random.Random) -> Player | None:
    """Play on until somebody owes something of this kind."""
    for _ in range(3000):
        for player in table.values():
            owed = player.owed()
            if owed is not None and fits(owed):
                return player
        raw = next((r for p in table.values() if (r := p.answer()) is not None), None)
        raw = raw or next((r for p in table.values() if (r := p.decide(rng) or p.audit()) is not None), None)
        if raw is None:
            return None
        give(table, raw)
    return None


def body_of(player: Player) -> Any:
    """What the player's machine or the player would honestly give."""
    owed = player.owed()
    if owed.kind == "audit":
        return player.secrets.audit()
    if owed.lane == "answer":
        return player.secrets.answer(owed)
    move = owed.options.sample(random.Random(1), player.secrets.view(owed.options))
    if owed.kind == "sealed":
        wait = player.ledger.machine.waits_for(player.ledger.position)
        return player.secrets.sealed_choice(owed.options, move, wait.fills)
    return player.secrets.orders_of(move)


def lie(fits: Callable[[Any], bool], change: Callable[[Any], Any], deck: str = "own") -> End:
    """Play until somebody owes this, let it lie, and see what the others hold of it."""
    for salt in range(40):
        table = players(2, options={"deck": deck}, salt=f"lie {salt}")
        rng = random.Random(salt)
        liar = until(table, fits, rng)
        if liar is None:
            continue
        give(table, liar.entry(liar.owed().kind, change(body_of(liar))))
        for player in table.values():  # a round of several is judged when it is complete
            while player is not liar and liar.ledger.state.verdict is None and player.owed() is not None:
                raw = player.answer() or player.decide(rng) or player.audit()
                if raw is None:
                    break
                give(table, raw)
                if raw and player.owed() is not None and player.owed().lane == "decide":
                    break
        return end_of(table, liar.seat)
    raise AssertionError("it never came to that")


# --- links


@cheat(End.NAMED, ANY_LINK)
def a_decision_brings_a_made_up_link() -> End:
    """The author of an order would rather have another part in the next die."""
    return lie(lambda d: d.kind == "orders", lambda b: replace(b, link=HEX))


@cheat(End.NAMED, ANY_LINK)
def a_sealed_choice_brings_a_made_up_link() -> End:
    """The same with a sealed choice."""
    return lie(lambda d: d.kind == "sealed", lambda b: replace(b, link=HEX))


@cheat(End.NAMED, ANY_LINK)
def an_answer_brings_a_made_up_link() -> End:
    """The last seat to answer knows all other links, and would choose its own."""
    return lie(lambda d: d.link and not d.tail, lambda b: replace(b, link=HEX))


REAL_TAKE_LINK = in_turn._take_link


def _does_without(runner: Any, owed: Any, body: Any, deciders: int) -> None:
    """As if a seat could leave its link out."""
    if owed.link and not body.link:
        runner.state.fresh[owed.seat] = "00" * 32
    else:
        REAL_TAKE_LINK(runner, owed, body, deciders)


@cheat(End.NAMED, (in_turn, "_take_link", _does_without))
def an_answer_keeps_its_link_back() -> End:
    """A seat answers without its part in the die, so that the others' parts alone decide."""
    return lie(lambda d: d.link and not d.tail, lambda b: replace(b, link="", tip=""))


def _takes_any_tip(runner: Any, seat: str, body: Any) -> bool:
    runner.state.change(seat, link=body.link, links=runner.state.seats[seat].next_link, skip=0)
    return True


@cheat(End.NAMED, (in_turn, "_advance", _takes_any_tip))
def a_new_chain_begins_before_its_time() -> End:
    """A tip of one's own choosing, fitted to links that are known, in the middle of a chain."""
    return lie(lambda d: d.kind == "orders", lambda b: replace(b, tip=HEX))


@cheat(End.NAMED, ANY_LINK)
def the_copyist_signs_the_others_list() -> End:
    """b signs a's orders, opening, link and all."""
    table = table_of(2)
    raw = orders(table["a"], "done")
    give(table, raw)
    from tests.table import entry_of

    give(table, table["b"].entry("orders", entry_of(raw).body))
    return end_of(table, "b")


# --- openings and seals


@cheat(End.NAMED, ANY_OPENING)
def a_drawn_chit_is_opened_with_another_nonce() -> End:
    """The value is right, the proof is not: it could as well be another value."""
    return lie(lambda d: d.opens, lambda b: replace(b, opens=(replace(b.opens[0], nonce=HEX),)))


def _opens_anything(self: Any, seat: str, opening: Any) -> None:
    """As if whoever names a slot might open it."""


def _false_opening(opening: Callable[[Player, Handle], Opening]) -> End:
    table = players(2, salt="openings")
    seat = reach(table, "deed", random.Random(2))
    player = table[seat]
    handle = next(h for h in player.ledger.position.hidden if f"-{seat}-" in h)
    body = replace(player.secrets.orders("swear"), opens=(opening(player, handle),))
    give(table, player.entry("orders", body))
    return end_of(table, seat)


def _of_the_other(player: Player) -> Handle:
    closed = player.ledger.position.hidden
    return next(h for h in closed if h.startswith("deck-") and f"-{player.seat}-" not in h)


@cheat(End.NAMED, ANY_OPENING)
def a_slot_is_opened_that_is_not_there() -> End:
    """An opening of nothing, to be believed later."""
    return _false_opening(lambda p, h: Opening(Handle("nowhere"), "gold", HEX))


@cheat(End.NAMED, ANY_OPENING)
def a_card_of_the_hand_is_shown_as_gold() -> End:
    """A card is shown with an order as what it is not."""
    return _false_opening(lambda p, h: Opening(h, "gold", HEX))


@cheat(End.NAMED, ANY_OPENING)
def a_card_of_the_other_is_opened() -> End:
    """A closed card of the other's deck is opened with an order."""
    return _false_opening(lambda p, h: Opening(_of_the_other(p), "gold", HEX))


def _gives_anything(runner: Any, owed: Any, body: Any) -> None:
    """As if an answer might give something else than what is asked."""


REAL_TAKE_ANSWERS = in_turn._take_answers


def _gives_more(runner: Any, owed: Any, body: Any) -> None:
    """As if an answer might bring more than what is asked."""
    REAL_TAKE_ANSWERS(runner, owed, replace(body, opens=(), standing=()))


@cheat(End.NAMED, (in_turn, "_take_answers", _gives_more))
def an_answer_brings_an_opening_that_nobody_asked_for() -> End:
    """A card is turned up out of turn, with a link."""
    opening = Opening(CLOSED, "gold", HEX)
    return lie(lambda d: d.link and not d.opens and not d.tail, lambda b: replace(b, opens=(opening,)))


@cheat(End.NAMED, (in_turn, "_take_answers", _gives_more))
def an_answer_brings_a_standing_order_that_nobody_asked_for() -> End:
    """A standing order is slipped in with a link."""
    opening = Opening(CLOSED, "lose face", HEX)
    return lie(lambda d: d.link and not d.tail, lambda b: replace(b, standing=(opening,)))


# --- shuffles, deliveries, secrets


def _any_size(runner: Any, owed: Any, body: Any) -> None:
    """As if nobody counted the commitments of a shuffle."""
    runner.apply(Shuffled(body.commits))
    runner.committed()


@cheat(End.NAMED, (in_turn, "_take_shuffle", _any_size))
def every_slot_of_a_deck_is_the_same_card() -> End:
    """One commitment for all slots: whatever is drawn is the best card."""
    return lie(lambda d: d.shuffle, lambda b: replace(b, commits=(b.commits[0],) * len(b.commits)))


def _any_cards(runner: Any, owed: Any, body: Any) -> None:
    """As if nobody looked which cards are handed over."""
    runner.delivered()


@cheat(End.NAMED, (in_turn, "_take_delivery", _any_cards))
def another_slot_is_handed_over() -> End:
    """A joint index chose a card of the giver's hand; the giver hands over another slot."""
    slot = CLOSED
    return lie(lambda d: d.deliver, lambda b: replace(b, deliver=(replace(b.deliver[0], slot=slot),)))


@cheat(End.NAMED, (deck_duties, "take", nothing))
def rubbish_is_sent_for_the_shared_deck() -> End:
    """Nobody can play on with it, and nobody would know whose fault it is."""
    return lie(lambda d: d.deck, lambda b: replace(b, deck=("AAAA",)), "shared")


REAL_PUBLISH = out_of_turn._publish


def _believes(runner: Any, seat: str, secret: str, *_: Any) -> None:
    runner.state.opened[seat] = secret


@cheat(End.NAMED, (out_of_turn, "_publish", _believes))
def a_false_secret_is_published() -> End:
    """When the game is over a seat publishes a secret that fits nothing it hid."""
    return lie(lambda d: d.kind == "audit", lambda b: Audit(HEX))


@cheat(End.NAMED, (in_turn, "_take_answers", _gives_anything))
def nothing_is_sent_for_the_shared_deck() -> End:
    """An empty answer where a message of the deck is owed."""
    return lie(lambda d: d.deck, lambda b: Answers(), "shared")


@cheat(End.NAMED, (in_turn, "_take_answers", _gives_anything))
def a_shuffle_is_answered_with_something_else() -> End:
    """Where commitments to a deck are owed comes a message of another kind."""
    return lie(lambda d: d.shuffle, lambda b: Answers(deck=("AAAA",)))


@cheat(End.NAMED, (in_turn, "_finish_openings", nothing))
def another_slot_than_the_drawn_one_is_opened() -> End:
    """A chit was drawn; its owner opens another one, which it likes better."""
    return lie(lambda d: d.opens, lambda b: replace(b, opens=(replace(b.opens[0], slot=CLOSED),)))


@cheat(End.NAMED, (in_turn, "_take_sealed", nothing))
def more_chits_are_put_into_the_cup_than_belong_there() -> End:
    """Three times as many seals as there are slots."""
    return lie(lambda d: d.kind == "sealed", lambda b: replace(b, seals=b.seals * 3))
