"""Cheats with the papers of a contract, at the command line: terms, dates, papers in the way of others."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem import lobby, packs, table
from pbem.doing import handover
from pbem.errors import PbemError
from pbem.home import Home
from pbem.lobby import Lobby, take_papers
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.papers.entry import Entry
from pbem.protocol.papers.invitation import Invite, read_invite
from pbem.protocol.papers.paper import write_paper
from pbem.protocol.papers.times import DAY, now, seconds, stamp
from pbem.table import Table
from pbem.transport.bundle import pack, unpack
from tests.cheats.kit import End, cheat, nothing
from tests.cli import Desk


@contextmanager
def invited(*who: str) -> Iterator[Desk]:
    """Ann has invited somebody to a game; everybody named has a key."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        desk = Desk(Path(folder), patch)
        for one in ("ann", *who):
            desk.ok(one, "key", "new")
        desk.ok("ann", "new", "tiny", "--out", "invitation.pbem", "--yes")
        yield desk


# --- terms


def _joins(**terms: Any) -> bool:
    """Ben gets an invitation with other terms than pbem would write, and says yes to what is shown."""
    with invited("ben") as desk:
        (raw, *_) = unpack((desk.folder / "invitation.pbem").read_bytes())
        changed = write_paper(replace(read_invite(raw), **terms), Invite, None)
        (desk.folder / "changed.pbem").write_bytes(pack([changed]))
        return desk.run("ben", "join", "changed.pbem", "--seat", "b", "--yes").code == 0


@cheat(End.REFUSED, (packs, "_check_choices", nothing))
def an_invitation_names_seats_that_the_rules_lack() -> bool:
    """The machines would stop at the first question to a seat that is not there."""
    return _joins(seats=("x", "b"))


@cheat(End.REFUSED, (packs, "_check_choices", nothing))
def an_invitation_names_an_option_that_the_rules_lack() -> bool:
    """Nobody can say what is played, and the program stops where the rules ask."""
    return _joins(options={"deck": "marked"})


@cheat(End.REFUSED, (packs, "_check_choices", nothing))
def an_invitation_leaves_an_option_open() -> bool:
    """The terms say nothing of it, and each may claim afterwards to have meant something else."""
    return _joins(options={})


# --- dates


def _always_waits(ledger: Ledger, entry: Entry) -> bool:
    """As if an answer that copies the time of the log had to wait for that time, too."""
    return seconds(entry.head.sent) > seconds(ledger.time) + DAY


WAITS = (Ledger, "_is_early", _always_waits)


@cheat(End.REFUSED, (Lobby, "_check_signing", nothing), (Table, "_check_clock", nothing), WAITS)
def the_contract_is_signed_in_three_days() -> bool:
    """No entry is dated before that: the machine of the other answers, waits for its own answer, and answers.

    When the time comes the first answer counts; all further ones have used up the numbers of the next.
    """
    with invited("ben") as desk:
        late = stamp(seconds(now()) + 3 * DAY)
        with desk.patch.context() as patch:
            patch.setattr(lobby, "now", lambda: late)
            desk.ok("ben", "join", "invitation.pbem", "--out", "answer.pbem", "--yes")
        desk.run("ann", "receive", "answer.pbem", "--into", "games")
        return len(list(desk.folder.glob("ann/signed/*/answer-*.toml"))) > 60


@cheat(End.REFUSED, (Table, "_check_clock", nothing), WAITS)
def the_clock_of_a_machine_is_years_behind() -> bool:
    """A flat battery, or an attack on it: the machine would answer one question under ever new numbers."""
    with invited("ben") as desk:
        desk.ok("ben", "join", "invitation.pbem", "--into", "bens", "--out", "answer.pbem", "--yes")
        with desk.patch.context() as patch:
            patch.setattr(table, "now", lambda: "2020-01-01T00:00:00Z")
            desk.run("ann", "receive", "answer.pbem", "--into", "games")
        return len(list(desk.folder.glob("ann/signed/*/answer-*.toml"))) > 60


# --- in the way of others


def _all_or_nothing(home: Home, papers: Sequence[bytes]) -> tuple[list[Lobby], list[PbemError]]:
    """As if papers that come together were good only together."""
    found, refused = take_papers(home, papers)
    return ([], refused) if refused else (found, [])


@cheat(End.HEALED, (lobby, "take_papers", _all_or_nothing))
def a_strangers_paper_stops_the_next() -> bool:
    """In a mailbox, before ben's answer, lies half of a contract that ann has nothing to do with."""
    with invited("ben", "eve") as desk:
        desk.ok("ben", "join", "invitation.pbem", "--out", "answer.pbem", "--yes")
        desk.ok("eve", "new", "tiny", "--out", "strange.pbem", "--yes")
        strange = unpack((desk.folder / "strange.pbem").read_bytes())[1:]
        (desk.folder / "strange.pbem").write_bytes(pack(strange))
        desk.run("ann", "receive", "strange.pbem", "answer.pbem", "--into", "games")
        return not list(desk.folder.glob("games/*"))


@cheat(End.HEALED, (handover, "_beyond_mail", lambda table: []))
def a_bad_address_keeps_mail_from_all() -> bool:
    """cat signs with an address that is none: a mail to all would leave for nobody, and ann would be late."""
    with invited("ben", "cat") as desk:
        desk.ok("ann", "new", "tiny", "--players", "3", "--address", "ann@example.org", "--out", "0", "--yes")
        desk.ok("ben", "join", "0", "--seat", "b", "--address", "ben@example.org", "--out", "1", "--yes")
        desk.ok("cat", "join", "1", "--seat", "c", "--address", "a@b, c@d", "--out", "2", "--yes")
        desk.ok("ann", "mail", "send", "save", "post")
        desk.ok("ann", "receive", "2", "--out", "3")
        desk.ok("ben", "receive", "3", "--into", "bens", "--out", "4")
        desk.ok("ann", "receive", "4", "--into", "anns")
        return not list(desk.folder.glob("post/*.eml"))
