"""18.3, 19.1.3, 20.1.2 before the dice: what an attack, assault or overrun may do to both sides."""

from __future__ import annotations

from collections import Counter

from games.sanada.assault import BARE
from games.sanada.moves import Assault, Attack, Overrun
from games.sanada.position import SanadaPosition
from games.sanada.strength import REASON, Clash, Edge, clash, fighters, place_strength, rating, strength
from games.sanada.terms import INSIDE
from pbem.engine.notation import Move
from pbem.engine.wording import fill

TWO_DICE = Counter(a + b for a in range(1, 7) for b in range(1, 7))


def forecast(pos: SanadaPosition, move: Move) -> str | None:
    """Ratings, strengths, columns and the chance of every number of hits in a round; None: no attack."""
    match move:
        case Attack():
            edge = Edge(move.place, move.hex)
            return _field(pos, edge, fighters(pos, move.place), f"{move.place} against {move.hex}")
        case Overrun() if move.force in pos.units and not pos.units[move.force].under:
            edge = Edge(pos.units[move.force].hex, move.hex)
            return _field(pos, edge, pos.force(move.force), f"{move.force} over {move.hex}")
        case Assault():
            return _storm(pos, move.hex)
    return None


def _field(pos: SanadaPosition, edge: Edge, own: tuple[str, ...], title: str) -> str | None:
    foes = fighters(pos, edge.defender)
    grid = pos.data.map.grid.terrain
    if not own or not foes or edge.attacker[:4] not in grid or pos.side(own[0]) == pos.side(foes[0]):
        return None
    found: Clash = clash(pos, edge, own, foes)
    why = fill("{reasons:? ({reasons:*" + REASON + "})|}", pos, reasons=found.reasons)
    lines = [f"{title}: rating {found.attack} to {found.defence}{why}"]
    lines.append(_line(pos, "attacker", strength(pos, own), found.for_attacker))
    lines.append(_line(pos, "defender", place_strength(pos, edge.defender, defends=True), found.for_defender))
    return "\n".join(lines)


def _storm(pos: SanadaPosition, place: str) -> str | None:
    castle = pos.castle_at(place)
    own, garrison = fighters(pos, place), pos.at(place + INSIDE)
    if castle is None or not own:
        return None
    attack, defence = rating(pos, own), rating(pos, garrison)
    better, walls = (attack > defence) - (attack < defence), pos.strength(castle)
    lines = [f"assault on {castle} {walls}-{pos.walls(castle)}: rating {attack} to {defence}"]
    lines.append(_line(pos, "attacker", strength(pos, own), better - walls))
    lines.append(_line(pos, "castle", strength(pos, garrison) + BARE, walls - better))
    return "\n".join(lines)


def _line(pos: SanadaPosition, who: str, points: int, plus: int) -> str:
    tables = pos.data.tables
    chances: Counter[int] = Counter()
    for total, ways in TWO_DICE.items():
        chances[tables.damage(points, total + plus)] += ways
    words = ", ".join(f"{hits}: {round(100 * ways / 36)} %" for hits, ways in sorted(chances.items()))
    column = tables.columns[tables.column(points)]
    return f"{who}: strength {points} (column {column}), dice {plus:+d}; hits {words}"
