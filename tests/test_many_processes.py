"""Many processes at once in the same homes and folders: one line, no number twice, and nothing is lost.

Mail filters, `pbem watch` beside a person and a double click are enough for that. PBEM_ROUNDS says how many
rounds are played; a few are enough to find what is not under one lock.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.repository import store
from pbem.verify import verify_folder
from tests.cli import Desk, begin, table_of
from tests.plain_git import raw_git

ROUNDS = int(os.environ.get("PBEM_ROUNDS", "6"))
DONE = (0, 2, 3, 4)
"""Done; or the game has gone on meanwhile, something else is asked, or nothing any more."""


def at_once(desk: Desk, commands: Sequence[tuple[str, ...]]) -> list[int]:
    """Each command in a process of its own, all at the same time: their exit codes, and what they said."""
    children = []
    for number, (who, *args) in enumerate(commands):
        child = os.fork()
        if not child:
            code = 99
            try:
                done = desk.run(who, *args)
                (desk.folder / f"said-{number}").write_text(f"{who}$ {' '.join(args)}\n{done.both}")
                code = done.code
            finally:
                os._exit(code)
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def order(desk: Desk, who: str) -> str:
    """Something that this player may do now, whether it is asked or not."""
    told = desk.run(who, "legal", "--json")
    return str(told.json["orders"][0]) if told.code == 0 and told.json.get("orders") else "put rest act"


def commands(desk: Desk, rng: random.Random) -> list[tuple[str, ...]]:
    """Eight things that two people, their mail filters and their watching machines do at the same time."""
    files = {who: f"from-{who}.pbem" for who in ("ann", "ben")}
    for who, file in files.items():
        desk.run(who, "send", "--out", file)
    who, other = rng.sample(("ann", "ben"), 2)
    found = [
        (who, "play", "-m", order(desk, who), "--yes", "--out", "played.pbem"),
        (who, "play", "-m", order(desk, who), "--yes", "--out", "played-2.pbem"),
        (other, "play", "-m", order(desk, other), "--yes", "--out", "played-3.pbem"),
        (who, "watch", "--once"),
        (other, "sync", str(desk.folder / "host")),
        (who, "send", "--out", "again.pbem"),
    ]
    for side, sender in ((who, other), (other, who)):
        if (desk.folder / files[sender]).exists():
            found += [(side, "receive", files[sender], "--out", "answer.pbem")] * 2
    rng.shuffle(found)
    return found


def check(desk: Desk, who: str) -> list[str]:
    """One line, one commit for each entry, every entry once, and stock git has nothing to say."""
    table = table_of(desk, who)
    line = table.repo.history()
    entries = table.entries(range(1, table.ledger.state.number + 1))
    assert len(line) == len(entries) + 1 and len({entry.id for entry in entries}) == len(entries)
    assert raw_git(table.folder, "status", "--short") == ""
    return line


@pytest.mark.parametrize("seed", [1])
def test_many_processes_make_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(store, "PATIENCE", 60.0)
    desk, rng = Desk(tmp_path / "desk", monkeypatch), random.Random(seed)
    begin(desk, "tiny", "--scenario", "long")
    raw_git(desk.folder, "init", "-q", "--bare", "host")
    for _ in range(ROUNDS):
        codes = at_once(desk, commands(desk, rng))
        told = [path.read_text() for path in sorted(desk.folder.glob("said-*"))]
        wrong = [f"({code}) {text}" for code, text in zip(codes, told, strict=True) if code not in DONE]
        assert not wrong, "\n".join(wrong)
        ann, ben = check(desk, "ann"), check(desk, "ben")
        assert ann[: len(ben)] == ben[: len(ann)], "one of them is behind, none is beside"
    for who in ("ann", "ben"):
        found = verify_folder(table_of(desk, who).folder)
        assert found.ok, found.problem
        assert raw_git(table_of(desk, who).folder, "fsck", "--strict", "--full", "--no-dangling") == ""
    assert len(ann) > min(ROUNDS, 20), "a long game is over after some hundred"
