"""Play, receive and verify, this program against another checkout of it: as ratios measured in one run.

    python benchmarks/against.py CHECKOUT [GAME ...] [--seed N] [--rounds N]

CHECKOUT has a virtual environment of its own in .venv. Each program plays its own game of the same seed
between bots, by files; then somebody who only watches takes its entries in one at a time, each verified,
applied and committed; then the game is verified. The programs take turns, each round in fresh processes, and
processor time is counted, git's included: other work on the machine matters little. Milliseconds are for one
entry, because the games of two versions need not be equally long.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from spent import cost

DEEDS = ("play", "receive", "verify")
HERE = Path(__file__).resolve().parents[1]


def measure(game: str, seed: int) -> dict[str, float]:
    """One program's share of a round, in milliseconds for each entry."""
    from pbem.demo.together import join_all, play_by_files, table_of
    from pbem.table import Table
    from pbem.verify import verify_folder

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        seats = join_all(folder / "play", game, seed)
        found = {"play": cost(lambda: play_by_files(seats))}
        table = table_of(next(iter(seats.values())))
        raws = [entry.raw for entry in table.entries(range(1, table.ledger.state.number + 1))]
        machine = table.ledger.machine
        watched = Table.create(folder / "watch", table.contract, machine.rules, machine.pack, None)
        found["receive"] = cost(lambda: [watched.receive([raw]) for raw in raws])
        if watched.fingerprint != table.fingerprint:
            raise SystemExit(f"{game}: who watched came to another fingerprint")
        found["verify"] = cost(lambda: verify_folder(table.folder))
        return {"entries": len(raws), **{deed: 1000 * found[deed] / len(raws) for deed in DEEDS}}


def run(checkout: Path, game: str, seed: int) -> dict[str, float]:
    """The same in a fresh process of a checkout's own program."""
    asked = [str(checkout / ".venv" / "bin" / "python"), __file__, "--measure", game, "--seed", str(seed)]
    setting = {**os.environ, "PYTHONPATH": str(checkout)}
    done = subprocess.run(asked, check=True, capture_output=True, cwd=checkout, env=setting)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def compare(other: Path, game: str, seed: int, rounds: int) -> None:
    """Both programs in turns; the one that begins changes, too."""
    found: dict[Path, list[dict[str, float]]] = {other: [], HERE: []}
    for number in range(rounds):
        for checkout in (other, HERE) if number % 2 else (HERE, other):
            found[checkout].append(run(checkout, game, seed))
    lengths = [f"{int(found[one][0]['entries'])}" for one in (other, HERE)]
    print(f"{game}, seed {seed}: {lengths[0]} entries there, {lengths[1]} here; {rounds} rounds")
    for deed in DEEDS:
        there, here = ([one[deed] for one in found[checkout]] for checkout in (other, HERE))
        ratios = sorted(new / old for old, new in zip(there, here, strict=True))
        best, middle = min(here) / min(there), statistics.median(ratios)
        print(
            f"  {deed:<8} {min(there):6.2f} ms there, {min(here):6.2f} ms here: best {best:.2f} times,",
            end="",
        )
        print(f" median of the rounds {middle:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("checkout", nargs="?", type=Path)
    parser.add_argument("games", nargs="*", default=["kawagoe"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        print(json.dumps(measure(args.measure, args.seed)))
        return
    if args.checkout is None:
        parser.error("name another checkout")
    for game in args.games:
        compare(args.checkout.resolve(), game, args.seed, args.rounds)


if __name__ == "__main__":
    sys.exit(main())
