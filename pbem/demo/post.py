"""The postman of a demonstration: starts a process for every seat and carries bundles between them.

He reads nothing of what he carries. One seat acts at a time, as people do who play by mail: it takes in
all that waits for it, answers, decides as long as it is asked, and hands over one bundle for the others.

What is counted, and what `pbem demo` prints:
- `mails`: hand-overs when a machine answers for every seat (`pbem watch`): answers leave at once, in a
  mail of their own, and decisions when they are made.
- `human_mails`: hand-overs when nothing answers: a person sends every mail. Answers ride along with a
  decision that is made in the same sitting; those that are not, cost a mail of their own.
- `decision_mails`: the mails that need a person even where a machine answers.
- `decisions`: what the rulebook asked somebody who had no standing order for it.
- `bytes`: the size of all mails, without the words of the report.
The papers of the contract and the secrets published at the end are counted too.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from pbem.demo.frames import Frame, read_frame, write_frame
from pbem.demo.seeds import derived_number
from pbem.errors import PbemError, VerificationError
from pbem.transport.bundle import portions
from pbem.transport.mail_out import compose


class DemoError(PbemError):
    """A seat of the demonstration failed: a fault in pbem or in the rules."""

    exit_code = 70


@dataclass
class Process:
    """A seat and the pipe to it."""

    seat: str
    child: subprocess.Popen[bytes]
    inbox: list[bytes] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    def tell(self, frame: Frame) -> None:
        """Hand a bundle over."""
        with suppress(BrokenPipeError):
            write_frame(_pipe(self.child.stdin), frame)

    def hear(self) -> Frame:
        """What the seat gives for the others."""
        frame = read_frame(_pipe(self.child.stdout))
        if frame is None:
            raise DemoError(f"the process of {self.seat} died", "its words are above")
        if "error" in frame.facts:
            raise DemoError(f"{self.seat}: {frame.facts['error']}", frame.facts["hint"])
        self.facts = frame.facts
        return frame


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


@dataclass
class Tally:
    """What a game took."""

    mails: int = 0
    human_mails: int = 0
    decision_mails: int = 0
    decisions: int = 0
    bytes: int = 0

    def count(self, frame: Frame) -> None:
        """One seat has sat down and handed something over."""
        answers, decisions = frame.facts.get("answers", 0), frame.facts.get("decisions", 0)
        self.decisions += decisions
        self.bytes += sum(len(_mail(part)) for part in portions(frame.entries))
        self.mails += bool(answers) + bool(decisions or not answers)
        self.human_mails += 1
        self.decision_mails += bool(decisions or not answers)


def _mail(entries: Sequence[bytes]) -> bytes:
    """A mail that carries these entries and says nothing."""
    return compose(
        sender="a@example.org",
        recipients=["b@example.org"],
        subject="",
        body="",
        entries=entries,
        game_short="0" * 8,
        attachment_name="game.pbem",
        date=datetime.fromtimestamp(0, UTC),
    )


@dataclass(frozen=True)
class Demo:
    """What is to be played, and where."""

    game: str
    scenario: str
    options: dict[str, str]
    seats: tuple[str, ...]
    seed: int
    folder: Path
    standing: dict[str, list[str]] = field(default_factory=dict)
    """Standing orders of every seat, by kind of decision."""


def run(demo: Demo, progress: Callable[[dict[str, Any]], None] = lambda facts: None) -> dict[str, Any]:
    """Play, audit and verify; everything that `pbem demo` prints."""
    began = time.perf_counter()
    processes = [_start(demo, seat) for seat in demo.seats]
    tally = Tally()
    try:
        _open(demo, processes, tally)
        _carry(processes, tally, progress)
        played = time.perf_counter() - began
        facts = [process.facts for process in processes]
    finally:
        for process in processes:
            _stop(process)
    verdict = _verify(demo, facts[0]["folder"])
    prints = {one["fingerprint"] for one in facts} | {verdict["fingerprint"]}
    if not verdict["ok"] or len(prints) != 1:
        raise VerificationError(
            f"the demonstration does not verify: {verdict['problem'] or sorted(prints)}",
            "this is a fault; `--dir` keeps the folders for a report",
        )
    winners = facts[0]["winners"]
    return {
        "game": demo.game,
        "scenario": demo.scenario,
        "entries": facts[0]["entries"],
        "mails": tally.mails,
        "human_mails": tally.human_mails,
        "turns": facts[0]["turn"],
        "winner": " and ".join(winners) if winners else None,
        "fingerprint": facts[0]["fingerprint"],
        "verified": verdict["ok"],
        "audited": all(verdict["audited"].values()),
        "seconds": round(time.perf_counter() - began, 2),
        "decision_mails": tally.decision_mails,
        "decisions": tally.decisions,
        "bytes": tally.bytes,
        "reason": facts[0]["reason"],
        "played": played,
    }


def _start(demo: Demo, seat: str) -> Process:
    folder = demo.folder / seat
    folder.mkdir(parents=True)
    # Different, so that rules which depend on the order of a set are found out; fixed, to be repeatable.
    hash_seed = derived_number(demo.seed, "hash", seat)
    env = {**os.environ, "PBEM_HOME": str(folder / "home"), "PYTHONHASHSEED": str(hash_seed)}
    child = subprocess.Popen(
        [sys.executable, "-m", "pbem.demo.seat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    )
    process = Process(seat, child)
    facts = {
        "seat": seat,
        "seats": list(demo.seats),
        "game": demo.game,
        "scenario": demo.scenario,
        "options": demo.options,
        "seed": demo.seed,
        "standing": demo.standing,
        "folder": str(folder),
        "invites": seat == demo.seats[0],
    }
    process.tell(Frame((), facts))
    return process


def _open(demo: Demo, processes: list[Process], tally: Tally) -> None:
    """Every seat is ready; the first has written the invitation."""
    for process in processes:
        frame = process.hear()
        _hand_over(process, frame, processes, tally)


def _hand_over(author: Process, frame: Frame, processes: list[Process], tally: Tally) -> None:
    if not frame.entries:
        return
    tally.count(frame)
    for process in processes:
        if process is not author:
            process.inbox += frame.entries


def _carry(processes: list[Process], tally: Tally, progress: Callable[[dict[str, Any]], None]) -> None:
    """Carry mail until there is none."""
    at = 0
    while any(process.inbox for process in processes):
        process = processes[at % len(processes)]
        at += 1
        if not process.inbox:
            continue
        waiting, process.inbox = process.inbox, []
        process.tell(Frame(tuple(waiting)))
        _hand_over(process, process.hear(), processes, tally)
        progress(process.facts)
    for process in processes:
        if not process.facts.get("over"):
            raise DemoError(f"the game stops at {process.facts.get('headline')}: {process.seat} waits")


def _stop(process: Process) -> None:
    with suppress(BrokenPipeError):
        _pipe(process.child.stdin).close()
    try:
        process.child.wait(10)
    except subprocess.TimeoutExpired:
        process.child.kill()
        process.child.wait()
    _pipe(process.child.stdout).close()


def _verify(demo: Demo, folder: str) -> dict[str, Any]:
    """A stranger with an empty home and a copy of the folder, without what is kept beside the game."""
    copy, home = demo.folder / "stranger" / "game", demo.folder / "stranger" / "home"
    shutil.copytree(folder, copy, ignore=_beside)
    done = subprocess.run(
        [sys.executable, "-m", "pbem.demo.stranger", str(copy)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PBEM_HOME": str(home)},
        check=False,
    )
    if not done.stdout:
        raise DemoError("the verification died", "its words are above")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _beside(folder: str, names: list[str]) -> list[str]:
    return ["pbem"] if folder.endswith("/.git") and "pbem" in names else []
