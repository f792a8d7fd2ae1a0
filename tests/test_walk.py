"""The walk of one order, from its text to the commit of the other side: what is read, tried, verified and
written on the way, and how often. Whatever happens twice has its reason here."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.cli import ROOT, Desk, begin, until_somebody_acts

PBEM = str(ROOT / "pbem") + "/"
ONCE = (
    "packs.rules_for",
    "engine.position.read_position",
    "rehearse.rehearse",
    "protocol.rounds.order_lists.prepare",
    "protocol.papers.entry.compose",
    "protocol.crypto.sshsig.sign",
    "protocol.papers.entry.verify",
    "protocol.rounds.carry_out.carry_out",
    "protocol.rounds.state.join",
    "filing.commit_of",
    "repository.store.Repository.append",
    "doing.handover.hand_over",
)
"""What one order needs once at the machine where it is played, in this order."""


@dataclass
class Walk:
    """How often each function of pbem was entered, and which bytes the flow read."""

    calls: Counter[str] = field(default_factory=Counter)
    read: Counter[bytes] = field(default_factory=Counter)

    def step(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(PBEM):
            return
        module = code.co_filename.removeprefix(PBEM).removesuffix(".py").replace("/", ".")
        name = f"{module}.{code.co_qualname}"
        self.calls[name] += 1
        caller = frame.f_back
        if name == "protocol.papers.entry.read" and caller and caller.f_code.co_qualname == "Flow.take":
            self.read[frame.f_locals["raw"]] += 1

    def times(self, *names: str) -> dict[str, int]:
        return {name: self.calls[name] for name in names}


@contextmanager
def followed() -> Iterator[Walk]:
    walk = Walk()
    sys.setprofile(walk.step)
    try:
        yield walk
    finally:
        sys.setprofile(None)


@pytest.fixture
def walks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Walk, Walk]:
    """One order with a die played at one machine, and its bundle received at the other."""
    desk = Desk(tmp_path, monkeypatch)
    begin(desk, "tiny", "--scenario", "long")
    who = until_somebody_acts(desk)
    other, target = {"ann": ("ben", "b"), "ben": ("ann", "a")}[who]
    (tmp_path / "orders.txt").write_text(f"hit {target}\n", encoding="utf-8")
    bundle = str(tmp_path / "bundle.pbem")
    with followed() as playing:
        desk.ok(who, "play", str(tmp_path / "orders.txt"), "--yes", "--out", bundle)
    with followed() as receiving:
        desk.ok(other, "receive", bundle)
    return playing, receiving


def test_who_plays_reads_the_list_once_tries_it_once_and_signs_what_was_tried(
    walks: tuple[Walk, Walk],
) -> None:
    playing, _ = walks
    assert playing.times(*ONCE) == dict.fromkeys(ONCE, 1)
    assert list(playing.read.values()) == [1], "what was signed goes through the flow like anybody's entry"
    assert playing.times("engine.orders.read_orders", "engine.machine.Machine.apply") == {
        "engine.orders.read_orders": 2,
        "engine.machine.Machine.apply": 2,
    }, "once on a copy, before anything is signed; once from the signed bytes, as everybody else does"
    assert playing.calls["protocol.rounds.state.position_digest"] == 2, "of the position before and after"


def test_who_receives_reads_and_verifies_every_entry_once(walks: tuple[Walk, Walk]) -> None:
    _, receiving = walks
    assert set(receiving.read.values()) == {1}
    assert receiving.calls["protocol.papers.entry.verify"] == len(receiving.read)
    logged = receiving.calls["filing.commit_of"]
    assert logged == 2, "the order, and the own answer for the die"
    assert receiving.times(
        "packs.rules_for",
        "engine.position.read_position",
        "engine.orders.read_orders",
        "protocol.papers.entry.compose",
        "repository.store.Repository.append",
    ) == {
        "packs.rules_for": 1,
        "engine.position.read_position": 1,
        "engine.orders.read_orders": 1,
        "protocol.papers.entry.compose": 1,
        "repository.store.Repository.append": 1,
    }
    assert receiving.times("protocol.rounds.carry_out.carry_out", "protocol.rounds.state.join") == {
        "protocol.rounds.carry_out.carry_out": logged,
        "protocol.rounds.state.join": logged,
    }, "one position is written for each entry"
    assert receiving.calls["engine.machine.Machine.apply"] == 2, "the order, and the die"
