"""Redcoats as a scene: the map of a battle, its counters, reserve and losses, turn and collapse tracks."""

from __future__ import annotations

from games.kit.hexes import is_lowered, split
from games.redcoats.display import headline, values
from games.redcoats.field import Field
from games.redcoats.pack import Pack
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import AMERICAN, BRITISH, SIDES, Arm, Scenario
from pbem.engine.scene import Board, Edge, Link, Mark, Owner, Piece, Place, Region, Scene, Token, Track, Tray

OWNERS = (
    Owner("american", "American", "A", 7, AMERICAN),
    Owner("militia", "American militia", "m", 5, AMERICAN),
    Owner("british", "British", "B", 6, BRITISH),
    Owner("hessian", "Hessian", "H", 9, BRITISH),
)
GROUNDS = {"light-woods": "orchard", "swamp": "marsh", "fortress": "fort", "water": "river"}
KEY = (
    ("clear", "clear"),
    ("orchard", "林 light woods"),
    ("woods", "森 woods"),
    ("town", "街 town"),
    ("marsh", "沼地 swamp"),
    ("river", "川 river"),
    ("stream", "小川 stream"),
    ("bridge", "橋 bridge"),
    ("ford", "浅瀬 ford"),
    ("slope", "斜面 slope"),
    ("fieldwork", "フィールドワーク fieldwork"),
    ("hedge", "生垣 hedge"),
    ("abatis", "防柵 abatis"),
    ("redoubt", "堡塁 redoubt"),
    ("road", "road"),
    ("track", "trail"),
)
NUMBERING = (
    "A hex number is column and row: 2108 is column 21, row 08, counted from the left and from the top. A "
    "counter shows strength-allowance-morale, a gun its bombardment in brackets, a leader value-range."
)
TRAITS = {Arm.LIGHT: "L", Arm.DRAGOON: "D", Arm.GUN: "G"}


def _board(pos: RedcoatsPosition) -> Board:
    """One board for a pack and a scenario."""
    pack: Pack = pos.data
    key = f"board {pos.scenario}"
    if key not in pack.caches:
        pack.caches[key] = _printed(pos.land, pos.setting)
    return pack.caches[key]  # type: ignore[no-any-return]


def _printed(land: Field, battle: Scenario) -> Board:
    grid = land.grid
    objectives = frozenset(battle.victory.hexes)
    lines = {h: side for side in SIDES for h in battle.lines[side]}
    entries = {g.enter for g in battle.groups if g.enter}
    places = []
    for here in land.hexes:
        column, row = split(here)
        badges = []
        if here in objectives:
            badges.append(("objective", "★"))
        if here in lines and len(battle.lines[lines[here]]) < 6:
            badges.append(("supply", lines[here][0].upper()))
        if here in entries:
            badges.append(("entry", "▸"))
        ground = land.terrain[here]
        at = (column, row + (0.5 if is_lowered(column, grid.lowered) else 0.0))
        name = land.names.get(here, "")
        places.append(
            Place(here, at, ground=GROUNDS.get(ground, ground), name=name, number=here, badges=tuple(badges))
        )
    pairs = [(a, b) for a in land.hexes for b in land.neighbours[a] if a < b]
    edges = [Edge(a, b, what) for a, b in pairs for what in grid.features[a][b]]
    for a in land.hexes:
        edges += [Edge(a, b, "slope", toward=a) for b in land.edges.up[a]]
        edges += [Edge(a, b, kind, toward=b) for b, kind in land.edges.works[a].items()]
    links = [Link(a, b) for a, b in pairs if b in grid.roads[a]]
    links += [Link(a, b, "track") for a, b in pairs if b in land.edges.trails[a]]
    shown = {g.id: g for g in battle.groups if 1 < len(g.hexes) < 60}
    regions = [Region(g.id, g.id.replace("-", " ").title(), g.hexes, owner=g.side) for g in shown.values()]
    return Board(tuple(places), tuple(edges), tuple(links), tuple(regions), 0.0, KEY, NUMBERING)


def scene(pos: RedcoatsPosition) -> Scene:
    """Everything on the table; nothing is hidden in this game."""
    pieces = [
        _piece(pos, unit, piece.hex)
        for unit, piece in sorted(pos.units.items(), key=lambda u: _rank(pos, u[0]))
    ]
    trays = []
    for side in SIDES:
        waiting = [u for u in pos.reserve if pos.book[u].side == side]
        gone = [u for u in pos.lost if pos.book[u].side == side]
        for name, title, units in (("reserve", "to come", waiting), ("lost", "lost", gone)):
            if units:
                trays.append(Tray(f"{name}-{side}", title, side, "grid"))
                pieces += [_piece(pos, unit, f"{name}-{side}") for unit in units]
    battle = pos.setting
    turns = tuple(battle.clock(turn) for turn in range(1, battle.turns + 1))
    now = (Token("", "turn", min(pos.turn, battle.turns) - 1),) if pos.turn else ()
    return Scene(
        board=_board(pos),
        headline=headline(pos),
        owners=OWNERS,
        pieces=tuple(pieces),
        marks=tuple(_marks(pos)),
        trays=tuple(trays),
        tracks=(Track("turn", "turn", turns, now), _collapse(pos)),
    )


def _collapse(pos: RedcoatsPosition) -> Track:
    """13.1: both levels on one track, ten boxes to the highest."""
    top = max(10, *(level // 2 for level in (*pos.levels.values(), *pos.setting.levels.values())))
    step = max(1, -(-top // 20))
    boxes = tuple(str(n) for n in range(0, top + step, step))
    tokens = tuple(
        Token(side, side, min(max(pos.levels.get(side, 0), 0) // 2 // step, len(boxes) - 1)) for side in SIDES
    )
    return Track("collapse", "collapse levels", boxes, tokens)


def _marks(pos: RedcoatsPosition) -> list[Mark]:
    """Who holds the places that count."""
    return [
        Mark(here, "control", side)
        for here in pos.setting.victory.hexes
        for side in SIDES
        if here in pos.foot(side)
    ]


def _rank(pos: RedcoatsPosition, unit: str) -> tuple[int, int, str]:
    """Leaders on top, then the strongest."""
    counter = pos.book[unit]
    return int(counter.is_leader), counter.strength, unit


def _piece(pos: RedcoatsPosition, unit: str, place: str) -> Piece:
    counter, piece = pos.book[unit], pos.units.get(unit)
    owner = counter.nation or counter.side
    states = []
    if piece is not None and piece.disrupted:
        states.append("disordered")
    if piece is not None and piece.ooc:
        states.append("astray")
    if piece is not None and piece.held:
        states.append("barred")
    if unit in pos.lost:
        states.append("gone")
    return Piece(
        unit,
        place,
        "general" if counter.is_leader else "unit",
        owner,
        counter.name,
        values=values(counter, piece is not None and piece.disrupted),
        corner=str(counter.value) if counter.is_leader else "",
        trait=TRAITS.get(counter.arm, ""),
        states=tuple(states),
        picks=((unit,),),
    )
