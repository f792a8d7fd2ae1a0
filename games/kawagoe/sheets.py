"""What an aid card of kawagoe would show: the tables, costs, counters, chits and points of a pack."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields

from games.kawagoe.display import HOUSE_NAMES
from games.kawagoe.pack import Pack
from games.kawagoe.victory import CLASS_POINTS, INTRUSION, LINE, NAMED_POINTS, SIEGE, STEP
from pbem.engine.shown import Sheet


def sheets(pack: Pack) -> tuple[Sheet, ...]:
    """Everything printed."""
    return (
        _crt(pack),
        _modifiers(),
        _siege(),
        _movement(pack),
        _hojo(pack),
        _generals(pack),
        _pools(pack),
        _chits(pack),
        _points(),
    )


def _crt(pack: Pack) -> Sheet:
    rows = tuple((str(die), *cells) for die, cells in pack.crt.rows.items())
    note = (
        "odds round for the defender; A and D: the attacker's and the defender's loss in steps or hexes, E: "
        "destroyed, 乱戦 (melee): one step each and no retreat"
    )
    return Sheet("crt", "Combat results (戦闘結果表)", ("die", *pack.crt.columns), rows, "9.2", note)


def _modifiers() -> Sheet:
    rows = (
        ("all attackers across a river", "column one to the left", "9.42"),
        ("all across water, a stream among them", "die +1", "9.42"),
        ("defender in marsh", "column one to the left", "9.4"),
        ("defender in woods", "die +1", "9.4"),
        ("besieger out of command", "strength halved, fractions up", "10.3"),
        ("綱成, 弁千代 under 勝った勝った", "attack doubled, outside or out of a gate", "5.33"),
    )
    return Sheet("modifiers", "Terrain and command in combat", ("what", "effect", "rule"), rows, "9.4")


def _siege() -> Sheet:
    rows = (
        ("column", "as it is", "one to the left", "one to the left"),
        ("A1/D1, A1/D2", "as they are", "A1, A1/D1", "A1, A1/D1"),
        ("attacker's own losses", "steps or retreat", "besiegers: steps only", "besiegers: steps only"),
        ("advance", "as usual", "one hex", "one hex"),
        ("charge", "as usual", "none", "none, out through a gate only"),
    )
    heads = ("", "same bailey", "from another bailey", "from outside")
    note = "all attackers in 実城 (inner bailey): the shift to the left does not count"
    return Sheet("siege", "Siege table (攻城戦)", heads, rows, "9.54", note)


def _movement(pack: Pack) -> Sheet:
    words = {"stream": "across a stream, more", "river": "across a river, more", "road": "along a road"}
    rows = [(words.get(f.name, f.name), str(getattr(pack.costs, f.name))) for f in fields(pack.costs)]
    rows.append(("charge, more", "3"))
    note = "the lake and walls without a gate are closed; an enemy zone of control ends the move"
    return Sheet("movement", "Movement points (移動ポイント)", ("into", "points"), tuple(rows), "6.12", note)


def _sides(strength: tuple[int, ...], movement: tuple[int, ...]) -> str:
    return "  ".join(f"{s}-{m}" for s, m in zip(strength[:0:-1], movement[:0:-1], strict=True))


def _hojo(pack: Pack) -> Sheet:
    rows = tuple(
        (unit.id, unit.name, unit.group, _sides(unit.strength, unit.movement))
        for unit in pack.units.values()
        if unit.house is None
    )
    heads = ("id", "name", "group", "strength-movement with 3, 2, 1 steps")
    return Sheet("hojo", "Hojo units (北条方)", heads, rows, "4.1")


def _generals(pack: Pack) -> Sheet:
    rows = []
    for unit in pack.units.values():
        if unit.house is not None:
            house, values = HOUSE_NAMES[unit.house][0], _sides(unit.strength, unit.movement)
            rows.append((unit.id, unit.name, house, str(unit.cls), str(unit.command), values))
    heads = ("id", "name", "house", "class", "command", "strength-movement")
    return Sheet("generals", "The besiegers' generals (大将)", heads, tuple(rows), "10.2")


def _pools(pack: Pack) -> Sheet:
    rows = []
    for house, pool in pack.pools.items():
        kinds = Counter((i.name, i.cls, i.strength) for i in pool.identities)
        for (name, cls, strength), count in kinds.items():
            values = str(strength), str(pool.movement)
            rows.append((HOUSE_NAMES[house][0], str(count), name, str(cls), *values))
    heads = ("house", "count", "who", "class", "strength", "movement")
    note = "nobody knows who stands behind a counter until it fights (11.2)"
    return Sheet("pools", "武将 and 雑兵 (captains and levies)", heads, tuple(rows), "11.2", note)


def _chits(pack: Pack) -> Sheet:
    rows = tuple((chit.id, chit.name, chit.side, str(chit.count), chit.kind) for chit in pack.chits.values())
    heads = ("id", "name", "side", "count", "for")
    note = "each turn the Hojo put two into the cup, the besiegers three"
    return Sheet("chits", "Activation chits (手番チット)", heads, rows, "5.11", note)


def _points() -> Sheet:
    gone = [(cls, points) for cls, points in CLASS_POINTS.items() if points]
    rows = (
        ("hojo", "line of communication from the castle to the entry area", str(LINE), "13.1"),
        *(("hojo", f"each {cls} gone or in disorder", str(points), "13.1") for cls, points in gone),
        ("anti", "siege ring closed", str(SIEGE), "13.2"),
        ("anti", "each Hojo step lost", str(STEP), "13.2"),
        *(("anti", f"{unit} gone", str(points), "13.2") for unit, points in NAMED_POINTS.items()),
        ("anti", "a besieger in the castle", str(INTRUSION), "13.2"),
    )
    heads = ("side", "what", "points", "rule")
    note = "13.5: a lead of 40 is decisive, of 20 a victory, less is narrow; equal is a narrow Hojo win"
    return Sheet("points", "Victory points (勝利得点)", heads, rows, "13.0", note)
