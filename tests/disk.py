"""No test cuts the power, so none has to wait for the disk."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from pbem.repository import plumbing, store

MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""A whole run writes half of a gibibyte, in a hundred thousand small files."""


def do_not_wait() -> None:
    """For this process: writes go as far as the system, and nobody waits for another one's lock."""
    os.fsync = lambda fd: None  # type: ignore[assignment]
    store.PATIENCE = 0.0
    plumbing._OVERRIDES = tuple(
        "core.fsync=none" if setting.startswith("core.fsync=") else setting for setting in plumbing._OVERRIDES
    )


def write_in_memory() -> None:
    """For this process and all that it starts: temporary folders stand in memory, where there is room.

    They go with the process; to look at what a test has written, say where with `--basetemp`.
    """
    if not MEMORY.is_dir() or "PYTEST_XDIST_WORKER" in os.environ:
        return
    facts = os.statvfs(MEMORY)
    if facts.f_flag & os.ST_NOEXEC or facts.f_bavail * facts.f_frsize < ROOM:
        return
    folder = tempfile.mkdtemp(prefix="pbem-tests-", dir=MEMORY)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    atexit.register(_remove, folder, os.getpid())


def _remove(folder: str, owner: int) -> None:
    """A child that a test has forked takes nothing away."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
