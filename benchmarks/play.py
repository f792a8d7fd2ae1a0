"""What a move costs, and what a verification costs: as ratios measured in one run.

    python benchmarks/play.py [GAME] [--seed N]

Bots play a game by files. Then its entries are taken in again, one by one, by two who only watch, one
at the beginning of the game and one near its end: a move must cost them the same. Then the game is
verified at several lengths: twice the entries must cost about twice the time. The floor under a
verification is what its signatures and hashes cost alone.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spent import cost

from pbem.demo.together import join_all, play_by_files, table_of
from pbem.protocol.papers.entry import read, verify
from pbem.table import Table
from pbem.verify import verify_folder


def play(folder: Path, game: str, seed: int) -> tuple[Table, list[bytes]]:
    """A whole game between bots; the first seat's table, and every entry in order."""
    seats = join_all(folder, game, seed)
    play_by_files(seats)
    table = table_of(next(iter(seats.values())))
    return table, [entry.raw for entry in table.entries(range(1, table.ledger.state.number + 1))]


def spectator(folder: Path, table: Table, raws: Sequence[bytes]) -> Table:
    """Somebody who only watches and has taken these entries in."""
    machine = table.ledger.machine
    watched = Table.create(folder, table.contract, machine.rules, machine.pack, None)
    watched.receive(raws)
    return watched


def moves(folder: Path, table: Table, raws: Sequence[bytes]) -> tuple[float, float]:
    """Median seconds of an automatic answer (they are all alike) early and late in the game.

    The first quarter is taken in by one spectator, the last by another, in turns.
    """
    quarter = len(raws) // 4
    early = spectator(folder / "early", table, [])
    late = spectator(folder / "late", table, raws[: 3 * quarter])
    found: dict[str, list[float]] = {"early": [], "late": []}
    for first, last in zip(raws[:quarter], raws[3 * quarter : 4 * quarter], strict=True):
        for name, watched, raw in (("early", early, first), ("late", late, last)):
            seconds = cost(lambda watched=watched, raw=raw: watched.receive([raw]))
            if read(raw).head.kind == "answers":
                found[name].append(seconds)
    return statistics.median(found["early"]), statistics.median(found["late"])


def verification(folder: Path, table: Table, raws: Sequence[bytes]) -> dict[int, float]:
    """Seconds to verify the game after a quarter, half and all of its entries; the best of three."""
    places = {}
    for part in (4, 2, 1):
        place = folder / f"part-{part}"
        places[spectator(place, table, raws[: len(raws) // part]).ledger.state.number] = place
    rounds = [{n: cost(lambda p=place: verify_folder(p)) for n, place in places.items()} for _ in range(3)]
    return {number: min(one[number] for one in rounds) for number in places}


def floor(table: Table, raws: Sequence[bytes]) -> tuple[float, float]:
    """Seconds for the signatures of all entries, and for hashing all that a verification must hash."""
    claims = [read(raw) for raw in raws]
    keys = table.contract.keys
    signatures = min(cost(lambda: [verify(claim, keys) for claim in claims]) for _ in range(3))
    size = sum(path.stat().st_size for path in table.folder.glob("*/*/*.toml"))
    position = (table.folder / "position.toml").stat().st_size
    data = bytes(size + 2 * position * len(raws))
    return signatures, min(cost(lambda: hashlib.sha256(data).digest()) for _ in range(3))


def measure(game: str, seed: int) -> dict[str, Any]:
    """Everything, in one run."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        table, raws = play(folder / "play", game, seed)
        early, late = moves(folder, table, raws)
        verified = verification(folder, table, raws)
        signatures, hashes = floor(table, raws)
        (few, least), *_, (many, most) = verified.items()
        return {
            "entries": len(raws),
            "early": early,
            "late": late,
            "growth": late / early,
            "verify": verified,
            "linear": (most / many) / (least / few),
            "signatures": signatures,
            "hashes": hashes,
            "over_floor": most / (signatures + hashes),
        }


def main() -> None:
    """Print the measurements as a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", nargs="?", default="kawagoe")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = measure(args.game, args.seed)
    print(f"{args.game}, seed {args.seed}: {found['entries']} entries; processor time")
    print(f"an answer verified, applied and committed: {1000 * found['early']:.1f} ms in the first quarter")
    print(f"    of the game, {1000 * found['late']:.1f} ms in the last: {found['growth']:.2f} times")
    for entries, seconds in found["verify"].items():
        print(f"verify {entries:>5} entries: {seconds:.2f} s, {1000 * seconds / entries:.2f} ms each")
    print(f"    per entry, the whole game against a quarter of it: {found['linear']:.2f} times")
    print(f"its signatures alone {found['signatures']:.3f} s, its hashes {found['hashes']:.3f} s:")
    print(f"    the verification costs {found['over_floor']:.1f} times as much")


if __name__ == "__main__":
    main()
