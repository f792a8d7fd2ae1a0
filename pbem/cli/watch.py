"""`pbem watch`: a machine that looks for moves and answers what needs no decision."""

from __future__ import annotations

import time

import click

from pbem.cli.common import home


@click.command("watch")
@click.option("--once", is_flag=True, help="Look once and end; for cron and the like.")
@click.option("--every", default=60.0, metavar="SECONDS", help="How long to wait between two looks.")
@click.option("--game", "-g", "games", multiple=True, metavar="NAME", help="Only this game; may be repeated.")
def watch_command(once: bool, every: float, games: tuple[str, ...]) -> None:
    """Look for moves, apply them, answer what needs no decision, and say when a decision is due.

    Looks where `pbem mail read` says, and at the remote of each game that has one (`pbem sync`).
    Answers leave as `pbem mail send` says, or by the remote. You are told as `pbem mail tell` says.

    It never uses your key: a home without the key files can watch, and cannot move for you.

    Example: pbem watch --every 300
    """
    from pbem.doing.watching import Watcher

    watcher = Watcher(home(), games, click.echo)
    try:
        while True:
            watcher.look()
            if once:
                break
            time.sleep(every)
    except KeyboardInterrupt:
        return
    if watcher.errors:
        raise watcher.errors[0]
