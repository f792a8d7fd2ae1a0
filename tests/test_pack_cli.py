"""An owner of the printed game types a pack of their own; games are played with it and with no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.home import Home
from pbem.packs import pack_path
from tests.commandline import pbem


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Home:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return Home()


@pytest.fixture
def typed(tmp_path: Path) -> Path:
    """A pack in which one strength is another."""
    assert pbem("pack", "new", "kawagoe", "mine").code == 0
    file = tmp_path / "mine" / "chits.toml"
    file.write_text(file.read_text("utf-8").replace('rule = "5.11', 'rule = "my own counters, 5.11'), "utf-8")
    return tmp_path / "mine"


def test_a_new_pack_is_a_sound_copy(tmp_path: Path) -> None:
    ran = pbem("pack", "new", "kawagoe", "copy")
    assert ran.code == 0 and "pbem pack check copy" in ran.out
    told = pbem("pack", "check", "copy", "--json").json
    assert told["game"] == "kawagoe" and told["changed"] == []
    assert set(told["files"]) == {"chits", "map", "scenarios", "tables", "units"}
    assert pbem("pack", "new", "kawagoe", "copy").code == 2, "it must not write over work"


def test_a_change_is_another_pack_and_is_played(typed: Path) -> None:
    ran = pbem("pack", "check", typed, "--games", 1)
    assert ran.code == 0 and "chits.toml: changed" in ran.out and "map.toml: as shipped" in ran.out
    told = pbem("pack", "check", typed, "--json").json
    assert told["changed"] == ["chits.toml"]
    assert told["files"]["chits"]["source"].startswith("my own counters")


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("chits.toml", 'kind = "katta"', 'kimd = "katta"', ("chits.toml", "[chit.2]", "ki")),
        ("chits.toml", "count = 2", 'count = "two"', ("chits.toml", "count", "whole number")),
        ("chits.toml", 'provenance = "rulebook"', "", ("chits.toml", "provenance is missing")),
        ("map.toml", "rows = [", "rows = [[", ("map.toml", "not valid TOML")),
    ],
)
def test_a_mistake_is_named_by_file_table_and_key(
    typed: Path, file: str, old: str, new: str, words: tuple[str, ...]
) -> None:
    path = typed / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    for command in ("check", "use"):
        ran = pbem("pack", command, typed)
        assert ran.code == 2
        for word in words:
            assert word in ran.err


def test_a_pack_in_use_is_found_by_its_digest_and_does_not_change(typed: Path, own_home: Home) -> None:
    digest = pbem("pack", "check", typed, "--json").json["digest"]
    assert pack_path(own_home, digest) is None
    assert pbem("pack", "use", typed).code == 0
    assert pbem("pack", "use", typed).code == 0, "a second time does no harm"
    (typed / "chits.toml").unlink()
    found = pack_path(own_home, digest)
    assert found is not None
    from pbem.engine import registry

    assert registry.load("kawagoe").load_pack(found).digest == digest


def test_a_folder_must_say_its_game(typed: Path) -> None:
    (typed / "PACK.txt").unlink()
    ran = pbem("pack", "check", typed)
    assert ran.code == 2 and "--game" in ran.err
    assert pbem("pack", "check", typed, "--game", "kawagoe").code == 0
    assert pbem("pack", "check", typed, "--game", "chess").code == 2
