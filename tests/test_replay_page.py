"""The replay page in a real browser: every step, no network, and a changed die, link or entry is found."""

from __future__ import annotations

import base64
import json
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.demo.together import join_all, table_of
from pbem.page.replay import packed, replay_page
from tests.browser import Watched, chromium, needs_browser
from tests.cli import ROOT
from tests.clicks import SEED, until

PAGES = {page.stem: page.read_text(encoding="utf-8") for page in (ROOT / "examples" / "pages").glob("*.html")}
"""The replay of each example, as it is shipped."""


def opened(page: str) -> dict[str, Any]:
    """What is packed in a page."""
    found = re.search(r'id="film-data">([^<]*)<', page)
    assert found
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(found.group(1))))
    return data


def changed(page: str, change: Callable[[dict[str, Any]], None]) -> str:
    """The same page with other data in it."""
    data = opened(page)
    change(data)
    return re.sub(r'(id="film-data">)[^<]*<', lambda m: f"{m.group(1)}{packed(data)}<", page)


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


def archive(name: str) -> dict[str, bytes]:
    """The finished game that a page shows."""
    with zipfile.ZipFile(ROOT / "examples" / "games" / f"{name}.zip") as file:
        return {path: file.read(path) for path in file.namelist()}


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_page_of_an_example_holds_every_step_and_asks_for_nothing(name: str) -> None:
    data, files = opened(PAGES[name]), archive(name)
    moves = sorted(path for path in files if path.startswith("moves/"))
    assert data["game"] in files["game.toml"].decode()
    assert [one["raw"].encode() for one in data["log"]] == [files[path] for path in moves], "make it anew"
    assert data["proof"] and len(data["frames"]) > 50 and data["rolls"]
    assert len(PAGES[name]) < 5_000 * max(len(moves), 200), "at most 5 MB for 1,000 entries"
    assert not re.search(r'(?:src|href)="(?!data:)', PAGES[name].split('id="film-data"')[0])
    told = {event["rule"] for frame in data["frames"] for event in frame["events"] if event["rule"]}
    assert told <= {*data["rules"]}


def test_a_page_made_now_tells_the_same_game() -> None:
    """The smallest of the examples, verified and filmed anew."""
    name = min(PAGES, key=lambda one: len(PAGES[one]))
    made = opened(replay_page(archive(name), None, True, lambda done, of: None))
    shipped = opened(PAGES[name])
    for part in ("game", "log", "seeds", "rolls", "openings", "rules", "fingerprint"):
        assert made[part] == shipped[part], part
    assert [frame["events"] for frame in made["frames"]] == [frame["events"] for frame in shipped["frames"]]


@needs_browser
@pytest.mark.parametrize("name", sorted(PAGES))
def test_every_step_can_be_reached_and_the_dice_fit(browser: Any, tmp_path: Path, name: str) -> None:
    data = opened(PAGES[name])
    watched = show(browser, PAGES[name], tmp_path)
    page = watched.page
    assert page.get_attribute("body", "data-checked") == "good", page.inner_text("#checks")
    assert page.locator("#list .bad").count() == 0 and page.locator("#list .good").count() >= 4
    assert "signatures fit" in page.inner_text("#list")
    last = int(page.get_attribute("#film .beats", "max") or 0)
    assert last >= len(data["rolls"])
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    assert f"step 12 of {last}" in page.inner_text("#where")
    page.keyboard.press("End")
    assert f"step {last} of {last}" in page.inner_text("#where")
    left: set[str] = set()
    for frame in data["frames"]:
        left |= set(frame["set"])
        left -= set(frame["del"])
    for key in ("Home", "End"):
        shown = page.evaluate("document.querySelectorAll('#board svg [data-id]').length")
        assert shown == (len(left) if key == "Home" else len(data["frames"][0]["set"]))
        page.keyboard.press(key)
    said = [event["text"] for frame in data["frames"] for event in frame["events"] if "text" in event]
    page.fill("#search", said[-1][:12])
    assert page.locator("#found button").count() >= 1
    assert page.evaluate("location.hash") == f"#step={last}"
    assert not watched.trouble and len(watched.asked) == 1
    watched.close()


@needs_browser
def test_a_game_of_today_is_checked_whole(browser: Any, tmp_path: Path) -> None:
    """Dice, links, openings, ids and signatures of a game just played, as the page makes them again."""
    seats = join_all(tmp_path, "tiny", SEED + 1, domain="example.org")
    seat = until(seats, "deed")
    folder = table_of(seat).folder
    files = {"game.toml": (folder / "game.toml").read_bytes()}
    moves = [path for path in (folder / "moves").rglob("*") if path.is_file()]
    files |= {path.relative_to(folder).as_posix(): path.read_bytes() for path in moves}
    watched = show(browser, replay_page(files, seat.home, True, lambda done, of: None), tmp_path)
    page = watched.page
    assert page.get_attribute("body", "data-checked") == "good", page.inner_text("#list")
    assert "signatures fit" in page.inner_text("#list") and not watched.trouble
    watched.close()


@needs_browser
def test_a_link_to_a_step_opens_there(browser: Any, tmp_path: Path) -> None:
    watched = show(browser, PAGES["kawagoe"], tmp_path, "#step=40")
    assert "step 40 of" in watched.page.inner_text("#where")
    rule = watched.page.locator("#report .rule").first
    assert rule.get_attribute("title"), "hovering a rule's number shows it in our words"
    watched.close()


@needs_browser
def test_a_die_that_is_shown_is_the_one_made_again(browser: Any, tmp_path: Path) -> None:
    """Whatever the file tells, the dice drawn in it follow from the signed links; the rest is told."""
    data = opened(PAGES["kawagoe"])
    thrown = [
        (event, data["rolls"][frame["roll"]][3])
        for frame in data["frames"]
        for event in frame["events"]
        if "dice" in event
    ]
    assert thrown and all("text" not in event for event, _ in thrown), "no sentence brings its own dice"

    def lie(data: dict[str, Any]) -> None:
        for frame in data["frames"]:
            for event in frame["events"]:
                if "parts" in event:
                    event["text"] = "die 6: the walls fall"
                    event["parts"] = [*event["parts"], " <b>die 6</b>"]

    watched = show(browser, changed(PAGES["kawagoe"], lie), tmp_path)
    page = watched.page
    page.keyboard.press("b")
    shown = page.locator("#report .die").first.get_attribute("aria-label")
    first = next(values for _, values in thrown)
    assert shown is not None and shown.startswith(f"{first[0] + 1} of ")
    assert page.locator("#report b").count() == 0 and "told by this file" in page.inner_text("aside")
    assert "the sentences" in page.inner_text("#unchecked")
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
    """In the seed that most dice come from: a single die may fall alike from another seed."""
    rolled = Counter(event for event, _, bounds, _ in data["rolls"] for _ in bounds)
    seed = max((seed for seed in data["seeds"] if seed[1]), key=lambda one: rolled[one[0]])
    assert rolled[seed[0]] > 4
    seed[1] = seed[1][:-1]


def _opening(data: dict[str, Any]) -> None:
    data["openings"][0][3] += "x"


def _die_and_entry(data: dict[str, Any]) -> None:
    _die(data)
    _entry(data)


@needs_browser
@pytest.mark.parametrize("change", [_die_and_entry, _link])
@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_changed_die_link_or_entry_is_found(
    browser: Any, tmp_path: Path, name: str, change: Callable[..., None]
) -> None:
    watched = show(browser, changed(PAGES[name], change), tmp_path)
    assert watched.page.get_attribute("body", "data-checked") == "bad"
    bad = watched.page.locator("#list .bad").all_inner_texts()
    assert len(bad) == 2, "the dice and the entry, or the link and the entry that carries it"
    watched.close()


@needs_browser
@pytest.mark.parametrize("change", [_die, _entry, _signature, _decision, _opening])
def test_what_was_changed_is_found(browser: Any, tmp_path: Path, change: Callable[..., None]) -> None:
    watched = show(browser, changed(PAGES["kawagoe"], change), tmp_path)
    assert watched.page.get_attribute("body", "data-checked") == "bad"
    assert watched.page.locator("#list .bad").count() >= 1
    assert watched.page.inner_text("#problem").startswith("This file does not hold what it says")
    watched.close()


@needs_browser
def test_our_own_hashes_are_those_of_the_protocol(browser: Any) -> None:
    from pbem.page.shipped import static
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
