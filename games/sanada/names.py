"""Names in Japanese and English, and the ids they stand for."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from games.sanada.pack import Pack
from games.sanada.terms import KYOTO, SAKAI


def names(pack: Pack) -> dict[str, str]:
    """Units by Japanese name (真田幸村, or 幸村 where only one is called so), castles and towns: hexes."""
    return _names(pack.digest, _Held(pack))


class _Held:
    """A pack as a key that is always equal: the digest beside it tells packs apart."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=8)
def _names(digest: str, held: _Held) -> dict[str, str]:
    pack = held.pack
    full = {unit.name: unit.id for unit in pack.units.values() if unit.name != unit.id}
    times = Counter(unit.name for unit in pack.units.values())
    full = {name: unit for name, unit in full.items() if times[name] == 1}
    given = [(name[-2:], unit) for name, unit in full.items() if len(name) > 2]
    ends = Counter(end for end, _ in given)
    found = {end: unit for end, unit in given if ends[end] == 1} | full
    for castle in pack.castles.values():
        found[castle.name] = castle.hex
        if castle.id not in pack.units:
            found[castle.id] = castle.hex
    found |= {"京": KYOTO, "京都": KYOTO, "kyoto": KYOTO, "堺": SAKAI, "sakai": SAKAI}
    return found
