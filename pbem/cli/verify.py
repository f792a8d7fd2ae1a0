"""`pbem verify`: the same flow as play, from the first entry; also as a git host's hook."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    game_folder,
    game_option,
    home,
    json_option,
    print_json,
    progress,
)
from pbem.doing.judging import verdict_lines
from pbem.errors import PbemError, VerificationError

if TYPE_CHECKING:
    from pbem.attached import Signed
    from pbem.repository import Repository
    from pbem.verify import Verification


@click.command("verify")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(exists=True, file_okay=False))
@click.option("--incoming", is_flag=True, help="As a git host's pre-receive hook: check what is pushed.")
@game_option
@json_option
def verify_command(folder: str | None, incoming: bool, game: str | None, as_json: bool) -> None:
    """Check everything again, from the first entry: signatures, links, dice, rules, files, commits.

    Needs no key and no seat: anybody who has the game folder can do it. Ends with 0 and a verdict, or
    with 1, the first bad entry, and the seat that broke the protocol if the entries prove it.

    Example: pbem verify kawagoe-1a2b3c4d
    """
    from pbem.attached import signed_in
    from pbem.verify import verify_folder

    if incoming:
        _incoming()
        return
    place = Path(folder) if folder is not None else game_folder(game)
    with progress("verifying") as step:
        verdict = verify_folder(place, home(), step)
    attached = signed_in(place)
    if as_json:
        print_json(verdict.table() | {"attached": [_attached(one) for one in attached]})
        if not verdict.ok:
            raise SystemExit(1)
        return
    refuse_bad(verdict)
    for line in (*verdict_lines(verdict), *(one.line() for one in attached)):
        click.echo(line)


def _attached(one: Signed) -> dict[str, Any]:
    return {"entry": one.entry, "seat": one.seat, **asdict(one.what), "state": one.state}


def refuse_bad(verdict: Verification) -> None:
    if not verdict.ok:
        hint = verdict.hint or "`pbem dispute` makes a file that anybody can judge"
        raise VerificationError("; ".join(verdict_lines(verdict)), hint)


def _incoming() -> None:
    """The hook's part: every ref, path, size and entry that someone pushes to a host."""
    from pbem.repository import Repository
    from pbem.transport.git import check_incoming

    repo = Repository.hosted(Path(os.environ.get("GIT_DIR", ".")).absolute())
    check_incoming(repo, sys.stdin, _entries(repo), partial(_main, repo))
    click.echo("in order", err=True)


def _main(repo: Repository, head: str) -> int:
    """How many entries a main line has; refused if it is not what they make."""
    from pbem.verify import verify_commit

    found = verify_commit(repo, head, home())
    if not found.whole:
        raise VerificationError("; ".join(verdict_lines(found)), found.hint)
    return found.entries


def _entries(repo: Repository) -> Callable[[bytes], None]:
    """The check of an entry. A main line that is no game, whoever pushed it, says nothing about keys."""
    try:
        return _entry_check(repo)
    except PbemError:
        return _only_read


def _entry_check(repo: Repository) -> Callable[[bytes], None]:
    """Verify an entry by the keys of its game; before the contract is pushed, by its shape alone."""
    from pbem.packs import rules_for
    from pbem.protocol.log.ledger import Ledger, Reader
    from pbem.protocol.papers.contract import read_contract
    from pbem.protocol.papers.entry import read

    if repo.head() is None:
        return _only_read
    contract = read_contract(repo.read("game.toml"))
    rules, pack = rules_for(contract.invite, None)
    ledger = Ledger.resume(
        contract, rules, pack, repo.read("position.toml").decode(), Reader(_nothing, _nothing)
    )

    def check(raw: bytes) -> None:
        entry = ledger.admit(read(raw))
        ledger.pool[entry.id] = entry

    return check


def _only_read(raw: bytes) -> None:
    from pbem.protocol.papers.entry import read

    read(raw)


def _nothing(number: int) -> Any:
    raise VerificationError(f"entry {number} is not looked at here")
