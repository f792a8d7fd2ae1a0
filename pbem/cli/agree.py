"""What players settle beside the rules: resigning, draws, take-backs, absence, clocks, new keys.

Each of these is an entry of its own, signed and logged like a move. Offers of several seats count
when all agree; an entry out of turn counts from the moment an entry in turn has seen it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import (
    complete_seats,
    confirm,
    game_option,
    open_table,
    signing_key,
    yes_option,
)
from pbem.cli.exchange import out_option
from pbem.errors import NotYourTurnError, RulesError, UsageError

if TYPE_CHECKING:
    from pbem.protocol.bodies import Body
    from pbem.protocol.secrets import Secrets
    from pbem.table import Table


def _sign(table: Table, kind: str, make: Callable[[Secrets], Body], out: Path | None) -> None:
    """Sign an entry of this kind and hand it over."""
    from pbem.cli.order import finish

    _, result = table.play(kind, make, signing_key())
    finish(table, result, out, as_json=False)


def _must_be_on(table: Table) -> None:
    from pbem import report

    if table.seat is None:
        raise NotYourTurnError("you only watch this game", "a player can do this")
    if report.outcome(table):
        raise NotYourTurnError(f"the game is over: {report.outcome(table)}", "`pbem audit` ends it for good")


@click.command("resign")
@out_option
@game_option
@yes_option
def resign_command(out: Path | None, game: str | None, yes: bool) -> None:
    """Give up. With two players the other wins; with more, your seat plays on by default, in the open.

    Example: pbem resign --yes
    """
    table = open_table(game)
    _must_be_on(table)
    left = [s for s in table.contract.invite.seats if s not in table.ledger.state.opened]
    opens = len(left) > 2
    if opens:
        click.echo("your secret of this game goes with it, so that the others can go on without you")
    confirm(f"resign as {table.seat}? this cannot be undone", yes)
    _sign(table, "resign", lambda own: own.resign(), out)


@click.command("draw")
@out_option
@game_option
@yes_option
def draw_command(out: Path | None, game: str | None, yes: bool) -> None:
    """Offer a draw, or accept one that was offered. An offer holds until your next order.

    Example: pbem draw --yes
    """
    from pbem.protocol.bodies import Draw

    table = open_table(game)
    _must_be_on(table)
    offered = _offers(table, "draw")
    confirm(f"accept the draw that {', '.join(offered)} offers?" if offered else "offer a draw?", yes)
    _sign(table, "draw", lambda own: Draw(), out)


def _offers(table: Table, what: str) -> list[str]:
    """The other seats that offer this, logged or waiting to be seen."""
    from pbem.cli.notices import unseen

    found = [s for s, offer in table.ledger.state.offers.items() if offer.split()[0] == what]
    found += [entry.seat for entry in unseen(table) if entry.head.kind == what]
    return [s for s in dict.fromkeys(found) if s != table.seat]


@click.command("takeback")
@click.argument("number", metavar="[N]", required=False, type=click.IntRange(0))
@out_option
@game_option
@yes_option
def takeback_command(number: int | None, out: Path | None, game: str | None, yes: bool) -> None:
    """Offer or accept to go back to the position after entry N.

    Without N: the offer that stands, or else to before your own last decision. All must agree, and
    nothing goes back behind a hidden draw or an opening. Nothing is deleted: the log shows it all.

    Example: pbem takeback 12
    """
    from pbem.protocol.bodies import TakeBack

    table = open_table(game)
    _must_be_on(table)
    to = number if number is not None else _offered_number(table)
    if to is None:
        to = _before_own(table)
    state = table.ledger.state
    if not state.barrier <= to < state.number:
        raise RulesError(
            f"no take-back to entry {to}: something hidden was drawn or opened at entry {state.barrier}",
            f"from {state.barrier} to {state.number - 1} is possible"
            if state.barrier < state.number
            else "nothing can be taken back now",
        )
    offered = _offers(table, "take-back")
    words = f"accept to go back to entry {to}" if offered else f"offer to go back to entry {to}"
    confirm(f"{words}?", yes)
    _sign(table, "take-back", lambda own: TakeBack(to), out)


def _offered_number(table: Table) -> int | None:
    from pbem.cli.notices import unseen
    from pbem.protocol.bodies import TakeBack

    for entry in unseen(table):
        if isinstance(entry.body, TakeBack):
            return entry.body.to
    for seat, offer in table.ledger.state.offers.items():
        if seat != table.seat and offer.startswith("take-back "):
            return int(offer.split()[1])
    return None


def _before_own(table: Table) -> int:
    """The number of the entry before this seat's last decision."""
    from pbem.report import read_log

    last = table.ledger.state.number
    for one in reversed(read_log(table, max(1, last - 200), last) if last else []):
        if one.seat == table.seat and one.kind == "orders":
            return one.number - 1
    raise RulesError("you have decided nothing that could be taken back", "`pbem takeback N` names an entry")


@click.command("absence")
@click.argument("until", metavar="UNTIL|now")
@out_option
@game_option
@yes_option
def absence_command(until: str, out: Path | None, game: str | None, yes: bool) -> None:
    """Say that you will be away: your clock stands still, as far as the contract allows it.

    UNTIL is a day (2026-08-20, to its end, in UTC) or a time (2026-08-20T12:00:00Z). It counts from now
    on; another announcement replaces it, and `pbem absence now` says that you are back. Hours that you
    did not need come back when another player's next decision shows that you were.

    Example: pbem absence 2026-08-20
    """
    from pbem.protocol.bodies import Absence
    from pbem.protocol.clocks import announce, deadline, hours_left
    from pbem.protocol.disputes import with_absences
    from pbem.protocol.times import stamp

    table = open_table(game)
    _must_be_on(table)
    seat, clocks, state = str(table.seat), table.contract.invite.clocks, with_absences(table.ledger)
    sent = max(table.clock(), state.since)
    end = sent if until == "now" else _until(until)
    why = announce(clocks, state, seat, sent, end)
    if why is not None:
        why = "you are not away" if until == "now" else why
        raise RulesError(f"this absence would have no effect: {why}", "`pbem games` says what is left")
    words = "say that you are back" if until == "now" else f"say that you are away until {end}"
    click.echo(f"{hours_left(clocks, state, seat)} of {clocks.absence} hours of absence are left then")
    owed = table.due()
    if owed is not None and state.clock:
        click.echo(f"your clock then runs until {stamp(deadline(clocks, state, owed))}")
    confirm(f"{words}?", yes)
    _sign(table, "absence", lambda own: Absence(end), out)


def _until(text: str) -> str:
    """A day, to its end, or a time, as entries write it."""
    from pbem.errors import MalformedError
    from pbem.protocol.bodies import Absence
    from pbem.protocol.shapes import check

    end = text if "T" in text else f"{text}T23:59:59Z"
    try:
        check(Absence(end))
    except MalformedError:
        raise UsageError(
            f"{text!r} is no day and no time", "write it as 2026-08-20 or 2026-08-20T12:00:00Z"
        ) from None
    return end


@click.command("claim")
@out_option
@game_option
@yes_option
def claim_command(out: Path | None, game: str | None, yes: bool) -> None:
    """Claim that someone's clock has run out; after the grace of the contract, again for the forfeit.

    The first claim gives notice. If nothing comes in the time of grace, the second ends the game
    against those who did not play on. A claim before its time is refused here.

    Example: pbem claim --yes
    """
    from pbem.protocol.bodies import ClaimTime, Forfeit

    table = open_table(game)
    if table.seat is None:
        raise NotYourTurnError("you only watch this game", "a player can do this")
    late, claimed = _late(table)
    if claimed is None:
        confirm(f"claim that the clock of {', '.join(late)} has run out?", yes)
        _sign(table, "claim", lambda own: ClaimTime(late, own.ledger.state.question), out)
    else:
        confirm(f"end the game by forfeit of {', '.join(late)}?", yes)
        _sign(table, "forfeit", lambda own: Forfeit(late, claimed, own.ledger.state.question), out)


def _late(table: Table) -> tuple[tuple[str, ...], str | None]:
    """Whose clock has run out, and when that was claimed if now the grace has run out, too."""
    from pbem.protocol.clocks import deadline, forfeit_at, late_at
    from pbem.protocol.disputes import with_absences
    from pbem.protocol.times import seconds

    missing = table.ledger.missing()
    if not missing:
        raise NotYourTurnError("nobody owes anything", "`pbem status` says how the game stands")
    if table.seat in missing:
        raise NotYourTurnError("you owe an entry of this round yourself", "give it first")
    state, clocks, now = with_absences(table.ledger), table.contract.invite.clocks, table.clock()
    claimed = table.ledger.claimed(str(table.seat))
    late = late_at(clocks, state, missing, claimed) if claimed is not None else ()
    if claimed is not None and late:
        end = forfeit_at(clocks, claimed)
        if now < end:
            raise _not_yet("grace", late, seconds(end) - seconds(now))
        return late, claimed
    late = late_at(clocks, state, missing, now)
    if not late:
        first = min(deadline(clocks, state, owed) for owed in missing.values())
        raise _not_yet("clock", tuple(missing), first - seconds(now))
    return late, None


def _not_yet(what: str, late: tuple[str, ...], left: int) -> NotYourTurnError:
    return NotYourTurnError(
        f"the {what} of {', '.join(late)} has not run out yet", f"{left // 3600 + 1} hours are left"
    )


@click.command("rekey")
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(allow_dash=True))
@click.option("--seat", shell_complete=complete_seats, help="Your seat, if this home does not know it.")
@out_option
@game_option
@yes_option
def rekey_command(file: str | None, seat: str | None, out: Path | None, game: str | None, yes: bool) -> None:
    """Go on with a new key, by consent of the others; or consent to someone else's.

    Whose key is lost or stolen makes a new one (`pbem key new` in a new home), runs this in the
    game folder and mails the file to the others. They make sure, by voice, that it is really them,
    and run it with FILE. Old seals stay with the old key.

    Example: pbem rekey ben-new-key.pbem
    """
    from pbem.cli import rekeying

    table = open_table(game)
    if file is None:
        rekeying.ask(table, seat, out, yes)
    else:
        paper = rekeying.read(table, file)
        confirm(f"go on with this key of {paper.seat}? be sure, by voice, that it is theirs", yes)
        _sign(table, "rekey", lambda own: rekeying.body(paper), out)
