"""A game folder: a line of commits that only grows, and the plain files that follow it.

Invariants: the ref is the truth. Objects are written first, then the ref moves by
compare-and-swap, then the plain files follow; a crash between any two leaves the line before or
after, never in between, and `write_files` makes up for what is missing. Whoever writes holds the
lock. Content is read as objects, its size asked for first; nothing is ever checked out.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from pbem.errors import BusyError, PbemError, UsageError, VerificationError
from pbem.repository import loose
from pbem.repository.files import PlainFiles
from pbem.repository.layout import FILE_LIMIT, GAME, LISTS_LIMIT, TREE_LIMIT, Layout, check_id, shown
from pbem.repository.objects import Commit, check_commit, expected_ids, import_stream, object_id, tree_entries
from pbem.repository.plumbing import CONFIG, Plumbing, check_config, check_git_dir, complaint
from pbem.system import sync_folder, try_lock, write_whole

MAIN = "refs/heads/main"
_NOWHERE = "refs/pbem/import"
"""The branch that an import is written to; the stream resets it, so it never exists."""
_NO_COMMIT = "0" * 40
_FILES_MARK = "pbem.files"
"""In .git: the commit whose plain files were last in place."""


class Blob(NamedTuple):
    """A file of a tree."""

    mode: str
    id: str
    size: int


class Repository:
    """One game folder."""

    def __init__(self, plumbing: Plumbing) -> None:
        self.git = plumbing
        self._depth = 0
        self._added: tuple[str | None, str, dict[str, bytes]] | None = None
        """From which commit to which, and the files: what `append` added and `write_files` did not write."""

    @property
    def path(self) -> Path:
        """The game folder."""
        return self.git.folder

    @classmethod
    def create(cls, path: Path) -> Repository:
        """Makes the folder a repository: SHA-1 objects, branch main, no templates, safe settings."""
        git_dir = path / ".git"
        if os.path.lexists(git_dir):
            raise UsageError(f"{path} already holds a git repository", "choose another folder")
        path.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=".git-new-", dir=path))
        try:
            Plumbing(path, scratch).must(
                "init", "--quiet", "--object-format=sha1", "--initial-branch=main", "--template="
            )
            write_whole(scratch / "config", CONFIG.encode())
            os.rename(scratch, git_dir)
        except OSError as error:
            raise UsageError(f"{path} cannot become a game folder: {error.strerror}") from error
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        sync_folder(path)
        return cls(Plumbing(path, git_dir))

    @classmethod
    def begin(cls, path: Path, first: Commit) -> Repository:
        """The game that begins with this commit; one that a killed run has begun here is taken up."""
        if not os.path.lexists(path / ".git"):
            repo = cls.create(path)
        else:
            repo = cls(Plumbing(path, check_git_dir(path)))
            other = not check_config(repo.git) or repo.history()[:1] not in ([], [*expected_ids([first])])
            if other:
                raise UsageError(f"{path} already holds a git repository", "choose another folder")
        with repo.lock():
            if repo.head() is None:
                repo.append([first], parent=None)
            repo.write_files()
        return repo

    @classmethod
    def open(cls, path: Path) -> Repository:
        """The game in this folder; refuses anything else, and a .git that could act on its own."""
        plumbing = Plumbing(path, check_git_dir(path))
        if not check_config(plumbing) and plumbing.sizes([f"{MAIN}:game.toml"]) == [None]:
            raise UsageError(f"{path} is a git repository but not a game", "main holds no game.toml")
        return cls(plumbing)

    @classmethod
    def hosted(cls, git_dir: Path) -> Repository:
        """A server's own bare repository, for the check in its hook; read only."""
        return cls(Plumbing(git_dir, git_dir, hosted=True))

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keeps every other pbem from writing; clears what a killed run left. May be nested."""
        if self._depth == 0:
            fd = try_lock(self.git.git_dir / "pbem.lock")
            if fd is None:
                raise BusyError(
                    f"another pbem is at work in {self.path}", "wait until it is done, then try again"
                )
            self.git.lock_fd = fd
            self._clear_stale()
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if self._depth == 0 and self.git.lock_fd is not None:
                os.close(self.git.lock_fd)
                self.git.lock_fd = None

    def _clear_stale(self) -> None:
        """Git's own locks: under ours, whoever made them is dead."""
        git_dir = self.git.git_dir
        for pattern in ("*.lock", "refs/**/*.lock", "fast_import_crash_*"):
            for path in git_dir.glob(pattern):
                if path.name != "pbem.lock":
                    path.unlink(missing_ok=True)

    def head(self, ref: str = MAIN) -> str | None:
        """The commit at the end of the line, None before the first."""
        with suppress(OSError, VerificationError):  # a loose ref needs no process
            return loose.ref(self.git.git_dir, ref)
        found = self.git.run("rev-parse", "--verify", "--quiet", "--end-of-options", ref)
        if found.status == 0:
            return found.out.decode().strip()
        if (self.git.git_dir / ref).is_file():
            raise VerificationError(f"{ref} in {self.path} is damaged", "clone or rebuild the game")
        return None

    def append(self, commits: Sequence[Commit], *, parent: str | None) -> tuple[str, ...]:
        """Adds one commit or a thousand in one stream; the line moves once, and only from `parent`."""
        if not commits:
            return ()
        old = _NO_COMMIT if parent is None else check_id(parent)
        with self.lock():
            ids = self.write(commits, parent, GAME)
            moved = self.git.run("update-ref", "--no-deref", MAIN, ids[-1], old)
            if moved.status != 0:
                raise BusyError(
                    f"{MAIN} in {self.path} moved meanwhile: {complaint(moved.err)}",
                    "run the command again: it starts from the new end of the line",
                )
            self._remember(commits, parent, ids[-1])
        return ids

    def rewind(self, commit: str) -> str:
        """Takes the main line back to an earlier commit of its own; what came after it is no part of it."""
        with self.lock():
            head = self.head()
            if head is None or check_id(commit) not in self.history():
                raise UsageError(f"{commit[:12]} is no commit of the line in {self.path}")
            gone = sorted(set(self.tree(head)) - set(self.tree(commit)))
            self.git.must("update-ref", "--no-deref", MAIN, commit, head)
            self._added = None
            with PlainFiles(self.path, GAME) as files:
                for path in gone:
                    files.remove(path)
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
        for commit in commits:
            check_commit(commit, layout)
        stream = b"".join(import_stream(commits, parent, _NOWHERE))
        out = self.git.must("fast-import", "--quiet", "--done", "--date-format=raw", data=stream)
        ids = tuple(out.decode().split())
        if len(ids) != len(commits):
            raise PbemError(f"git fast-import wrote {len(ids)} of {len(commits)} commits in {self.path}")
        return ids

    def read(self, path: str, rev: str | None = None) -> bytes:
        """One file, at `rev` or at the end of the main line."""
        return self.read_many([path], rev)[0]

    def read_many(self, paths: Sequence[str], rev: str | None = None, layout: Layout = GAME) -> list[bytes]:
        """Several files at once."""
        where = MAIN if rev is None else check_id(rev)
        return self.git.objects("blob", [f"{where}:{layout.check(path)}" for path in paths])

    def history(self, ref: str = MAIN) -> list[str]:
        """The commits of the line, oldest first."""
        if self.head(ref) is None:
            return []
        most = f"--max-count={FILE_LIMIT + 1}"
        lines = self.git.must("rev-list", "--reverse", most, "--parents", ref, "--").decode().splitlines()
        if len(lines) > FILE_LIMIT:
            raise VerificationError(f"a game cannot have more than {FILE_LIMIT} commits")
        for line in lines:
            if line.count(" ") > 1:
                raise VerificationError(
                    f"commit {line[:12]} is a merge", "a game is one line of commits; fetch it again"
                )
        return [line[:40] for line in lines]

    def commit_bytes(self, ids: Sequence[str]) -> list[bytes]:
        """Raw commit objects."""
        return self.git.objects("commit", [check_id(i) for i in ids])

    def tree(self, rev: str, layout: Layout = GAME, since: str | None = None) -> dict[str, Blob]:
        """Every file of a commit; refuses paths outside the layout, links, submodules, exec bits.

        With `since`, a commit that was looked at before: only the files that are new or other than there.
        """
        found = self.walk([rev], layout, since)
        if sum(found.values()) > TREE_LIMIT:
            raise VerificationError(f"{layout.what} cannot hold more than {TREE_LIMIT >> 20} MiB of files")
        return {path: Blob("100644", blob, size) for (path, blob), size in found.items()}

    def walk(
        self, revs: Sequence[str], layout: Layout = GAME, since: str | None = None
    ) -> dict[tuple[str, str], int]:
        """(path, blob) -> size of every file in any of these commits, as strictly as `tree`.

        Folders that commits share are read once: a line of commits costs what its changes cost.
        """
        commits = self.commit_bytes([*revs, since] if since else revs)
        roots = [check_id(commit[5:45].decode("ascii", "replace")) for commit in commits]
        level = {("", root) for root in roots[: len(revs)]}
        known = {("", root) for root in roots[len(revs) :]}
        files: dict[tuple[str, str], None] = {}
        seen: set[tuple[str, str]] = set()
        while level := level - known:
            known = {(folder, tree) for folder, tree in known if any(folder == f for f, _ in level)}
            ids = sorted({tree for _, tree in level | known})
            trees = self._folders(ids, layout)
            below: set[tuple[str, str]] = set()
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
        return self._sizes([key for key in files if key not in seen])

    def _folders(self, ids: Sequence[str], layout: Layout) -> dict[str, bytes]:
        """Folders of one level, which together are no larger than those of a game."""
        trees: dict[str, bytes] = {}
        room = LISTS_LIMIT
        for name, data in zip(ids, self.git.each("tree", ids), strict=True):
            trees[name] = data
            room -= len(data)
            if room < 0:
                raise VerificationError(f"{layout.what} cannot hold so many or so large folders")
        return trees

    def _sizes(self, files: Sequence[tuple[str, str]]) -> dict[tuple[str, str], int]:
        sizes: dict[tuple[str, str], int] = {}
        for key, facts in zip(files, self.git.sizes([blob for _, blob in files]), strict=True):
            if facts is None or facts[1] != "blob":
                raise VerificationError(f"the content of {key[0]} is missing", "fetch the game again")
            sizes[key] = facts[2]
        return sizes

    @staticmethod
    def expected_ids(commits: Iterable[Commit]) -> tuple[str, ...]:
        """The ids of a whole main line, computed without git; see `objects.Ids` for one at a time."""
        return expected_ids(commits)

    def write_files(self, *, everything: bool = False) -> list[str]:
        """Brings the plain files up to the end of the line; returns the paths it had to write.

        Writes what `append` added since the files were last in place. Compares every file when
        told to, and after a crash, when what was added is no longer at hand.
        """
        with self.lock():
            head, mark = self.head(), self._files_mark()
            if head is None or (head == mark and not everything):
                return []
            if self._added is not None and not everything and self._added[:2] == (mark, head):
                contents: Mapping[str, bytes] | None = self._added[2]
                wanted = {path: object_id("blob", data) for path, data in self._added[2].items()}
            else:
                contents = None
                wanted = {path: blob.id for path, blob in self.tree(head).items()}
            with PlainFiles(self.path, GAME) as files:
                stale = [path for path, blob in wanted.items() if not _same(files.read(path), blob)]
                if contents is None:
                    blobs = self.git.objects("blob", [wanted[path] for path in stale])
                    contents = dict(zip(stale, blobs, strict=True))
                for path in stale:
                    files.write(path, contents[path])
            self.git.must("read-tree", head)  # for who looks with git: `git status` shows no difference
            if mark != head:
                write_whole(self.git.git_dir / _FILES_MARK, f"{head}\n".encode())
            self._added = None
            return sorted(stale)

    def _files_mark(self) -> str | None:
        """The commit whose files are in place, if that is known."""
        with suppress(OSError, VerificationError):
            return loose.ref(self.git.git_dir, _FILES_MARK)
        return None

    def compare_files(self) -> list[str]:
        """Plain files that differ from the end of the line, are missing, or are too many."""
        head = self.head()
        blobs = {} if head is None else self.tree(head)
        with PlainFiles(self.path, GAME) as files:
            differ = {path for path, blob in blobs.items() if not _same(files.read(path), blob.id)}
            return sorted(differ | (set(files.names()) - set(blobs)))


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


def _same(data: bytes | None, blob: str) -> bool:
    return data is not None and object_id("blob", data) == blob
