"""What the files of a pack must agree on, each check with the rule that needs it.

Every function takes what one file says, refuses with file, table and key, and returns it indexed by id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn, TypeVar

from games.chuhan.terms import (
    ASIDE,
    CUP,
    EITHER,
    GONE,
    PLAYERS,
    ROYAL,
    Area,
    AreaId,
    Camp,
    Card,
    CardId,
    Force,
    ForceId,
    ForceRow,
    General,
    GeneralId,
    Kind,
    LegionsAtStart,
    Tables,
    Track,
)
from pbem.errors import UsageError

EVENTS = (
    "third-realm",
    "not-worth-counsel",
    "scholar-enlists",
    "spies",
    "gifts",
    "sow-discord",
    "sons-of-jiangdong",
    "elders-of-guanzhong",
    "new-king",
    "cut-supplies",
    "great-granary",
    "backs-to-river",
    "peerless",
    "lady-yu",
    "matchless-captain",
    "songs-of-chu",
    "sandbag-dam",
    "hegemon-roars",
    "secret-road",
)
"""The events whose effect the rules know (12)."""

HIGHEST_MILITARY = 5
"""7-2-5: with a die of six sides a value of 5 is the most that can still miss."""

_ID = re.compile(r"[a-z][a-z0-9-]{0,31}")

_PLACES = (CUP, ASIDE, GONE)
_NO_FORCES = (EITHER, ROYAL, Camp.NEUTRAL)

T = TypeVar("T", Area, General, Card, ForceRow)


def refuse(file: str, where: str, what: str, hint: str | None = None) -> NoReturn:
    """Refuse the pack, naming file, table and key."""
    raise UsageError(f"{file}.toml: {where}: {what}", hint)


def _indexed(file: str, table: str, rows: Iterable[T]) -> dict[str, T]:
    found: dict[str, T] = {}
    for row in rows:
        if not _ID.fullmatch(row.id):
            refuse(file, f"{table}.id", f"{row.id!r} is no id", "ids are small letters, digits and hyphens")
        if row.id in found:
            refuse(file, f"{table}.id", f"{row.id!r} is used twice")
        found[row.id] = row
    return found


def areas(rows: Sequence[Area], links: Sequence[tuple[AreaId, AreaId]]) -> dict[AreaId, Area]:
    """1-1-1: supply values, at most one capital a side, links between two known areas."""
    found = _indexed("map", "area", rows)
    capitals: list[Camp] = []
    for area in rows:
        if area.id in _PLACES:
            refuse("map", "area.id", f"{area.id!r} means another place")
        if area.supply < 0:
            refuse("map", f"area {area.id}.supply", "cannot be below 0")
        if Camp.NEUTRAL in (area.capital, area.heartland):
            refuse("map", f"area {area.id}", "only chu and han have a capital and a heartland")
        if area.capital and area.capital in capitals:
            refuse("map", f"area {area.id}.capital", f"{area.capital} has a capital already")
        if area.capital:
            capitals.append(area.capital)
    seen: list[tuple[AreaId, ...]] = []
    for link in links:
        for end in link:
            if end not in found:
                refuse("map", "link", f"no area is called {end!r}")
        pair = tuple(sorted(link))
        if pair[0] == pair[1] or pair in seen:
            refuse("map", "link", f"{list(link)} leads nowhere new")
        seen.append(pair)
    return found


def generals(rows: Sequence[General], known: Mapping[AreaId, Area]) -> dict[GeneralId, General]:
    """1-2-1, 2-2, 2-4: values, where each begins, and that only a retainer waits in the cup."""
    found = _indexed("units", "general", rows)
    for g in rows:
        where = f"general {g.id}"
        if not 0 <= g.military <= HIGHEST_MILITARY:
            refuse("units", f"{where}.military", f"must be 0 to {HIGHEST_MILITARY}")
        if g.strategy is not None and g.strategy < 1:
            refuse("units", f"{where}.strategy", "must be 1 or more", "leave it out if he has none")
        if g.start == CUP and g.kind is not Kind.RETAINER:
            refuse("units", f"{where}.start", "the cup holds retainers only (2-4)")
        if g.start == ASIDE and g.kind in (Kind.RULER, Kind.RETAINER):
            refuse("units", f"{where}.start", "only lords and royals wait aside (2-4)")
        if g.start not in (CUP, ASIDE) and g.start not in known:
            refuse("units", f"{where}.start", f"no area is called {g.start!r}")
        if g.force == EITHER and g.start != CUP:
            refuse("units", f"{where}.start", "who may serve either side begins in the cup (9-7)")
        if g.retainer is not None:
            other = found.get(g.retainer)
            if g.kind is not Kind.LORD or other is None or other.kind is not Kind.RETAINER:
                refuse("units", f"{where}.retainer", "names the retainer that this lord was before (2-4)")
            if g.start != ASIDE:
                refuse("units", f"{where}.start", "both counters of one man are never on the board (2-4)")
    return found


def forces(
    rows: Sequence[ForceRow], generals: Mapping[GeneralId, General], areas: Mapping[AreaId, Area]
) -> dict[ForceId, Force]:
    """4, 4-5: two players' forces, lords with track and home, then each royal as a force of his own."""
    listed = list(_indexed("units", "force", rows))
    for side in PLAYERS:
        if side not in listed:
            refuse("units", "force", f"{side.value!r} is missing (4)")
    _members(generals, listed)
    heads = {g.force: g for g in generals.values() if g.kind is Kind.LORD}
    found: dict[ForceId, Force] = {}
    for row in rows:
        where = f"force {row.id}"
        if row.id in _NO_FORCES:
            refuse("units", "force.id", f"{row.id!r} means something else")
        if row.legions < 0:
            refuse("units", f"{where}.legions", "cannot be below 0")
        if row.home is not None and row.home not in areas:
            refuse("units", f"{where}.home", f"no area is called {row.home!r}")
        if row.id in PLAYERS:
            if (row.lowest, row.highest, row.home) != (None, None, None):
                refuse("units", where, "a player's force has neither marker nor home")
            found[row.id] = Force(row.id, row.name, row.english, Kind.RULER, row.id)
            continue
        if row.id not in heads:
            refuse("units", where, "no general of kind lord has this force")
        if row.lowest is None or row.highest is None or row.lowest > row.highest:
            refuse("units", where, "a lord needs lowest and highest, in this order")
        head = heads[row.id].id
        found[row.id] = Force(
            row.id, row.name, row.english, Kind.LORD, row.id, head, row.lowest, row.highest, row.home
        )
    for g in generals.values():
        if g.kind is Kind.ROYAL:
            found[g.force] = Force(g.force, g.name, g.english, Kind.ROYAL, ROYAL, g.id)
    return found


def _members(generals: Mapping[GeneralId, General], listed: Sequence[ForceId]) -> None:
    heads: list[tuple[Kind, ForceId]] = []
    for g in generals.values():
        where = f"general {g.id}.force"
        served: Sequence[str] = {
            Kind.RULER: PLAYERS,
            Kind.RETAINER: (*PLAYERS, EITHER),
            Kind.LORD: [f for f in listed if f not in PLAYERS],
            Kind.ROYAL: [g.id],
        }[g.kind]
        if g.force not in served:
            refuse("units", where, f"{g.force!r} is no force of a {g.kind}", f"one of {', '.join(served)}")
        if g.kind is Kind.ROYAL and g.id in (*listed, *_NO_FORCES):
            refuse("units", where, "a royal is a force by himself, under an id of his own (4-5)")
        if g.kind is not Kind.RETAINER and (g.kind, g.force) in heads:
            refuse("units", where, f"{g.force!r} has a {g.kind} already")
        heads.append((g.kind, g.force))


def tables(found: Tables, forces: Mapping[ForceId, Force]) -> None:
    """10, 7-3: six results a table, each naming a lord that exists."""
    lords = [f.id for f in forces.values() if f.kind is Kind.LORD]
    by_die = {
        "autumn": found.autumn,
        "spring": found.spring,
        "friendship": found.friendship,
        **{f"death.{kind.value}": found.death.get(kind, ()) for kind in Kind},
    }
    for name, results in by_die.items():
        if len(results) != 6:
            refuse("tables", name, "needs six results, for the dice 1 to 6")
    for kind in found.death:
        if kind not in list(Kind):
            refuse("tables", f"death.{kind}", "unknown key", f"kinds of general: {', '.join(Kind)}")
    for force in found.autumn:
        if force not in (*lords, ROYAL):
            refuse("tables", "autumn", f"no lord is called {force!r}", f"lords, or {ROYAL}")
    for force, side in found.friendship:
        if force not in lords or side is Camp.NEUTRAL:
            refuse("tables", "friendship", f"[{force!r}, {side.value!r}] is not a lord, and chu or han")
    if any(count < 0 for count in found.spring):
        refuse("tables", "spring", "cannot be below 0")
    if found.track.chu >= found.track.han:
        refuse("tables", "track", "chu must be below han")


def cards(rows: Sequence[Card]) -> dict[CardId, Card]:
    """1-4: copies, requirement, and that the rules know the event."""
    found = _indexed("cards", "card", rows)
    for card in rows:
        if card.id not in EVENTS:
            refuse("cards", "card.id", f"the rules know no event {card.id!r}", f"events: {', '.join(EVENTS)}")
        if card.copies < 1:
            refuse("cards", f"card {card.id}.copies", "must be 1 or more")
        if not re.fullmatch(r"[0-9]|1\+", card.needs):
            refuse("cards", f"card {card.id}.needs", f"{card.needs!r} is neither a digit nor 1+ (1-4-1)")
    return found


def markers(found: Mapping[ForceId, int], forces: Mapping[ForceId, Force], track: Track) -> None:
    """2-3: a marker for every lord, on a box that he may reach (10-3)."""
    lords = {f.id: f for f in forces.values() if f.kind is Kind.LORD}
    for force, box in found.items():
        if force not in lords:
            refuse("setup", f"marker.{force}", "no such lord")
        if not lords[force].lowest <= box <= lords[force].highest:
            refuse("setup", f"marker.{force}", f"{box} is outside what units.toml allows him")
    for lord in lords.values():
        if lord.id not in found:
            refuse("setup", f"marker.{lord.id}", "missing")
        if not track.chu <= lord.lowest <= lord.highest <= track.han:
            refuse("units", f"force {lord.id}", "lowest and highest must lie on the track of tables.toml")


def setup(
    legions: Sequence[LegionsAtStart],
    shared: Mapping[AreaId, ForceId],
    areas: Mapping[AreaId, Area],
    generals: Mapping[GeneralId, General],
    forces: Mapping[ForceId, Force],
    stocks: Mapping[str, int],
) -> dict[AreaId, ForceId]:
    """2-2, 5-1, 1-2-2-1: who stands where, within the counters, and who controls it."""
    present: dict[AreaId, list[ForceId]] = {a: [] for a in areas}
    for g in generals.values():
        if g.start in areas:
            present[g.start].append(g.force)
    left = dict(stocks)
    placed: list[tuple[AreaId, ForceId]] = []
    for row in legions:
        where = f"legion {row.area} {row.force}"
        if row.area not in areas or row.force not in forces:
            refuse("setup", where, "no such area or force")
        if row.count < 1 or (row.area, row.force) in placed:
            refuse("setup", where, "must be 1 or more, on one line")
        placed.append((row.area, row.force))
        present[row.area].append(row.force)
        left[forces[row.force].stock] -= row.count
        if left[forces[row.force].stock] < 0:
            refuse("setup", where, "more legions than counters (1-2-2-1)")
    for area, force in shared.items():
        if area not in areas or force not in present[area]:
            refuse("setup", f"controller.{area}", f"{force!r} has no unit there (5-1)")
    found = {}
    for area, there in present.items():
        if len(set(there)) > 1 and area not in shared:
            refuse("setup", f"controller.{area}", "missing: several forces share the area (5-1)")
        if there:
            found[area] = shared.get(area, there[0])
    return found
