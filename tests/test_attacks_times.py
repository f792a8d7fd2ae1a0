"""Times, numbers and places are foreign input: what a false one used to gain, and gains no more."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.waits import Ask
from pbem.errors import MalformedError, PbemError
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.log.logged import Stale
from pbem.protocol.papers.bodies import Absence, ClaimTime, Forfeit, Note, Standing
from pbem.protocol.papers.entry import compose, read, verify
from pbem.protocol.papers.times import DAY, seconds, stamp
from pbem.protocol.rounds import out_of_turn
from pbem.protocol.rounds.events import StandingUsed
from pbem.protocol.rounds.state import StandingOrder
from tests.attack_kit import works_only_without
from tests.homes import party
from tests.scenes import orders, play, reach, table_of
from tests.table import START, Player, give, players, same_everywhere, settle

HOUR = 3600


# --- foresight by standing order


def asked_for_a_loss() -> tuple[dict[str, Player], str]:
    for salt in range(20):
        table = players(2, salt=f"loss {salt}")
        try:
            return table, reach(table, "loss", random.Random(salt))
        except AssertionError:
            continue
    raise AssertionError("nobody loses anything")


def fires_at_once(runner: Any, entry: Any, body: Standing) -> None:
    """As it was: a standing order counts in the event that is open."""
    order = StandingOrder(body.decision, entry.id, body.lines, body.seal, entry.head.seq)
    runner.state.standing[f"{entry.seat} {body.decision}"] = order


def test_nobody_answers_a_question_by_a_standing_order_for_that_very_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The seed of the event may be known: an answer that needs no new links would be chosen with it."""

    def attack() -> bool:
        table, seat = asked_for_a_loss()
        player = table[seat]
        wait = player.ledger.machine.waits_for(player.ledger.position)
        assert isinstance(wait, Ask)
        line = player.ledger.machine.write_move(
            player.ledger.position, next(iter(wait.options.list())), player.secrets.view()
        )
        event, decisions = player.ledger.state.event, player.ledger.state.decisions
        give(table, player.entry("standing", Standing("loss", (line,))))
        one = same_everywhere(table)
        told = [e for logged in one.log[-1:] for e in logged.events]
        fired = any(isinstance(e, StandingUsed) and e.seat == seat for e in told)
        state = one.ledger.state
        return fired and (state.event, state.decisions) == (event, decisions)

    works_only_without(monkeypatch, attack, (out_of_turn, "_standing", fires_at_once))


def test_a_standing_order_acts_in_the_events_that_follow() -> None:
    table, seat = asked_for_a_loss()
    give(table, table[seat].entry("standing", Standing("loss", ("lose face", "lose stone", "lose point"))))
    raw = table[seat].decide(random.Random(1))
    assert raw is not None
    give(table, raw)
    assert f"{seat} loss" in same_everywhere(table).ledger.state.standing


# --- dates


def at_the_present(table: dict[str, Player], day: float) -> None:
    for player in table.values():
        player.ledger.time = stamp(round(START + day * DAY))


def test_a_claim_and_a_forfeit_from_the_future_wait_for_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def attack() -> bool:
        table = table_of(2)
        at_the_present(table, 1)
        a, b = table["a"], table["b"]
        question, claimed = b.ledger.state.question, stamp(START + 15 * DAY)
        first = b.entry("claim", ClaimTime(("a",), question), sent=claimed)
        a.receive(first)
        head = replace(b.head("forfeit"), seq=2, prev=read_id(first), sent=stamp(START + 19 * DAY))
        a.receive(compose(head, Forfeit(("a",), claimed, question), b.key))
        done = a.ledger.state.verdict is not None
        if not done:
            give(table, orders(a, "swear"))
            assert a.ledger.state.number == 1, "nothing else waits for it"
        return done

    works_only_without(monkeypatch, attack, (Ledger, "_is_early", lambda *_: False))


def read_id(raw: bytes) -> str:
    from pbem.protocol.papers.entry import entry_id

    return entry_id(raw)


def test_what_waits_for_its_time_counts_when_that_has_come() -> None:
    table = table_of(2)
    at_the_present(table, 1)
    a, b = table["a"], table["b"]
    late = b.entry("claim", ClaimTime(("a",), b.ledger.state.question), sent=stamp(START + 15 * DAY))
    a.receive(late)
    assert a.ledger.claimed("b") is None and len(a.ledger.early) == 1
    at_the_present(table, 15)
    a.ledger.advance()
    assert a.ledger.claimed("b") == stamp(START + 15 * DAY)


def test_half_of_a_double_from_the_future_waits_for_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its number is taken in the log: it stood aside at once, and the line went back for it today."""

    def attack() -> bool:
        table = table_of(2)
        at_the_present(table, 1)
        a, b = table["a"], table["b"]
        first = orders(a, "swear")
        dates = (stamp(START + 15 * DAY + second) for second in range(100))
        halves = (a.entry("orders", a.secrets.orders("done"), sent=date) for date in dates)
        later = next(raw for raw in halves if read_id(raw) < read_id(first))
        b.receive(first)
        assert b.ledger.state.number == 1
        with suppress(Stale):
            b.receive(later)
        return b.ledger.state.since > b.ledger.time

    works_only_without(monkeypatch, attack, (Ledger, "_is_early", lambda *_: False))


TIMES = ["1969-07-20T20:17:40Z", "9999-12-31T23:59:59Z", "２００１-01-01T00:00:00Z", "2100-01-01T00:00:00Z"]


@pytest.mark.parametrize("time", TIMES)
def test_a_time_that_is_none_is_no_entry_wherever_it_stands(time: str) -> None:
    a = table_of(2)["a"]
    question = a.ledger.state.question
    for kind, body, sent in [
        ("note", Note(), time),
        ("absence", Absence(time), stamp(START)),
        ("forfeit", Forfeit(("b",), time, question), stamp(START)),
    ]:
        with pytest.raises(MalformedError, match="expected a time like"):
            read(a.entry(kind, body, sent=sent))


def test_a_move_dated_before_what_it_follows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def attack() -> bool:
        table = table_of(2)
        play(table, "a", "done")
        b = table[str(table["a"].asked)]
        before = stamp(seconds(b.ledger.state.since) - 1)
        raw = b.entry("orders", b.secrets.orders("swear"), sent=before)
        try:
            return bool(next(p for p in table.values() if p is not b).receive(raw))
        except PbemError:
            return False

    works_only_without(monkeypatch, attack, (Ledger, "_misdated", lambda *_: False))


def test_a_machine_that_only_answers_cannot_date_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def attack() -> bool:
        table = table_of(2)
        give(table, orders(table["a"], "hit b"))
        b = table["b"]
        owed = b.owed()
        assert owed is not None and owed.kind == "answers"
        raw = b.entry("answers", b.secrets.answer(owed), sent=stamp(START + 30 * DAY))
        try:
            return bool(table["a"].receive(raw))
        except PbemError:
            return False

    works_only_without(monkeypatch, attack, (Ledger, "_misdated", lambda *_: False))


def test_no_number_of_notes_evades_the_clock() -> None:
    """A claim is bound to the question it is about, however much is said meanwhile."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    clocks, question = b.contract.invite.clocks, b.ledger.state.question
    late = START + clocks.move * HOUR
    give(table, b.entry("claim", ClaimTime(("a",), question), sent=stamp(late)))
    for number in range(70):
        give(table, a.entry("note", Note(), a.unseen(), sent=stamp(late + number)))
    claimed = b.ledger.claimed("b")
    assert claimed == stamp(late)
    end = stamp(late + clocks.grace * HOUR)
    give(table, b.entry("forfeit", Forfeit(("a",), claimed, question), b.unseen(), sent=end))
    verdict = same_everywhere(table).ledger.state.verdict
    assert verdict is not None and verdict.culprit == "a"


# --- numbers


def test_an_entry_of_another_game_numbers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games with one key: what was signed for one is never kept in the folder of the other."""
    other = party(tmp_path / "other", monkeypatch, options={"deck": "shared"})
    theirs = other.act("a", "note", Note())[0]

    def attack() -> bool:
        folder = tmp_path / f"here{random.random()}"
        game = party(folder, monkeypatch)
        game.tables["a"].receive([theirs])
        again = game.reopen("a")
        assert again.seat == "a"
        return again.flow.next("decide")[0] != 1

    def only_signed(self: Ledger, claim: Any) -> Any:
        return verify(claim, self.keys())

    works_only_without(monkeypatch, attack, (Ledger, "admit", only_signed))


def test_few_entries_wait_for_numbers_that_never_come() -> None:
    table = table_of(2)
    a, b = table["a"], table["b"]
    kept = 0
    for seq in range(2, 500):
        try:
            b.receive(compose(replace(a.head("note"), seq=seq), Note(), a.key))
            kept += 1
        except PbemError as error:
            assert "too far ahead" in error.message
    assert kept == len(b.ledger.pool) < 65
    give(table, orders(a, "swear"))
    settle(table)
    assert b.ledger.state.number > 0
