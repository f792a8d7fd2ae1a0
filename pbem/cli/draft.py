"""`pbem draft` and `pbem undo`: orders that are planned and not signed; and options to plan on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pbem.cli.common import game_option, open_table

F = TypeVar("F", bound=Callable[..., Any])


def plan_options(function: F) -> F:
    """--draft and --after FILE: as if those orders had been carried out."""
    draft = click.option("--draft", is_flag=True, help="After your draft, as far as it can be foreseen.")
    after = click.option(
        "--after",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="FILE",
        help="After the orders in a file.",
    )
    return draft(after(function))


@click.command("draft")
@click.option("-m", "messages", multiple=True, metavar="ORDER", help="An order to add; again for more.")
@click.option("--drop", is_flag=True, help="Throw the whole draft away.")
@game_option
def draft_command(messages: tuple[str, ...], drop: bool, game: str | None) -> None:
    """Plan: add orders to your draft, tried on a copy first; without any, show the draft.

    Nothing is signed, and nobody else sees it. `pbem board --draft`, `legal --draft`, `odds --draft` and
    `check --draft` look at the position after it; `pbem undo` takes the last order away; `pbem play
    --draft` signs it.

    Example: pbem draft -m "move ujiyasu to 1213"
    """
    from pbem import drafts
    from pbem.doing import planning

    table = open_table(game)
    if drop:
        drafts.write_draft(table, "")
        click.echo("the draft is gone; nothing was signed")
        return
    text = planning.add(table, "\n".join(messages)) if messages else drafts.read_draft(table)
    click.echo(text or "there is no draft\n", nl=False)
    if text:
        _say_where(planning.plan(table, text))


def _say_where(made: Any) -> None:
    if made.options is not None:
        click.echo(f"# then you are asked: {made.options.ask or made.options.kind}")
    elif made.stop:
        click.echo(f"# then: {made.stop}")


@click.command("undo")
@game_option
def undo_command(game: str | None) -> None:
    """Take the last order of your draft away. What is signed only `pbem takeback` undoes.

    Example: pbem undo
    """
    from pbem.doing.planning import undo

    taken, left = undo(open_table(game))
    click.echo(f"taken away: {taken}", nl=False)
    click.echo(f"left:\n{left}" if left else "the draft is empty\n", nl=False)
