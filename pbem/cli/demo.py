"""`pbem demo`: bots play a whole game by exchanging real signed entries; then it is audited and verified."""

from __future__ import annotations

import secrets
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from pbem.cli.common import json_option, print_json
from pbem.errors import UsageError

KEYS = (
    "game",
    "scenario",
    "entries",
    "mails",
    "human_mails",
    "turns",
    "winner",
    "fingerprint",
    "verified",
    "audited",
    "seconds",
)


@click.command("demo")
@click.argument("game", default="kawagoe")
@click.option("--scenario", metavar="S", help="The scenario; without it the game's first.")
@click.option("--seats", type=click.IntRange(2, 6), help="How many play; without it as few as possible.")
@click.option("--seed", type=int, help="The same seed gives the same game, move for move.")
@click.option("--dir", "folder", type=click.Path(path_type=Path), help="Keep homes and game folders here.")
@json_option
def demo_command(
    game: str,
    scenario: str | None,
    seats: int | None,
    seed: int | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Bots play a whole game, each in a process and home of its own; then it is audited and verified.

    Only bundles of signed entries cross between them, as by mail. At the end every secret is
    published, and a stranger verifies the game from a copy of one folder alone.

    Keys follow from the seed, so that a game can be repeated: never use them for a real game.

    Example: pbem demo kawagoe --seed 7 --dir my-demo
    """
    from pbem.demo import post

    if folder is None:
        with tempfile.TemporaryDirectory(prefix="pbem-demo-") as place:
            demo = _demo(game, scenario, seats, seed, Path(place))
            with _bar(game, as_json) as tell:
                result = post.run(demo, tell)
    else:
        _check_empty(folder)
        demo = _demo(game, scenario, seats, seed, folder.absolute())
        with _bar(game, as_json) as tell:
            result = post.run(demo, tell)
    if as_json:
        print_json({key: result[key] for key in KEYS})
    else:
        _report(result, demo.seed, folder)


def _check_empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not an empty folder", "name one that does not exist yet")


def _demo(game: str, scenario: str | None, seats: int | None, seed: int | None, folder: Path) -> Any:
    from pbem.demo.post import Demo
    from pbem.doing.inviting import chosen
    from pbem.engine import registry

    rules = registry.load(game)
    pack = rules.load_pack()
    played, names = chosen(rules, pack, scenario, seats)
    options = {name: values[0] for name, values in rules.options(pack).items()}
    return Demo(game, played, options, names, secrets.randbelow(10**6) if seed is None else seed, folder)


@contextmanager
def _bar(game: str, quiet: bool) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Where the game stands, on stderr, if somebody looks."""
    if quiet or not sys.stderr.isatty():
        yield lambda facts: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} entries"))
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(game, total=None)
        yield lambda facts: bar.update(
            task, completed=facts.get("entries", 0), description=facts.get("headline", "the contract")
        )


def _report(result: dict[str, Any], seed: int, folder: Path | None) -> None:
    turns = max(result["turns"], 1)
    winner = f"{result['winner']} wins" if result["winner"] else "a draw"
    click.echo(f"{result['game']} {result['scenario']}, seed {seed}: {winner} in turn {result['turns']}")
    click.echo(f"    {result['reason']}")
    click.echo(f"{result['entries']} signed entries, {result['seconds']} seconds")
    for key, words in (
        ("human_mails", "mails if nobody's machine answers, each sent by a person"),
        ("mails", "mails if `pbem watch` answers for everybody"),
        ("decision_mails", "of those need a person"),
    ):
        click.echo(f"{result[key]:>6} {words} ({result[key] / turns:.1f} a turn)")
    click.echo("every secret is published, every entry, die and card was checked by a stranger")
    click.echo(f"fingerprint {result['fingerprint']}, the same for all")
    if folder is None:
        click.echo("to look at this game, keep it:")
        click.echo(
            f"    pbem demo {result['game']} --scenario {result['scenario']} --seed {seed} --dir my-demo"
        )
        return
    place = next(folder.glob("*/*/game.toml")).parent
    click.echo(f"homes and game folders are in {folder}; to look at the game:")
    for command, what in (
        (f"pbem replay -g {place}", "step by step, in the terminal"),
        (f"pbem replay -g {place} --html game.html", "as one page for a browser"),
        (f"pbem board -g {place}", "the last position"),
        (f"pbem verify {place}", "check everything again"),
    ):
        click.echo(f"    {command}   # {what}")
