"""Cheats with the order of things: standing orders, two signatures, other games, far numbers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

from pbem.engine import machine
from pbem.engine.notation import Handle
from pbem.engine.options import Options
from pbem.errors import VerificationError
from pbem.protocol.crypto.canonical import digest
from pbem.protocol.log import settlements, weighing
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.log.line import Line
from pbem.protocol.papers import entry
from pbem.protocol.papers.bodies import Complaint, Note, Revoke, Settle
from pbem.protocol.papers.entry import SIGNATURE_LINE, compose, verify
from pbem.protocol.rounds import carry_out, out_of_turn
from pbem.protocol.rounds.state import StandingOrder
from tests.adversary import foresight
from tests.adversary.forge import sign_again
from tests.cheats.kit import End, always, cheat, end_of, never, nothing
from tests.scenes import Weather, orders, play, reach, table_of
from tests.table import Player, entry_of, give, make_contract, players, same_everywhere
from tests.test_ledger_disputes import sealed_halves

# --- standing orders


def _fires_at_once(runner: Any, told: Any, body: Any) -> None:
    """As if a standing order acted in the event that is open."""
    order = StandingOrder(body.decision, told.id, body.lines, body.seal, told.head.seq)
    runner.state.standing[f"{told.seat} {body.decision}"] = order


@cheat(End.HEALED, (out_of_turn, "_standing", _fires_at_once))
def the_asked_seat_foresees_by_a_standing_order() -> bool:
    """It signs a standing order for the very question, which would be answered under a seed that it knows."""
    return any(foresight.run_one("weather", 2, 1, number, steps=20) for number in (3, 15))


# --- what machines know


@cheat(End.HEALED, (machine, "FAULTS", ()))
def an_order_breaks_the_rules_down() -> bool:
    """a has found an order at which the rules themselves go wrong: every machine would stop there."""
    table = table_of(2)
    raw = orders(table["a"], "swear")
    with patch.object(Options, "why_not", side_effect=IndexError):
        try:
            give(table, raw)
        except IndexError:
            return True
    return table["b"].ledger.state.number == 0


# --- two signatures, other games


def _names_the_text_alone(raw: bytes) -> str:
    """As if an id covered only what was signed."""
    return digest("entry", raw[: raw.rfind(SIGNATURE_LINE) + 1]).hex()


@cheat(End.HEALED, (entry, "entry_id", _names_the_text_alone))
def the_same_text_is_signed_twice() -> End:
    """b and c get one order under two signatures: one id, two files, two commits."""
    table = table_of(3)
    a, b, c = table.values()
    one = orders(a, "swear")
    other = sign_again(one, a.key, b"another nonce")
    for raw in (one, other):
        b.receive(raw)
    for raw in (other, one):
        c.receive(raw)
    verdicts = [player.ledger.state.verdict for player in (b, c)]
    if all(v is not None and v.culprit == "a" for v in verdicts):
        return End.NAMED
    return End.SUCCEEDS if b.log[0].entry.raw != c.log[0].entry.raw else End.HEALED


def _only_signed(self: Ledger, claim: Any) -> Any:
    """As if any entry with a good signature belonged here."""
    return verify(claim, self.keys())


@cheat(End.REFUSED, (Ledger, "admit", _only_signed))
def an_entry_of_another_game_numbers_the_next_move() -> bool:
    """a plays two games with one key; b sends it what it signed in the other one."""
    table = table_of(2)
    a = table["a"]
    other, keys = make_contract(2, rules=a.rules, table="cd" * 16)
    there = Player(other, "a", keys["a"], a.rules)
    a.receive(there.entry("note", Note()))
    give({"a": a}, orders(a, "swear"))
    return a.ledger.state.number == 0


@cheat(End.REFUSED, (Ledger, "admit", _only_signed))
def far_numbers_fill_the_room() -> bool:
    """Thousands of notes with numbers that will never come: each would be kept, and looked at every time."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    b.receive(compose(replace(a.head("note"), seq=900_000), Note(), a.key))
    return len(b.ledger.pool) == 1


@cheat(End.HEALED, (weighing, "_goes_on", never))
def old_halves_make_everybody_look_again() -> bool:
    """a signs its first move a second time, while c's mail is late: b would play the whole game again."""
    table = table_of(3, Weather(), scenario="long")
    a, b, c = table.values()
    made = [first] = [orders(a, "done")]
    while len(made) < 30:
        give(table, made[-1])
        made += [raw for p in table.values() if (raw := p.answer() or p.decide(Random(1))) is not None][:1]
    b.receive(compose(replace(c.head("note"), head="ab" * 32), Note(), c.key))
    with patch.object(Line, "cut", autospec=True, side_effect=Line.cut) as cut:
        b.receive(sign_again(first, a.key, b"another nonce"))
    return cut.called


@cheat(End.HEALED, (weighing, "is_built_on", never))
def one_face_of_many_stands_where_there_is_no_room() -> bool:
    """c gets six faces and has room for four; b has gone on from the seventh, which it does not name."""
    table = players(3)
    reach(table, "bid", Random(3))
    rng = Random(1)
    *others, last = sealed_halves(table["a"], rng, 7)
    b, c = table["b"], table["c"]
    of_b, of_c = b.decide(rng) or b"", c.decide(rng) or b""
    for raw in (of_b, of_c, last):
        b.receive(raw)
    went_on = b.answer() or b""
    b.receive(went_on)
    c.receive(of_c)
    for _ in range(2):
        for raw in (*others, last, of_b, went_on):
            with suppress(VerificationError):
                c.receive(raw)
        for raw in others:
            b.receive(raw)
    return b.texts != c.texts


@cheat(End.NAMED, (carry_out, "_fill", nothing))
def the_log_is_filled_until_nobody_can_verify_it() -> End:
    """a, who is asked, signs lists of rubbish: each is returned, and each stands in the log for good."""
    table = table_of(2)
    a = table["a"]
    rubbish = "\n".join(["nothing"] * 100)
    with patch.object(carry_out, "IDLE", 10_000):
        for _ in range(12):
            if a.ledger.state.verdict is None:
                give(table, orders(a, rubbish))
    return end_of(table, "a")


def _grows(kind: str, body: Callable[[int], Any]) -> bool:
    """Whether the position, which every move writes anew, becomes longer with each of these entries."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    for number in range(40):
        give(table, a.entry(kind, body(number)))
    assert b.ledger.state.number == 40
    return len(b.ledger.text) > 3000


@cheat(End.HEALED, (out_of_turn, "_stands", always))
def ends_of_what_never_began_fill_the_position() -> bool:
    """a, who is asked, revokes one standing order after the other that it never gave."""
    return _grows("revoke", lambda number: Revoke(f"kind {number}"))


@cheat(End.HEALED, (out_of_turn, "VOTES", 10**6))
def votes_on_nothing_fill_the_position() -> bool:
    """a agrees to go on after verdicts that there never were: each would be kept for ever."""
    return _grows("settle", lambda number: Settle("b", f"{number:064x}"))


def _counts_votes_alone(ledger: Line) -> bool:
    """As if all others could take any entry out."""
    for void in settlements.tally(ledger):
        if (number := ledger.place(void)) is not None:
            ledger.cut(number - 1)
            del ledger.pool[void]
            return True
    return False


@cheat(End.HEALED, (settlements, "go_back", _counts_votes_alone))
def the_others_vote_a_lawful_move_away() -> bool:
    """With two seats the opponent alone is "all others"."""
    table = table_of(2, salt="vote")
    raw = play(table, "a", "swear")
    b = table["b"]
    b.receive(b.entry("settle", Settle("a", entry_of(raw).id)))
    return entry_of(raw).id not in [one.entry.id for one in b.log]


class _EndlessError(Exception):
    """A machine goes to and fro."""


def _without_the_audited(ledger: Line) -> dict[str, tuple[str, str]]:
    """As if who has published its secret for the audit had no vote, so that nobody has to agree."""
    votes = [e.body for e in ledger.pool.values() if isinstance(e.body, Settle)]
    everybody = len(ledger.state.opened) == len(ledger.position.seats)
    return {body.void: (body.culprit, body.counts) for body in votes} if everybody else {}


@cheat(End.HEALED, (settlements, "tally", _without_the_audited))
def the_culprit_votes_its_own_breach_away_when_all_is_published() -> bool:
    """a is named, and all publish their secrets; then a agrees with itself that its breach never was."""
    table = table_of(2, salt="own vote")
    a = table["a"]
    give(table, a.entry("complaint", Complaint(Handle("nothing"), "00" * 32)))
    verdict = same_everywhere(table).ledger.state.verdict
    assert verdict is not None and verdict.culprit == "a"
    for player in table.values():
        give(table, player.audit())
    assert set(same_everywhere(table).ledger.state.opened) == {"a", "b"}
    cuts, cut = 0, Line.cut

    def counted(line: Line, to: int) -> None:
        nonlocal cuts
        cuts += 1
        if cuts > 20:
            raise _EndlessError
        cut(line, to)

    with patch.object(Line, "cut", counted):
        try:
            table["b"].receive(a.entry("settle", Settle("a", verdict.entry)))
        except _EndlessError:
            return True
    return same_everywhere(table).ledger.state.verdict != verdict
