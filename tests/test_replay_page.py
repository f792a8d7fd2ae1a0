"""The replay page in a real browser: every step, no network, and a changed die, link or entry is found."""

from __future__ import annotations

import base64
import json
import re
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.demo.bot import sit_down
from pbem.demo.together import join_all, table_of
from pbem.dispute import files_of
from pbem.page.replay import packed, replay_page
from pbem.table import Table
from tests.browser import Watched, chromium, needs_browser
from tests.cli import ROOT

GAMES = ("kawagoe", "chuhan")


def pages() -> dict[str, str]:
    """The replay page of the beginning of a game of each kind, with proof, made once."""
    if not _MADE:
        for game in GAMES:
            with tempfile.TemporaryDirectory() as folder:
                files = files_of(begun(Path(folder), game, 90))
            _MADE[game] = replay_page(files, None, True, lambda done, of: None)
    return _MADE


_MADE: dict[str, str] = {}


def begun(folder: Path, game: str, entries: int) -> Table:
    """A signed game between bots, some entries in."""
    seats = join_all(folder, game, 11)
    tables = {name: table_of(seat) for name, seat in seats.items()}
    first = next(iter(tables.values()))
    while first.ledger.state.number < entries and any(table.ledger.due() for table in tables.values()):
        for name, table in tables.items():
            raws = [raw for other, its in tables.items() if other != name for raw in its.outgoing(name)]
            with table.sitting():
                table.receive(raws)
                sit_down(table, seats[name].key, 11)
        if first.ledger.position.outcome:
            break
    return first


def opened(page: str) -> dict[str, Any]:
    """What is packed in a page."""
    found = re.search(r'id="film">([^<]*)<', page)
    assert found
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found.group(1))))
    return data


def changed(page: str, change: Callable[[dict[str, Any]], None]) -> str:
    """The same page with other data in it."""
    data = opened(page)
    change(data)
    return re.sub(r'(id="film">)[^<]*<', lambda m: f"{m.group(1)}{packed(data)}<", page)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


def show(browser: Any, page: str, folder: Path, anchor: str = "") -> Watched:
    file = folder / "replay.html"
    file.write_text(page, encoding="utf-8")
    watched = Watched(browser)
    watched.page.goto(file.as_uri() + anchor)
    watched.page.wait_for_selector("body[data-checked]")
    return watched


def test_a_page_holds_every_step_and_asks_for_nothing() -> None:
    for name, page in pages().items():
        data = opened(page)
        assert len(data["frames"]) > 30 and data["rolls"] and data["log"], name
        assert len(page) < 5_000_000
        assert not re.search(r'(?:src|href)="(?!data:)', page.split('id="film"')[0])
        assert {rule for frame in data["frames"] for rule, _ in frame["events"] if rule} <= {
            *data["rules"],
            "",
        }, name


@needs_browser
@pytest.mark.parametrize("name", GAMES)
def test_every_step_can_be_reached_and_the_dice_fit(browser: Any, tmp_path: Path, name: str) -> None:
    data = opened(pages()[name])
    watched = show(browser, pages()[name], tmp_path)
    page = watched.page
    assert page.get_attribute("body", "data-checked") == "good", page.inner_text("#checks")
    assert page.locator("#list .bad").count() == 0 and page.locator("#list .good").count() >= 5
    assert "signatures fit" in page.inner_text("#list")
    last = len(data["frames"]) - 1
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    assert f"step 12 of {last}" in page.inner_text("#where")
    page.keyboard.press("End")
    assert f"step {last} of {last}" in page.inner_text("#where")
    shown = page.evaluate("document.querySelectorAll('#board svg [data-id]').length")
    stepped = {ident for frame in data["frames"] for ident in frame["set"]}
    left: set[str] = set()
    for frame in data["frames"]:
        left |= set(frame["set"])
        left -= set(frame["del"])
    assert shown == len(left) <= len(stepped)
    page.keyboard.press("Home")
    page.keyboard.press("End")
    assert page.evaluate("document.querySelectorAll('#board svg [data-id]').length") == len(left)
    page.fill("#search", data["frames"][last]["events"][-1][1][:12])
    assert page.locator("#found button").count() >= 1
    assert page.evaluate("location.hash") == f"#step={last}"
    assert not watched.trouble and len(watched.asked) == 1
    watched.close()


PAGES = sorted((ROOT / "examples" / "pages").glob("*.html"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_pages_of_the_examples_are_of_these_games(page: Path) -> None:
    data = opened(page.read_text(encoding="utf-8"))
    with zipfile.ZipFile(ROOT / "examples" / "games" / f"{page.stem}.zip") as archive:
        moves = [name for name in archive.namelist() if name.startswith("moves/")]
        assert data["game"] in archive.read("game.toml").decode() and len(data["log"]) == len(moves)
        assert data["log"][-1]["raw"].encode() == archive.read(max(moves)), "make the page anew"
    assert data["proof"] and len(data["frames"]) > 50


@needs_browser
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_pages_of_the_examples_check_themselves(browser: Any, page: Path) -> None:
    watched = Watched(browser)
    watched.page.goto(page.as_uri())
    watched.page.wait_for_selector("body[data-checked]")
    assert watched.page.get_attribute("body", "data-checked") == "good", watched.page.inner_text("#checks")
    watched.page.keyboard.press("End")
    frames = len(opened(page.read_text(encoding="utf-8"))["frames"]) - 1
    assert f"step {frames} of {frames}" in watched.page.inner_text("#where")
    assert not watched.trouble and len(watched.asked) == 1
    watched.close()


@needs_browser
def test_a_link_to_a_step_opens_there(browser: Any, tmp_path: Path) -> None:
    watched = show(browser, pages()["kawagoe"], tmp_path, "#step=40")
    assert "step 40 of" in watched.page.inner_text("#where")
    rule = watched.page.locator("#report .rule").first
    assert rule.get_attribute("title"), "hovering a rule's number shows it in our words"
    watched.close()


def _die(data: dict[str, Any]) -> None:
    roll = data["rolls"][len(data["rolls"]) // 2]
    roll[3][0] = (roll[3][0] + 1) % roll[2][0]


def _link(data: dict[str, Any]) -> None:
    entry = [one for one in data["log"] if "link" in one][5]
    entry["link"] = entry["link"][::-1]


def _entry(data: dict[str, Any]) -> None:
    entry = next(one for one in data["log"] if one["kind"] == "orders")
    entry["raw"] = entry["raw"].replace("orders = ", "orders =  ", 1)


def _signature(data: dict[str, Any]) -> None:
    one, two = [entry for entry in data["log"] if entry["lane"] == "decide"][:2]
    cut = "\n[signature]\n"
    one["raw"] = one["raw"].split(cut)[0] + cut + two["raw"].split(cut)[1]


def _decision(data: dict[str, Any]) -> None:
    seed = next(seed for seed in data["seeds"] if seed[1])
    seed[1] = seed[1][:-1]


def _opening(data: dict[str, Any]) -> None:
    data["openings"][0][3] += "x"


@needs_browser
@pytest.mark.parametrize("change", [_die, _link, _entry, _signature, _decision, _opening])
def test_what_was_changed_is_found(browser: Any, tmp_path: Path, change: Callable[..., None]) -> None:
    watched = show(browser, changed(pages()["kawagoe"], change), tmp_path)
    assert watched.page.get_attribute("body", "data-checked") == "bad"
    assert watched.page.locator("#list .bad").count() >= 1
    assert watched.page.inner_text("#problem").startswith("This file does not hold what it says")
    watched.close()


@needs_browser
def test_our_own_hashes_are_those_of_the_protocol(browser: Any) -> None:
    from pbem.page.replay import static
    from pbem.protocol.crypto.canonical import digest, keyed
    from pbem.protocol.crypto.chance import integer

    watched = Watched(browser)
    watched.page.goto("about:blank")
    watched.page.add_script_tag(content=static("hash.js") + ";globalThis.Chance = Chance;")
    for size in (0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 500):
        made = watched.page.evaluate(f"Chance.hex(Chance.digest('x', new Uint8Array({size}).fill(7)))")
        assert made == digest("x", bytes([7]) * size).hex()
    for bound in (2, 3, 6, 7, 10, 52, 256, 257, 1000):
        made = watched.page.evaluate(f"Chance.integer(new Uint8Array(32).fill(9), 3, 1, {bound})")
        assert made == integer(bytes([9]) * 32, 3, 1, bound)
    assert (
        watched.page.evaluate("Chance.hex(Chance.keyed(new Uint8Array(32), 'k', 5))")
        == keyed(bytes(32), "k", 5).hex()
    )
    watched.close()
