"""Sanada as a scene: the map of the pack, castles and Forces, the box, the reinforcements and the dead."""

from __future__ import annotations

from games.kit.hexes import is_lowered, split
from games.sanada.display import headline
from games.sanada.pack import Pack
from games.sanada.position import SanadaPosition
from games.sanada.terms import HEIGHT, KANTO, KYOTO, OSAKA, SAKAI, Colour, Ground, Rank, date
from pbem.engine.options import View
from pbem.engine.scene import (
    Board,
    Edge,
    MapName,
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
    Owner(OSAKA, "大坂方", "坂", 7, OSAKA, "Osaka"),
    Owner(KANTO, "関東方", "関", 6, KANTO, "Kanto"),
    Owner(Colour.BLUE, "豊臣譜代", "豊", 7, OSAKA, "Osaka vassals"),
    Owner(Colour.GREEN, "牢人", "牢", 9, OSAKA, "Osaka masterless"),
    Owner(Colour.RED, "徳川譜代", "徳", 6, KANTO, "Kanto vassals"),
    Owner(Colour.ORANGE, "外様", "外", 10, KANTO, "Kanto outer lords"),
)
GROUNDS = {Ground.FLAT: "plain"}
REGIONS = {
    "omi": ("近江", "Omi: 1 point", OSAKA),
    "mino": ("美濃", "Mino: 1 point", OSAKA),
    "owari": ("尾張", "Owari: 3 points", OSAKA),
    "north": ("北方", "Northern Region", KANTO),
    "east": ("東方", "Eastern Region", KANTO),
    "west": ("西方", "Western Region", KANTO),
}
KEY = (
    ("plain", "平地 flat, 1 point"),
    ("rough", "荒地 rough, 2 points, +1"),
    ("marsh", "湿地 marsh, 2 points, +1"),
    ("mountain", "山地 mountain, closed"),
    ("sea", "海 sea"),
    ("lake", "湖 lake"),
    ("river", "川 river, +1 point"),
    ("castle", "城 castle, strength-durability"),
)
NUMBERING = (
    "A hex number is column and row: 1724 is column 17, row 24, counted from the left and from the top. A "
    "counter shows combat-action; a castle strength-durability."
)

RANKS = {"osaka": 3, "nagoya": 2, "nijo": 2, "fushimi": 2, "hikone": 2, "himeji": 2, "wakayama": 2, "ueno": 1}
"""Whose names are kept where there is no room for all."""
NAMES = (
    MapName("若狭湾", "Wakasa Bay", (25, 2.6), 0, 34),
    MapName("琵琶湖", "Lake Biwa", (32.6, 14.2), -52, 34),
    MapName("大坂湾", "Osaka Bay", (8, 25.6), 0, 34),
    MapName("播磨灘", "Harima Sea", (3, 21.4), 0, 26),
    MapName("伊勢湾", "Ise Bay", (42.5, 27.6), 60, 34),
    MapName("鈴鹿山脈", "Suzuka range", (37.2, 21.2), -76, 24, "land"),
    MapName("紀伊山地", "Kii mountains", (27, 33), 0, 24, "land"),
)

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
    field, grid = pack.map, pack.map.grid
    places = []
    for here in field.hexes:
        column, row = split(here)
        ground = field.ground(here)
        castle = pack.castles.get(pack.castle_at.get(here, ""))
        town = {KYOTO: "京", SAKAI: "堺"}.get(here, "")
        places.append(
            Place(
                here,
                (column, row + (0.5 if is_lowered(column, grid.lowered) else 0.0)),
                ground="castle" if castle else GROUNDS.get(ground, ground.value),
                name=castle.name if castle else town,
                gloss=castle.id.capitalize() if castle else {"京": "Kyoto", "堺": "Sakai"}.get(town, ""),
                number=here,
                badges=(("castle", f"{castle.strength}-{castle.durability}"),) if castle else (),
                sign="castle" if castle else "town" if town else "",
                owner=castle.owner if castle else "",
                rank=RANKS.get(castle.id, 0) if castle else 1,
            )
        )
    wet = {h for h in field.hexes if field.ground(h) in (Ground.SEA, Ground.LAKE)}
    edges = [
        Edge(
            a,
            b,
            what,
            flow=what == "river" and bool(wet.intersection(grid.neighbours[a], grid.neighbours[b])),
        )
        for a in field.hexes
        for b in grid.neighbours[a]
        if a < b
        for what in grid.features[a][b]
    ]
    regions = tuple(
        Region(name, words[0], field.area(name), words[1], words[2])
        for name, words in REGIONS.items()
        if field.area(name)
    )
    return Board(tuple(places), tuple(edges), (), regions, 0.0, KEY, NUMBERING, names=NAMES)


def scene(pos: SanadaPosition, view: View) -> Scene:
    """Everything on the table; nothing is hidden in this game."""
    pack = pos.data
    units = sorted(pos.units, key=lambda u: (HEIGHT[pos.unit(u).rank], not pos.units[u].under, u))
    pieces = [_unit(pos, unit) for unit in units]
    trays = []
    for tray, title, seat, held in (
        ("box", "控え Osaka's holding box", OSAKA, pos.box),
        ("waiting", "増援 Kanto's reinforcements", KANTO, pos.waiting),
        ("fallen", "除去 eliminated", "", pos.fallen),
        ("home", "帰国 gone home", "", pos.home),
    ):
        if held:
            trays.append(Tray(tray, title, seat, "grid"))
            pieces += [_aside(pos, unit, tray) for unit in held]
    return Scene(
        board=_board(pack),
        headline=headline(pos),
        owners=OWNERS,
        pieces=tuple(pieces),
        marks=tuple(_marks(pos)),
        trays=tuple(trays),
        tracks=_tracks(pos),
    )


def _colour(pos: SanadaPosition, unit: str) -> str:
    colour = pos.unit(unit).colour
    return Colour.GREEN if unit in pos.turncoats else colour


def _unit(pos: SanadaPosition, unit: str) -> Piece:
    printed, piece = pos.unit(unit), pos.units[unit]
    states = []
    if piece.inside:
        states.append("inside")
    if pos.pinned(piece.under or unit):
        states.append("engaged")
    if unit in pos.frozen:
        states.append("barred")
    return Piece(
        id=unit,
        place=piece.hex,
        kind="general" if printed.rank in (Rank.SODAISHO, Rank.TAISHO) else "unit",
        owner=_colour(pos, unit),
        name=printed.name,
        gloss=printed.gloss,
        values=f"{printed.combat}-{printed.action}",
        corner=str(printed.track) if printed.track else "",
        steps=(1 if piece.down else 2, 2),
        states=tuple(states),
        under=piece.under,
        picks=((unit,),),
    )


def _aside(pos: SanadaPosition, unit: str, tray: str) -> Piece:
    printed = pos.unit(unit)
    gone = ("gone",) if tray in ("fallen", "home") else ()
    return Piece(
        id=unit,
        place=tray,
        kind="general" if printed.rank in (Rank.SODAISHO, Rank.TAISHO) else "unit",
        owner=_colour(pos, unit),
        name=printed.name,
        gloss=printed.gloss,
        values=f"{printed.combat}-{printed.action}",
        states=gone,
        picks=((unit,),),
    )


def _marks(pos: SanadaPosition) -> list[Mark]:
    found = []
    for castle, state in pos.castles.items():
        place = pos.stronghold(castle).hex
        if state.closed:
            found.append(Mark(place, "note", "", "closed"))
            continue
        if state.owner != pos.stronghold(castle).owner:
            found.append(Mark(place, "control", state.owner))
        if state.siege is not None:
            found.append(Mark(place, "siege", OSAKA if state.owner == KANTO else KANTO, f"囲{state.siege}"))
        if state.lost:
            found.append(Mark(place, "note", state.owner, f"{pos.strength(castle)}-{pos.walls(castle)}"))
    found += [Mark(place, "fort", side, "砦") for place, side in pos.forts.items()]
    for marker in pos.engaged:
        if marker.target in pos.units:
            found.append(Mark(pos.units[marker.target].hex, "engaged", pos.side(marker.placer), "戦"))
    return found


def _tracks(pos: SanadaPosition) -> tuple[Track, ...]:
    play = pos.play
    turns = tuple(date(play.first, turn) for turn in range(1, play.turns + 1))
    score = tuple(str(n) for n in range(-60, 101, 10))
    box = min(max((pos.points + 60) // 10, 0), len(score) - 1)
    owner = OSAKA if pos.points >= 0 else KANTO
    return (
        Track("turn", "turn", turns, (Token("", "turn", pos.turn - 1),)),
        Track("points", "points (Osaka's)", score, (Token(owner, f"{pos.points:+d}", box),)),
    )
