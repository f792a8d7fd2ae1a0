"""The audit a second time, from `pbem help protocol` alone: honest games pass, the same lies are found."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests import second_audit
from tests.cheats import CHEATS, audit
from tests.scenes import Weather, table_of
from tests.second_contract import Bad, contract
from tests.table import Player, give, key_of, play_out, players, same_everywhere
from tests.test_ledger_keys import consent, with_new_key
from tests.test_rounds import stealing


def looked_at(one: Player) -> Counter[str]:
    raws, positions = [logged.entry.raw for logged in one.log], [logged.position for logged in one.log]
    return Counter(second_audit.audit(contract(one.contract.text().encode()), raws, [one.first, *positions]))


def test_every_seal_shuffle_and_card_handed_over_is_made_again() -> None:
    table, _, _ = stealing()
    play_out(table, random.Random(1))
    found = looked_at(same_everywhere(table))
    assert found.keys() == {"seal", "shuffle", "delivery"} and found["shuffle"] == 3


def test_further_chains_are_made_again() -> None:
    table = table_of(2, Weather(), scenario="long", chain=64)
    play_out(table, random.Random(1))
    assert looked_at(same_everywhere(table))["tip"] >= 4


def test_each_thing_is_opened_with_the_secret_that_closed_it() -> None:
    """a goes on with a new key after its first shuffle; both secrets are published."""
    table, rng = players(2, salt="former"), random.Random(1)
    while table["a"].asked != "a":
        give(table, next(r for p in table.values() if (r := p.answer() or p.decide(rng)) is not None))
    new = key_of("a", "new")
    consent(table, "a", new)
    table["a"] = with_new_key(table["a"], new)
    play_out(table, rng)
    one = same_everywhere(table)
    assert len(one.ledger.state.seats["a"].former) == 1
    assert looked_at(one)["shuffle"] == 2


LIES = {
    "the_owner_puts_nothing_but_gold_into_its_deck": "is not the one that its secret makes",
    "a_seal_is_made_that_its_own_secret_does_not_open": "does not open with the published secret",
    "a_card_is_handed_over_in_a_box_that_does_not_hold_it": "does not hold its card",
    "a_further_chain_comes_from_elsewhere": "does not come from the secret",
}
"""Of the cheats that only the audit sees, those that need no rule of the game to be found."""


@pytest.mark.parametrize("name", LIES)
def test_a_lie_that_only_the_audit_sees_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Player] = []
    real = audit.verified
    monkeypatch.setattr(audit, "verified", lambda player: looked.append(player) or real(player))
    assert CHEATS[name].with_checks() is CHEATS[name].ends
    with pytest.raises(Bad, match=LIES[name]):
        looked_at(looked[-1])
