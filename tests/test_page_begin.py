"""Two people and two browsers, from nothing to a verified game: keys, invitation, moves by link and file."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.home import Home
from pbem.page.desk import Desk
from pbem.page.server import Server
from tests.browser import Watched, chromium, needs_browser
from tests.clicks import SETTLED

pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


class Person:
    """Somebody with an empty home and a browser."""

    def __init__(self, browser: Any, folder: Path, name: str, width: int = 1280, height: int = 800) -> None:
        self.name, self.home = name, Home(folder / name)
        self.desk = Desk(self.home)
        self.server = Server(self.desk)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.watched = Watched(browser, width, height)
        self.page = self.watched.page

    def open(self, behind: str = "") -> None:
        """The page, with what somebody sent behind the #."""
        self.page.goto(self.server.address() + (f"&{behind}" if behind else ""))
        self.page.wait_for_selector("body[data-ready]")

    def make_key(self) -> None:
        self.page.fill("#key-name", self.name)
        self.settle(lambda: self.page.click("#make-key .main"))

    def settle(self, act: Any) -> None:
        act()
        self.page.evaluate(SETTLED)
        assert not self.page.is_visible("#problem"), self.page.inner_text("#problem")

    def parcel(self) -> dict[str, str]:
        """What the page gives out to be sent: a link if it is short enough, and always a file."""
        card = self.page.locator(".parcel:visible").last
        found = {}
        if card.locator(".link").count():
            found["link"] = card.locator(".link").input_value()
        with self.page.expect_download() as saved:
            card.locator("a[download]").click()
        found["file"] = str(saved.value.path())
        return found

    def take(self, parcel: dict[str, str]) -> None:
        """Paste the link, or choose the file."""
        self.settle(lambda: self.page.click("#to-games"))
        if "link" in parcel:
            self.page.fill("#paste", f"my move: {parcel['link']} bye")
            self.settle(lambda: self.page.click("#take"))
            return
        self.settle(lambda: self.page.set_input_files("#file", parcel["file"]))

    def close(self) -> None:
        assert not self.watched.trouble, self.watched.trouble
        self.watched.close()
        self.server.shutdown()
        self.server.server_close()


def invited(ann: Person, ben: Person, game: str, scenario: str, seat: str) -> None:
    """Ann invites by a link, Ben opens it before he has a key, joins, and answers."""
    ann.open()
    ann.make_key()
    ann.settle(lambda: ann.page.click("#kept"))
    assert not ann.page.is_visible("#keep")
    ann.settle(lambda: ann.page.click("#invite"))
    ann.settle(lambda: ann.page.select_option("#which", game))
    ann.page.select_option("#scenario", scenario)
    ann.page.locator("#as label", has_text=seat).click()
    ann.page.fill("#comment", "<b>hello</b>")
    ann.settle(lambda: ann.page.click("#see-terms"))
    assert ann.page.inner_text("#join") == f"Sign and invite as {seat}"
    ann.settle(lambda: ann.page.click("#join"))
    link = ann.parcel()["link"]
    ben.open(link.partition("#")[2])
    ben.make_key()
    ben.page.wait_for_selector("#terms:not([hidden])")
    assert ben.page.url == f"{ben.server.origin}/", "what was sent is gone from the address"
    assert "ann" in ben.page.inner_text("#terms-from").lower()
    assert "<b>hello</b>" in ben.page.inner_text("#terms-list")
    ben.settle(lambda: ben.page.click("#join"))
    ann.take(ben.parcel())


def decide(person: Person) -> bool:
    """Add the first order that is offered whole, and sign; False if nothing is asked."""
    page = person.page
    whole = page.locator("#complete button")
    if not page.is_visible("#board") or not whole.count():
        return False
    person.settle(whole.first.click)
    person.settle(lambda: page.click("#sign"))
    person.settle(lambda: page.click("#really"))
    return True


def open_game(person: Person) -> None:
    person.settle(lambda: person.page.click("#to-games"))
    person.settle(person.page.locator("#yours button, #others button, #finished button").first.click)


def test_from_two_empty_homes_to_a_verified_game(browser: Any, tmp_path: Path) -> None:
    """Kawagoe's secret set-up and chits by both sides, then one gives up: both verify the same game."""
    ann, ben = Person(browser, tmp_path, "ann"), Person(browser, tmp_path, "ben", 390, 780)
    invited(ann, ben, "kawagoe", "kawagoe", "hojo")
    ben.take(ann.parcel())
    people, decided = [ann, ben], 0
    for turn in range(4):
        mover, other = people[turn % 2], people[1 - turn % 2]
        open_game(mover)
        if decide(mover):
            decided += 1
            other.take(mover.parcel())
    assert decided >= 2
    for person in people:
        open_game(person)
    loser = next(person for person in people if "Your turn" in person.page.inner_text("#turn"))
    other = next(person for person in people if person is not loser)
    loser.settle(lambda: loser.page.click("#nav [data-tab=more]"))
    loser.settle(lambda: loser.page.click("[data-act=resign]"))
    assert "cannot be undone" in loser.page.inner_text("#act-means")
    loser.settle(lambda: loser.page.click("#act-sign"))
    other.take(loser.parcel())
    for person in people:
        open_game(person)
        person.settle(lambda person=person: person.page.click("#nav [data-tab=more]"))
        person.settle(lambda person=person: person.page.click("#verify"))
        assert "Verified" in person.page.inner_text("#verified")
        assert person.page.inner_text("#turn").startswith("over")
    for person in people:
        person.close()


def test_a_key_with_a_passphrase_is_made_in_the_terminal(browser: Any, tmp_path: Path) -> None:
    """The page waits until it was typed there; nobody can type it in the page."""
    ann = Person(browser, tmp_path, "ann")
    ann.open()
    ann.page.fill("#key-name", "Ann")
    ann.page.check("#key-locked")
    ann.page.click("#make-key .main")
    ann.page.locator("#key-wait", has_text="in the terminal").wait_for()
    keeper = ann.desk.keeper
    assert keeper.wanted.is_set() and keeper.makes and not ann.home.key_path().exists()
    keeper.make(b"open sesame")
    ann.page.wait_for_selector("#desk:not([hidden])")
    assert b"BEGIN OPENSSH PRIVATE KEY" in ann.home.key_path().read_bytes()
    assert "PRIVATE" not in ann.page.content() and "sesame" not in ann.page.content()
    ann.close()


def test_a_table_that_has_not_begun_can_be_handed_over_again_or_left(browser: Any, tmp_path: Path) -> None:
    ann = Person(browser, tmp_path, "ann")
    ann.open()
    ann.make_key()
    ann.settle(lambda: ann.page.click("#invite"))
    ann.settle(lambda: ann.page.select_option("#which", "chuhan"))
    ann.settle(lambda: ann.page.click("#see-terms"))
    ann.settle(lambda: ann.page.click("#join"))
    first = ann.parcel()["link"]
    ann.settle(lambda: ann.page.click("#to-games"))
    ann.settle(ann.page.locator("#waiting .line").click)
    assert ann.parcel()["link"] == first, "the same papers again"
    ann.settle(ann.page.locator("#waiting .quiet").click)
    assert ann.page.locator("#waiting li").count() == 0
    ann.close()


EVIL = "<img src=x onerror=document.title=1><script>document.title=2</script>"


def test_hostile_words_of_an_invitation_a_deck_and_a_plan_are_text(browser: Any, tmp_path: Path) -> None:
    """Names, comments, notes: whatever others or files bring is shown as it is written, everywhere."""
    ann, ben = Person(browser, tmp_path, "ann"), Person(browser, tmp_path, "ben")
    ann.open()
    ann.page.fill("#key-name", EVIL)
    ann.settle(lambda: ann.page.click("#make-key .main"))
    ann.settle(lambda: ann.page.click("#invite"))
    ann.settle(lambda: ann.page.select_option("#which", "kawagoe"))
    ann.page.fill("#comment", EVIL)
    ann.settle(lambda: ann.page.click("#see-terms"))
    ann.settle(lambda: ann.page.click("#join"))
    ben.open(ann.parcel()["link"].partition("#")[2])
    ben.make_key()
    ben.page.wait_for_selector("#terms:not([hidden])")
    assert EVIL in (ben.page.text_content("#terms-from") or "") and EVIL in ben.page.inner_text("#terms-list")
    ben.settle(lambda: ben.page.click("#join"))
    ann.take(ben.parcel())
    ben.take(ann.parcel())
    open_game(ben)
    assert EVIL in ben.page.inner_text("#headline")
    ben.settle(lambda: ben.page.click("#plans"))
    ben.page.fill("#notes input", EVIL)
    ben.page.fill("#notes textarea", EVIL)
    ben.settle(lambda: ben.page.click("#notes form button"))
    assert ben.page.locator("#notes .plan").count() == 1 and EVIL in ben.page.inner_text("#notes .plan")
    for person in (ann, ben):
        assert person.page.locator("body img, body script:not([src])").count() == 0
        assert person.page.title() not in ("1", "2")
        person.close()


def test_a_page_that_asks_for_nonsense_is_refused(tmp_path: Path) -> None:
    """Every new path: a shape that the page never sends is a refusal in words, never a fault."""
    from pbem.demo.together import join_all
    from pbem.errors import PbemError
    from pbem.page.answers import Refused

    home = next(iter(join_all(tmp_path, "tiny", 11, domain="example.org").values())).home
    desk = Desk(home)
    game = next(iter(home.games()))
    asked = [{}, {"game": game}, *({"game": game, name: value} for name in NAMES for value in JUNK)]
    for path in PATHS:
        for junk in asked:
            try:
                desk(path, junk)
            except (PbemError, Refused) as error:
                assert str(error), path


PATHS = (
    "me",
    "key",
    "settings",
    "game",
    "offer",
    "join",
    "papers",
    "withdraw",
    "film",
    "seen",
    "plans",
    "next",
)
NAMES = ("rules", "ticket", "table", "since", "entry", "name", "lines", "words", "options", "site", "players")
JUNK: tuple[Any, ...] = (7, -1, True, None, [], [3], {"a": []}, "x" * 5000, "../../etc", EVIL)
