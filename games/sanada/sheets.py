"""The tables, terrain, castles and line-ups of a pack, as an aid card would show them."""

from __future__ import annotations

from games.sanada.pack import Pack
from games.sanada.terms import SIDES
from pbem.engine.shown import Sheet


def sheets(pack: Pack) -> tuple[Sheet, ...]:
    """Everything printed."""
    return (
        _combat(pack),
        _dice(pack),
        _attrition(pack),
        _siege(pack),
        _terrain(pack),
        _modifiers(),
        _castles(pack),
        _units(pack),
        _home(pack),
        _points(),
    )


def _combat(pack: Pack) -> Sheet:
    table = pack.tables
    heads = ["1 or less", *map(str, range(2, 15)), "15 or more"]
    rows = tuple((head, *map(str, row)) for head, row in zip(heads, table.combat, strict=True))
    note = "both roll 2 dice, add their rating and subtract the enemy's; hits fall on the enemy"
    return Sheet("combat", "Combat results (合戦結果表)", ("die", *table.columns), rows, "T-combat", note)


def _dice(pack: Pack) -> Sheet:
    table = pack.tables
    heads = ("die", *map(str, range(8)), "8 or more")
    rows = (
        ("units mobilized", *map(str, table.mobilization)),
        *((f"replenished, {side}", *map(str, table.replenishment[side])) for side in SIDES),
    )
    note = (
        "Sakai +1; own points below 0 -1, from 10 (mobilization 15) +1, from 20 +2, from 40 +3; these do "
        "not add up"
    )
    return Sheet("muster", "Mobilization and replenishment", heads, rows, "T-mobilization", note)


def _attrition(pack: Pack) -> Sheet:
    least = [n for n, _ in pack.tables.attrition]
    ends = [f"{n - 1}" for n in least[1:]]
    heads = [f"{a}-{b} units" for a, b in zip(least, ends, strict=False)] + [f"{least[-1]} or more"]
    rows = tuple((h, *map(str, cells)) for h, (_, cells) in zip(heads, pack.tables.attrition, strict=True))
    note = "out of supply +1, all face-down +1"
    return Sheet(
        "attrition", "Attrition (消耗表)", ("die", *map(str, range(1, 9))), rows, "T-attrition", note
    )


def _siege(pack: Pack) -> Sheet:
    rows = tuple(
        (rank.value, *(str(n) if n else "-" for n in cells)) for rank, cells in pack.tables.siege.items()
    )
    note = "by the highest rank inside, gunzei if nobody is; a castle falls on a die of its level or less"
    return Sheet("siege", "Siege results (包囲結果表)", ("die", *"123456"), rows, "T-siege", note)


def _terrain(pack: Pack) -> Sheet:
    costs = pack.tables.movement
    rows = (
        ("flat", str(costs["flat"]), "-"),
        ("rough", str(costs["rough"]), "+1"),
        ("marsh", str(costs["marsh"]), "+1"),
        ("river side", f"+{costs['river']}", "+2, and -1 on both dice"),
        ("enemy castle, not invested", "+1", "-"),
        ("mountain, sea, lake", "closed", "-"),
    )
    heads = ("terrain", "points", "defender's rating")
    return Sheet(
        "terrain", "Terrain (地形効果表)", heads, rows, "14.1.1", "8 points, 16 for a strategic march"
    )


def _modifiers() -> Sheet:
    rows = (
        ("battle, overrun", "own rating - enemy rating; terrain and fort in the defender's"),
        ("across a river", "-1 for both"),
        ("pursuit", "own rating - enemy rating + 3, no terrain"),
        ("assault", "attacker - castle strength, defender + castle strength; better rating +1, worse -1"),
    )
    return Sheet("modifiers", "Die modifiers", ("combat", "added to two dice"), rows, "18.3.2")


def _castles(pack: Pack) -> Sheet:
    rows = tuple(
        (
            c.name,
            c.id,
            c.hex,
            f"{c.strength}-{c.durability}",
            c.owner,
            c.lord or "-",
            c.known or "reconstructed",
        )
        for c in pack.castles.values()
    )
    heads = ("castle", "id", "hex", "strength-durability", "owner", "lord", "values from")
    return Sheet("castles", "Castles (城)", heads, rows, "5")


def _units(pack: Pack) -> Sheet:
    rows = tuple(
        (
            u.name,
            u.id,
            u.rank.value,
            u.colour.value,
            f"{u.combat}-{u.action}",
            u.clan or "-",
            str(u.track or "-"),
            u.known or "reconstructed",
        )
        for u in pack.units.values()
    )
    heads = ("unit", "id", "rank", "colour", "combat-action", "clan", "track", "values from")
    return Sheet("units", "Army units (軍勢)", heads, rows, "2.2.4")


def _home(pack: Pack) -> Sheet:
    rows = tuple((clan, f"{number} or less") for clan, number in pack.tables.home.items())
    return Sheet("home", "Return home (帰国判定)", ("clan", "goes home on"), rows, "25.1.3")


def _points() -> Sheet:
    rows = (
        ("castle of durability 2 / 3 / 4 taken", "1 / 2 / 4"),
        ("busho / taisho eliminated", "1 / 5"),
        ("Hidetada eliminated", "20"),
        ("taisho / sodaisho beaten in battle", "2 / 10"),
        ("Osaka, each Start Phase: Kyoto, with Hideyori", "3, 8"),
        ("Osaka, each Start Phase: Sakai, Omi, Mino, Owari", "1, 1, 1, 3"),
        ("Kanto, each Start Phase: Osaka Castle under siege", "3"),
    )
    return Sheet("points", "Victory points (得点)", ("for", "points"), rows, "26.2.1")
