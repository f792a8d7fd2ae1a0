"""From a bot's single moves to a list of orders that a seat can sign.

The bot plays ahead on its own copy of the public position as long as it is asked itself and nothing
falls by chance; what it decided goes into one entry. It sees what its seat sees and nothing more.
"""

from __future__ import annotations

from pbem.engine.croupier import Player
from pbem.engine.machine import Machine, shown_handles
from pbem.engine.notation import Move, parse, write
from pbem.engine.options import Options, View
from pbem.engine.position import Position
from pbem.engine.waits import Ask, Decision
from pbem.protocol.rounds import Due
from pbem.protocol.secrets import Secrets

LONGEST = 60
"""Orders in one entry: with the cards they may show they stay well under its limit."""


def order_text(machine: Machine, pos: Position, move: Move, view: View) -> str:
    """The order line of a move: cards by name where that is clear, else by slot."""
    text = machine.write_move(pos, move, view)
    meant = parse(text, machine.rules.moves, machine.rules.lookup(pos, view.known))
    return text if meant == [move] else write(move)


def plan(machine: Machine, pos: Position, options: Options, view: View, bot: Player) -> str:
    """The orders of a bot that is asked, as far as it can go on without others or chance."""
    lines: list[str] = []
    seat = options.seat
    while len(lines) < LONGEST:
        move = bot(pos, options, view)
        lines.append(order_text(machine, pos, move, view))
        if type(move).interrupts:
            break
        shown = {h: view.known[h] for h in shown_handles(move)}
        pos = machine.apply(pos, Decision(seat, move, shown)).position
        wait = machine.waits_for(pos)
        if not isinstance(wait, Ask) or wait.options.seat != seat or wait.options.looks:
            break
        options = wait.options
        view = View(seat, {h: v for h, v in view.known.items() if h in pos.hidden})
    return "\n".join(lines) + "\n"


def decide(machine: Machine, pos: Position, secrets: Secrets, owed: Due, bot: Player) -> str:
    """What a seat's bot answers to what it owes: a list of orders, or one sealed choice."""
    options = owed.options
    assert options is not None
    view = secrets.view(options)
    if owed.kind == "sealed":
        return write(bot(pos, options, view))
    return plan(machine, pos, options, view, bot)
