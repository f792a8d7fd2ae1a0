"""Hands on the pieces: stacks that open, drags, steppers, decks, plans; with a mouse and by touch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import drafts
from pbem.demo.together import join_all
from tests.browser import NO_FILM, chromium, needs_browser
from tests.clicks import SEED, SETTLED, Player, hand_over, until

pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def marching(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    seats = join_all(tmp_path_factory.mktemp("hands"), "kawagoe", SEED, domain="example.org")
    player = Player(until(seats, "move"), browser, "kawagoe")
    yield player
    assert not player.watched.trouble, player.watched.trouble
    player.close()


@pytest.fixture
def player(marching: Player) -> Player:
    drafts.write_draft(marching.table(), "")
    marching.look_again()
    return marching


def middle(page: Any, ident: str) -> tuple[float, float]:
    box = page.locator(f'[data-id="{ident}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def stack(player: Player) -> tuple[str, list[str]]:
    """A place with several units that may move."""
    told = player.desk("board", {"game": "kawagoe", "lines": []})
    offered = {word for word, _, _ in player.desk("next", {"game": "kawagoe", "lines": []})["offered"]}
    held: dict[str, list[str]] = {}
    for ident, piece in told["pieces"].items():
        if ident in offered:
            held.setdefault(piece[0], []).append(ident)
    return max(held.items(), key=lambda one: len(one[1]))


def test_the_first_view_is_where_the_question_is_and_counters_can_be_read(player: Player) -> None:
    page = player.page
    width = page.evaluate("document.querySelector('#board svg.stage').getScreenCTM().a * 37")
    assert width >= 40, "a counter is wide enough to be read"
    assert page.locator("#mini svg .mini-frame").count() == 1, "a small map shows the whole"
    assert page.locator("#board svg .m-can").count() >= 1, "who can act is marked"


def test_a_stack_opens_whatever_is_on_offer(player: Player) -> None:
    """Every unit of it with its values, by forces; Esc closes it, and nothing was chosen by looking."""
    page, told = player.page, player.desk("board", {"game": "kawagoe", "lines": []})
    held: dict[str, list[str]] = {}
    for ident, piece in told["pieces"].items():
        if piece[0] in told["at"]:
            held.setdefault(piece[0], []).append(ident)
    place, units = max(held.items(), key=lambda one: len(one[1]))
    assert len(units) > 1, "the garrison stands in stacks"
    player.settle(lambda: player.click_at(*told["at"][place]))
    assert page.is_visible("#fan") and page.locator("#fan .unit").count() == len(units)
    values = [page.locator("#fan .unit").nth(n).get_attribute("title") for n in range(len(units))]
    assert all("-" in (one or "") for one in values), values
    player.settle(lambda: page.keyboard.press("Escape"))
    assert not page.is_visible("#fan") and not player.words("#picks")


def test_a_unit_is_dragged_to_a_marked_hex_and_nowhere_else(player: Player) -> None:
    page, (_, units) = player.page, stack(player)
    unit = next(one for one in units if player.is_free(one))
    costs = player.desk("next", {"game": "kawagoe", "lines": [], "picks": [unit]})["costs"]
    place = next(to for to, (cost, kind, _) in costs.items() if kind == "reach" and cost)
    at = player.desk("board", {"game": "kawagoe", "lines": []})["at"]
    player.whole_board()
    start = middle(page, unit)
    found = "document.querySelector('#board svg.stage').getScreenCTM()"
    matrix = page.evaluate(f"(() => {{ const m = {found}; return [m.a, m.e, m.f] }})()")

    def drag(x: float, y: float) -> None:
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(start[0] + 8, start[1] + 8)
        page.evaluate(SETTLED)
        page.mouse.move(x, y)
        page.mouse.up()
        page.evaluate(SETTLED)

    drag(matrix[1] + 3, matrix[2] + 3)
    assert page.locator("#lines li").count() == 0 and not player.words("#picks"), (
        "let go outside: nothing happened"
    )
    drag(at[place][0] * matrix[0] + matrix[1], at[place][1] * matrix[0] + matrix[2])
    orders = page.locator("#lines li, #menu:not([hidden]) [data-order]")
    assert orders.count() >= 1
    told = [orders.nth(n).get_attribute("data-order") for n in range(orders.count())]
    assert any(unit in (one or "") and place in (one or "") for one in told)


def test_what_is_not_complete_says_still_to_do_and_not_in_red(player: Player) -> None:
    page, (_, units) = player.page, stack(player)
    costs = player.desk("next", {"game": "kawagoe", "lines": [], "picks": units[:1]})["costs"]
    place = next(to for to, (cost, kind, _) in costs.items() if kind == "reach" and cost)
    page.fill("#typed", f"move {units[0]} to {place}")
    player.settle(lambda: page.keyboard.press("Enter"))
    assert (
        page.inner_text("#findings").startswith("Still to do") and not page.locator("#findings.bad").count()
    )
    page.fill("#typed", f"move {units[0]} to 0101")
    player.settle(lambda: page.keyboard.press("Enter"))
    assert page.locator("#findings.bad").count() == 1 and page.is_disabled("#sign")


def test_plans_are_kept_with_their_notes(player: Player) -> None:
    page = player.page
    page.fill("#typed", "done moving")
    player.settle(lambda: page.keyboard.press("Enter"))
    player.settle(lambda: page.click("#plans"))
    page.fill("#notes input", "hold the castle")
    page.fill("#notes textarea", "if they come by the gate")
    player.settle(lambda: page.click("#notes form button"))
    player.settle(lambda: page.click("#undo"))
    assert page.locator("#lines li").count() == 0
    player.look_again()
    player.settle(lambda: page.click("#plans"))
    assert "if they come by the gate" in page.inner_text("#notes .plan")
    player.settle(lambda: page.locator("#notes .plan button").first.click())
    assert page.get_attribute("#lines li", "data-order") == "done moving"
    player.settle(lambda: page.locator("#notes .quiet").click())
    assert page.locator("#notes .plan").count() == 0


def test_by_touch_on_a_phone(player: Player, browser: Any) -> None:
    """Tap a unit, tap where it goes, and press the main button with a thumb."""
    context = browser.new_context(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    context.add_init_script(NO_FILM)
    page = context.new_page()
    page.goto(f"{player.server.address()}&game=kawagoe")
    page.wait_for_selector("body[data-ready]")
    page.evaluate(SETTLED)
    page.locator("#words .unit").first.tap()
    page.evaluate(SETTLED)
    assert page.locator("#picks [data-word]").count() == 1
    mark = page.locator("#board svg .n-reach").first.bounding_box()
    assert mark is not None
    page.touchscreen.tap(mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    page.evaluate(SETTLED)
    if not page.locator("#lines li").count():
        page.locator("#menu:not([hidden]) button").first.tap()
        page.evaluate(SETTLED)
    assert page.locator("#lines li").count() == 1
    main = page.locator("#sign").bounding_box()
    assert main is not None and main["height"] >= 44 and main["width"] > 300
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_a_deck_is_built_in_a_browser_of_cards(browser: Any, tmp_path: Path) -> None:
    """Search, a suggested deck, saved and loaded again; then it is taken."""
    seats = join_all(tmp_path, "suikoden", SEED, "deck-building", domain="example.org")
    hand_over(seats)
    player = Player(seats["east"], browser, "suikoden")
    page = player.page
    page.wait_for_selector("#deck .deck-card")
    player.settle(lambda: page.get_by_text("Suggest one", exact=True).click())
    assert "40 people" in page.inner_text("#deck [role=status]")
    page.fill("#deck [aria-label='name of this deck']", "Iron horse")
    player.settle(lambda: page.get_by_text("Save", exact=True).click())
    player.settle(lambda: page.get_by_text("Clear", exact=True).click())
    assert "nothing chosen" in page.inner_text("#deck [role=status]")
    page.fill("#deck-search", "Song Jiang")
    assert page.locator("#deck .deck-card").count() <= 1
    page.fill("#deck-search", "")
    player.settle(lambda: page.get_by_text("Load…", exact=True).click())
    player.settle(lambda: page.get_by_text("Iron horse", exact=True).click())
    player.settle(lambda: page.get_by_text("Take this deck", exact=True).click())
    assert page.locator("#lines li").count() == 1 and page.is_enabled("#sign")
    assert not player.watched.trouble
    player.close()
