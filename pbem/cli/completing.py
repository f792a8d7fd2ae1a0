"""Words for the shell: whole orders, units, places, from the engine's own list of what may come next.

A completion never fails and never asks: where a game cannot be read there is nothing to complete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem

from pbem.cli.common import open_table
from pbem.errors import PbemError

if TYPE_CHECKING:
    import click

    from pbem.engine.nextwords import Index
    from pbem.table import Table

SHOWN = 400
"""More words than this help nobody."""


def _index(ctx: click.Context) -> tuple[Table, Index] | None:
    from pbem.engine.nextwords import Index
    from pbem.rehearse import question

    try:
        table = open_table(ctx.params.get("game"))
        options = question(table)
    except PbemError:
        return None
    assert table.secrets is not None
    view = table.secrets.view(options)
    return table, Index(table.ledger.machine, table.ledger.position, options, view)


def complete_order(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """-m "ORDER": the order so far, with each word that may follow.

    Where only one word may, those after it are offered: a shell closes the quotes behind a lone answer.
    """
    found = _index(ctx)
    if found is None:
        return []
    index = found[1]
    begun = "" if not incomplete or incomplete[-1].isspace() else incomplete.split()[-1]
    head = incomplete[: len(incomplete) - len(begun)]
    orders = [head + word for word in index.typed(incomplete)]
    while len(orders) == 1 and index.move(orders[0]) is None and (more := index.typed(f"{orders[0]} ")):
        orders = [f"{orders[0]} {word}" for word in more]
    return [CompletionItem(order) for order in orders[:SHOWN]]


def complete_words(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """An order as arguments of its own: the word that is being typed."""
    found = _index(ctx)
    if found is None:
        return []
    before = " ".join(ctx.params.get(param.name or "") or ())
    typed = f"{before} {incomplete}" if before else incomplete
    return [CompletionItem(word) for word in found[1].typed(typed)[:SHOWN]]


def complete_things(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Places and units on the board."""
    from pbem.engine.options import PUBLIC

    try:
        table = open_table(ctx.params.get("game"))
    except PbemError:
        return []
    view = table.secrets.view() if table.secrets is not None else PUBLIC
    scene = table.ledger.machine.rules.scene(table.ledger.position, view)
    words = [word for piece in scene.pieces for picks in piece.picks[:1] for word in picks[:1]]
    words += [place.id for place in scene.board.places]
    fitting = dict.fromkeys(word for word in words if word.startswith(incomplete))
    return [CompletionItem(word) for word in list(fitting)[:SHOWN]]
