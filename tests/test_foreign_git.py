"""A game folder from somewhere else: what its .git may say, hold or lack without anybody noticing."""

from __future__ import annotations

import re
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.repository import git_dir, line
from pbem.repository.database import Database
from pbem.repository.objects import object_id
from pbem.table import Table
from pbem.transport.git_remote import push
from pbem.verify import verify_folder
from tests.attack_kit import works_only_without
from tests.homes import Party, party
from tests.plain_git import unpacked


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Party:
    found = party(tmp_path, monkeypatch)
    found.exchange()
    for _ in range(4):
        found.decide()
        found.exchange()
    unpacked(found.tables["a"].folder)
    return found


def loose(table: Table, name: str) -> Path:
    return table.folder / ".git/objects" / name[:2] / name[2:]


def old_commit(table: Table) -> str:
    return table.repo.history()[3]


def old_tree(table: Table) -> str:
    return table.repo.commit_bytes([old_commit(table)])[0][5:45].decode()


def old_position(table: Table) -> str:
    return table.repo.tree(old_commit(table))["position.toml"].id


def overwrite(path: Path, data: bytes) -> None:
    path.chmod(0o644)
    path.write_bytes(data)


def gone(path: Path, kind: str) -> None:
    path.unlink()


def broken(path: Path, kind: str) -> None:
    overwrite(path, b"nothing that git can inflate")


def rewritten(path: Path, kind: str) -> None:
    """Well formed, and not what its name says: another author, another position, an empty folder."""
    old = zlib.decompress(path.read_bytes()).partition(b"\0")[2]
    new = {"commit": old.replace(b"author a ", b"author x "), "blob": old + b"# added\n", "tree": b""}[kind]
    assert new != old
    overwrite(path, zlib.compress(f"{kind} {len(new)}\0".encode() + new))


@pytest.mark.parametrize("damage", [gone, broken, rewritten])
@pytest.mark.parametrize(
    ("kind", "which"), [("commit", old_commit), ("tree", old_tree), ("blob", old_position)]
)
def test_an_old_object_that_is_not_as_it_was_is_found(
    game: Party,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    which: Callable[[Table], str],
    damage: Callable[[Path, str], None],
) -> None:
    table = game.tables["a"]
    path = loose(table, which(table))
    assert verify_folder(table.folder).ok
    damage(path, kind)

    def attack() -> bool:
        return verify_folder(table.folder).ok

    works_only_without(monkeypatch, attack, (line, "_check_objects", lambda *args: None))
    problem = verify_folder(table.folder).problem
    assert problem is not None and problem.entry <= 3 and f"the {kind} " in problem.cause


def packed_otherwise(table: Table, name: str) -> None:
    """git looks into packs first: there, an altered copy of an object goes by its name."""
    old = zlib.decompress(loose(table, name).read_bytes()).partition(b"\0")[2]
    altered = (old + f"# {number}\n".encode() for number in range(10_000))
    new = next(data for data in altered if object_id("blob", data)[:2] == name[:2])
    packs = table.folder / ".git/objects/pack"
    packs.mkdir(exist_ok=True)

    def git(*args: str, data: bytes) -> str:
        done = subprocess.run(["git", *args], cwd=table.folder, input=data, capture_output=True, check=True)
        return done.stdout.decode().strip()

    other = git("hash-object", "-w", "-t", "blob", "--stdin", data=new)
    index = packs / f"pack-{git('pack-objects', '-q', str(packs / 'pack'), data=other.encode())}.idx"
    overwrite(index, index.read_bytes().replace(bytes.fromhex(other), bytes.fromhex(name)))


def test_an_object_that_git_finds_altered_in_a_pack_is_named(
    game: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    """We read the file of its own, which is as it was; whoever looks with git sees the other one."""
    table = game.tables["a"]
    packed_otherwise(table, old_position(table))
    assert table.repo.read("position.toml", old_commit(table))

    works_only_without(
        monkeypatch, lambda: verify_folder(table.folder).ok, (Database, "check_copies", Database.read)
    )
    problem = verify_folder(table.folder).problem
    assert problem is not None and problem.entry <= 3 and "the blob " in problem.cause


# --- settings


def hosted(folder: Path, name: str) -> Path:
    place = folder / name
    subprocess.run(["git", "init", "-q", "--bare", str(place)], check=True)
    return place


def test_no_setting_of_a_folder_leads_elsewhere(
    game: Party, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder came with a remote that is called as the players' own address."""
    table = game.tables["a"]
    ours, theirs = hosted(tmp_path, "ours.git"), hosted(tmp_path, "theirs.git")
    hook = theirs / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    hook.chmod(0o755)
    subprocess.run(["git", "-C", str(theirs), "config", "core.hooksPath", str(hook.parent)], check=True)
    with (table.folder / ".git/config").open("a") as config:
        config.write(f'[remote "file://{ours}"]\n\turl = {theirs}\n')

    def attack() -> bool:
        from pbem.errors import UsageError

        try:
            again = game.reopen("a")
            push(again.repo, f"file://{ours}", again.fingerprint, "refs/heads/main")
        except UsageError as error:
            assert "remote." in error.message and "--unset-all" in str(error.hint)
            return False
        return (tmp_path / "ran").exists()

    works_only_without(
        monkeypatch, attack, (git_dir, "_HARMLESS_KEY", re.compile("core.*|remote.*", re.DOTALL))
    )


def test_the_remotes_of_a_clone_are_no_harm(game: Party) -> None:
    table = game.tables["a"]
    with (table.folder / ".git/config").open("a") as config:
        config.write('[remote "origin"]\n\turl = https://example.org/x\n[branch "main"]\n\tremote = origin\n')
    assert game.reopen("a").fingerprint == table.fingerprint


def test_ids_name_every_object_of_a_commit(game: Party) -> None:
    """What the check of the line reads is all that git has of it."""
    table = game.tables["a"]
    listed = subprocess.run(
        ["git", "rev-list", "--objects", "main"], cwd=table.folder, capture_output=True, text=True, check=True
    ).stdout
    here = {row.split(" ")[0] for row in listed.splitlines()}
    made = set()
    ids = line.Ids()
    for commit in _commits(table):
        ids.add(commit)
        made |= {one.id for one in ids.made}
    assert made == here and object_id("blob", table.repo.read("game.toml")) in made


def _commits(table: Table) -> list[line.Commit]:
    from pbem.verify import _files, _State

    state = _State()
    return state.run(_files(table.repo, table.fingerprint), None, lambda done, of: None).commits
