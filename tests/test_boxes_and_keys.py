"""Cards that were handed over before somebody's keys changed: no honest giver is named for that."""

from __future__ import annotations

import random

import pytest

from pbem.engine.notation import Handle
from pbem.protocol.papers.body_checks import unpack_box
from pbem.protocol.rounds import complaints
from pbem.protocol.rounds.stretch import Stretch
from tests.scenes import fault, verified
from tests.table import Player, key_of, play_out, same_everywhere, settle
from tests.test_ledger_keys import consent, with_new_key
from tests.test_rounds import complained, delivered


def handed_over(wanted: str) -> tuple[dict[str, Player], str, str, Handle]:
    """A card was handed over honestly, and then its taker, or its giver, has gone on with new keys."""
    table, giver, taker, handle = delivered(lambda player, handle, taker, honest: unpack_box(honest.box))
    settle(table)
    seat = {"taker": taker, "giver": giver}[wanted]
    new = key_of(seat, "new")
    consent(table, seat, new)
    assert all(player.ledger.state.seats[seat].key for player in table.values())
    table[seat] = with_new_key(table[seat], new)
    return table, giver, taker, handle


def _present(runner: Stretch, reader: str) -> tuple[bytes, ...]:
    """As if a box could only have been made for the key that its reader has now."""
    return (bytes.fromhex(runner.state.seats[reader].box),)


def test_new_keys_of_who_was_handed_a_card_name_no_honest_giver(monkeypatch: pytest.MonkeyPatch) -> None:
    def named() -> str:
        table, giver, taker, handle = handed_over("taker")
        complained(table, taker, handle)
        one = same_everywhere(table)
        (out,) = one.ledger.state.gone
        assert fault(one, out) == {taker: "ComplaintGroundless", giver: "BoxWrong"}[out]
        return "taker" if out == taker else "giver"

    assert named() == "taker", "it complained without cause"
    monkeypatch.setattr(complaints, "_keys_of", _present)
    assert named() == "giver", "without the check its giver is named"


@pytest.mark.parametrize("who", ["taker", "giver"])
def test_the_audit_makes_a_box_again_for_the_key_that_its_taker_had_then(who: str) -> None:
    """The audit looks at each entry where the replay stands, so later keys change nothing."""
    table, *_ = handed_over(who)
    play_out(table, random.Random(1))
    one = same_everywhere(table)
    assert one.over and set(one.ledger.state.opened) == set(table)
    found = verified(one)
    assert found.ok and found.problem is None
