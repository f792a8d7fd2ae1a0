"""Everything of a scene that a terminal shows beside the hexes: areas, stacks, trays, tracks."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.scene import Owner, Piece, Place, Scene, Track
from pbem.page.counters import describe
from pbem.page.plain import Reach, Way, fold, fold_items, joined, owners_of, pad, shorts, table, width
from pbem.page.style import named

# --- areas


def areas_map(scene: Scene, way: Way) -> str:
    """Every area at its place: its name, signs and controller; below, what stands there."""
    places = scene.board.places
    left, top = min(p.at[0] for p in places), min(p.at[1] for p in places)
    wide = max(p.at[0] for p in places) - left or 1
    high = max(p.at[1] for p in places) - top or 1
    rows = max(8, min(34, round(high / wide * way.columns * 0.42)))
    lines: dict[int, list[tuple[int, str]]] = {}
    owners, held = owners_of(scene), _held(scene)
    for place in places:
        x = round((place.at[0] - left) / wide * (way.columns - 22))
        y = round((place.at[1] - top) / high * rows)
        mark = next((m for m in scene.marks if m.place == place.id and m.kind == "control"), None)
        owner = owners.get(mark.owner) if mark else None
        signs = "".join("*" if kind == "capital" else text for kind, text in place.badges)
        head = " ".join(filter(None, [_label(place, way), signs, _letter(owner)]))
        if way.reach is not None and place.id in way.reach.to:
            head = f">{head}<{way.reach.to[place.id]}"
        if way.reach is not None and place.id in way.reach.attack:
            head = f"!{head}!"
        lines.setdefault(y, []).append((x, head.rstrip()))
        stand = _count(held.get(place.id, []), owners)
        if stand:
            lines.setdefault(y + 1, []).append((x, stand))
    out = []
    for y in range(max(lines) + 1):
        line = ""
        for x, text in sorted(lines.get(y, [])):
            line = pad(line, x) if width(line) < x else line + " "
            line += text
        out.append(line.rstrip())
    return "\n".join(out)


def _label(place: Place, way: Way) -> str:
    return place.id if way.names == "latin" or not place.name else f"{place.id} {place.name}"


def _letter(owner: Owner | None) -> str:
    return f"[{owner.badge}]" if owner else "[-]"


def _count(pieces: list[Piece], owners: Mapping[str, Owner]) -> str:
    """`楚3 漢2`: how many units of whom."""
    found: dict[str, int] = {}
    for piece in pieces:
        badge = owners[piece.owner].badge if piece.owner in owners else "-"
        found[badge] = found.get(badge, 0) + piece.count
    return " ".join(f"{badge}{count}" for badge, count in found.items())


def areas_list(scene: Scene, way: Way) -> str:
    held, owners = _held(scene), owners_of(scene)
    near: dict[str, list[str]] = {}
    for link in scene.board.links:
        near.setdefault(link.a, []).append(link.b)
        near.setdefault(link.b, []).append(link.a)
    rows = []
    for place in scene.board.places:
        mark = next((m for m in scene.marks if m.place == place.id and m.kind == "control"), None)
        signs = " ".join(f"{kind} {text}".strip() for kind, text in place.badges)
        who = owners[mark.owner] if mark and mark.owner in owners else None
        units = "; ".join(_pieces(held.get(place.id, []), owners, way))
        touches = f"touches {', '.join(sorted(near.get(place.id, [])))}"
        held_by = (who.gloss or who.name) if who else "-"
        rows.append((place.id, place.name, signs, held_by, units or "nobody"))
        rows.append(("", "", "", "", touches))
    return "\n".join(table(rows, way.columns))


def _pieces(pieces: list[Piece], owners: Mapping[str, Owner], way: Way) -> list[str]:
    """Units of each owner: `Chu: 項羽 Xiang Yu 4, 3 legions`."""
    found: dict[str, list[str]] = {}
    for piece in pieces:
        owner = owners.get(piece.owner)
        who = (owner.gloss if way.names != "original" and owner.gloss else owner.name) if owner else ""
        large, small = named(piece.name or piece.id, piece.gloss, way.names)
        name = f"{large} {small}".strip()
        text = f"{piece.count} {name}" if piece.kind == "count" else f"{name} {piece.values}".strip()
        found.setdefault(who, []).append(text + ("'" if "acted" in piece.states else ""))
    return [f"{who}: {', '.join(texts)}" if who else ", ".join(texts) for who, texts in found.items()]


# --- lists for every game


def _held(scene: Scene) -> dict[str, list[Piece]]:
    held: dict[str, list[Piece]] = {}
    for piece in scene.pieces:
        held.setdefault(piece.place, []).append(piece)
    return held


def stacks(scene: Scene, way: Way) -> str:
    """Every unit of every place, the top one first, forces under their leaders."""
    owners, short = dict(owners_of(scene)), shorts(scene, way.reserved)
    held = _held(scene)
    lines = ["stacks (top first):"]
    for place in sorted(scene.board.places, key=lambda p: p.id):
        pieces = list(reversed(held.get(place.id, [])))
        leaders = [p for p in pieces if not p.under]
        ordered = [q for p in leaders for q in (p, *(u for u in pieces if u.under == p.id))]
        ordered += [p for p in pieces if p not in ordered]
        for number, piece in enumerate(ordered):
            word = piece.picks[0][0] if len(piece.picks) == 1 and piece.picks[0] else ""
            name = f"{short[word]} = {word}: " if short.get(word, word) != word else f"{word}: "
            name = name if word else ""
            indent = "  " if piece.under else ""
            head = place.id if number == 0 else " " * width(place.id)
            lines.append(f"{head}  {indent}{name}{describe(piece, owners.get(piece.owner))}")
    return "\n".join(line for text in lines for line in _hanging(text, way.columns)) if len(lines) > 1 else ""


def _hanging(text: str, columns: int) -> list[str]:
    first, *rest = fold(text, columns - 8)
    return [first, *(f"        {line}" for line in rest)]


def trays(scene: Scene, way: Way) -> str:
    held, owners = _held(scene), owners_of(scene)
    lines = []
    for tray in (tray for tray in scene.trays if tray.layout != "choice"):
        pieces = held.get(tray.id, [])
        hidden = sum(p.count for p in pieces if "back" in p.states and not p.name)
        shown = [p for p in pieces if not ("back" in p.states and not p.name)]
        parts = [_one(piece, owners, way) for piece in shown]
        if hidden:
            parts.append(f"{hidden} face down")
        who = owners[tray.seat].gloss or owners[tray.seat].name if tray.seat in owners else tray.seat
        head = f"{who}, {tray.title}" if who else tray.title
        note = f" ({tray.note})" if tray.note else ""
        if tray.layout == "text":
            lines += fold_items(f"{head}:", [tray.note], way.columns, "; ")
            continue
        lines += fold_items(f"{head}{note}:", parts or ["nothing"], way.columns, "; ")
    return "\n".join(lines)


def _one(piece: Piece, owners: Mapping[str, Owner], way: Way) -> str:
    """A card or unit beside the map, with the word that orders use."""
    large, small = named(piece.name or piece.id, piece.gloss, way.names)
    word = piece.picks[0][0] if piece.picks else ""
    name = joined([f"{word} = {large}" if word and word != large else large])
    beside = f"({small})" if small and small != word else ""
    owner = owners.get(piece.owner)
    kind = owner.badge if owner is not None and not owner.side and piece.kind == "card" else ""
    extra = joined([beside, kind, piece.values, piece.corner, piece.trait, *piece.states])
    return f"{name} {extra}".rstrip()


def track(track: Track, way: Way) -> str:
    if not track.tokens:
        return ""
    rows = []
    each = any(token.low is not None for token in track.tokens)
    for token in track.tokens if each else track.tokens[:0]:
        cells = []
        for box, text in enumerate(track.boxes):
            within = (token.low is None or box >= token.low) and (token.high is None or box <= token.high)
            cells.append(f"[{text}]" if box == token.box else f" {text} " if within else "")
        rows.append((token.name, *cells))
    if each:
        return "\n".join([f"{track.title}:", *table(rows, way.columns)])
    boxes, last = track.boxes, track.boxes[-1]
    there = joined(f"{t.name} {boxes[t.box] if t.box < len(boxes) else t.box}" for t in track.tokens)
    return f"{there} of {last}" if track.title in there else f"{track.title}: {there} of {last}"


def reach_words(scene: Scene, reach: Reach, way: Way) -> str:
    places = [f"{place} ({cost})" if cost else place for place, cost in reach.to.items()]
    lines = fold_items("can go to (cost):", places or ["nowhere"], way.columns)
    if reach.attack:
        lines += fold_items("can attack:", reach.attack, way.columns)
    return "\n".join(lines)
