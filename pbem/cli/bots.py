"""`pbem fuzz` and `pbem arena`: many games on one machine, to test rules and measure balance.

Game n of a seed is the same game whatever the number of jobs, so that results can be repeated.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import json_option, print_json, progress

if TYPE_CHECKING:
    from pbem.engine.rules import AnyRules

SHARE = 5
"""So many games at a time go to another core."""


def _share(kind: str, game: str, scenario: str | None, seed: int, numbers: range, **more: Any) -> Any:
    """Some of the games, in a process of their own."""
    from pbem.engine import registry

    run: Callable[..., Any]
    if kind == "fuzz":
        from pbem.playtest.fuzz import run
    else:
        from pbem.playtest.arena import run
    return run(registry.load(game), scenario, len(numbers), seed, numbers=numbers, **more)


def _games(
    kind: str,
    game: str,
    scenario: str | None,
    games: int,
    seed: int,
    jobs: int,
    begin: int = 0,
    **more: Any,
) -> list[Any]:
    """All games from number `begin` on, on one core or several, a small share at a time: what each found."""
    end = begin + games
    with progress(f"{kind} {game}") as step:
        if jobs == 1:
            whole = range(begin, end)
            return [
                _share(kind, game, scenario, seed, whole, progress=lambda done: step(done, games), **more)
            ]
        from concurrent.futures import ProcessPoolExecutor, as_completed

        found, done = [], 0
        with ProcessPoolExecutor(jobs) as pool:
            shares = [range(first, min(first + SHARE, end)) for first in range(begin, end, SHARE)]
            parts = {pool.submit(_share, kind, game, scenario, seed, one, **more): one for one in shares}
            for part in as_completed(parts):
                found.append(part.result())
                done += len(parts[part])
                step(done, games)
        return found


def _common(function: Callable[..., None]) -> Callable[..., None]:
    """The options that both commands have."""
    for option in (
        json_option,
        click.option("--jobs", default=1, type=click.IntRange(1, 64), help="Processes to play in."),
        click.option("--seed", default=0, help="Another seed gives other games."),
        click.option("--games", default=100, type=click.IntRange(1), help="How many games."),
        click.option("--seats", type=click.IntRange(2, 6), help="How many play, where that is free."),
        click.option("--scenario", metavar="S", help="The scenario; see `pbem games --available`."),
        click.argument("game"),
    ):
        function = option(function)
    return function


@click.command("fuzz")
@_common
@click.option(
    "--replay",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Follow the trail of a failed game.",
)
@click.option(
    "--dump",
    default=".",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the trail of a failed game is written.",
)
@click.option("--limit", default=20_000, help="More questions than this are a game that does not end.")
def fuzz_command(
    game: str,
    scenario: str | None,
    seats: int | None,
    games: int,
    seed: int,
    jobs: int,
    as_json: bool,
    replay: Path | None,
    dump: Path,
    limit: int,
) -> None:
    """Random play, to find faults in the rules: crashes, dead ends, games that do not end.

    Scenario, options and seats are drawn for every game. A game that fails leaves a file that
    --replay follows. Ends with 1 if a game fails.

    Example: pbem fuzz kawagoe --games 1000 --jobs 2
    """
    if replay is not None:
        _replay(game, replay, as_json)
        return
    began = time.perf_counter()
    parts = _games("fuzz", game, scenario, games, seed, jobs, dump=dump, limit=limit, seats=seats)
    counted = ("games", "finished", "decisions", "crashes", "dead_ends", "runaways")
    total = {name: sum(part[name] for part in parts) for name in counted}
    seconds = time.perf_counter() - began
    speed = parts[0]["decisions_per_second"] if jobs == 1 else round(total["decisions"] / seconds)
    if as_json:
        print_json({**total, "decisions_per_second": speed})
    else:
        click.echo(f"{total['games']} games, {total['finished']} finished, {total['decisions']} decisions")
        click.echo(
            f"{total['crashes']} crashes, {total['dead_ends']} dead ends, {total['runaways']} runaways; "
            f"{speed} decisions a second"
        )
    for path in (path for part in parts for path in part["files"]):
        click.echo(f"failed: {path}\nhint: `pbem fuzz {game} --replay {path}` plays it again", err=True)
    if total["finished"] < total["games"]:
        raise SystemExit(1)


def _replay(game: str, path: Path, as_json: bool) -> None:
    import os

    from pbem.engine import registry
    from pbem.playtest import fuzz

    rules = registry.load(game)
    found = fuzz.replay(rules, fuzz.read_trail(path, rules))
    if found["raised"] is not None and os.environ.get("PBEM_DEBUG"):
        raise found["raised"]
    if as_json:
        print_json({name: found[name] for name in ("decisions", "kind", "error")})
    elif found["error"]:
        click.echo(f"fails at decision {found['decisions']}: {found['error']}")
        click.echo("hint: PBEM_DEBUG=1 shows where", err=True)
    else:
        click.echo(f"does not fail any more: the game ends after {found['decisions']} decisions")
    if found["error"]:
        raise SystemExit(1)


@click.command("arena")
@_common
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the result, with what was measured, as TOML; results of other scenarios stay in the file.",
)
@click.option(
    "--against",
    type=click.Choice(["bots", "random"]),
    default="bots",
    help="random: each seat's bot in turn against random play, so many games each.",
)
@click.option("--cards", is_flag=True, help="What each card is worth to the hand it comes to.")
@click.option("--more", is_flag=True, help="With --cards: so many games more than the file of --out holds.")
def arena_command(
    game: str,
    scenario: str | None,
    seats: int | None,
    games: int,
    seed: int,
    jobs: int,
    as_json: bool,
    out: Path | None,
    against: str,
    cards: bool,
    more: bool,
) -> None:
    """Bot against bot, to measure how balanced a scenario is and how long it takes.

    Without --scenario: the game's first. With --against random: how often each seat's bot beats play that
    knows nothing but the rules.

    Example: pbem arena kawagoe --games 200
    """
    from pbem.engine import registry

    asked = Measured(registry.load(game), scenario, seats, games, seed, jobs, as_json, out)
    if more and not (cards and out is not None and out.exists()):
        raise click.UsageError(
            "--more adds to the cards that a file already counts: --cards --out FILE --more"
        )
    if against == "random":
        _against_random(asked)
    elif cards:
        _cards(asked, more)
    else:
        _balance(asked)


@dataclass(frozen=True)
class Measured:
    """What is to be measured, and where the result goes."""

    rules: AnyRules
    scenario: str | None
    seats: int | None
    games: int
    seed: int
    jobs: int
    as_json: bool
    out: Path | None

    def play(self, first: int = 0, **more: Any) -> list[Any]:
        """How the games ended, from a number on."""
        parts = _games(
            "arena", self.rules.name, self.scenario, self.games, self.seed, self.jobs, first,
            seats=self.seats, **more,
        )  # fmt: skip
        return [one for part in parts for one in part]

    def write(self, against: str, found: dict[str, Any]) -> None:
        """Put a result into the file of the game's results, if one is wanted."""
        from pbem.playtest import arena

        if self.out is not None:
            text = self.out.read_text("utf-8") if self.out.exists() else ""
            self.out.write_text(arena.file_with(text, self.rules, against, found), "utf-8")


def _balance(asked: Measured) -> None:
    """Bot against bot."""
    from pbem.playtest import arena

    rules, scenario, games = asked.rules, asked.scenario, asked.games
    ended = asked.play()
    asked.write("bots", arena.record(rules, scenario, asked.seed, _commit(), ended, asked.seats))
    found = arena.summary(rules, scenario, ended, asked.seats)
    if asked.as_json:
        print_json(found)
        return
    for seat, number in found["wins"].items():
        click.echo(f"{seat:<16} {number:>6} wins {number / games:>6.1%}")
    click.echo(f"{'draws':<16} {found['draws']:>6}      {found['draws'] / games:>6.1%}")
    click.echo(f"{games} games, {found['turns_mean']} turns on average; they ended by")
    for ending, number in found["endings"].items():
        click.echo(f"  {ending:<28} {number:>6}      {number / games:>6.1%}")


def _cards(asked: Measured, more: bool) -> None:
    """What each card was worth, the best first."""
    from pbem.playtest import arena

    rules, scenario, seed, commit = asked.rules, asked.scenario, asked.seed, _commit()
    text = asked.out.read_text("utf-8") if asked.out is not None and more else ""
    old = arena.so_far(text, rules, scenario, seed, commit)
    ended = asked.play(old["games"], cards=True)
    found = arena.added(old, arena.record_cards(rules, scenario, seed, commit, ended))
    asked.write(arena.CARDS, found)
    if asked.as_json:
        print_json({"games": found["games"], "cards": found["cards"]})
        return
    for card, (held, won) in found["cards"].items():
        click.echo(f"{card:<24} {held:>6} times in a hand {won / held:>6.1%} won")


def _against_random(asked: Measured) -> None:
    """Each seat's bot alone against random play."""
    from pbem.playtest import arena
    from pbem.playtest.local import scenarios, usual_start

    rules, scenario, games = asked.rules, asked.scenario, asked.games
    pack = rules.load_pack()
    start = usual_start(rules, pack, scenarios(rules, pack, scenario)[0], asked.seats)
    ended = {seat: asked.play(alone=seat) for seat in start.seats}
    found = arena.record_alone(rules, scenario, asked.seed, _commit(), ended)
    asked.write("random", found)
    if asked.as_json:
        print_json({"games": games, "scenario": start.scenario, "against": "random", "wins": found["wins"]})
        return
    for seat, number in found["wins"].items():
        click.echo(f"{seat:<16} {number:>6} wins of {games} against random play, {start.scenario}")


def _commit() -> str:
    """Which commit of this program is measured; "+" after it: with changes; "": an installed release."""
    from git import GitError, Repo

    try:
        repo = Repo(Path(__file__).parents[2])
    except GitError:
        return ""
    return repo.head.commit.hexsha + ("+" if repo.is_dirty(path="games") else "")
