"""A game's git remote: what it holds that is not here, and what it lacks.

Each seat pushes only its own outbox ref; the main line is derived and the same whoever pushes it first.
What it holds and is not here is taken in; where it is another line (somebody signed two entries with one
number), the line that follows from all of it takes its place.
What is fetched goes through the same door as a mail: verified first, then applied.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem.doing.ways import quietly
from pbem.errors import PbemError, UsageError
from pbem.words import count

if TYPE_CHECKING:
    from pbem.table import Received, Table


def remote_of(table: Table) -> str | None:
    """The git remote that this game goes through, if any."""
    found = table.home.config().get("remotes", {}) if table.home is not None else {}
    url = found.get(table.contract.game.hex())
    return str(url) if url else None


@dataclass
class Fetched:
    """What a remote holds that is not here, and what of it was refused unread."""

    entries: list[bytes] = field(default_factory=list)
    refused: list[PbemError] = field(default_factory=list)
    tips: dict[str, str] = field(default_factory=dict)
    """How far each outbox was read."""


def fetch(table: Table, remote: str) -> Fetched:
    """Everything new in the outboxes of a remote; nothing is verified yet."""
    from pbem.transport.git import fetch_outboxes, taken

    found, seats = Fetched(), table.contract.invite.seats

    def refuse(seat: str, error: PbemError) -> None:
        found.refused.append(error)

    before = taken(table.repo, seats)
    for seat, tip, raws in fetch_outboxes(table.repo, remote, seats, before, refuse):
        found.tips[seat] = tip
        found.entries += raws if seat in before else _unknown(table, raws)
    return found


def _unknown(table: Table, raws: list[bytes]) -> list[bytes]:
    """Of a whole outbox, as a new clone reads it: what is not in the log."""
    from pbem.repository.objects import object_id

    head = table.repo.head()
    here = {blob.id for blob in table.repo.tree(head).values()} if head else set()
    return [raw for raw in raws if object_id("blob", raw) not in here]


def take_in(table: Table, fetched: Fetched) -> Received:
    """Verify and apply what was fetched. What was refused is looked at again the next time."""
    from pbem.transport.git import note_taken

    result = table.receive(fetched.entries)
    if not result.refused:
        note_taken(table.repo, fetched.tips)
    return result


def own_entries(table: Table) -> list[bytes]:
    """This seat's entries back to the last ones that its outbox has, oldest first."""
    from pbem.transport.git import lacks

    waiting = [e for e in table.ledger.pool.values() if e.seat == table.seat]
    newest = sorted(waiting, key=lambda e: (e.head.lane, e.head.sent, e.id), reverse=True)
    found: list[bytes] = []
    open_lanes = {"decide", "answer"}
    last, step = table.ledger.state.number, 16
    while True:
        raws = [entry.raw for entry in newest]
        for entry, lacking in zip(newest, lacks(table.repo, str(table.seat), raws), strict=True):
            if lacking:
                found.append(entry.raw)
            else:
                open_lanes.discard(entry.head.lane)
        if last <= 0 or not open_lanes:
            return found[::-1]
        first = max(1, last - step + 1)
        newest = [
            entry
            for entry in reversed(table.entries(range(first, last + 1)))
            if entry.seat == table.seat and entry.head.lane in open_lanes
        ]
        last, step = first - 1, step * 4


def push(table: Table, remote: str) -> list[str]:
    """Push what the remote lacks of this seat, and the main line; what was done, in words."""
    from pbem.transport import git

    said, more = _push_own(table, remote), list[str]()
    try:
        try:
            tip = git.push_main(table.repo, remote)
        except git.OtherLine as other:
            tip = other.tip
            more.append("main there was another line: what it holds was taken in")
        if tip is not None:
            if table.receive(git.moves_of(table.repo, tip)).answered:
                said = _push_own(table, remote)
            git.push_main(table.repo, remote, instead=tip)
        said += more
    except PbemError as error:  # main only mirrors the outboxes: nobody can stop a game by spoiling it
        said.append(f"main was not pushed: {quietly(error)}")
    return said


def _push_own(table: Table, remote: str) -> list[str]:
    """What this seat has signed and the remote lacks."""
    from pbem.transport.git import push_outbox
    from pbem.transport.git_remote import name

    if table.seat is None:
        return []
    own = own_entries(table)
    pushed = push_outbox(table.repo, remote, table.seat, own)
    return [f"{count(pushed, 'entry', 'entries')} of {table.seat} pushed to {name(remote)}"]


def address(table: Table, remote: str | None) -> str:
    """The remote of a game: the one given, or the one that was used before."""
    from pbem.transport.git_remote import check_address

    if remote is not None:
        return check_address(remote)
    known = remote_of(table)
    if known is None:
        raise UsageError("this game has no remote yet", "`pbem sync REMOTE` names it, once")
    return known


def remember(table: Table, url: str) -> None:
    """The remote that worked is the game's remote from now on."""
    if table.home is not None:
        remotes = {**table.home.config().get("remotes", {}), table.contract.game.hex(): url}
        table.home.set_config(remotes=remotes)
