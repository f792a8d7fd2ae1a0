"""Two halves of a double that two others have built on end a game, and name its author."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.home import Home
from pbem.lobby import play_in
from pbem.outgoing import outgoing
from pbem.table import Table
from tests.cli import Desk
from tests.homes import Party, party


@pytest.fixture
def doubled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Party, Desk, str]:
    """Who is to act signs two different orders in two homes; each of the others has answered another one."""
    game = party(tmp_path, monkeypatch, 3)
    game.exchange()
    while True:
        who = next(seat for seat, table in game.tables.items() if table.due() is not None)
        owed = game.tables[who].due()
        if (
            owed is not None
            and owed.kind == "orders"
            and owed.options is not None
            and owed.options.kind == "deed"
        ):
            break
        game.decide()
        game.exchange()
    twin = _twin(game, tmp_path, who)
    one, other = (seat for seat in game.tables if seat != who)
    first, _ = game.tables[who].orders(f"hit {one}", game.keys[who])
    second, _ = twin.orders(f"hit {other}", game.keys[who])
    game.tables[one].receive([first])
    game.tables[other].receive([second])
    for seat, taker in ((one, other), (other, one)) * 2:
        game.tables[taker].receive(outgoing(game.tables[seat], taker))
    return game, Desk(tmp_path, monkeypatch), who


def _twin(game: Party, folder: Path, who: str) -> Table:
    """A copy of a player's home and folder whose owner said that it decides."""
    shutil.copytree(game.tables[who].folder, folder / "twin-game")
    shutil.copytree(game.homes[who].path, folder / "twin")
    home = Home(folder / "twin")
    table = Table.open(folder / "twin-game", home)
    play_in(home, table)
    return Table.open(folder / "twin-game", home)


def test_a_double_that_others_built_on_ends_the_game_and_anybody_can_see_whose_it_is(
    doubled: tuple[Party, Desk, str],
) -> None:
    game, desk, who = doubled
    honest = {seat: table for seat, table in game.tables.items() if seat != who}
    for table in honest.values():
        assert table.ledger.split is not None and table.ledger.split.named == (who,)
    assert len({table.fingerprint for table in honest.values()}) == 1, "whatever each had heard first"
    for seat in honest:
        shown = desk.ok(f"home-{seat}", "status").out
        assert "the game ended at a fork: `pbem dispute` makes a file" in shown
        assert "you signed two answers" not in shown, "only its author has"
