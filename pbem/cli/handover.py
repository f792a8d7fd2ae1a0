"""Handing over: what the others have not acknowledged goes into a file or a mail for each of them.

Sending again sends the same bytes. Whoever has not signed an entry yet also gets the papers of the
contract, so that the file which begins a game already carries its first moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import count, did_you_mean, write_file
from pbem.cli.papers import is_entry
from pbem.errors import UsageError

if TYPE_CHECKING:
    from pbem.table import Table

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Parcel:
    """What one or several seats must get."""

    seats: tuple[str, ...]
    raws: tuple[bytes, ...]


def parcel(table: Table, seat: str) -> Parcel:
    """Everything that a seat has not acknowledged, and the contract until it has signed an entry."""
    state = table.ledger.state.seats[seat]
    papers = list(table.contract.papers.values()) if not (state.decided or state.answered) else []
    papers.sort(key=lambda raw: raw != table.contract.papers["invite"])
    return Parcel((seat,), (*papers, *table.outgoing(seat)))


def others(table: Table, to: str | None) -> list[str]:
    """The seats to hand over to."""
    seats = [s for s in table.contract.invite.seats if s != table.seat]
    if to is None:
        return seats
    if to not in seats:
        raise UsageError(f"{to!r} is no other seat", did_you_mean(to, seats, "the others are"))
    return [to]


def joined(parcels: Sequence[Parcel]) -> Parcel:
    """One parcel for several seats."""
    raws = dict.fromkeys(raw for one in parcels for raw in one.raws)
    return Parcel(tuple(s for one in parcels for s in one.seats), tuple(raws))


def hand_over(
    table: Table, name: str, to: str | None = None, out: Path | None = None, quiet: bool = False
) -> list[Path]:
    """Hand over what the others need, as it is set (mail or git), or as files; returns the files."""
    from pbem.cli.delivery import can_deliver, deliver

    say = (lambda text: None) if quiet else click.echo
    parcels = [parcel(table, seat) for seat in others(table, to)]
    parcels = [one for one in parcels if one.raws]
    if not parcels:
        say("the others have everything")
    elif out is not None:
        return _write(table, joined(parcels), out, say)
    elif to is None and can_deliver(table):
        for line in deliver(table):
            say(line)
        return []
    written = []
    for one in parcels:
        file = f"{table.ledger.state.number:06d}-to-{one.seats[0]}.pbem"
        written += _write(table, one, _outbox(table, name) / file, say)
    return written


def _outbox(table: Table, name: str) -> Path:
    assert table.home is not None
    folder = table.home.path / "outbox" / _UNSAFE.sub("-", name)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _write(table: Table, one: Parcel, file: Path, say: Callable[[str], None]) -> list[Path]:
    from pbem.transport.bundle import portions

    written = []
    for number, raws in enumerate(portions(one.raws), 1):
        place = file if number == 1 else file.with_stem(f"{file.stem}-{number}")
        write_file(place, as_file(table, one.seats, raws, place.suffix))
        say(f"written: {place} ({_what(raws)}) for {_who(table, one.seats)}")
        written.append(place)
    return written


def as_file(table: Table, seats: Sequence[str], raws: Sequence[bytes], suffix: str) -> bytes:
    """The bytes of a file by its suffix: .eml a mail, .txt text to paste, anything else a bundle."""
    from pbem.transport.bundle import pack

    if suffix == ".eml":
        return mail(table, seats, raws)
    if suffix == ".txt":
        from pbem.transport.mail_out import body_text

        return body_text(_letter(table, seats), raws).encode()
    return pack(raws)


def _letter(table: Table, seats: Sequence[str], board: bool = False) -> str:
    from pbem.report import letter, since_own_decision

    return letter(table, seats, since_own_decision(table), board)


def mail(table: Table, seats: Sequence[str], raws: Sequence[bytes], board: bool = True) -> bytes:
    """A complete mail to these seats: the report of the last moves, and the board for who has to decide."""
    from datetime import UTC, datetime

    from pbem.protocol.times import seconds
    from pbem.report import subject
    from pbem.transport.mail_out import compose

    known = table.contract.seats
    absent = [s for s in (table.seat or "", *seats) if s not in known or not known[s].address]
    if absent:
        raise UsageError(
            f"the contract has no address for {', '.join(absent)}",
            "attach the .pbem file to a mail of your own",
        )
    since = table.ledger.state.since
    return compose(
        sender=_address(table, str(table.seat)),
        recipients=[_address(table, seat) for seat in seats],
        subject=subject(table),
        body=_letter(table, seats, board),
        entries=raws,
        game_short=table.contract.game.hex()[:8],
        attachment_name=f"{table.contract.invite.rules}-{table.ledger.state.number:06d}.pbem",
        date=datetime.fromtimestamp(seconds(since) if since else 0, UTC),
    )


def _address(table: Table, seat: str) -> str:
    found = table.contract.seats[seat]
    plain = "".join(c for c in found.player if c.isalnum() or c in " .-_")
    return f"{plain} <{found.address}>" if plain.strip() and "<" not in found.address else found.address


def _what(raws: Sequence[bytes]) -> str:
    entries = sum(is_entry(raw) for raw in raws)
    papers = "the contract" if entries < len(raws) else ""
    moves = count(entries, "entry", "entries") if entries else ""
    return " and ".join(part for part in (papers, moves) if part)


def _who(table: Table, seats: Sequence[str]) -> str:
    words = []
    for seat in seats:
        found = table.contract.seats[seat]
        words.append(f"{found.player} ({seat})" + (f" <{found.address}>" if found.address else ""))
    return ", ".join(words)
