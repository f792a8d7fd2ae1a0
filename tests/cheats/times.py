"""Cheats with dates and clocks: the future, the past, years that are none, claims that are evaded."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

from pbem.engine.events import Event
from pbem.protocol.log import forfeits
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.papers import invitation, times
from pbem.protocol.papers.acceptance import make_accept
from pbem.protocol.papers.bodies import Absence, ClaimTime, Forfeit, Note
from pbem.protocol.papers.contract import make_signing
from pbem.protocol.papers.entry import compose
from pbem.protocol.papers.invitation import Invite
from pbem.protocol.papers.paper import write_paper
from pbem.protocol.papers.times import DAY, seconds, stamp
from pbem.protocol.rounds import clocks, out_of_turn
from pbem.protocol.rounds.events import QuestionAnswered
from tests.cheats.kit import End, cheat, end_of, never, nothing
from tests.scenes import orders, play, table_of
from tests.table import START, Player, entry_of, give, key_of, make_contract, players, settle

ANY_DIGITS = (times, "_FORM", re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"))
REAL_WHY = clocks.why_unlawful


def waiting(count: int = 2) -> dict[str, Player]:
    """a has played, and b is asked; it is an hour later, on every machine."""
    table = table_of(count)
    play(table, "a", "done")
    for player in table.values():
        player.ledger.time = stamp(player.clock + 3600)
    return table


def _claims(player: Player, claimed: str, forfeited: str, late: str) -> tuple[bytes, bytes]:
    question = player.ledger.state.question
    claim = player.entry("claim", ClaimTime((late,), question), sent=claimed)
    player.receive(claim)
    return claim, player.entry("forfeit", Forfeit((late,), claimed, question), sent=forfeited)


@cheat(End.HEALED, (Ledger, "_is_early", never))
def a_claim_and_a_forfeit_come_from_the_future() -> End:
    """a dates a claim in fifteen days and a forfeit in nineteen, and sends both today."""
    table = waiting()
    a, b = table["a"], table["b"]
    a.ledger.time = ""
    for raw in _claims(a, stamp(a.clock + 15 * DAY), stamp(a.clock + 19 * DAY), "b"):
        b.receive(raw)
    verdict = b.ledger.state.verdict
    if verdict is not None:
        return End.SUCCEEDS if verdict.culprit == "b" else End.NAMED
    give({"b": b}, orders(b, "done"))
    return End.HEALED if b.ledger.state.number > 1 else End.SUCCEEDS


@cheat(End.HEALED, (Ledger, "_is_early", never))
def a_move_from_the_far_future_stops_the_clock() -> bool:
    """a dates its order in the year 2090: nobody's clock would run out any more."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    b.ledger.time = stamp(a.clock + 3600)
    b.receive(a.entry("orders", a.secrets.orders("done"), sent="2090-01-01T00:00:00Z"))
    return b.ledger.state.since.startswith("2090")


@cheat(End.REFUSED, ANY_DIGITS)
def a_year_is_written_in_other_digits() -> bool:
    """Digits that are not ASCII sort after all others, and mean another year."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    raw = a.entry("note", Note(), sent=stamp(a.clock).replace("20", "２０", 1))
    b.receive(raw)
    return True


@cheat(End.REFUSED, ANY_DIGITS)
def a_year_is_before_all_years() -> bool:
    """A date in 1969 is a negative number of seconds, which no commit can have."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    b.receive(a.entry("note", Note(), sent="9999-12-31T23:59:59Z"))
    return True


def _before_the_game(self: Any, claim: Any) -> Any:
    from pbem.protocol.papers.entry import verify

    return verify(claim, self.keys())


@cheat(End.REFUSED, (Ledger, "admit", _before_the_game))
def an_entry_is_dated_before_the_game() -> bool:
    """An absence that began long ago, or a clock that had run out before anybody signed."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    b.receive(a.entry("absence", Absence(stamp(START + DAY)), sent=stamp(START - 30 * DAY)))
    return len(b.ledger.pool) == 1


@cheat(End.REFUSED, (Ledger, "_misdated", never))
def a_move_is_dated_back_to_shorten_the_next_clock() -> bool:
    """The next player's clock begins when the move says it was signed: a dates it two weeks back."""
    table = waiting()
    b = table["b"]
    raw = b.entry("orders", b.secrets.orders("done"), sent=stamp(START))
    table["a"].receive(raw)
    return table["a"].ledger.state.number == 2


@cheat(End.REFUSED, (Ledger, "_misdated", never))
def an_answer_moves_the_clock_of_the_log() -> bool:
    """Whoever has only the answering key dates an automatic answer into next year."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    give(table, orders(a, "hit b"))
    head = replace(b.head("answers"), sent=stamp(a.clock + 300 * DAY))
    a.receive(compose(head, b.secrets.answer(b.owed()), b.answering))
    return a.ledger.state.number == 2


def _by_window(clocks_: Any, state: Any, entry: Any, wanted: Any) -> Event | None:
    """As if a claim counted only while the entry it names is the last one."""
    return QuestionAnswered() if entry.head.head != state.head else REAL_WHY(clocks_, state, entry, wanted)


@cheat(
    End.NAMED,
    (clocks, "why_unlawful", _by_window),
    (out_of_turn, "why_unlawful", _by_window),
    (forfeits, "why_unlawful", _by_window),
)
def notes_push_a_claim_out_of_memory() -> End:
    """b, whose clock has run out, signs one note after the other instead of a move."""
    table = waiting()
    a, b = table["a"], table["b"]
    late = stamp(seconds(a.ledger.state.clock) + 40 * DAY)
    for player in table.values():
        player.ledger.time = stamp(seconds(late) + 20 * DAY)
    claim, forfeit = _claims(a, late, stamp(seconds(late) + 4 * DAY), "b")
    for _ in range(70):
        give(table, b.entry("note", Note(), sent=late))
    give(table, claim)
    give(table, forfeit)
    return end_of(table, "b")


def _no_limits(clocks_: Any) -> None:
    """As if an invitation could name any clock."""


@cheat(End.REFUSED, (invitation, "_check_clocks", nothing))
def an_invitation_has_a_clock_of_a_thousand_years() -> bool:
    """Nobody reads the small print: the host's clock never runs out."""
    made, _ = make_contract(2)
    raw = write_paper(replace(made.invite, clocks=replace(made.invite.clocks, move=10**7)), Invite, None)
    accepts = [make_accept(key_of(s), raw, s, s.upper(), bytes(32)) for s in "ab"]
    return bool(make_signing(key_of("a"), raw, accepts, "a", stamp(START)))


@cheat(End.HEALED, (out_of_turn, "_is_over", never))
def two_losers_take_the_win_after_the_end() -> bool:
    """The winner's secret is out; one loser resigns and keeps its own back, and the other forfeits it."""
    table = won_by_one()
    winner = table["a"].ledger.position.outcome.winners[0]  # type: ignore[union-attr]
    claimant, late = (player for player in table.values() if player.seat != winner)
    state, limits = claimant.ledger.state, claimant.contract.invite.clocks
    resigned, secret = late.entry("resign", late.secrets.resign()), table[winner].audit()
    at = stamp(seconds(state.clock) + limits.audit * 3600)
    claim = claimant.entry("claim", ClaimTime((late.seat,), state.question), sent=at)
    for raw in (resigned, secret, claimant.audit(), claim):
        assert raw is not None
        give(table, raw)
    seen = (entry_of(secret).id, entry_of(resigned).id)  # type: ignore[arg-type]
    body, end = Forfeit((late.seat,), at, state.question), stamp(seconds(at) + limits.grace * 3600)
    give(table, claimant.entry("forfeit", body, seen, sent=end))
    return table[winner].ledger.position.outcome.winners == (claimant.seat,)  # type: ignore[union-attr]


def won_by_one() -> dict[str, Player]:
    """Three seats after a whole game, none of whose secrets is published."""
    table, rng = players(3, salt="won"), random.Random(4)
    settle(table)
    while not table["a"].over:
        give(table, next(raw for player in table.values() if (raw := player.decide(rng)) is not None))
        settle(table)
    return table
