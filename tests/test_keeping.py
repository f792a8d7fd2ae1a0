"""A home in one encrypted file: nothing is lost, nobody else reads it, and one pen stays one pen."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.doing import keeping
from pbem.errors import UsageError
from pbem.home import Home
from pbem.verify import verify_folder
from tests.cli import Desk, begin, exchange, table_of

WORDS = "four words nobody guesses"
PUT = ("play", "-m", "put rest act", "--yes")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    found = Desk(tmp_path, monkeypatch)
    begin(found)
    monkeypatch.setenv("PBEM_PASSPHRASE", WORDS)
    return found


def home(desk: Desk, who: str) -> Home:
    return Home(desk.folder / who)


def test_a_moved_home_plays_on_in_one_place_only(desk: Desk) -> None:
    before = table_of(desk, "ann").fingerprint
    desk.ok("ann", "save", "all.pbem-home", "--move")
    assert "this one only answers" in desk.run("ann", *PUT).err
    desk.ok("anna", "restore", "all.pbem-home")
    folder = next(iter(home(desk, "anna").games().values()))
    assert folder.parent == desk.folder / "anna" / "games", "a game that lay elsewhere is in the home now"
    assert verify_folder(folder, home(desk, "anna")).whole
    assert table_of(desk, "anna").fingerprint == before
    desk.ok("anna", *PUT)
    desk.ok("ben", *PUT)


def test_a_copy_answers_and_decides_when_its_owner_says_so(desk: Desk) -> None:
    desk.ok("ann", "save", "all.pbem-home")
    told = desk.ok("anna", "restore", "all.pbem-home")
    assert "this is a copy: it answers" in told.out
    assert "this home was copied or restored" in desk.run("anna", *PUT).err
    desk.ok("anna", "join", str(table_of(desk, "anna").folder), "--yes")
    assert "b has not told it yet what you have signed" in desk.run("anna", *PUT).err
    for who, other in (("anna", "ben"), ("ben", "anna")):
        desk.ok(who, "send", "--out", f"{who}.pbem")
        desk.ok(other, "receive", f"{who}.pbem")
    desk.ok("anna", *PUT)


def test_everything_is_there_and_nobody_else_can_read_it(desk: Desk) -> None:
    desk.ok("ann", *PUT)
    desk.ok("ben", *PUT)
    exchange(desk)
    old = home(desk, "ann")
    raw = keeping.save(old, WORDS)
    new = Home(desk.folder / "elsewhere")
    assert keeping.restore(new, raw, WORDS) == keeping.Restored(1, decides=False)
    assert new.key().public == old.key().public
    for name in ("spare", "config.toml"):
        assert (new.path / name).read_bytes() == (old.path / name).read_bytes()
    for entry in (old.path / "signed").rglob("decide-*.toml"):
        assert (new.path / entry.relative_to(old.path)).read_bytes() == entry.read_bytes()
    assert old.key().seed not in raw and b"BEGIN OPENSSH" not in raw
    assert raw != keeping.save(old, WORDS), "a new salt, so a new key, for every file"


@pytest.mark.parametrize("wrong", ["Four words nobody guesses", "", "x" * 9])
def test_a_wrong_passphrase_changes_nothing(desk: Desk, wrong: str) -> None:
    raw = keeping.save(home(desk, "ann"), WORDS)
    new = Home(desk.folder / "new")
    with pytest.raises(UsageError, match="the passphrase is wrong, or the file is damaged"):
        keeping.restore(new, raw, wrong)
    assert not new.path.exists()


@pytest.mark.parametrize("place", [13, 30, 5000, -1])
def test_a_changed_or_cut_file_changes_nothing(desk: Desk, place: int) -> None:
    raw = bytearray(keeping.save(home(desk, "ann"), WORDS))
    raw[place] ^= 1
    for damaged in (bytes(raw), bytes(raw[:place])):
        with pytest.raises(UsageError, match=r"damaged|not a saved home"):
            keeping.restore(Home(desk.folder / "new"), damaged, WORDS)
    assert not (desk.folder / "new").exists()


def test_a_home_with_a_key_is_never_replaced(desk: Desk) -> None:
    raw = keeping.save(home(desk, "ann"), WORDS)
    with pytest.raises(UsageError, match="there is a home already"):
        keeping.restore(home(desk, "ben"), raw, WORDS)


def test_a_short_passphrase_and_an_empty_home_are_refused(desk: Desk) -> None:
    with pytest.raises(UsageError, match="fewer than 8 letters"):
        keeping.save(home(desk, "ann"), "short")
    with pytest.raises(UsageError, match="nothing to save"):
        keeping.save(home(desk, "nobody"), WORDS)


def test_a_key_that_is_kept_elsewhere_comes_along(desk: Desk) -> None:
    place = desk.folder / "id_ed25519"
    old = home(desk, "ann")
    for suffix in ("", ".pub"):
        (old.path / f"key{suffix}").rename(place.with_name(place.name + suffix))
    old.set_config(key=str(place))
    new = Home(desk.folder / "new")
    keeping.restore(new, keeping.save(old, WORDS), WORDS)
    place.unlink()
    assert new.key_path() == new.path / "key"
    assert new.key().public_line() == new.public_line()
