"""How fast pictures, clicks and the page are: milliseconds, with what is wanted beside them.

Run: python benchmarks/page.py [GAME …]. With Chromium on this machine it also opens the page.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pbem.engine import registry
from pbem.engine.croupier import Croupier
from pbem.engine.machine import Machine
from pbem.engine.nextwords import Index
from pbem.engine.options import PUBLIC
from pbem.engine.waits import Ask, Over
from pbem.page.picture import picture
from pbem.playtest.local import begin, usual_start

SVG, CLICK, SEEN = 50.0, 30.0, 1500.0
"""What is wanted, in milliseconds: a picture after the first, a click's answer, the board of `pbem open`."""


def milliseconds(work: Callable[[], Any], times: int = 9) -> float:
    """The median of some runs, in time of the processor: others on the machine do not count."""
    found = []
    for _ in range(times):
        start = time.process_time()
        work()
        found.append((time.process_time() - start) * 1000)
    return statistics.median(found)


def told(what: str, found: float, wanted: float) -> bool:
    """One line; whether it is as wanted."""
    print(f"{what}: {found:.1f} ms, wanted: at most {wanted:.0f}")
    return found <= wanted


def one_game(name: str, steps: int = 60) -> bool:
    """Pictures of positions on the way through a game between bots, and its largest question."""
    rules = registry.load(name)
    pack = rules.load_pack()
    machine = Machine(rules, pack)
    croupier = Croupier(machine, random.Random(1))
    start = usual_start(rules, pack, next(iter(rules.scenarios(pack))))
    pos = begin(croupier, start)
    bots = {seat: rules.bot(seat, 1) for seat in start.seats}
    picture(rules.scene(pos, PUBLIC))
    slowest, largest, asked = 0.0, 0, None
    for step in range(steps):
        wait = machine.waits_for(pos)
        if isinstance(wait, Over):
            break
        if step % 12 == 0:
            slowest = max(slowest, milliseconds(lambda: picture(rules.scene(pos, PUBLIC)), 5))  # noqa: B023
        if isinstance(wait, Ask):
            view = croupier.view(pos, wait.options.seat, wait.options)
            index = Index(machine, pos, wait.options, view)
            if len(index) > largest:
                largest, asked = len(index), (pos, wait.options, view, index)
        pos = croupier.play(pos, bots).position
    good = told(f"{name}: SVG of any of {steps} positions, after the first", slowest, SVG)
    if asked is not None:
        pos, options, view, index = asked
        made = milliseconds(lambda: Index(machine, pos, options, view))
        print(f"{name}: index of {largest} orders: {made:.1f} ms, once for a position")
        words = [offer.word for offer in index.picked(()).offered[:20]]
        good &= told(f"{name}: a click among {largest} orders, with costs", _clicks(index, words), CLICK)
    return good


def _clicks(index: Index, words: list[str]) -> float:
    """The slowest of some clicks: what may follow, and what the places among it cost."""

    def click(word: str) -> None:
        found = index.picked((word,))
        index.costs((word,), [offer.word for offer in found.offered][:90])

    return max((milliseconds(lambda: click(word), 3) for word in words), default=0.0)  # noqa: B023


def opened() -> bool:
    """`pbem open` as a process, until a browser shows the board of kawagoe."""
    import shutil

    from playwright.sync_api import sync_playwright

    from pbem.demo.together import join_all

    browser = shutil.which("chromium")
    if browser is None:
        print("no Chromium here: the page was not opened")
        return True
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        seat = next(iter(join_all(Path(folder), "kawagoe", 11).values()))
        running = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = running.new_page()
        page.goto("about:blank")
        environment = {**os.environ, "PBEM_HOME": str(seat.home.path), "PYTHONUNBUFFERED": "1"}
        code = "from pbem.cli.main import main; main()"
        start = time.perf_counter()
        run = subprocess.Popen(
            [sys.executable, "-c", code, "open", "kawagoe", "--no-browser"],
            stdout=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip
        assert run.stdout is not None
        door = Path(run.stdout.readline().split("open it with ")[1].strip())
        page.goto(door.read_text().split('replace("')[1].split('"')[0])
        page.wait_for_selector("#board svg [data-id]")
        found = (time.perf_counter() - start) * 1000
        own = _processor(run.pid)
        run.terminate()
        run.wait()
        running.close()
    print(f"(others at work on this machine: {os.getloadavg()[0]:.1f} processes wait for a core)")
    if own is not None:
        print(f"pbem open itself: {own:.0f} ms of the processor until then")
    return told("pbem open until the board is seen", found, SEEN)


def _processor(process: int) -> float | None:
    """What a process has used of the processor, in milliseconds, where the system tells."""
    place = Path(f"/proc/{process}/stat")
    if not place.exists():
        return None
    fields = place.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    names = sys.argv[1:] or ["kawagoe", "chuhan", "sanada", "redcoats", "suikoden"]
    results = [one_game(name) for name in names if name in registry.names()]
    results.append(opened())
    sys.exit(0 if all(results) else 1)
