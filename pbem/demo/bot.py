"""From a bot's single moves to a list of orders that a seat can sign.

The bot plays ahead on its own copy of the public position, as far as that is of use; what it decided
goes into one entry, sealed from where another seat may decide. It sees what its seat sees, no more.
"""

from __future__ import annotations

import tomllib
from functools import partial

from pbem.demo.foresight import Foresight
from pbem.demo.seeds import derived_number
from pbem.engine.croupier import Player
from pbem.engine.machine import Machine
from pbem.engine.notation import Move, parse, shown_handles, write
from pbem.engine.options import Options, View
from pbem.engine.position import Position
from pbem.engine.waits import Ask, AskSealed, Decision
from pbem.protocol.crypto.keys import SigningKey
from pbem.protocol.papers.times import seconds, stamp
from pbem.protocol.rounds.due import Due
from pbem.table import Table

PAUSE = 20 * 60
"""Seconds that a bot seems to think."""
LONGEST = 60
"""Orders in one entry: with the cards they may show they stay well under its limit."""


def order_text(machine: Machine, pos: Position, move: Move, view: View) -> str:
    """The order line of a move: cards by name, or by slot where no name leads to them.

    Of two cards with one name either will do: a slot in place of the name would tell that there are two.
    """
    text = machine.write_move(pos, move, view)
    meant = parse(text, machine.rules.moves, machine.rules.lookup(pos, view.known))
    return text if move in meant else write(move)


def plan(machine: Machine, pos: Position, options: Options, view: View, bot: Player, seed: int) -> str:
    """The orders of a bot that is asked: what it would do now, and what it would do after that.

    Up to the first order after which chance or another seat decides, the list says exactly what the bot
    does. What follows is thought ahead: answers are prepared, and orders that turn out illegal are skipped.
    """
    lines: list[str] = []
    seat, sure = options.seat, True
    ahead = Foresight(machine, seat, bot, seed, partial(order_text, machine))
    while len(lines) < LONGEST:
        ahead.answered(pos)
        move = bot(pos, options, view)
        if lines and move.claims:
            break
        lines.append(("" if sure else "? ") + order_text(machine, pos, move, view))
        shown = {h: view.known[h] for h in shown_handles(move)}
        now = machine.apply(pos, Decision(seat, move, shown)).position
        wait = machine.waits_for(now)
        if not isinstance(wait, Ask) or wait.options.seat != seat:
            outlook = ahead.after(pos, move, view)
            lines += [f"    {answer}" for answer in outlook.answers]
            if outlook.position is None:
                break
            now, sure = outlook.position, False
        pos = now
        wait = machine.waits_for(pos)
        if not isinstance(wait, Ask) or wait.options.seat != seat or wait.options.looks:
            break
        options = wait.options
        view = View(seat, {h: v for h, v in view.known.items() if h in pos.hidden})
    return "\n".join(lines) + "\n"


def decide(table: Table, owed: Due, bot: Player, seed: int) -> str:
    """What a seat's bot answers to what it owes: a list of orders, or one sealed choice.

    The bot looks at the position as position.toml has it, so that its answer does not depend on how
    long this process has been playing.
    """
    machine = table.ledger.machine
    pos = machine.read(tomllib.loads(table.ledger.position.text()))
    wait = machine.waits_for(pos)
    assert isinstance(wait, (Ask, AskSealed)) and table.secrets is not None
    asked = (wait.options,) if isinstance(wait, Ask) else wait.options
    options = next(one for one in asked if one.seat == owed.seat)
    view = table.secrets.view(options)
    if owed.kind == "sealed":
        return write(bot(pos, options, view))
    return plan(machine, pos, options, view, bot, seed)


def sit_down(table: Table, key: SigningKey, seed: int) -> list[bytes]:
    """Decide as long as the seat is asked; returns its entries, with the answers that follow at once.

    Each decision has a bot of its own, made from the seed and the decision's number, so that a player
    who is interrupted decides the same the next time; and it seems to think for the same while.
    """
    set_clock(table)
    return decide_all(table, key, seed)


def set_clock(table: Table) -> None:
    """A seat of a demonstration signs as if it had thought for a while about what it was asked."""
    table.clock = lambda: stamp(seconds(table.ledger.state.since) + PAUSE)


def decide_all(table: Table, key: SigningKey, seed: int) -> list[bytes]:
    """Decide as long as the seat is asked, by the table's own clock."""
    made: list[bytes] = []
    while (owed := table.due()) is not None and owed.lane == "decide":
        number = derived_number(seed, owed.seat, table.ledger.state.number + 1)
        bot = table.ledger.machine.rules.bot(owed.seat, number)
        raw, received = table.orders(decide(table, owed, bot, number), key)
        made += [raw, *received.answered]
    return made
