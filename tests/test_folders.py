"""Homes that exchange bytes in any order hold the same commits; a stranger can check all of it."""

from __future__ import annotations

import os
import random
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.errors import UsageError
from pbem.home import Home
from pbem.outgoing import outgoing
from pbem.protocol.papers.entry import read
from pbem.repository import Repository
from pbem.table import Table
from pbem.verify import verify_folder
from tests.homes import Party, party

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(("count", "deck"), [(2, "own"), (2, "shared"), (3, "own")])
def test_every_home_holds_the_same_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, deck: str
) -> None:
    table = party(tmp_path, monkeypatch, count, {"deck": deck})
    table.play_out()
    prints = {t.fingerprint for t in table.tables.values()}
    assert len(prints) == 1
    for one in table.tables.values():
        verdict = verify_folder(one.folder)
        assert verdict.ok, verdict.problem
        assert verdict.fingerprint in prints
        assert all(verdict.audited.values())


def shuffled_deliveries(game: Party, rng: random.Random) -> None:
    """Entries arrive in any order, twice, with gaps that later mail fills."""
    for _ in range(400):
        for seat, table in game.tables.items():
            mail = [r for other, t in game.tables.items() if other != seat for r in outgoing(t, seat)]
            some = rng.sample(mail, rng.randint(0, len(mail))) if mail else []
            table.receive(some + some[:1])
        if rng.random() < 0.5 and game.decide() is None:
            game.exchange()
            if game.decide() is None:
                return
    raise AssertionError("the game does not end")


def test_the_order_in_which_mail_arrives_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = party(tmp_path, monkeypatch, 3)
    shuffled_deliveries(game, random.Random(5))
    heads = [Repository.open(t.folder).history() for t in game.tables.values()]
    assert heads[0] == heads[1] == heads[2]
    assert verify_folder(game.tables["b"].folder).ok


def test_two_devices_of_one_player_make_the_same_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = party(tmp_path, monkeypatch)
    shutil.copytree(game.tables["b"].folder, tmp_path / "second")
    second = Table.open(tmp_path / "second", game.homes["b"])
    game.exchange()
    while game.decide() is not None:
        game.exchange()
        mail = outgoing(game.tables["a"], "b")
        result = second.receive(mail)
        assert not result.refused
        assert not second.ledger.state.gone
    everything = [e.raw for e in game.tables["a"].entries(range(1, game.tables["a"].ledger.state.number + 1))]
    second.receive(everything)
    assert second.fingerprint == game.tables["a"].fingerprint


def test_a_spectator_needs_only_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = party(tmp_path, monkeypatch)
    game.play_out()
    shutil.copytree(game.tables["a"].folder, tmp_path / "copy")
    environment = os.environ | {"PBEM_HOME": str(tmp_path / "stranger")}
    code = """
import pathlib, sys
from pbem.verify import verify_folder
print(verify_folder(pathlib.Path(sys.argv[1])).table())
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "copy")], env=environment, capture_output=True, text=True
    )
    assert "'ok': True" in done.stdout, done.stderr


def plain_files(folder: Path) -> list[Path]:
    """game.toml, position.toml, and every sixth of the others, so that each kind is met."""
    found = sorted(p for p in folder.rglob("*.toml") if ".git" not in p.relative_to(folder).parts)
    top = [p for p in found if p.parent == folder]
    return top + [p for p in found if p not in top][::6]


def test_one_changed_byte_in_any_file_is_found_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = party(tmp_path, monkeypatch)
    game.play_out()
    folder = game.tables["a"].folder
    rng = random.Random(1)
    for path in plain_files(folder):
        good = path.read_bytes()
        bad = bytearray(good)
        bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(7)
        path.write_bytes(bytes(bad))
        verdict = verify_folder(folder)
        assert not verdict.ok, path
        assert verdict.problem is not None and str(path.relative_to(folder)) in verdict.problem.cause
        path.write_bytes(good)
    assert verify_folder(folder).ok


def rebuilt(folder: Path, target: Path, path: str, data: bytes) -> Path:
    """The same game committed anew with one file changed: what a forger would hand on."""
    from pbem.repository import Commit

    old = Repository.open(folder)
    head = old.head()
    assert head is not None
    files = dict(zip(sorted(old.tree(head)), old.read_many(sorted(old.tree(head))), strict=True))
    files[path] = data
    new = Repository.create(target)
    new.append([Commit(files, "forged\n", "a", 0)], parent=None)
    new.write_files()
    return target


def test_a_forged_history_is_refused_at_the_changed_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = party(tmp_path, monkeypatch)
    game.play_out()
    folder = game.tables["a"].folder
    rng = random.Random(2)
    for number, path in enumerate(plain_files(folder)):
        name = str(path.relative_to(folder))
        bad = bytearray(path.read_bytes())
        bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(7)
        verdict = verify_folder(rebuilt(folder, tmp_path / f"forged-{number}", name, bytes(bad)))
        assert not verdict.ok, name
        assert verdict.problem is not None
        if name.startswith("moves/"):
            assert verdict.problem.entry <= int(name[11:17]), (name, verdict.problem)


def test_secrets_stay_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = party(tmp_path, monkeypatch)
    game.exchange()
    for _ in range(6):
        game.decide()
        game.exchange()
    for seat, table in game.tables.items():
        assert table.own is not None
        needles = [table.own.secret, table.own.box, table.own.answering, game.keys[seat].seed]
        for one in game.tables.values():
            for path in one.folder.rglob("*"):
                if path.is_file():
                    data = path.read_bytes()
                    assert not any(n in data or n.hex().encode() in data for n in needles), path
        kept = game.homes[seat].table_file(f"{game.contract.game.hex()}.toml")
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert "secret" not in repr(table.own) and table.own.secret.hex() not in repr(table.secrets)


CRASH = """
import os, signal, sys
from pathlib import Path
from pbem.home import Home
from pbem.pool import Pool
from pbem.table import Table
from pbem.repository import Repository

where = sys.argv[3]
def die(*a, **k):
    os.kill(os.getpid(), signal.SIGKILL)
def after(owner, name):
    real = getattr(owner, name)
    def run(*a, **k):
        real(*a, **k)
        die()
    setattr(owner, name, run)
if where == "before-pool": Pool.keep = die
elif where == "after-pool": after(Pool, "keep")
elif where == "before-commit": Repository.append = die
elif where == "after-commit": after(Repository, "append")
elif where == "before-files": Repository.write_files = die
elif where == "after-answer": after(Table, "_sign")
home = Home(Path(sys.argv[1]))
table = Table.open(Path(sys.argv[2]), home)
raws = [p.read_bytes() for p in sorted(Path(sys.argv[4]).glob("*"))]
table.receive(raws)
"""


@pytest.mark.parametrize(
    "where", ["before-pool", "after-pool", "before-commit", "after-commit", "before-files", "after-answer"]
)
def test_killed_anywhere_it_is_before_or_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    game = party(tmp_path, monkeypatch, scenario="long")
    game.rng = random.Random(3)
    game.exchange()
    for _ in range(40):
        owed = game.tables["a"].due()
        if owed is not None and owed.options is not None and owed.options.kind == "deed":
            break
        game.decide()
        game.exchange()
    before = game.tables["b"].fingerprint
    game.tables["a"].orders("hit b", game.keys["a"])
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    for number, raw in enumerate(outgoing(game.tables["a"], "b")):
        (inbox / f"{number:03d}").write_bytes(raw)
    arguments = [str(game.homes["b"].path), str(game.tables["b"].folder), where, str(inbox)]
    done = subprocess.run([sys.executable, "-c", CRASH, *arguments], capture_output=True)
    assert done.returncode == -signal.SIGKILL
    again = game.reopen("b")
    assert again.fingerprint == before or before in again.repo.history()
    again.receive([p.read_bytes() for p in sorted(inbox.glob("*"))])
    game.exchange()
    assert again.fingerprint == game.tables["a"].fingerprint
    assert verify_folder(again.folder).ok
    for _ in range(3):
        game.decide()
        game.exchange()
    assert verify_folder(game.tables["a"].folder).ok
    assert game.tables["a"].fingerprint == game.tables["b"].fingerprint


def test_the_same_decision_is_never_signed_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash after signing: the bytes on disk count, whatever is typed next."""
    game = party(tmp_path, monkeypatch)
    game.exchange()
    table = game.tables["a"]
    monkeypatch.setattr(Table, "_take", lambda *args: None)
    raw, _ = table.orders("put act act", game.keys["a"])
    monkeypatch.undo()
    monkeypatch.setattr("pbem.table.now", lambda: read(raw).head.sent)
    again = game.reopen("a")
    with pytest.raises(UsageError, match="you signed before"):
        again.orders("put rest rest", game.keys["a"])
    game.exchange()
    (signed,) = [e for e in game.tables["b"].ledger.pool.values() if e.seat == "a"] or [None]
    assert signed is not None and signed.raw == raw
    assert read(raw).head.after == game.tables["b"].ledger.state.tip


def test_a_wrong_key_cannot_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = party(tmp_path, monkeypatch)
    game.exchange()
    with pytest.raises(UsageError, match="not the key"):
        game.tables["a"].orders("put act act", game.keys["b"])
    assert Home(tmp_path / "home-a").secrets(game.contract.game.hex()) is not None
