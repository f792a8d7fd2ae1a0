"""Attacks where they were made, at the command line: what an honest player's program says to them now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from pbem import table
from pbem.home import Home
from pbem.protocol.crypto.keys import SigningKey
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.papers.bodies import Body, Note
from pbem.protocol.papers.entry import compose
from pbem.protocol.papers.times import DAY, now, seconds, stamp
from pbem.protocol.rounds import out_of_turn
from pbem.transport.bundle import pack
from tests.attack_kit import copies, works_only_without
from tests.cheats.kit import always, never
from tests.cli import SEAT, Desk, begin, exchange, table_of, until_somebody_acts
from tests.test_attacks_times import fires_at_once


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, str]]:
    """A game where somebody acts, and who that is."""
    with pytest.MonkeyPatch.context() as patch:
        found = Desk(tmp_path_factory.mktemp("game"), patch)
        begin(found)
        yield found, until_somebody_acts(found)


@pytest.fixture
def again(game: tuple[Desk, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Desk]:
    return copies(game[0], tmp_path, monkeypatch)


@pytest.fixture
def who(game: tuple[Desk, str]) -> str:
    return game[1]


@pytest.fixture
def other(who: str) -> str:
    return {"ann": "ben", "ben": "ann"}[who]


@contextmanager
def in_days(desk: Desk, days: int) -> Iterator[None]:
    """What a player's program does whose clock goes wrong by so many days."""
    with desk.patch.context() as patch:
        patch.setattr(table, "now", lambda: stamp(seconds(now()) + days * DAY))
        yield


def signed(desk: Desk, who: str, kind: str, body: Body, sent: str) -> bytes:
    """An entry that no unchanged program would sign."""
    opened = table_of(desk, who)
    head = replace(opened.flow.head(kind, now()), sent=sent)
    return compose(head, body, Home(desk.folder / who).key())


def asked(desk: Desk, who: str) -> list[tuple[str, str]]:
    return [(one["seat"], one["kind"]) for one in desk.ok(who, "status", "--json").json["asked"]]


def test_a_standing_order_for_the_very_question_answers_it_not(
    again: Callable[[], Desk], who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unchanged `pbem standing` was enough to know a die before one chose."""

    def attack() -> bool:
        copy = again()
        before = asked(copy, who)
        told = copy.ok(who, "standing", "deed", "done", "--yes").out
        exchange(copy)
        return asked(copy, who) != before or "asked of you" not in told

    works_only_without(monkeypatch, attack, (out_of_turn, "_standing", fires_at_once))


def test_a_claim_and_a_forfeit_from_the_future_end_nothing_today(
    again: Callable[[], Desk], who: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other sets its clock on, claims in fifteen days, forfeits in nineteen, and mails both today."""

    def attack() -> bool:
        copy = again()
        for days in (15, 19):
            with in_days(copy, days):
                copy.ok(other, "claim", "--yes", "--out", "claims.pbem")
        told = copy.ok(who, "receive", "claims.pbem").out
        played = copy.run(who, "play", "-m", "done", "--yes")
        verified = copy.run(who, "verify").out
        if "verdict" in told or played.code:
            return True
        assert "2 kept until their turn comes" in told and "in order: " in verified
        return False

    works_only_without(monkeypatch, attack, (Ledger, "_is_early", never))


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ("1969-07-20T20:17:40Z", "sent: expected a time like 2026-01-31T12:00:00Z, from 2000 to 2099"),
        ("9999-12-31T23:59:59Z", "sent: expected a time like 2026-01-31T12:00:00Z, from 2000 to 2099"),
        ("２０２６-01-01T00:00:00Z", "sent: expected a time like 2026-01-31T12:00:00Z, from 2000 to 2099"),
        ("2026-02-30T00:00:00Z", "sent: there is no such time"),
        ("2001-01-01T00:00:00Z", "the entry is dated 2001-01-01T00:00:00Z, before the game began"),
    ],
)
def test_an_entry_of_another_age_is_refused_and_stops_no_command(
    again: Callable[[], Desk], who: str, other: str, sent: str, says: str
) -> None:
    desk = again()
    raw = signed(desk, other, "note", Note(), sent)
    (desk.folder / "strange.pbem").write_bytes(pack([raw]))
    told = desk.run(who, "receive", "strange.pbem")
    assert told.code == 1 and f"pbem: error: {says}" in told.err, told.both
    desk.ok(who, "play", "-m", "done", "--yes")
    exchange(desk)
    assert "in order: " in desk.ok(who, "verify").out


def test_a_secret_that_is_published_early_opens_nothing(
    again: Callable[[], Desk], who: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its seat would play on by default, and not answer for what it had hidden."""

    def attack() -> bool:
        copy = again()
        opened = table_of(copy, other)
        key = SigningKey.from_seed(opened.own.answering)
        raw = compose(opened.flow.head("audit", now()), opened.secrets.audit(), key)
        opened.receive([raw])
        (copy.folder / "early.pbem").write_bytes(pack([raw]))
        copy.ok(who, "receive", "early.pbem")
        copy.ok(who, "play", "-m", f"hit {SEAT[other]}", "--yes")
        exchange(copy)
        return bool(table_of(copy, who).ledger.state.opened)

    works_only_without(monkeypatch, attack, (out_of_turn, "_is_due", always))
