"""`pbem verify`: the same flow as play, from the first entry; also as a git host's hook."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import (
    game_folder,
    game_option,
    home,
    json_option,
    print_json,
    progress,
)
from pbem.errors import PbemError, VerificationError
from pbem.words import count

if TYPE_CHECKING:
    from pbem.protocol.log.audit import Problem
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
    from pbem.verify import verify_folder

    if incoming:
        _incoming()
        return
    place = Path(folder) if folder is not None else game_folder(game)
    with progress("verifying") as step:
        verdict = verify_folder(place, home(), step)
    if as_json:
        print_json(verdict.table())
        if not verdict.ok:
            raise SystemExit(1)
        return
    refuse_bad(verdict)
    for line in verdict_lines(verdict):
        click.echo(line)


def verdict_lines(verdict: Verification, published: Sequence[str] = ()) -> list[str]:
    """A verdict in words; `published` are seats whose secret is out and waits for the others'."""
    if verdict.problem is not None:
        besides = [f"besides: {_problem(one)}" for one in verdict.besides]
        return [f"not in order: {_problem(verdict.problem)}", *besides]
    entries = count(verdict.entries, "entry", "entries")
    out = ["unfinished write, healed: a command had been stopped here"] if verdict.was_unfinished else []
    out += [
        f"in order: {entries}, every signature, link, die, rule, file and commit",
        f"fingerprint: {verdict.fingerprint}",
    ]
    if verdict.outcome:
        out.append(f"outcome: {verdict.outcome}")
    done = [seat for seat, is_out in verdict.audited.items() if is_out]
    open_seats = [s for s, is_out in verdict.audited.items() if not is_out and s not in verdict.gaps]
    if done:
        out.append(f"audited: everything hidden of {', '.join(done)} was lawful")
    for seat, gaps in verdict.gaps.items():
        out.append(f"not audited: of {seat}: {'; '.join(gaps)}")
    ready = [seat for seat in open_seats if seat in published]
    if ready:
        out.append(f"published: the secret of {', '.join(ready)}; it is audited when all are out")
    left = [seat for seat in open_seats if seat not in ready]
    if left:
        when = "`pbem audit` publishes their secrets" if verdict.outcome else "the game goes on"
        out.append(f"not audited yet: {', '.join(left)} ({when})")
    return out


def _problem(problem: Problem) -> str:
    who = f" of {problem.seat}" if problem.seat else ""
    return f"entry {problem.entry}{who}: {problem.cause}"


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
    from pbem.protocol.papers.entry import read

    def can_be_read(raw: bytes) -> None:
        read(raw)

    try:
        return _entry_check(repo)
    except PbemError:
        return can_be_read


def _entry_check(repo: Repository) -> Callable[[bytes], None]:
    """Verify an entry by the keys of its game; before the contract is pushed, by its shape alone."""
    from pbem.protocol.papers.contract import read_contract
    from pbem.protocol.papers.entry import read, verify

    contract = read_contract(repo.read("game.toml")) if repo.head() is not None else None
    keys = [] if contract is None else [*_replaced(repo), contract.keys]

    def check(raw: bytes) -> None:
        claim = read(raw)
        if contract is not None and claim.head.game != contract.game.hex():
            raise VerificationError("the entry belongs to another game")
        for number, known in enumerate(keys, 1):
            try:
                verify(claim, known)
                return
            except VerificationError:
                if number == len(keys):
                    raise

    return check


def _replaced(repo: Repository) -> list[dict[tuple[str, str], bytes]]:
    """The keys of seats that go on with new ones, as the main line knows them."""
    import tomllib

    from pbem.protocol.rounds.state import split

    _, state = split(tomllib.loads(repo.read("position.toml").decode()))
    found: dict[tuple[str, str], bytes] = {}
    for name, seat in state.seats.items():
        if seat.key:
            found[name, "decide"] = bytes.fromhex(seat.key)
            found[name, "answer"] = bytes.fromhex(seat.answer_key)
    return [found] if found else []
