"""The home's summaries: never another answer than the game itself gives, and no game opened twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.doing.watching import Watcher
from pbem.home import Home
from pbem.protocol.papers.times import seconds, stamp
from pbem.table import Table
from tests.cli import Desk, begin, table_of


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    found = Desk(tmp_path / "desk", monkeypatch)
    begin(found)
    return found


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were opened."""
    folders: list[str] = []
    real = Table.open

    def counted(folder: Path, *more: Any) -> Table:
        folders.append(str(folder))
        return real(folder, *more)

    monkeypatch.setattr(Table, "open", counted)
    return folders


def listed(desk: Desk, who: str = "ann") -> list[dict[str, Any]]:
    """The games of somebody, without what only the clock changes."""
    games = desk.ok(who, "games", "--json").json
    for one in (one for game in games for one in game["asked"]):
        del one["left"]
    return list(games)


def test_a_list_opens_only_what_has_changed(desk: Desk, opened: list[str]) -> None:
    first = listed(desk)
    assert len(opened) == 1
    assert listed(desk) == first and desk.ok("ann", "next").out.startswith("tiny: asked of you")
    assert len(opened) == 1


def anew(desk: Desk) -> list[dict[str, Any]]:
    """The list of a home that has kept nothing."""
    for path in (desk.folder / "ann/summaries").glob("*"):
        path.unlink()
    return listed(desk)


CHANGES: dict[str, Callable[[Desk], object]] = {
    "an entry of one's own waits": lambda desk: desk.ok("ann", "play", "-m", "put rest act", "--yes"),
    "a setting": lambda desk: Home(desk.folder / "ann").set_config(name="Anna"),
    "a summary was cut off": lambda desk: [
        path.write_bytes(path.read_bytes()[:50]) for path in (desk.folder / "ann/summaries").iterdir()
    ],
    "another head": lambda desk: [
        desk.ok("ben", "play", "-m", "put act act", "--yes", "--out", "move.pbem"),
        desk.ok("ann", "play", "-m", "put rest act", "--yes"),
        desk.ok("ann", "receive", "move.pbem"),
    ],
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_changed_is_told_anew(desk: Desk, opened: list[str], change: str) -> None:
    listed(desk)
    CHANGES[change](desk)
    opened.clear()
    told = listed(desk)
    assert opened and told == anew(desk)


def test_what_a_killed_run_left_is_finished_by_who_lists_the_games(desk: Desk) -> None:
    listed(desk)
    table = table_of(desk, "ann")
    (table.folder / "position.toml").unlink()
    (table.folder / ".git/pbem.files").write_text(f"{table.repo.history()[0]}\n")
    listed(desk)
    assert table.repo.compare_files() == []


def test_a_quiet_game_is_not_opened_until_a_clock_comes_to_a_mark(desk: Desk, opened: list[str]) -> None:
    home = Home(desk.folder / "ann")
    Watcher(home).look()
    opened.clear()
    Watcher(home).look()
    assert not opened
    (asked,) = [one for one in listed_raw(desk) if one["seat"] == "a"]
    opened.clear()
    said: list[str] = []
    late = stamp(seconds(asked["deadline"]) - 60)
    Watcher(home, say=said.append, clock=lambda: late).look()
    assert opened and any("asked of you" in line for line in said)


def listed_raw(desk: Desk) -> list[dict[str, Any]]:
    return list(desk.ok("ann", "games", "--json").json[0]["asked"])
