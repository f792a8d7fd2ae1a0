"""What differs between operating systems, in one place: whole files, locks, folders, children.

Each function does the strongest thing the system offers. Where Windows has no such thing, its branch says
what is lost. Nothing else in pbem imports a module that only some systems have.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

NO_LINK: int = getattr(os, "O_NOFOLLOW", 0)
"""Windows has no such flag: there, links are looked for before a file is opened."""
_CLOSED_IN_CHILDREN: int = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)
_BYTES: int = getattr(os, "O_BINARY", 0)
_NO_WAIT: int = getattr(os, "O_NONBLOCK", 0)
READ = os.O_RDONLY | NO_LINK | _NO_WAIT | _CLOSED_IN_CHILDREN | _BYTES
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK | _CLOSED_IN_CHILDREN | _BYTES
UPDATE = os.O_RDWR | os.O_CREAT | NO_LINK | _NO_WAIT | _CLOSED_IN_CHILDREN | _BYTES
READ_AND_SYNC = READ if sys.platform != "win32" else os.O_RDWR | _BYTES
"""Windows puts only files on disk that are open for writing."""
HAS_DESCRIPTORS = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
"""Whether a folder can be held open, so that nobody can put a link in its place."""

_MACHINE = Path("/etc/machine-id")


# --- whole files


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """The file is there with all its bytes, on disk, or as it was; `mode` counts where there are modes."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    fresh.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(fresh, CREATE, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def place_of(path: Path) -> str:
    """A file as this machine knows it: not the same for any copy of it.

    A browser numbers files anew at every start: there the place is the browser's storage, by a random name
    that stands beside the home and is never copied with it.
    """
    if sys.platform == "emscripten":
        return os.environ["PBEM_PLACE"]
    try:
        machine = _MACHINE.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        machine = ""
    return f"{machine}:{path.stat().st_ino}"


def read_small(path: Path, most: int) -> bytes:
    """A regular file of at most so many bytes: no link is followed, no pipe waited for; else an OSError."""
    with os.fdopen(os.open(path, READ), "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > most:
            raise OSError(errno.EFBIG, f"no plain file of at most {most} bytes")
        return file.read(most)


def sync_folder(folder: Path) -> None:
    """A rename is only safe once its folder is on disk. (Windows leaves that to its journal.)"""
    if HAS_DESCRIPTORS:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def boot() -> str:
    """A text that is another one after the machine was started again, when files may lack what was written.

    Linux says it exactly. Elsewhere it is the time of the start, which a clock that is set changes, too: then
    files are looked at once more than they need be.
    """
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return f"{(time.time() - time.monotonic()) / 10:.0f}"


# --- locks


class FileLock:
    """A lock that lasts until it is released or its process dies, with every child that inherited it."""

    def __init__(self, fd: int) -> None:
        self.fd: int | None = fd

    def release(self) -> None:
        """Let the next one in."""
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None


def wait_for_lock(path: Path, seconds: float) -> FileLock | None:
    """The lock of this file; None if another process has held it for so long."""
    until, pause = time.monotonic() + seconds, 0.001
    while (fd := try_lock(path)) is None:
        left = until - time.monotonic()
        if left <= 0:
            return None
        time.sleep(min(pause, left))
        pause = min(2 * pause, 0.05)
    return FileLock(fd)


def try_lock(path: Path) -> int | None:
    """A descriptor that holds the lock until it is closed or its process dies; None if another has it."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK | _CLOSED_IN_CHILDREN, 0o600)
    try:
        _lock(fd)
    except (BlockingIOError, PermissionError):
        os.close(fd)
        return None
    return fd


if sys.platform == "win32":
    import msvcrt

    def _lock(fd: int) -> None:
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


def write_first(path: Path, data: bytes, mode: int = 0o600) -> bytes:
    """The file with these bytes, on disk, unless it is there already; returns what stands there.

    Under a lock of its folder, because not every file system has links, and a rename takes another's place.
    """
    lock = wait_for_lock(path.with_name(".lock"), 60)
    if lock is None:
        raise BlockingIOError(errno.EAGAIN, "another pbem is at work", str(path.parent))
    try:
        if path.exists():
            return path.read_bytes()
        write_whole(path, data, mode)
        return data
    finally:
        lock.release()


# --- children


def kept_open(lock: int | None) -> tuple[int, ...]:
    """What a child inherits, so that the lock of a killed run lasts as long as its last child.

    Windows hands no descriptors on: there a killed run's child may still write while the next run begins;
    git's own locks and the compare-and-swap of the ref then decide.
    """
    return () if lock is None or sys.platform == "win32" else (lock,)


def strangers_child(most_bytes: int) -> dict[str, Any]:
    """Settings for a process that talks to a stranger: it can be ended whole, and writes no larger file.

    Windows has neither in this form: the tree is ended by its own tool, and size is checked afterwards.
    """
    if sys.platform == "win32":
        return {}
    return {"preexec_fn": _file_limit(most_bytes), "start_new_session": True}


def _file_limit(most_bytes: int) -> Callable[[], None]:
    import resource

    def limit() -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        soft = most_bytes if hard == resource.RLIM_INFINITY else min(most_bytes, hard)
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    return limit


def limit_memory(process: subprocess.Popen[bytes], most_bytes: int) -> None:
    """A child that reads foreign data asks for no more memory than this; it ends with an error instead.

    Only Linux can set this for a process that runs; elsewhere the sizes that are asked for beforehand are
    the only limit.
    """
    if sys.platform == "linux":
        import resource

        with suppress(ProcessLookupError, PermissionError, ValueError):
            _, hard = resource.prlimit(process.pid, resource.RLIMIT_DATA)
            soft = most_bytes if hard == resource.RLIM_INFINITY else min(most_bytes, hard)
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (soft, hard))


def end_whole(process: subprocess.Popen[bytes]) -> None:
    """Ends a `strangers_child` and all that it started: a helper that lives on would hold our pipes open."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
