"""Reading kits, strictly: a mistake is named by file, table and key, with what to do.

A kit is one TOML file whose first line is `game = "table"`, so that it can travel with an invitation. Its
digest is that of its bytes (line ends of Windows undone), so it may be called and kept as one likes.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from games.kit.packs import Table, digest_of_tables
from games.table.dice import throw_of
from games.table.kit import EACH, Chart, Cup, Deck, Kit, KitPack, Made, Phase, Role, Row, Throw, Track
from pbem.errors import MalformedError, UsageError
from pbem.toml import read_foreign

OWN = Path(__file__).parent / "data"
FIRST = 'game = "table"'
LIMIT = 60 * 1024
"""A kit of more bytes does not fit into an invitation."""
CARDS = 500
"""So many cards or chits has one deck or cup."""
TABLE_CARDS = 2000
THINGS = 40
BOXES = 41
"""A longer track is a counter."""
FAR = 9999
"""The bounds of a counter that has none."""
REACTIONS = ("do", "play", "reveal", "remove")
"""Orders that the others may react to."""
_ID = re.compile(r"[a-z][a-z0-9-]{0,23}")
_SEAT = re.compile(r"[a-z][a-z0-9]{0,15}")
_THING = re.compile(r'[^\s"#,.:/]{1,40}')
_RANGE = re.compile(r"(-?[0-9]{1,4})(?: ?(?:-|–|to) ?(-?[0-9]{1,4}))?")
_LITERAL = ("to", "from", "of", "into", "nobody", "discards", "removed")
"""Words of the notation: nothing is called so."""


@cache
def own_pack() -> KitPack:
    """The kits that ship with pbem."""
    return read_pack(OWN)


def read_pack(path: Path) -> KitPack:
    """The kit in a file, or those in a folder."""
    files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    if not files:
        raise UsageError(f"there is no kit in {path}", "a kit is a file that ends in .toml")
    kits: dict[str, Kit] = {}
    raws = [read_bytes(file) for file in files]
    for file, raw in zip(files, raws, strict=True):
        kit = read_kit(_parsed(raw, file.name), file.name)
        if kit.id in kits:
            raise UsageError(f"{file.name}: kit is {kit.id!r}, and so is another", "give it another name")
        kits[kit.id] = kit
    lines = [hashlib.sha256(raw).hexdigest() for raw in raws]
    digest = lines[0] if len(lines) == 1 else hashlib.sha256("\n".join(lines).encode()).hexdigest()
    made = {name: Made(kit.note or kit.title) for name, kit in kits.items()}
    return KitPack(kits, digest, raws[0] if len(raws) == 1 else b"", made)


def read_bytes(file: Path) -> bytes:
    """A kit's bytes as they travel: line ends of Windows and a mark of its editors undone."""
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}", "name the file of the kit") from None
    raw = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    if len(raw) > LIMIT:
        raise UsageError(f"{file.name} is larger than {LIMIT} bytes", "a kit travels with the invitation")
    if not raw.startswith(FIRST.encode()):
        raise UsageError(f"{file.name}: the first line is not {FIRST}", "begin the kit with that line")
    return raw if raw.endswith(b"\n") else raw + b"\n"


def _parsed(raw: bytes, name: str) -> Mapping[str, Any]:
    try:
        return read_foreign(raw)
    except MalformedError as error:
        raise UsageError(f"{name}: {error.message}", error.hint or "correct the line it names") from None


def kit_of_case(tables: Mapping[str, Any]) -> KitPack:
    """A kit that a case brings along as [pack.kit]; what it does not say is left empty."""
    given = {"game": "table", "kit": "case", "title": "A case", "seats": ["north", "south"], **tables["kit"]}
    kit = read_kit(given, "case")
    return KitPack({kit.id: kit}, digest_of_tables(tables))


def read_kit(data: Mapping[str, Any], file: str) -> Kit:
    """A kit, every key of it known and every name in it right."""
    with Table(data, file) as top:
        top.choice("game", ("table",))
        name = _named(top, "kit", top.text("kit"), _ID)
        title, note = top.text("title"), top.text("note", "")
        seats = _seats(top)
        roles = {seat: _role(table, seat, seats) for seat, table in top.named_tables("role", {}).items()}
        free = top.choice("order", ("free", "in turn"), "free") == "free"
        least = top.integer("players", len(seats), least=2)
        if least > len(seats):
            top.refuse("players", f"is {least}", f"there are {len(seats)} seats")
        reactions = top.texts("reactions", ())
        for order in reactions:
            if order not in REACTIONS:
                top.refuse("reactions", f"holds {order!r}", f"it may hold {', '.join(REACTIONS)}")
        dice = {_key(top, "dice", n): _die(t) for n, t in top.named_tables("dice", {}).items()}
        charts = {n: _chart(_key(top, "chart", n), t) for n, t in top.named_tables("chart", {}).items()}
        cups = {n: _cup(_key(top, "cup", n), t) for n, t in top.named_tables("cup", {}).items()}
        decks = {n: _deck(_key(top, "deck", n), t, seats) for n, t in top.named_tables("deck", {}).items()}
        tracks = {n: _track(_key(top, "track", n), t) for n, t in top.named_tables("track", {}).items()}
        phases = tuple(_phase(table, seats) for table in top.tables("phase", ()))
        kit = Kit(
            *(name, title, note, seats, least, free, reactions, roles),
            *(dice, charts, cups, decks, tracks, phases),
        )
        _told_apart(top, kit)
        _bounded(top, kit)
        return kit


def _named(table: Table, key: str, name: str, pattern: re.Pattern[str]) -> str:
    if not pattern.fullmatch(name) or name in _LITERAL:
        wanted = {
            _ID: "small letters, digits and dashes, at most 24, a letter first",
            _SEAT: "small letters and digits, at most 16, a letter first",
            _THING: "at most 40 letters without spaces, quotation marks or # , . : /",
        }[pattern]
        also = f"; {name} is a word of the notation" if name in _LITERAL else ""
        table.refuse(key, f"has the name {name!r}", f"a name is {wanted}{also}")
    return name


def _key(top: Table, kind: str, name: str) -> str:
    return _named(top, kind, name, _ID)


def _seats(top: Table) -> tuple[str, ...]:
    seats = top.texts("seats")
    for seat in seats:
        _named(top, "seats", seat, _SEAT)
    if not 2 <= len(seats) <= 6 or len(set(seats)) < len(seats):
        top.refuse("seats", f"are {len(seats)}", "two to six different names")
    return seats


def _role(table: Table, seat: str, seats: tuple[str, ...]) -> Role:
    with table:
        _among(table, "title", seat, seats, "role")
        return Role(table.text("title"), table.text("note", ""))


def _among(table: Table, key: str, value: str, known: Iterable[str], what: str) -> str:
    if value not in known:
        table.refuse(key, f"is for {value!r}", f"a {what} is for one of {', '.join(known)}")
    return value


def _die(table: Table) -> tuple[str, ...]:
    with table:
        faces = table.texts("faces")
        if not 2 <= len(faces) <= 100:
            table.refuse("faces", f"are {len(faces)}", "a die has from 2 to 100")
        return faces


# --- charts


def _chart(name: str, table: Table) -> Chart:
    with table:
        roll = throw_of(table.text("roll"))
        if roll is None or roll.least is not None:
            table.refuse("roll", f"is {table.text('roll')!r}", "write the dice as in 2d6 or 1d10+1")
        columns = table.texts("columns", ())
        for column in columns:
            _named(table, "columns", column, _THING)
        rows = sorted(_rows(table, columns), key=lambda row: row.low)
        _covers(table, rows, roll)
        return Chart(name, table.text("title", name), roll, columns, tuple(rows))


def _rows(table: Table, columns: tuple[str, ...]) -> list[Row]:
    found = []
    inner = table.table("rows")
    for key in inner:
        span = _RANGE.fullmatch(key)
        if span is None:
            inner.refuse(key, "is no row", 'a row is for a total, "7", or for several, "2-5"')
        low, high = int(span[1]), int(span[2] or span[1])
        results = inner.texts(key) if columns else (inner.text(key),)
        if len(results) != max(1, len(columns)):
            inner.refuse(key, f"has {len(results)} results", f"there are {len(columns)} columns")
        if high < low:
            inner.refuse(key, "runs backwards", "write the smaller number first")
        found.append(Row(low, high, results))
    return found


def _covers(table: Table, rows: list[Row], roll: Throw) -> None:
    """Every total of the dice has its row, and only one."""
    for before, after in pairwise(rows):
        if after.low <= before.high:
            table.refuse("rows", f"have {after.low} twice", "each total belongs to one row")
        if after.low > before.high + 1:
            table.refuse("rows", f"leave out {before.high + 1}", "every total between the ends needs its row")
    least, most = roll.count + roll.plus, roll.count * roll.sides + roll.plus
    if not rows or rows[0].low > least or rows[-1].high < most:
        table.refuse("rows", f"do not cover {least} to {most}", "every total of the dice needs its row")


# --- things


def _things(table: Table, key: str) -> tuple[str, ...]:
    """`["a", "b"]`, or `{ a = 2, b = 1 }`: names, or names and how many there are of each."""
    given = table.value(key)
    if isinstance(given, Mapping):
        inner = table.table(key)
        found = [name for name in inner for _ in range(_few(inner, name))]
    else:
        found = list(table.texts(key))
    for name in dict.fromkeys(found):
        _named(table, key, name, _THING)
    if not 1 <= len(found) <= CARDS:
        table.refuse(key, f"are {len(found)}", f"there may be from 1 to {CARDS}")
    return tuple(found)


def _few(table: Table, key: str, default: int | None = None) -> int:
    """A number of copies: looked at before so many are made."""
    count = table.integer(key, least=1) if default is None else table.integer(key, default, least=1)
    if count > CARDS:
        table.refuse(key, f"is {count}", f"at most {CARDS}")
    return count


def _cup(name: str, table: Table) -> Cup:
    with table:
        return Cup(name, table.text("title", name), _things(table, "chits"))


def _deck(name: str, table: Table, seats: tuple[str, ...]) -> Deck:
    with table:
        cards = _things(table, "cards") * _few(table, "copies", 1)
        if len(cards) > CARDS:
            table.refuse("copies", f"make {len(cards)} cards", f"at most {CARDS}")
        owner = table.text("owner", "")
        if owner and owner not in (EACH, *seats):
            table.refuse("owner", f"is {owner!r}", f"it is one of {', '.join((EACH, *seats))}, or left out")
        text = table.named_texts("text", {})
        for card in text:
            if card not in cards:
                table.refuse("text", f"is of {card!r}", "no card of this deck is called so")
        renews = table.texts("renews", ())
        for card in renews:
            if card not in cards:
                table.refuse("renews", f"names {card!r}", "no card of this deck is called so")
        hand, limit = table.integer("hand", 0), table.integer("limit", 0)
        takers = len(seats) if not owner else 1
        if hand * takers > len(cards):
            table.refuse("hand", f"is {hand}", f"{len(cards)} cards are too few for {takers} hands")
        if limit and hand > limit:
            table.refuse("limit", f"is {limit}", f"the first hand has {hand}")
        return Deck(
            *(name, table.text("title", name), cards, text, owner, hand, limit),
            table.choice("played", ("front", "discard"), "front"),  # type: ignore[arg-type]
            table.choice("discards", ("open", "closed"), "open"),  # type: ignore[arg-type]
            table.choice("reshuffle", ("empty", "order", "never"), "empty"),  # type: ignore[arg-type]
            renews,
        )


def _track(name: str, table: Table) -> Track:
    with table:
        boxes = table.texts("boxes", ())
        low = table.integer("from", 0, least=-FAR)
        high = low + len(boxes) - 1 if boxes else table.integer("to", FAR, least=-FAR)
        start = table.integer("start", max(low, 0) if high >= 0 else low, least=-FAR)
        if not low <= start <= high:
            table.refuse("start", f"is {start}", f"the track goes from {low} to {high}")
        each, scores = _flag(table, "each"), _flag(table, "score")
        drawn = high - low < BOXES
        return Track(name, table.text("title", name), low, high, start, boxes, each, scores, drawn)


def _flag(table: Table, key: str) -> bool:
    value = table.value(key, False)
    if not isinstance(value, bool):
        table.refuse(key, "must be true or false")
    return value


def _phase(table: Table, seats: tuple[str, ...]) -> Phase:
    with table:
        name = _named(table, "name", table.text("name"), _ID)
        word = table.text("word", "")
        if word:
            _among(table, "word", word, seats, "phase")
        return Phase(
            name, table.text("title", name), table.text("reminder", ""), word, table.text("seal", "")
        )


def _bounded(top: Table, kit: Kit) -> None:
    """A stranger's kit comes with an invitation: it must not make work without end."""
    for key, things in (("deck", kit.decks), ("cup", kit.cups), ("track", kit.tracks), ("phase", kit.phases)):
        if len(things) > THINGS:
            top.refuse(key, f"is there {len(things)} times", f"at most {THINGS}")
    cards = sum(len(deck.cards) for deck in kit.decks_for(kit.seats).values())
    if cards > TABLE_CARDS:
        top.refuse("deck", f"and its like have {cards} cards", f"at most {TABLE_CARDS} lie on one table")


def _told_apart(top: Table, kit: Kit) -> None:
    """A word of an order means one thing."""
    things = [*kit.seats, *kit.decks_for(kit.seats), *kit.tracks_for(kit.seats), *kit.cups, *kit.dice]
    things += [*kit.charts, *(name for deck in kit.decks.values() for name in dict.fromkeys(deck.cards))]
    twice = [name for name, number in Counter(things).items() if number > 1]
    if twice:
        top.refuse("kit", f"has two things called {twice[0]!r}", "give one of them another name")
