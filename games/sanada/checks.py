"""What the book states of its map, units, castles and tables: a pack that contradicts it is refused.

Tests compare a pack with the book cell by cell; here is what a game cannot do without.
"""

from __future__ import annotations

from typing import Any

from games.sanada.terms import (
    HIDETADA,
    HIDEYORI,
    IEYASU,
    KANTO,
    KYOTO,
    OSAKA,
    OSAKA_CASTLE,
    REGIONS,
    SAKAI,
    Rank,
)
from pbem.errors import UsageError

PRINTED_HEXES = {
    "osaka": "1724",
    "nijo": KYOTO,
    "wakayama": "0732",
    "himeji": "0216",
    "ueno": "3025",
    "sasayama": "1514",
    "miyazu": "1704",
    "obama": "2807",
    "ibaraki": "1922",
    "kishiwada": "1328",
    "koriyama": "2226",
    "kameyama": "3824",
    "nagoya": "4921",
}
"""The castles whose hexes the scenarios print."""


def _require(condition: bool, problem: str) -> None:
    if not condition:
        raise UsageError(f"the pack contradicts the book: {problem}", "see rulebook.toml and the data files")


def check_pack(pack: Any) -> None:
    """Refuse a complete pack that lacks what the rules speak of."""
    for castle, place in PRINTED_HEXES.items():
        found = pack.castles.get(castle)
        _require(found is not None and found.hex == place, f"{castle} castle stands in {place}")
    for place in (SAKAI, KYOTO, "2606", "2706"):
        _require(pack.map.is_open(place), f"{place} is land")
    _require("2706" not in pack.map.near["2606"], "sea lies between 2606 and 2706 (14.1.5)")
    for region in REGIONS:
        _require(bool(pack.map.area(region)), f"reinforcements enter in the {region} (23.1.1)")
    for unit, side in ((IEYASU, KANTO), (HIDETADA, KANTO), (HIDEYORI, OSAKA)):
        who = pack.units.get(unit)
        _require(who is not None and who.side == side and who.rank is Rank.SODAISHO, f"{unit} leads {side}")
    _require(pack.castles[OSAKA_CASTLE].owner == OSAKA, "Osaka Castle is Osaka's")
    for scenario in pack.scenarios.values():
        _check_scenario(pack, scenario)


def _check_scenario(pack: Any, scenario: Any) -> None:
    seen: list[str] = list(scenario.osaka)
    for placing in scenario.kanto:
        seen += placing.units
        _require(
            bool(placing.region) or pack.map.is_open(placing.hex),
            f"{scenario.id}: {placing.hex} is no land hex",
        )
        _require(
            not placing.inside or placing.hex in pack.castle_at, f"{scenario.id}: no castle in {placing.hex}"
        )
    for arrival in scenario.arrivals:
        seen += arrival.units
    for unit in seen:
        _require(unit in pack.units, f"{scenario.id}: no unit {unit}")
        _require(seen.count(unit) == 1, f"{scenario.id}: {unit} stands in two lists")
    _require(
        all(unit in scenario.osaka and unit != HIDEYORI for force in scenario.usual for unit in force),
        f"{scenario.id}: the usual muster names somebody else's unit or Hideyori (24.3)",
    )
    chosen = sum(len(force) for force in scenario.usual)
    _require(chosen == scenario.muster, f"{scenario.id}: the usual muster has {chosen} units")
    for castle in scenario.castles:
        _require(castle in pack.castles, f"{scenario.id}: no castle {castle}")
