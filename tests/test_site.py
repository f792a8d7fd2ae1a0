"""The site in a browser without any other network: a home of its own, at one table with a command line.

A chuhan game is played to its end by links and files; both sides verify it and have the same commits.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.demo.bot import decide_all
from pbem.site.build import build
from pbem.table import Table
from pbem.transport import links
from tests.browser import chromium, needs_browser
from tests.cli import Desk, table_of
from tests.site import Host, Tab, hosted

pytestmark = needs_browser
WORDS = "four words nobody guesses"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("host") / "pbem"
    build(place)
    return place


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[Host]:
    with hosted(folder) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    """A new profile at a phone's size: every request is seen, and none but to the host is let through."""
    found = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, accept_downloads=True)
    yield found
    found.close()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("PBEM_PASSPHRASE", WORDS)
    found = Desk(tmp_path, monkeypatch)
    found.ok("ben", "key", "new")
    return found


def first_link(files: list[dict[str, Any]]) -> str:
    return str(files[0]["link"])


def begin(tab: Tab, desk: Desk, game: str, *people: str, **wanted: Any) -> str:
    """The browser invites by a link, the command lines join; returns the name that the browser gives the game."""
    offered = tab.ask("offer", rules=game, **wanted)
    papers = tab.ask("join", ticket=offered["ticket"], seat=offered["seat"], name="Ann")["files"]
    for who in people:
        mail = f"Join me: {tab.host.address}{first_link(papers)}\n"
        (desk.folder / "mail.txt").write_text(mail)
        desk.ok(
            who, "join", "mail.txt", "--name", who, "--into", f"{who}-games", "--out", "answer.pbem", "--yes"
        )
        papers = (
            tab.ask("receive", text=links.write((desk.folder / "answer.pbem").read_bytes()))["files"]
            or papers
        )
    return str(tab.ask("games")["games"][0]["name"])


def by_link(tab: Tab, raw: bytes) -> None:
    """Somebody taps a link in a mail: the address alone brings the move in."""
    before = tab.ask("games")
    tab.page.evaluate("(there) => { location.href = there; }", links.write(raw))
    tab.page.wait_for_function("() => location.hash.indexOf('pbem=') < 0")
    assert tab.ask("games") != before


def tell(desk: Desk, who: str, files: list[dict[str, Any]]) -> None:
    for file in files:
        desk.ok(
            who,
            "receive",
            "-",
            given=f"see {file['link']} !".encode() if "link" in file else file["text"].encode(),
        )


def answer_of(desk: Desk, who: str) -> bytes | None:
    """What a command line hands over, with what its bot decides."""
    table: Table = table_of(desk, who)
    assert table.home is not None
    decide_all(table, table.home.key(), seed=5)
    file = desk.folder / "answer.pbem"
    file.unlink(missing_ok=True)
    desk.ok(who, "send", "--out", str(file))
    return file.read_bytes() if file.exists() else None


def play(tab: Tab, desk: Desk, game: str, most: int) -> str:
    """Until the game is over, or so many exchanges; returns how it ended."""
    chance = random.Random(1)
    for _ in range(most):
        told = tab.ask("status", game=game)
        if told["outcome"]:
            return str(told["outcome"])
        files = []
        if any(one["seat"] == told["seat"] for one in told["asked"]):
            files = tab.sign(game, tab.orders(game, chance))
        tell(desk, "ben", files or tab.ask("send", game=game)["files"])
        raw = answer_of(desk, "ben")
        if raw is not None:
            told = tab.ask("receive", text=links.write(raw))
            tell(desk, "ben", told["files"])
    return ""


def commit(fingerprint: str) -> str:
    found = re.search(r"[0-9a-f]{40}", fingerprint)
    assert found, fingerprint
    return found[0]


def test_a_whole_game_with_a_command_line_by_links(context: Any, host: Host, desk: Desk) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    tab = Tab(context, host).ready()
    tab.make_key("Ann")
    game = begin(tab, desk, "chuhan", "ben")
    context.set_offline(True)
    outcome = play(tab, desk, game, most=200)
    assert "won" in outcome or "draw" in outcome
    assert tab.ask("verify", game=game)["ok"]
    assert "in order" in desk.ok("ben", "verify").out
    theirs = table_of(desk, "ben")
    assert commit(tab.ask("status", game=game)["fingerprint"]) == theirs.head
    assert not [url for url in asked if not url.startswith((host.address, "blob:"))]
    assert not tab.trouble
