"""The finished games in examples/games are in order by today's rules, and cannot be changed unseen."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.cli import ROOT
from tests.commandline import pbem

GAMES = ROOT / "examples" / "games"


@pytest.mark.parametrize("game", ["kawagoe", "chuhan", "suikoden", "redcoats", "sanada", "table"])
def test_a_stranger_finds_the_game_in_order(game: str) -> None:
    found = pbem("dispute", GAMES / f"{game}.zip", "--json")
    assert found.code == 0, found.err
    assert found.json["ok"] and found.json["problem"] is None
    assert list(found.json["audited"].values()) == [True, True]
    assert "outcome: " in pbem("dispute", GAMES / f"{game}.zip").out


def test_a_changed_move_is_found_and_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(GAMES / "chuhan.zip") as whole, zipfile.ZipFile(tmp_path / "x.zip", "w") as changed:
        for name in whole.namelist():
            raw = whole.read(name)
            if "000003" in name:
                assert b"recruit" in raw
                raw = raw.replace(b"recruit", b"recrult")
            changed.writestr(name, raw)
    found = pbem("dispute", tmp_path / "x.zip")
    assert found.code == 1 and "3" in found.out + found.err
    assert "in order: 89" not in found.out
