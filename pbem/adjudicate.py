"""The one flow: bytes from anybody become part of the log, or are refused and change nothing.

(1) read: well-formed bytes, nothing believed; (2) verify: signed by the key of its seat and lane;
(3) admit: does it belong here, is its round complete; (4) rules: legal, and what follows; (5) chance:
dice, chits and cards asked for by a rule, from seeds that every seat had a part in; (6) invariants of
the game; (7) log, position and one commit for each entry, or nothing; (8) a report for each side.
Steps 4 to 6 are the engine's, called by the ledger for each order; verifying a finished game is the
same flow from the first entry.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.protocol.entry import Entry, read
from pbem.protocol.ledger import Ledger
from pbem.protocol.logbook import Logged
from pbem.repository.objects import Commit

HUNDRED = 100


def adjudicate(
    ledger: Ledger,
    raw: bytes,
    keep: Callable[[Entry], None],
    commit: Callable[[Sequence[Logged]], None],
) -> list[Logged]:
    """Take one entry in. Returns what it led to, which `commit` has made part of the repository.

    Only what has passed every check that needs no round is handed to `keep`, which puts it on disk.
    """
    claim = read(raw)  # (1)
    entry = ledger.admit(claim)  # (2) this game, this seat, a number in reach, signed
    keep(entry)
    logged = ledger.offer(entry)  # (3) and for each complete round (4) rules (5) chance (6) invariants
    if logged:
        commit(logged)  # (7)
    return logged  # (8) Logged carries the report of what happened, under the rules that made it happen


def folder_of(number: int) -> str:
    """The folder of a hundred entries that a number belongs to."""
    return f"{number // HUNDRED + 1:04d}"


def move_path(number: int, seat: str) -> str:
    """Where an entry is kept exactly as its author signed it."""
    return f"moves/{folder_of(number)}/{number:06d}-{seat}.toml"


def log_path(number: int) -> str:
    """Where it is written what the entry led to."""
    return f"log/{folder_of(number)}/{number:06d}.toml"


def first_commit(ledger: Ledger) -> Commit:
    """The commit that begins a game: contract, first position, what happened before the first entry."""
    from pbem import toml
    from pbem.protocol.times import seconds

    contract = ledger.contract
    events = {"events": [event.table() for event in ledger.opening]} if ledger.opening else {}
    files = {
        "game.toml": contract.text().encode(),
        "position.toml": ledger.text.encode(),
        log_path(0): toml.dumps({"number": 0, "entry": contract.game.hex(), **events}).encode(),
    }
    message = f"0 {contract.invite.rules} {contract.invite.scenario}\n"
    return Commit(files, message, contract.invite.seats[0], seconds(contract.begin))


def commit_of(logged: Logged) -> Commit:
    """The commit of one entry: everything in it comes from the entry and what it led to."""
    from pbem.protocol.times import seconds

    head = logged.entry.head
    files = {
        move_path(logged.number, head.seat): logged.entry.raw,
        log_path(logged.number): logged.text().encode(),
        "position.toml": logged.position.encode(),
    }
    return Commit(files, f"{logged.number} {head.seat} {head.kind}\n", head.seat, seconds(head.sent))
