"""Honest mistakes that would sign two decisions with one number: each ends in a refusal that says what to do.

Ann and Ben are two people; a second home or folder of one of them stands for a mistake or another machine.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.journal import Journal
from pbem.protocol.papers.entry import read
from pbem.transport.bundle import unpack
from tests.attack_kit import works_only_without
from tests.cli import Desk, begin, exchange, table_of, until_somebody_acts


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    found = Desk(tmp_path, monkeypatch)
    begin(found)
    return found


def verdict(desk: Desk, who: str) -> str | None:
    return desk.ok(who, "status", "--json").json["outcome"]


def folder_of(desk: Desk, who: str) -> Path:
    return Path(table_of(desk, who).folder)


def copied(desk: Desk, who: str, name: str) -> Path:
    """A copy of somebody's game folder."""
    shutil.copytree(folder_of(desk, who), desk.folder / name)
    return desk.folder / name


def come_back(desk: Desk, who: str, folder: Path, other: str) -> None:
    """Somebody takes the seat again: the home asks, and decides nothing until the other has told."""
    desk.ok(who, "join", str(folder), "--yes")
    order = desk.ok(who, "legal", "--json", "-g", str(folder)).json["orders"][0]
    refused = desk.run(who, "play", "-m", order, "--yes", "-g", str(folder))
    assert refused.code == 2 and "has not told it yet what you have signed" in refused.err, refused.both
    assert "after the grace of the contract you may decide without it" in refused.err
    desk.ok(who, "send", "-g", str(folder), "--out", "asks.pbem")
    desk.ok(other, "receive", "asks.pbem", "--out", "tells.pbem")
    desk.ok(who, "receive", "tells.pbem")


PUT = ("play", "-m", "put rest act", "--yes")
OTHER = ("play", "-m", "put act act", "--yes")


def test_in_the_other_sides_folder(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the home of one side, standing in the other side's folder; then the order in the right one."""
    rounds = iter(range(10))

    def two_are_signed() -> bool:
        again = desk.copy(tmp_path / f"round-{next(rounds)}", monkeypatch)
        there = str(folder_of(again, "ben"))
        again.run("ann", *OTHER, "-g", there, "--out", "wrong.pbem")
        again.ok("ann", *PUT, "--out", "right.pbem")
        files = [again.folder / name for name in ("wrong.pbem", "right.pbem")]
        found = [unpack(file.read_bytes()) for file in files if file.exists()]
        signed = {raw for raws in found for raw in raws if read(raw).head.lane == "decide"}
        return len(signed) == 2

    works_only_without(
        monkeypatch,
        two_are_signed,
        (Journal, "check", lambda *args: None),
        (Journal, "signed", lambda *args: None),
        (Journal, "keep", lambda journal, name, raw: raw),
    )
    refused = desk.run("ann", *PUT, "-g", str(folder_of(desk, "ben")))
    assert refused.code == 2
    assert f"this is not the folder where you play this game: that is {folder_of(desk, 'ann')}" in refused.err
    assert "go there, or name the game with -g; nothing was signed" in refused.err
    assert "sign and carry out" not in refused.out + refused.err and "open:" not in refused.out, "at once"


def test_in_a_copy_of_ones_own_folder(desk: Desk) -> None:
    copy = copied(desk, "ann", "copy")
    assert "this is not the folder where you play" in desk.run("ann", *OTHER, "-g", str(copy)).err
    desk.ok("ann", *PUT)
    desk.ok("ben", *PUT)
    exchange(desk)
    assert verdict(desk, "ben") is None


def test_in_a_folder_that_was_moved(desk: Desk) -> None:
    folder_of(desk, "ann").rename(desk.folder / "moved")
    refused = desk.run("ann", *PUT, "-g", "moved")
    assert refused.code == 2 and "that was " in refused.err and "`pbem join " in refused.err
    desk.ok("ann", "join", "moved", "--yes")
    desk.ok("ann", *PUT)
    assert [Path(p) for p in table_of(desk, "ann").home.games().values()] == [desk.folder / "moved"]


def test_in_a_folder_restored_from_before(desk: Desk) -> None:
    """The folder forgot what was signed; the home did not, and gives it back."""
    backup = copied(desk, "ann", "backup")
    own = folder_of(desk, "ann")
    desk.ok("ann", *PUT, "--out", "move.pbem")
    shutil.rmtree(own)
    backup.rename(own)
    assert desk.ok("ann", "status", "--json").json["asked"][0]["seat"] == "a"
    refused = desk.run("ann", *OTHER)
    assert refused.code == 2 and "a decision that you signed before was taken up first" in refused.err
    desk.ok("ben", "receive", "move.pbem")
    desk.ok("ben", *PUT)
    exchange(desk)
    assert verdict(desk, "ann") is None is verdict(desk, "ben")
    prints = {desk.ok(who, "status", "--json").json["fingerprint"] for who in ("ann", "ben")}
    assert len(prints) == 1


def second_machine(desk: Desk, who: str) -> None:
    """Home and folder of somebody, copied as to another machine."""
    copied(desk, who, "laptop-game")
    shutil.copytree(desk.folder / who, desk.folder / "laptop")
    for file in (desk.folder / "laptop/games.toml", *(desk.folder / "laptop/signed").glob("*/pen.toml")):
        text = file.read_text()
        with file.open("r+") as same:  # where the paths differ is no part of the matter
            same.truncate()
            same.write(text.replace(str(folder_of(desk, who)), str(desk.folder / "laptop-game")))


def test_on_two_machines(desk: Desk) -> None:
    """The copy only answers until it is told that it decides; then the first one knows better."""
    second_machine(desk, "ann")
    refused = desk.run("laptop", *OTHER)
    assert refused.code == 2 and "this home was copied or restored" in refused.err
    assert "if you decide nowhere else any more, `pbem join" in refused.err
    come_back(desk, "laptop", desk.folder / "laptop-game", "ben")
    desk.ok("laptop", *PUT, "--out", "laptop.pbem")
    desk.ok("ann", "receive", "laptop.pbem")
    desk.ok("ben", "receive", "laptop.pbem")
    desk.ok("ben", *PUT)
    exchange(desk)
    bid = desk.ok("ann", "legal", "--json").json["orders"][0]
    refused = desk.run("ann", "play", "-m", bid, "--yes")
    assert refused.code == 2 and "another home of yours decides in this game, or has decided" in refused.err
    come_back(desk, "ann", folder_of(desk, "ann"), "ben")
    desk.ok("ann", "play", "-m", bid, "--yes")
    exchange(desk)
    assert verdict(desk, "ben") is None


def test_in_a_second_home_of_the_same_key(desk: Desk) -> None:
    """The papers alone make a home that answers; it decides when its owner says so."""
    (desk.folder / "twin").mkdir()
    shutil.copy(desk.folder / "ann/key", desk.folder / "twin/key")
    desk.ok("twin", "join", "first.pbem")
    desk.ok("twin", "receive", "first.pbem", "--into", "twins")
    desk.ok("ben", "send", "--out", "ben.pbem")
    desk.ok("twin", "receive", "second.pbem", "ben.pbem")
    refused = desk.run("twin", *OTHER)
    assert (
        refused.code == 2
        and "another home of yours decides in this game, or has decided: this one only answers" in refused.err
    )


def test_in_a_home_restored_from_a_backup(desk: Desk) -> None:
    shutil.copytree(desk.folder / "ann", desk.folder / "backup")
    desk.ok("ann", *PUT, "--out", "move.pbem")
    desk.ok("ben", "receive", "move.pbem")
    desk.ok("ben", *PUT, "--out", "reply.pbem")
    shutil.rmtree(desk.folder / "ann")
    (desk.folder / "backup").rename(desk.folder / "ann")
    desk.ok("ann", "receive", "reply.pbem")
    bid = desk.ok("ann", "legal", "--json").json["orders"][0]
    refused = desk.run("ann", "play", "-m", bid, "--yes")
    assert refused.code == 2 and "another home of yours decides in this game, or has decided" in refused.err
    come_back(desk, "ann", folder_of(desk, "ann"), "ben")
    desk.ok("ann", "play", "-m", bid, "--yes")
    exchange(desk)
    assert verdict(desk, "ben") is None


def test_answers_are_not_given_in_a_strangers_folder(desk: Desk) -> None:
    """A folder with another history would learn links before their time: nothing is answered there."""
    for who in ("ann", "ben"):
        desk.ok(who, *PUT)
    exchange(desk)
    for who in ("ann", "ben"):
        bid = desk.ok(who, "legal", "--json").json["orders"][0]
        desk.ok(who, "play", "-m", bid, "--out", f"{who}.pbem", "--yes")
    there = folder_of(desk, "ben")
    desk.ok("ben", "receive", "ann.pbem")
    from pbem.errors import UsageError
    from pbem.home import Home
    from pbem.table import Table

    table = Table.open(there, Home(desk.folder / "ann"))
    owed = table.due()
    assert owed is not None and owed.kind == "answers"
    with pytest.raises(UsageError, match="not the folder where you play"):
        table.receive([])


# --- where it happened all the same


def test_the_accused_learns_of_it_and_what_to_do(desk: Desk) -> None:
    who = until_somebody_acts(desk)
    other = {"ann": "ben", "ben": "ann"}[who]
    copied(desk, who, "second")
    shutil.copytree(desk.folder / who, desk.folder / "twin")
    come_back(desk, "twin", desk.folder / "second", other)
    target = desk.ok(other, "status", "--json").json["seat"]
    desk.ok(who, "play", "-m", "done", "--out", "one.pbem", "--yes")
    desk.ok("twin", "play", "-m", f"hit {target}", "--out", "two.pbem", "--yes")
    desk.ok(other, "receive", "one.pbem", "--out", "answer.pbem")
    desk.ok(other, "receive", "two.pbem")
    assert verdict(desk, other) is None, "the only other seat has built on one half at most: it heals"
    desk.ok(other, "send", "--out", "told.pbem")
    told = [desk.run(one, "receive", "told.pbem").both for one in (who, "twin")]
    marks = {desk.ok(one, "status", "--json").json["fingerprint"] for one in (who, "twin", other)}
    assert len(marks) == 1 and verdict(desk, who) is None and verdict(desk, "twin") is None
    for one in told:
        assert "you signed two answers at one point of the game" in one and "`pbem join FOLDER`" in one


def put_back(live: Path, image: Path) -> None:
    """A disk as it was: every file with its old bytes, in its old place; nothing can tell."""
    before = {path.relative_to(image) for path in image.rglob("*")}
    for path in sorted(live.rglob("*"), reverse=True):
        if path.relative_to(live) not in before:
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    for name in sorted(before):
        old, now = image / name, live / name
        if old.is_dir():
            now.mkdir(exist_ok=True)
        elif not now.exists() or now.read_bytes() != old.read_bytes():
            now.unlink(missing_ok=True)
            now.write_bytes(old.read_bytes())


@pytest.mark.parametrize("hears_first", [True, False], ids=["after the reply", "before it"])
def test_a_whole_disk_restored_heals(desk: Desk, hears_first: bool) -> None:
    """Home and folder as of yesterday, and nothing can tell: a second decision is signed in good faith.

    Nobody has built on both: one of the two counts, the same on both sides, and the game goes on.
    """
    own = folder_of(desk, "ann")
    for name, live in (("image-home", desk.folder / "ann"), ("image-game", own)):
        shutil.copytree(live, desk.folder / name, symlinks=True)
    desk.ok("ann", *PUT, "--out", "move.pbem")
    desk.ok("ben", "receive", "move.pbem")
    desk.ok("ben", *PUT, "--out", "reply.pbem")
    put_back(desk.folder / "ann", desk.folder / "image-home")
    put_back(own, desk.folder / "image-game")
    if hears_first:
        desk.ok("ann", "receive", "reply.pbem")
    desk.ok("ann", "join", str(own), "--yes")
    desk.ok("ann", *OTHER)
    exchange(desk)
    assert verdict(desk, "ann") is None is verdict(desk, "ben")
    prints = {desk.ok(who, "status", "--json").json["fingerprint"] for who in ("ann", "ben")}
    assert len(prints) == 1, "both stand at the same position"
    bid = desk.ok("ann", "legal", "--json").json["orders"][0]
    if desk.run("ann", "play", "-m", bid, "--yes").code:  # a decision of hers was signed elsewhere
        desk.ok("ann", "join", str(own), "--yes")
        desk.ok("ann", "play", "-m", bid, "--yes")
    exchange(desk)
    assert verdict(desk, "ben") is None
