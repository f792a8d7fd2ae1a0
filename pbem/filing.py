"""Where the log stands in a game folder, and the commit that each entry makes of it."""

from __future__ import annotations

from pbem import toml
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.times import seconds
from pbem.repository.objects import Commit

HUNDRED = 100


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
    head = logged.entry.head
    files = {
        move_path(logged.number, head.seat): logged.entry.raw,
        log_path(logged.number): logged.text().encode(),
        "position.toml": logged.position.encode(),
    }
    return Commit(files, f"{logged.number} {head.seat} {head.kind}\n", head.seat, seconds(head.sent))
