"""What a seat does beside its orders, from the page: said first, signed with the ticket for what was said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pbem.errors import NotYourTurnError, UsageError
from pbem.protocol.bodies import Draw, Resign, Revoke, TakeBack
from pbem.protocol.keys import SigningKey
from pbem.table import Received, Table

Key = Callable[[], SigningKey]


@dataclass(frozen=True)
class Act:
    """Something that would be signed."""

    told: str
    sign: Callable[[Key], Received]


def act(table: Table, what: str, words: tuple[str, ...]) -> Act:
    """What it means; nothing is signed by asking."""
    if table.seat is None:
        raise NotYourTurnError("you only watch this game", "a player can do this")
    match what:
        case "draw":
            return _act(table, "draw", "Offer a draw, or accept the one that is offered.", lambda own: Draw())
        case "takeback":
            return _takeback(table, words)
        case "resign":
            told = "Give up this game. It cannot be undone."
            return _act(table, "resign", told, lambda own: _resignation(table, own))
        case "standing":
            return _standing(table, words)
        case "revoke":
            kind = words[0] if words else ""
            told = f"End the standing order for {kind}."
            return _act(table, "revoke", told, lambda own: Revoke(kind))
        case "audit":
            told = "Publish your secret of this game, so that every hidden thing can be checked. It is over."
            return Act(told, lambda key: table.publish())
    raise UsageError("there is no such thing to do")


def _act(table: Table, kind: str, told: str, make: Callable[..., object]) -> Act:
    return Act(told, lambda key: table.play(kind, make, key())[1])  # type: ignore[arg-type]


def _takeback(table: Table, words: tuple[str, ...]) -> Act:
    if not words or not words[0].isdecimal():
        raise UsageError("to which entry?", "give the number of the entry to go back to")
    to = int(words[0])
    if not table.ledger.state.barrier <= to < table.ledger.state.number:
        raise UsageError(f"no take-back to entry {to}: something hidden was drawn or opened since")
    told = f"Offer to go back to entry {to}, or accept that. Dice are thrown anew from there."
    return _act(table, "take-back", told, lambda own: TakeBack(to))


def _standing(table: Table, words: tuple[str, ...]) -> Act:
    if len(words) < 2:
        raise UsageError("a standing order needs a kind of decision and at least one answer")
    kind, *lines = words
    told = f"Answer every {kind!r} with the first legal of: {'; '.join(lines)}."
    seq = table._next(str(table.seat), "decide")[0]
    return _act(table, "standing", told, lambda own: own.standing(kind, tuple(lines), False, seq))


def _resignation(table: Table, own: object) -> Resign:
    left = [s for s in table.contract.invite.seats if s not in table.ledger.state.opened]
    if len(left) > 2:
        raise UsageError("with three or more players, resigning publishes your secret", "use `pbem resign`")
    return Resign()
