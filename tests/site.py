"""A site on loopback, a home in the browser that opened it, and a player who only clicks what is offered."""

from __future__ import annotations

import functools
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.site.build import POLICY

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

ASK = """async ([path, data]) => {
  const { ask } = await import("./app/server.js");
  try { return { told: await ask(path, data) }; } catch (error) { return { refused: error.message }; }
}"""
READY = "body[data-ready=yes]"


class _Handler(SimpleHTTPRequestHandler):
    """Static files with the strict policy, as `_headers` asks a host for it: for the worker, too."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""


class Host:
    """Serves a folder below a path of its own, as a git host's pages do."""

    def __init__(self, folder: Path) -> None:
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder.parent))
        )
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.address = f"{self.origin}/{folder.name}/"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def hosted(folder: Path) -> Iterator[Host]:
    """The site on loopback."""
    host = Host(folder)
    try:
        yield host
    finally:
        host.close()


class Tab:
    """One tab with the site."""

    def __init__(self, context: BrowserContext, host: Host, fragment: str = "") -> None:
        self.context, self.host = context, host
        self.page: Page = context.new_page()
        self.trouble: list[str] = []
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", lambda said: self.trouble.append(said.text) if said.type == "error" else None)
        self.page.goto(host.address + fragment)

    def ready(self) -> Tab:
        """The tab, when it can be played."""
        self.page.wait_for_selector(READY, timeout=120_000)
        return self

    def again(self) -> Tab:
        """The tab, loaded again."""
        self.page.goto(self.host.address)
        self.page.reload()
        return self.ready()

    def ask(self, path: str, **data: Any) -> Any:
        """What the page's own transport answers."""
        answer = self.page.evaluate(ASK, [path, data])
        assert "told" in answer, answer
        return answer["told"]

    def refused(self, path: str, **data: Any) -> str:
        """What the page is told instead."""
        return str(self.page.evaluate(ASK, [path, data])["refused"])

    def make_key(self, name: str) -> None:
        """As somebody who opens the site for the first time."""
        self.page.fill("#key-name", name)
        self.page.click("#make-key button.main")
        self.page.wait_for_selector("#desk:not([hidden])")

    # --- playing

    def sign(self, game: str, lines: list[str]) -> list[dict[str, Any]]:
        """Sign orders; returns the files that go to the others."""
        promised = self.ask("promise", game=game, lines=lines)
        bound = {"ticket": promised["ticket"], "fingerprint": promised["fingerprint"]}
        files: list[dict[str, Any]] = self.ask("play", game=game, lines=lines, **bound)["files"]
        return files

    def orders(self, game: str, chance: random.Random, most: int = 20) -> list[str]:
        """Orders that a player clicks together who takes whatever is offered."""
        lines: list[str] = []
        while len(lines) < most:
            plan = self.ask("board", game=game, lines=lines)["plan"]
            line = self._line(game, lines, chance) if plan["ask"] else None
            if line is None:
                break
            lines.append(line)
            if plan["sealed"]:
                break
        return lines

    def _line(self, game: str, lines: list[str], chance: random.Random) -> str | None:
        for _ in range(6):
            line = self._clicked(game, lines, chance)
            if line and not self.ask("board", game=game, lines=[*lines, line])["plan"]["wrong"]:
                return line
        return None

    def _clicked(self, game: str, lines: list[str], chance: random.Random) -> str | None:
        picks: list[str] = []
        for _ in range(30):
            told = self.ask("next", game=game, lines=lines, picks=picks)
            done = [one["order"] for one in told["complete"]]
            if done and (not told["offered"] or chance.random() < 0.7):
                return str(chance.choice(done))
            if not told["offered"]:
                return None
            picks.append(chance.choice(told["offered"])[0])
        return None
