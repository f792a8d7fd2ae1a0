"""A game folder that came from elsewhere: nothing in .git is trusted."""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.errors import UsageError, VerificationError
from pbem.repository import BLOB_LIMIT, MAIN, Repository, database, packs
from pbem.repository.objects import object_id
from tests.plain_git import begun, raw_git, unpacked


@pytest.fixture
def game(tmp_path: Path) -> Repository:
    return begun(tmp_path / "game")


def tree_of(folder: Path, *lines: tuple[str, str, str]) -> str:
    text = "".join(f"{mode} {kind} {name}\n" for mode, kind, name in lines)
    return raw_git(folder, "mktree", "--missing", data=text.encode())


def commit_of(folder: Path, tree: str) -> str:
    return raw_git(folder, "commit-tree", tree, "-m", "foreign")


@pytest.mark.parametrize(
    ("mode", "path", "said"),
    [
        ("120000", "game.toml", "game.toml' is a link"),
        ("160000", "moves", "moves' is a submodule"),
        ("100755", "game.toml", "game.toml' is executable"),
        ("100644", "hooks", "cannot hold the path 'hooks'"),
        ("100644", ".gitmodules", "cannot hold the path '.gitmodules'"),
        ("100644", ".gitattributes", "cannot hold the path '.gitattributes'"),
        ("040000", "hooks", "hooks' is a folder"),
        ("040000", "game.toml", "game.toml' is a folder"),
        ("100644", "-rf", "cannot hold the path '-rf'"),
        ("100644", "\x1b[2J.toml", "cannot hold the path '.x1b"),
    ],
)
def test_foreign_trees_are_refused_by_name(game: Repository, mode: str, path: str, said: str) -> None:
    blob = raw_git(game.path, "hash-object", "-w", "--stdin", data=b"../../etc/passwd")
    inner = tree_of(game.path, ("100644", "blob", f"{blob}\tpre-receive"))
    target = {"160000": ("commit", "1" * 40), "040000": ("tree", inner)}.get(mode, ("blob", blob))
    tree = tree_of(game.path, (mode, target[0], f"{target[1]}\t{path}"))
    with pytest.raises(VerificationError, match=said.replace("[", r"\[")):
        game.tree(commit_of(game.path, tree))


def test_a_tree_bomb_has_nothing_to_unfold_in(game: Repository) -> None:
    tree = tree_of(game.path)
    for _ in range(12):
        tree = tree_of(game.path, *(("040000", "tree", f"{tree}\t{n:04}") for n in range(100)))
    bomb = tree_of(game.path, ("040000", "tree", f"{tree}\tmoves"))
    with pytest.raises(VerificationError, match="is a folder"):
        game.tree(commit_of(game.path, bomb))


@contextmanager
def inflated(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many bytes come out of each inflation."""
    sizes: list[int] = []

    class Counted:
        def __init__(self) -> None:
            self.real = zlib.decompressobj()

        def decompress(self, data: bytes, most: int) -> bytes:
            sizes.append(len(found := self.real.decompress(data, most)))
            return found

        def __getattr__(self, name: str) -> Any:
            return getattr(self.real, name)

    counting = SimpleNamespace(decompressobj=Counted, error=zlib.error, compress=zlib.compress)
    with monkeypatch.context() as patched:
        patched.setattr(database, "zlib", counting)
        patched.setattr(packs, "zlib", counting)
        yield sizes


def test_sizes_are_looked_at_before_reading(game: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    blob = raw_git(game.path, "hash-object", "-w", "--stdin", data=bytes(BLOB_LIMIT + 1))
    commit = commit_of(game.path, tree_of(game.path, ("100644", "blob", f"{blob}\tgame.toml")))
    assert game.tree(commit)["game.toml"].size == BLOB_LIMIT + 1
    with inflated(monkeypatch) as sizes, pytest.raises(VerificationError, match="was not read"):
        game.read("game.toml", commit)
    assert max(sizes) < 1024
    raw_git(game.path, "update-ref", MAIN, commit)
    raw_git(game.path, "-c", "core.bigFileThreshold=10m", "repack", "-adq")
    with inflated(monkeypatch) as sizes, pytest.raises(VerificationError, match="was not read"):
        Repository.open(game.path).read("game.toml", commit)
    assert max(sizes) < 1024


def test_an_object_altered_inside_git_is_noticed(game: Repository) -> None:
    unpacked(game.path)
    blob = object_id("blob", b"orders = 2\n")
    path = game.git.git_dir / "objects" / blob[:2] / blob[2:]
    path.chmod(0o644)
    path.write_bytes(zlib.compress(b"blob 11\0orders = 3\n"))
    with pytest.raises(VerificationError, match=r"altered inside \.git"):
        Repository.open(game.path).read("moves/0001/000002-hojo.toml")


def test_replacements_and_commit_graphs_do_not_speak_for_the_game(game: Repository) -> None:
    head = game.head()
    other = raw_git(game.path, "hash-object", "-w", "--stdin", data=b"turn = 99\n")
    raw_git(game.path, "replace", object_id("blob", b"turn = 2\n"), other)
    (game.git.git_dir / "info").mkdir(exist_ok=True)
    (game.git.git_dir / "info/grafts").write_text(f"{head}\n")
    (game.git.git_dir / "objects/info").mkdir(exist_ok=True)
    (game.git.git_dir / "objects/info/commit-graph").write_bytes(b"CGPH nonsense")
    assert game.read("position.toml") == b"turn = 2\n"
    assert len(game.history()) == 2


def test_merges_and_damaged_refs_are_not_a_line(game: Repository) -> None:
    first, head = game.history()
    tree = raw_git(game.path, "rev-parse", f"{head}^{{tree}}")
    merge = raw_git(game.path, "commit-tree", tree, "-p", head, "-p", first, "-m", "merge")
    raw_git(game.path, "update-ref", MAIN, merge)
    with pytest.raises(VerificationError, match="is a merge"):
        game.history()
    (game.git.git_dir / MAIN).write_bytes(b"")
    with pytest.raises(VerificationError, match="damaged"):
        game.head()


def test_a_clone_is_a_game_folder_and_other_folders_are_not(game: Repository, tmp_path: Path) -> None:
    raw_git(tmp_path, "clone", "-q", str(game.path), "clone")
    clone = Repository.open(tmp_path / "clone")
    assert clone.history() == game.history() and clone.compare_files() == []
    raw_git(game.path, "remote", "add", "origin", "ssh://host/game.git")
    assert Repository.open(game.path).head() == game.head()
    raw_git(tmp_path, "clone", "-q", "--depth=1", f"file://{game.path}", "shallow")
    raw_git(tmp_path, "clone", "-q", "--shared", str(game.path), "shared")
    raw_git(tmp_path, "init", "-q", "other")
    (tmp_path / "empty").mkdir()
    (tmp_path / "gitfile").mkdir()
    (tmp_path / "gitfile/.git").write_text(f"gitdir: {game.path}/.git\n")
    said = {
        "shallow": "beginning of the game",
        "shared": "borrows its objects",
        "other": "not a game",
        "empty": "not a game folder",
        "gitfile": "not a game folder",
        "missing": "not a game folder",
    }
    for name, words in said.items():
        with pytest.raises(UsageError, match=words):
            Repository.open(tmp_path / name)


@pytest.mark.parametrize(
    "setting",
    [
        "core.sshCommand=touch ran",
        "core.hooksPath=hooks",
        "core.fsmonitor=touch ran",
        "core.alternateRefsCommand=touch ran",
        "core.worktree=/",
        "core.bare=true",
        "include.path=/tmp/other",
        "includeIf.gitdir:/.path=/tmp/other",
        "extensions.partialClone=origin",
        "remote.origin.uploadpack=touch ran",
        "remote.origin.promisor=true",
        "remote.origin.vcs=ext",
        "credential.helper=!touch ran",
        "url.ext::touch ran.insteadOf=https://",
        "filter.evil.clean=touch ran",
        "alias.cat-file=!touch ran",
    ],
)
def test_settings_that_came_with_the_folder_cannot_act(game: Repository, setting: str) -> None:
    key, _, value = setting.partition("=")
    raw_git(game.path, "config", "--file", ".git/config", "--add", key, value)
    with pytest.raises(UsageError, match="does not let git use"):
        Repository.open(game.path)
    assert not (game.path / "ran").exists()


@pytest.mark.parametrize(
    "name", ["objects", "refs", "logs", "refs/heads", "objects/pack", "HEAD", "pbem.lock"]
)
def test_links_inside_git_are_refused(game: Repository, tmp_path: Path, name: str) -> None:
    path, moved = game.git.git_dir / name, tmp_path / "moved"
    if path.exists():
        path.rename(moved)
    else:
        moved.mkdir()
    path.symlink_to(moved)
    with pytest.raises(UsageError, match="is a link"):
        Repository.open(game.path)


@pytest.mark.parametrize(
    "name", ["HEAD", "packed-refs", "refs/heads/main", "refs/replace/x", "objects/ab/cd"]
)
def test_a_pipe_inside_git_is_refused_before_git_waits_for_it(game: Repository, name: str) -> None:
    path = game.git.git_dir / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    with pytest.raises(UsageError, match="is neither a file nor a folder"):
        Repository.open(game.path).git.run("status")


@pytest.mark.parametrize("name", ["pbem", "pbem/pool", "refs", "pbem.lock", "pbem.files", "config"])
def test_a_file_where_a_folder_must_be_and_the_other_way_round_is_damage(game: Repository, name: str) -> None:
    path = game.git.git_dir / name
    path.parent.mkdir(exist_ok=True)
    if path.is_file() or "." in name:
        path.unlink(missing_ok=True)
        path.mkdir()
    else:
        shutil.rmtree(path, ignore_errors=True)
        path.write_bytes(b"")
    with pytest.raises(UsageError, match=f"{name} is no f"):
        Repository.open(game.path)
