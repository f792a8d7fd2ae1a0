"""How the bot sets up, brings its reinforcements and chooses its chits.

Set-ups vary with the seed, around the one of the scenario, and are tried out before they are ordered.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from games.kawagoe.book import KATTA, UJIYASU
from games.kawagoe.bot.reading import Reading
from games.kawagoe.moves import Activate, Deploy, PutChits, Ready
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI, GARRISON, HOJO, UnitClass
from games.kawagoe.setup import Deployment, Deployments, unfinished
from games.kit.hexes import HexId
from pbem.engine.notation import Move
from pbem.engine.options import Options

TRIES = 40
TASTE = 9.0
"""How many hexes of a longer way a player may prefer for the sake of surprise."""


def deploy(reading: Reading, options: Options, rng: Random) -> Move:
    """Where a group stands."""
    pos = reading.pos
    groups = next(f for f in options.families if isinstance(f, Deployments)).groups
    if options.seat == ANTI:
        waiting = [g for g in groups if any(u in pos.reserve for u in g.units)]
        return _camp(pos, waiting[0], groups, rng) if waiting else Ready()
    (group,) = groups
    if group.group == GARRISON:
        return _garrison(reading, group, rng)
    return _arrival(reading, group, rng)


def _garrison(reading: Reading, group: Deployment, rng: Random) -> Deploy:
    """The two who will shout 勝った勝った together at a gate, somebody at every other gate."""
    pos, field = reading.pos, reading.field
    others = [u for u in group.units if u not in KATTA]
    for _ in range(TRIES):
        gates = list(dict.fromkeys(inside for inside, _ in field.gates))
        rng.shuffle(gates)
        places: dict[str, HexId] = dict.fromkeys((u for u in KATTA if u in group.units), gates[0])
        spots = [*gates[1:], *(rng.choice(field.castle) for _ in others)]
        places.update(zip(others, spots, strict=False))
        order = group.written(places)
        if group.why_not(pos, order) is None:
            return order
    return Deploy(group.group, ())


def _camp(pos: KawagoePosition, group: Deployment, groups: tuple[Deployment, ...], rng: Random) -> Deploy:
    """The usual camp with a few men moved a hex, if the whole set-up stays lawful."""
    places = group.usual(pos)
    near, area = pos.pack.map.neighbours, group.area
    for _ in range(rng.randrange(6)):
        unit = rng.choice(sorted(places))
        free = [n for n in near[places[unit]] if n in area and n not in places.values()]
        if free:
            moved = places | {unit: rng.choice(free)}
            if _lawful(pos, group, moved, groups):
                places = moved
    return group.written(places)


def _lawful(
    pos: KawagoePosition, group: Deployment, places: Mapping[str, HexId], groups: tuple[Deployment, ...]
) -> bool:
    if group.why_not(pos, group.written(places)) is not None:
        return False
    trial = pos.copy()
    for other in groups:
        waits = any(u in pos.reserve for u in other.units)
        for unit, place in (places if other is group else other.usual(pos) if waits else {}).items():
            trial.place(unit, place)
    return unfinished(trial) is None


def _arrival(reading: Reading, group: Deployment, rng: Random) -> Deploy:
    """Stacks of two, side by side, as near as can be to a 総大将; sometimes in two detachments."""
    pos, ground = reading.pos, reading.ground
    open_ = [h for h in group.area if pos.room(HOJO, h) > 0]
    goals = [ground.far(pos.units[c].hex) for c in pos.book.commanders if c in pos.units]
    goals = goals or [ground.far(reading.field.castle[0])]
    liking = [rng.uniform(0.0, TASTE) + min(far[h] for h in open_) for far in goals]
    order = sorted(range(len(goals)), key=lambda n: liking[n])[: reading.temper.parts]
    centres = [min(open_, key=lambda h, far=goals[n]: far[h]) for n in order]  # type: ignore[misc]
    units = sorted(group.units, key=lambda u: (u != UJIYASU, -pos.book[u].strength[3], u))[: group.count]  # type: ignore[index]
    stacks = [units[n : n + 2] for n in range(0, len(units), 2)]
    places: dict[str, HexId] = {}
    for number, stack in enumerate(stacks):
        far = ground.far(centres[number % len(centres)])
        for unit in stack:
            there = list(places.values())
            free = [h for h in open_ if pos.room(HOJO, h) > there.count(h)]
            places[unit] = min(free, key=lambda h: (h in pos.zone(ANTI), far[h]))
    return group.written(places)


# --- chits


def chits(reading: Reading, options: Options, rng: Random) -> PutChits:
    """5.12, 5.13: 勝った勝った once the pair has somebody to fall upon; a general where a house is idle."""
    pos = reading.pos
    if options.seat == HOJO:
        pair = [u for u in KATTA if u in pos.units and pos.steps(u) > 1]
        due = pos.turn + rng.randrange(3) >= 4 if pair else pos.turn >= 5
        return PutChits(("hojo", "katta") if due and not pos.spent else ("hojo", "hojo"))
    houses = [c.id for c in pos.pack.chits.values() if c.kind == "house"]
    busy = {c: _engaged(reading, str(pos.pack.chits[c].house)) for c in houses}
    order = sorted(houses, key=lambda c: (-busy[c], c))
    idle, first = order[-1], order[0]
    if busy[idle] > 0 or busy[first] < 4:
        return PutChits(tuple(houses))
    house = pos.pack.chits[first].house
    extra = next(c.id for c in pos.pack.chits.values() if c.kind == "general" and c.house == house)
    return PutChits((*order[:-1], extra))


def _engaged(reading: Reading, house: str) -> int:
    """How many units of a house have something to do: disordered, or near the Hojo outside the castle."""
    pos, ground = reading.pos, reading.ground
    out = [ground.far(h) for h in pos.held(HOJO) if not reading.field.bailey[h]]
    count = 0
    for unit in pos.book.groups[house]:
        piece = pos.units.get(unit)
        if piece and (piece.disordered or any(far[piece.hex] <= 5 for far in out)):
            count += 1
    return count


def general(reading: Reading, options: Options) -> Activate:
    """5.51: the general in order with the most men near the Hojo."""
    pos, ground = reading.pos, reading.ground
    out = [ground.far(h) for h in pos.held(HOJO)]

    def use(move: Activate) -> float:
        piece = pos.units[move.general]
        counter = pos.book[move.general]
        if piece.disordered:
            return 0.5 if counter.cls is UnitClass.COMMANDER else 0.0
        disc = pos.book.disc(piece.hex, counter.command)
        men = [pos.units[u] for u in pos.book.groups[counter.group] if u in pos.units]
        return 1.0 + sum(
            1.0 + 2.0 * any(far[man.hex] <= 3 for far in out) + man.disordered
            for man in men
            if man.hex in disc
        )

    listed = [m for m in options.list() if isinstance(m, Activate)]
    return max(listed, key=use)
