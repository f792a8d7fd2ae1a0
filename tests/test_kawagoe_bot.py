"""The bot of kawagoe plays lawfully to the end, knows a good fight, and is the same for the same seed."""

from __future__ import annotations

import random

from games.kawagoe.bot import player
from games.kawagoe.rules import KAWAGOE
from pbem.engine.croupier import Croupier
from pbem.engine.machine import Machine
from pbem.engine.waits import Over

PACK = KAWAGOE.load_pack()


def play(seed, options=None):
    """A whole game between the bots: the events, and how it ended."""
    machine = Machine(KAWAGOE, PACK)
    croupier = Croupier(machine, random.Random(seed))
    players = {"hojo": player("hojo", seed), "anti": player("anti", seed)}
    result = croupier.settle(machine.start("kawagoe", options or {}, ("hojo", "anti")))
    told = [event.table() for event in result.events]
    while not isinstance(machine.waits_for(result.position), Over):
        result = croupier.play(result.position, players)
        told += [event.table() for event in result.events]
    return told, result.position


def test_a_game_ends_lawfully_and_the_same_seed_gives_the_same_game():
    told, pos = play(1)
    assert pos.outcome is not None and pos.outcome.level in ("decisive", "victory", "marginal")
    assert play(1)[0] == told
