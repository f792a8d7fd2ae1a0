"""What was sealed binds, what was not seen does not count: attacks on commitments, boxes and plans."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from pbem.protocol import sealed, secrets, taking
from pbem.protocol.bodies import Answers, Delivery, Opening, SealedChoice
from pbem.protocol.canonical import digest
from pbem.protocol.complaints import made_box
from pbem.protocol.ledger import Ledger
from pbem.protocol.running import Runner
from pbem.protocol.shapes import pack_box
from tests.attack_kit import works_only_without
from tests.scenes import orders, reach, table_of
from tests.table import entry_of, give, players
from tests.test_rounds import stealing

# --- openings: what was committed to is what is shown


def accepts_any_opening(self: Any, seat: str, opening: Opening) -> None:
    """As if nobody compared an opening with its commitment."""


def the_owner_changes_a_chit_when_it_is_drawn() -> bool:
    """b put rest into the cup; when its slot is drawn it says act."""
    for n in range(30):
        table = players(2, salt=f"chit {n}")
        rng = random.Random(n)
        reach(table, "bid", rng)
        for seat in "ab":
            give(table, table[seat].decide(rng) or b"")
        while True:
            b = table["b"]
            owed = b.owed()
            if owed is not None and owed.opens and owed.opens[0].startswith("s1.b."):
                honest = b.secrets.answer(owed)
                if honest.opens[0].value == "rest":
                    lie = replace(honest, opens=(replace(honest.opens[0], value="act"),))
                    give(table, b.entry("answers", lie))
                    return b.ledger.state.verdict is None and table["a"].asked == "b"
            raw = next((r for p in table.values() if (r := p.answer()) is not None), None)
            if raw is None:
                break
            give(table, raw)
    raise AssertionError("no rest of b was ever drawn")


def test_a_chit_in_the_cup_cannot_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    works_only_without(
        monkeypatch, the_owner_changes_a_chit_when_it_is_drawn, (Runner, "check_opening", accepts_any_opening)
    )


def the_second_to_open_changes_its_bid() -> bool:
    """a has opened its bid; b opens one more than that."""
    table = players(2, salt="bid")
    rng = random.Random(11)
    reach(table, "bid", rng)
    for seat, stones in (("a", 1), ("b", 0)):
        player = table[seat]
        move = next(m for m in player.owed().options.list() if m.stones == stones)
        give(table, player.entry("sealed", player.secrets.sealed_choice(player.owed().options, move, False)))
    give(table, table["a"].answer() or b"")
    b = table["b"]
    honest = b.secrets.answer(b.owed())
    lie = replace(honest, opens=(replace(honest.opens[0], value="bid 2"),))
    give(table, b.entry("answers", lie))
    return b.ledger.state.verdict is None and b.ledger.position.players["b"].points == 2


def test_a_sealed_choice_cannot_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    works_only_without(
        monkeypatch, the_second_to_open_changes_its_bid, (Runner, "check_opening", accepts_any_opening)
    )


def commits_to_text_alone(game: bytes, seat: str, place: str, plaintext: bytes, nonce: bytes) -> bytes:
    """As if a commitment did not name its game, seat and place."""
    return digest("commit", plaintext, nonce)


def the_copyist_seals_what_the_other_sealed() -> bool:
    """b does not know a's bid, but copies its commitment and, once a has opened, its opening."""
    table = players(2, salt="copy")
    rng = random.Random(11)
    reach(table, "bid", rng)
    a, b = table["a"], table["b"]
    first = a.decide(rng)
    assert first is not None
    give(table, first)
    body = b.secrets.sealed_choice(b.owed().options, next(iter(b.owed().options.list())), False)
    copied = SealedChoice(body.link, (replace(body.seals[0], commit=entry_of(first).body.seals[0].commit),))
    give(table, b.entry("sealed", copied))
    opened = a.answer()
    assert opened is not None
    give(table, opened)
    theirs = entry_of(opened).body.opens[0]
    give(table, b.entry("answers", Answers(opens=(Opening(b.owed().opens[0], theirs.value, theirs.nonce),))))
    return b.ledger.state.verdict is None


def test_a_commitment_cannot_be_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    works_only_without(
        monkeypatch,
        the_copyist_seals_what_the_other_sealed,
        (sealed, "commitment", commits_to_text_alone),
    )


def always(*_: Any) -> bool:
    return True


def the_victim_hands_over_another_card() -> bool:
    """A joint index chose a card of the giver's hidden hand; the giver sends a worse one under its name."""
    table, giver, taker = stealing()
    player = table[giver]
    wait = player.owed().deliver
    handle = wait.handles[0]
    box = made_box(
        player.contract.game,
        handle,
        taker,
        player.contract.seats[taker].box,
        bytes(32) + b"map",
        player.secrets.secret,
    )
    give(table, player.entry("answers", Answers(deliver=(Delivery(handle, pack_box(box)),))))
    got = table[taker].secrets
    return got.value(handle) == "map" and got.bad_deliveries() == []


def test_a_card_from_a_hidden_hand_cannot_be_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    works_only_without(monkeypatch, the_victim_hands_over_another_card, (secrets, "fits", always))


# --- plans: what was sealed binds, what was not seen does not count


def the_planner_changes_its_plan() -> bool:
    """a's list goes on with `done`; after b's loss it would rather swear."""
    for salt in range(30):
        table = table_of(2, salt=f"plan {salt}")
        a, b = table["a"], table["b"]
        give(table, orders(a, "hit b\n    boast 0\ndone"))
        give(table, b.answer() or b"")
        if b.owed() is None or b.owed().lane != "decide":
            continue
        give(table, orders(b, "lose face"))
        honest = a.secrets.answer(a.owed())
        assert honest.tail is not None
        give(table, a.entry("answers", replace(honest, tail=replace(honest.tail, text="swear\n"))))
        return a.ledger.state.verdict is None and a.ledger.position.players["a"].points == 1
    raise AssertionError("no hit in thirty tries")


class AnyCommitment(str):
    """A commitment that fits everything."""

    def __ne__(self, other: object) -> bool:
        return False


class Forgiving:
    """Stands for the module `sealed` where commitments are compared."""

    @staticmethod
    def commitment(*_: Any) -> Any:
        class Fits:
            def hex(self) -> str:
                return AnyCommitment("fits")

        return Fits()


def test_a_sealed_part_of_a_list_cannot_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    works_only_without(monkeypatch, the_planner_changes_its_plan, (taking, "sealed", Forgiving))


def takes_in_everything(self: Ledger, entry: Any) -> list[Any]:
    """As if whatever lies about out of turn counted, seen or not."""
    others = [s for s in self.position.seats if s != entry.seat]
    return [e for s in others for e in self._chain(s, "decide") if e.head.kind == "standing"]


def a_standing_order_divides_the_table() -> bool:
    """b's standing order reaches only some machines before a's orders: do they still agree?"""
    table = table_of(3, salt="late")
    late = table["b"].entry("standing", table["b"].secrets.standing("loss", ["lose face"], False, 1))
    table["b"].receive(late)
    table["c"].receive(late)
    give(table, orders(table["a"], "swear", seen=()))
    return table["a"].ledger.text != table["c"].ledger.text


def test_what_nobody_has_seen_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    works_only_without(monkeypatch, a_standing_order_divides_the_table, (Ledger, "seen", takes_in_everything))
