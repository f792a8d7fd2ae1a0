"""What an aid card would show: tables, terrain, morale, rosters and battles; and the score so far."""

from __future__ import annotations

from games.redcoats.aid import Aid
from games.redcoats.display import values
from games.redcoats.pack import Pack
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import AMERICAN, SIDES
from games.redcoats.victory import achieved, foremost, occupied
from pbem.engine.shown import Sheet, Tally
from pbem.engine.wording import halves


def _points(halves: int | None) -> str:
    return "-" if halves is None else f"{halves / 2:g}"


def tables(pack: Pack) -> tuple[Sheet, ...]:
    """Every sheet of the game."""
    aid = pack.aid
    dice = range(1, 11)
    heads = [str(n) for n in aid.fire_columns]
    return (
        Sheet(
            "assault",
            "Assault table",
            ("die", *aid.odds.columns),
            tuple((str(die), *aid.odds.rows[die]) for die in dice),
            "8.1",
            "M: check with that much more; R1: check, then one hex; D: disrupted and runs; E: eliminated.",
        ),
        Sheet(
            "bombardment",
            "Bombardment table",
            ("die", *(f"{head}+" for head in heads)),
            tuple((str(die), *aid.fire[die]) for die in dice),
            "7.1",
            "One die for each unit in the hex.",
        ),
        Sheet(
            "recovery",
            "Recovery",
            ("total", "result"),
            ((f"{aid.recovers} or more", "recovers"), (f"less than {aid.recovers}", "stays disrupted")),
            "9.3",
            "Die + morale of the back + one leader - 2 beside the enemy.",
        ),
        *_terrain(aid),
        _morale(aid),
        *_rosters(pack),
        _battles(pack),
    )


def _terrain(aid: Aid) -> tuple[Sheet, Sheet]:
    grounds = tuple(
        (
            name,
            _points(g.cost),
            _points(g.light),
            f"{g.assault}L",
            f"{g.bombard}L",
            "yes" if g.blocks else "no",
        )
        for name, g in aid.grounds.items()
    )
    sides = tuple(
        (name, f"+{_points(s.cost)}", f"{s.assault}L", f"{s.bombard}L", f"-{s.morale}" if s.morale else "")
        for name, s in aid.sides.items()
    )
    hexes = ("hex", "points", "light", "assault", "fire", "blocks")
    hexsides = ("hexside", "points", "assault", "fire", "morale")
    return (
        Sheet("terrain", "Terrain: hexes", hexes, grounds, "4.2"),
        Sheet("hexsides", "Terrain: hexsides", hexsides, sides, "8.33"),
    )


def _morale(aid: Aid) -> Sheet:
    morale = (
        ("leader in the hex", "- his value (one only)", "11.21"),
        ("infantry with a gun in the hex", f"-{aid.morale.gun}", "8.43"),
        ("infantry with good dragoons in the hex", f"-{aid.morale.dragoons}", "9.21"),
        ("cause came over works", "-1, redoubt -2", "9.21"),
        ("enemy zones from two hexes or more", f"+{aid.morale.enemies}", "9.21"),
        ("charged", f"+{aid.morale.charge}", "12.21"),
        ("disengagement", f"+{aid.morale.disengage}", "4.41"),
        ("AM1, DM1, M1, M2", "+1, +1, +1, +2", "8.1"),
    )
    return Sheet("morale", "Morale check: added to the die", ("what", "by", "rule"), morale, "9.21")


def _rosters(pack: Pack) -> tuple[Sheet, ...]:
    sheets = []
    for name, roster in pack.rosters.items():
        rows = tuple(
            (
                c.id,
                c.name,
                c.side,
                str(c.arm),
                values(c),
                values(c, True) if not c.is_leader else "",
                str(c.points or ""),
            )
            for c in roster.values()
        )
        heads = ("id", "name", "side", "arm", "front", "back", "points")
        sheets.append(Sheet(f"units-{name}", f"Counters of {name}", heads, rows, "1.23"))
    return tuple(sheets)


def _battles(pack: Pack) -> Sheet:
    rows = tuple(
        (
            s.id,
            f"{s.start}-{s.clock(s.turns)}",
            str(s.turns),
            s.first,
            *(halves(s.levels[side]) for side in SIDES),
            " ".join(s.victory.hexes) if len(s.victory.hexes) < 9 else f"{len(s.victory.hexes)} hexes",
        )
        for s in pack.scenarios.values()
    )
    heads = ("battle", "time", "turns", "first", "american", "british", "places")
    return Sheet("battles", "The battles", heads, rows, "16.0")


def score(pos: RedcoatsPosition) -> tuple[Tally, ...]:
    """13.1, 18.1: the levels, what they began with, and what decides at the end."""
    found = []
    for side in SIDES:
        level, began = pos.levels.get(side, 0), pos.setting.levels[side]
        lost = [u for u in pos.lost if pos.book[u].side == side and not pos.book[u].is_gun]
        shaken = sum(p.disrupted for u, p in pos.units.items() if pos.book[u].side == side)
        what = f"collapse level {halves(level)} of {halves(began)}: {len(lost)} lost, {shaken} disrupted now"
        found.append(Tally(side, what, level // 2, "13.1"))
    goal = pos.setting.victory
    if goal.side:
        state = "is reached" if achieved(pos) else "is not reached"
        others = "" if goal.hexes else " (only collapse of the enemy wins)"
        found.append(Tally(goal.side, f"its goal {state}{others}", None, goal.rule))
    else:
        for side in SIDES:
            held = occupied(pos, side, goal.hexes)
            found.append(Tally(side, f"victory hexes held: {' '.join(held) or 'none'}", len(held), goal.rule))
    if pos.setting.approach:
        found.append(
            Tally(AMERICAN, f"foremost unit {foremost(pos)} hexes from a victory hex", None, "HH-17.0")
        )
    return tuple(found)
