"""What a seat does beside its orders, from the page: said first, signed with the ticket for what was said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pbem.doing import agreeing, standing
from pbem.doing.key import Key
from pbem.doing.playing import finish, sign
from pbem.doing.receiving import News
from pbem.errors import NotYourTurnError, PbemError, UsageError
from pbem.protocol.papers.bodies import Body, Draw, Revoke, Say, TakeBack
from pbem.protocol.papers.body_checks import SAID, check
from pbem.protocol.rounds.own_secrets import Secrets
from pbem.table import Table


@dataclass(frozen=True)
class Act:
    """Something that would be signed."""

    told: str
    sign: Callable[[Key], News]


def act(table: Table, what: str, words: tuple[str, ...]) -> Act:
    """What it means; nothing is signed by asking."""
    if what == "say":
        return _say(table, " ".join(words))
    if what == "audit":
        agreeing.must_play(table)
        told = "Publish your secret of this game, so that every hidden thing in it can be checked."
        return Act(told, lambda key: finish(table, table.publish()))
    agreeing.must_be_on(table)
    match what:
        case "draw":
            return _draw(table)
        case "takeback":
            return _takeback(table, words)
        case "resign":
            return _resign(table)
        case "standing":
            return _standing(table, words)
        case "revoke":
            kind = words[0] if words else ""
            standing.must_be_in_force(table, kind)
            return _act(table, "revoke", f"End the standing order for {kind}.", lambda own: Revoke(kind))
        case "late":
            return _late(table)
        case "absence":
            return _absence(table, words[0] if words else "")
    raise UsageError("there is no such thing to do")


def _act(table: Table, kind: str, told: str, make: Callable[[Secrets], Body]) -> Act:
    return Act(told, lambda key: sign(table, kind, make, key))


def _say(table: Table, text: str) -> Act:
    agreeing.must_play(table)
    table.must_decide_here()
    try:
        check(Say(text))
    except PbemError:
        raise UsageError("say it in one line", f"at most {SAID} characters") from None
    return _act(table, "say", f"Say to the others, signed and part of the log: {text}", lambda own: Say(text))


def _late(table: Table) -> Act:
    body = agreeing.call(table)
    told = f"Say that {', '.join(body.seats)} did not answer in time, by the clock of this machine."
    if agreeing.can_count(table, body.seats):
        told += " When all the others and the witness have said so, too, they are out."
    else:
        told += " Without a witness it puts nobody out: it stands in the record."
    return _act(table, "late", told, lambda own: body)


def _draw(table: Table) -> Act:
    agreeing.must_be_asked(table)
    offered = agreeing.offered_by(table, "draw")
    told = f"Accept the draw that {', '.join(offered)} offers." if offered else "Offer a draw."
    return _act(table, "draw", told, lambda own: Draw())


def _takeback(table: Table, words: tuple[str, ...]) -> Act:
    agreeing.must_be_asked(table)
    wanted = words[0] if words else ""
    if wanted and not (wanted.isascii() and wanted.isdecimal() and len(wanted) < 10):
        raise UsageError(f"{wanted!r} is no number of an entry", "the report has them")
    to = agreeing.takeback_to(table, int(wanted) if wanted else None)
    offered = agreeing.offered_by(table, "take-back")
    told = f"{'Accept' if offered else 'Offer'} to go back to the position after entry {to}."
    return _act(table, "take-back", told, lambda own: TakeBack(to))


def _absence(table: Table, until: str) -> Act:
    leave = agreeing.leave(table, until)
    told = "Say that you are back" if until == "now" else f"Be away until {leave.body.until}"
    told += f": {leave.left} of {leave.of} hours of absence are left then."
    return _act(table, "absence", told, lambda own: leave.body)


def _resign(table: Table) -> Act:
    if table.due() is None:
        raise NotYourTurnError("nothing is asked of you now", "resign when it is your turn to answer")
    told = f"Give up this game as {table.seat}. It cannot be undone."
    if agreeing.opens_secret(table):
        told += " Your secret of this game goes with it, so that the others can go on without you."
    return _act(table, "resign", told, lambda own: own.resign())


def _standing(table: Table, words: tuple[str, ...]) -> Act:
    if len(words) < 2 or not words[0]:
        raise UsageError("a standing order needs a kind of decision and at least one answer")
    kind, *lines = words
    standing.check_kind(table, kind)
    standing.check_answers(table, lines)
    told = f"Answer every {kind!r} with the first legal of: {'; '.join(lines)}."
    prev = table.ledger.last_aside(str(table.seat))
    return _act(table, "standing", told, lambda own: own.standing(kind, tuple(lines), False, prev))
