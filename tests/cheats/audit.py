"""Cheats that nobody can see during the game: the audit finds them when the secrets are out."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pbem.errors import PbemError, VerificationError
from pbem.protocol.deck import dealing, shuffling, wire
from pbem.protocol.log.audit import Auditor
from pbem.protocol.papers.bodies import Answers
from pbem.protocol.rounds import deck_duties
from tests.adversary.comfort import verified
from tests.cheats.kit import End, cheat, nothing
from tests.scenes import deeds, hand_over_badly, held, orders, play, reach, with_a_chain_from_elsewhere
from tests.table import Player, give, play_out, players
from tests.test_rounds import hurt, stealing


def judged(table: dict[str, Player], seat: str) -> End:
    """Play on to the end; what `verify` then says of this seat."""
    play_out(table, random.Random(1))
    other = next(player for player in table.values() if player.seat != seat)
    assert other.over and other.ledger.state.verdict is None, "during the game nobody can tell"
    found = verified(other)
    if found.problem is None:
        return End.SUCCEEDS
    return End.NAMED if found.problem.seat == seat else End.HEALED


def shuffles(make: Callable[[Player, Any], Answers]) -> End:
    """a lies in its first shuffle."""
    table = players(2, salt="shuffle")
    a = table["a"]
    assert a.owed().shuffle is not None
    give(table, a.entry("answers", make(a, a.owed().shuffle)))
    return judged(table, "a")


@cheat(End.NAMED, (Auditor, "_own_deck", nothing))
def the_owner_puts_nothing_but_gold_into_its_deck() -> End:
    """Every slot of a's own deck is committed to gold."""
    return shuffles(lambda a, wait: a.secrets._shuffle(replace(wait, cards=("gold",) * len(wait.cards))))


@cheat(End.NAMED, (Auditor, "_sealed", nothing))
def a_chit_is_put_into_the_cup_that_is_none() -> End:
    """As long as it is not drawn nobody sees it."""
    for salt in range(20):
        table = players(2, salt=f"chits {salt}")
        reach(table, "chits", random.Random(1))
        a = table["a"]
        body = a.secrets.sealed_choice(a.owed().options, next(iter(a.owed().options.list())), True)
        forged = a.secrets.seal("slot s1.a.1", "joker")
        give(table, a.entry("sealed", replace(body, seals=(body.seals[0], forged))))
        try:
            return judged(table, "a")
        except AssertionError:
            continue  # it was drawn, and seen at once
    raise AssertionError("the joker was always drawn")


@cheat(End.NAMED, (Auditor, "_sealed", nothing))
def a_seal_is_made_that_its_own_secret_does_not_open() -> End:
    """The note for oneself holds something else than the commitment: it could be opened as one likes."""
    for salt in range(20):
        table = players(2, salt=f"boxes {salt}")
        reach(table, "chits", random.Random(1))
        a = table["a"]
        body = a.secrets.sealed_choice(a.owed().options, next(iter(a.owed().options.list())), True)
        other = replace(body.seals[1], box=a.secrets.seal("another place", "rest").box)
        give(table, a.entry("sealed", replace(body, seals=(body.seals[0], other))))
        try:
            return judged(table, "a")
        except Exception:
            continue  # it was drawn, and a could not open it
    raise AssertionError("it was always drawn")


@cheat(End.NAMED, (Auditor, "note", nothing))
def the_holder_of_gold_swears_that_it_has_none() -> End:
    """What only its own hand could show."""
    for table, player in deeds("oath", 40):
        if "gold" in held(player):
            give(table, orders(player, "swear"))
            return judged(table, player.seat)
    raise AssertionError("nobody with gold was ever asked")


@cheat(End.NAMED, (Auditor, "_declined", nothing))
def a_standing_order_is_said_not_to_cover_the_question() -> End:
    """A sealed standing order would be a free option if its owner could leave it closed."""
    table = hurt(lines=("lose stone",))
    give(table, table["b"].entry("answers", Answers()))
    play(table, "b", "lose face")
    return judged(table, "b")


@cheat(End.NAMED, (Auditor, "_delivered", nothing))
def a_card_is_handed_over_in_a_box_that_does_not_hold_it() -> End:
    """The taker says nothing about it: the two may be friends."""
    for start in (240, *range(0, 400, 20)):
        table, giver, taker = stealing(start)
        hand_over_badly(table, giver, taker)
        try:
            return judged(table, giver)
        except Exception:
            continue  # the taker wanted to play the card
    raise AssertionError("it was always played")


@cheat(End.NAMED, (Auditor, "_tip", nothing))
def a_further_chain_comes_from_elsewhere() -> End:
    """When its chain runs out, a goes on with one that its secret did not make."""
    table, elsewhere = with_a_chain_from_elsewhere()
    a = table["a"]
    a.secrets.secret, true = elsewhere.secrets.secret, a.secrets.secret
    a.secrets.audit = lambda: replace(type(a.secrets).audit(a.secrets), secret=true.hex())  # type: ignore[method-assign]
    return judged(table, "a")


REAL_NUMBER = dealing.held_number


def _only_what_can_be(deck: Any, seat: str, secret: bytes, slot: Any) -> int:
    """As if a machine could tell, and show, only a card that can be there."""
    card = REAL_NUMBER(deck, seat, secret, slot)
    if card is None or card in deck.open:
        raise VerificationError(f"slot {slot} holds a card that cannot be there")
    return card


@cheat(End.NAMED, (dealing, "held_number", _only_what_can_be))
def a_card_that_is_there_twice_keeps_a_plan_closed() -> End:
    """a's shuffle leaves one card in all slots. b planned to play two, and opens its plan all the same."""
    table = planned_twice()
    a, b = table.values()
    try:
        raw = b.answer()
    except PbemError:
        return End.SUCCEEDS
    give(table, raw or b"")
    verdict = b.ledger.state.verdict
    assert verdict is not None and not verdict.culprit and verdict.reason.event == "DeckSpoilt"
    for player in (a, b):
        give(table, player.audit() or b"")
    found = verified(b).problem
    return End.NAMED if found is not None and found.seat == "a" else End.HEALED


def planned_twice() -> dict[str, Player]:
    """b has played gold from a deck of one card, has hit, and its sealed plan goes on with gold once more."""
    for salt in range(40):
        table = players(2, options={"deck": "shared"}, salt=f"planted {salt}")
        a, b = table.values()
        deck = deck_duties.load(a.ledger.state, "deck")
        golden = replace(deck, masked=deck.masked[:1] * len(deck.masked))
        step = shuffling.make_shuffle(golden, "a", a.secrets.secret)
        give(table, a.entry("answers", Answers(deck=tuple(wire.to_lines(step)))))
        with suppress(AssertionError):
            reach(table, "deed", random.Random(salt), "b")
            if list(b.secrets.view().known.values()).count("gold") == 2:
                give(table, orders(b, "play gold\nhit a\nplay gold"))
                while (owed := b.owed()) is None or not owed.tail:
                    give(table, a.answer() or a.decide(random.Random(1)) or b.answer() or b"")
                return table
    raise AssertionError("b was never asked with both cards in its hand")
