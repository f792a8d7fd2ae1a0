"""What lies on the table: a panel for every seat, the middle, and the battle row."""

from __future__ import annotations

from games.suikoden.display import cost_text, headline
from games.suikoden.position import SuikodenPosition
from games.suikoden.sentences import STATS, card_text, keywords, known_from, land_text
from games.suikoden.terms import Attribute, Mode, Stat, State
from games.suikoden.values import compared, stat
from pbem.engine.notation import Handle
from pbem.engine.options import View
from pbem.engine.scene import Owner, Piece, Scene, Tray

COLOURS = {
    Attribute.JIN: 6,
    Attribute.GI: 7,
    Attribute.YU: 9,
    Attribute.YELLOW: 1,
    Attribute.BLACK: 3,
}
LAND = "land"
NAMES = {
    "east": "東", "south": "南", "west": "西", "north": "北", "dragon": "龍", "tiger": "虎",
}  # fmt: skip


def scene(pos: SuikodenPosition, view: View) -> Scene:
    """Everything on the table that the view knows."""
    pieces: list[Piece] = []
    trays: list[Tray] = []
    for seat in pos.seats:
        _panel(pos, seat, view, pieces, trays)
    _middle(pos, pieces, trays)
    owners = [Owner(a.value, a.value, a.value, colour) for a, colour in COLOURS.items()]
    owners.append(Owner(LAND, "land", "土", 8))
    owners += [
        Owner(s, NAMES.get(s, s), NAMES.get(s, s)[0], n + 2, s, s.title()) for n, s in enumerate(pos.seats)
    ]
    return Scene(headline=headline(pos), owners=tuple(owners), pieces=tuple(pieces), trays=tuple(trays))


def _panel(pos: SuikodenPosition, seat: str, view: View, pieces: list[Piece], trays: list[Tray]) -> None:
    side = pos.sides[seat]
    fighting = (*pos.battle.sortie, *pos.battle.guard) if pos.battle is not None else ()
    if side.leader:
        trays.append(Tray(f"leader-{seat}", "頭領 leader", seat))
        pieces.append(_person(pos, side.leader, f"leader-{seat}", ("acted",) if side.spent else ()))
    dealt = [slot for slot in (*side.half, *side.estate) if view.value(slot) is not None]
    if dealt:
        trays.append(Tray(f"half-{seat}", "半分 half", seat, "choice"))
        pieces += [_hand_card(pos, view, slot, f"half-{seat}") for slot in dealt]
    lands = [land for land in (*side.under[::-1], side.land, *side.lands) if land]
    note = f"{len(side.stack)} face down" if side.stack else ""
    trays.append(Tray(f"lands-{seat}", "土地 lands", seat, note=note))
    pieces += [_land(pos, land, f"lands-{seat}", f"{seat}.{n}") for n, land in enumerate(lands)]
    pieces += [
        _land(pos, land, f"lands-{seat}", f"{seat}.x{n}", ("gone",)) for n, land in enumerate(side.ruins)
    ]
    if pos.mode is not Mode.MULTI:
        trays.append(Tray(f"field-{seat}", "場 field", seat, "grid"))
        for card in pos.on_field(seat):
            if card not in fighting:
                pieces.append(_person(pos, card, f"field-{seat}", _states(pos, card)))
        if side.wander:
            trays.append(Tray(f"wander-{seat}", "放浪 wandering", seat, "grid"))
            pieces += [_person(pos, card, f"wander-{seat}") for card in side.wander]
    trays.append(Tray(f"hand-{seat}", "手札 hand", seat, note=_cards(len(side.hand))))
    pieces += [_hand_card(pos, view, slot, f"hand-{seat}") for slot in side.hand]
    for name, title, pile in (
        ("trophies", "戦果 trophies", side.trophies),
        ("routed", "撃退数 routed", side.routed),
        ("discard", "捨札 discards", side.discard),
    ):
        if pile:
            trays.append(Tray(f"{name}-{seat}", title, seat, "pile", _cards(len(pile))))
            pieces += [_any(pos, card, f"{name}-{seat}", str(n)) for n, card in enumerate(pile)]
    if pos.mode is Mode.DECK:
        trays.append(Tray(f"deck-{seat}", "山札 deck", seat, "pile", _cards(pos.deck_size(seat))))
        pieces += _face_down(f"deck-{seat}", len(side.deck))
        pieces += [_hand_card(pos, view, slot, f"deck-{seat}") for slot in reversed(side.top)]


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _face_down(tray: str, count: int) -> list[Piece]:
    """A deck, as one pile."""
    return [Piece(f"{tray}.rest", tray, "card", states=("back",), count=count)] if count else []


def _middle(pos: SuikodenPosition, pieces: list[Piece], trays: list[Tray]) -> None:
    if pos.mode is not Mode.DECK:
        size = pos.deck_size(pos.seats[0])
        trays.append(Tray("deck", "山札 deck", layout="pile", note=_cards(size)))
        pieces += _face_down("deck", size)
        trays.append(Tray("discards", "捨札 discards", layout="pile", note=_cards(len(pos.discards))))
        pieces += [_any(pos, card, "discards", f"d{n}") for n, card in enumerate(pos.discards)]
    if pos.mode is Mode.SHARED:
        trays.append(Tray("middle", "土地 land in the middle", note=f"{len(pos.pool)} to come"))
        if pos.land:
            pieces.append(_land(pos, pos.land, "middle", "middle"))
    battle, duel, clash = pos.battle, pos.duel, pos.clash
    fighting = (clash.attack, clash.defence) if clash is not None and clash.opened else ()
    if battle is not None:
        for seat, names in ((battle.attacker, battle.sortie), (battle.defender, battle.guard)):
            waiting = [card for card in names if card in pos.field and card not in fighting]
            if waiting or not fighting:
                trays.append(Tray(f"battle-{seat}", f"戦闘 {seat} in battle", layout="grid"))
                pieces += [_person(pos, card, f"battle-{seat}", _states(pos, card)) for card in waiting]
            if seat == battle.attacker and fighting and all(card in pos.field for card in fighting):
                _clash(pos, fighting, pieces, trays)
    if duel is not None:
        trays.append(Tray("duel", f"戦闘 {duel.attacker} against {duel.defender}"))
        for card, leads in ((duel.attack, duel.attack_leads), (duel.defence, duel.defence_leads)):
            if card in pos.data.people and not leads and not _in_hand(pos, card):
                pieces.append(_person(pos, card, "duel", ("engaged",)))


def _clash(pos: SuikodenPosition, pair: tuple[str, ...], pieces: list[Piece], trays: list[Tray]) -> None:
    """The two who fight, and the values that are compared."""
    stats = [compared(pos, card) for card in pair]
    title = f"{STATS[stats[0]]} against {STATS[stats[1]]}"
    note = " : ".join(str(stat(pos, card, which)) for card, which in zip(pair, stats, strict=True))
    trays.append(Tray("clash", title, layout="versus", note=note))
    pieces += [_person(pos, card, "clash", _states(pos, card)) for card in pair]


def _in_hand(pos: SuikodenPosition, card: str) -> bool:
    return any(card in side.hand for side in pos.sides.values())


def _states(pos: SuikodenPosition, card: str) -> tuple[str, ...]:
    found = []
    state = pos.field[card].state
    if state is State.ACTED:
        found.append("acted")
    elif state is State.PREPARING:
        found.append("barred")
    clash = pos.clash
    if clash is not None and clash.opened and card in (clash.attack, clash.defence):
        found.append("engaged")
    return tuple(found)


def _card_text(pos: SuikodenPosition, card: str) -> str:
    """What a person can do, and how much of the card is printed; a grove is no card of a person."""
    said = card_text(pos.person(card), lambda name: _called(pos, name))
    if card not in pos.data.people:
        return said
    return f"{said} {known_from(pos.data.printed.get(card, ''))}".strip()


def _person(pos: SuikodenPosition, card: str, place: str, states: tuple[str, ...] = ()) -> Piece:
    person = pos.person(card)
    shown = {one: stat(pos, card, one) if card in pos.field else person.stat(one) for one in Stat}
    return Piece(
        card,
        place,
        "card",
        person.attribute.value,
        person.name,
        person.english,
        " ".join(f"{one.value}{value}" for one, value in shown.items()),
        corner=cost_text(person),
        trait=keywords(person),
        states=states,
        picks=((card,),),
        text=_card_text(pos, card),
        byname=person.gloss,
    )


def _called(pos: SuikodenPosition, name: str) -> str:
    """A person of whom a card speaks, in both scripts."""
    ident = pos.data.names.get(name, "")
    return f"{pos.data.people[ident].english} {name}" if ident in pos.data.people else name


def _land(pos: SuikodenPosition, land: str, place: str, key: str, states: tuple[str, ...] = ()) -> Piece:
    one = pos.data.lands[land]
    return Piece(
        f"{land}@{key}",
        place,
        "land",
        LAND,
        one.label,
        one.english,
        f"頭{one.leaders} 修{one.repair or '–'} 商{one.trade} 狩{one.hunt}",
        states=states,
        picks=((land,),),
        text=land_text(one),
    )


def _any(pos: SuikodenPosition, card: str, place: str, key: str) -> Piece:
    return _person(pos, card, place) if card in pos.data.people else _land(pos, card, place, f"{place}.{key}")


def _hand_card(pos: SuikodenPosition, view: View, slot: str, place: str) -> Piece:
    card = slot if slot not in pos.hidden else view.value(Handle(slot))
    if card is None:
        return Piece(slot, place, "card", states=("back",))
    if card in pos.data.people:
        found = _person(pos, card, place)
    else:
        found = _land(pos, card, place, slot)
    return found
