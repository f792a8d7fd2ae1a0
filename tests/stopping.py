"""Commands that are killed before the n-th thing they do outside their own memory; or that wait for ever.

Also a host that never says a word, and whether what was started to talk to it is ended.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli import Desk
from tests.sides import OUTSIDE

SOME = 8
"""So many places of each command are tried; all of them when there are no more."""


def stopped_and_run_again(
    start: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str, *args: str
) -> Iterator[Desk]:
    """The command stopped, each time from the same beginning, and then run again."""
    for desk in stopped(start, tmp_path, monkeypatch, who, *args):
        desk.ok(who, *args)
        yield desk


def stopped(
    start: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str, *args: str
) -> Iterator[Desk]:
    """The command killed at places spread over its run, each time from the same beginning."""
    _, last = _in_a_child(start.copy(tmp_path / "measure", monkeypatch), 0, who, *args)
    for place in sorted(random.Random(" ".join(args)).sample(range(1, last + 1), min(SOME, last))):
        desk = start.copy(tmp_path / f"stopped-{place}", monkeypatch)
        killed, acts = _in_a_child(desk, place, who, *args)
        assert killed or 0 < acts < place, f"the command was not killed before act {place} of {last}"
        if killed:  # one that talks to git does a little more or less each time
            yield desk


def waits_at(pipe: Path, act: Callable[[], object]) -> bool:
    """Whether something, in a process of its own, waits for what comes through a pipe; then it is ended.

    The pipe takes the place of what was there.
    """
    pipe.parent.mkdir(exist_ok=True)
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    child = os.fork()
    if not child:
        with suppress(BaseException):
            os.setpgid(0, 0)
            act()
        os._exit(0)
    while not os.waitpid(child, os.WNOHANG)[0]:
        with suppress(OSError):  # until somebody reads there, a pipe cannot be opened for writing
            end = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
            os.killpg(child, signal.SIGKILL)  # with git, which it had started: it may read there once more
            os.waitpid(child, 0)
            pipe.unlink()
            os.close(end)
            return True
    return False


def silent_host(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """From now on no host says a word through ssh; whether who has asked one lives on (it is ended then)."""
    script, asker = folder / "ssh", folder / "asker"
    script.write_text(f"#!/bin/sh\necho $$ > {asker}\nexec sleep 1000 2> /dev/null\n")
    script.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(script))

    def lives() -> bool:
        try:
            process = os.pidfd_open(int(asker.read_text()))
        except ProcessLookupError:
            return False
        found = not select.select([process], [], [], 1)[0]
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(process, signal.SIGKILL)
        os.close(process)
        return found

    return lives


def _in_a_child(desk: Desk, before: int, who: str, *args: str) -> tuple[bool, int]:
    """The command in a process of its own, killed before its n-th act (0: not): was it; how many."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        _run_and_exit(desk, before, into, who, *args)
    os.close(into)
    with os.fdopen(out, "rb") as report:
        told = report.read()
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    return killed, 0 if killed else int(told)


def _run_and_exit(desk: Desk, before: int, into: int, who: str, *args: str) -> None:
    """The child's part; it never returns."""
    done = 0

    def count(event: str, facts: tuple[object, ...]) -> None:
        nonlocal done
        if event in OUTSIDE and not (event == "open" and _only_reads(*facts)):
            done += 1
            if done == before:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    try:
        desk.run(who, *args)
        os.write(into, str(done).encode())
    finally:
        os._exit(0)


def _only_reads(path: object, mode: object, flags: object) -> bool:
    if mode is None and isinstance(flags, int):
        return not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    return mode in ("r", "rb")
