"""A new key for a seat: the paper that asks for it, the others' consent, and taking it into use.

The new secrets wait in the home until the log says that the new key counts.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import confirm, did_you_mean, home, signing_key, write_file
from pbem.errors import UsageError

if TYPE_CHECKING:
    from pbem.protocol.bodies import Rekey
    from pbem.protocol.rekeying import NewKeys
    from pbem.table import Table


def _pending(table: Table) -> str:
    return f"rekey-{table.contract.game.hex()}.toml"


def ask(table: Table, seat: str | None, out: Path | None, yes: bool) -> None:
    """Write the paper with which a seat asks for its new key."""
    from pbem.protocol.rekeying import make_paper
    from pbem.transport.bundle import pack

    seats = table.contract.invite.seats
    mine = seat or table.seat
    if mine is None:
        raise UsageError("which seat is yours?", f"--seat, one of: {', '.join(seats)}")
    if mine not in seats:
        raise UsageError(f"there is no seat {mine!r}", did_you_mean(mine, seats, "the seats are"))
    key = signing_key()
    if key.public == table.ledger.keys()[mine, "decide"]:
        raise UsageError(
            f"{mine} has this key already", "make a new one first: `pbem key new`, in a new home"
        )
    confirm(f"ask the others to go on with {key.fingerprint} for {mine}?", yes)
    here = home()
    kept = here.read_table(_pending(table))
    fresh = kept.get("seat") == mine and kept.get("public") == key.public.hex()
    nonce = bytes.fromhex(kept["nonce"]) if fresh else os.urandom(32)
    here.write_table(_pending(table), {"seat": mine, "nonce": nonce.hex(), "public": key.public.hex()})
    place = out or Path(f"{mine}-new-key.pbem")
    write_file(place, pack([make_paper(table.contract, mine, key, nonce)]))
    here.add_game(table.contract.invite.rules, table.folder)
    click.echo(f"fingerprint: {key.fingerprint} (read it to the others over the phone)")
    click.echo(f"written: {place}; mail it to the others, who run `pbem rekey {place.name}`")


def read(table: Table, file: str) -> _Paper:
    """The paper in a file, checked and shown."""
    from pbem.cli.incoming import find_files, sort
    from pbem.protocol.keys import fingerprint, parse_public_line
    from pbem.protocol.rekeying import read_new_keys

    papers = sort(find_files([file]).raws).rekeys
    if len(papers) != 1:
        raise UsageError(f"{file} holds {len(papers)} papers for new keys", "give the file that asks for one")
    told = read_new_keys(table.contract, papers[0].decode())
    if told.seat == table.seat:
        raise UsageError("this is your own paper", "the others consent to it")
    old, new = table.contract.seats[told.seat].fingerprint, fingerprint(parse_public_line(told.key))
    click.echo(f"{table.contract.seats[told.seat].player} ({told.seat}) asks to go on with another key")
    click.echo(f"  until now: {old}")
    click.echo(f"  from now:  {new}")
    return _Paper(told, papers[0].decode())


class _Paper:
    """A paper for new keys and its exact text."""

    def __init__(self, told: NewKeys, text: str) -> None:
        self.seat = told.seat
        self.text = text


def body(paper: _Paper) -> Rekey:
    """The consent."""
    from pbem.protocol.bodies import Rekey

    return Rekey(paper.text)


def take_into_use(table: Table) -> bool:
    """If the log says that the key asked for counts now, keep its secrets; True if that is new."""
    from pbem.home import TableSecrets
    from pbem.protocol.contract import box_secret, game_secret, table_secret
    from pbem.protocol.keys import answering_key

    here = home()
    kept = here.read_table(_pending(table))
    if not kept or table.ledger.state.seats[kept["seat"]].key != kept["public"]:
        return False
    key, seat, nonce = signing_key(), str(kept["seat"]), str(kept["nonce"])
    name = table.contract.invite.table
    secret = game_secret(table_secret(key, name, seat, nonce), table.contract.listed)
    box = box_secret(key, name, seat, nonce)
    game = table.contract.game.hex()
    old = here.secrets(game)
    former = (*old.former, (old.secret, old.box)) if old is not None and old.seat == seat else ()
    here.keep_secrets(game, TableSecrets(seat, secret, box, answering_key(key, name, seat).seed, former))
    here.table_file(_pending(table)).unlink(missing_ok=True)
    return True
