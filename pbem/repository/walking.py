"""Every file of a commit, or of many: as strictly as if each came from a stranger.

Invariants: only paths of the layout, plain files of mode 100644; how many files and bytes a game may have is
checked before anything of them is read. Folders that commits share are read once, so a line of commits costs
what its changes cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbem.errors import VerificationError
from pbem.repository.database import Database
from pbem.repository.layout import FILE_LIMIT, GAME, LISTS_LIMIT, TREE_LIMIT, Layout, shown
from pbem.repository.objects import read_commit, tree_entries

File = tuple[str, str]
"""The path of a file and the id of its content."""


class Blob(NamedTuple):
    """A file of a tree."""

    mode: str
    id: str
    size: int


def listed(
    objects: Database, revs: Sequence[str], layout: Layout = GAME, since: str | None = None
) -> list[File]:
    """Every file in any of these commits; with `since`, only those that are new or other than there."""
    level = {("", _root(objects, rev)) for rev in revs}
    known = {("", _root(objects, since))} if since else set()
    files: dict[File, None] = {}
    seen: set[File] = set()
    while level := level - known:
        known = {(folder, tree) for folder, tree in known if any(folder == f for f, _ in level)}
        trees = _folders(objects, sorted({tree for _, tree in level | known}), layout)
        below: set[File] = set()
        for folder, tree in sorted(level):
            for mode, path, found in _entries(trees[tree], tree, folder):
                if mode == "40000" and layout.folders.fullmatch(path):
                    below.add((path, found))
                else:
                    files[_check_file(mode, path, layout), found] = None
            if len(files) + len(below) > FILE_LIMIT:
                raise VerificationError(f"{layout.what} cannot hold more than {FILE_LIMIT} files")
        older = [one for folder, tree in known for one in _entries(trees[tree], tree, folder)]
        seen |= {(path, found) for mode, path, found in older if mode != "40000"}
        level, known = below, {(path, found) for mode, path, found in older if mode == "40000"}
    return [file for file in files if file not in seen]


def sizes(objects: Database, files: Sequence[File]) -> dict[File, int]:
    """How long each of these files is."""
    found: dict[File, int] = {}
    for path, blob in files:
        facts = objects.facts(blob)
        if facts is None or facts[0] != "blob":
            raise VerificationError(f"the content of {path} is missing", "fetch the game again")
        found[path, blob] = facts[1]
    return found


def tree(objects: Database, rev: str, layout: Layout = GAME, since: str | None = None) -> dict[str, Blob]:
    """Every file of a commit by its path, as `listed`; refused if they are too many bytes together."""
    found = sizes(objects, listed(objects, [rev], layout, since))
    if sum(found.values()) > TREE_LIMIT:
        raise VerificationError(f"{layout.what} cannot hold more than {TREE_LIMIT >> 20} MiB of files")
    return {path: Blob("100644", blob, size) for (path, blob), size in found.items()}


def line(objects: Database, head: str) -> Iterator[str]:
    """The commits of a line, newest first."""
    name = head
    for _ in range(FILE_LIMIT):
        yield name
        _, parent = read_commit(objects.read("commit", name), name)
        if parent is None:
            return
        name = parent
    raise VerificationError(f"a game cannot have more than {FILE_LIMIT} commits")


def _root(objects: Database, rev: str) -> str:
    return read_commit(objects.read("commit", rev), rev)[0]


def _folders(objects: Database, trees: Sequence[str], layout: Layout) -> dict[str, bytes]:
    """Folders of one level, which together are no larger than those of a game."""
    found: dict[str, bytes] = {}
    room = LISTS_LIMIT
    for name in trees:
        found[name] = objects.read("tree", name)
        room -= len(found[name])
        if room < 0:
            raise VerificationError(f"{layout.what} cannot hold so many or so large folders")
    return found


def _entries(raw: bytes, tree: str, folder: str) -> Iterator[tuple[str, str, str]]:
    """(mode, path, id) of everything in a folder."""
    for mode, name, found in tree_entries(raw, f"{tree[:12]} {folder}"):
        yield mode, f"{folder}/{name}" if folder else name, found


def _check_file(mode: str, path: str, layout: Layout) -> str:
    """The path of a lawful file: mode 100644, by the pattern."""
    if mode != "100644":
        kinds = {"120000": "a link", "160000": "a submodule", "100755": "executable", "40000": "a folder"}
        raise VerificationError(
            f"{shown(path)} is {kinds.get(mode, f'of mode {shown(mode)}')}",
            f"{layout.what} holds plain files on known paths only; nothing was read",
        )
    return layout.check(path)
