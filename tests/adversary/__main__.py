"""`python -m tests.adversary harm --schedules 10000 --seats 3 --seed 1`: a search, as long as one likes.

`--first 5000` goes on where an earlier run ended; `--jobs 2` uses two processes. The last line says how many
schedules ran and what was found; the same numbers give the same schedules on every machine.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from time import perf_counter

from tests.adversary.flaws import FLAWS, of, without
from tests.adversary.harm import Found
from tests.disk import do_not_wait

TOO_LONG = 120
"""Seconds of the processor after which a schedule counts as one that never comes to rest; usual is one."""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.adversary",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("search", choices=("harm", "foresight", "comfort"))
    parser.add_argument("--schedules", type=int, default=100, help="how many games or states")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", help="only this one")
    parser.add_argument("--only", type=int, help="one schedule, by its number, with its trace")
    parser.add_argument("--without", help="take out the checks that stop this cheat, or put this flaw back")
    parser.add_argument("--stop", type=int, default=20, help="after so many finds")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    return parser.parse_args()


class TooLong(BaseException):
    """A schedule does not come to rest; no handler of the program may swallow it."""


def one_of(told: argparse.Namespace, number: int) -> Found | None:
    """One schedule of a search; one that never ends is a find, too."""

    def give_up(signum: int, frame: object) -> None:
        raise TooLong

    module = import_module(f"tests.adversary.{told.search}")
    games = (told.game,) if told.game else tuple(module.GAMES)
    game = games[number % len(games)]
    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, TOO_LONG)
    try:
        found: Found | None = module.run_one(game, told.seats, told.seed, number)
    except TooLong:
        return Found(game, told.seats, number, "never comes to rest")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return found


def _progress(done: int, of: int, found: int, begun: float) -> None:
    """A bar on standard error, redrawn in place; every hundredth on a line of its own if it is a file."""
    live = sys.stderr.isatty()
    if done % (1 if live else 100) and done != of:
        return
    bar = "#" * (30 * done // of)
    rate = (perf_counter() - begun) / done
    print(
        f"{bar:<30} {done}/{of}, {rate:.2f} s each, {found} finds",
        end="\r" if live else "\n",
        file=sys.stderr,
        flush=True,
    )


def main() -> int:
    """Run one search and print what it found; 1 if there is anything."""
    told = _arguments()
    do_not_wait()
    numbers = range(told.first, told.first + told.schedules) if told.only is None else [told.only]
    begun, found, done = perf_counter(), list[Found](), 0
    with ExitStack() as stack:
        if told.without:
            flaw = FLAWS.get(told.without)
            stack.enter_context(without(flaw.removed if flaw else of(told.without)))
        results: Iterable[Found | None] = map(partial(one_of, told), numbers)
        if told.jobs > 1:
            pool = stack.enter_context(multiprocessing.get_context("fork").Pool(told.jobs))
            results = pool.imap(partial(one_of, told), numbers, chunksize=4)
        for one in results:
            done += 1
            if one is not None:
                found.append(one)
                print(f"{one.game}, {one.seats} seats, schedule {one.schedule}: {one.what}", flush=True)
                if told.only is not None:
                    print("\n".join(one.trace))
            _progress(done, len(numbers), len(found), begun)
            if len(found) >= told.stop:
                break
    spent = perf_counter() - begun
    print(f"{told.search}: {done} schedules with {told.seats} seats in {spent:.0f} s, {len(found)} finds")
    for what, count in Counter(one.what.split(":")[-1].strip()[:60] for one in found).most_common():
        print(f"{count:6} {what}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
