"""`pbem sync`: exchange entries through any git remote.

Each seat pushes only its own outbox ref; the main line is derived and the same whoever pushes it first.
What is fetched goes through the same door as a mail: verified first, then applied.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from pbem.cli.common import game_option, json_option, open_table, print_json
from pbem.errors import PbemError, TransportError, UsageError

if TYPE_CHECKING:
    from pbem.table import Received, Table


@dataclass
class Fetched:
    """What a remote holds that is not here, and what of it was refused unread."""

    entries: list[bytes] = field(default_factory=list)
    held: set[bytes] = field(default_factory=set)
    """Everything that the remote has."""
    refused: list[PbemError] = field(default_factory=list)


def fetch(table: Table, remote: str) -> Fetched:
    """Everything new in the outboxes of a remote; nothing is verified yet."""
    from pbem.repository.objects import object_id
    from pbem.transport.git import fetch_entries

    found = Fetched()
    head = table.repo.head()
    here = {blob.id for blob in table.repo.tree(head).values()} if head else set()
    here |= {object_id("blob", entry.raw) for entry in table.ledger.pool.values()}

    def refuse(seat: str, error: PbemError) -> None:
        found.refused.append(error)

    raws = fetch_entries(table.repo, remote, table.contract.invite.seats, refused=refuse)
    found.held = set(raws)
    found.entries = [raw for raw in raws if object_id("blob", raw) not in here]
    return found


def own_entries(table: Table, held: set[bytes]) -> list[bytes]:
    """This seat's entries back to the last ones that the remote has, oldest first."""
    waiting = [e for e in table.ledger.pool.values() if e.seat == table.seat]
    newest = sorted(waiting, key=lambda e: (e.head.lane, e.head.seq), reverse=True)
    found = [e.raw for e in newest if e.raw not in held]
    open_lanes = {"decide", "answer"}
    last, step = table.ledger.state.number, 16
    while last > 0 and open_lanes:
        first = max(1, last - step + 1)
        for entry in reversed(table.entries(range(first, last + 1))):
            if entry.seat != table.seat or entry.head.lane not in open_lanes:
                continue
            if entry.raw in held:
                open_lanes.discard(entry.head.lane)
            else:
                found.append(entry.raw)
        last, step = first - 1, step * 4
    return found[::-1]


def push(table: Table, remote: str, held: set[bytes] | None = None) -> list[str]:
    """Push what the remote lacks of this seat, and the main line; what was done, in words."""
    from pbem.cli.delivery import quietly
    from pbem.transport import git
    from pbem.transport.git_remote import name

    said = []
    if table.seat is not None:
        if held is None:
            held = set(git.fetch_entries(table.repo, remote, [table.seat]))
        pushed = git.push_outbox(table.repo, remote, table.seat, own_entries(table, held))
        said.append(f"{pushed} entries of {table.seat} pushed to {name(remote)}")
    try:
        git.push_main(table.repo, remote)
    except TransportError as error:  # main only mirrors the outboxes: nobody can stop a game by spoiling it
        said.append(f"main was not pushed: {quietly(error)}")
    return said


def address(table: Table, remote: str | None) -> str:
    """The remote of a game: the one given, or the one that was used before."""
    from pbem.cli.delivery import remote_of
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


@click.command("sync")
@click.argument("remote", required=False)
@game_option
@json_option
def sync_command(remote: str | None, game: str | None, as_json: bool) -> None:
    """Exchange entries through a git remote: fetch, verify, apply, answer, push.

    REMOTE is any plain git address (ssh, https, a bare folder) and is remembered for the game. Each
    player pushes a branch of their own; the main line follows from them and cannot conflict.

    Example: pbem sync git@example.org:us/kawagoe.git
    """
    from pbem.cli.delivery import note_handed
    from pbem.cli.exchange import show_result
    from pbem.cli.papers import echo_refusals

    table = open_table(game)
    url = address(table, remote)
    fetched = fetch(table, url)
    result = table.receive(fetched.entries)
    said = push(table, url, fetched.held)
    note_handed(table)
    remember(table, url)
    refused = [*fetched.refused, *result.refused]
    if as_json:
        print_json(_as_json(table, result, refused))
    else:
        show_result(table, result)
        for line in said:
            click.echo(line)
    if refused:
        if not as_json:
            echo_refusals(refused[1:])
        raise refused[0]


def _as_json(table: Table, result: Received, refused: list[PbemError]) -> dict[str, object]:
    return {
        "logged": [one.number for one in result.logged],
        "answered": len(result.answered),
        "waiting": result.waiting,
        "entries": table.ledger.state.number,
        "fingerprint": table.fingerprint,
        "refused": [error.message for error in refused],
    }
