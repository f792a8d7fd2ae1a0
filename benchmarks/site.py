"""The site in Chromium: bytes of the first load, seconds until it can be played, a click, memory.

    python -m benchmarks.site [MINUTES]

Serves a site on loopback without compression, at a phone's size. With MINUTES it plays against the bot for so
long and tells the memory then.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from pbem.site.build import build
from tests.browser import chromium
from tests.site import Tab, hosted


def main(minutes: float) -> None:
    with tempfile.TemporaryDirectory() as place, chromium() as browser:
        folder = Path(place) / "pbem"
        build(folder)
        with hosted(folder) as host:
            context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
            sizes: list[int] = []
            context.on("response", lambda answer: sizes.append(int(answer.headers.get("content-length", 0))))
            began = time.perf_counter()
            tab = Tab(context, host).ready()
            print(f"first visit: {time.perf_counter() - began:.1f} s, {sum(sizes):,} bytes asked for")
            tab.make_key("Ann")
            tab.page.evaluate("() => navigator.serviceWorker.ready.then(() => {})")
            tab.page.close()
            began = time.perf_counter()
            tab = Tab(context, host).ready()
            print(f"second visit: ready after {time.perf_counter() - began:.1f} s")
            for rules in ("kawagoe", "chuhan", "redcoats", "sanada", "suikoden"):
                _game(tab, rules)
            _hour(tab, minutes)


def _game(tab: Tab, rules: str) -> None:
    began = time.perf_counter()
    game = tab.ask("practice", rules=rules)["game"]
    print(f"{rules}: begun after {time.perf_counter() - began:.2f} s")
    clicks = []
    for _ in range(20):
        at = time.perf_counter()
        told = tab.ask("next", game=game, lines=[], picks=[])
        clicks.append(time.perf_counter() - at)
        word = random.choice(told["offered"])[0] if told["offered"] else None
        at = time.perf_counter()
        tab.ask("next", game=game, lines=[], picks=[word] if word else [])
        clicks.append(time.perf_counter() - at)
    print(f"  a click: median {1000 * statistics.median(clicks):.0f} ms, slowest {1000 * max(clicks):.0f} ms")


def _hour(tab: Tab, minutes: float) -> None:
    chance, end = random.Random(1), time.perf_counter() + 60 * minutes
    signed: list[float] = []
    while time.perf_counter() < end:
        game = tab.ask("practice", rules="redcoats")["game"]
        while time.perf_counter() < end and not tab.ask("status", game=game)["outcome"]:
            lines = tab.orders(game, chance)
            at = time.perf_counter()
            tab.sign(game, lines)
            signed.append(time.perf_counter() - at)
    if signed:
        print(f"{len(signed)} signatures with the bot's answers: median {statistics.median(signed):.2f} s")
    print(f"memory of the page and its worker: {_memory(tab) / 1e6:.0f} MB")


def _memory(tab: Tab) -> float:
    """What the operating system counts for the processes of the page: the part that is theirs alone."""
    total = 0
    session: Any = tab.context.browser.new_browser_cdp_session() if tab.context.browser else None
    for process in session.send("SystemInfo.getProcessInfo")["processInfo"]:
        if process["type"] == "renderer":
            text = Path(f"/proc/{process['id']}/smaps_rollup").read_text(encoding="ascii")
            total += sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Private_"))
    return total * 1024


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0)
