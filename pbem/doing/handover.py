"""Handing over: what the others have not acknowledged goes by mail, by git, or into a file for each.

Invariants: sending again sends the same bytes. What left is noted only after it left, so that a run killed
on the way sends again rather than never. What cannot leave by the way that is set is written as a file: a
signed move is never left without a form in which it can be carried over. Whoever has not signed an entry
yet also gets the papers of the contract, so that the file which begins a game carries its first moves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pbem import attached
from pbem.doing import ways
from pbem.doing.files import write_file
from pbem.doing.incoming import is_entry
from pbem.doing.remotes import push, remote_of
from pbem.doing.sparring import partners, spar
from pbem.errors import PartlySentError, PbemError, TransportError, UsageError
from pbem.outgoing import outgoing, receipt
from pbem.table import Table
from pbem.transport.bundle import portions
from pbem.words import did_you_mean

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Parcel:
    """What one or several seats must get."""

    seats: tuple[str, ...]
    raws: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A file for one or several seats."""

    path: Path
    seats: tuple[str, ...]
    entries: int
    contract: bool


@dataclass(frozen=True, slots=True)
class Handed:
    """What was handed over."""

    written: tuple[Written, ...] = ()
    sent: tuple[str, ...] = ()
    """What left by mail or git, in words."""
    problem: PbemError | None = None
    """Why the way that is set did not serve; the files stand in for it."""
    practice: bool = False
    """It went to bots, and `sent` is what they answered."""
    beside: tuple[Path, ...] = ()
    """Attached files that did not fit in: the player sends them beside it."""

    @property
    def nothing(self) -> bool:
        """The others have everything."""
        return not (self.written or self.sent or self.problem)


# --- what is to be handed over


def parcel(table: Table, seat: str) -> Parcel:
    """Everything that a seat has not acknowledged, and the contract until it has signed an entry."""
    papers = list(table.contract.papers.values()) if not receipt(table, seat)[0] else []
    papers.sort(key=lambda raw: raw != table.contract.papers["invite"])
    return Parcel((seat,), (*papers, *outgoing(table, seat)))


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


# --- what has left


def _own_last(table: Table, lanes: tuple[str, ...] = ("decide", "answer")) -> set[str]:
    """The ids of this seat's last entries: those that wait, and the last in the log of each lane."""
    mine = [e for e in table.ledger.pool.values() if e.seat == table.seat and e.head.lane in lanes]
    found, last = {entry.id for entry in mine}, table.ledger.state.number
    logged = [e for e in table.entries(range(max(1, last - 63), last + 1)) if e.seat == table.seat]
    for lane in lanes:
        found |= {entry.id for entry in [e for e in logged if e.head.lane == lane][-1:]}
    return found


def _note_file(table: Table) -> str:
    return f"handed-{table.contract.game.hex()}.toml"


def _noted(table: Table, how: str) -> bool:
    assert table.home is not None
    return _own_last(table) <= set(table.home.read_table(_note_file(table)).get(how, ()))


def _note(table: Table, how: str) -> None:
    if table.home is not None and table.seat is not None:
        known = table.home.read_table(_note_file(table))
        table.home.write_table(_note_file(table), {**known, how: sorted(_own_last(table))})


def note_sent(table: Table) -> None:
    """Everything that this seat has signed has left, by mail or git."""
    _note(table, "sent")


def note_kept(table: Table) -> None:
    """What this seat has signed waits on purpose: it leaves with the next that is handed over."""
    _note(table, "written")


def is_handed(table: Table) -> bool:
    """Whether all that this seat has signed has left by the way that is set, or else stands in a file."""
    if table.home is None or table.seat is None:
        return True
    return _noted(table, "sent") or (not can_send(table) and _noted(table, "written"))


def is_left_behind(table: Table, decided: bool = False) -> bool:
    """Whether a run was stopped after it had signed (or decided) and before that was sent or written."""
    journal = table.journal()
    if table.home is None or journal is None:
        return False
    noted = table.home.read_table(_note_file(table))
    left = {name for how in ("sent", "written") for name in noted.get(how, ())}
    return not _own_last(table, ("decide",) if decided else ("decide", "answer")) <= left


def known_handed(table: Table) -> bool | None:
    """Whether all has left, where entries leave without a person; None where only the person knows."""
    try:
        return is_handed(table) if can_send(table) else None
    except UsageError:
        return None


# --- the ways


def can_send(table: Table) -> bool:
    """Whether a way is set by which this game's entries leave without a person."""
    if table.home is None or table.seat is None:
        return False
    if partners(table):
        return True
    return remote_of(table) is not None or ways.setting(table.home, "send") is not None


def address_of(table: Table, seat: str) -> str:
    """Where a player reads mail: as this home was told since, or as the contract says; "" if unknown."""
    told: Any = table.home.config().get("addresses", {}) if table.home is not None else {}
    known = told.get(table.contract.game.hex(), {}).get(seat) or table.contract.seats[seat].address
    if not known and seat == table.seat and table.home is not None:
        known = table.home.config().get("address", "")
    return str(known)


def set_address(table: Table, seat: str, address: str) -> None:
    """Remember where the player of a seat reads mail; the contract stays as it was signed."""
    from pbem.transport.mail_headers import parse_mailbox

    if table.home is None or seat not in table.contract.seats:
        raise UsageError(
            f"there is no seat {seat!r}", f"the seats are {', '.join(table.contract.invite.seats)}"
        )
    parse_mailbox(address, "address")
    told = dict(table.home.config().get("addresses", {}))
    game = table.contract.game.hex()
    told[game] = {**told.get(game, {}), seat: address}
    table.home.set_config(addresses=told)


def send(table: Table, without: Sequence[str] = ()) -> list[str]:
    """Send what the others lack by the way that is set, no mail to `without`; what was done, in words."""
    remote = remote_of(table)
    try:
        if partners(table):
            said = spar(table)
        elif remote is not None:
            said = push(table, remote)
        else:
            said = _mail_all(table, without)
    except PartlySentError as error:
        note_sent(table)
        raise TransportError(f"sent to the others, but {error.message}", error.hint) from None
    except TransportError as error:
        raise TransportError(
            f"signed and kept, but not sent: {error.message}",
            f"{error.hint}; `pbem send` tries again" if error.hint else "`pbem send` tries again",
        ) from None
    note_sent(table)
    return said


def _mail_all(table: Table, without: Sequence[str]) -> list[str]:
    """One mail to all the others that can get one, in as many portions as it needs."""
    assert table.home is not None
    one = joined([parcel(table, seat) for seat in others(table, None) if seat not in without])
    chosen = ways.setting(table.home, "send")
    board = chosen is not None and chosen["way"] != "mailto"  # a link has little room
    said = []
    partly: PartlySentError | None = None
    for number, raws in enumerate(portions(one.raws), 1):
        name = f"{table.contract.invite.rules}-{table.ledger.state.number:06d}-{number}"
        try:
            said.append(ways.post(table.home, mail(table, one.seats, raws, board), name))
        except PartlySentError as error:
            partly = error
    if partly is not None:
        raise partly
    return said


def hand_over(table: Table, name: str, to: str | None = None, out: Path | None = None) -> Handed:
    """Hand over what the others need: into `out`, or by the way that is set, or as a file for each."""
    handed = _hand_over(table, name, to, out)
    if not attached.used_by(table.ledger.machine.rules):
        return handed
    raws = [raw for seat in others(table, to) for raw in parcel(table, seat).raws]
    inside, beside = attached.for_mail(table.folder, raws)
    if inside and not _by_mail(table, handed):
        beside = [*(attached.place_of(table.folder, what) for what in attached.named_in(raws))]
    return replace(handed, beside=tuple(path for path in beside if path.exists()))


def _by_mail(table: Table, handed: Handed) -> bool:
    """Whether everything that was handed over are mails, which take files along."""
    if any(one.path.suffix != ".eml" for one in handed.written):
        return False
    chosen = ways.setting(table.home, "send") if table.home is not None else None
    return not handed.sent or (chosen is not None and chosen["way"] != "mailto" and remote_of(table) is None)


def _hand_over(table: Table, name: str, to: str | None, out: Path | None) -> Handed:
    parcels = [parcel(table, seat) for seat in others(table, to)]
    parcels = [one for one in parcels if one.raws]
    if not parcels:
        return Handed()
    if out is not None:
        written = _write(table, joined(parcels), out)
        _note(table, "written")
        return Handed(written=written)
    problem: PbemError | None = None
    sent: tuple[str, ...] = ()
    if to is None:
        try:
            if can_send(table):
                lost = _beyond_mail(table)
                sent = tuple(send(table, lost))
                if not lost:
                    return Handed(sent=sent, practice=bool(partners(table)))
                problem, parcels = _no_address(lost), [one for one in parcels if one.seats[0] in lost]
        except (TransportError, UsageError) as error:
            problem = error
    written = ()
    for one in parcels:
        file = f"{table.ledger.state.number:06d}-to-{one.seats[0]}.pbem"
        written += _write(table, one, _outbox(table, name) / file)
    if to is None:
        _note(table, "written")
    return Handed(written=written, sent=sent, problem=problem)


def _beyond_mail(table: Table) -> list[str]:
    """Seats without an address that mail can use, where others have one: they must not keep these waiting."""
    if partners(table) or remote_of(table) is not None:
        return []
    seats = others(table, None)
    lost = [seat for seat in seats if not _is_address(address_of(table, seat))]
    return lost if len(lost) < len(seats) else []


def _is_address(text: str) -> bool:
    from pbem.transport.mail_headers import parse_mailbox

    try:
        return bool(parse_mailbox(text, "address"))
    except UsageError:
        return False


def _no_address(seats: Sequence[str]) -> UsageError:
    return UsageError(
        f"no address is known of {', '.join(seats)}",
        f"attach the file to a mail of your own; `pbem mail address {seats[0]} ADDRESS` adds it",
    )


# --- files and mails


def _outbox(table: Table, name: str) -> Path:
    assert table.home is not None
    folder = table.home.path / "outbox" / _UNSAFE.sub("-", name)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def _write(table: Table, one: Parcel, file: Path) -> tuple[Written, ...]:
    written = []
    for number, raws in enumerate(portions(one.raws), 1):
        place = file if number == 1 else file.with_stem(f"{file.stem}-{number}")
        write_file(place, as_file(table, one.seats, raws, place.suffix))
        entries = sum(is_entry(raw) for raw in raws)
        written.append(Written(place, one.seats, entries, entries < len(raws)))
    return tuple(written)


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

    from pbem.protocol.papers.times import seconds
    from pbem.report import subject
    from pbem.transport.mail_out import compose

    absent = [s for s in (str(table.seat), *seats) if not _is_address(address_of(table, s))]
    if absent:
        raise _no_address(absent)
    since = table.ledger.state.since
    return compose(
        sender=_mailbox(table, str(table.seat)),
        recipients=[_mailbox(table, seat) for seat in seats],
        subject=subject(table),
        body=_letter(table, seats, board),
        entries=raws,
        game_short=table.contract.game.hex()[:8],
        attachment_name=f"{table.contract.invite.rules}-{table.ledger.state.number:06d}.pbem",
        date=datetime.fromtimestamp(seconds(since) if since else 0, UTC),
        files=attached.for_mail(table.folder, raws)[0],
    )


def _mailbox(table: Table, seat: str) -> str:
    address = address_of(table, seat)
    plain = "".join(c for c in table.contract.seats[seat].player if c.isalnum() or c in " .-_")
    return f"{plain} <{address}>" if plain.strip() and "<" not in address else address
