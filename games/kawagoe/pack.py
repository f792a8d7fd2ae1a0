"""The data pack of kawagoe as one typed, frozen object: pack_files.py reads it, checks.py weighs it.

Invariant: a pack never changes after loading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.kawagoe.battlefield import Battlefield, Costs
from games.kawagoe.printed import Chit, Option, Pool, Scenario, Unit
from games.kit.odds import OddsTable
from games.kit.packs import Provenance


@dataclass(frozen=True, slots=True)
class Pack:
    """Everything printed that a game of kawagoe needs."""

    map: Battlefield
    units: Mapping[str, Unit]
    """All Hojo units and the anti-Hojo generals, by id, in file order."""
    pools: Mapping[str, Pool]
    """By house."""
    crt: OddsTable
    ladder: tuple[str, ...]
    """Every result of the table, from best for the defender to best for the attacker."""
    costs: Costs
    chits: Mapping[str, Chit]
    options: Mapping[str, Option]
    """Named readings of unclear rules; the default is our ruling."""
    scenarios: Mapping[str, Scenario]
    provenance: Mapping[str, Provenance]
    """By file name; tables of a case have none."""
    digest: str
