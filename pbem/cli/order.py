"""`pbem orders`: a commented file to edit, with the question and how answers are written."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import (
    game_option,
    open_table,
)
from pbem.doing.files import write_file
from pbem.errors import UsageError

if TYPE_CHECKING:
    from pbem.table import Table

LISTED = 40
"""So many legal answers stand in an order file."""


@click.command("orders")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the file here.")
@click.option("--edit", is_flag=True, help="Open it in $EDITOR, check it, and offer to play it.")
@game_option
def orders_command(out: Path | None, edit: bool, game: str | None) -> None:
    """A commented order file to edit: the question, how answers are written, your draft if there is one.

    Example: pbem orders --out move.txt
    """
    table = open_table(game)
    text = order_file(table)
    if not edit:
        if out is None:
            click.echo(text, nl=False)
        else:
            write_file(out, text.encode())
            click.echo(f"written: {out}; edit it, then `pbem check {out}` and `pbem play {out}`")
        return
    _edit(table, text, out)


def _edit(table: Table, text: str, out: Path | None) -> None:
    from pbem.drafts import write_draft

    edited = click.edit(text, extension=".txt")
    if edited is None:
        raise UsageError("the file was not saved", "nothing was changed")
    if out is not None:
        write_file(out, edited.encode())
    write_draft(table, "".join(f"{line}\n" for line in edited.split("\n") if not line.startswith("#")))
    from pbem.cli.play import play_orders

    play_orders(table, edited, "your draft", yes=False, out=None, as_json=False)


def order_file(table: Table) -> str:
    """The question, how its answers are written, some of them, and the draft."""
    from pbem import report
    from pbem.drafts import read_draft
    from pbem.rehearse import question

    options = question(table)
    assert table.secrets is not None
    view = table.secrets.view(options)
    machine, pos = table.ledger.machine, table.ledger.position
    some = list(islice(options.list(view), LISTED + 1))
    rule = report.asked(table)[0]["rule"]
    lines = [
        f"# {table.contract.invite.rules}, {table.seat}, after entry {table.ledger.state.number}: "
        + report.headline(table),
        f"# asked: {options.ask or options.kind} (rule {rule})",
        *(f"# written: {kind.notation}" for kind in options.kinds()),
        "#",
        "# One order a line; what begins with # is not read. Indented lines under an order answer the",
        "# questions that it may raise: the first legal one is taken. ? before an order: skip it if it",
        "# is illegal by then. Orders after one that lets another decide are sealed until they are due.",
        "#",
        "# legal now:",
        *(f"#   {machine.write_move(pos, move, view)}" for move in some[:LISTED]),
    ]
    if len(some) > LISTED:
        lines.append("#   … and more: `pbem legal PATTERN`")
    draft = read_draft(table)
    if draft:
        lines += ["#", "# your draft:", draft.rstrip("\n")]
    return "\n".join([*lines, ""])
