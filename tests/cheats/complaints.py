"""Cheats with cards that were handed over and secrets before their time."""

from __future__ import annotations

from pbem.protocol.crypto import sealing
from pbem.protocol.papers.body_checks import unpack_box
from pbem.protocol.rounds import out_of_turn
from tests.cheats.kit import End, always, cheat, end_of, nothing
from tests.scenes import orders, table_of
from tests.table import give, settle
from tests.test_rounds import complained, delivered


@cheat(End.NAMED, (out_of_turn, "judge_by_secrets", nothing))
def a_card_is_complained_of_with_a_key_that_opens_nothing() -> bool | End:
    """The taker has its card, wants to be rid of the game, and discloses a key that fits no box."""
    table, _, taker, handle = delivered(lambda player, handle, taker, honest: unpack_box(honest.box))
    complained(table, taker, handle)
    return end_of(table, taker) is not End.NAMED or End.NAMED


@cheat(End.NAMED, (sealing, "check_form", nothing))
def a_box_is_handed_over_that_nobody_can_open_or_complain_of() -> bool | End:
    table, giver, *_ = delivered(lambda player, handle, taker, honest: bytes(128))
    return end_of(table, giver) is not End.NAMED or End.NAMED


@cheat(End.HEALED, (out_of_turn, "_is_due", always))
def a_secret_is_published_before_an_answer() -> bool:
    """b publishes its secret while it is asked: from then on it would play by default, in the open."""
    table = table_of(2)
    b = table["b"]
    give(table, b.entry("audit", b.secrets.audit()))
    give(table, orders(table["a"], "hit b"))
    settle(table)
    return any("b" in player.ledger.state.opened for player in table.values())
