"""`pbem sync`: exchange entries through any git remote."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.common import game_option, home, json_option, open_table, print_json, signing_key

if TYPE_CHECKING:
    from pbem.doing.syncing import Synced


@click.command("sync")
@click.argument("remote", required=False)
@game_option
@json_option
def sync_command(remote: str | None, game: str | None, as_json: bool) -> None:
    """Exchange entries through a git remote: fetch, verify, apply, answer, push.

    REMOTE is any plain git address (ssh, https, a bare folder) and is remembered for the game. Each
    player pushes a branch of their own; the main line follows from them and cannot conflict.

    Example: pbem sync git@example.org:us/kawagoe.git
    """
    from pbem.cli import said
    from pbem.doing.syncing import sync

    done = sync(home(), open_table(game), remote, signing_key)
    if as_json:
        print_json(_as_json(done))
    else:
        said.show_news(done.news)
        if done.news.handed is not None:
            said.echo_handed(done.news.table, done.news.handed)
        said.echo_refusals(done.refused[1:])
    if done.refused:
        raise done.refused[0]


def _as_json(done: Synced) -> dict[str, object]:
    table, result = done.news.table, done.news.result
    return {
        "logged": [one.number for one in result.logged],
        "answered": len(result.answered),
        "waiting": result.waiting,
        "entries": table.ledger.state.number,
        "fingerprint": table.fingerprint,
        "refused": [error.message for error in done.refused],
    }
