"""Attacks with dates and clocks on a whole table, at the command line: nobody is late but who is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem import lobby
from pbem.doing import inviting
from pbem.protocol.crypto.keys import SigningKey
from pbem.protocol.log import forfeits
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.papers.bodies import Absence, Body, Note
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import compose
from pbem.protocol.papers.times import DAY, now, seconds, stamp
from tests.attack_kit import works_only_without
from tests.cheats.kit import never
from tests.cheats.times import ANY_DIGITS, _before_the_game
from tests.circle import Circle, circles, days_later
from tests.cli import Desk, begin_by_commands
from tests.table import key_of


@pytest.fixture
def again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Circle]:
    """Two players, of whom a is asked."""
    return circles(tmp_path, monkeypatch, 2)


def signed(table: Circle, seat: str, kind: str, body: Callable[[Any], Body], **head: str) -> bytes:
    """An entry of a dishonest player with another head than its program would write."""
    opened = table.table(seat)
    made = replace(opened.flow.head(kind, opened.clock()), **head)
    return compose(made, body(opened.secrets), key_of(seat))


# --- dates that are none


@pytest.mark.parametrize("sent", ["1969-07-20T20:17:40Z", "9999-12-31T23:59:59Z", "２０２６-01-01T00:00:00Z"])
def test_a_move_of_another_age_stops_no_command(
    again: Callable[[], Circle], monkeypatch: pytest.MonkeyPatch, sent: str
) -> None:
    def attack() -> bool:
        here = again()
        told = here.hand("b", [signed(here, "a", "orders", lambda own: own.orders("swear"), sent=sent)])
        if told.code != 1:
            return True
        assert "sent: expected a time like" in told.err
        here.spread("a", "play", "-m", "swear")
        assert here.one_log()
        return False

    undated = [(Ledger, name, never) for name in ("_is_early", "_misdated")]
    works_only_without(monkeypatch, attack, ANY_DIGITS, *undated, (Ledger, "admit", _before_the_game))


@pytest.mark.parametrize("until", ["٢٠٢٣-11-30T00:00:00Z", "1969-07-20T20:17:40Z"])
def test_an_absence_until_a_day_that_is_none_is_refused(
    again: Callable[[], Circle], monkeypatch: pytest.MonkeyPatch, until: str
) -> None:
    """In other digits an end sorts after every other one: the absence would cost less than nothing."""

    def attack() -> bool:
        here = again()
        told = here.hand("b", [signed(here, "a", "absence", lambda own: Absence(until))])
        return told.code == 0

    works_only_without(monkeypatch, attack, ANY_DIGITS)
    here = again()
    told = here.hand("b", [signed(here, "a", "absence", lambda own: Absence("2023-02-30T00:00:00Z"))])
    assert told.code == 1 and "until: there is no such time" in told.err


def test_a_move_is_not_dated_back(again: Callable[[], Circle], monkeypatch: pytest.MonkeyPatch) -> None:
    """The next player's clock would have run for a week already."""

    def attack() -> bool:
        here = again()
        days_later(here, 7)
        here.spread("a", "play", "-m", "swear")
        early = stamp(seconds(here.status("b")["asked"][0]["since"]) - 6 * DAY)
        raw = signed(here, "a", "orders", lambda own: own.orders("hit b"), sent=early)
        told = here.hand("b", [raw])
        if told.code == 0:
            return True
        assert f"the entry is dated {early}, what it answers" in told.err
        return False

    works_only_without(monkeypatch, attack, (Ledger, "_misdated", never))


def test_a_machine_that_only_answers_does_not_move_the_clock_of_the_log(
    again: Callable[[], Circle], monkeypatch: pytest.MonkeyPatch
) -> None:
    """b's machine gives its link for a's die, dated five days on: a would have lost them."""

    def attack() -> bool:
        here = again()
        here.spread("a", "play", "-m", "hit b")
        opened = here.table("b")
        late = stamp(seconds(here.status("a")["asked"][0]["since"]) + 5 * DAY)
        last = opened.entries([opened.ledger.state.number])[0]
        assert last.seat == "b" and last.head.lane == "answer"
        raw = compose(replace(last.head, sent=late), last.body, SigningKey.from_seed(opened.own.answering))
        told = here.hand("a", [raw])
        if told.code == 0:
            return True
        assert f"the entry is dated {late}" in told.err
        return False

    works_only_without(monkeypatch, attack, (Ledger, "_misdated", never), (Ledger, "_is_early", never))


def last_month(real: Callable[..., Any]) -> Callable[..., Any]:
    """The host's clock is wrong while it writes the invitation."""

    def new_table(*args: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lobby, "now", lambda: stamp(seconds(now()) - 30 * DAY))
            return real(*args)

    return new_table


def test_an_invitation_of_last_month_runs_out_no_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first clock starts when the last seat has signed, whatever the host says of the day."""
    folders = iter((tmp_path / "one", tmp_path / "two"))
    monkeypatch.setattr(inviting, "new_table", last_month(inviting.new_table))

    def attack() -> bool:
        desk = Desk(next(folders), monkeypatch)
        desk.folder.mkdir()
        begin_by_commands(desk)
        desk.ok("ann", "play", "-m", "put rest act", "--yes")
        told = desk.run("ann", "claim", "--yes")
        if told.code == 0:
            return True
        assert told.code == 4 and "the clock of b has not run out yet" in told.err
        return False

    works_only_without(monkeypatch, attack, (Contract, "begin", property(lambda self: self.invite.made)))


# --- what crosses a forfeit


@pytest.mark.parametrize("kind", ["a move", "a note"])
def test_what_crosses_a_forfeit_makes_no_second_log(
    again: Callable[[], Circle], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """a signs in the last minute, and b, who has not heard of it, claims and forfeits."""

    def attack() -> bool:
        here = again()
        opened = here.table("a")
        if kind == "a move":
            raw, _ = opened.orders("swear", key_of("a"))
        else:
            raw, _ = opened.play("note", lambda own: Note(), key_of("a"))
        for days in (14, 18):
            days_later(Circle(here.desk, ("b",)), days)
            here.spread("b", "claim")
        here.hand("b", [raw])
        here.post()
        if not here.one_log():
            return True
        told = here.verified("b")
        words = "disputed: a did not play on in time" if kind == "a move" else "a: did not play on in time"
        assert told.code == 0 and words in told.out
        return False

    works_only_without(monkeypatch, attack, (forfeits, "go_back", never))
