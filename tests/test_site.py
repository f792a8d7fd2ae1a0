"""The site in a browser without any other network: a home of its own, at one table with a command line.

A chuhan game is played to its end by links and files; both sides verify it and have the same commits.
"""

from __future__ import annotations

import base64
import functools
import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.demo.bot import decide_all
from pbem.site import runtime
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
    found = Desk(tmp_path, monkeypatch)
    monkeypatch.setenv("PBEM_PASSPHRASE", WORDS)
    found.ok("ben", "key", "new")
    return found


def begin(tab: Tab, desk: Desk, game: str, **people: str) -> str:
    """The browser invites by a link, the command lines join; returns the browser's name of the game."""
    offered = tab.ask("offer", rules=game, players=1 + len(people))
    papers = tab.ask("join", ticket=offered["ticket"], seat=offered["seat"], name="Ann")["files"]
    for who, seat in people.items():
        names = ("--name", who, "--seat", seat)
        papers = _exchanged(tab, desk, papers, who, "join", *names, "--yes") or papers
    while not (games := tab.ask("games")["games"]):
        for who in people:
            papers = _exchanged(tab, desk, papers, who, "receive") or papers
    for who in people:
        _exchanged(tab, desk, papers, who, "receive")
    return str(games[0]["name"])


def mailed(tab: Tab, file: dict[str, Any]) -> str:
    """What a player sends by mail: the link, or the text where a link would be too long."""
    return f"See {tab.host.address}{file['link']} !\n" if "link" in file else str(file["text"])


def _exchanged(tab: Tab, desk: Desk, papers: list[dict[str, Any]], who: str, *command: str) -> Any:
    """A command line takes papers in by a mail, and the browser its answer by a link."""
    mail, answer = desk.folder / "mail.txt", desk.folder / "answer.pbem"
    mail.write_text(mailed(tab, papers[0]))
    answer.unlink(missing_ok=True)
    desk.ok(who, command[0], str(mail), *command[1:], "--into", f"{who}-games", "--out", str(answer))
    return tab.ask("receive", text=links.write(answer.read_bytes()))["files"] if answer.exists() else []


def saved(tab: Tab, place: Path, *, moving: bool = False) -> Path:
    """Everything saved by the dialog, as a player does it."""
    tab.page.click("text=Save everything…")
    tab.page.fill("#site-passphrase", WORDS)
    if moving:
        tab.page.check("#site-moving")
    with tab.page.expect_download() as got:
        tab.page.click(".site-dialog button.main")
    got.value.save_as(place)
    return place


def restored(tab: Tab, file: Path) -> None:
    """A saved file opened by the dialog."""
    tab.page.click("text=Open a saved file…")
    tab.page.set_input_files("#site-file", file)
    tab.page.fill("#site-passphrase", WORDS)
    with tab.page.expect_navigation():
        tab.page.click(".site-dialog button.main")
    tab.ready()


def tell(tab: Tab, desk: Desk, who: str, files: list[dict[str, Any]]) -> None:
    """A command line takes in what the browser gave out."""
    for file in files:
        desk.ok(who, "receive", "-", given=mailed(tab, file).encode())


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
        tell(tab, desk, "ben", files or tab.ask("send", game=game)["files"])
        raw = answer_of(desk, "ben")
        if raw is not None:
            told = tab.ask("receive", text=links.write(raw))
            tell(tab, desk, "ben", told["files"])
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
    game = begin(tab, desk, "chuhan", ben="han")
    context.set_offline(True)
    outcome = play(tab, desk, game, most=200)
    assert "won" in outcome or "draw" in outcome
    assert tab.ask("verify", game=game)["ok"]
    assert "in order" in desk.ok("ben", "verify").out
    theirs = table_of(desk, "ben")
    assert commit(tab.ask("status", game=game)["fingerprint"]) == theirs.head
    assert not [url for url in asked if not url.startswith((host.address, "blob:"))]
    assert not tab.trouble


def test_a_link_in_a_mail_brings_the_move_in(context: Any, host: Host, desk: Desk) -> None:
    """The address alone: opened in a new tab while no other tab is open, or followed in the one that is."""
    tab = Tab(context, host).ready()
    tab.make_key("Ann")
    game = begin(tab, desk, "chuhan", ben="han")
    tell(tab, desk, "ben", tab.ask("send", game=game)["files"])
    raw = answer_of(desk, "ben")
    assert raw is not None
    before = tab.ask("status", game=game)["entries"]
    tab.page.close()
    tab = Tab(context, host, links.write(raw)).ready()
    assert "pbem=" not in tab.page.url, "what came is taken in and cleared"
    assert tab.ask("status", game=game)["entries"] > before


def test_a_home_is_saved_wiped_and_restored_and_goes_to_the_command_line_and_back(
    context: Any, browser: Any, host: Host, desk: Desk
) -> None:
    tab = Tab(context, host).ready()
    tab.make_key("Ann")
    assert "Browsers forget" in tab.page.inner_text("#site-foot")
    game = begin(tab, desk, "chuhan", ben="han")
    key = tab.ask("me")["key"]["fingerprint"]
    tab.again()
    copy = saved(tab, desk.folder / "copy.pbem-home")
    tab.page.wait_for_selector("#site-foot:has-text('saved on')")
    assert "Browsers forget" not in tab.page.inner_text("#site-foot")

    tab.ask("forget", word="forget")
    tab.again()
    assert tab.ask("me")["key"] is None
    restored(tab, copy)
    assert tab.ask("me")["key"]["fingerprint"] == key
    play(tab, desk, game, most=2)  # one storage, one pen: what was wiped there may decide there again
    move = saved(tab.again(), desk.folder / "move.pbem-home", moving=True)
    tab.page.wait_for_selector("text=so it only answers")

    desk.ok("ann", "restore", str(move))
    before = table_of(desk, "ann").head
    assert "in order" in desk.ok("ann", "verify").out
    desk.ok("ann", "save", "back.pbem-home", "--move")
    other = browser.new_context(viewport={"width": 390, "height": 844})
    try:
        back = Tab(other, host).ready()
        restored(back, desk.folder / "back.pbem-home")
        assert commit(back.ask("status", game=game)["fingerprint"]) == before
        assert not back.ask("kept")["copies"]
        assert tab.ask("kept")["copies"] == [game], "the browser that it left only answers"
    finally:
        other.close()


def test_one_tab_plays_at_a_time_and_hands_over_what_it_did(context: Any, host: Host) -> None:
    first = Tab(context, host).ready()
    first.make_key("Ann")
    second = Tab(context, host)
    second.page.wait_for_selector("#site-notice:has-text('open in another tab')")
    second.page.click("text=Go on here")
    second.ready()
    first.page.wait_for_selector("#site-notice:has-text('goes on in another tab')")
    assert second.ask("me")["name"] == "Ann"
    first.page.click("text=Go on here")
    first.page.wait_for_selector("#site-notice:has-text('open in another tab')")
    second.page.close()
    first.page.click("text=Go on here")
    assert first.ready().ask("me")["name"] == "Ann"


@pytest.mark.parametrize("after", [0, 40, 150, 600, 2500])
def test_a_tab_that_is_killed_while_it_signs_has_signed_once_or_not_at_all(
    context: Any, host: Host, after: int
) -> None:
    """Whatever moment the tab dies in, the next one finds the game before the signature or after it."""
    tab = Tab(context, host).ready()
    tab.make_key("Ann")
    game = tab.ask("practice", rules="redcoats")["game"]
    lines = tab.orders(game, random.Random(3), most=2)
    promised = tab.ask("promise", game=game, lines=lines)
    before = tab.ask("status", game=game)
    data = {
        "game": game,
        "lines": lines,
        "ticket": promised["ticket"],
        "fingerprint": promised["fingerprint"],
    }
    tab.page.evaluate("(data) => { import('./app/server.js').then(({ ask }) => ask('play', data)); }", data)
    tab.page.wait_for_timeout(after)
    tab.page.close()
    tab = Tab(context, host).ready()
    now = tab.ask("status", game=game)
    assert now["entries"] >= before["entries"]
    if now["fingerprint"] == before["fingerprint"]:
        tab.sign(game, lines)
    assert tab.ask("verify", game=game)["ok"]


def test_three_seats_of_suikoden_begin_in_a_browser_and_at_two_command_lines(
    context: Any, host: Host, desk: Desk
) -> None:
    desk.ok("cay", "key", "new")
    tab = Tab(context, host).ready()
    tab.make_key("Ann")
    game = begin(tab, desk, "suikoden", ben="south", cay="west")
    for _ in range(12):
        tell(tab, desk, "ben", tab.ask("send", game=game)["files"])
        for who, other in (("ben", "cay"), ("cay", "ben")):
            raw = answer_of(desk, who)
            if raw is not None:
                tell(tab, desk, other, [{"link": links.write(raw)}])
                tell(tab, desk, other, tab.ask("receive", text=links.write(raw))["files"])
    heads = {table_of(desk, "ben").head, table_of(desk, "cay").head}
    assert heads == {commit(tab.ask("status", game=game)["fingerprint"])}


def test_after_the_first_visit_no_host_is_needed(context: Any, folder: Path) -> None:
    with hosted(folder) as host:
        tab = Tab(context, host).ready()
        tab.make_key("Ann")
        tab.page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
    tab.again()
    assert tab.ask("practice", rules="sanada")["game"] == "sanada", "a game that was never opened before"
    assert not tab.trouble


def _altered(raw: bytes, route: Any) -> None:
    route.fulfill(body=raw)


def test_a_changed_file_is_refused(context: Any, host: Host, folder: Path) -> None:
    """A host that alters a file is found out before a line of it runs."""
    for name, said in (("code/pbem.zip", "not the file that this site was built with"), ("app/board.js", "")):
        tab = context.new_page()
        raw = (folder / name).read_bytes()
        tab.route(f"**/{name}", functools.partial(_altered, raw + b"\n"))
        tab.goto(host.address)
        if said:
            tab.wait_for_selector(f"#site-notice:has-text('{said}')")
        else:
            with pytest.raises(Exception, match="Timeout"):
                tab.wait_for_selector("body[data-ready=yes]", timeout=8000)
        tab.close()


def test_a_newer_version_waits_until_the_player_wants_it(context: Any, folder: Path, tmp_path: Path) -> None:
    """Nothing changes in the middle of a game: the new one is offered, and used when it is chosen."""
    mine = tmp_path / "pbem"
    shutil.copytree(folder, mine)
    with hosted(mine) as host:
        tab = Tab(context, host).ready()
        tab.make_key("Ann")
        tab.page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
        old = json.loads((mine / "versions.json").read_text())["digest"]
        for name in ("versions.json", "service.js"):
            (mine / name).write_text((mine / name).read_text().replace(old, "0" * 64))
        tab.again()
        tab.page.wait_for_selector("#site-notice:has-text('A newer pbem is there')")
        assert digest_of(tab) == old
        with tab.page.expect_navigation():
            tab.page.click("text=Use it now")
        tab.ready()
        assert digest_of(tab) == "0" * 64
        assert tab.ask("me")["name"] == "Ann", "the home stays"


def digest_of(tab: Tab) -> str:
    """What the page says of itself."""
    return str(tab.page.evaluate("async () => (await (await fetch('versions.json')).json()).digest"))


def test_a_dispute_file_is_judged_rules_included(context: Any, host: Host, desk: Desk) -> None:
    from tests.cli import begin as begin_tiny
    from tests.cli import exchange

    begin_tiny(desk, "chuhan")
    exchange(desk)
    desk.ok("ann", "dispute", "--out", "dispute.zip")
    raw = (desk.folder / "dispute.zip").read_bytes()
    tab = Tab(context, host).ready()
    said = tab.ask("receive", data=base64.b64encode(raw).decode())["said"]
    assert any(line.startswith("in order: ") for line in said), said
    assert any(table_of(desk, "ann").contract.seats["chu"].fingerprint in line for line in said)
    cut = base64.b64encode(raw[:-100]).decode()
    assert tab.refused("receive", data=cut)


PIXELS = """() => {
  const canvas = document.querySelector(".site-dialog canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return [canvas.width, Array.from(data)];
}"""
READ = """
import { readFileSync } from "node:fs";
const { default: read } = await import(process.argv[1]);
const image = JSON.parse(readFileSync(process.argv[2]));
image.data = new Uint8ClampedArray(image.data);
console.log(read(image));
"""


def test_a_link_is_shown_as_a_picture_that_reads_back(context: Any, host: Host, tmp_path: Path) -> None:
    tab = Tab(context, host).ready()
    tab.make_key("Ann")
    offered = tab.ask("offer", rules="redcoats")
    tab.ask("join", ticket=offered["ticket"], seat=offered["seat"], name="Ann")
    tab.again()
    tab.page.click("#waiting .line")
    link = tab.page.input_value(".parcel input.link")
    assert link.startswith(f"{host.address}#pbem=")
    tab.page.click("text=QR code")
    tab.page.wait_for_selector(".site-dialog canvas")
    size, pixels = tab.page.evaluate(PIXELS)
    file = tmp_path / "pixels.json"
    file.write_text(json.dumps({"width": size, "height": size, "data": pixels}))
    program = [
        "node",
        "--input-type=module",
        "-e",
        READ,
        str(runtime.packages() / "qr" / "decode.js"),
        str(file),
    ]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == link, done.stderr[-500:]
