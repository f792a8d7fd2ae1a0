"""How the bot answers within a combat: how a loss is taken, where a beaten enemy is driven, who advances."""

from __future__ import annotations

from games.kawagoe.bot.battle import GROUND_LOST
from games.kawagoe.bot.besiegers import Siege
from games.kawagoe.bot.reading import Reading
from games.kawagoe.bot.relief import Relief
from games.kawagoe.combat import Combat
from games.kawagoe.moves import Advance, Drive, Lose, Retreat, Stay
from games.kawagoe.printed import ANTI, HOJO
from games.kawagoe.routes import read_route
from games.kit.hexes import HexId
from pbem.engine.notation import Move
from pbem.engine.options import Options, View

Aims = Relief | Siege


def aims_of(reading: Reading, seat: str, katta: bool = False) -> Aims:
    """What a side wants, outside its own movement."""
    return Relief(reading, katta) if seat == HOJO else Siege(reading, ())


def standing(aims: Aims, unit: str, place: HexId) -> float:
    """What it is worth that a unit stands in a hex, fights left aside."""
    if isinstance(aims, Siege):
        return aims.stand(unit, place) + 0.3 * aims.reading.in_command(unit, place)
    return aims.stand((unit,), place) + 0.5 * aims.pull(place) - aims.danger((unit,), place)


def loss(reading: Reading, options: Options, view: View, combat: Combat) -> Move:
    """9.5: steps or retreat, whichever costs less."""
    pos, units = reading.pos, combat.alive(reading.pos)
    total = sum(pos.steps(u) for u in units)
    steps, named = reading.cheapest(units, min(int(combat.loss()), total))
    if options.why_not(Retreat(), view) is not None:
        return Lose(named)
    side = combat.side()
    back = GROUND_LOST[side]
    aims = aims_of(reading, side)
    for place in dict.fromkeys(pos.units[u].hex for u in units):
        there = tuple(u for u in units if pos.units[u].hex == place)
        hold = aims.stand(there[0], place) if isinstance(aims, Siege) else _hold(aims, there, place)
        back += 0.5 * max(0.0, hold)
    if side == ANTI and combat.charge:
        back += sum(reading.shaken(u) for u in units)
    return Retreat() if back <= steps else Lose(named)


def _hold(aims: Relief, units: tuple[str, ...], place: HexId) -> float:
    """What a Hojo hex is worth to its defenders: walls and gates above all."""
    castle = 1.0 + 5.0 * aims.urge if aims.field.bailey[place] else 0.0
    outside = aims.field.entry[0]  # as good as any other place that watches no gate
    return castle + aims.stand(units, place) - aims.watch(units, outside)


def drive(reading: Reading, options: Options, view: View) -> Move:
    """9.62: out of command, into our zone of control, off the ring and the road; Hojo into a crowd."""
    pos, field = reading.pos, reading.field

    def use(move: Move) -> float:
        assert isinstance(move, Drive)
        route = read_route(move.path)
        end = route[-1][0]
        if pos.side(move.unit) == HOJO:
            crowd = sum(n in pos.held(ANTI) for n in field.neighbours[end])
            return 0.3 * crowd + 0.5 * (end in pos.zone(ANTI)) - 1.0 * bool(field.bailey[end])
        value = 0.4 * (end in pos.zone(HOJO)) + 0.3 * sum(len(step) - 1 for step in route)
        value += 0.5 * (not reading.in_command(move.unit, end)) - 5.0 * bool(field.bailey[end])
        value -= 0.3 * sum(h in reading.ground.ring for h in (end, *field.zoc_into[end]))
        return value

    return max(options.list(view), key=use)


def advance(reading: Reading, options: Options, view: View) -> Move:
    """9.81: follow where the new place is better than the old one."""
    aims = aims_of(reading, options.seat)
    best: tuple[float, Move] = (0.1, Stay())
    for move in options.list(view):
        if isinstance(move, Advance):
            unit = move.unit
            here = reading.pos.units[unit].hex
            value = standing(aims, unit, move.path[-1]) - standing(aims, unit, here)
            if value > best[0]:
                best = (value, move)
    return best[1]
