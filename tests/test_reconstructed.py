"""What we have reconstructed never overrides what the book prints about the same thing."""

from __future__ import annotations

from typing import Any

from games.redcoats.flight import STANDS
from games.redcoats.moves import Retreat
from games.redcoats.rout import Rout
from pbem.engine import registry
from pbem.engine.waits import Ask
from tests.upsets import fought

GAMES = ("chuhan", "kawagoe", "redcoats", "sanada", "suikoden")


def test_every_file_of_a_pack_says_what_it_rests_on() -> None:
    """Tables, values and numbers are printed in a rulebook, or ours, and then the file says how."""
    for game in GAMES:
        pack = registry.load(game).load_pack()
        assert pack.provenance
        for file, found in pack.provenance.items():
            assert found.kind in ("rulebook", "reconstruction") and len(found.source) >= 3, (game, file)


def together(croupier: Any, pos: Any, rout: Rout) -> int:
    """Of a stack with the same way to go: wherever the first stops, the second may stop, if there is room."""
    followed = 0
    flights = {flight.unit: flight for flight in rout.flights(pos)}
    for first, flight in flights.items():
        path = next(flight.paths())
        if not path or flight.ends(path) != STANDS:
            continue
        mates = [u for u, f in flights.items() if u != first and f.start == flight.start]
        new: Any = croupier.decide(pos, Retreat(first, path), rout.seat).position
        frame = new.stack[-1] if new.stack else None
        if not isinstance(frame, Rout):
            continue
        for other in frame.flights(new):
            same = other.unit in mates and (other.steps, other.runs) == (flight.steps, flight.runs)
            if same and new.room(other.unit, path[-1]):
                assert other.why_not(path) is None, (first, other.unit, path, pos.text())
                followed += 1
    return followed


def test_redcoats_stacks_retreat_separately_or_together() -> None:
    """8.51 is printed; the priorities of 8.511 are ours, and count no unit of one's own stack as a friend."""
    followed, seed = 0, 0
    while followed < 30:
        for croupier, pos, _ in fought("redcoats", seed, 1.0):
            wait, frame = croupier.machine.waits_for(pos), pos.stack[-1]
            if isinstance(frame, Rout) and isinstance(wait, Ask) and wait.options.kind == "retreat":
                followed += together(croupier, pos, frame)
        seed += 1
