"""A whole game between bots in processes and homes of their own: repeatable, verified, audited."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pbem.home import Home
from pbem.verify import verify_folder
from tests.commandline import Ran, pbem
from tests.installed import install

KEYS = [
    "game",
    "scenario",
    "entries",
    "mails",
    "human_mails",
    "turns",
    "winner",
    "fingerprint",
    "verified",
    "audited",
    "seconds",
]


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "broken")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    """One demonstration, kept for several tests."""
    folder = tmp_path_factory.mktemp("demo") / "kept"
    return folder, pbem("demo", "tiny", "--seed", 3, "--dir", folder, "--json")


def game_of(folder: Path, seat: str) -> Path:
    (found,) = (path for path in (folder / seat).iterdir() if path.name != "home")
    return found


def test_it_is_verified_and_audited(kept: tuple[Path, Ran]) -> None:
    folder, ran = kept
    assert ran.code == 0 and list(ran.json) == KEYS
    told = ran.json
    assert told["game"] == "tiny" and told["scenario"] == "short" and told["turns"] >= 2
    assert told["verified"] is True and told["audited"] is True
    assert len(list(game_of(folder, "a").glob("moves/*/*.toml"))) == told["entries"]


def test_mails_are_counted_with_the_answers_that_need_one(kept: tuple[Path, Ran]) -> None:
    """A person merges an answer with a decision made at once; a machine does not wait for it."""
    told = kept[1].json
    assert 0 < told["human_mails"] <= told["mails"] <= told["entries"] + 4  # 4 papers of the contract


def test_every_seat_holds_the_same_commits_in_a_folder_of_its_own(kept: tuple[Path, Ran]) -> None:
    folder, ran = kept
    for path in (game_of(folder, "a"), game_of(folder, "b"), folder / "stranger" / "game"):
        head = subprocess.run(["git", "-C", path, "rev-parse", "main"], capture_output=True, text=True)
        assert head.stdout.strip() == ran.json["fingerprint"]
        assert verify_folder(path, Home(folder / "nobody")).ok


def test_keys_are_private_and_nobody_has_anothers(kept: tuple[Path, Ran]) -> None:
    folder, _ = kept
    keys = {seat: folder / seat / "home" / "key" for seat in "ab"}
    assert len({path.read_bytes() for path in keys.values()}) == 2
    for seat, path in keys.items():
        assert path.stat().st_mode & 0o777 == 0o600
        body = path.read_bytes().splitlines()[3]
        elsewhere = [p for p in folder.rglob("*") if p.is_file() and p != path and body in p.read_bytes()]
        assert not elsewhere, f"the key of {seat} is also in {elsewhere}"


def test_the_same_seed_gives_the_same_game(kept: tuple[Path, Ran]) -> None:
    again = pbem("demo", "tiny", "--seed", 3, "--json").json
    assert {**again, "seconds": 0} == {**kept[1].json, "seconds": 0}


def test_three_can_play_and_another_seed_is_another_game(kept: tuple[Path, Ran]) -> None:
    ran = pbem("demo", "tiny", "--seats", 3, "--seed", 4)
    assert ran.code == 0 and "fingerprint" in ran.out
    assert kept[1].json["fingerprint"] not in ran.out
    assert "sent by a person" in ran.out and "need a person" in ran.out


def test_a_seat_that_fails_ends_it_with_its_reason() -> None:
    ran = pbem("demo", "cheat")
    assert ran.code == 70 and "a: hit is not what is asked now" in ran.err
    assert "Traceback" not in ran.err


def test_what_cannot_be_played_is_refused(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("something")
    assert pbem("demo", "tiny", "--dir", tmp_path).code == 2
    assert (tmp_path / "there").read_text() == "something"
    assert pbem("demo", "tiny", "--scenario", "none").code == 2
    assert pbem("demo", "nothing").code == 2
    assert pbem("demo", "kawagoe", "--seats", 3).code == 2
