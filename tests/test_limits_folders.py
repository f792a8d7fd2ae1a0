"""Limits of work for folders and files from elsewhere: what they announce is weighed before it is read.

Each hostile folder or file is small on disk. Work is counted (bytes and objects that are read), never timed.
"""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import dispute, pool, system
from pbem.errors import PbemError
from pbem.repository import git_dir, plumbing, walking
from pbem.repository.database import Database
from pbem.repository.objects import object_id
from pbem.repository.store import Repository
from pbem.verify import verify_folder
from tests.attack_kit import works_only_without
from tests.homes import Party, party

MIB = 1 << 20


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Party:
    return party(tmp_path, monkeypatch)


def loose(folder: Path, kind: str, data: bytes) -> str:
    """An object written into a folder's .git, as whoever gave us the folder would."""
    name = object_id(kind, data)
    path = folder / ".git/objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(f"{kind} {len(data)}\0".encode() + data))
    return name


def row(mode: str, name: str, found: str) -> bytes:
    return f"{mode} {name}\0".encode() + bytes.fromhex(found)


def commit(tree: str, more: str = "") -> bytes:
    who = "a <a@pbem> 1700000000 +0000"
    return f"tree {tree}\nauthor {who}\ncommitter {who}\n\nx{more}\n".encode()


def point(folder: Path, head: str) -> Repository:
    """The main line ends there; opened anew."""
    (folder / ".git/refs/heads/main").write_text(f"{head}\n")
    return Repository.open(folder)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the objects that are read."""
    sizes: list[int] = []
    read = Database.read

    def counted(self: Database, kind: str, name: str) -> bytes:
        data = read(self, kind, name)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(Database, "read", counted)
    return sizes


def test_one_blob_under_many_names_is_not_read_many_times(
    game: Party, monkeypatch: pytest.MonkeyPatch, taken: list[int]
) -> None:
    """A folder of some kilobytes that names one megabyte a hundred times."""
    folder = game.tables["a"].folder
    blob = loose(folder, "blob", bytes(MIB))
    moves = b"".join(row("100644", f"{n:06d}-a.toml", blob) for n in range(1, 101))
    thousand = loose(folder, "tree", moves)
    below = loose(folder, "tree", row("40000", "0000", thousand))
    repo = point(folder, loose(folder, "commit", commit(loose(folder, "tree", row("40000", "moves", below)))))

    def attack() -> bool:
        taken.clear()
        assert not verify_folder(repo.path).ok
        return sum(taken) > 64 * MIB

    works_only_without(monkeypatch, attack, (walking, "TREE_LIMIT", 1 << 40))
    problem = verify_folder(folder).problem
    assert problem is not None and "more than 64 MiB of files" in problem.cause


def test_folders_are_read_only_as_far_as_a_game_has_them(
    game: Party, monkeypatch: pytest.MonkeyPatch, taken: list[int]
) -> None:
    """Forty folders of a megabyte each: names that nobody would count before they are in memory."""
    folder = game.tables["a"].folder
    blob = loose(folder, "blob", b"x\n")
    rows = []
    for number in range(40):
        names = (row("100644", f"{n:06d}-s{number}.toml", blob) for n in range(20_000))
        rows.append(row("40000", f"{number:04d}", loose(folder, "tree", b"".join(names))))
    below = loose(folder, "tree", b"".join(rows))
    repo = point(folder, loose(folder, "commit", commit(loose(folder, "tree", row("40000", "moves", below)))))

    def attack() -> bool:
        taken.clear()
        with pytest.raises(PbemError, match="cannot hold"):
            repo.tree(repo.head() or "")
        return sum(taken) > 16 * MIB

    monkeypatch.setattr(walking, "LISTS_LIMIT", 4 * MIB)
    works_only_without(monkeypatch, attack, (walking, "_folders", _all_folders))


def _all_folders(objects: Database, ids: Any, layout: Any) -> dict[str, bytes]:
    return {name: objects.read("tree", name) for name in ids}


def test_a_commit_that_inflates_costs_git_no_more_memory_than_its_limit(
    game: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two hundred kilobytes on disk, two hundred megabytes for whoever asks what it follows."""
    folder = game.tables["a"].folder
    tree = loose(folder, "tree", b"")
    repo = point(folder, loose(folder, "commit", commit(tree, "." * (200 * MIB))))

    def attack() -> bool:
        return repo.git.run("rev-list", "refs/heads/main").status == 0

    with pytest.raises(PbemError, match="was not read"):
        repo.history()
    if sys.platform == "linux":
        works_only_without(monkeypatch, attack, (plumbing, "limit_memory", lambda process, most: None))
    else:
        assert attack(), "no other system limits a process that runs: `limit_memory` says so"


def test_a_line_of_more_commits_than_a_game_has_is_not_listed(
    game: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = game.tables["a"].repo
    length = len(repo.history())
    monkeypatch.setattr(walking, "FILE_LIMIT", length - 1)
    with pytest.raises(PbemError, match="more than"):
        repo.history()
    monkeypatch.setattr(walking, "FILE_LIMIT", length)
    assert len(repo.history()) == length


def test_what_waits_in_a_folder_from_elsewhere_is_read_with_limits(
    game: Party, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe that nobody writes to, a link to what has no end, a large file: passed over, and taken away."""
    place = game.tables["a"].folder / ".git/pbem/pool"
    place.mkdir(parents=True, exist_ok=True)
    os.mkfifo(place / f"{'1' * 64}.toml")
    (place / f"{'2' * 64}.toml").symlink_to("/dev/zero")
    (place / f"{'3' * 64}.toml").write_bytes(b"v" * (65 * 1024))
    again = game.reopen("a")
    again.receive([])
    assert not again.ledger.pool and not list(place.iterdir())
    for number in range(30):
        (place / f"{number:064x}.toml").write_bytes(b"v = 2\n")
    read = []
    monkeypatch.setattr(pool, "read_small", lambda *told: read.append(told) or system.read_small(*told))

    def attack() -> bool:
        read.clear()
        for number in range(30):
            (place / f"{number:064x}.toml").write_bytes(b"v = 2\n")
        game.reopen("a")
        return len(read) > 20

    monkeypatch.setattr(pool, "MOST_FILES", 20)
    works_only_without(monkeypatch, attack, (pool, "MOST_FILES", 10_000))


def test_settings_and_refs_of_a_folder_are_read_with_limits(
    game: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = game.tables["a"].folder
    config = folder / ".git/config"
    honest = config.read_bytes()
    config.write_bytes(honest + b"# long\n" * 20_000)
    with pytest.raises(PbemError, match="cannot be read"):
        Repository.open(folder)
    config.write_bytes(honest)
    (folder / ".git/refs/heads/main").write_text("0" * 5000)
    (folder / ".git/pbem/added").unlink()  # where the line ended is not told anywhere else
    assert not verify_folder(folder).ok
    monkeypatch.setattr(git_dir, "REF_FILES", 10)
    for number in range(11):
        (folder / f".git/refs/heads/x{number}").write_text("0" * 40)
    with pytest.raises(PbemError, match="more than 10 files"):
        Repository.open(folder)


# --- dispute files


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


@pytest.fixture
def inflated(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many bytes come out of members."""
    sizes: list[int] = []
    content = dispute._content

    def counted(archive: Any, info: Any) -> bytes:
        data = content(archive, info)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(dispute, "_content", counted)
    yield sizes


def refused(path: Path, words: str) -> None:
    with pytest.raises(PbemError, match=words):
        dispute.read_file(path)


def test_a_dispute_file_that_inflates_is_refused_before_a_byte_comes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inflated: list[int]
) -> None:
    path = tmp_path / "bomb.zip"
    path.write_bytes(zipped({f"moves/0000/{n:06d}-a.toml": bytes(MIB) for n in range(1, 70)}))
    assert path.stat().st_size < MIB

    def attack() -> bool:
        inflated.clear()
        try:
            dispute.read_file(path)
        except PbemError:
            return False
        return sum(inflated) > 64 * MIB

    works_only_without(monkeypatch, attack, (dispute, "_check_sizes", lambda infos: None))
    refused(path, "would inflate")


def test_a_dispute_file_that_lies_about_sizes_is_refused(tmp_path: Path, inflated: list[int]) -> None:
    raw = bytearray(zipped({"game.toml": bytes(8 * MIB)}))
    at = raw.index(b"PK\x01\x02")
    raw[at + 24 : at + 28] = struct.pack("<I", 1000)
    path = tmp_path / "lies.zip"
    path.write_bytes(bytes(raw))
    refused(path, "no dispute file|not as long")
    assert sum(inflated) <= 1000


def test_names_in_a_dispute_file_are_those_of_a_game_and_counted_before_they_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "names.zip"
    for bad in ("../x", "/etc/passwd", f"{'d/' * 500}x", "moves/0000/000001-a.toml/x"):
        path.write_bytes(zipped({bad: b""}))
        refused(path, "no part of a game")
    path.write_bytes(zipped({f"moves/0000/{n:06d}-a.toml": b"" for n in range(300)}))
    monkeypatch.setattr(dispute, "MAX_FILES", 200)
    listed = []
    real = zipfile.ZipFile
    monkeypatch.setattr(zipfile, "ZipFile", lambda *told: listed.append(1) or real(*told))
    refused(path, "too many files")
    assert not listed
    monkeypatch.setattr(dispute, "MAX_TOTAL", 1000)
    refused(path, "cannot be read")


def test_a_pipe_is_no_dispute_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.zip")
    refused(tmp_path / "pipe.zip", "cannot be read")


# --- remotes


def test_a_remote_that_sends_too_much_is_given_up(
    game: Party, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What does not shorten, larger than any game: the fetch ends and keeps nothing."""
    from pbem.transport.git_remote import fetch

    repo = game.tables["a"].repo
    places = iter("ab")

    def attack() -> bool:
        there = sending(tmp_path / next(places), 2 * MIB)
        before = _bytes_in(repo.path / ".git/objects")
        try:
            fetch(repo, f"file://{there}", {"refs/heads/main": "refs/pbem/x"})
        except PbemError:
            assert _bytes_in(repo.path / ".git/objects") - before < MIB
            return False
        return True

    monkeypatch.setattr(plumbing, "NETWORK_BYTES", MIB)
    works_only_without(monkeypatch, attack, (plumbing, "NETWORK_BYTES", 64 * MIB))


def sending(place: Path, size: int) -> Path:
    """A remote whose main line holds so many bytes."""

    def git(*args: str, data: bytes = b"") -> str:
        told = ("git", "-C", str(place), "-c", "user.name=x", "-c", "user.email=x@y", *args)
        return subprocess.run(told, input=data, capture_output=True, check=True).stdout.decode().strip()

    subprocess.run(["git", "init", "-q", "--bare", str(place)], check=True)
    blob = git("hash-object", "-w", "--stdin", data=os.urandom(size))
    tree = git("mktree", data=f"100644 blob {blob}\tposition.toml\n".encode())
    git("update-ref", "refs/heads/main", git("commit-tree", "-m", "x", tree))
    return place


def _bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_a_player_who_fills_the_folder_does_not_keep_the_others_from_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond what `verify` reads, old entries and halves of doubles are still known as such."""
    found = party(tmp_path, monkeypatch)
    found.exchange()
    found.decide()
    found.exchange()
    monkeypatch.setattr(walking, "TREE_LIMIT", 1)
    again = found.reopen("a")
    old = again.entries(range(1, again.ledger.state.number + 1))
    assert again.receive([entry.raw for entry in old]).repeated == len(old) > 0
