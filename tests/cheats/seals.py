"""Cheats with what is hidden: openings, copied commitments, exchanged cards, changed plans."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from pbem.protocol.crypto import sealing
from pbem.protocol.crypto.canonical import digest
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.papers.bodies import Answers, Delivery, Opening, SealedChoice
from pbem.protocol.papers.body_checks import pack_box
from pbem.protocol.rounds import in_turn, own_knowledge, own_secrets
from pbem.protocol.rounds.card_boxes import made_box
from tests.cheats.kit import End, always, cheat
from tests.scenes import orders, reach, table_of, texts
from tests.table import entry_of, give, players
from tests.test_rounds import stealing

# --- openings: what was committed to is what is shown


def accepts_any_opening(runner: Any, seat: str, opening: Opening) -> None:
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


cheat(End.NAMED, (in_turn, "_check_opening", accepts_any_opening))(the_owner_changes_a_chit_when_it_is_drawn)


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


cheat(End.NAMED, (in_turn, "_check_opening", accepts_any_opening))(the_second_to_open_changes_its_bid)


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


cheat(End.NAMED, (sealing, "commitment", commits_to_text_alone))(the_copyist_seals_what_the_other_sealed)


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


cheat(End.NAMED, (own_knowledge, "fits", always), (own_secrets, "fits", always))(
    the_victim_hands_over_another_card
)


# --- plans: what was sealed binds, what was not seen does not count


def the_planner_changes_its_plan() -> bool:
    """a's list goes on with `done`; after b's loss it would rather hit again."""
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
        give(table, a.entry("answers", replace(honest, tail=replace(honest.tail, text="hit b\n"))))
        return a.ledger.state.verdict is None and texts(table).count("a: hit b") == 2
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


cheat(End.NAMED, (in_turn, "sealing", Forgiving))(the_planner_changes_its_plan)


def takes_in_everything(self: Ledger, entry: Any) -> list[Any]:
    """As if whatever lies about out of turn counted, seen or not."""
    others = [s for s in self.position.seats if s != entry.seat]
    return [e for s in others for e in self.chain(s, "decide") if e.head.kind == "standing"]


def a_standing_order_divides_the_table() -> bool:
    """b's standing order reaches only some machines before a's orders: do they still agree?"""
    table = table_of(3, salt="late")
    late = table["b"].entry("standing", table["b"].secrets.standing("loss", ["lose face"], False, 1))
    table["b"].receive(late)
    table["c"].receive(late)
    give(table, orders(table["a"], "swear", seen=()))
    return table["a"].ledger.text != table["c"].ledger.text


cheat(End.HEALED, (Ledger, "seen", takes_in_everything))(a_standing_order_divides_the_table)
