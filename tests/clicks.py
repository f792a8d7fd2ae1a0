"""A player who only clicks: a bot says which order, the hand finds its words on board and buttons.

A whole first turn of a game, on all sides: python -m tests.clicks GAME [SCENARIO]
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from pbem.demo.seat import Seat
from pbem.demo.together import join_all, table_of
from pbem.engine.notation import Handle, Move, tokens
from pbem.engine.options import Options, View
from pbem.outgoing import outgoing
from pbem.page.beside import Manner
from pbem.page.desk import Desk
from pbem.page.picture import draw
from pbem.page.server import Server
from pbem.table import Table
from pbem.verify import verify_folder
from tests.browser import Watched, chromium

SEED = 11
SETTLED = """async () => {
  const busy = () => document.body.getAttribute("aria-busy") !== "false";
  for (let frame = 0; frame < 2; frame++) {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    while (busy()) await new Promise((done) => setTimeout(done, 5));
  }
}"""
"""What was clicked is told in one frame, and what came of it drawn in the next."""


class Player:
    """One seat: a home, the server of its page, and a browser's page."""

    def __init__(
        self, seat: Seat, browser: Any, game: str, width: int = 1400, height: int = 900, film: bool = False
    ) -> None:
        self.seat, self.game = seat, game
        self.desk = Desk(seat.home)
        self.server = Server(self.desk)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.watched = Watched(browser, width, height, film)
        self.clicks = 0
        self.page = self.watched.page
        self.bot = table_of(seat).ledger.machine.rules.bot(seat.name, SEED)
        self.page.goto(f"{self.server.address()}&game={game}")
        self.page.wait_for_selector("body[data-ready]")

    def table(self) -> Table:
        """The game as a new process would open it."""
        return Table.open(table_of(self.seat).folder, self.seat.home)

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.watched.close()

    # --- what to do

    def asked(self) -> Options | None:
        due = self.table().due()
        return due.options if due is not None else None

    def decide(self) -> str | None:
        """Decide by clicks what is asked; returns the order, None if nothing is."""
        table = self.table()
        due = table.due()
        if due is None or due.options is None:
            return None
        view, move, text = wanted(table, due.options, self.bot)
        rules, pos = table.ledger.machine.rules, table.ledger.position

        def shown(word: str) -> str:
            return rules.show(pos, view.known.get(Handle(word), word))

        self.look_again()
        self.enter(text, [shown(word) for _, name, word in tokens(move) if name], table, view)
        self.sign()
        return text

    def decide_elsewhere(self) -> None:
        """Decide what is asked as the command line does."""
        table = self.table()
        due = table.due()
        assert due is not None and due.options is not None
        table.orders(wanted(table, due.options, self.bot)[2], self.seat.key)

    def look_again(self) -> None:
        """What another process did is there (the page asks every five seconds)."""
        self.page.reload()
        self.page.wait_for_selector("body[data-ready]")
        self.page.wait_for_selector("body[aria-busy=false]")

    def enter(self, text: str, words: list[str], table: Table, view: View) -> None:
        """Put an order into the draft, word by word."""
        before = self.page.locator("#lines li").count()
        words = [word for word in words if "@" in word] or words  # units say which group is placed
        if self.add(text, before):
            return
        verb = text.split()[0]
        button = self.page.locator(f'#verbs [data-word="{verb}"]')
        if button.count():
            self.settle(lambda: button.first.click())
        scene = table.ledger.machine.rules.scene(table.ledger.position, view)
        spots = draw(scene, Manner("both", self.seat.name)).sheet.at
        show = table.ledger.machine.rules.show
        alone = [p for p in scene.pieces if len(p.picks) == 1 and p.picks[0]]
        pieces = {show(table.ledger.position, p.picks[0][0]): p.id for p in alone}
        for number, word in enumerate(words):
            if self.page.locator("#lines li").count() > before or self.add(text, before):
                return
            picked = self.words("#picks")
            if picked.count(word) < words[: number + 1].count(word):
                self.one(word, spots, pieces)
        assert self.add(text, before), f"{text!r} was not offered; {self.page.inner_text('aside')}"

    def one(self, word: str, spots: Any, pieces: dict[str, str]) -> None:
        """Click a word: its piece, its place, or its button."""
        unit, at, place = word.partition("@")
        if at:
            self.one(unit, spots, pieces)
            self.settle(lambda: self.click_at(*spots[place]))
            return
        offered = self.page.locator(f'#words [data-word="{word}"], #deck [data-word="{word}"]')
        if word in pieces and self.is_free(pieces[word]):
            self.settle(
                lambda: self.page.locator(f'[data-id="{pieces[word]}"]').click(position=None, force=True)
            )
        elif word in spots:
            self.settle(lambda: self.click_at(*spots[word]))
        elif offered.count():
            self.settle(lambda: offered.first.click())

    def is_free(self, ident: str) -> bool:
        """Whether the middle of a piece is in sight."""
        self.whole_board()
        return bool(
            self.page.evaluate(
                """(id) => { const n = document.querySelector(`[data-id="${id}"]`); if (!n) return false;
                const b = n.getBoundingClientRect();
                const t = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);
                return !!t && !!t.closest('[data-id]') && t.closest('[data-id]') === n; }""",
                ident,
            )
        )

    def words(self, part: str) -> list[str]:
        """The words that a part of the panel shows."""
        found = f"[...document.querySelectorAll('{part} [data-word]')].map(one => one.dataset.word)"
        return list(self.page.evaluate(found))

    def click_at(self, x: float, y: float) -> None:
        """Click a spot of the board, given in the board's own measure."""
        self.whole_board()
        at = self.page.evaluate(
            """([x, y]) => { const m = document.querySelector('#board svg').getScreenCTM();
            return [x * m.a + m.e, y * m.d + m.f]; }""",
            [x, y],
        )
        self.page.mouse.click(*at)

    def whole_board(self) -> None:
        """Nothing is out of sight, and no stack lies open."""
        if self.page.is_visible("#deck"):  # cards are chosen there, the board lies below
            return
        shut = self.page.locator("#fan:not([hidden]) .close")
        if shut.count():
            shut.click()
        self.page.click("#fit")

    def settle(self, act: Any) -> None:
        """Do something and wait until the page has answered all of it."""
        self.clicks += 1
        act()
        self.page.evaluate(SETTLED)

    def add(self, text: str, before: int) -> bool:
        """Whether the order is in the draft, added if it is offered as a whole."""
        if self.page.locator("#lines li").count() > before:
            return True
        buttons = self.page.locator(
            "#menu:not([hidden]) button, #complete button:visible, #deck button[data-order]"
        )
        for number in range(buttons.count()):
            said = buttons.nth(number).get_attribute("data-order") or ""
            if sorted(said.split()) == sorted(text.split()):
                self.settle(buttons.nth(number).click)
                return True
        return False

    def sign(self) -> None:
        self.clicks += 2
        self.page.click("#sign")
        self.page.wait_for_selector("#promise:not([hidden])")
        with self.page.expect_response(lambda answer: answer.url.endswith("/api/play")) as played:
            self.page.click("#really")
        assert played.value.ok, played.value.text()
        self.page.wait_for_selector("body[aria-busy=false]")


def seat_all(folder: Path, game: str, browser: Any, scenario: str | None = None) -> dict[str, Player]:
    """Everybody at a new game, each with a page open."""
    seats = join_all(folder, game, SEED, scenario, domain="example.org")
    hand_over(seats)
    return {name: Player(seat, browser, game) for name, seat in seats.items()}


def wanted(table: Table, options: Options, bot: Any) -> tuple[View, Move, str]:
    """What a bot decides with what the seat knows: the move, and the order that says it."""
    assert table.secrets is not None
    view = table.secrets.view(options)
    move = bot(table.ledger.position, options, view)
    return view, move, table.ledger.machine.write_move(table.ledger.position, move, view)


def hand_over(seats: dict[str, Seat]) -> None:
    """What everybody has signed reaches everybody."""
    moved = True
    while moved:
        moved = False
        tables = {name: Table.open(table_of(seat).folder, seat.home) for name, seat in seats.items()}
        for name, table in tables.items():
            raws = [raw for other, its in tables.items() if other != name for raw in outgoing(its, name)]
            result = table.receive(raws)
            assert not result.refused, result.refused
            moved = moved or bool(result.logged or result.answered)


def until(seats: dict[str, Seat], kind: str) -> Seat:
    """Bots decide until somebody is asked this kind of question; whose question it is."""
    for _ in range(60):
        hand_over(seats)
        for seat in seats.values():
            table = Table.open(table_of(seat).folder, seat.home)
            due = table.due()
            if due is None or due.options is None or table.secrets is None:
                continue
            if due.options.kind == kind:
                return seat
            bot = table.ledger.machine.rules.bot(seat.name, SEED)
            table.orders(wanted(table, due.options, bot)[2], seat.key)
    raise AssertionError(f"nobody is asked {kind}")


def turn_of(players: dict[str, Player]) -> int:
    """The turn of the game, 0 or 1 while it is the first."""
    position: Any = next(iter(players.values())).table().ledger.position
    return int(getattr(position, "turn", 0))


def one_each(players: dict[str, Player]) -> dict[str, Player]:
    """A decision of each side by clicks, each of another kind; what stands between needs no page."""
    waiting, kinds = set(players), set[str]()
    while waiting:
        asked = {name: found.kind for name, player in players.items() if (found := player.asked())}
        assert asked, "nobody is asked"
        for name, kind in asked.items():
            player = players[name]
            if name in waiting and kind not in kinds:
                player.decide()
                waiting.remove(name)
                kinds.add(kind)
            else:
                player.decide_elsewhere()
        hand_over({name: player.seat for name, player in players.items()})
    return players


def first_turn(players: dict[str, Player]) -> Counter[str]:
    """The first turn, everybody by clicks; who made how many decisions."""
    made: Counter[str] = Counter()
    while turn_of(players) <= 1:
        asked = [player for player in players.values() if player.asked() is not None]
        assert asked, "nobody is asked"
        for player in asked:
            player.decide()
            made[player.seat.name] += 1
        hand_over({name: player.seat for name, player in players.items()})
    return made


def end(players: dict[str, Player]) -> int:
    """No word in any console, and every folder verifies: how many entries it has."""
    entries = 0
    for player in players.values():
        assert not player.watched.trouble, player.watched.trouble
        verdict = verify_folder(player.table().folder)
        assert verdict.ok, verdict.problem
        entries = player.table().ledger.state.number
        player.close()
    return entries


def main(game: str, scenario: str | None = None) -> None:
    """The first turn of a game by clicks alone, and what it took."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        players = seat_all(Path(folder), game, browser, scenario)
        made = first_turn(players)
        clicks = {name: player.clicks for name, player in players.items()}
        entries = end(players)
    said = ", ".join(f"{seat} {count} decisions, {clicks[seat]} clicks" for seat, count in made.items())
    print(f"{game} {scenario or ''}: {said}; {entries} entries, verified; {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
