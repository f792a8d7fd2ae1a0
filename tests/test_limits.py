"""Limits of work: no file, mail, bundle or folder costs much more than its honest reading, or stops the next.

Work is counted (bytes that come out, entries that are read, processes that are started), never timed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.doing.watching import Watcher
from pbem.home import Home
from pbem.shelf import Places
from pbem.transport import bundle, mail_in, mailbox
from tests.attack_kit import works_only_without
from tests.homes import party

END = '\n[signature]\nsshsig = """\n-----END SSH SIGNATURE-----\n"""\n'


def strange(number: int, size: int) -> bytes:
    """Bytes with the outside of an entry, that shorten well."""
    head = f"v = 2\nnumber = {number}\n"
    return f"{head}# {'.' * (size - len(head) - len(END) - 2)}{END}".encode()


def flood(bundles: int) -> bytes:
    """A mail of armoured blocks, each a thousand times shorter than what it announces."""
    out = ["MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n"]
    for first in range(0, bundles, 50):
        out.append("--q\r\nContent-Type: text/plain\r\n\r\n")
        for number in range(first, min(first + 50, bundles)):
            raws = [strange(8 * number + n, 60_000) for n in range(8)]
            out.append(bundle.armour(bundle.pack(raws)).replace("\n", "\r\n"))
    return "".join(out).encode()


def test_a_bundle_that_comes_as_file_and_as_text_is_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    raws = [strange(n, 500) for n in range(3)]
    opened = []
    unpack = mail_in.unpack
    monkeypatch.setattr(mail_in, "unpack", lambda raw: opened.append(raw) or unpack(raw))
    block = bundle.armour(bundle.pack(raws))
    quoted = "".join(f"> {line}\n" for line in block.splitlines())
    assert mail_in.find(f"{block}\non Monday you wrote:\n{quoted}".encode()).entries == tuple(raws)
    assert len(opened) == 1


def test_an_mbox_of_empty_messages_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = tmp_path / "box"
    last = b"Subject: x\n\n" + bundle.armour(bundle.pack([strange(1, 500)])).encode()
    box.write_bytes(b"From \n\n" * 5000 + b"From y\n" + last)

    def attack() -> bool:
        return len(list(mailbox.read_file(box))) > 1

    works_only_without(monkeypatch, attack, (mailbox, "_SMALLEST", 1))
    assert [message.raw for message in mailbox.read_file(box)] == [last]


def letters(folder: Path, *mails: bytes) -> Path:
    """A folder in which these mails have arrived."""
    for name in ("new", "cur", "tmp"):
        (folder / name).mkdir(parents=True)
    for number, mail in enumerate(mails):
        (folder / "new" / f"{number}.eml").write_bytes(mail)
    return folder


def maildir(folder: Path, *mails: bytes) -> Home:
    """A home that reads these mails."""
    home = Home(folder / "home")
    place = letters(folder / "mail", *mails)
    home.set_config(mail={"read": {"way": "maildir", "folder": str(place)}})
    return home


def unknown(number: int) -> bytes:
    """An entry, well formed, of a game that nobody here knows."""
    from pbem.protocol.papers.bodies import Note
    from pbem.protocol.papers.entry import Head, compose
    from tests.table import key_of

    none = f"{number:064x}"
    head = Head(2, none, "a", "decide", (none,), none, "2026-01-31T12:00:00Z", "note")
    return compose(head, Note(), key_of("a"))


def test_one_mail_never_stops_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger's mail with more entries of unknown games than one bundle may hold."""
    raws = [unknown(n) for n in range(1, 1401)]
    body = "".join(bundle.armour(bundle.pack(raws[n : n + 700])) for n in (0, 700))
    last = bundle.pack([unknown(9999)])
    rounds = iter(range(100))

    def attack() -> bool:
        """True if the last mail was not read, today and tomorrow."""
        home = maildir(tmp_path / str(next(rounds)), body.encode(), last)
        for _ in range(2):
            Watcher(home).look()
        kept = (home.path / "inbox").glob("*.pbem") if (home.path / "inbox").exists() else ()
        return last not in [path.read_bytes() for path in kept]

    works_only_without(
        monkeypatch,
        attack,
        (Watcher, "_take_safely", Watcher._take),
        (bundle, "portions", lambda raws: [raws]),
    )


def test_a_bug_that_a_mail_finds_is_named_and_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = bundle.pack([unknown(1)])
    home = maildir(tmp_path, b"Subject: poison\r\n\r\n", last)
    find = mail_in.find

    def poisoned(message: bytes) -> mail_in.Found:
        if b"poison" in message:
            raise KeyError("poison")
        return find(message)

    monkeypatch.setattr(mail_in, "find", poisoned)
    said: list[str] = []
    watcher = Watcher(home, say=said.append)
    watcher.look()
    assert any("could not be taken in (KeyError)" in line for line in said) and len(watcher.errors) == 1
    assert [path.read_bytes() for path in (home.path / "inbox").iterdir()] == [last]


def test_old_entries_cost_no_more_the_longer_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything of a game again, in one bundle: it is read a few times, not a few times for each entry."""
    from pbem.repository.database import Database

    table = party(tmp_path, monkeypatch)
    table.play_out()
    old = table.tables["a"]
    raws = [entry.raw for entry in old.entries(range(1, old.ledger.state.number + 1))]
    again = table.reopen("a")
    holds = Places.holds

    def stale(places: Places, raw: bytes) -> bool:
        places._head = "?"
        return holds(places, raw)

    reads = []
    each = Database.read
    monkeypatch.setattr(Database, "read", lambda *a, **k: reads.append(1) or each(*a, **k))

    def attack() -> bool:
        reads.clear()
        return not again.receive(raws).repeated or len(reads) > len(raws)

    works_only_without(monkeypatch, attack, (Places, "holds", stale))
    result = again.receive(raws)
    assert result.repeated == len(raws) > 20 and not result.logged
    assert len(reads) < 10
