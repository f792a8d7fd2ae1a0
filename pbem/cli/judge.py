"""Judging a game: verify, audit and dispute. All three run the same flow as play, from the first entry."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    confirm,
    game_folder,
    game_option,
    home,
    json_option,
    open_table,
    print_json,
    progress,
    signing_key,
    yes_option,
)
from pbem.cli.exchange import out_option
from pbem.doing.files import write_file
from pbem.errors import VerificationError

if TYPE_CHECKING:
    from pbem.dispute import Judgement
    from pbem.luck import Luck, Roll
    from pbem.repository import Repository
    from pbem.table import Table
    from pbem.verify import Verification


@click.command("verify")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(exists=True, file_okay=False))
@click.option("--incoming", is_flag=True, help="As a git host's pre-receive hook: check what is pushed.")
@game_option
@json_option
def verify_command(folder: str | None, incoming: bool, game: str | None, as_json: bool) -> None:
    """Check everything again, from the first entry: signatures, links, dice, rules, files, commits.

    Needs no key and no seat: anybody who has the game folder can do it. Ends with 0 and a verdict, or
    with 1 and the first bad entry.

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
    _refuse_bad(verdict)
    for line in verdict_lines(verdict):
        click.echo(line)


def verdict_lines(verdict: Verification, published: Sequence[str] = ()) -> list[str]:
    """A verdict in words; `published` are seats whose secret is out and waits for the others'."""
    problem = verdict.problem
    if problem is not None:
        who = f" of {problem.seat}" if problem.seat else ""
        return [f"not in order: entry {problem.entry}{who}: {problem.cause}"]
    out = [
        f"in order: {verdict.entries} entries, every signature, link, die, rule, file and commit",
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


def _refuse_bad(verdict: Verification) -> None:
    if not verdict.ok:
        raise VerificationError(
            verdict_lines(verdict)[0], "`pbem dispute` makes a file that anybody can judge"
        )


def _incoming() -> None:
    """The hook's part: every ref, path, size and entry that someone pushes to a host."""
    from pbem.repository import Repository
    from pbem.transport.git import check_incoming

    repo = Repository.hosted(Path(os.environ.get("GIT_DIR", ".")).absolute())
    check_incoming(repo, sys.stdin, _entry_check(repo))
    click.echo("in order", err=True)


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


# --- audit


@click.command("audit")
@click.option("--no-publish", is_flag=True, help="Only the tables; my secret stays where it is.")
@out_option
@game_option
@yes_option
@json_option
def audit_command(no_publish: bool, out: Path | None, game: str | None, yes: bool, as_json: bool) -> None:
    """Publish your secret when the game is over; every die, draw and card with its seed; everybody's luck.

    The secret of a finished game opens nothing else: no other game, and not your key. Who does not
    publish it in time loses.

    Example: pbem audit --yes
    """
    from pbem.luck import luck, rolls
    from pbem.verify import verify_folder

    table = open_table(game)
    due = table.due()
    if due is not None and due.kind == "audit" and not no_publish:
        confirm("publish your secret of this game, so that all can check what was hidden?", yes)
        _publish(table, out, as_json)
    with progress("auditing") as step:
        verdict = verify_folder(table.folder, home(), step)
    found = rolls(verdict.logged, verdict.positions)
    if as_json:
        print_json(_audit_table(verdict, found, luck(found)))
        if not verdict.ok:
            raise SystemExit(1)
        return
    _show_rolls(found)
    _show_truth(verdict)
    _show_luck(luck(found))
    _refuse_bad(verdict)
    published = [e.seat for e in table.ledger.pool.values() if e.head.kind == "audit"]
    for line in verdict_lines(verdict, published):
        click.echo(line)


def _publish(table: Table, out: Path | None, as_json: bool) -> None:
    from pbem.cli.said import echo_handed
    from pbem.doing.playing import finish

    handed = finish(table, table.publish(), out).handed
    if not as_json and handed is not None:
        click.echo("your secret is published")
        echo_handed(table, handed)


def _show_rolls(found: list[Roll]) -> None:
    click.echo("entry event.request seed      seat     rule   what fell")
    for one in found:
        place = f"{one.event}.{one.request}"
        click.echo(
            f"{one.entry:>5} {place:<13} {one.seed[:8]}  {one.seat or '-':<8} {one.rule:<6} {one.text}"
        )
    if not found:
        click.echo("  nothing was left to chance yet")


def _show_truth(verdict: Verification) -> None:
    if verdict.truth:
        click.echo("what was hidden, as the published secrets show:")
    for handle, value in sorted(verdict.truth.items()):
        click.echo(f"  {handle:<16} {value}")


def _show_luck(found: list[Luck]) -> None:
    from pbem.luck import ENOUGH

    for one in found:
        faces = " ".join(map(str, one.counts))
        few = " (few dice: says little)" if one.dice < ENOUGH * one.sides else ""
        click.echo(
            f"dice of {one.seat}: {one.dice} with {one.sides} faces, mean {one.mean:.2f} (fair "
            f"{one.fair:.2f}), each face {faces}, chi-square {one.chi_square:.2f}, p = {one.p:.3f}{few}"
        )


def _audit_table(verdict: Verification, found: list[Roll], lucks: list[Luck]) -> dict[str, Any]:
    names = ("entry", "event", "request", "seed", "seat", "rule", "text", "bounds", "values")
    facts = ("seat", "dice", "sides", "counts", "mean", "fair", "chi_square", "p")
    return {
        **verdict.table(),
        "chance": [{name: getattr(one, name) for name in names} for one in found],
        "luck": [{name: getattr(one, name) for name in facts} for one in lucks],
        "hidden": {str(handle): value for handle, value in sorted(verdict.truth.items())},
    }


# --- dispute


@click.command("dispute")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Where the file goes.")
@click.option("--settle", "settles", is_flag=True, help="Agree to go on after a verdict.")
@click.option("--counts", metavar="ENTRY", help="With --settle: of two entries the one that counts.")
@click.option("--complain", is_flag=True, help="Show that a card handed to you is not what it must be.")
@game_option
@yes_option
@json_option
def dispute_command(
    file: Path | None,
    out: Path | None,
    settles: bool,
    counts: str | None,
    complain: bool,
    game: str | None,
    yes: bool,
    as_json: bool,
) -> None:
    """One file with all that an outsider needs, and a plain verdict. With FILE: judge such a file.

    Nothing in it is secret, and the judge believes nothing but the signatures. After a verdict the
    game goes on if all but its culprit agree (--settle).

    Example: pbem dispute --out kawagoe-dispute.zip
    """
    from pbem import dispute

    if settles:
        _settle(open_table(game), counts, out, yes)
        return
    if complain:
        _complain(open_table(game), out, yes)
        return
    if file is not None:
        files = dispute.read_file(file)
        with progress("judging") as step:
            judgement = dispute.judge(files, home(), step)
        _show_judgement(judgement, files.get(dispute.VERDICT), as_json)
        return
    table = open_table(game)
    files = dispute.files_of(table)
    with progress("judging") as step:
        judgement = dispute.judge(files, home(), step)
    words = words_of(judgement)
    place = out or Path(f"{table.contract.invite.rules}-{table.contract.game.hex()[:8]}-dispute.zip")
    write_file(place, dispute.make(files, words))
    if as_json:
        print_json({**judgement.verdict.table(), "file": str(place)})
        return
    click.echo(words, nl=False)
    for line in _now(table):
        click.echo(line)
    click.echo(f"written: {place}; anybody who has pbem judges it with `pbem dispute {place.name}`")


def judgement_lines(judgement: Judgement) -> list[str]:
    """A judgement in words."""
    out = []
    if judgement.contract is not None:
        invite = judgement.contract.invite
        out.append(f"{invite.rules} version {invite.version}, scenario {invite.scenario}")
        for seat in judgement.contract.seats.values():
            out.append(f"  {seat.name}: {seat.player}, key {seat.fingerprint}")
    out += verdict_lines(judgement.verdict)
    out += [f"waiting, not part of the log: {words}" for words in judgement.waiting]
    return out


def words_of(judgement: Judgement) -> str:
    """What stands in a dispute file for who has no pbem; whoever has it makes the same words again."""
    limit = "what was not delivered, nobody can prove: this file shows what its maker has"
    return "".join(f"{line}\n" for line in (*judgement_lines(judgement), limit))


def _now(table: Table) -> list[str]:
    """Who is waited for, since when, and what the contract allows."""
    from pbem import report

    out = []
    for one in report.asked(table):
        since, end = one["since"] or "the beginning", one["deadline"] or "no end"
        out.append(f"{one['seat']} owes since {since} (the clock runs until {end}): {one['what']}")
    return out


def _show_judgement(judgement: Judgement, told: bytes | None, as_json: bool) -> None:
    differs = told is not None and told != words_of(judgement).encode()
    if as_json:
        print_json({**judgement.verdict.table(), "waiting": judgement.waiting, "words_differ": differs})
        if not judgement.verdict.ok:
            raise SystemExit(1)
        return
    for line in judgement_lines(judgement):
        click.echo(line)
    if differs:
        click.echo("verdict.txt in the file says something else: it was changed, or made by another release;")
        click.echo("only the lines above follow from what was signed")
    if not judgement.verdict.ok:
        raise VerificationError("the game is not in order", "the lines above name the first bad entry")


# --- after a breach


def _settle(table: Table, counts: str | None, out: Path | None, yes: bool) -> None:
    """Sign that the game goes on without the breach; it does when all but its author have signed."""
    from pbem.cli.said import show_played
    from pbem.doing.playing import sign
    from pbem.doing.settling import settling

    verdict, body = settling(table, counts)
    click.echo(f"verdict against {verdict.culprit or 'nobody'}: {verdict.reason}")
    if body.counts:
        click.echo(f"of the two entries {body.counts[:12]} counts, and {body.void[:12]} does not")
    else:
        click.echo(f"entry {body.void[:12]} does not count")
    confirm("agree to go on like this?", yes)
    show_played(sign(table, "settle", lambda own: body, signing_key, out))


def _complain(table: Table, out: Path | None, yes: bool) -> None:
    """Disclose the key of a box that does not hold the card it must, so that everybody sees it."""
    from pbem.cli.said import show_played
    from pbem.doing.playing import sign
    from pbem.doing.settling import bad_delivery

    bad = bad_delivery(table)
    confirm(f"show everybody that the box of {bad} does not hold what it must?", yes)
    show_played(sign(table, "complaint", lambda own: own.complaint(bad), signing_key, out))
