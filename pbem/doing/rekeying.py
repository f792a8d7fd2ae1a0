"""A new key for a seat: the paper that asks for it, the others' consent, and taking it into use.

The new secrets wait in the home until the log says that the new key counts.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from pbem.doing.files import write_file
from pbem.doing.incoming import find_files, sort
from pbem.doing.key import Key
from pbem.errors import UsageError
from pbem.home import Home
from pbem.lobby import keep_new_secrets, play_in
from pbem.protocol.crypto.keys import SigningKey, fingerprint, parse_public_line
from pbem.protocol.rounds.key_papers import make_paper, read_new_keys
from pbem.table import Table
from pbem.words import did_you_mean


def _pending(table: Table) -> str:
    return f"rekey-{table.contract.game.hex()}.toml"


def asking_seat(table: Table, seat: str | None, key: SigningKey) -> str:
    """The seat that asks for this key; refused if it has it."""
    seats = table.contract.invite.seats
    mine = seat or table.seat
    if mine is None:
        raise UsageError("which seat is yours?", f"--seat, one of: {', '.join(seats)}")
    if mine not in seats:
        raise UsageError(f"there is no seat {mine!r}", did_you_mean(mine, seats, "the seats are"))
    if key.public == table.ledger.keys()[mine, "decide"]:
        raise UsageError(
            f"{mine} has this key already", "make a new one first: `pbem key new`, in a new home"
        )
    return mine


def check_signer(table: Table, mine: str, signer: SigningKey) -> None:
    """Only the key that a seat has until now, or its spare one, may ask for another."""
    spare = table.contract.seats[mine].spare
    if signer.public not in (table.ledger.keys()[mine, "decide"], spare):
        raise UsageError(
            f"{signer.fingerprint} is neither the key of {mine} nor its spare one",
            "--with names the file of the key that you had, or of the spare key that was made with it",
        )


def ask(home: Home, table: Table, mine: str, key: SigningKey, signer: SigningKey, place: Path) -> None:
    """Write the paper with which a seat asks for its new key."""
    from pbem.transport.bundle import pack

    kept = home.read_table(_pending(table))
    known = kept.get("seat") == mine and kept.get("public") == key.public.hex()
    nonce = bytes.fromhex(kept["nonce"]) if known else os.urandom(32)
    home.write_table(_pending(table), {"seat": mine, "nonce": nonce.hex(), "public": key.public.hex()})
    home.add_game(table.contract.invite.rules, table.folder)
    old = table.ledger.keys()[mine, "decide"]
    write_file(place, pack([make_paper(table.contract, table.ledger.state, mine, old, key, nonce, signer)]))


@dataclass(frozen=True, slots=True)
class Wish:
    """A paper that asks for new keys: its exact text, whose it is, the old and the new fingerprint."""

    text: str
    seat: str
    player: str
    old: str
    new: str


def read(table: Table, file: str) -> Wish:
    """The paper in a file, checked."""
    papers = sort(find_files([file]).raws).rekeys
    if len(papers) != 1:
        raise UsageError(f"{file} holds {len(papers)} papers for new keys", "give the file that asks for one")
    text = papers[0].decode()
    told = read_new_keys(table.contract, text)
    if told.seat == table.seat:
        raise UsageError("this is your own paper", "the others consent to it")
    old = table.ledger.keys()[told.seat, "decide"]
    if told.old != old.hex():
        raise UsageError(f"the paper replaces a key that {told.seat} has no longer", "ask for a new paper")
    player, new = table.contract.seats[told.seat].player, parse_public_line(told.key)
    return Wish(text, told.seat, player, fingerprint(old), fingerprint(new))


def take_into_use(home: Home, table: Table, signing_key: Key) -> bool:
    """If the log says that the key asked for counts now, keep its secrets; True if that is new."""
    kept = home.read_table(_pending(table))
    if not kept or table.ledger.state.seats[kept["seat"]].key != kept["public"]:
        return False
    seat = str(kept["seat"])
    keep_new_secrets(home, table.contract, signing_key(), seat, str(kept["nonce"]))
    play_in(home, table, table.ledger.state.seats[seat].decided)
    home.table_file(_pending(table)).unlink(missing_ok=True)
    return True
