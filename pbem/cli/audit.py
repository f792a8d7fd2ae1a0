"""`pbem audit`: publishing a secret, and every die, draw and card that it discloses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    confirm,
    game_option,
    home,
    json_option,
    open_table,
    print_json,
    progress,
    yes_option,
)
from pbem.cli.exchange import out_option
from pbem.cli.verify import refuse_bad
from pbem.doing.judging import verdict_lines

if TYPE_CHECKING:
    from pbem.luck import Luck, Roll
    from pbem.table import Table
    from pbem.verify import Verification


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
    _show_rolls(table, found)
    _show_truth(verdict)
    _show_luck(luck(found))
    refuse_bad(verdict)
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


def _show_rolls(table: Table, found: list[Roll]) -> None:
    from pbem.engine.wording import tell

    click.echo("entry event.request seed      seat     rule   what fell")
    for one in found:
        place = f"{one.event}.{one.request}"
        click.echo(
            f"{one.entry:>5} {place:<13} {one.seed[:8]}  {one.seat or '-':<8} {one.told.rule:<6} "
            f"{tell(one.told, table.ledger.position)}"
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
    names = ("entry", "event", "request", "seed", "seat", "bounds", "values")
    facts = ("seat", "dice", "sides", "counts", "mean", "fair", "chi_square", "p")
    return {
        **verdict.table(),
        "chance": [
            {**{name: getattr(one, name) for name in names}, "told": one.told.table()} for one in found
        ],
        "luck": [{name: getattr(one, name) for name in facts} for one in lucks],
        "hidden": {str(handle): value for handle, value in sorted(verdict.truth.items())},
    }
