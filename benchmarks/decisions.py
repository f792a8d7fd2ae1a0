"""How many decisions a second random play takes, bare and with every legal move listed.

    python benchmarks/decisions.py [GAME] [--scenario S] [--decisions N] [--seed N]

Each decision is asked, answered at random, checked and applied, as in `pbem fuzz` without its closer
looks. Seconds are of the processor: other work on the machine does not count. The digest is of every
position on the way: two versions of the rules that print the same one play the same games.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import time
from dataclasses import dataclass
from typing import Any

from pbem.engine import registry
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine
from pbem.playtest.local import Start, begin, is_over, usual_start


@dataclass(frozen=True)
class Run:
    """What one run of random games came to."""

    decisions: int
    listed: int
    seconds: float
    digest: str


def play(machine: Machine, start: Start, wanted: int, seed: int, *, every: bool, digest: bool) -> Run:
    """Random games, whole ones and a last one that is cut off, until enough has been decided."""
    made, listed, number = 0, 0, 0
    seen = hashlib.sha256()
    began = time.process_time()
    while made < wanted:
        rng = random.Random(f"decisions {seed} {number}")
        croupier, chance = Croupier(machine, rng), random_player(rng)

        def player(pos: Any, options: Any, view: Any, chance: Any = chance) -> Any:
            nonlocal listed
            if every:
                listed += len(list(options.list(view)))
            return chance(pos, options, view)

        pos = begin(croupier, start)
        while made < wanted and not is_over(machine, pos):
            pos = croupier.play(pos, dict.fromkeys(start.seats, player)).position
            made += 1
            if digest:
                seen.update(pos.text().encode())
        number += 1
    return Run(made, listed, time.process_time() - began, seen.hexdigest()[:16] if digest else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", default="redcoats")
    parser.add_argument("--scenario")
    parser.add_argument("--decisions", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--digest", action="store_true", help="play once more and print the digest")
    given = parser.parse_args()
    rules = registry.load(given.game)
    pack = rules.load_pack()
    start = usual_start(rules, pack, given.scenario or next(iter(rules.scenarios(pack))))
    machine = Machine(rules, pack)
    runs = {}
    for name, every in (("bare", False), ("listed", True)):
        run = play(machine, start, given.decisions, given.seed, every=every, digest=False)
        runs[name] = run
        more = f", {run.listed / run.decisions:.0f} moves listed for each" if every else ""
        print(f"{given.game}/{start.scenario}, {name}: {run.decisions / run.seconds:.0f} a second{more}")
    print(f"listing costs {runs['listed'].seconds / runs['bare'].seconds:.2f} times the bare play")
    if given.digest:
        run = play(machine, start, given.decisions, given.seed, every=False, digest=True)
        print(f"digest of {run.decisions} positions: {run.digest}")


if __name__ == "__main__":
    main()
