"""How a game stands or ended, as facts for machines: a ladder or a data set is made of them."""

from __future__ import annotations

from typing import Any

from pbem.protocol.log.ledger import Ledger


def result(ledger: Ledger) -> dict[str, Any]:
    """Who played what by which rules and when, who won and how; all of it from what was signed."""
    contract, pos, state = ledger.contract, ledger.position, ledger.state
    invite, end, fork = contract.invite, pos.outcome, ledger.split
    return {
        "game_id": contract.game.hex(),
        "game": invite.rules,
        "version": invite.version,
        "data": invite.data,
        "scenario": invite.scenario,
        "options": dict(invite.options),
        "players": {seat.name: seat.player for seat in contract.seats.values()},
        "seats": list(invite.seats),
        "begun": contract.begin,
        "last": state.since or contract.begin,
        "turn": pos.turn,
        "over": end is not None or fork is not None,
        "winners": list(end.winners) if end is not None else [],
        "level": end.level if end is not None else "",
        "ending": end.reason.encoded() if end is not None else None,
        "out": {
            seat: {"why": one.why.value, "fault": one.fault.encoded() if one.fault else None}
            for seat, one in state.gone.items()
        },
        "fork": list(fork.named) if fork is not None else None,
        "score": [
            {"seat": one.seat, "what": one.what, "points": one.points, "rule": one.rule}
            for one in ledger.machine.rules.score(pos)
        ],
    }
