"""Another author's game: installed as a package of its own, found, fuzzed, played by mail and verified."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed import ROOT

PIG = ROOT / "examples" / "pig"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built and installed away from its sources."""
    folder = tmp_path_factory.mktemp("site")
    made = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    copy = folder / "source"
    copy.mkdir()
    for file in ("pyproject.toml", "pig_game.py"):
        (copy / file).write_bytes((PIG / file).read_bytes())
    subprocess.run([*made, "--target", str(folder / "site"), str(copy)], check=True, capture_output=True)
    return folder / "site"


def run(site: Path, *args: str) -> str:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(site)])}
    done = subprocess.run(
        [sys.executable, "-m", "pbem", *args], env=environment, cwd=site, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_found_and_random_play_finds_nothing(installed: Path) -> None:
    listed = {one["game"]: one for one in json.loads(run(installed, "games", "--available", "--json"))}
    assert listed["pig"]["seats"] == [2, 6] and "kawagoe" in listed
    found = json.loads(run(installed, "fuzz", "pig", "--games", "60", "--json"))
    assert found["finished"] == 60 and found["decisions"] > 600
    measured = json.loads(run(installed, "arena", "pig", "--games", "30", "--against", "random", "--json"))
    assert all(won > 15 for won in measured["wins"].values())


@pytest.mark.parametrize("seats", [2, 4])
def test_it_is_played_by_mail_and_verified(installed: Path, seats: int) -> None:
    told = json.loads(run(installed, "demo", "pig", "--seats", str(seats), "--json"))
    assert told["verified"] is True and told["audited"] is True and told["winner"]


def test_the_guide_shows_the_whole_game() -> None:
    guide = (ROOT / "pbem" / "help" / "games.md").read_text("utf-8")
    code, *hidden = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert code == (PIG / "pig_game.py").read_text("utf-8")
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 110
    table = "".join((ROOT / "games" / "table" / name).read_text("utf-8") for name in ("moves.py", "decks.py"))
    parts = [part for block in hidden for part in block.strip().split("\n\n\n")]
    assert len(parts) == 3 and all(part in table for part in parts)
