"""`pbem watch`: moves arrive by real mail servers, answers leave at once, and no key is needed for it."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.doing.watching import Watcher
from pbem.home import Home
from pbem.outgoing import outgoing
from pbem.protocol.papers.bodies import Absence
from pbem.protocol.papers.times import seconds, stamp
from pbem.transport.bundle import pack
from tests.commandline import pbem
from tests.mailservers import PASSWORD, Post, post_office
from tests.sides import Side, by_files, by_killing, by_watching, sides


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    with post_office(tmp_path / "post", ["a", "b", "hojo", "anti"]) as servers:
        yield servers


def by_mail(side: Side, post: Post) -> None:
    """Mail leaves by SMTP and comes in by IMAP."""
    account = {"host": "127.0.0.1", "security": "none"}
    send = {**account, "way": "smtp", "port": post.smtp_port}
    read = {**account, "way": "imap", "port": post.imap_port, "user": side.seat}
    side.home.set_config(mail={"send": send, "read": {**read, "password_command": ["echo", PASSWORD]}})


def by_maildir(side: Side, post: Post) -> None:
    """The same, for somebody whose mail lies on their own machine."""
    by_mail(side, post)
    mail = side.home.config()["mail"]
    read = {"way": "maildir", "folder": str(post.maildir(side.seat))}
    side.home.set_config(mail={**mail, "read": read})


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("way", [by_mail, by_maildir])
def test_a_game_by_mail_is_the_game_by_files(tmp_path: Path, post: Post, way: Any) -> None:
    both = sides(tmp_path / "mail", "tiny")
    for side in both:
        way(side, post)
    assert by_watching(both) == by_files("tiny")


def test_killed_thirty_times_it_is_still_the_same_game(tmp_path: Path, post: Post) -> None:
    both = sides(tmp_path / "mail", "tiny")
    for side in both:
        by_mail(side, post)
    assert by_killing(both, 30, random.Random(1)) == by_files("tiny")


def test_a_watching_home_needs_no_key(tmp_path: Path, post: Post) -> None:
    """It answers with what it has; the private key is nowhere in it, and a move is refused."""
    a, b = sides(tmp_path, "tiny")
    for side in (a, b):
        by_maildir(side, post)
        secret = side.key.read_bytes().splitlines()[3]
        assert not [path for path in files_in(side.home.path) if secret in path.read_bytes()]
    assert any(" of yours made" in line for line in a.look() + b.look())
    assert any(" of yours made" in line for line in a.look())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_HOME", str(a.home.path))
        due = a.table().due()
        assert due is not None and due.kind == "sealed"
        ran = pbem("play", "-m", "put act act", "--yes")
        assert ran.code == 2 and "no key" in ran.err
        assert a.table().due() == due or a.table().due() is not None


def asked(tmp_path: Path, post: Post) -> tuple[Side, Side]:
    """A game in which side a is asked to decide."""
    a, b = sides(tmp_path, "tiny")
    for side in (a, b):
        by_maildir(side, post)
    for side in (a, b, a, b):
        side.look()
    assert a.table().due() is not None
    return a, b


def teller(side: Side, log: Path) -> None:
    """A command of the owner's choice: it writes down what it is told."""
    script = (
        "import os, sys; open(sys.argv[1], 'a').write(os.environ['PBEM_WHAT'] + ': ' + sys.stdin.readline())"
    )
    mail = side.home.config()["mail"]
    tell = {"way": "command", "command": [sys.executable, "-c", script, str(log)]}
    side.home.set_config(mail={**mail, "tell": tell})


def test_the_owner_is_told_once_and_reminded_by_the_clock(tmp_path: Path, post: Post) -> None:
    a, _ = asked(tmp_path, post)
    log = tmp_path / "told"
    teller(a, log)
    a.home.table_file(f"watch-{a.table().contract.game.hex()}.toml").unlink()
    table = a.table()
    opened, hours = seconds(table.came()), table.contract.invite.clocks.move

    def look(part: float) -> list[str]:
        log.unlink(missing_ok=True)
        watcher = Watcher(a.home, clock=lambda: stamp(int(opened + part * hours * 3600)))
        watcher.look()
        watcher.look()
        return log.read_text().splitlines() if log.exists() else []

    assert [line.partition(":")[0] for line in look(0.1)] == ["decision"]
    assert look(0.2) == []
    (half,) = look(0.6)
    assert half.startswith("reminder: ") and look(0.7) == []
    (last,) = look(0.9)
    assert last.startswith("reminder: ")


def test_the_owner_is_told_when_anothers_clock_has_run_out(tmp_path: Path, post: Post) -> None:
    a, b = asked(tmp_path, post)
    assert a.play()
    log = tmp_path / "told"
    teller(a, log)
    opened, hours = seconds(a.table().came()), a.table().contract.invite.clocks.move
    Watcher(a.home, clock=lambda: stamp(opened + hours * 3600 - 60)).look()
    assert not log.exists(), log.read_text()
    Watcher(a.home, clock=lambda: stamp(opened + hours * 3600 + 60)).look()
    assert log.read_text().startswith("late: ") and f"the time of {b.seat} is over" in log.read_text()


def test_reminders_and_late_notices_wait_for_who_is_away(tmp_path: Path, post: Post) -> None:
    """a says that it is away for twenty days: nobody is told of its clock before that is over."""
    a, b = asked(tmp_path, post)
    logs = {side.seat: tmp_path / f"told-{side.seat}" for side in (a, b)}
    table = a.table()
    opened, move = seconds(table.came()), table.contract.invite.clocks.move * 3600
    until = opened + 480 * 3600
    assert until > opened + move, "an absence within the usual time gives nothing more"
    table.play("absence", lambda own: Absence(stamp(until)), a.sign_with())
    for side in (a, b):
        side.look()
    for side in (a, b):
        assert side.play(), "which takes it in"
    for side in (a, b, a, b, a, b):
        side.look()
    assert b.play(), "and now only a is waited for"
    for side in (a, b):
        teller(side, logs[side.seat])

    def look(side: Side, at: int) -> list[str]:
        log = logs[side.seat]
        log.unlink(missing_ok=True)
        side.home.table_file(f"watch-{table.contract.game.hex()}.toml").unlink(missing_ok=True)
        Watcher(side.home, clock=lambda: stamp(opened + at)).look()
        return [line.partition(":")[0] for line in log.read_text().splitlines()] if log.exists() else []

    assert look(a, move * 3 // 4) == ["decision"]
    assert look(a, until - opened - move // 4) == ["reminder"]
    assert look(b, move + 60) == []
    assert look(b, until - opened + 60) == ["late"]


def test_the_owner_may_be_told_by_mail(tmp_path: Path, post: Post) -> None:
    a, _ = asked(tmp_path, post)
    a.home.set_config(mail={**a.home.config()["mail"], "tell": {"way": "mail"}})
    a.home.table_file(f"watch-{a.table().contract.game.hex()}.toml").unlink()
    before = set(files_in(post.maildir("a")))
    a.look()
    (note,) = set(files_in(post.maildir("a"))) - before
    assert b"asked of you" in note.read_bytes()
    assert a.look() == [], "a note to oneself is no news"


def test_papers_that_need_the_key_are_kept_for_the_owner(tmp_path: Path, post: Post) -> None:
    from pbem.demo.seat import Seat

    a, _ = asked(tmp_path / "one", post)
    facts = {"game": "tiny", "scenario": "short", "options": {"deck": "own"}, "seats": ["a", "b"], "seed": 5}
    papers = Seat({**facts, "seat": "a", "folder": str(tmp_path / "two")}).invite(facts)
    post.deliver("a", pack(papers))
    said = a.look()
    (kept,) = (a.home.path / "inbox").iterdir()
    assert kept.read_bytes() == pack(papers) and any(str(kept) in line for line in said)
    assert a.look() == []


def test_a_damaged_or_foreign_mail_changes_nothing_and_stops_nothing(tmp_path: Path, post: Post) -> None:
    a, b = asked(tmp_path, post)
    b.play()
    (mail, *_) = (path for path in files_in(post.maildir("a")) if "new" in path.parts)
    good = mail.read_bytes()
    mail.unlink()
    entry = outgoing(b.table(), "a")[-1]
    forged = entry.replace(b'seat = "b"', b'seat = "a"')
    post.deliver("a", pack([forged]))
    post.deliver("a", b"From: someone@example.org\r\nSubject: hello\r\n\r\nnothing of pbem\r\n")
    post.deliver("a", good[: len(good) * 2 // 3])
    before = a.fingerprint
    said = a.look()
    assert a.fingerprint == before and any("refused" in line for line in said)
    post.deliver("a", good)
    a.look()
    a.play()
    b.look()
    assert b.fingerprint == a.fingerprint != before


def test_the_command_looks_once_and_names_what_failed(
    tmp_path: Path, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, _ = asked(tmp_path, post)
    monkeypatch.setenv("PBEM_HOME", str(a.home.path))
    (name,) = a.home.games()
    assert pbem("watch", "--once", "-g", name).code == 0
    assert pbem("watch", "--once", "-g", "nothing").code == 2
    mail = a.home.config()["mail"]
    a.home.set_config(mail={**mail, "read": {"way": "maildir", "folder": str(tmp_path / "none")}})
    ran = pbem("watch", "--once")
    assert ran.code == 5 and "not a Maildir" in ran.err
    a.home.set_config(mail={**mail, "read": {"way": "pigeon"}})
    ran = pbem("watch", "--once")
    assert ran.code == 2 and "maildir, imap" in ran.err


def test_a_new_home_has_nothing_to_watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    ran = pbem("watch", "--once")
    assert ran.code == 0 and "no game" in ran.out
    assert not Home(tmp_path).games()


def test_a_bug_in_one_game_does_not_keep_the_others_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    side, _ = sides(tmp_path, "tiny")
    monkeypatch.setattr(Home, "games", lambda home: dict.fromkeys(("one", "two"), side.table().folder))
    looked: list[str] = []

    def game(watcher: Watcher, name: str, table: object) -> None:
        looked.append(name)
        if name == "one":
            raise KeyError(name)

    monkeypatch.setattr(Watcher, "_game", game)
    said: list[str] = []
    watcher = Watcher(side.home, say=said.append)
    watcher.look()
    assert looked == ["one", "two"] and len(watcher.errors) == 1
    assert any("one: something went wrong (KeyError)" in line for line in said)
