"""A game folder: a line of commits that only grows, and the plain files that follow it.

Invariants: the ref is the truth. What is added is first told in the record, which is put on disk; then the
objects are written, then the ref moves, then the plain files follow. A process that is killed between any two
leaves the line before or after, never in between, and the next one that opens the folder finishes it
(`heal`). Whoever writes holds the lock, and says from which commit it goes on. No git runs for any of this;
nothing is ever checked out.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import BusyError, PbemError, UsageError, VerificationError, disk_error
from pbem.repository import walking
from pbem.repository.database import Database, Place
from pbem.repository.disk import Disk, FileDisk, Lock
from pbem.repository.files import PlainFiles
from pbem.repository.git_dir import CONFIG, check_config, check_git_dir
from pbem.repository.index import Index
from pbem.repository.layout import GAME, Layout, check_id
from pbem.repository.objects import Commit, Ids, check_commit, expected_ids, object_id, read_commit
from pbem.repository.packing import packed
from pbem.repository.refs import Refs
from pbem.repository.upkeep import FILES_MARK, MAIN, NO_COMMIT, Upkeep
from pbem.repository.walking import Blob, File

if TYPE_CHECKING:
    from pbem.repository.plumbing import Plumbing

PATIENCE = 20.0
"""So many seconds another process may be at work in a folder before that is an error."""
_NO_REF = "-"
"""In the record: objects to which no ref leads yet."""


class Repository:
    """One game folder: `top` is where its git directory is on the disk, with a slash, or nothing."""

    def __init__(self, disk: Disk, path: Path, top: str = ".git/", borrowed: Sequence[Place] = ()) -> None:
        self.disk, self.path, self._top = disk, path, top
        self.objects = Database([Place(disk, f"{top}objects"), *borrowed])
        self.refs = Refs(disk, top)
        self._upkeep = Upkeep(disk, top, self.objects.places[0], self.refs)
        self._files = PlainFiles(disk, GAME)
        self._lock: Lock | None = None
        self._depth = 0
        self.was_unfinished = False
        """A killed run had left something when this was opened; it is finished by now."""
        self._added: tuple[str | None, str, dict[str, bytes]] | None = None
        """From which commit to which, and the files: what `append` added and `write_files` did not write."""

    @cached_property
    def git(self) -> Plumbing:
        """git itself, for what is its business."""
        from pbem.repository.plumbing import Plumbing

        return Plumbing(self.path, self.path / self._top, lambda: self._lock.fd if self._lock else None)

    # --- opening

    @classmethod
    def create(cls, path: Path) -> Repository:
        """Makes the folder a repository: SHA-1 objects, branch main, safe settings."""
        git_dir = path / ".git"
        if os.path.lexists(git_dir):
            raise UsageError(f"{path} already holds a git repository", "choose another folder")
        path.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=".git-new-", dir=path))
        try:
            disk = FileDisk(scratch)
            for folder in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):
                disk.make(folder)
            disk.write("HEAD", f"ref: {MAIN}\n".encode())
            disk.write("config", CONFIG.encode())
            disk.sync("HEAD", "config", "refs", "")
            os.rename(scratch, git_dir)
        except OSError as error:
            told = f"{path} cannot become a game folder: {error.strerror}"
            raise disk_error(error) or UsageError(told) from error
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        repo = cls(FileDisk(path), path.absolute())
        repo.disk.sync("")
        return repo

    @classmethod
    def begin(cls, path: Path, first: Commit) -> Repository:
        """The game that begins with this commit; one that a killed run has begun here is taken up."""
        if not os.path.lexists(path / ".git"):
            repo = cls.create(path)
        else:
            check_git_dir(path)
            repo = cls(FileDisk(path), path.absolute())
            ours = check_config(repo.disk, ".git/config")
            if not ours or repo.history()[:1] not in ([], [*expected_ids([first])]):
                raise UsageError(f"{path} already holds a git repository", "choose another folder")
        with repo.lock():
            if repo.head() is None:
                repo.append([first], parent=None)
            repo.write_files()
        return repo

    @classmethod
    def open(cls, path: Path) -> Repository:
        """The game in this folder; refuses anything else, and a .git that could act on its own."""
        check_git_dir(path)
        repo = cls(FileDisk(path), path.absolute())
        if not check_config(repo.disk, ".git/config"):
            head = repo.head()
            if head is None or repo.objects.find(head, ["game.toml"]) == [None]:
                raise UsageError(f"{path} is a git repository but not a game", "main holds no game.toml")
        repo.was_unfinished = repo.heal()
        return repo

    @classmethod
    def hosted(cls, git_dir: Path) -> Repository:
        """A server's own bare repository, for the check in its hook; read only.

        What is being pushed lies in quarantine, in folders that git names to its hooks.
        """
        named = [os.environ.get("GIT_OBJECT_DIRECTORY", "")]
        named += os.environ.get("GIT_ALTERNATE_OBJECT_DIRECTORIES", "").split(os.pathsep)
        places = [
            Place(FileDisk(Path(folder).absolute().parent), Path(folder).name) for folder in named if folder
        ]
        return cls(FileDisk(git_dir), git_dir.absolute(), "", places)

    # --- one at a time

    @contextmanager
    def lock(self, patience: float | None = None) -> Iterator[None]:
        """Keeps every other pbem from writing; finishes what a killed one began. May be nested."""
        if self._depth == 0:
            self._lock = self.disk.lock(f"{self._top}pbem.lock", PATIENCE if patience is None else patience)
            if self._lock is None:
                raise BusyError(
                    f"another pbem is at work in {self.path}", "wait until it is done, then try again"
                )
        self._depth += 1
        try:
            if self._depth == 1:
                self._upkeep.clear_locks()
                self._upkeep.record.load()
                if self._upkeep.finish():
                    self.write_files(everything=True)
                    self._upkeep.record.stamp()
            yield
        finally:
            self._depth -= 1
            if self._depth == 0 and self._lock is not None:
                self._lock.release()
                self._lock = None

    def heal(self) -> bool:
        """Finishes what a killed process, or a machine that lost its power, has left; true if it did.

        It stays as it is where another process is at work, nothing may be written, or something is missing.
        """
        self._upkeep.record.load()
        if not self._is_unfinished():
            return False
        try:
            with self.lock(0):
                self.write_files()
        except (PbemError, OSError):
            return False
        return True

    def _is_unfinished(self) -> bool:
        mark, is_told = self._files_mark(), bool(self._upkeep.record.pieces)
        with suppress(VerificationError):
            return self._upkeep.is_cut_off() or (mark != self.head() if mark else is_told)
        return is_told  # a ref that was lost with the machine can be written again

    # --- the line

    def head(self, ref: str = MAIN) -> str | None:
        """The commit at the end of the line, None before the first."""
        return self.refs.read(ref)

    def append(self, commits: Sequence[Commit], *, parent: str | None) -> tuple[str, ...]:
        """Adds one commit or a thousand; the line moves once, and only from `parent`."""
        if not commits:
            return ()
        if parent is not None:
            check_id(parent)
        with self.lock():
            if self.head() != parent:
                raise BusyError(
                    f"{MAIN} in {self.path} moved meanwhile",
                    "run the command again: it starts from the new end of the line",
                )
            ids = self._write(commits, parent, GAME, MAIN)
            self.refs.move(MAIN, ids[-1])
            self._remember(commits, parent, ids[-1])
        return ids

    def rewind(self, commit: str) -> str:
        """Takes the main line back to an earlier commit of its own; what came after it is no part of it."""
        with self.lock():
            head = self.head()
            if head is None or check_id(commit) not in self.history():
                raise UsageError(f"{commit[:12]} is no commit of the line in {self.path}")
            here = {path for path, _ in self.listed([commit])}
            gone = sorted({path for path, _ in self.listed([head])} - here)
            self._upkeep.record.add(MAIN, head, commit, {})
            self.refs.move(MAIN, commit)
            self._added = None
            for path in gone:
                self._files.remove(path)
            self._index.update({}, set(gone), dict)
        return commit

    def _remember(self, commits: Sequence[Commit], parent: str | None, head: str) -> None:
        if self._added is None or self._added[1] != parent:
            self._added = (parent, head, {})
        start, _, files = self._added
        for commit in commits:
            files.update(commit.files)
        self._added = (start, head, files)

    def write(self, commits: Sequence[Commit], parent: str | None, layout: Layout) -> tuple[str, ...]:
        """The objects of a line of commits that continues `parent`; no ref leads to them yet."""
        with self.lock():
            return self._write(commits, parent, layout, _NO_REF)

    def _write(
        self, commits: Sequence[Commit], parent: str | None, layout: Layout, ref: str
    ) -> tuple[str, ...]:
        for commit in commits:
            check_commit(commit, layout)
        tree = read_commit(self.objects.read("commit", parent), parent)[0] if parent else None
        line = Ids(layout, parent, tree, lambda name: self.objects.read("tree", name))
        ids: list[str] = []
        made: dict[str, bytes] = {}
        for commit in commits:
            ids.append(line.add(commit))
            made |= {one.id: packed(one) for one in line.made}
        self._upkeep.record.add(ref, parent or NO_COMMIT, ids[-1], made)
        self.objects.places[0].keep(made)
        self.objects.places[0].put_together()
        return tuple(ids)

    def move_ref(self, ref: str, commit: str) -> None:
        """A ref beside the main line names this commit from now on; it is on disk when this returns."""
        with self.lock():
            self.refs.move(ref, commit)
            self.disk.sync(f"{self._top}{ref}", f"{self._top}{ref}".rpartition("/")[0])

    # --- reading

    def read(self, path: str, rev: str | None = None) -> bytes:
        """One file, at `rev` or at the end of the main line."""
        return self.read_many([path], rev)[0]

    def read_many(self, paths: Sequence[str], rev: str | None = None, layout: Layout = GAME) -> list[bytes]:
        """Several files at once."""
        where = self.head() if rev is None else check_id(rev)
        for path in paths:
            layout.check(path)
        if where is None:
            raise VerificationError(f"{self.path} holds no game yet")
        found = self.objects.find(where, paths)
        for path, blob in zip(paths, found, strict=True):
            if blob is None:
                raise VerificationError(f"the game has no {path} in {where[:12]}", "fetch the game again")
        return self.blobs([blob for blob in found if blob])

    def blobs(self, ids: Iterable[str]) -> list[bytes]:
        """The content of files by id."""
        return [self.objects.read("blob", name) for name in ids]

    def history(self, ref: str = MAIN) -> list[str]:
        """The commits of the line that ends with a ref or a commit, oldest first."""
        head = self.head(ref) if ref.startswith("refs/") else check_id(ref)
        return [*walking.line(self.objects, head)][::-1] if head is not None else []

    def commit_bytes(self, ids: Sequence[str]) -> list[bytes]:
        """Raw commit objects."""
        return [self.objects.read("commit", check_id(name)) for name in ids]

    def tree(self, rev: str, layout: Layout = GAME, since: str | None = None) -> dict[str, Blob]:
        """Every file of a commit; refuses paths outside the layout, links, submodules, exec bits.

        With `since`, a commit that was looked at before: only the files that are new or other than there.
        """
        return walking.tree(self.objects, check_id(rev), layout, since)

    def listed(self, revs: Sequence[str], layout: Layout = GAME, since: str | None = None) -> list[File]:
        """Path and blob of every file in any of these commits, as strictly as `tree`."""
        return walking.listed(self.objects, revs, layout, since)

    def walk(self, revs: Sequence[str], layout: Layout = GAME) -> dict[File, int]:
        """The same, with the size of each."""
        return walking.sizes(self.objects, self.listed(revs, layout))

    @staticmethod
    def expected_ids(commits: Iterable[Commit]) -> tuple[str, ...]:
        """The ids of a whole main line, computed without git; see `objects.Ids` for one at a time."""
        return expected_ids(commits)

    def has_grafts(self) -> bool:
        """True if a graft would make git show another line than the commits themselves."""
        with suppress(OSError):
            return bool(self.disk.part(f"{self._top}info/grafts", 0, 1))
        return False

    # --- plain files

    @cached_property
    def _index(self) -> Index:
        return Index(self.disk, f"{self._top}index")

    def write_files(self, *, everything: bool = False) -> list[str]:
        """Brings the plain files up to the end of the line; returns the paths it had to write.

        Writes what `append` added since the files were last in place. Compares every file when
        told to, and after a crash, when what was added is no longer at hand.
        """
        with self.lock():
            head, mark = self.head(), self._files_mark()
            if head is None or (head == mark and not everything):
                return []
            contents: Mapping[str, bytes] = {}
            if self._added is not None and not everything and self._added[:2] == (mark, head):
                contents = self._added[2]
                wanted = {path: object_id("blob", data) for path, data in contents.items()}
            else:
                wanted = dict(self.listed([head]))
            stale = [path for path, blob in wanted.items() if not _same(self._files.read(path), blob)]
            for path in stale:
                data = contents[path] if contents else self.objects.read("blob", wanted[path])
                self._files.write(path, data)
            self._index.update(wanted, set(), lambda: dict(self.listed([head])))
            if mark != head:
                self._write_mark(head)
            self._added = None
            self._upkeep.pack(head, lambda: self.git)
            return sorted(stale)

    def _write_mark(self, head: str) -> None:
        fresh = f"{self._top}{FILES_MARK}.new"
        self.disk.write(fresh, f"{head}\n".encode())
        self.disk.rename(fresh, f"{self._top}{FILES_MARK}")

    def _files_mark(self) -> str | None:
        """The commit whose files are in place, if that is known."""
        with suppress(OSError, VerificationError):
            return check_id(
                self.disk.read(f"{self._top}{FILES_MARK}", 100).decode("ascii", "replace").strip()
            )
        return None

    def compare_files(self) -> list[str]:
        """Plain files that differ from the end of the line, are missing, or are too many."""
        head = self.head()
        blobs = {} if head is None else dict(self.listed([head]))
        differ = {path for path, blob in blobs.items() if not _same(self._files.read(path), blob)}
        return sorted(differ | (set(self._files.names()) - set(blobs)))


def _same(data: bytes | None, blob: str) -> bool:
    return data is not None and object_id("blob", data) == blob
