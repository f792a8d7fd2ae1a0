"""Git objects in plain Python: what a commit writes, and the ids that follow from it.

Invariants: author, committer, dates, message and tree come from `Commit` alone, so the same
commits have the same ids on every machine. `Ids` computes them without git and in linear time:
a commit re-hashes only the folders on its own paths.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pbem.errors import UsageError, VerificationError
from pbem.repository.layout import BLOB_LIMIT, GAME, SEAT, Layout, shown

_AUTHOR = re.compile(SEAT)
_NOT_IN_MESSAGE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]")
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
    """Refuses what would not be the same commit everywhere, or would break the import stream."""
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


@dataclass(slots=True)
class _Folder:
    """One tree; `known` is its id, or None once something below it has changed."""

    entries: dict[str, _Folder | str] = field(default_factory=dict)
    known: str | None = None

    def write(self, parts: list[str], blob: str) -> None:
        self.known = None
        if len(parts) == 1:
            self.entries[parts[0]] = blob
            return
        child = self.entries.setdefault(parts[0], _Folder())
        assert isinstance(child, _Folder), "the layout keeps files and folders apart"
        child.write(parts[1:], blob)

    def id(self, made: list[tuple[str, str]]) -> str:
        """Its id; every tree that had to be made for it is added to `made`."""
        if self.known is None:
            lines = []
            for name, entry in self.entries.items():
                if isinstance(entry, _Folder):
                    lines.append((f"{name}/", f"40000 {name}\0".encode() + bytes.fromhex(entry.id(made))))
                else:
                    lines.append((name, f"100644 {name}\0".encode() + bytes.fromhex(entry)))
            self.known = object_id("tree", b"".join(line for _, line in sorted(lines)))
            made.append(("tree", self.known))
        return self.known


class Ids:
    """The line of commits that grows from nothing, as ids."""

    def __init__(self, layout: Layout = GAME) -> None:
        self._layout = layout
        self._root = _Folder()
        self.head: str | None = None
        self.made: list[tuple[str, str]] = []
        """Kind and id of every object of the last commit: itself, the trees and blobs that it adds."""

    def add(self, commit: Commit) -> str:
        """The id of this commit on top of those before it."""
        check_commit(commit, self._layout)
        self.made = []
        for path, data in commit.files.items():
            blob = object_id("blob", data)
            self._root.write(path.split("/"), blob)
            self.made.append(("blob", blob))
        tree = self._root.id(self.made)
        parent = "" if self.head is None else f"parent {self.head}\n"
        signature = commit.signature()
        text = f"tree {tree}\n{parent}author {signature}\ncommitter {signature}\n\n{commit.message}"
        self.head = object_id("commit", text.encode())
        self.made.append(("commit", self.head))
        return self.head


def expected_ids(commits: Iterable[Commit], layout: Layout = GAME) -> tuple[str, ...]:
    """Ids of the line that these commits make, the first being its root."""
    line = Ids(layout)
    return tuple(line.add(commit) for commit in commits)


def import_stream(commits: Iterable[Commit], parent: str | None, ref: str) -> Iterator[bytes]:
    """A `git fast-import` stream that prints one id per commit and, by its last reset, moves no ref."""
    yield b"feature done\n"
    for number, commit in enumerate(commits, start=1):
        signature, message = commit.signature().encode(), commit.message.encode()
        yield f"commit {ref}\nmark :{number}\n".encode()
        yield b"author %s\ncommitter %s\n" % (signature, signature)
        yield b"data %d\n%s\n" % (len(message), message)
        if number == 1 and parent is not None:
            yield f"from {parent}\n".encode()
        for path, data in commit.files.items():
            yield f"M 100644 inline {path}\n".encode()
            yield b"data %d\n%s\n" % (len(data), data)
        yield f"\nget-mark :{number}\n".encode()
    yield f"reset {ref}\n\ndone\n".encode()


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
