"""Kawagoe as a scene: the map of the pack, the counters of a position, cup, reserve and fallen beside it."""

from __future__ import annotations

from games.kawagoe.command import commanded
from games.kawagoe.display import headline
from games.kawagoe.pack import Pack
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI, HOJO, HOUSES
from games.kit.hexes import is_lowered, split
from pbem.engine.handles import seat_of
from pbem.engine.options import View
from pbem.engine.scene import (
    Board,
    Edge,
    Link,
    Mark,
    Owner,
    Piece,
    Place,
    Region,
    Scene,
    Token,
    Track,
    Tray,
)

OWNERS = (
    Owner("garrison", "河越城兵", "城", 1, HOJO, "Kawagoe garrison"),
    Owner("ujiyasu-army", "北条氏康軍", "氏", 0, HOJO, "Ujiyasu's army"),
    Owner("sagami", "相模勢", "相", 2, HOJO, "Sagami"),
    Owner("koga", "古河公方", "古", 3, ANTI, "Koga"),
    Owner("ougigayatsu", "扇谷上杉", "扇", 4, ANTI, "Ogigayatsu Uesugi"),
    Owner("yamanouchi", "山内上杉", "山", 5, ANTI, "Yamanouchi Uesugi"),
)
GROUNDS = {"honjo": "bailey1", "ninokuruwa": "bailey2", "sannokuruwa": "bailey3"}
KEY = (
    ("plain", "plain"),
    ("woods", "雑木林 woods"),
    ("marsh", "沼地 marsh"),
    ("bailey1", "実城"),
    ("bailey2", "二の郭"),
    ("bailey3", "三の郭"),
    ("lake", "伊佐沼 lake"),
    ("river", "河 river"),
    ("stream", "小川 stream"),
    ("wall", "castle wall"),
    ("inner", "between baileys"),
    ("gate", "城門 gate"),
    ("road", "街道 road"),
)
NUMBERING = (
    "A hex number is column and row: 1008 is column 10, row 08. Columns are counted from the left, rows from "
    "the top; the top is south. A counter shows strength-movement."
)
GLOSSES = {
    "伊佐沼": "Isanuma",
    "蓮池口": "Hasuikeguchi",
    "実城": "Honjo",
    "二の郭": "Ninokuruwa",
    "南大手": "Minami-ote",
    "三の郭": "Sannokuruwa",
    "東明寺口": "Tomyojiguchi",
    "西大手": "Nishi-ote",
    "東明寺": "Tomyoji",
    "砂久保": "Sunakubo",
}
"""Place names of the pack in Latin letters."""


_boards: dict[int, tuple[Pack, Board]] = {}
"""One board for a pack; the pack is kept, so that its id stays its own."""


def _board(pack: Pack) -> Board:
    found = _boards.get(id(pack))
    if found is None or found[0] is not pack:
        if len(_boards) > 8:
            _boards.clear()
        _boards[id(pack)] = found = (pack, _printed(pack))
    return found[1]


def _printed(pack: Pack) -> Board:
    field = pack.map
    grid = field.grid
    places = []
    for here in field.hexes:
        column, row = split(here)
        ground = field.terrain[here]
        name = field.names.get(here, "")
        places.append(
            Place(
                here,
                (column, row + (0.5 if is_lowered(column, grid.lowered) else 0.0)),
                ground=GROUNDS.get(ground, ground),
                name=name,
                gloss=GLOSSES.get(name, ""),
                number=here,
            )
        )
    pairs = [(a, b) for a in field.hexes for b in field.neighbours[a] if a < b]
    edges = [Edge(a, b, what) for a, b in pairs for what in grid.features[a][b]]
    for a, b in pairs:
        if field.bailey[a] != field.bailey[b] and not field.gate[a][b]:
            edges.append(Edge(a, b, "inner" if field.bailey[a] and field.bailey[b] else "wall"))
    links = [Link(a, b) for a, b in pairs if b in field.roads[a]]
    regions = [
        Region(house, owner.name, field.areas[house], owner.gloss, house)
        for house in HOUSES
        if house in field.areas
        for owner in OWNERS
        if owner.id == house
    ]
    if field.entry:
        regions.append(Region("entry", "登場エリア", field.entry, "entry area", "ujiyasu-army"))
    return Board(
        tuple(places), tuple(edges), tuple(links), tuple(regions), 180.0 if grid.north == "bottom" else 0.0,
        KEY, NUMBERING,
    )  # fmt: skip


def scene(pos: KawagoePosition, view: View) -> Scene:
    """Everything on the table that the view knows."""
    pack: Pack = pos.pack
    pieces = [_unit(pos, unit) for unit in sorted(pos.units, key=lambda u: (_worth(pos, u), u))]
    pieces += [_aside(pos, unit, "reserve") for unit in pos.reserve]
    pieces += [_aside(pos, unit, "fallen") for unit in sorted(pos.fallen)]
    chits, trays = _chits(pos, view)
    scenario = pack.scenarios[pos.scenario]
    turns = tuple(str(turn) for turn in range(1, scenario.turns + 1))
    token = (Token("", "turn", min(pos.turn, scenario.turns) - 1),) if pos.turn else ()
    if pos.reserve:
        trays.append(Tray("reserve", "to come", layout="grid"))
    if pos.fallen:
        trays.append(Tray("fallen", "fallen", layout="grid"))
    return Scene(
        board=_board(pack),
        headline=headline(pos),
        owners=OWNERS,
        pieces=(*pieces, *chits),
        marks=tuple(Mark(here, "taken", "koga", "落") for here in pos.taken),
        trays=tuple(trays),
        tracks=(Track("turn", "turn", turns, token),),
    )


def _worth(pos: KawagoePosition, unit: str) -> int:
    """The stronger one lies on top."""
    return 0 if pos.unknown(unit) else pos.strength(unit)


def _unit(pos: KawagoePosition, unit: str) -> Piece:
    counter, piece = pos.book[unit], pos.units[unit]
    who = pos.identity(unit)
    states = ["unknown"] if pos.unknown(unit) else []
    if piece.disordered:
        states.append("disordered")
    if counter.group in HOUSES and not commanded(pos, unit):
        states.append("astray")
    strength = "?" if pos.unknown(unit) else str(pos.strength(unit))
    return Piece(
        unit,
        piece.hex,
        "general" if counter.general else "unit",
        counter.group,
        who.name if who else counter.name,
        _latin(unit, who.id if who else ""),
        f"{strength}-{pos.movement(unit)}",
        str(counter.command) if counter.general else "",
        steps=(pos.steps(unit), counter.steps) if counter.steps > 1 else None,
        states=tuple(states),
        picks=((unit,),),
    )


def _latin(unit: str, identity: str) -> str:
    if identity:
        return f"{unit} {identity.replace('-', ' ').title()}"
    return unit if unit[-1].isdigit() else unit.replace("-", " ").title()


def _aside(pos: KawagoePosition, unit: str, tray: str) -> Piece:
    counter = pos.book[unit]
    gone = tray == "fallen"
    who = pos.identity(unit) if gone else None
    known = who.strength if who else counter.strength[counter.steps] if counter.strength else "?"
    return Piece(
        unit,
        tray,
        "general" if counter.general else "unit",
        counter.group,
        who.name if who else counter.name,
        _latin(unit, who.id if who else ""),
        f"{known}-{counter.movement[counter.steps]}",
        str(counter.command) if counter.general else "",
        states=("gone",) if gone else ("unknown",) if known == "?" else (),
        picks=((unit,),),
    )


def _chits(pos: KawagoePosition, view: View) -> tuple[list[Piece], list[Tray]]:
    """The cup: one's own chits face up for oneself, the others as backs; and what has been drawn."""
    kinds = pos.pack.chits
    pieces, trays = [], []
    for handle in pos.cup:
        side = seat_of(handle)
        known = view.value(handle)
        owner = "ujiyasu-army" if side == HOJO else "koga"
        if known is None:
            pieces.append(Piece(handle, "cup", "chit", owner, states=("back",)))
        else:
            chit = kinds[known]
            name = chit.name.replace("／", " ")
            pieces.append(Piece(handle, "cup", "chit", chit.house or owner, name, known, states=("back",)))
    for number, drawn in enumerate(pos.drawn):
        chit = kinds[drawn]
        owner = chit.house or ("garrison" if chit.kind == "katta" else "ujiyasu-army")
        name = chit.name.replace("／", " ")
        pieces.append(Piece(f"drawn.{number}", "drawn", "chit", owner, name, drawn))
    if pos.cup:
        left = {side: sum(seat_of(h) == side for h in pos.cup) for side in (HOJO, ANTI)}
        trays.append(Tray("cup", "cup", note=f"{left[HOJO]} of hojo, {left[ANTI]} of anti"))
    if pos.drawn:
        trays.append(Tray("drawn", "drawn this turn"))
    return pieces, trays
