"""Cheats with pieces of secrets: a dealer of false ones, a holder who gives them, one who pretends."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from pbem.protocol.log import vanished
from pbem.protocol.log.audit import Auditor
from pbem.protocol.papers import piece_fields, pieces
from pbem.protocol.papers.bodies import ClaimTime, Forfeit, Given
from pbem.protocol.papers.body_checks import pack_box
from pbem.protocol.papers.pieces import Dealt
from pbem.protocol.papers.times import seconds, stamp
from pbem.protocol.rounds import holding, leaving
from tests.cheats.audit import judged
from tests.cheats.kit import End, cheat, end_of, never, nothing
from tests.scenes import orders, table_of
from tests.table import Player, entry_of, give, key_of, settle
from tests.test_ledger_keys import consent, with_new_key

HEX = "5a" * 32
HOUR = 3600


def forfeits(player: Player, *seats: str) -> list[bytes]:
    """A claim and a forfeit after clock and grace, taken in by their author alone."""
    clocks, state = player.contract.invite.clocks, player.ledger.state
    at = max(seconds(state.clock) + clocks.move * HOUR, seconds(state.since))
    claim = player.entry("claim", ClaimTime(seats, state.question), player.unseen(), sent=stamp(at))
    player.receive(claim)
    end = stamp(seconds(entry_of(claim).head.sent) + clocks.grace * HOUR)
    seen = tuple(dict.fromkeys((*player.unseen(), *player.ledger.present())))
    body = Forfeit(seats, entry_of(claim).head.sent, state.question)
    forfeit = player.entry("forfeit", body, seen, sent=end)
    player.receive(forfeit)
    return [claim, forfeit]


def without(table: dict[str, Player], *gone: str) -> dict[str, Player]:
    """These seats are waited for and silent: the first of the others claims, and all confirm."""
    rest = {seat: player for seat, player in table.items() if seat not in gone}
    for raw in forfeits(next(iter(rest.values())), *gone):
        give(rest, raw)
    for player in rest.values():
        raw = player.answer()
        if raw is not None:
            give(rest, raw)
    return rest


@contextmanager
def dealer(seat: str, spoil: Any) -> Iterator[None]:
    """One seat deals otherwise than its program does."""
    honest = piece_fields.deal_all

    def deal(*args: Any) -> dict[str, Dealt]:
        made = honest(*args)
        return spoil(made, *args) if args[3] == seat else made

    with patch.object(piece_fields, "deal_all", deal):
        yield


def _another_secret(made: dict[str, Dealt], *args: Any) -> dict[str, Dealt]:
    """Pieces of something else, each with the commitment that it fits."""
    listed, seats, threshold, _, _, of, holds = args
    other = bytes(32)
    keys = {holder: bytes.fromhex(holds[holder]) for holder in made}
    return {h: pieces.deal(listed, seats, other, of, threshold, h, keys[h]) for h in made}


def _bad_boxes(made: dict[str, Dealt], *_: Any) -> dict[str, Dealt]:
    return {holder: replace(one, masked=HEX) for holder, one in made.items()}


def _vanishes(spoil: Any) -> End:
    """a deals falsely and vanishes; what the others come to."""
    with dealer("a", spoil):
        table = table_of(3, salt="pieces")
    rest = without(table, "a")
    settle(rest)
    named = [p.ledger.state.verdict for p in rest.values()]
    if all(v is not None and v.culprit == "a" and v.reason.event == "PiecesFalse" for v in named):
        return End.NAMED
    return End.SUCCEEDS


@cheat(End.NAMED, (leaving, "_open", nothing))
def the_dealer_deals_pieces_of_another_secret_and_vanishes() -> End:
    """Every piece fits its commitment, and together they make nothing."""
    return _vanishes(_another_secret)


@cheat(End.NAMED, (leaving, "_open", nothing))
def the_dealer_puts_nothing_into_the_boxes_and_vanishes() -> End:
    """The holders show, with proof, that their boxes hold no piece."""
    return _vanishes(_bad_boxes)


@cheat(End.NAMED, (Auditor, "_dealt", nothing))
def the_dealer_deals_falsely_and_is_never_called() -> End:
    """Nobody vanishes, so nobody looks before the audit deals again from the secret."""
    with dealer("a", _another_secret):
        table = table_of(3, salt="pieces")
    return judged(table, "a")


@cheat(End.NAMED, (Auditor, "_new_keys", nothing))
def the_dealer_deals_falsely_with_its_new_keys() -> End:
    """a changes its keys, and the pieces in its paper are those of something else."""
    table = table_of(3, salt="pieces")
    new = key_of("a", "new")
    with dealer("a", _another_secret):
        consent(table, "a", new)
    table["a"] = with_new_key(table["a"], new)
    return judged(table, "a")


def _gives(make: Any) -> End:
    """a has vanished, and c gives something else than its piece."""
    table = table_of(3, salt="pieces")
    rest = without(table, "a")
    c = rest["c"]
    honest = c.secrets.answer(c.owed())
    give(rest, c.entry("answers", replace(honest, pieces=make(honest.pieces))))
    settle(rest)
    return end_of(rest, "c")


def _believes(contract: Any, state: Any, holder: str, gone: Any, given: Any) -> dict[str, bytes]:
    return {one.of: bytes.fromhex(one.piece) for one in given if one.piece}


def _goes_on(runner: Any, seat: str, given: Any) -> None:
    """As if what was given made a secret."""


@cheat(End.NAMED, (leaving, "check_given", _believes), (leaving, "_open", _goes_on))
def the_holder_gives_a_false_piece() -> End:
    """So that the secret cannot be put together and the dealer is blamed."""
    return _gives(lambda given: tuple(replace(one, piece=HEX) for one in given))


@cheat(End.NAMED, (leaving, "check_given", _believes), (leaving, "_open", _goes_on))
def the_holder_gives_no_piece() -> End:
    """An answer without what it owes."""
    return _gives(lambda given: (Given(HEX, HEX),))


@cheat(End.NAMED, (holding.pieces, "box_is_bad", lambda *_: True), (leaving, "_open", _goes_on))
def the_holder_says_that_a_good_piece_is_bad() -> End:
    """It shows something, but the proof does not fit its key."""
    return _gives(lambda given: tuple(Given(one.of, shown=pack_box(bytes(96))) for one in given))


@cheat(End.HEALED, (vanished, "answer_of_late", nothing), (vanished, "_after_a_note", nothing))
def a_claimant_looks_away_from_an_answer() -> bool:
    """a has played; c, who wants its cards opened, claims as if nothing had arrived. b has the move."""
    table = table_of(3, salt="looks away")
    a, b, c = table["a"], table["b"], table["c"]
    move = orders(a, "swear")
    made = forfeits(c, "a")
    for raw in (*made, move):
        b.receive(raw)
    answer = b.answer()
    return answer is not None and bool(entry_of(answer).body.gone)


@cheat(End.HEALED, (vanished, "_to_what_stands", never))
def the_late_seat_shows_its_answer_when_all_have_confirmed() -> bool:
    """a waits until the others have confirmed, then shows b alone a move dated before: b's log goes apart."""
    table = table_of(3, salt="shows late")
    a, b, c = table["a"], table["b"], table["c"]
    move = orders(a, "swear")
    made = forfeits(c, "a")
    for raw in made:
        b.receive(raw)
    confirmed = b.answer()
    assert confirmed is not None and entry_of(confirmed).body.gone
    c.receive(confirmed)
    other = Player(b.contract, "b", b.key, b.rules)
    for raw in (move, *made, confirmed):
        other.receive(raw)
    return other.texts != c.texts
