"""How git is run: through GitPython, with nothing from outside able to change what it does.

Invariants: no hook, filter, pager, alias, replacement ref, graft, alternate or lazy fetch takes
part. Plumbing sees neither system nor user configuration; a fetch or push sees the user's own
(credentials, ssh) but not their hooks. The configuration inside a game folder may have come with
the folder, so only keys on a short list are accepted, none of which means anything to a command
that is run here. GIT_DIR is always given, hence the ownership check (safe.directory) never applies,
nor does a repository around the folder. A host that falls silent is given up with every process
that was started to talk to it.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, TYPE_CHECKING, Any

from pbem.errors import PbemError, UsageError, VerificationError
from pbem.repository.layout import BLOB_LIMIT, shown
from pbem.repository.loose import Loose
from pbem.repository.objects import object_id
from pbem.system import end_whole, kept_open, limit_memory, read_small, strangers_child

if TYPE_CHECKING:
    import git

CONFIG = """\
[core]
	repositoryformatversion = 0
	filemode = false
	bare = false
	logallrefupdates = false
	hooksPath = /dev/null
	fsmonitor = false
	autocrlf = false
[commit]
	gpgsign = false
[gc]
	auto = 0
[pbem]
	format = 1
"""
"""The whole configuration of a game folder that pbem made."""

_OWN_SETTINGS = frozenset(
    {
        ("core.repositoryformatversion", "0"),
        ("core.bare", "false"),
        ("core.hookspath", "/dev/null"),
        ("core.fsmonitor", "false"),
        ("core.autocrlf", "false"),
        ("commit.gpgsign", "false"),
        ("gc.auto", "0"),
        ("pbem.format", "1"),
    }
)
_HARMLESS_KEY = re.compile(
    r"core\.(filemode|logallrefupdates|ignorecase|precomposeunicode|symlinks)"
    r"|remote\.[A-Za-z0-9_.-]+\.(url|pushurl|fetch|tagopt)"
    r"|branch\.[A-Za-z0-9_./-]+\.(remote|merge|rebase)"
    r"|user\.(name|email)",
    re.DOTALL,
)
"""What a clone has. A remote is harmless under a plain name: git takes an address for the name of a remote
if the configuration has one that is called so, and every address has a slash or a colon."""

_OVERRIDES = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.commitGraph=false",  # such a file may lie about parents and trees
    "core.multiPackIndex=false",
    "core.logAllRefUpdates=false",
    "core.alternateRefsCommand=",
    "core.bigFileThreshold=1m",  # larger foreign blobs are streamed to disk, not held in memory
    "core.deltaBaseCacheLimit=16m",
    "pack.threads=1",  # each would have a stack and a cache of its own
    "core.fsync=committed",  # loose objects too: the ref must not outlive them
    "core.fsyncMethod=batch",
    "advice.graftFileDeprecated=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "fetch.fsckObjects=true",
    "fetch.recurseSubmodules=false",
    "fetch.writeCommitGraph=false",
    "transfer.bundleURI=false",  # a server could name any other address to read from
    "push.recurseSubmodules=no",
    "push.gpgSign=false",
    "push.followTags=false",
    "protocol.version=2",
)

PROTOCOLS = ("file", "git", "http", "https", "ssh")
NETWORK_SECONDS = 300.0
NETWORK_BYTES = 64 << 20
"""A fetch that writes a larger pack is killed: a whole game is a few megabytes."""
GIT_MEMORY = 100 << 20
"""git holds a commit or a folder in memory whole, however small the file that it inflates from."""
CONFIG_LIMIT = 64 << 10
REF_FILES = 20_000
"""More files below refs and logs than this are no game's."""
OBJECT_FILES = 1_000_000
_FILES = ("HEAD", "config", "pbem.lock", "pbem.files")
_FOLDERS = ("objects", "refs", "pbem", "pbem/pool")
_NEEDED = ("HEAD", "config", "objects", "refs")


@dataclass(frozen=True, slots=True)
class Output:
    """What one git command said."""

    status: int
    out: bytes
    err: str


def _gitpython() -> type[git.Git]:
    """GitPython costs 130 ms to import, so only where used."""
    try:
        import git
    except ImportError as error:  # it refuses to be imported where there is no git
        raise UsageError("git cannot be run here", "install git 2.32 or later") from error
    return git.Git


class Plumbing:
    """Runs git on one git directory and reads its objects."""

    def __init__(self, folder: Path, git_dir: Path, *, hosted: bool = False) -> None:
        self.folder = folder.absolute()
        self.git_dir = git_dir.absolute()
        self.hosted = hosted
        """A server's own bare repository, inside one of its hooks: objects may lie in quarantine."""
        self.lock_fd: int | None = None
        """Handed on to plumbing, so that the lock of a killed run lasts as long as its last child."""
        self._handle: git.Git | None = None

    def _environment(self, network: bool) -> dict[str, str]:
        env = {
            "GIT_DIR": str(self.git_dir),
            "GIT_NAMESPACE": "",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_GRAFT_FILE": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_CONFIG_COUNT": "0",
            "GIT_CONFIG_PARAMETERS": "",
            "GIT_DEFAULT_HASH": "sha1",
            "GIT_DEFAULT_REF_FORMAT": "files",
            "GIT_ALLOW_PROTOCOL": ":".join(PROTOCOLS) if network else "",
        }
        if not self.hosted:
            env |= {
                "GIT_WORK_TREE": str(self.folder),
                "GIT_INDEX_FILE": str(self.git_dir / "index"),
                "GIT_OBJECT_DIRECTORY": str(self.git_dir / "objects"),
                "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
            }
            if "GIT_COMMON_DIR" in os.environ:
                env["GIT_COMMON_DIR"] = str(self.git_dir)
        if not network:
            env |= {
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_CONFIG_SYSTEM": os.devnull,
                "GIT_CONFIG_GLOBAL": os.devnull,
            }
        return env

    def _start(self, args: Sequence[str], network: bool = False) -> Any:
        """A git process with pipes."""
        handle = _gitpython()
        if self._handle is None:
            self._handle = handle(self.folder)
        command = [handle.GIT_PYTHON_GIT_EXECUTABLE or "git", "--no-pager"]
        for setting in _OVERRIDES if network else (*_OVERRIDES, "protocol.allow=never"):
            command += ["-c", setting]
        process: Any = self._handle.execute(
            [*command, *args],
            istream=subprocess.PIPE,
            as_process=True,
            shell=False,
            env=self._environment(network),
            pass_fds=() if network else kept_open(self.lock_fd),
            **(strangers_child(NETWORK_BYTES) if network else {}),
        )
        limit_memory(process.proc, GIT_MEMORY)
        return process

    def run(self, *args: str, data: bytes = b"", network: bool = False) -> Output:
        """One git command, whatever its exit code."""
        process = self._start(args, network)
        try:
            out, err = process.communicate(data, timeout=NETWORK_SECONDS if network else None)
        except BaseException as error:
            if network:
                end_whole(process.proc)
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            process.communicate()
            return Output(-1, b"", f"no answer within {NETWORK_SECONDS:.0f} seconds")
        return Output(process.returncode, out, err.decode("utf-8", "replace"))

    def must(self, *args: str, data: bytes = b"") -> bytes:
        """The output of a plumbing command that has no reason to fail."""
        result = self.run(*args, data=data)
        if result.status != 0:
            raise PbemError(
                f"git {args[0]} failed in {self.folder}: {complaint(result.err)}",
                "check that the disk is not full and the folder is yours to write, then try again",
            )
        return result.out

    def sizes(self, names: Sequence[str]) -> list[tuple[str, str, int] | None]:
        """(id, kind, size) of each object, None for one that is not there; nothing is read."""
        if not names:
            return []
        answer = self.must("cat-file", "--batch-check", data="".join(f"{n}\n" for n in names).encode())
        found: list[tuple[str, str, int] | None] = []
        for line in answer.splitlines():
            words = line.decode("utf-8", "replace").rsplit(" ", 2)
            found.append((words[0], words[1], int(words[2])) if words[-1].isdigit() else None)
        if len(found) != len(names):
            raise PbemError(f"git cat-file answered out of step in {self.folder}", "this is a bug; report it")
        return found

    def objects(self, kind: str, names: Sequence[str]) -> list[bytes]:
        """The content of each object: its size seen before, its id recomputed from what was read."""
        return list(self.each(kind, names))

    def each(self, kind: str, names: Sequence[str]) -> Iterator[bytes]:
        """The same, one at a time: what is not kept costs no memory. git is started where it must be."""
        loose, done = Loose(self.git_dir), 0
        for name in () if self.hosted else names:
            content = loose.read(kind, name)
            if content is None:
                break
            yield content
            done += 1
        yield from self.as_git_has_it(kind, names[done:])

    def as_git_has_it(self, kind: str, names: Sequence[str]) -> Iterator[bytes]:
        """The same, from git itself: an object may stand in a pack and in a file, and be altered in one."""
        if not names:
            return
        process = self._start(("cat-file", "--batch"))
        asking = Thread(target=_ask, args=(process.stdin, names), daemon=True)
        asking.start()
        try:
            for name in names:
                yield self._content(kind, name, process.stdout)
        finally:
            process.kill()
            asking.join()
            for pipe in (process.stdout, process.stderr):
                pipe.close()
            process.proc.wait()

    def _content(self, kind: str, name: str, answers: IO[bytes]) -> bytes:
        """The next object that a `cat-file --batch` tells of."""
        words = answers.readline().decode("utf-8", "replace").rsplit(" ", 2)
        if words[-1:] == [""]:
            raise PbemError(f"git cat-file failed in {self.folder}", "check that the folder is yours to read")
        size = int(words[2]) if len(words) == 3 and words[2].strip().isdigit() else None
        if size is None or words[1] != kind:
            raise VerificationError(f"the game has no {kind} {name}", "fetch the game again")
        if size > BLOB_LIMIT:
            raise VerificationError(
                f"the {kind} {name} has {size} bytes and was not read",
                f"nothing in a game is larger than {BLOB_LIMIT} bytes",
            )
        content = answers.read(size)
        answers.read(1)
        if object_id(kind, content) != words[0]:
            raise VerificationError(f"the {kind} {name} was altered inside .git", "fetch the game again")
        return content


def _ask(stdin: IO[bytes], names: Sequence[str]) -> None:
    """Beside the reading of answers, since neither pipe holds everything."""
    with suppress(OSError):  # the reader has heard enough
        stdin.write("".join(f"{name}\n" for name in names).encode())
        stdin.close()


def complaint(text: str) -> str:
    """The line of git's complaint that says most, made safe to print."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    telling = [line for line in fatal if "Could not read from remote" not in line]
    return shown((telling or lines or ["no reason given"])[0], 300).strip("'\"")


def check_git_dir(folder: Path) -> Path:
    """The .git of a folder, provided that it is plain: what came with a folder may be hostile."""
    git_dir = folder / ".git"
    if not git_dir.is_dir() or git_dir.is_symlink():
        raise UsageError(f"{folder} is not a game folder", "give the folder that holds game.toml and .git")
    if (git_dir / "shallow").exists():
        raise UsageError(f"{folder} lacks the beginning of the game", "run: git fetch --unshallow")
    for name in ("commondir", "objects/info/alternates", "objects/info/http-alternates"):
        if (git_dir / name).exists():
            raise UsageError(f"{folder} borrows its objects from elsewhere", f"remove .git/{name}")
    for path in _strange(git_dir):
        kind = "a link" if path.is_symlink() else "neither a file nor a folder"
        raise UsageError(
            f"{shown(str(path.relative_to(folder)))} is {kind}",
            "a game folder holds only files and folders inside .git",
        )
    for name in (*_FILES, *_FOLDERS):
        path = git_dir / name
        if name in _NEEDED and not path.exists():
            raise UsageError(f"{folder} has a damaged .git: no {name}", "clone or rebuild the game")
        if path.exists() and path.is_dir() != (name in _FOLDERS):
            kind = "no folder" if name in _FOLDERS else "no file"
            raise UsageError(f"{folder} has a damaged .git: {name} is {kind}", "clone or rebuild the game")
    return git_dir


def _strange(git_dir: Path) -> Iterator[Path]:
    """Links, pipes and devices: git or we would write or delete through them, or wait for them for ever."""
    for folder in (git_dir, git_dir / "pbem"):
        yield from _looked_at(folder)[1]
    for top, most in (("objects", OBJECT_FILES), ("refs", REF_FILES), ("logs", REF_FILES)):
        pending, seen = [git_dir / top], 0
        while pending:
            folders, strange, files = _looked_at(pending.pop())
            yield from strange
            pending += folders
            seen += len(folders) + files
            if seen > most:
                raise UsageError(f"{git_dir / top} holds more than {most} files", "clone the game again")


def _looked_at(folder: Path) -> tuple[list[Path], list[Path], int]:
    """The folders in a folder, what is neither folder nor file (a socket leads nowhere), how many files."""
    folders, strange, files = [], [], 0
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as found:
        for one in found:
            if one.is_file(follow_symlinks=False):
                files += 1
            elif one.is_dir(follow_symlinks=False):
                folders.append(Path(one.path))
            elif not stat.S_ISSOCK(one.stat(follow_symlinks=False).st_mode):
                strange.append(Path(one.path))
    return folders, strange, files


def check_config(plumbing: Plumbing) -> bool:
    """True when pbem made this folder; refuses settings that could make git run something."""
    path = plumbing.git_dir / "config"
    try:
        if read_small(path, CONFIG_LIMIT) == CONFIG.encode():
            return True
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", "clone the game again") from None
    listed = plumbing.must("config", "--file", str(path), "--no-includes", "--null", "--list")
    ours = False
    for item in listed.decode("utf-8", "replace").split("\0")[:-1]:
        key, _, value = item.partition("\n")
        ours = ours or key == "pbem.format"
        if (key, value) not in _OWN_SETTINGS and _HARMLESS_KEY.fullmatch(key) is None:
            raise UsageError(
                f"{path} sets {shown(key)}, which pbem does not let git use",
                f"look at it; to remove it: git config --file {path} --unset-all {shown(key)}",
            )
    return ours
