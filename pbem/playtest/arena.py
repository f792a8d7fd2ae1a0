"""Bot against bot, to measure how balanced a scenario is and how long it takes.

Game n of a seed is always the same game, so a written result can be played again, whole or in part.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.croupier import Croupier, Player, random_player
from pbem.engine.machine import Machine
from pbem.engine.notation import Handle
from pbem.engine.rules import AnyRules
from pbem.errors import UsageError
from pbem.playtest.local import begin, is_over, scenarios, usual_start

LIMIT = 20_000
"""More decisions than this are a game that does not end."""
FIRST = 3
"""So many games are named one by one in a written result."""
AGAINST = ("bots", "random")
"""Whom a bot plays against; also the names of the two lists in a written result."""
CARDS = "cards"
"""The name of the list that says what each card was worth."""
TOP = """\
# bots: bot against bot. random: the bot of each seat alone against random play, so many games each.
# cards: between bots, for each card how often it came to a hand and how many of these games were won.
# Again: pbem arena {game} --scenario S [--seats N] --games N --seed N [--against random | --cards [--more]]
# first: how the first games end, one by one.
"""
Measured = dict[str, Any]
"""One result, as it stands in the file."""


@dataclass(frozen=True)
class Ended:
    """One game: its number, who won, by which rule and level, in which turn."""

    number: int
    winners: tuple[str, ...]
    ending: str
    turn: int
    began: str = ""
    """Who moved first, where chance decides it."""
    held: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The cards that came to each seat's hand, if they were counted."""


def run(
    rules: AnyRules,
    scenario: str | None = None,
    games: int = 100,
    seed: int = 0,
    *,
    numbers: Sequence[int] | None = None,
    players: Mapping[str, Callable[[int], Player]] | None = None,
    alone: str | None = None,
    seats: int | None = None,
    cards: bool = False,
    limit: int = LIMIT,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Ended]:
    """Games between the game's own bots.

    `players` replaces the bot of a seat by another (given a seed, it makes a player); with `alone`, one seat
    has its bot and all others play at random; `numbers` are the games to play, all of 0 … games - 1 unless
    given; `seats` is how many play, as few as can unless given; with `cards`, who held which is remembered.
    """
    pack = rules.load_pack()
    machine = Machine(rules, pack)
    start = usual_start(rules, pack, scenarios(rules, pack, scenario)[0], seats)
    others = [seat for seat in start.seats if alone is not None and seat != alone]
    makers = {**(players or {}), **dict.fromkeys(others, any_move)}
    ended = []
    for done, number in enumerate(range(games) if numbers is None else numbers, 1):
        croupier = Croupier(machine, random.Random(f"arena {rules.name} {seed} {number}"))
        seated = _seated(rules, start.seats, makers, random.Random(f"bots {seed} {number}"))
        pos = begin(croupier, start)
        held: dict[str, set[Handle]] = {seat: set() for seat in start.seats} if cards else {}
        for _ in range(limit):
            for seat, known in held.items():
                known.update(rules.drawn(pos, seat))
            if is_over(machine, pos):
                break
            pos = croupier.play(pos, seated).position
        end = pos.outcome
        assert end is not None, f"no end after {limit} decisions, at {pos.stack[-1].at}"
        how = " ".join(part for part in (end.rule, end.level) if part)
        ending = f"{how}: {' '.join(end.winners) or 'draw'}"
        names = {
            seat: frozenset(croupier.truth.get(h, str(h)) for h in known) for seat, known in held.items()
        }
        ended.append(Ended(number, end.winners, ending, pos.turn, rules.began(pos), names))
        progress(done)
    return ended


def _seated(
    rules: AnyRules, seats: Sequence[str], makers: Mapping[str, Callable[[int], Player]], luck: random.Random
) -> dict[str, Player]:
    """Who plays: the game's bots, but for the seats that have another maker."""
    seated = {}
    for seat in seats:
        seed = luck.randrange(2**32)
        seated[seat] = makers[seat](seed) if seat in makers else rules.bot(seat, seed)
    return seated


def any_move(seed: int) -> Player:
    """A player who knows nothing but the rules."""
    return random_player(random.Random(seed))


def summary(
    rules: AnyRules, scenario: str | None, ended: Sequence[Ended], seats: int | None = None
) -> dict[str, Any]:
    """Wins by seat, draws, mean length in turns, how the games ended. A shared win counts for each."""
    pack = rules.load_pack()
    start = usual_start(rules, pack, scenarios(rules, pack, scenario)[0], seats)
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


def worth(ended: Sequence[Ended]) -> dict[str, list[int]]:
    """For each card: in how many games it came to a seat's hand, and how many of them that seat won."""
    found: dict[str, list[int]] = {}
    for one in ended:
        for seat, cards in one.held.items():
            for card in cards:
                counted = found.setdefault(card, [0, 0])
                counted[0] += 1
                counted[1] += seat in one.winners
    return _best_first(found)


def _best_first(cards: dict[str, list[int]]) -> dict[str, list[int]]:
    return dict(sorted(cards.items(), key=lambda item: (-item[1][1] / item[1][0], item[0])))


def record_cards(
    rules: AnyRules, scenario: str | None, seed: int, commit: str, ended: Sequence[Ended]
) -> Measured:
    """What each card was worth: times held, times won; the best first."""
    return {
        **_measured(rules, scenario, seed, commit),
        "games": len(ended),
        "first": _first(ended),
        "cards": worth(ended),
    }


def so_far(text: str, rules: AnyRules, scenario: str | None, seed: int, commit: str) -> Measured:
    """What a file says already of the cards in these very games: the same data, program and seed."""
    import tomllib

    wanted = _measured(rules, scenario, seed, commit)
    kept: list[Measured] = tomllib.loads(text).get(CARDS, [])
    found = next((one for one in kept if one["scenario"] == wanted["scenario"]), None)
    if found is None:
        return {**wanted, "games": 0, "first": [], "cards": {}}
    for name, value in wanted.items():
        if found[name] != value:
            raise UsageError(
                f"the cards of {found['scenario']} were counted with another {name}: {found[name]}",
                "leave --more away to count anew",
            )
    return found


def added(old: Measured, new: Measured) -> Measured:
    """One result of two that follow each other."""
    both = {
        card: [sum(counted) for counted in zip(old["cards"].get(card, (0, 0)), one, strict=True)]
        for card, one in {**dict.fromkeys(old["cards"], (0, 0)), **new["cards"]}.items()
    }
    first = (old["first"] + new["first"])[:FIRST]
    return {**new, "games": old["games"] + new["games"], "first": first, "cards": _best_first(both)}


def record(
    rules: AnyRules,
    scenario: str | None,
    seed: int,
    commit: str,
    ended: Sequence[Ended],
    seats: int | None = None,
) -> Measured:
    """What games between bots showed, and what was measured, so that it can be measured again."""
    found = summary(rules, scenario, ended, seats)
    return {
        **_measured(rules, scenario, seed, commit),
        "games": found["games"],
        "draws": found["draws"],
        "turns_mean": found["turns_mean"],
        **_began(ended),
        "first": _first(ended),
        "wins": found["wins"],
        "endings": found["endings"],
    }


def record_alone(
    rules: AnyRules, scenario: str | None, seed: int, commit: str, ended: Mapping[str, Sequence[Ended]]
) -> Measured:
    """What the games of each seat's bot alone against random play showed."""
    return {
        **_measured(rules, scenario, seed, commit),
        "games": min(len(games) for games in ended.values()),
        "first": {seat: _first(games) for seat, games in ended.items()},
        "wins": {seat: sum(seat in one.winners for one in games) for seat, games in ended.items()},
    }


def _measured(rules: AnyRules, scenario: str | None, seed: int, commit: str) -> Measured:
    pack = rules.load_pack()
    return {
        "scenario": scenarios(rules, pack, scenario)[0],
        "version": rules.version,
        "data": pack.digest,
        "commit": commit,
        "seed": seed,
    }


def _began(ended: Sequence[Ended]) -> dict[str, int]:
    """How often who moved first has won, where chance decides who does."""
    told = [one for one in ended if one.began]
    return {"first_player_wins": sum(one.began in one.winners for one in told)} if told else {}


def _first(ended: Sequence[Ended]) -> list[str]:
    return [one.ending for one in sorted(ended, key=lambda one: one.number)[:FIRST]]


def file_with(text: str, rules: AnyRules, against: str, found: Measured) -> str:
    """The file of a game's results with this one in it, in the place of an older one of the same scenario
    and number of seats.
    """
    import tomllib

    import tomli_w

    kept = tomllib.loads(text)
    order = {name: at for at, name in enumerate(rules.scenarios(rules.load_pack()))}

    def what(one: Measured) -> tuple[str, int]:
        return one["scenario"], len(one.get("wins", ()))

    results = [one for one in kept.get(against, ()) if what(one) != what(found)]
    kept[against] = sorted(
        [*results, found], key=lambda one: (order.get(one["scenario"], len(order)), what(one))
    )
    tables = {kind: kept[kind] for kind in (*AGAINST, CARDS) if kind in kept}
    return f"{TOP.format(game=rules.name)}\n{tomli_w.dumps(tables)}"
