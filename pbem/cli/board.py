"""The position as text or as a picture. Nothing here changes anything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import game_option, open_table, write_file
from pbem.errors import UsageError

if TYPE_CHECKING:
    from pbem.engine.machine import Machine
    from pbem.engine.options import View
    from pbem.engine.position import Position
    from pbem.table import Table


def _drawn_file(name: str) -> click.Path:
    return click.Path(dir_okay=False, path_type=Path)


@click.command("board")
@click.option("--hex", "place", metavar="H", help="Explain one hex, area or unit.")
@click.option("--svg", type=_drawn_file("svg"), metavar="FILE", help="Draw it: a picture that prints on A4.")
@click.option("--png", type=_drawn_file("png"), metavar="FILE", help="The same as PNG.")
@click.option(
    "--names",
    type=click.Choice(["original", "latin", "both"]),
    default="original",
    help="Names in the original, in Latin letters, or both.",
)
@click.option("--entry", type=click.IntRange(0), metavar="N", help="The position after entry N.")
@click.option("--start", metavar="RULES[/SCENARIO]", help="How a game begins, without having one.")
@game_option
def board_command(
    place: str | None,
    svg: Path | None,
    png: Path | None,
    names: str,
    entry: int | None,
    start: str | None,
    game: str | None,
) -> None:
    """The position in the terminal, with what you alone can see; readable without colour.

    Example: pbem board --hex 1213
    """
    machine, pos, view = _shown(game, entry, start)
    rules = machine.rules
    if place:
        click.echo(rules.explain(pos, place))
        return
    if svg is None and png is None:
        click.echo(rules.board(pos, view))
        return
    from pbem.page.layout import Manner
    from pbem.page.picture import picture

    manner = Manner(names, view.seat or "", seats_asked(machine, pos))  # type: ignore[arg-type]
    drawn = picture(rules.scene(pos, view), manner, rules.title)
    if svg is not None:
        write_file(svg, drawn.encode())
        click.echo(f"written: {svg}")
    if png is not None:
        from pbem.page.convert import to_png

        to_png(drawn, png)
        click.echo(f"written: {png}")


def seats_asked(machine: Machine, pos: Position) -> tuple[str, ...]:
    """Who has to decide now."""
    from pbem.engine.waits import Ask, AskSealed

    wait = machine.waits_for(pos)
    if isinstance(wait, Ask):
        return (wait.options.seat,)
    return tuple(options.seat for options in wait.options) if isinstance(wait, AskSealed) else ()


def _shown(game: str | None, entry: int | None, start: str | None) -> tuple[Machine, Position, View]:
    """The position that is meant, and what may be seen of it."""
    from pbem.cli.history import position_after
    from pbem.engine.options import PUBLIC

    if start is not None:
        if game is not None or entry is not None:
            raise UsageError("--start shows how a game begins: leave out -g and --entry")
        machine, pos = _beginning(start)
        return machine, pos, PUBLIC
    table: Table = open_table(game)
    if entry is not None:
        return table.ledger.machine, position_after(table, entry), PUBLIC
    view = table.secrets.view() if table.secrets is not None else PUBLIC
    return table.ledger.machine, table.ledger.position, view


def _beginning(start: str) -> tuple[Machine, Position]:
    from pbem.engine import registry
    from pbem.engine.machine import Machine
    from pbem.playtest.local import scenarios, usual_start

    name, _, wanted = start.partition("/")
    rules = registry.load(name)
    pack = rules.load_pack()
    machine = Machine(rules, pack)
    begun = usual_start(rules, pack, scenarios(rules, pack, wanted or None)[0])
    return machine, machine.start(begun.scenario, begun.options, begun.seats).position
