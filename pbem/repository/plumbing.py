"""How git is run where that is git's business: fetching, pushing, packing.

It runs through GitPython, with nothing from outside able to change what it does.

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
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.errors import PbemError, UsageError
from pbem.repository.git_dir import check_objects
from pbem.repository.layout import shown
from pbem.system import end_whole, kept_open, limit_memory, strangers_child

if TYPE_CHECKING:
    import git

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
    "fetch.unpackLimit=1",
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
    """Runs git on one git directory."""

    def __init__(self, folder: Path, git_dir: Path, held: Callable[[], int | None] = lambda: None) -> None:
        self.folder = folder.absolute()
        self.git_dir = git_dir.absolute()
        self._held = held
        """The lock, if it is held: git inherits it, so that the lock of a killed run lasts as long as its
        last child."""
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
            check_objects(self.git_dir)
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
            pass_fds=() if network else kept_open(self._held()),
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


def complaint(text: str) -> str:
    """The line of git's complaint that says most, made safe to print."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    telling = [line for line in fatal if "Could not read from remote" not in line]
    return shown((telling or lines or ["no reason given"])[0], 300).strip("'\"")
