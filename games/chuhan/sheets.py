"""What an aid card of chuhan would show: areas, counters, tables and cards of a pack."""

from __future__ import annotations

from games.chuhan.pack import Pack
from pbem.engine.shown import Sheet

DICE = ("1", "2", "3", "4", "5", "6")


def sheets(pack: Pack) -> tuple[Sheet, ...]:
    """Everything printed."""
    return (_areas(pack), _generals(pack), _forces(pack), _levies(pack), _death(pack), _cards(pack))


def _areas(pack: Pack) -> Sheet:
    rows = tuple(
        (
            a.id,
            a.name,
            a.english,
            str(a.supply or "-"),
            str(a.capital or ""),
            ", ".join(pack.neighbours[a.id]),
        )
        for a in pack.areas.values()
    )
    heads = ("id", "name", "English", "supply", "capital", "touches")
    return Sheet("areas", "Areas (區域)", heads, rows, "1-1-1", "supply: cards a turn for who controls it")


def _generals(pack: Pack) -> Sheet:
    rows = tuple(
        (
            g.id,
            g.name,
            g.english,
            g.force,
            g.kind,
            str(g.military),
            str(g.strategy or "-"),
            g.start,
            ", ".join(g.attributes),
        )
        for g in pack.generals.values()
    )
    heads = ("id", "name", "English", "force", "kind", "military", "strategy", "begins", "attributes")
    return Sheet("generals", "Generals (將官單位)", heads, rows, "1-2-1")


def _forces(pack: Pack) -> Sheet:
    rows = tuple(
        (
            force.id,
            force.name,
            force.english,
            force.kind,
            str(pack.stocks[force.stock]),
            f"{force.lowest:+d} to {force.highest:+d}" if force.id in pack.markers else "",
            f"{pack.markers[force.id]:+d}" if force.id in pack.markers else "",
            force.home or "",
        )
        for force in pack.forces.values()
    )
    heads = ("id", "name", "English", "kind", "legions", "track", "begins on", "refuge")
    track = pack.tables.track
    note = f"a lord at {track.chu:+d} or below is of the Chu camp, at {track.han:+d} or above of the Han camp"
    return Sheet("forces", "Forces and lords (勢力)", heads, rows, "4", note)


def _levies(pack: Pack) -> Sheet:
    tables = pack.tables
    rows = (
        ("autumn (1, 3, 5, 7): who raises a legion", *tables.autumn),
        ("spring (2, 4, 6): legions in the capital", *map(str, tables.spring)),
        ("friendship: marker and direction", *(f"{lord} to {side}" for lord, side in tables.friendship)),
    )
    return Sheet("dice", "Legions and friendship", ("die", *DICE), rows, "10-1")


def _death(pack: Pack) -> Sheet:
    rows = tuple((kind, *fates) for kind, fates in pack.tables.death.items())
    note = "who is hit in battle rolls; beside his guard a ruler's 1 counts as 2 (9-5)"
    return Sheet("death", "Death check (生死判定)", ("general", *DICE), rows, "7-3-1", note)


def _cards(pack: Pack) -> Sheet:
    rows = tuple(
        (c.id, c.name, c.english, str(c.copies), c.needs, c.side, c.text) for c in pack.cards.values()
    )
    heads = ("id", "name", "English", "copies", "strategy", "side", "event")
    return Sheet("cards", "Cards (天命符)", heads, rows, "1-4")
