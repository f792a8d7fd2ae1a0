"""Games come from anywhere, by entry points; one that is broken is named and harms no other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pbem.engine import registry
from pbem.errors import UsageError
from tests.commandline import pbem
from tests.installed import ROOT


def offer(patch: pytest.MonkeyPatch, folder: Path, package: str, *lines: str) -> None:
    """A package that offers games."""
    info = folder / package / f"{package}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (info / "entry_points.txt").write_text("\n".join(["[pbem.games]", *lines]))
    patch.syspath_prepend(str(folder / package))


def test_ours_are_found_like_anybodys() -> None:
    assert {"kawagoe", "chuhan", "tiny"} <= set(registry.names())
    assert registry.load("kawagoe") is registry.load("kawagoe")
    with pytest.raises(UsageError, match="no game is called 'kawago'") as caught:
        registry.load("kawago")
    assert "kawagoe" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "odd = nowhere.rules:ODD",
            "odd cannot be loaded from odd_games (nowhere.rules:ODD): ModuleNotFound",
        ),
        ("odd = tests.tiny:NOTHING", "odd cannot be loaded from odd_games (tests.tiny:NOTHING): Attribute"),
        ("odd = tests.tiny.turns:DECK", "odd_games (tests.tiny.turns:DECK) is no game"),
        ("odd = tests.tiny:TINY", "odd_games (tests.tiny:TINY) offers tiny as odd"),
    ],
)
def test_a_broken_game_is_named_and_the_others_are_listed(
    line: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    offer(monkeypatch, tmp_path, "odd_games", line)
    with pytest.raises(UsageError) as caught:
        registry.load("odd")
    assert caught.value.message.startswith(said)
    ran = pbem("games", "--available")
    assert ran.code == 0 and "kawagoe: " in ran.out and "tiny: Tiny" in ran.out
    assert f"odd: {said}" in ran.err
    listed = {one["game"]: one for one in pbem("games", "--available", "--json").json}
    assert listed["odd"]["problem"].startswith(said) and listed["tiny"]["scenarios"] == ["short", "long"]
    assert pbem("rules", "odd").code == 2


def test_two_packages_with_one_name_are_not_guessed_between(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    offer(monkeypatch, tmp_path, "other", "tiny = tests.broken:CRASH")
    with pytest.raises(UsageError, match=r"tiny is offered by other \(tests.broken:CRASH\) and tiny-games"):
        registry.load("tiny")
    assert registry.load("chuhan").name == "chuhan"


def test_the_same_package_found_twice_is_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    offer(monkeypatch, tmp_path, "again", "tiny = tests.tiny:TINY")
    assert registry.load("tiny").name == "tiny"


def test_pbem_imports_nothing_from_games() -> None:
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            named = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                named = [node.module or ""]
            assert not [n for n in named if n.split(".")[0] in ("games", "tests")], path
