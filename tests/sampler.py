"""Scenes that hold all that the renderer knows: every ground, hexside, state and mark, a full card table."""

from __future__ import annotations

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
from pbem.page.style import EDGES, GROUNDS, MARKS, STATES

OWNERS = (
    Owner("east", "徳川方", "東", 7, "east", "East"),
    Owner("west", "大坂方", "西", 2, "west", "West"),
    Owner("others", "中立", "中", 8, "", "Neutral"),
)


def _at(column: int, row: int) -> tuple[float, float]:
    return column, row + (0.5 if column % 2 == 0 else 0.0)


def hexes() -> Scene:
    """A map of 10 by 7 hexes with one of each."""
    links = (
        Link("0101", "0201"),
        Link("0201", "0302"),
        Link("0302", "0303"),
        Link("0302", "0402", "track"),
        Link("0402", "0503", "track"),
    )
    region = Region("r", "摂津", ("0501", "0502", "0601"), "Settsu", "west")
    legend = tuple((kind, kind) for kind in (*GROUNDS, *EDGES))
    return Scene(
        Board(_places(), _edges(), links, (region,), 30, legend, "how"),
        "turn 1",
        OWNERS,
        (
            *_pieces(),
            Piece("m", "command", "marker", "east", "動"),
            Piece("c", "command", "chit", "west", "手番"),
        ),
        tuple(Mark(f"{n + 1:02d}07", kind, "east", "3") for n, kind in enumerate(MARKS)),
        (Tray("command", "command of the east", "east", note="2 points left"),),
        (Track("turn", "turn", ("1", "2", "3"), (Token("east", "turn", 1),)),),
    )


def _places() -> tuple[Place, ...]:
    """Every ground, from the first hex on; the rest is plain."""
    grounds = [*GROUNDS, *["plain"] * 70]
    return tuple(
        Place(
            f"{c:02d}{r:02d}",
            _at(c, r),
            ground=grounds[(r - 1) * 10 + c - 1],
            number=f"{c:02d}{r:02d}",
            name="大坂城" if (c, r) == (5, 4) else "",
            gloss="Osaka" if (c, r) == (5, 4) else "",
        )
        for r in range(1, 8)
        for c in range(1, 11)
    )


def _edges() -> tuple[Edge, ...]:
    """Every kind of hexside."""
    return tuple(
        Edge(
            f"{(n % 10) + 1:02d}{4 + n // 10:02d}",
            f"{(n % 10) + 1:02d}{5 + n // 10:02d}",
            kind,
            f"{(n % 10) + 1:02d}{5 + n // 10:02d}",
        )
        for n, kind in enumerate(EDGES)
    )


def _pieces() -> tuple[Piece, ...]:
    """A unit in every state, a deep stack, a small one, a siege, a general alone."""
    states = [
        Piece(
            f"u{n}",
            f"{n + 1:02d}06",
            "unit",
            "east",
            "真田信繁",
            "Sanada",
            "5-6",
            states=(one,),
            steps=(2, 3),
        )
        for n, one in enumerate(STATES)
    ]
    deep = [
        Piece(f"deep{n}", "0303", "general" if n == 10 else "unit", "west", "毛利勝永", "Mori", f"{n % 4}-5")
        for n in range(11)
    ]
    three = [Piece(f"three{n}", "0503", "unit", "east", "本多忠朝", "Honda", "4-5") for n in range(3)]
    inside = Piece("in", "0802", "unit", "west", "木村", "Kimura", "3-4", states=("inside",))
    outside = Piece("out", "0802", "unit", "east", "井伊", "Ii", "4-4")
    lone = Piece(
        "lone", "1003", "general", "others", "織田有楽斎", "Oda Uraku", "2/1", corner="12", trait="謀"
    )
    return (*states, *deep, *three, inside, outside, lone)


NAMES = ("林冲", "魯智深", "宋江", "呉用", "李俊", "扈三娘", "九紋竜史進", "活閻羅阮小七")


def table(seats: int = 6) -> Scene:
    """A card table: a panel for each seat, a battle row above."""
    owners = tuple(
        Owner(f"p{n}", f"{'長' * (4 * n + 1)}", "勇仁義智信礼"[n], n, f"p{n}") for n in range(seats)
    )
    trays: list[Tray] = [Tray("battle", "battle at 祝家荘", note="2 against 1")]
    pieces = [
        Piece(f"b{n}", "battle", "card", f"p{n % 2}", NAMES[n], "", "5/4/3", trait="勇") for n in range(3)
    ]
    for seat in range(seats):
        for what, layout in (
            ("lands", "row"),
            ("people", "row"),
            ("hand", "row"),
            ("deck", "pile"),
            ("spoils", "pile"),
        ):
            tray = f"{what}-{seat}"
            trays.append(Tray(tray, what, f"p{seat}", layout))  # type: ignore[arg-type]
            count = {"lands": 2, "people": 5, "hand": 5, "deck": 1, "spoils": seat % 2}[what]
            for n in range(count):
                back = what == "deck" or (what == "hand" and seat)
                pieces.append(
                    Piece(
                        f"{tray}.{n}",
                        tray,
                        "land" if what == "lands" else "card",
                        "" if back else f"p{n % 3}",
                        "" if back else "砦" if what == "lands" else NAMES[(n + seat) % len(NAMES)],
                        values="" if back else "★5" if what == "lands" else "6/5/2",
                        states=("back",) if back else ("acted",) if what == "people" and n == 1 else (),
                        count=30 if what == "deck" else 1,
                    )
                )
    return Scene(headline="round 3", owners=owners, pieces=tuple(pieces), trays=tuple(trays))
