"""The names on a map: places, regions, seas and ranges, each where it hits no counter, near and from afar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, pi, sin

from pbem.engine.scene import MapName, Place, Region, Scene
from pbem.page.beside import Item
from pbem.page.labels import Box, Label, Room, around, settle
from pbem.page.printed import Sheet
from pbem.page.style import Names, ems, named, slot
from pbem.page.svg import Point, tag, words

NEAR, FAR = 12.0, 26.0
"""How large the name of a place is written, and where counters are too small to be read."""
SIGN, SIGN_FAR = (13.0, 15.0), (23.0, 26.0)
"""Half the width and height of a place's sign."""


class Lettering:
    """Sets the names of one scene."""

    def __init__(
        self, scene: Scene, sheet: Sheet, names: Names, stands: Mapping[str, Box], shields: Mapping[str, Box]
    ) -> None:
        self.scene, self.sheet, self.names = scene, sheet, names
        self.stands, self.shields = stands, shields
        self.colours = {owner.id: slot(owner.colour) for owner in scene.owners}
        size = (sheet.width, sheet.height)
        signed = [sheet.at[p.id] for p in scene.board.places if _signed(p)]
        self.near = Room(size, [*stands.values(), *(_about(at, SIGN) for at in signed)])
        self.far = Room(size, [*shields.values(), *(_about(at, SIGN_FAR) for at in signed)])

    def items(self) -> Iterator[Item]:
        """By priority: great places, seas and ranges, regions, the rest."""
        places = [p for p in self.scene.board.places if self.sheet.hexes and p.name]
        places.sort(key=lambda p: (-p.rank, p.id))
        for place in (p for p in places if p.rank >= 3):
            yield from self._place(place)
        for number, name in enumerate(self.scene.board.names):
            yield self._on_map(number, name)
        if self.sheet.hexes:
            for region in self.scene.board.regions:
                yield from self._region(region)
        for place in (p for p in places if p.rank < 3):
            yield from self._place(place)

    def _place(self, place: Place) -> Iterator[Item]:
        large, small = named(place.name, place.gloss, self.names)
        at = self.sheet.at[place.id]
        size = NEAR + (2 if place.rank >= 3 else 0)
        label = Label(large, small, place.badges, size)
        stand = self.stands.get(place.id)
        half = SIGN if _signed(place) else (3.0, 3.0)
        if stand is not None:
            half = ((stand[2] - stand[0]) / 2, (stand[3] - stand[1]) / 2)
        spots = list(around(at, half, label))
        if stand is None and not _signed(place):
            x, y = at[0] - label.wide / 2, at[1] - label.high / 2 + 3
            spots.insert(0, ((x, y, x + label.wide, y + label.high), "middle"))
        markup, x, y = settle(self.near, label, spots)
        yield Item(f"name:{place.id}", tag("g", markup, class_="near"), x, y, 1.0, 0.0, place.id)
        if large:
            far = Label(large, small if place.rank >= 2 else "", (), FAR + (5 if place.rank >= 3 else 0))
            half = SIGN_FAR if _signed(place) else (8.0, 8.0)
            markup, x, y = settle(self.far, far, around(at, half, far))
            yield Item(f"far:{place.id}", tag("g", markup, class_="far"), x, y, 1.0, 0.0, place.id)

    def _region(self, region: Region) -> Iterator[Item]:
        """Over the free place nearest its middle."""
        if not region.name or not region.places:
            return
        ink = f"d{self.colours.get(region.owner, 'x')} serif"
        large, small = named(region.name, region.gloss, self.names)
        spots = [self.sheet.at[p] for p in region.places]
        cx, cy = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
        spots.sort(key=lambda p: ((p[0] - cx) ** 2 + (p[1] - cy) ** 2, p))
        for room, kind, size in ((self.near, "near", 15.0), (self.far, "far", 32.0)):
            label = Label(large, small, (), size, ink)
            boxes = ((_about(at, (label.wide / 2, label.high / 2)), "middle") for at in spots[:40])
            markup, x, y = settle(room, label, boxes)
            yield Item(f"region:{region.id}:{kind}", tag("g", markup, class_=kind), x, y)

    def _on_map(self, number: int, name: MapName) -> Item:
        """A sea or a range: it has one place, and is left out where a counter stands in it."""
        large, small = named(name.text, name.gloss, self.names)
        x, y = self.sheet.plane(name.at)
        ink = f"{'sea-ink' if name.kind == 'water' else 'ridge-ink'} serif spaced"
        drawn = words(large, 0, 0, name.size, ink, bold=True, halo=True)
        drawn += words(small, 0, name.size * 0.85, name.size * 0.68, ink, halo=True)
        half, turn = max(ems(large) * 1.2, ems(small) * 0.8) * name.size / 2, pi * name.turn / 180
        across = [
            (x + half * part * cos(turn), y + half * part * sin(turn)) for part in (-0.8, -0.4, 0, 0.4, 0.8)
        ]
        boxes = [_about(at, (name.size * 0.6, name.size * 0.7)) for at in across]
        if all(self.near.free(box) for box in boxes):
            for box in boxes:
                self.near.take(box)
                self.far.take(box)
        else:
            drawn = tag("g", drawn, class_="tucked")
        return Item(f"mapname:{number}", drawn, x, y, 1.0, name.turn)


def _signed(place: Place) -> bool:
    return bool(place.sign) or place.ground in ("castle", "fort")


def _about(at: Point, half: tuple[float, float]) -> Box:
    return at[0] - half[0], at[1] - half[1], at[0] + half[0], at[1] + half[1]
