"""9.54 SIEGE: the columns of the siege table and what each row of it says.

The ZOC row is worked out in the map (`zoc_into`), the charge row in `charge.barred`; outside the castle
counts as one more bailey (9.54-b). Columns are named by the strings below, which also stand in the events.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.kawagoe.battlefield import HONJO, Battlefield
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import ANTI
from games.kit.hexes import HexId

FIELD = ""
"""No part of the combat has to do with the castle, or somebody shares the open with the defender."""
SAME = "same bailey"
"""Column I: an attacker is in the defender's bailey."""
INSIDE = "other bailey"
"""Column II: all attackers in other baileys or outside, at least one inside the castle."""
OUTSIDE = "from outside"
"""Column II: all attackers outside, none at a gate."""
GATE = "from outside, gate"
"""Column II: all attackers outside, at least one at a gate."""
SORTIE = "sortie"
"""The defender is outside and all attackers are inside (9.54-a)."""

SOFTENED = {"A1/D1": "A1", "A1/D2": "A1/D1"}
"""Item 2: results that walls soften; all others stay (9.54-c)."""


def column(field: Battlefield, origins: Sequence[HexId], target: HexId) -> str:
    """Which column of the siege table a combat stands in."""
    home = field.bailey[target]
    baileys = [field.bailey[h] for h in origins]
    if home is None:
        return SORTIE if all(baileys) else FIELD
    if home in baileys:
        return SAME
    if any(baileys):
        return INSIDE
    return GATE if any(field.gate[h][target] for h in origins) else OUTSIDE


def walls_help(pos: KawagoePosition, siege: str) -> bool:
    """Terrain row: whether items 1 to 3 apply; for a sortie only by the option `sortie_siege_effects`."""
    if siege == SORTIE:
        return pos.option("sortie_siege_effects") == "both-ways"
    return siege in (INSIDE, OUTSIDE, GATE)


def shift(pos: KawagoePosition, siege: str, origins: Sequence[HexId], target: HexId) -> int:
    """Items 1 and 4: left 1, and right 1 when all attackers are in 実城 above another bailey (9.4-a)."""
    if not walls_help(pos, siege):
        return 0
    field = pos.pack.map
    from_honjo = field.bailey[target] is not None and all(field.bailey[h] == HONJO for h in origins)
    if from_honjo:
        return 0 if pos.option("honjo_shift") == "cancels" else 1
    return -1


def soften(pos: KawagoePosition, siege: str, result: str) -> str:
    """Item 2: the result after the walls have had their say."""
    return SOFTENED.get(result, result) if walls_help(pos, siege) else result


def must_bleed(pos: KawagoePosition, siege: str, seat: str) -> bool:
    """Item 3: besiegers who attack pay their own losses in steps (9.54-d)."""
    return seat == ANTI and walls_help(pos, siege)


def one_hex_only(field: Battlefield, siege: str, start: HexId, to: HexId) -> bool:
    """Advance row: one hex and no more, except out of the castle through a gate (9.54-e)."""
    if siege in (FIELD, SAME):
        return False
    return not (field.bailey[start] and field.bailey[to] is None and field.gate[start][to])
