"""What happened since the player last looked: a film on the board, and the log beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.demo.together import join_all, table_of
from pbem.engine.options import PUBLIC
from pbem.page.watching import seen
from pbem.table import Table
from tests.browser import chromium, needs_browser
from tests.clicks import SEED, Player, hand_over, until

pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def fought(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    """Kawagoe after the first battle, opened by its attacker, who has not looked since the march."""
    seats = join_all(tmp_path_factory.mktemp("fought"), "kawagoe", SEED, domain="example.org")
    seat = until(seats, "attack")
    table = Table.open(table_of(seat).folder, seat.home)
    due = table.due()
    assert due is not None and due.options is not None
    attack = next(move for move in due.options.list() if type(move).__name__ == "Attack")
    table.orders(table.ledger.machine.write_move(table.ledger.position, attack, PUBLIC), seat.key)
    hand_over(seats)
    game, last = table.contract.game.hex(), table.ledger.state.number
    seat.home.write_table(f"seen-{game}.toml", {"entry": last - 4})
    player = Player(seat, browser, "kawagoe", film=True)
    yield player
    assert not player.watched.trouble, player.watched.trouble
    player.close()


def positions(page: Any) -> dict[str, str]:
    """Where every counter lies."""
    found = "[...document.querySelectorAll('#board svg [data-id], #strip svg [data-id]')]"
    return dict(page.evaluate(f"{found}.map(n => [n.dataset.id, n.getAttribute('transform')])"))


def test_the_film_plays_once_and_ends_with_what_is_true(fought: Player) -> None:
    page = fought.page
    page.wait_for_selector("#film:not([hidden])")
    assert page.is_visible("#tab-film") and not page.is_visible("#ask")
    assert seen(fought.table()) < fought.table().ledger.state.number
    page.keyboard.press(" ")
    steps = int(page.get_attribute("#film .beats", "max") or 0)
    assert steps >= 2
    while int(page.input_value("#film .beats")) < steps and not page.locator("#film .thrown .die").count():
        page.keyboard.press("ArrowRight")
        page.evaluate("Promise.allSettled(document.getAnimations().map(a => a.finished)).then(() => 0)")
    assert page.locator("#film .thrown .die").count() >= 1, "a die lies in the strip"
    fought.settle(lambda: page.keyboard.press("Escape"))
    assert not page.is_visible("#film") and page.is_visible("#ask")
    told = {one[0]: one for one in fought.desk("board", {"game": "kawagoe", "lines": []})["items"]}
    assert set(positions(page)) == set(told)
    assert seen(fought.table()) == fought.table().ledger.state.number
    fought.look_again()
    assert not page.is_visible("#film"), "once is enough"


def test_the_film_can_be_seen_again(fought: Player) -> None:
    page = fought.page
    fought.settle(lambda: page.click("#see-film"))
    page.wait_for_selector("#film:not([hidden])")
    fought.settle(lambda: page.click("#skip"))
    assert not page.is_visible("#film")


def test_a_line_of_the_log_points_at_its_pieces_and_its_rule(fought: Player) -> None:
    page = fought.page
    page.evaluate("document.querySelectorAll('#recent details').forEach((one) => { one.open = true })")
    line = page.locator("#recent .told-line", has_text=" attack ", has_not_text=":").first
    line.hover()
    assert page.locator("#board svg .pointed").count() == 1
    number = line.locator(".rule").inner_text()
    fought.settle(line.locator(".rule").click)
    page.locator("#book h3", has_text=number).first.wait_for()
    assert f"&rule={number}" in page.url, "a rule has an address"
    fought.look_again()
    page.locator("#book h3", has_text=number).first.wait_for()


def test_less_motion_is_no_motion(browser: Any, fought: Player) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{fought.server.address()}&game=kawagoe")
    page.wait_for_selector("body[data-ready]")
    page.click("#see-film")
    page.wait_for_selector("#film:not([hidden])")
    page.keyboard.press(" ")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.getAnimations().length") == 0
    context.close()
