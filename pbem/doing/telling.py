"""Records of what was done, in words: the same on the command line and on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.doing.handover import Handed, Written, address_of
from pbem.words import count

if TYPE_CHECKING:
    from pbem.table import Received, Table


def handed_lines(table: Table, handed: Handed) -> list[str]:
    """What was handed over, and what to do with files."""
    if handed.nothing:
        return ["the others have everything"]
    out = list(handed.sent)
    if handed.problem is not None:
        hint = f" ({handed.problem.hint})" if handed.problem.hint else ""
        out.append(f"not sent by itself: {handed.problem.message}{hint}")
    out += [written_line(table, one) for one in handed.written]
    return out + [f"attach this file to your mail too: {path}" for path in handed.beside]


def written_line(table: Table, one: Written) -> str:
    """A file, what it holds and for whom."""
    moves = count(one.entries, "entry", "entries") if one.entries else ""
    what = " and ".join(part for part in ("the contract" if one.contract else "", moves) if part)
    who = []
    for seat in one.seats:
        address = address_of(table, seat)
        who.append(f"{table.contract.seats[seat].player} ({seat})" + (f" <{address}>" if address else ""))
    return f"written: {one.path} ({what}) for {', '.join(who)}"


def counts(result: Received) -> str:
    """How many entries became what."""
    parts = [f"{count(len(result.logged), 'entry', 'entries')} logged"]
    if result.answered:
        parts.append(f"{count(len(result.answered), 'answer', 'answers')} of yours made")
    if result.repeated:
        parts.append(f"{result.repeated} here already")
    if result.waiting:
        parts.append(f"{result.waiting} kept until their turn comes")
    return ", ".join(parts)
