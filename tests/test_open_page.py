"""The page in a real browser, against real homes: by clicks alone, by keys alone, on a phone."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem import drafts
from pbem.demo.together import join_all
from pbem.engine.options import PUBLIC
from pbem.home import Home
from pbem.outgoing import outgoing
from pbem.page.desk import Desk
from pbem.page.picture import draw
from pbem.page.server import Server
from pbem.transport.bundle import pack
from pbem.transport.mail_out import body_text
from tests.browser import Watched, chromium, needs_browser
from tests.clicks import SEED, Player, end, one_each, seat_all, until

pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


BEGINNINGS = {
    "kawagoe": "kawagoe",
    "chuhan": "standard",
    "sanada": "ukita",
    "redcoats": "kings-mountain",
    "suikoden": "deck-building",
}


@pytest.mark.parametrize("game", BEGINNINGS)
def test_a_game_begins_by_clicks_alone_on_both_sides(browser: Any, tmp_path: Path, game: str) -> None:
    """One decision of each side (a whole turn: `python -m tests.clicks GAME`)."""
    players = one_each(seat_all(tmp_path, game, browser, BEGINNINGS[game]))
    assert end(players) > 0


# --- one seat in the middle of a turn


@pytest.fixture(scope="module")
def marching(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    """Kawagoe where somebody is to move units, with the page open."""
    seats = join_all(tmp_path_factory.mktemp("marching"), "kawagoe", SEED, domain="example.org")
    player = Player(until(seats, "move"), browser, "kawagoe")
    yield player
    assert not player.watched.trouble
    player.close()


@pytest.fixture
def player(marching: Player) -> Player:
    """The same seat with an empty draft, the page just opened."""
    drafts.write_draft(marching.table(), "")
    marching.page.keyboard.press("Escape")
    marching.look_again()
    return marching


def movable(player: Player) -> tuple[str, str]:
    """A unit that may move, and a hex that it may move to."""
    table = player.table()
    due = table.due()
    assert due is not None and due.options is not None
    move = next(m for m in due.options.list() if len(getattr(m, "units", ())) == 1 and hasattr(m, "hex"))
    return move.units[0], move.hex  # type: ignore[attr-defined]


def spot_of(player: Player, place: str) -> tuple[float, float]:
    """Where a place is drawn."""
    table = player.table()
    x, y = draw(table.ledger.machine.rules.scene(table.ledger.position)).sheet.at[place]
    return x, y


def test_reach_costs_draft_and_undo(player: Player) -> None:
    page, (unit, target) = player.page, movable(player)
    player.settle(lambda: page.locator(f'[data-id="{unit}"]').click(force=True))
    assert player.words("#picks") == [unit]
    assert page.locator("#board svg .m-reach").count() > 3, "where it can go is marked"
    costs = page.locator("#board svg .n-reach text").all_text_contents()
    assert costs and all(cost.isdigit() for cost in costs), "with what it costs"
    player.settle(lambda: player.click_at(*spot_of(player, target)))
    assert player.add(f"move {unit} to {target}", 0), "added at once, or asked for where something may follow"
    assert page.locator("#lines li").count() == 1
    assert page.get_attribute("#lines li", "data-order") == f"move {unit} to {target}"
    assert page.locator("#board svg g[pointer-events=none] path").count() >= 1, "the way is drawn"
    assert drafts.read_draft(player.table()).strip() == f"move {unit} to {target}", (
        "it is the command line's draft"
    )
    player.settle(lambda: page.keyboard.press("Backspace"))
    assert page.locator("#lines li").count() == 0 and drafts.read_draft(player.table()) == ""


def test_a_wrong_click_is_refused_with_the_rule(player: Player) -> None:
    page, (unit, _) = player.page, movable(player)
    table = player.table()
    player.settle(lambda: page.locator(f'[data-id="{unit}"]').click(force=True))
    marked = player.desk("next", {"game": "kawagoe", "lines": [], "picks": [unit]})
    offered = {word for word, _, _ in marked["offered"]}
    far = next(h for h in ("0101", "3024", "3001", "0124") if h not in offered)
    player.settle(lambda: player.click_at(*spot_of(player, far)))
    page.locator("#findings", has_text="rule").wait_for()
    assert f"move {unit} to {far}" in page.inner_text("#findings")
    assert page.locator("#lines li").count() == 0 and player.table().fingerprint == table.fingerprint
    page.fill("#typed", f"move {unit} to {far}")
    player.settle(lambda: page.keyboard.press("Enter"))
    assert "rule" in page.inner_text("#findings") and page.is_disabled("#sign")


def walk_to(page: Any, found: str) -> None:
    """Tab until the focus is where a condition on it holds."""
    for _ in range(300):
        if page.evaluate(f"(() => {{ const at = document.activeElement; return {found}; }})()"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {found}")


def test_by_keys_alone_up_to_the_signature(browser: Any, tmp_path: Path) -> None:
    """Tab to an offered word or order, Enter, Tab to the signature, Enter twice: the entry is signed."""
    seats = join_all(tmp_path, "tiny", SEED, domain="example.org")
    player = Player(until(seats, "chits"), browser, "tiny")
    page = player.page
    while page.locator("#lines li").count() == 0:
        chosen = "complete" if page.locator("#complete button").count() else "words"
        walk_to(page, f"at.closest('#{chosen}') && at.tagName === 'BUTTON' && !at.matches('.picked')")
        player.settle(lambda: page.keyboard.press("Enter"))
    walk_to(page, "at.id === 'sign'")
    player.settle(lambda: page.keyboard.press("Enter"))
    assert page.locator("#promised li").count() >= 2
    assert page.evaluate("document.activeElement.id") == "really", "the focus waits on the signature"
    other = next(name for name in seats if name != player.seat.name)
    before = outgoing(player.table(), other)
    with page.expect_response(lambda answer: answer.url.endswith("/api/play")) as played:
        page.keyboard.press("Enter")
    assert played.value.ok and player.asked() is None
    assert len(outgoing(player.table(), other)) > len(before), "it is signed, and on its way"
    assert not player.watched.trouble
    player.close()


def test_by_keys_alone(player: Player) -> None:
    """Type an order, Tab to undo it, choose an offered word, zoom; nothing but keys."""
    page, (unit, target) = player.page, movable(player)
    page.keyboard.press("/")
    page.keyboard.type(f"move {unit} to {target}")
    player.settle(lambda: page.keyboard.press("Enter"))
    assert page.locator("#lines li").count() == 1
    page.keyboard.press("Escape")
    for _ in range(400):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "undo":
            break
    player.settle(lambda: page.keyboard.press("Enter"))
    assert page.locator("#lines li").count() == 0
    for _ in range(80):
        if page.evaluate("Boolean(document.activeElement.closest('#words [data-word]'))"):
            break
        page.keyboard.press("Shift+Tab")
    word = page.evaluate("document.activeElement.dataset.word")
    player.settle(lambda: page.keyboard.press("Enter"))
    assert word in player.words("#picks") or page.locator(f"#lines [data-order*='{word}']").count()
    before = page.get_attribute("#board svg", "viewBox")
    page.keyboard.press("Escape")
    page.keyboard.press("+")
    assert page.get_attribute("#board svg", "viewBox") != before
    page.keyboard.press("0")


def test_two_tabs_and_the_command_line_on_one_draft(player: Player, browser: Any) -> None:
    page, (unit, target) = player.page, movable(player)
    second = Watched(browser)
    second.page.goto(f"{player.server.address()}&game=kawagoe")
    second.page.wait_for_selector("body[data-ready]")
    page.fill("#typed", f"move {unit} to {target}")
    player.settle(lambda: page.keyboard.press("Enter"))
    second.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    second.page.wait_for_selector("#lines li")
    drafts.write_draft(player.table(), "done moving\n")  # as `pbem orders --edit` does
    for one in (second.page, page):
        one.locator("#lines li[data-order='done moving']").wait_for()
    assert not second.trouble
    second.close()


def opened(player: Player) -> tuple[subprocess.Popen[str], str]:
    """`pbem open` as a process of its own, and the address behind its door."""
    environment = {**os.environ, "PBEM_HOME": str(player.seat.home.path), "PYTHONUNBUFFERED": "1"}
    run = subprocess.Popen(
        [sys.executable, "-c", "from pbem.cli.main import main; main()", "open", "kawagoe", "--no-browser"],
        stdout=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    assert run.stdout is not None
    door = run.stdout.readline().split("open it with ")[1].strip()
    return run, Path(door).read_text().split('replace("')[1].split('"')[0]


def test_killed_in_the_middle_of_a_draft(player: Player, browser: Any) -> None:
    """The program dies; the page says what to do; opened again, the draft is there."""
    unit, target = movable(player)
    watched = Watched(browser)
    page = watched.page
    run, address = opened(player)
    try:
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        page.fill("#typed", f"move {unit} to {target}")
        page.keyboard.press("Enter")
        page.wait_for_selector("#lines li")
        page.wait_for_selector("body[aria-busy=false]")
        run.kill()
        run.wait()
        page.click("#sign")
        page.wait_for_selector("#problem:not([hidden])")
        assert "pbem open" in page.inner_text("#problem")
        run, address = opened(player)
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_selector("#lines li")
        assert page.get_attribute("#lines li", "data-order") == f"move {unit} to {target}"
    finally:
        run.kill()
        run.wait()
        watched.close()


def test_on_a_phone(player: Player, browser: Any) -> None:
    phone = Watched(browser, 390, 780)
    phone.page.goto(f"{player.server.address()}&game=kawagoe")
    phone.page.wait_for_selector("body[data-ready]")
    board, panel = (phone.page.locator(one).bounding_box() for one in ("#board", "aside"))
    assert board and panel and board["y"] + board["height"] <= panel["y"] + 15 and board["width"] == 390
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    small = phone.page.evaluate(
        "[...document.querySelectorAll('aside button, header button')].filter(b => b.offsetParent"
        " && !b.classList.contains('rule') && b.getBoundingClientRect().height < 36).length"
    )
    assert small == 0, "every target is 36 px high"
    wide = float((phone.page.get_attribute("#board svg", "viewBox") or "").split()[2])
    assert wide < 600, "it begins near the own pieces"
    assert not phone.trouble
    phone.close()


def test_panels_tell_rules_tables_report_and_board(player: Player) -> None:
    page = player.page
    page.click("[data-tab=rules]")
    page.fill("#find", "6.12")
    page.locator("#book h3", has_text="6.12").first.wait_for()
    player.settle(lambda: page.click("[data-book=tables]"))
    player.settle(lambda: page.click("[data-tab=log]"))
    assert page.locator("#log .told-line").count() > 3
    player.settle(lambda: page.locator("#log .entry").first.click())
    assert "as it stood after entry" in page.inner_text("#banner")
    assert "&entry=" in page.url, "it has an address"
    player.settle(lambda: page.click("#look-now"))
    page.click("[data-tab=more]")
    page.locator("#plain", has_text="ground:").wait_for(state="attached")
    player.settle(lambda: page.click("#to-games"))
    assert "Kawagoe" in page.inner_text("#yours")


def test_suppose_a_die_and_plan_on_plainly_marked(browser: Any, tmp_path: Path) -> None:
    """Before a battle the player sets the dice; what follows is marked, and never part of what is signed."""
    seats = join_all(tmp_path, "kawagoe", SEED, domain="example.org")
    player = Player(until(seats, "attack"), browser, "kawagoe")
    page = player.page
    table = player.table()
    due = table.due()
    assert due is not None and due.options is not None
    attack = next(m for m in due.options.list() if type(m).__name__ == "Attack")
    text = table.ledger.machine.write_move(table.ledger.position, attack, PUBLIC)
    page.fill("#typed", text)
    player.settle(lambda: page.keyboard.press("Enter"))
    form = page.locator("#supposed form")
    assert form.count() == 1, page.inner_text("aside")
    player.settle(lambda: form.locator("button").click())
    assert page.locator("#lines li.supposed").count() == 1
    assert "SUPPOSED" in page.inner_text("#banner")
    assert drafts.read_draft(player.table()).splitlines() == [text]
    page.click("#sign")
    page.wait_for_selector("#promise:not([hidden])")
    assert "roll" not in page.inner_text("#promised") and text in page.inner_text("#promised")
    assert not player.watched.trouble
    player.close()


def test_what_came_in_is_dropped_or_pasted(browser: Any, tmp_path: Path) -> None:
    players = seat_all(tmp_path, "tiny", browser)
    first = next(player for player in players.values() if player.asked() is not None)
    other = next(player for player in players.values() if player is not first)
    first.decide()
    table = first.table()
    raws = outgoing(table, other.seat.name)
    file = tmp_path / "came.pbem"
    file.write_bytes(pack(raws))
    other.settle(lambda: other.page.click("#to-games"))
    other.settle(lambda: other.page.set_input_files("#file", str(file)))
    other.page.locator("#received, #handed", has_text="logged").first.wait_for()
    assert other.table().ledger.state.number >= table.ledger.state.number
    other.settle(lambda: other.page.click("#to-games"))
    other.page.fill("#paste", body_text("hello", raws))
    other.settle(lambda: other.page.click("#take"))
    other.page.locator("#received, #handed", has_text="here already").first.wait_for()
    other.settle(lambda: other.page.click("#to-games"))
    other.page.fill("#paste", "nothing at all")
    other.settle(lambda: other.page.click("#take"))
    assert "nothing of pbem" in other.page.inner_text("#problem")
    for one in players.values():
        one.close()


def test_practice_against_the_bot_from_an_empty_home(browser: Any, tmp_path: Path) -> None:
    """A newcomer's first evening: choose a game, play a decision, the bot answers at once."""
    home = Home(tmp_path / "home")
    home.new_key(None)
    home.set_config(name="ann")
    server = Server(Desk(home))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    watched = Watched(browser)
    page = watched.page
    page.goto(server.address())
    page.wait_for_selector("body[data-ready]")
    assert "no games yet" in page.inner_text("#none")
    page.locator("#practice button", has_text="Kawagoe").click()
    page.locator("#as label", has_text="hojo").click()
    page.click("#practise")
    page.locator("#ask", has_text="garrison").wait_for()
    page.locator("#complete button").first.click()
    page.wait_for_selector("#lines li")
    page.click("#sign")
    page.wait_for_selector("#promise:not([hidden])")
    page.click("#really")
    page.locator("#ask", has_text="chits").wait_for()
    assert not watched.trouble
    watched.close()
    server.shutdown()
    server.server_close()


def test_take_back_and_absence_from_the_pages_own_forms(browser: Any, tmp_path: Path) -> None:
    """Each says what it means before it is signed; what makes no sense is refused in words."""
    seats = join_all(tmp_path, "tiny", SEED, "long", domain="example.org")
    player = Player(until(seats, "deed"), browser, "tiny")
    page = player.page
    page.click("[data-tab=more]")

    def meant(act: str) -> str:
        player.settle(lambda: page.click(f"[data-act={act}]"))
        return str(page.inner_text("#act-means"))

    page.fill("#back-to", "many")
    player.settle(lambda: page.click("[data-act=takeback]"))
    assert "no number of an entry" in page.inner_text("#problem")
    page.fill("#back-to", "0")
    player.settle(lambda: page.click("[data-act=takeback]"))
    assert "no take-back to entry 0: something hidden was drawn" in page.inner_text("#problem")
    player.settle(lambda: page.click("[data-act=back]"))
    assert "you are not away" in page.inner_text("#problem")
    page.fill("#until", "2099-01-01")
    player.settle(lambda: page.click("[data-act=absence]"))
    assert "no effect" in page.inner_text("#problem"), "longer than the contract allows"
    day = (datetime.now(UTC) + timedelta(days=2)).date().isoformat()
    page.fill("#until", day)
    assert f"Be away until {day}T23:59:59Z" in meant("absence")
    player.settle(lambda: page.click("#act-sign"))
    assert not page.is_visible("#problem"), page.inner_text("#problem")
    other = next(name for name in seats if name != player.seat.name)
    assert any(b'kind = "absence"' in raw for raw in outgoing(player.table(), other))
    assert not player.watched.trouble
    player.close()
