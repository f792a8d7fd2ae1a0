"""How large replay pages are, and how long they take to open from the disk and to check themselves.

Run: python benchmarks/replay.py [FILE.html | FILE.zip …]; without files, the examples. Needs Chromium.
A zip (as `pbem dispute` writes it) is made into a page first, with proof.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import sys
import tempfile
import time
import zipfile
import zlib
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from pbem.page.replay import replay_page

ROOT = Path(__file__).resolve().parents[1]
OPEN, ENTRIES = 2.0, 300
"""Seconds that so many entries may take until the board is seen; more of them take in proportion."""
SIZE = 5_000_000 / 1000
"""Bytes for each entry."""


def page_of(path: Path, folder: Path) -> Path:
    """The page itself, made from a zip where one is given."""
    if path.suffix == ".html":
        return path
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    made = folder / f"{path.stem}.html"
    made.write_text(replay_page(files, None, True, lambda done, of: None), encoding="utf-8")
    return made


def entries_in(page: Path) -> int:
    """How many entries a page tells of."""
    found = re.search(r'id="film">([^<]*)<', page.read_text(encoding="utf-8"))
    assert found
    return len(json.loads(zlib.decompress(base64.b64decode(found.group(1))))["log"])


def one(running: Any, page: Path) -> bool:
    """Open a page; whether it is as wanted."""
    entries, size = entries_in(page), page.stat().st_size
    shown = running.new_page()
    shown.goto("about:blank")
    start = time.perf_counter()
    shown.goto(page.as_uri())
    shown.wait_for_selector("#board svg [data-id]")
    seen = time.perf_counter() - start
    shown.wait_for_selector("body[data-checked]")
    checked = time.perf_counter() - start
    good = shown.get_attribute("body", "data-checked")
    shown.close()
    most = OPEN * max(entries / ENTRIES, 1.0)
    print(
        f"{page.stem}: {entries} entries, {size / 1000:.0f} kB (wanted: at most {SIZE * entries / 1000:.0f})"
        f", seen after {seen:.2f} s (wanted: {most:.1f}), checked after {checked:.2f} s: {good}"
    )
    return seen <= most and size <= SIZE * max(entries, 200) and good == "good"


def main(given: list[str]) -> int:
    browser = shutil.which("chromium")
    if browser is None:
        print("no Chromium here")
        return 1
    paths = [Path(name).absolute() for name in given] or sorted((ROOT / "examples" / "pages").glob("*.html"))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        running = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        results = [one(running, page_of(path, Path(folder))) for path in paths]
        running.close()
    print(f"(others at work on this machine: {os.getloadavg()[0]:.1f} processes wait for a core)")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
