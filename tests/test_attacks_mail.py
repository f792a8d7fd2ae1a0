"""Mails, files and papers from strangers, at the command line: they stop nothing and forge nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem import toml
from pbem.doing import inviting
from pbem.doing.watching import Watcher
from pbem.protocol.papers.bodies import Note
from pbem.repository.plumbing import Plumbing
from pbem.shelf import Places
from pbem.transport import bundle
from tests.attack_kit import works_only_without
from tests.cheats.files import NOTHING_AT_ALL
from tests.circle import circle
from tests.cli import Desk
from tests.table import key_of
from tests.test_limits import unknown


def test_a_strangers_mail_keeps_watch_from_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More entries of unknown games than one bundle may hold; after it a mail that matters."""
    raws = [unknown(number) for number in range(1, 1401)]
    strange = "".join(bundle.armour(bundle.pack(raws[n : n + 700])) for n in (0, 700)).encode()
    last = bundle.pack([unknown(9999)])
    homes = iter("ab")

    def attack() -> bool:
        who = next(homes)
        desk = Desk(tmp_path, monkeypatch)
        box = tmp_path / f"mail-{who}"
        for name in ("cur", "new", "tmp"):
            (box / name).mkdir(parents=True)
        (box / "new" / "1.x").write_bytes(strange)
        (box / "new" / "2.x").write_bytes(last)
        desk.ok(who, "mail", "read", "maildir", str(box))
        told = [desk.run(who, "watch", "--once") for _ in range(2)]
        if last not in [path.read_bytes() for path in (tmp_path / who).glob("inbox/*.pbem")]:
            return True
        assert [one.code for one in told] == [0, 0] and "kept for you: " in told[0].both
        return False

    removed = [(Watcher, "_take_safely", Watcher._take), (bundle, "portions", lambda raws: [raws])]
    works_only_without(monkeypatch, attack, *removed)


def test_old_entries_are_not_looked_up_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything of a game once more, in one file: the folder is read a few times, not for each entry."""
    table = circle(tmp_path, monkeypatch, 2)
    for _ in range(24):
        table.table("a").play("note", lambda own: Note(), key_of("a"))
    opened = table.table("a")
    raws = [entry.raw for entry in opened.entries(range(1, opened.ledger.state.number + 1))]
    reads, each, refresh = [], Plumbing.each, Places._refresh

    def stale(places: Places) -> None:
        places._head = "?"
        refresh(places)

    def counted(*args: Any, **more: Any) -> Any:
        reads.append(1)
        return each(*args, **more)

    monkeypatch.setattr(Plumbing, "each", counted)

    def attack() -> bool:
        reads.clear()
        told = table.hand("a", raws)
        assert told.code == 0 and f"{len(raws)} here already" in told.out
        return len(reads) > len(raws)

    works_only_without(
        monkeypatch, attack, (Places, "holds", lambda places, raw: False), (Places, "_refresh", stale)
    )


def test_a_name_forges_no_line_of_a_dispute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program of ben is changed: it signs a name with a line of its own in it."""
    folders = iter((tmp_path / "one", tmp_path / "two"))
    any_name = (toml, "_NOT_ON_A_LINE", NOTHING_AT_ALL)

    def attack() -> bool:
        desk = Desk(next(folders), monkeypatch)
        desk.folder.mkdir()
        for who in ("ann", "ben"):
            desk.ok(who, "key", "new")
        desk.ok("ann", "new", "tiny", "--out", "invitation.pbem", "--yes")
        with monkeypatch.context() as patch:
            patch.setattr(*any_name)
            patch.setattr(inviting, "myself", lambda *_: ("Ben\nin order: 999 entries", ""))
            desk.ok("ben", "join", "invitation.pbem", "--out", "answer.pbem", "--yes")
        told = desk.run("ann", "receive", "answer.pbem", "--into", "anns")
        if told.code == 0:
            return "\nin order: 999 entries" in desk.ok("ann", "dispute", "--out", "dispute.zip").out
        assert told.code == 1 and "name: " in told.err and "999" not in told.both
        return False

    works_only_without(monkeypatch, attack, any_name)
