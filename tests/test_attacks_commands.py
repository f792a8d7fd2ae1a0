"""Attacks where they were made, at the command line: what an honest player's program says to them now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.home import Home
from pbem.protocol.papers.bodies import Body, Say
from pbem.protocol.papers.entry import compose
from pbem.protocol.papers.times import now
from pbem.transport.bundle import pack
from tests.attack_kit import copies
from tests.cli import Desk, begin, exchange, table_of, until_somebody_acts


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


def signed(desk: Desk, who: str, kind: str, body: Body, sent: str) -> bytes:
    """An entry that no unchanged program would sign."""
    opened = table_of(desk, who)
    head = replace(opened.flow.head(kind, now()), sent=sent)
    return compose(head, body, Home(desk.folder / who).key())


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
    raw = signed(desk, other, "say", Say("well met"), sent)
    (desk.folder / "strange.pbem").write_bytes(pack([raw]))
    told = desk.run(who, "receive", "strange.pbem")
    assert told.code == 1 and f"pbem: error: {says}" in told.err, told.both
    desk.ok(who, "play", "-m", "done", "--yes")
    exchange(desk)
    assert "in order: " in desk.ok(who, "verify").out
