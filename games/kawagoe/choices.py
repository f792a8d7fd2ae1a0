"""Readings of kawagoe on which players may well differ, each explained; the contract names those chosen."""

from __future__ import annotations

from collections.abc import Mapping

from games.kawagoe.pack import Pack
from pbem.engine.shown import Choice

MEANINGS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "siege_cover": (
        "Who must cover the hexes beside the castle when the besiegers set up?",
        {
            "any-house": "A unit or zone of control of any besieging house will do.",
            "own-house": "It must be a unit or zone of the house in whose area the hex lies.",
        },
    ),
    "general_chit_movement": (
        "How far does a unit go that a general chit names, once its general has marched out of range?",
        {
            "full": "At its full rate: who was named when the phase began moves as named.",
            "halved-out-of-range": "At half rate, like any unit out of command.",
        },
    ),
    "failed_charge": (
        "May a charger go on when its charge fails without costing it anything?",
        {
            "ends-move": "No: every failed charge is the end of that move.",
            "may-go-on": "Yes, if it is unhurt and still beside the hex it charged.",
        },
    ),
    "disordered_advance": (
        "May a disordered unit that wins in defence advance?",
        {"allowed": "Yes: advance is not movement.", "forbidden": "No: it stays where it is."},
    ),
    "attack_across_lake": (
        "May units attack across the lake 伊佐沼 (Isanuma)?",
        {"forbidden": "No: nothing crosses it.", "allowed": "Yes, from the opposite shore."},
    ),
    "honjo_shift": (
        "What is the column shift of an attack from 実城 (the inner bailey) on another bailey?",
        {
            "cancels": "None: one to the right and the siege table's one to the left cancel.",
            "right": "One to the right, in place of the siege table's shift.",
        },
    ),
    "sortie_siege_effects": (
        "Do the siege table's shift and softer results also protect besiegers attacked from inside?",
        {
            "castle-only": "No: only a defender inside the castle has them.",
            "both-ways": "Yes: whoever is attacked over the wall has them.",
        },
    ),
    "stack_retreat": (
        "How does a stack retreat?",
        {
            "unit-by-unit": "One unit after the other, in the enemy's order, each by its own best way.",
            "together": "As one piece, to one hex.",
        },
    ),
    "retreat_into_zoc": (
        "May a unit retreat into an empty hex in an enemy zone of control?",
        {
            "last-resort": "Yes, if no better hex is left.",
            "forbidden": "No: it pushes a comrade or pays with a step instead.",
        },
    ),
    "chain_two_hexes": (
        "May a retreat of two hexes push comrades out of the way?",
        {
            "one-push-each": "Yes: different units, each of them one hex.",
            "forbidden": "No: only a retreat of one hex pushes.",
        },
    ),
    "disordered_at_end": (
        "What are units worth that are in disorder when the game ends?",
        {
            "removed": "They count as gone, for points and for the ring around the castle.",
            "points-only": "Their own points are lost; they still hold hexes and roads.",
        },
    ),
    "named_units": (
        "What do 多目, 弁千代 and 綱成 (Tame, Benchiyo, Tsunashige) give when they fall?",
        {"instead": "Their own points in place of those for steps.", "on-top": "Both."},
    ),
}


def choices(pack: Pack) -> tuple[Choice, ...]:
    """The options of a pack; one that an owner's pack adds has its own summary and no more."""
    found = []
    for option in pack.options.values():
        values = (option.default, *(v for v in option.values if v != option.default))
        question, meanings = MEANINGS.get(option.id, (option.summary, {}))
        rule = option.ruling.rpartition("-")[0] or option.ruling
        found.append(Choice(option.id, values, rule, question, tuple(meanings.get(v, "") for v in values)))
    return tuple(found)
