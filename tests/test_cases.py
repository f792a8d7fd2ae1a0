"""The rulebooks as tests: every case passes; and the command that runs them tells right from wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine.cases import run
from tests.commandline import pbem

CASES = Path(__file__).parent / "cases"
FILES = sorted(path for path in CASES.glob("*/*.toml") if not path.name.startswith("_"))
TINY = CASES / "tiny" / "5.2-the-target-chooses-its-loss.toml"


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}/{path.stem}" for path in FILES])
def test_case(path: Path) -> None:
    assert run(path) == []


def changed(folder: Path, old: str, new: str) -> Path:
    """The tiny game's case with one thing changed."""
    text = TINY.read_text("utf-8")
    assert old in text
    path = folder / "changed.toml"
    path.write_text(text.replace(old, new), "utf-8")
    return path


def test_a_folder_stands_for_its_cases() -> None:
    ran = pbem("case", CASES / "tiny", "--json")
    assert ran.code == 0
    assert ran.json == {"passed": len(list((CASES / "tiny").glob("*.toml"))), "failed": 0, "failures": []}


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("stones = 2", "stones = 1", "position.players.b.stones: expected 1, found 2"),
        ("dice = [3]\n", "dice = [2]\n", "no event"),
        ("dice = [3]\n", "dice = [3, 4]\n", "not used: dice [4]"),
        ("dice = [3]\n", "dice = [7]\n", "cannot show 7"),
        ("dice = [3]\n", "", "a die falls that the case does not prescribe"),
        ('orders = "hit b"', 'orders = "hit a"', "a is no enemy"),
        ('legal = ["boast 0"', 'legal = ["boast 5"', "should be legal: boast 5"),
        ('order = "boast 2"', 'order = "boast 1"', "should be illegal: boast 1"),
        ('kind = "boast"', 'kind = "loss"', "asks: expected kind"),
        ("[expect]", "[expect]\nevent = []", "unknown key 'event'"),
        ('game = "tiny"', 'game = "tinny"', "no game is called 'tinny'"),
        ('title = "', 'title = ""', "changed.toml: a value is not quoted (line 4)"),
    ],
)
def test_a_case_that_is_wrong_fails_and_says_why(tmp_path: Path, old: str, new: str, problem: str) -> None:
    path = changed(tmp_path, old, new)
    ran = pbem("case", path, TINY, "--json")
    assert ran.code == 1
    assert (ran.json["passed"], ran.json["failed"]) == (1, 1)
    (failure,) = ran.json["failures"]
    assert set(failure) == {"file", "rule", "problems"} and failure["file"] == str(path)
    assert any(problem in one for one in failure["problems"]), failure["problems"]
    said = pbem("case", path)
    assert said.code == 1 and "0 passed, 1 failed" in said.out and str(path) in said.out


def test_no_case_is_a_mistake_of_the_caller(tmp_path: Path) -> None:
    assert pbem("case", tmp_path).code == 2
    assert pbem("case", tmp_path / "none.toml").code == 2
    assert pbem("case").code == 2
