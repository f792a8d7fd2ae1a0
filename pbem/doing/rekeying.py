"""A new key for a seat: offering it, agreeing to another seat's, and taking it into use.

The new secrets wait in the home until the log says that the new key counts. Until then the seat answers with
what it had: from its old key, or from the copy that the contract keeps for its spare key.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from pbem.doing.agreeing import must_be_asked, offers
from pbem.doing.key import Key
from pbem.errors import UsageError
from pbem.home import Home, TableSecrets
from pbem.lobby import keep_new_secrets, keep_secrets, play_in
from pbem.protocol.crypto.keys import SigningKey, fingerprint, parse_public_line
from pbem.protocol.papers.bodies import Rekey
from pbem.protocol.papers.kept import open_kept
from pbem.protocol.rounds.key_papers import in_order, make_paper
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
    if key.public == table.ledger.place.key(mine):
        raise UsageError(
            f"{mine} has this key already", "make a new one first: `pbem key new`, in a new home"
        )
    return mine


def check_signer(table: Table, mine: str, signer: SigningKey) -> None:
    """Only the key that a seat has until now, or its spare one, may ask for another."""
    spare = table.contract.seats[mine].spare
    if signer.public not in (table.ledger.place.key(mine), spare):
        raise UsageError(
            f"{signer.fingerprint} is neither the key of {mine} nor its spare one",
            "--with names the file of the key that you had, or of the spare key that was made with it",
        )


def sit_down(home: Home, table: Table, mine: str, signer: SigningKey) -> Table:
    """This home answers for the seat until the new key counts; returns the table as that seat sees it."""
    must_be_asked(table)
    if table.seat is None:
        seat = table.contract.seats[mine]
        if signer.public == seat.spare:
            kept = open_kept(signer, table.contract.listed, mine, seat.kept)
            own = TableSecrets(mine, kept.secret, kept.box, kept.answering)
            home.keep_secrets(table.contract.game.hex(), own)
        else:
            keep_secrets(home, table.contract, signer, mine)
    play_in(home, table)
    return Table.open(table.folder, home)


def offer(home: Home, table: Table, mine: str, key: SigningKey) -> Rekey:
    """The body with which a seat offers to go on with its new key."""
    kept = home.read_table(_pending(table))
    known = kept.get("seat") == mine and kept.get("public") == key.public.hex()
    nonce = bytes.fromhex(kept["nonce"]) if known else os.urandom(32)
    home.write_table(_pending(table), {"seat": mine, "nonce": nonce.hex(), "public": key.public.hex()})
    old = table.ledger.place.key(mine)
    return Rekey(make_paper(table.contract, table.ledger.state, mine, old, key, nonce))


@dataclass(frozen=True, slots=True)
class Wish:
    """An offer of new keys: its exact text, whose it is, the old and the new fingerprint."""

    text: str
    seat: str
    player: str
    old: str
    new: str


def wish(table: Table) -> Wish:
    """The new keys that another seat offers here."""
    must_be_asked(table)
    for seat, entry in offers(table, "rekey").items():
        told = in_order(table.contract, entry.body.paper) if isinstance(entry.body, Rekey) else None
        if told is not None and told.seat == seat != table.seat:
            player, new = table.contract.seats[seat].player, parse_public_line(told.key)
            assert isinstance(entry.body, Rekey)
            return Wish(
                entry.body.paper, seat, player, fingerprint(table.ledger.place.key(seat)), fingerprint(new)
            )
    raise UsageError(
        "nobody asks for a new key here",
        "--with FILE asks for one of your own: the key that you had, or its spare",
    )


def take_into_use(home: Home, table: Table, signing_key: Key) -> bool:
    """If the log says that the key asked for counts now, keep its secrets; True if that is new."""
    kept = home.read_table(_pending(table))
    if not kept or table.ledger.state.seats[kept["seat"]].key != kept["public"]:
        return False
    seat = str(kept["seat"])
    keep_new_secrets(home, table.contract, signing_key(), seat, str(kept["nonce"]))
    play_in(home, table)
    home.table_file(_pending(table)).unlink(missing_ok=True)
    return True
