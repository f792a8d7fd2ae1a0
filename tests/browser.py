"""The system's Chromium, driven by playwright. One browser serves all tests of a process.

Without Chromium these tests are left out, and one line says so; where CI=true they never are.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
)
NEEDED = os.environ.get("CI") == "true"
MISSING = not CHROMIUM and not NEEDED

NO_FILM = "try { localStorage.setItem('pbem-film', 'no') } catch {}"
"""What happened meanwhile is not shown: a test that clicks need not wait for it."""
LEFT_OUT = "the browser's tests were left out: there is no Chromium here"
needs_browser = pytest.mark.skipif(MISSING, reason=LEFT_OUT)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser."""
    from playwright.sync_api import sync_playwright

    assert CHROMIUM, "CI=true: the browser's tests must run; install chromium"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


class Watched:
    """A page whose console must stay silent."""

    def __init__(self, browser: Browser, width: int = 1280, height: int = 800, film: bool = False) -> None:
        self.context = browser.new_context(viewport={"width": width, "height": height})
        if not film:
            self.context.add_init_script(NO_FILM)
        self.page: Page = self.context.new_page()
        self.trouble: list[str] = []
        self.page.on("console", lambda said: self._said(said.type, said.text))
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))
        self.asked: list[str] = []

    def _said(self, kind: str, text: str) -> None:
        refused = text.startswith("Failed to load resource: the server responded with a status of 4")
        if kind in ("error", "warning") and not refused:  # the browser tells of every refusal itself
            self.trouble.append(text)

    def _asked(self, url: str) -> None:
        self.asked.append(url)

    def close(self) -> None:
        self.context.close()
