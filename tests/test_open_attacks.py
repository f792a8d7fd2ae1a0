"""What another page in the same browser, or another player's words, can do to the local page: nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pbem.demo.together import join_all, table_of
from pbem.doing import playing
from pbem.home import Home
from pbem.page.answers import refusal_of
from pbem.page.desk import Desk
from pbem.page.keeper import Locked
from pbem.page.server import Server
from pbem.table import Table
from tests.browser import Watched, chromium, needs_browser
from tests.clicks import SEED, hand_over

EVIL = '<img src=x onerror="document.title=1"><script>document.title=2</script>'


class Elsewhere(BaseHTTPRequestHandler):
    """A page of somebody else, at another origin of the same machine."""

    def do_GET(self) -> None:
        body = b"<!DOCTYPE html><title>elsewhere</title><p>hello</p>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""


def serving(made: ThreadingHTTPServer) -> ThreadingHTTPServer:
    threading.Thread(target=made.serve_forever, daemon=True).start()
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A seat of tiny to whom the other has said something evil."""
    seats = join_all(tmp_path, "tiny", SEED)
    hand_over(seats)
    other = Table.open(table_of(seats["b"]).folder, seats["b"].home)
    playing.say(other, EVIL, lambda: seats["b"].key, now=True)
    hand_over(seats)
    return seats["a"].home


@needs_browser
def test_an_attacking_page_gets_nothing(browser: Any) -> None:
    """It knows the port; it has no token. Nothing reaches the desk, nothing can be read, framed or run."""
    asked: list[str] = []
    server = serving(Server(lambda path, data: asked.append(path)))
    elsewhere = serving(ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere))
    watched = Watched(browser)
    page = watched.page
    page.goto(f"http://127.0.0.1:{elsewhere.server_address[1]}/")
    tried = page.evaluate(
        """async (target) => {
        const found = {};
        const attempt = async (name, work) => {
          try { found[name] = String(await work()); } catch (error) { found[name] = "refused"; }
        };
        const body = '{"game": "tiny"}', type = { "Content-Type": "application/json" };
        await attempt("read", async () => (await fetch(target + "/")).text());
        const asking = { method: "POST", headers: type, body };
        await attempt("ask", async () => (await fetch(target + "/api/games", asking)).text());
        await attempt("blind", async () => {
          const told = await fetch(target + "/api/games", { method: "POST", mode: "no-cors", body });
          return told.type + (await told.text());
        });
        await attempt("script", () => new Promise((done, failed) => {
          const script = document.createElement("script");
          Object.assign(script, { src: target + "/stage.js", onload: () => done("ran"), onerror: failed });
          document.head.append(script);
        }));
        await attempt("frame", () => new Promise((done) => {
          const frame = document.createElement("iframe");
          frame.onload = () => done(frame.contentDocument ? "read" : "closed");
          frame.src = target + "/";
          document.body.append(frame);
        }));
        return found;
      }""",
        server.origin,
    )
    assert tried == {
        "read": "refused",
        "ask": "refused",
        "blind": tried["blind"],
        "script": "refused",
        "frame": "closed",
    }
    assert tried["blind"] in ("refused", "opaque"), "an opaque answer holds nothing"
    assert not asked, "no question came as far as the desk"
    watched.close()
    for one in (server, elsewhere):
        one.shutdown()
        one.server_close()


@needs_browser
def test_words_of_others_are_text_and_the_token_is_gone_from_the_address(browser: Any, home: Home) -> None:
    server = serving(Server(Desk(home)))
    assert isinstance(server, Server)
    watched = Watched(browser)
    page = watched.page
    page.goto(f"{server.address()}&game=tiny")
    page.wait_for_selector("body[data-ready]")
    assert page.url == f"{server.origin}/#game=tiny" and page.evaluate("document.cookie") == ""
    page.locator("#notices li", has_text="onerror").first.wait_for()
    assert page.locator("aside img, aside script").count() == 0
    assert page.title() not in ("1", "2") and not watched.trouble
    watched.close()
    server.shutdown()
    server.server_close()


def test_one_at_a_time(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tabs that ask at once are answered one after the other: whoever is answered holds the lock."""
    desk = Desk(home)
    held: list[bool] = []
    monkeypatch.setattr(desk, "_paths", {"games": lambda data: held.append(desk._lock.locked())})
    desk("games", {})
    assert held == [True] and not desk._lock.locked()


def test_a_locked_key_is_428_and_never_a_question_in_the_page() -> None:
    refused = refusal_of(Locked("your key has a passphrase", "type it in the terminal"))
    assert refused.status == 428 and "terminal" in refused.hint
    static = Path(__file__).parent.parent / "pbem" / "page" / "static"
    for file in static.rglob("*.*"):
        assert 'type="password"' not in file.read_text(encoding="utf-8"), file


def test_no_script_of_ours_makes_markup_of_words() -> None:
    """Names, chats, packs and cards reach the page as text: nothing in it could read them as markup."""
    static = Path(__file__).parent.parent / "pbem" / "page" / "static"
    ways = (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "srcdoc",
    )
    for file in static.rglob("*.js"):
        text = file.read_text(encoding="utf-8")
        assert not [way for way in ways if way in text], file
        assert text.count("DOMParser") == (1 if file.name == "stage.js" else 0), file
