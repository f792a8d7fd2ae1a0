"""The seats of a demonstration in one process, each still with a home and folder of its own.

For benchmarks and tests: the same seed gives the same game as `pbem demo`, whatever carries the entries.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.demo.bot import sit_down
from pbem.demo.seat import Seat
from pbem.engine import registry
from pbem.outgoing import outgoing
from pbem.playtest.local import scenarios, usual_start
from pbem.table import Table


def join_all(
    folder: Path,
    game: str,
    seed: int,
    scenario: str | None = None,
    domain: str = "",
    count: int | None = None,
) -> dict[str, Seat]:
    """The seats of a new game that all have signed; with a domain, each has a mail address there.

    As few as the game takes, or as many as are asked for.
    """
    rules = registry.load(game)
    pack = rules.load_pack()
    start = usual_start(rules, pack, scenarios(rules, pack, scenario)[0], count)
    facts: dict[str, Any] = {
        "game": game,
        "scenario": start.scenario,
        "options": start.options,
        "seats": list(start.seats),
        "seed": seed,
    }
    seats = {}
    for name in start.seats:
        address = f"{name}@{domain}" if domain else ""
        seats[name] = Seat({**facts, "seat": name, "folder": str(folder / name), "address": address})
    papers = seats[start.seats[0]].invite(facts)
    while any(seat.table is None for seat in seats.values()):
        for seat in seats.values():
            papers += seat.join(papers)
    return seats


def table_of(seat: Seat) -> Table:
    """The table of a seat whose game has begun."""
    assert seat.table is not None
    return seat.table


def play_by_files(seats: dict[str, Seat]) -> str:
    """The whole game, audited, by handing over what is not acknowledged; the fingerprint of all."""
    moved = True
    while moved:
        moved = False
        for name, seat in seats.items():
            table = table_of(seat)
            others = [table_of(other) for other in seats.values() if other is not seat]
            raws = [raw for other in others for raw in outgoing(other, name)]
            with table.sitting():
                result = table.receive(raws)
                if result.refused:
                    raise result.refused[0]
                made = sit_down(table, seat.key, seat.seed)
                owed = table.due()
                over = owed is not None and owed.kind == "audit"
                if over:
                    table.publish()
            moved = moved or over or bool(result.logged or result.answered or made)
    (fingerprint,) = {table_of(seat).fingerprint for seat in seats.values()}
    return fingerprint
