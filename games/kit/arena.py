"""Bot against bot, to measure how balanced a scenario is and how long it takes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.kit.local import begin, is_over, scenarios, usual_start
from pbem.engine.croupier import Croupier, Player
from pbem.engine.machine import Machine
from pbem.engine.rules import Rules

LIMIT = 20_000
"""More decisions than this are a game that does not end."""


def run(
    rules: Rules,
    scenario: str | None = None,
    games: int = 100,
    seed: int = 0,
    *,
    numbers: Sequence[int] | None = None,
    players: Mapping[str, Callable[[int], Player]] | None = None,
    limit: int = LIMIT,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Games between the game's own bots: wins by seat, draws, mean length in turns, how they ended.

    `players` replaces the bot of a seat by another (given a seed, it makes a player); `numbers` are the
    games to play, all of 0 … games - 1 unless given. A win that several seats share counts for each.
    """
    pack = rules.load_pack()
    machine = Machine(rules, pack)
    start = usual_start(rules, pack, scenarios(rules, pack, scenario)[0])
    wins = dict.fromkeys(start.seats, 0)
    endings: dict[str, int] = {}
    draws = turns = 0
    chosen = range(games) if numbers is None else numbers
    for done, number in enumerate(chosen, 1):
        croupier = Croupier(machine, random.Random(f"arena {rules.name} {seed} {number}"))
        luck = random.Random(f"bots {seed} {number}")
        seated: dict[str, Player] = {}
        for seat in start.seats:
            own, drawn = (players or {}).get(seat), luck.randrange(2**32)
            seated[seat] = own(drawn) if own is not None else rules.bot(seat, drawn)
        pos = begin(croupier, start)
        for _ in range(limit):
            if is_over(machine, pos):
                break
            pos = croupier.play(pos, seated).position
        assert pos.outcome is not None, f"no end after {limit} decisions, at {pos.stack[-1].at}"
        turns += int(getattr(pos, "turn", 0))
        winners = pos.outcome.winners
        draws += not winners
        for seat in winners:
            wins[seat] += 1
        ending = f"{pos.outcome.level or pos.outcome.rule}: {' '.join(winners) or 'draw'}"
        endings[ending] = endings.get(ending, 0) + 1
        progress(done)
    mean = round(turns / len(chosen), 2) if chosen else 0.0
    ended = dict(sorted(endings.items()))
    return {"games": len(chosen), "wins": wins, "draws": draws, "turns_mean": mean, "endings": ended}
