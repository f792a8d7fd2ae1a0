"""Bot against bot, to measure how balanced a scenario is and how long it takes.

Game n of a seed is always the same game, so a written result can be played again, whole or in part.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.engine.croupier import Croupier, Player, random_player
from pbem.engine.machine import Machine
from pbem.engine.rules import AnyRules
from pbem.playtest.local import begin, is_over, scenarios, usual_start

LIMIT = 20_000
"""More decisions than this are a game that does not end."""
FIRST = 3
"""So many games are named one by one in a written result."""


@dataclass(frozen=True)
class Ended:
    """One game: its number, who won, by which rule and level, in which turn."""

    number: int
    winners: tuple[str, ...]
    ending: str
    turn: int


def run(
    rules: AnyRules,
    scenario: str | None = None,
    games: int = 100,
    seed: int = 0,
    *,
    numbers: Sequence[int] | None = None,
    players: Mapping[str, Callable[[int], Player]] | None = None,
    alone: str | None = None,
    limit: int = LIMIT,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Ended]:
    """Games between the game's own bots.

    `players` replaces the bot of a seat by another (given a seed, it makes a player); with `alone`, one seat
    has its bot and all others play at random; `numbers` are the games to play, all of 0 … games - 1 unless
    given.
    """
    pack = rules.load_pack()
    machine = Machine(rules, pack)
    start = usual_start(rules, pack, scenarios(rules, pack, scenario)[0])
    ended = []
    for done, number in enumerate(range(games) if numbers is None else numbers, 1):
        croupier = Croupier(machine, random.Random(f"arena {rules.name} {seed} {number}"))
        luck = random.Random(f"bots {seed} {number}")
        seated: dict[str, Player] = {}
        for seat in start.seats:
            own, drawn = (players or {}).get(seat), luck.randrange(2**32)
            if alone is not None and seat != alone:
                own = any_move
            seated[seat] = own(drawn) if own is not None else rules.bot(seat, drawn)
        pos = begin(croupier, start)
        for _ in range(limit):
            if is_over(machine, pos):
                break
            pos = croupier.play(pos, seated).position
        end = pos.outcome
        assert end is not None, f"no end after {limit} decisions, at {pos.stack[-1].at}"
        how = " ".join(part for part in (end.rule, end.level) if part)
        ending = f"{how}: {' '.join(end.winners) or 'draw'}"
        ended.append(Ended(number, end.winners, ending, pos.turn))
        progress(done)
    return ended


def any_move(seed: int) -> Player:
    """A player who knows nothing but the rules."""
    return random_player(random.Random(seed))


def summary(rules: AnyRules, scenario: str | None, ended: Sequence[Ended]) -> dict[str, Any]:
    """Wins by seat, draws, mean length in turns, how the games ended. A shared win counts for each."""
    pack = rules.load_pack()
    start = usual_start(rules, pack, scenarios(rules, pack, scenario)[0])
    wins = {seat: sum(seat in one.winners for one in ended) for seat in start.seats}
    endings: dict[str, int] = {}
    for one in sorted(ended, key=lambda one: one.ending):
        endings[one.ending] = endings.get(one.ending, 0) + 1
    return {
        "games": len(ended),
        "wins": wins,
        "draws": sum(not one.winners for one in ended),
        "turns_mean": round(sum(one.turn for one in ended) / max(1, len(ended)), 2),
        "endings": endings,
    }


def record(rules: AnyRules, scenario: str | None, seed: int, commit: str, ended: Sequence[Ended]) -> str:
    """A result as a file that says what was measured, so that it can be measured again."""
    import tomli_w

    pack = rules.load_pack()
    name = scenarios(rules, pack, scenario)[0]
    found = summary(rules, scenario, ended)
    first = [one.ending for one in sorted(ended, key=lambda one: one.number)[:FIRST]]
    facts = {
        "scenario": name,
        "version": rules.version,
        "data": pack.digest,
        "commit": commit,
        "seed": seed,
        "games": found["games"],
        "draws": found["draws"],
        "turns_mean": found["turns_mean"],
        "first": first,
        "wins": found["wins"],
        "endings": found["endings"],
    }
    again = f"pbem arena {rules.name} --scenario {name} --games {found['games']} --seed {seed}"
    top = f"# Bot against bot. Again: {again}\n# first: how the first games end, one by one\n"
    return f"{top}\n{tomli_w.dumps(facts)}"
