"""Chuhan as a scene: areas and ways, forces in them, hands, deck, cup and the friendship track."""

from __future__ import annotations

from games.chuhan.board import forces_in, generals_in, legions_in
from games.chuhan.camps import camp_of, lords_on_board
from games.chuhan.display import headline
from games.chuhan.landscape import AREAS, LINES, NAMES
from games.chuhan.pack import Pack
from games.chuhan.position import DECK, ChuhanPosition, box_text
from games.chuhan.terms import ASIDE, EITHER, PLAYERS, AreaId, Camp, ForceId, GeneralId, Kind
from pbem.engine.notation import Handle
from pbem.engine.options import View
from pbem.engine.scene import Board, Link, Mark, Owner, Piece, Place, Scene, Token, Track, Tray

COLOURS = {Camp.CHU: 6, Camp.HAN: 7, Camp.NEUTRAL: 8}
ALLIES = {Camp.CHU: 10, Camp.HAN: 5, Camp.NEUTRAL: 8}
"""The players' own forces, and lords in their camps."""
TRAITS = {"logistics": "糧", "valiant": "勇", "tactician": "謀", "guard": "衛", "raider": "襲"}
KEY = (
    ("supply", "supply: cards a turn"),
    ("capital", "capital"),
    ("way", "areas that touch"),
)
NUMBERING = (
    "Generals show military/strategy; a number with 軍團 is that many legions; a black corner 済 has acted. "
    "The header's colour and the letter in it are the controller. "
    "A card with a black foot ✕ is the other side's event: it can only pay."
)
_boards: dict[int, tuple[Pack, Board]] = {}


def _printed(places: tuple[Place, ...], links: tuple[Link, ...]) -> Board:
    return Board(places, (), links, key=KEY, numbering=NUMBERING, lines=LINES, areas=AREAS, names=NAMES)


def _board(pack: Pack) -> Board:
    found = _boards.get(id(pack))
    if found is None or found[0] is not pack:
        places = tuple(
            Place(
                area.id,
                area.at,
                "node",
                name=area.name,
                gloss=area.english,
                badges=(
                    *((("capital", ""),) if area.capital else ()),
                    *((("supply", str(area.supply)),) if area.supply else ()),
                ),
            )
            for area in pack.areas.values()
        )
        links = tuple(Link(a, b, "way") for a in pack.areas for b in pack.neighbours[a] if a < b)
        if len(_boards) > 8:
            _boards.clear()
        _boards[id(pack)] = found = (pack, _printed(places, links))
    return found[1]


def scene(pos: ChuhanPosition, view: View) -> Scene:
    """Everything on the table that the view knows."""
    pack: Pack = pos.pack
    pieces: list[Piece] = []
    for area in pack.areas:
        for force in forces_in(pos, area):
            pieces += [_general(pos, g, area) for g in generals_in(pos, area, force)]
            pieces += _legions(pos, area, force)
    pieces += [_general(pos, g, "cup") for g in pos.cup()]
    pieces += [_general(pos, g, "aside") for g in pack.generals if pos.generals[g].place == ASIDE]
    cards, trays = _cards(pos, view)
    return Scene(
        board=_board(pack),
        headline=headline(pos),
        owners=tuple(_owner(pos, force) for force in (*pack.forces, EITHER)),
        pieces=(*pieces, *cards),
        marks=tuple(Mark(area, "control", force) for area, force in sorted(pos.control.items())),
        trays=(
            *trays,
            Tray("cup", "cup: retainers to come", layout="grid"),
            Tray("aside", "aside: royals", layout="grid"),
        ),
        tracks=(_friendship(pos), _turns(pos)),
    )


def _owner(pos: ChuhanPosition, force: ForceId) -> Owner:
    if force == EITHER:
        return Owner(EITHER, "either", "＊", 8)
    printed = pos.pack.forces[force]
    camp = camp_of(pos, force)
    colour = (COLOURS if printed.kind is Kind.RULER else ALLIES)[camp]
    side = "" if camp is Camp.NEUTRAL else camp.value
    return Owner(force, printed.name, printed.name[0], colour, side, printed.english)


def _general(pos: ChuhanPosition, general: GeneralId, place: str) -> Piece:
    printed, state = pos.pack.generals[general], pos.generals[general]
    values = f"{printed.military}/{printed.strategy}" if printed.strategy else str(printed.military)
    return Piece(
        general,
        place,
        "general",
        state.force,
        printed.name,
        printed.english,
        values,
        trait=TRAITS[printed.attributes[0]] if printed.attributes else "",
        states=("acted",) if state.acted else (),
        picks=((general,),),
    )


def _legions(pos: ChuhanPosition, area: AreaId, force: ForceId) -> list[Piece]:
    """Un-acted and acted legions are two counters; a click on either takes one more."""
    stack = legions_in(pos, area, force)
    found = []
    for name, count in (("ready", stack.ready), ("acted", stack.acted)):
        if count:
            picks = [(str(n), area) for n in range(1, count + 1)]
            picks += [(f"{force}:{n}", area) for n in range(1, count + 1)]
            found.append(
                Piece(
                    f"{area}_{force}_{name}",
                    area,
                    "count",
                    force,
                    "軍團",
                    "legions" if count > 1 else "legion",
                    count=count,
                    states=("acted",) if name == "acted" else (),
                    picks=tuple(picks) if name == "ready" else (),
                )
            )
    return found


def _cards(pos: ChuhanPosition, view: View) -> tuple[list[Piece], list[Tray]]:
    pieces: list[Piece] = []
    trays = []
    for side in PLAYERS:
        hand = f"hand-{side.value}"
        pieces += [_card(pos, handle, hand, side, view.value(handle)) for handle in pos.hand(side)]
        trays.append(Tray(hand, f"hand ({len(pos.hand(side))})", side.value))
    stock = len(pos.decks[DECK]) if DECK in pos.decks else 0
    if stock:
        pieces.append(Piece("deck", "deck", "card", states=("back",), count=stock))
    trays.append(Tray("deck", f"deck ({stock})", layout="pile"))
    lying = [*pos.discards, *([pos.played] if pos.played else [])]
    pieces += [_face(pos, f"discard.{n}", "discards", card) for n, card in enumerate(lying)]
    trays.append(Tray("discards", f"discards ({len(lying)})", layout="pile"))
    return pieces, trays


def _card(pos: ChuhanPosition, handle: Handle, tray: str, side: Camp, card: str | None) -> Piece:
    if card is None:
        return Piece(handle, tray, "card", states=("back",))
    barred = pos.pack.cards[card].side not in ("both", side.value)
    return _face(pos, handle, tray, card, ("barred",) if barred else ())


def _face(pos: ChuhanPosition, ident: str, tray: str, card: str, states: tuple[str, ...] = ()) -> Piece:
    printed = pos.pack.cards[card]
    owner = "" if printed.side == "both" else printed.side.value
    trait = "" if owner else "共"
    return Piece(
        ident,
        tray,
        "card",
        owner,
        printed.name,
        printed.english,
        corner=printed.needs,
        trait=trait,
        states=states,
        picks=((card,),) if tray.startswith("hand") else (),
        text=printed.text,
    )


def _friendship(pos: ChuhanPosition) -> Track:
    track = pos.pack.tables.track
    boxes = range(track.chu, track.han + 1)
    present = lords_on_board(pos)
    tokens = []
    for force in pos.pack.lords():
        if force in pos.markers:
            lord = pos.pack.forces[force]
            low, high = lord.lowest - track.chu, lord.highest - track.chu
            name = lord.name if force in present else f"({lord.name})"
            tokens.append(Token(force, name, pos.markers[force] - track.chu, low, high))
    names = ["楚" if b == track.chu else "漢" if b == track.han else box_text(b) for b in boxes]
    return Track("friendship", "friendship 10-3", tuple(names), tuple(tokens))


def _turns(pos: ChuhanPosition) -> Track:
    boxes = tuple(str(turn) for turn in range(1, pos.pack.tables.turns + 1))
    token = (Token("", "turn", min(pos.turn, len(boxes)) - 1),) if pos.turn else ()
    return Track("turn", "turn", boxes, token)
