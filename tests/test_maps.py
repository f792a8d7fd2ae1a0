"""Maps: an edge can be trusted, no name lies under a counter, words can be read in light and dark."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from games.suikoden.sentences import card_text, land_text
from pbem.engine import registry
from pbem.engine.options import PUBLIC
from pbem.engine.scene import Board, Edge, Place, Scene
from pbem.page.beside import Item, Manner
from pbem.page.glimpse import glimpse
from pbem.page.labels import Label, Room, around, settle
from pbem.page.mesh import Mesh, beside, chains, corner_of
from pbem.page.picture import draw, picture
from pbem.page.shipped import static
from pbem.page.style import PALETTE, colours, ems, own_style
from pbem.page.svg import Point
from tests import sampler
from tests.test_pictures import played

SVG = "{http://www.w3.org/2000/svg}"
HEXES = ("kawagoe", "sanada", "redcoats")


def field(rows: str) -> Board:
    """A board of hexes from rows of letters: w woods, ~ sea, . plain."""
    grounds = {"w": "woods", "~": "sea", ".": "plain", "C": "castle"}
    return Board(
        tuple(
            Place(f"{c}-{r}", (c, r + (0.5 if c % 2 else 0.0)), ground=grounds[letter])
            for r, row in enumerate(rows.split())
            for c, letter in enumerate(row)
        )
    )


# --- ground


def loops(d: str) -> list[list[Point]]:
    """The closed lines of a path of M and Q, as short straight ones."""
    found = []
    for part in filter(None, d.split("Z")):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", part)]
        points = [(numbers[0], numbers[1])]
        for i in range(2, len(numbers), 4):
            (ax, ay), (cx, cy, bx, by) = points[-1], numbers[i : i + 4]
            for t in (0.25, 0.5, 0.75, 1.0):
                a, c, b = (1 - t) ** 2, 2 * t * (1 - t), t * t
                points.append((a * ax + c * cx + b * bx, a * ay + c * cy + b * by))
        found.append(points)
    return found


def inside(at: Point, shape: list[list[Point]]) -> bool:
    crossed = 0
    for loop in shape:
        for (ax, ay), (bx, by) in zip(loop, [*loop[1:], loop[0]], strict=True):
            if (ay > at[1]) != (by > at[1]) and at[0] < ax + (at[1] - ay) / (by - ay) * (bx - ax):
                crossed += 1
    return crossed % 2 == 1


def test_the_middle_of_every_hex_lies_on_its_own_ground() -> None:
    mesh = Mesh(field(".w.w~~ ww..~. .www.~ w..w.."))
    woods = mesh.of_tint("woods")
    shape = loops(mesh.outline(woods))
    for cell in mesh.places:
        assert inside(mesh.centre(cell), shape) == (cell in woods)


def test_a_soft_edge_runs_through_the_middle_of_every_hexside() -> None:
    mesh = Mesh(field("..... .ww.. .w... ....."))
    woods = mesh.of_tint("woods")
    ends = {(round(x), round(y)) for loop in loops(mesh.outline(woods)) for x, y in loop}
    for cell in woods & set(mesh.places):
        for k, there in enumerate(beside(cell)):
            if there not in woods:
                x, y = mesh.middle(corner_of(cell, k), corner_of(cell, k + 1))
                assert (round(x), round(y)) in ends


def test_the_ground_goes_on_beyond_the_border_and_a_castle_stands_on_its_neighbours() -> None:
    mesh = Mesh(field("www wCw www"))
    assert mesh.ground[mesh.cells["1-1"]] == "woods"
    assert len(mesh.ground) > 9 + 12 and set(mesh.ground.values()) == {"woods"}


def test_rivers_are_lines_that_end_where_three_meet() -> None:
    lines = chains([((0, 0), (1, 1)), ((1, 1), (2, 0)), ((2, 0), (3, 1)), ((2, 0), (2, -2))], lambda _: True)
    assert sorted(len(line) for line in lines) == [2, 2, 3]
    ring = chains([((0, 0), (1, 1)), ((1, 1), (2, 0)), ((2, 0), (0, 0))], lambda _: True)
    assert len(ring) == 1 and ring[0][0] == ring[0][-1]


def test_a_river_widens_toward_its_mouth() -> None:
    board = field("..... ..... ..... ~~~~~")
    sides = [("1-0", "2-0"), ("1-0", "2-1"), ("1-1", "2-1"), ("1-1", "2-2"), ("1-2", "2-2"), ("1-2", "2-3")]
    river = tuple(Edge(a, b, "river", flow=b == "2-3") for a, b in sides)
    drawn = draw(Scene(Board(board.places, river))).sheet.markup
    widths = [float(w) for w in re.findall(r'class="line river" d="[^"]*" stroke-width="([\d.]+)"', drawn)]
    assert len(widths) > 1 or widths == [4.6]
    still = draw(Scene(Board(board.places, tuple(Edge(a, b, "river") for a, b in sides)))).sheet.markup
    assert len(re.findall(r'class="line river"', still)) == 1


# --- names


def texts(item: Item) -> list[tuple[float, float, float, float]]:
    """Where the words of an item lie, as the renderer reckons with them; none if they are hidden."""
    root = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{item.look}</svg>')
    if [e for e in root.iter() if e.get("class") == "tucked"]:
        return []
    found = []
    for text in root.iter(f"{SVG}text"):
        size, x, y = float(text.get("font-size") or 0), float(text.get("x") or 0), float(text.get("y") or 0)
        wide = ems("".join(text.itertext())) * size * 0.9
        left = x - {"middle": wide / 2, "end": wide}.get(text.get("text-anchor") or "", 0.0)
        found.append((item.x + left, item.y + y - size * 0.7, item.x + left + wide, item.y + y))
    return found


@pytest.mark.parametrize("game", HEXES)
def test_no_name_lies_under_a_counter_or_over_another_name(game: str) -> None:
    rules, _, pos = played(game, 25)
    scene = rules.scene(pos, PUBLIC)
    on_map = {place.id for place in scene.board.places}
    layout = draw(scene, Manner("both")).layout
    counters = [
        (i.x - 18 * i.scale, i.y - 18 * i.scale, i.x + 18 * i.scale, i.y + 18 * i.scale)
        for i in layout.items
        if i.place in on_map and ":" not in i.id
    ]
    near = [i for i in layout.items if i.id.startswith("name:") or i.id.endswith(":near")]
    assert near, "there are names"
    words = [(item.id, box) for item in near for box in texts(item)]
    for ident, (left, top, right, low) in words:
        for a, b, c, d in counters:
            assert not (left < c and right > a and top < d and low > b), f"{ident} lies under a counter"
        for other, (a, b, c, d) in words:
            assert other == ident or not (left < c and right > a and top < d and low > b), f"{ident}, {other}"


def test_a_name_takes_the_first_free_spot_and_is_tucked_away_where_there_is_none() -> None:
    label, at = Label("大坂城", "Osaka"), (100.0, 100.0)
    spots = list(around(at, (12.0, 12.0), label))
    assert len(spots) == 8
    room = Room((200, 200), [spots[0][0]])
    markup, x, y = settle(room, label, spots)
    assert (x, y) == spots[1][0][:2] and "tucked" not in markup
    markup, _, _ = settle(Room((200, 200), [(0, 0, 200, 200)]), label, spots)
    assert "tucked" in markup


# --- colours


def all_markup() -> str:
    drawn = [
        picture(sampler.hexes(), Manner("both")),
        picture(sampler.table(2), Manner("both", "p0", ("p0",))),
    ]
    for game in ("kawagoe", "chuhan", "sanada", "redcoats", "suikoden"):
        rules, _, pos = played(game, 12)
        drawn.append(picture(rules.scene(pos, PUBLIC), Manner("both")))
    return "".join(drawn)


def test_a_picture_that_stands_alone_has_every_rule_and_no_variable() -> None:
    markup = all_markup()
    assert "var(--" not in markup and "light-dark" not in markup
    known = set(re.findall(r"\.([a-z][\w-]*)", own_style())) | {"counter", "card"}
    used = {name for names in re.findall(r'class="([^"]*)"', markup) for name in names.split()}
    assert used <= known, f"no rule for {used - known}"
    assert 'style="' not in markup, "a page may forbid inline styles"


def light(colour: str) -> float:
    colour = colour.lstrip("#")
    colour = "".join(c * 2 for c in colour) if len(colour) == 3 else colour
    parts = [int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_words_can_be_read_in_light_and_dark(dark: bool) -> None:
    colour = colours(dark)
    for ink in ("ink", "soft", "blue", "red", "amber", "teal", *(f"deep{slot}" for slot in range(11))):
        assert contrast(colour[ink], colour["card"]) >= 4.5, ink
    for ink in ("ink", "number"):
        assert contrast(colour[ink], colour["plain"]) >= 4.5, ink
    assert contrast(colour["on-blue"], colour["blue"]) >= 4.5
    assert contrast(colour["sea-ink"], colour["water"]) >= 3.0


def test_what_is_written_on_an_owners_colour_can_be_read() -> None:
    assert all(contrast(fill, ink) >= 4.5 for fill, ink in PALETTE)


def test_every_colour_is_named_once_and_used() -> None:
    css = static("board.css")
    names = re.findall(r"--([\w-]+):", css)
    assert len(names) == len(set(names))
    rules = css.split("/* grounds */", 1)[1]
    assert set(re.findall(r"var\(--([\w-]+)\)", rules)) <= set(names)


# --- cards


def test_cards_speak_in_sentences() -> None:
    pack = registry.load("suikoden").load_pack()
    for person in pack.people.values():
        text = card_text(person)
        assert bool(text) == bool(person.abilities)
        assert not re.search(r"->|#|[\[\]_]|\b(self|opp|mine|foe)\b|攻[+=]", text), text
        assert not text or (text.endswith(".") and (text[0] in "+−" or text[0].isupper())), text
    assert card_text(next(p for p in pack.people.values() if p.id == "suochao")) == (
        "Clash: discard 1 card. Attack 7 and defence 4 this turn."
    )
    assert all(land_text(land).endswith(".") for land in pack.lands.values())


# --- pictures in lists


def test_a_glimpse_shows_where_the_pieces_stand_and_keeps_its_ids_to_itself() -> None:
    rules, _, pos = played("kawagoe", 12)
    scene = rules.scene(pos, PUBLIC)
    told = glimpse(scene, Manner("both"), "g1")
    ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{told["markup"]}</svg>')
    ids = re.findall(r'(?:\bid="|url\(#|href="#)([^")]+)', told["markup"])
    assert ids and all(ident.startswith("g1-") for ident in ids), "two pictures on one page share nothing"
    left, top, wide, high = told["box"]
    at = draw(scene, Manner("both")).sheet.at
    stand = [at[piece.place] for piece in scene.pieces if piece.place in at]
    seen = [p for p in stand if left <= p[0] <= left + wide and top <= p[1] <= top + high]
    assert len(seen) > len(stand) / 5
