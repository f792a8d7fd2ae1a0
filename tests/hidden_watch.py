"""Everything that one player of a game has before its eyes, with what nobody can read numbered.

Mails, reports, boards, lists of legal moves, the files of folder and home, the whole history: two games in
which all of this is the same cannot be told apart by that player.
"""

from __future__ import annotations

import re
import subprocess
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import SMTP
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pbem import report
from pbem.engine.options import PUBLIC
from pbem.home import Home
from pbem.page.terminal import show
from pbem.protocol.deck.wire import HandOver, Shares, unpack
from pbem.protocol.papers.entry import read
from pbem.repository.disk import FileDisk
from pbem.repository.record import Record
from pbem.table import Received, Table
from pbem.transport.mail_in import find
from tests.cli import Desk

ENTRY = b"v = 2\n"
"""How an entry begins."""
ADDED = ".git/pbem/added"
"""Objects that git's own files may not have on disk yet."""
COMMANDS = (("status",), ("legal", "--all"))
"""What the watcher types at the end of a line."""


@dataclass
class Side:
    """A seat with its home and folder."""

    seat: str
    home: Home
    table: Table

    @classmethod
    def open(cls, folder: Path, seat: str) -> Side:
        home = Home(folder / seat / "home")
        (path,) = (folder / seat).glob("chuhan-*")
        return cls(seat, home, Table.open(path, home))


# --- what is opaque


_LINES = r'\[(?:\s*"[A-Za-z0-9+/=]+",?)+\s*\]'
_OPAQUE = re.compile(
    r"-----BEGIN SSH SIGNATURE-----[^-]*-----END SSH SIGNATURE-----"
    rf"|(?<=\bdeck = ){_LINES}|(?<=\bshare = ){_LINES}|(?<=\bbox = ){_LINES}"
    r"|\b(?:[0-9a-f]{4} ){2}[0-9a-f]{4}(?= \()"
    r"|(?<![0-9A-Za-z])[0-9a-f]{8,}(?![0-9A-Za-z])"
    r"|(?<![0-9A-Za-z+/])[A-Za-z0-9+/]{43,}={0,2}"
)
"""Signatures, messages of the deck and boxes, fingerprints in groups, hex of 4 bytes or more, long base64."""


class Blind:
    """Somebody who cannot tell opaque fields apart but by where they came up first, and by their length."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def read(self, text: str) -> str:
        """The text with opaque fields numbered."""
        return _OPAQUE.sub(self._number, text)

    def _number(self, match: re.Match[str]) -> str:
        return f"<{self.known.setdefault(match[0], len(self.known))}: {len(match[0])}>"


def named_slots(raw: bytes) -> list[str]:
    """What the messages of the deck in an entry name in the open: cards, or the epoch of a shuffle."""
    body = read(raw).body
    lines = [getattr(body, "deck", ()), *(one.share for one in getattr(body, "opens", ()))]
    messages = [message for one in lines for message in unpack(one)]
    return [str(_named(message)) for message in messages]


def _named(message: Any) -> object:
    if isinstance(message, Shares):
        return message.slots
    if isinstance(message, HandOver):
        return message.taker, [one.slot for one in message.cards]
    return getattr(message, "epoch", message)


# --- what the watcher sees


class Watch:
    """Everything that the watcher has before its eyes, in order, opaque fields numbered."""

    def __init__(self, watcher: Side) -> None:
        self.watcher = watcher
        self.blind = Blind()
        self.seen: list[tuple[str, str]] = []
        self.mails = 0

    def note(self, what: str, text: str) -> None:
        self.seen.append((self.blind.read(what), self.blind.read(text)))

    def looks(self, side: Side, raw: bytes | None, result: Received) -> None:
        """A mail either way; and what the watcher's program says to one that came in."""
        if raw is not None:
            self.mails += 1
            self._mail(f"mail {self.mails} to {side.seat}", raw)
        if side is self.watcher:
            self.note("report", "\n".join(self._report(result)))

    def _mail(self, name: str, raw: bytes) -> None:
        message = message_from_bytes(raw, policy=SMTP)
        body = message.get_body(("plain",))
        assert body is not None
        letter, _, _block = body.get_content().partition("-----BEGIN PBEM-----")
        headers = "\n".join(f"{key}: {value}" for key, value in message.items())
        self.note(name, f"{len(raw)} bytes\n{headers}\n\n{letter}")
        for one in find(raw).entries:
            slots = named_slots(one) if one.startswith(ENTRY) else []
            self.note(name, f"{len(one)} bytes, {slots}\n{one.decode()}")

    def _report(self, result: Received) -> Iterator[str]:
        table = self.watcher.table
        ledger, secrets = table.ledger, table.secrets
        assert secrets is not None
        yield from report.lines(table, [report.told(one) for one in result.logged])
        yield from report.whose_turn(table)
        yield report.fingerprint(table)
        yield show(ledger.machine.rules, ledger.position, secrets.view())
        for seat, due in ledger.due().items():
            if due.options is not None:
                view = secrets.view(due.options) if seat == table.seat else PUBLIC
                listed = islice(due.options.list(view), 200)
                yield from (ledger.machine.write_move(ledger.position, move, view) for move in listed)

    def end(self, patch: pytest.MonkeyPatch) -> None:
        """The last look: commands, files of folder and home, and the whole history."""
        side = self.watcher
        desk = Desk(side.home.path.parent, patch)
        for command in COMMANDS:
            self.note(" ".join(command), desk.run(side.home.path.name, *command).both)
        for place in (side.table.folder, side.home.path):
            for path in sorted(place.rglob("*"), key=_in_order):
                name = str(path.relative_to(place))
                if name == ADDED:
                    self.note(name, "\n".join(_added(path)))
                elif path.is_file() and not name.startswith((".git/objects/", ".git/hooks/", ".git/index")):
                    self.note(name, f"{path.stat().st_size} bytes\n{path.read_text('utf-8')}")
        for command in (("log", "--raw", "--no-abbrev"), ("log", "-p", "--full-index", "position.toml")):
            self.note(" ".join(command), git(side.table.folder, *command))
        sizes = ("cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectsize)")
        self.note("objects", "\n".join(sorted(git(side.table.folder, *sizes).splitlines())))


def _added(path: Path) -> Iterator[str]:
    """What is in the record of additions; of each object kind and size, as git tells them.

    Not its content, as with `.git/objects`: that is deflated, and the files and the history show it.
    """
    record = Record(FileDisk(path.parent), path.name)
    record.load()
    assert record.boot and record.pieces
    yield record.boot
    for piece in record.pieces:
        yield f"{piece.ref} {piece.old} {piece.new} {piece.count}"
        yield from sorted(_kind_and_size(packed) for _, packed in piece.each())


def _kind_and_size(packed: bytes) -> str:
    head = next(at for at, byte in enumerate(packed) if byte < 128) + 1
    return f"{packed[0] >> 4 & 7} {len(zlib.decompress(packed[head:]))}"


def _in_order(path: Path) -> tuple[str, int]:
    """By name, and those whose names nobody can read in the order in which they were written."""
    return _OPAQUE.sub("?", str(path)), path.stat().st_mtime_ns


def git(folder: Path, *words: str) -> str:
    """What git says about a folder."""
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
