"""Git objects in plain Python: what a commit writes, and the ids that follow from it.

Invariants: author, committer, dates, message and tree come from `Commit` alone, so the same
commits have the same ids on every machine. `Ids` makes them without git and in linear time:
a commit re-hashes only the folders on its own paths.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pbem.errors import UsageError, VerificationError
from pbem.repository.layout import BLOB_LIMIT, GAME, SEAT, Layout, shown

_AUTHOR = re.compile(SEAT)
_NOT_IN_MESSAGE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]")
_COMMIT_TREE = re.compile(rb"tree ([0-9a-f]{40})")
_ID = re.compile(r"[0-9a-f]{40}")
_LAST_SECOND = 253_402_300_799
"""9999-12-31T23:59:59Z."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One entry, as a commit."""

    files: Mapping[str, bytes]
    """Path -> content that this commit writes; all other files stay as they were."""
    message: str
    author: str
    """For example "hojo"; the mail address is always "<author>@pbem.invalid"."""
    when: int
    """Unix seconds; author and committer date alike, +0000."""

    def signature(self) -> str:
        """The author and committer field."""
        return f"{self.author} <{self.author}@pbem.invalid> {self.when} +0000"


def check_commit(commit: Commit, layout: Layout) -> None:
    """Refuses what would not be the same commit everywhere, or is too large to be kept."""
    if not commit.files:
        raise UsageError("a commit without files", "a commit writes at least one file")
    for path, data in commit.files.items():
        layout.check(path)
        if len(data) > BLOB_LIMIT:
            raise UsageError(f"{path} has {len(data)} bytes", f"at most {BLOB_LIMIT} bytes are kept")
    if _AUTHOR.fullmatch(commit.author) is None:
        raise UsageError(f"{shown(commit.author)} cannot be the author of a commit", "use the name of a seat")
    if not 0 <= commit.when <= _LAST_SECOND:
        raise UsageError(f"a commit dated {commit.when}", "dates are unix seconds up to the year 9999")
    if not commit.message or _NOT_IN_MESSAGE.search(commit.message):
        raise UsageError("a commit message is empty or holds control characters", "use plain lines of text")


def object_id(kind: str, data: bytes) -> str:
    """The id of a git object."""
    return hashlib.sha1(f"{kind} {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()


class Made(NamedTuple):
    """An object that a commit needs: its kind, its id and its content."""

    kind: str
    id: str
    content: bytes

    @classmethod
    def of(cls, kind: str, content: bytes) -> Made:
        """The object with this content."""
        return cls(kind, object_id(kind, content), content)


@dataclass(slots=True)
class _Folder:
    """One tree. `known` is its id, or None once something below it has changed."""

    entries: dict[str, _Folder | str] | None
    """None: it was not read yet, and is as its id says."""
    known: str | None = None

    def write(self, parts: list[str], blob: str, load: Callable[[str], bytes]) -> None:
        """Put a file in its place."""
        if self.entries is None:
            self.entries = _entries(load(str(self.known)), str(self.known))
        self.known = None
        if len(parts) == 1:
            self.entries[parts[0]] = blob
            return
        child = self.entries.setdefault(parts[0], _Folder({}))
        if not isinstance(child, _Folder):
            raise VerificationError(f"{shown(parts[0])} is a file where a folder should be")
        child.write(parts[1:], blob, load)

    def id(self, made: list[Made]) -> str:
        """Its id; every tree that had to be made for it is added to `made`."""
        if self.known is None:
            assert self.entries is not None, "a folder that was written to has been read"
            lines = []
            for name, entry in self.entries.items():
                if isinstance(entry, _Folder):
                    lines.append((f"{name}/", f"40000 {name}\0".encode() + bytes.fromhex(entry.id(made))))
                else:
                    lines.append((name, f"100644 {name}\0".encode() + bytes.fromhex(entry)))
            made.append(Made.of("tree", b"".join(line for _, line in sorted(lines))))
            self.known = made[-1].id
        return self.known


def _entries(raw: bytes, tree: str) -> dict[str, _Folder | str]:
    """What a tree holds: files and folders, nothing else."""
    found: dict[str, _Folder | str] = {}
    for mode, name, one in tree_entries(raw, tree[:12]):
        if mode not in ("100644", "40000"):
            raise VerificationError(f"{shown(name)} is neither a plain file nor a folder")
        found[name] = one if mode == "100644" else _Folder(None, one)
    return found


def _nothing_to_load(tree: str) -> bytes:
    raise AssertionError("a line that grows from nothing has made every tree itself")


class Ids:
    """A line of commits that grows, as objects: from nothing, or from a commit whose trees can be loaded."""

    def __init__(
        self,
        layout: Layout = GAME,
        head: str | None = None,
        tree: str | None = None,
        load: Callable[[str], bytes] = _nothing_to_load,
    ) -> None:
        self._layout, self._load = layout, load
        self._root = _Folder({}) if tree is None else _Folder(None, tree)
        self.head = head
        self.made: list[Made] = []
        """Every object of the last commit: itself, the trees and blobs that it adds."""

    def add(self, commit: Commit) -> str:
        """The id of this commit on top of those before it."""
        check_commit(commit, self._layout)
        self.made = []
        for path, data in commit.files.items():
            self.made.append(Made.of("blob", data))
            self._root.write(path.split("/"), self.made[-1].id, self._load)
        tree = self._root.id(self.made)
        parent = "" if self.head is None else f"parent {self.head}\n"
        signature = commit.signature()
        text = f"tree {tree}\n{parent}author {signature}\ncommitter {signature}\n\n{commit.message}"
        self.made.append(Made.of("commit", text.encode()))
        self.head = self.made[-1].id
        return self.head


def expected_ids(commits: Iterable[Commit], layout: Layout = GAME) -> tuple[str, ...]:
    """Ids of the line that these commits make, the first being its root."""
    line = Ids(layout)
    return tuple(line.add(commit) for commit in commits)


def read_commit(data: bytes, name: str) -> tuple[str, str | None]:
    """The tree of a commit and the one commit that it follows, if any; a merge is refused."""
    head = data.partition(b"\n\n")[0].split(b"\n")
    tree = _COMMIT_TREE.fullmatch(head[0])
    parents = [line[7:].decode("ascii", "replace") for line in head[1:] if line.startswith(b"parent ")]
    if tree is None or not all(_ID.fullmatch(parent) for parent in parents):
        raise VerificationError(f"the commit {name[:12]} is damaged", "fetch the game again")
    if len(parents) > 1:
        raise VerificationError(
            f"commit {name[:12]} is a merge", "a game is one line of commits; fetch it again"
        )
    return tree[1].decode(), parents[0] if parents else None


def tree_entries(data: bytes, where: str) -> Iterator[tuple[str, str, str]]:
    """(mode, name, id) of a raw tree, each name once."""
    names: set[bytes] = set()
    at = 0
    while at < len(data):
        space, nul = data.find(b" ", at), data.find(b"\0", at)
        name, end = data[space + 1 : nul], nul + 21
        if not at < space < nul or not name or name in names or end > len(data):
            raise VerificationError(f"the tree of {where} is damaged", "fetch the game again")
        names.add(name)
        yield (
            data[at:space].decode("ascii", "replace"),
            name.decode("utf-8", "surrogateescape"),
            data[nul + 1 : end].hex(),
        )
        at = end
