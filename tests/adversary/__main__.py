"""`python -m tests.adversary harm --schedules 10000 --seats 3 --seed 1`: a search, as long as one likes."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any
from unittest.mock import patch

from tests.disk import do_not_wait


def removed(cheat: str) -> Any:
    """The checks that stop a cheat of the catalogue."""
    for path in sorted((Path(__file__).parent.parent / "cheats").glob("*.py")):
        import_module(f"tests.cheats.{path.stem}")
    from tests.cheats import CHEATS

    return CHEATS[cheat].removed


def main() -> int:
    """Run one search and print what it found; 1 if there is anything."""
    parser = argparse.ArgumentParser(prog="python -m tests.adversary", description=__doc__)
    parser.add_argument("search", choices=("harm", "foresight", "comfort"))
    parser.add_argument("--schedules", type=int, default=100, help="how many games or states")
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=("own", "shared", "deeds", "weather"), help="only this one")
    parser.add_argument("--only", type=int, help="one schedule, by its number, with its trace")
    parser.add_argument("--without", help="put a flaw back: take out the checks that stop this cheat")
    parser.add_argument("--stop", type=int, default=20, help="after so many finds")
    told = parser.parse_args()
    do_not_wait()
    module = import_module(f"tests.adversary.{told.search}")
    games = (told.game,) if told.game else tuple(module.GAMES)
    numbers = range(told.schedules) if told.only is None else [told.only]
    begun, found = perf_counter(), []
    stack = ExitStack()
    for owner, name, substitute in removed(told.without) if told.without else ():
        stack.enter_context(patch.object(owner, name, substitute))
    done = 0
    for number in numbers:
        done += 1
        one = module.run_one(games[number % len(games)], told.seats, told.seed, number)
        if one is not None:
            found.append(one)
            print(f"{one.game}, {one.seats} seats, schedule {one.schedule}: {one.what}", flush=True)
            if told.only is not None:
                print("\n".join(one.trace))
        if len(found) >= told.stop:
            break
    spent = perf_counter() - begun
    print(f"{told.search}: {done} schedules with {told.seats} seats in {spent:.0f} s, {len(found)} finds")
    for what, count in Counter(one.what.split(":")[-1].strip()[:60] for one in found).most_common():
        print(f"{count:6} {what}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
