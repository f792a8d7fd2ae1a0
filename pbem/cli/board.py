"""The position as text or as a picture. Nothing here changes anything."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import game_option, open_table
from pbem.cli.completing import complete_things
from pbem.cli.draft import plan_options
from pbem.doing.files import write_file
from pbem.engine.options import PUBLIC, View
from pbem.errors import UsageError
from pbem.page.plain import Reach, spelled_out
from pbem.page.style import Names
from pbem.page.terminal import literals
from pbem.words import did_you_mean

if TYPE_CHECKING:
    from pbem.engine.machine import Machine
    from pbem.engine.position import Position
    from pbem.table import Table

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("board")
@click.option(
    "--hex", "place", metavar="H", shell_complete=complete_things, help="Explain one hex, area or unit."
)
@click.option(
    "--legal",
    "words",
    metavar="UNIT",
    shell_complete=complete_things,
    help="Mark where it can go (cost) and what it can attack.",
)
@click.option("--stacks", is_flag=True, help="Every unit of every stack, in words.")
@click.option("--svg", type=_FILE, metavar="FILE", help="Draw it: a picture that prints on A4.")
@click.option("--png", type=_FILE, metavar="FILE", help="The same as PNG.")
@click.option(
    "--names",
    type=click.Choice(["original", "latin", "both"]),
    default="both",
    show_default=True,
    help="Names in the original, in Latin letters, or both.",
)
@click.option("--entry", type=click.IntRange(0), metavar="N", help="The position after entry N.")
@click.option("--start", metavar="RULES[/SCENARIO]", help="How a game begins, without having one.")
@plan_options
@game_option
def board_command(
    place: str | None,
    words: str | None,
    stacks: bool,
    svg: Path | None,
    png: Path | None,
    names: Names,
    entry: int | None,
    start: str | None,
    draft: bool,
    after: Path | None,
    game: str | None,
) -> None:
    """The position in the terminal or as a picture, with what you alone can see.

    Short names on the board are understood in orders. Nothing depends on colour, nothing is wider
    than 100 columns.

    Example: pbem board --legal ujiyasu
    """
    shown = _planned(game, draft, after) if draft or after else _shown(game, entry, start)
    if place is not None:
        click.echo(_explained(shown, place))
    elif svg is not None or png is not None:
        _draw(shown, svg, png, names)
    else:
        from pbem.page.plain import Way
        from pbem.page.terminal import show

        reach = _reach(shown, words) if words is not None else None
        way = Way(colour=_coloured(), names=names, stacks=stacks, reach=reach)
        click.echo(show(shown.machine.rules, shown.pos, shown.view, way), nl=False)
        if shown.table is not None:
            from pbem.report import own_secrets

            for line in own_secrets(shown.table):
                click.echo(line)


@dataclass(frozen=True)
class Shown:
    """A position and what may be seen of it."""

    machine: Machine
    pos: Position
    view: View
    table: Table | None = None
    """The game, if the position is its present one."""


def _planned(game: str | None, draft: bool, after: Path | None) -> Shown:
    """The position after orders that are not signed, as far as it can be foreseen."""
    from pbem.doing.planning import list_of, place

    table = open_table(game)
    pos, view = place(table, list_of(table, draft, after))
    return Shown(table.ledger.machine, pos, view)


def _coloured() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _explained(shown: Shown, place: str) -> str:
    """One hex, area, unit or card; what nobody knows is refused."""
    rules, pos = shown.machine.rules, shown.pos
    scene, aliases = rules.scene(pos, shown.view), rules.aliases(pos)
    word = spelled_out(place, scene, literals(rules))
    ids = [p.id for p in scene.board.places] + [w for p in scene.pieces for words in p.picks for w in words]
    known = {*pos.seats, *aliases, *aliases.values(), *ids}
    if word not in known:
        raise UsageError(f"nothing is called {place!r}", did_you_mean(place, sorted(known), "for example"))
    return rules.explain(pos, word)


def _draw(shown: Shown, svg: Path | None, png: Path | None, names: Names) -> None:
    from pbem.page.beside import Manner
    from pbem.page.boards import seats_asked
    from pbem.page.convert import to_png
    from pbem.page.picture import picture

    rules = shown.machine.rules
    manner = Manner(names, shown.view.seat or "", seats_asked(shown.machine, shown.pos))
    drawn = picture(rules.scene(shown.pos, shown.view), manner, rules.title)
    if svg is not None:
        write_file(svg, drawn.encode())
        click.echo(f"written: {svg}")
    if png is not None:
        to_png(drawn, png)
        click.echo(f"written: {png}")


def _reach(shown: Shown, words: str) -> Reach:
    from pbem.engine.nextwords import Index
    from pbem.page.reach import reach
    from pbem.rehearse import question

    if shown.table is None:
        raise UsageError("--legal is about the present position", "leave out --entry and --start")
    options = question(shown.table)
    assert shown.table.secrets is not None
    view = shown.table.secrets.view(options)
    index = Index(shown.machine, shown.pos, options, view)
    rules = shown.machine.rules
    return reach(index, rules.scene(shown.pos, view), words, literals(rules))


def _shown(game: str | None, entry: int | None, start: str | None) -> Shown:
    """The position that is meant, and what may be seen of it."""
    from pbem.doing.history import position_after

    if start is not None:
        if game is not None or entry is not None:
            raise UsageError("--start shows how a game begins: leave out -g and --entry")
        return Shown(*_beginning(start), PUBLIC)
    table = open_table(game)
    if entry is not None:
        return Shown(table.ledger.machine, position_after(table, entry), PUBLIC)
    view = table.secrets.view() if table.secrets is not None else PUBLIC
    return Shown(table.ledger.machine, table.ledger.position, view, table)


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
