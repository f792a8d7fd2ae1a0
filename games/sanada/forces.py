"""7 and 8: which units may form a Force, and how Forces are written: leader+unit+unit@hex/in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.kit.hexes import HexId
from games.sanada.position import SanadaPosition
from games.sanada.terms import INSIDE, Rank
from pbem.engine.options import Refusal


@dataclass(frozen=True, slots=True)
class Written:
    """A Force as an order writes it."""

    units: tuple[str, ...]
    hex: HexId
    """ "" if the order names no place."""
    inside: bool

    def text(self) -> str:
        """The word that is read back as this."""
        place = f"@{self.hex}{INSIDE if self.inside else ''}" if self.hex else INSIDE if self.inside else ""
        return "+".join(self.units) + place


def read_force(word: str, names: dict[str, str]) -> Written:
    """The Force that a word of an order means; names in any language are understood."""
    units, _, place = word.partition("@")
    inside = word.endswith(INSIDE)
    if not place:
        units = units.removesuffix(INSIDE)
    place = place.removesuffix(INSIDE)
    return Written(tuple(names.get(u, u) for u in units.split("+")), names.get(place, place), inside)


def why_no_force(pos: SanadaPosition, units: Sequence[str]) -> Refusal | None:
    """Whether these units, the leader first, may not form a Force."""
    leader, members = pos.unit(units[0]), [pos.unit(u) for u in units[1:]]
    if not members:
        return None  # 7.1: a single piece is a Force
    if leader.rank not in (Rank.SODAISHO, Rank.TAISHO):
        return Refusal("7.3.1", f"{leader.id} is a {leader.rank} and commands nobody")
    allowed = (
        (Rank.BUSHO, Rank.GUNZEI) if leader.rank is Rank.TAISHO else (Rank.TAISHO, Rank.BUSHO, Rank.GUNZEI)
    )
    for member in members:
        if member.rank not in allowed:
            return Refusal(
                "7.3.1", f"{leader.id} is a {leader.rank} and cannot command the {member.rank} {member.id}"
            )
        if pos.side(member.id) != pos.side(leader.id):
            return Refusal("7.2", f"{member.id} is an enemy of {leader.id}")
    if len(members) > leader.track:
        return Refusal("7.3.3", f"the track of {leader.id} has {leader.track} boxes, not {len(members)}")
    taisho = {m.clan for m in members if m.rank is Rank.TAISHO} if leader.rank is Rank.SODAISHO else set()
    for member in members:
        if member.clan and member.clan not in (leader.clan, *taisho) and not pos.data.stands_alone(member):
            return Refusal(
                "8.1", f"{member.id} of the {member.clan} clan needs a taisho of its clan in the Force"
            )
    return None


def why_no_forces(pos: SanadaPosition, forces: Sequence[tuple[str, ...]]) -> Refusal | None:
    """Whether these Forces cannot stand side by side: nobody serves twice, each is lawful."""
    seen: dict[str, str] = {}
    for units in forces:
        for unit in units:
            if unit not in pos.data.units:
                return Refusal("7.2", f"no unit is called {unit}")
            if unit in seen:
                rule = "7.3.2" if unit in (units[0], seen[unit]) else "7.2"
                return Refusal(rule, f"{unit} cannot be in two Forces")
            seen[unit] = units[0]
    return next((refusal for units in forces if (refusal := why_no_force(pos, units))), None)
