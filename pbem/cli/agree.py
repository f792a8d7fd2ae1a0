"""What players settle beside the rules: resigning, draws, take-backs, absence, clocks, new keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import (
    ask_passphrase,
    complete_seats,
    confirm,
    game_option,
    home,
    open_table,
    signing_key,
    yes_option,
)
from pbem.cli.exchange import out_option
from pbem.errors import NotYourTurnError, UsageError

if TYPE_CHECKING:
    from pbem.protocol.papers.bodies import Body
    from pbem.protocol.rounds.own_secrets import Secrets
    from pbem.table import Table


CLOCKS = ("move", "grace", "audit", "absence")


def _sign(table: Table, kind: str, make: Callable[[Secrets], Body], out: Path | None) -> None:
    """Sign an entry of this kind, hand it over, and say so."""
    from pbem.cli.said import show_played
    from pbem.doing.playing import sign

    show_played(sign(table, kind, make, signing_key, out))


@click.command("resign")
@out_option
@game_option
@yes_option
def resign_command(out: Path | None, game: str | None, yes: bool) -> None:
    """Give up, in the place of what you are asked. With two players the other wins.

    With more your seat plays on by default, in the open, from the secret that you publish with it.

    Example: pbem resign --yes
    """
    from pbem.doing.agreeing import must_be_on, opens_secret

    table = open_table(game)
    must_be_on(table)
    if table.due() is None:
        raise NotYourTurnError("nothing is asked of you now", "resign when it is your turn to answer")
    if opens_secret(table):
        click.echo("your secret of this game goes with it, so that the others can go on without you")
    confirm(f"resign as {table.seat}? this cannot be undone", yes)
    _sign(table, "resign", lambda own: own.resign(), out)


@click.command("say")
@click.argument("text", nargs=-1, required=True)
@click.option("--now", is_flag=True, help="In a mail of its own, even if a move of yours is due.")
@out_option
@game_option
def say_command(text: tuple[str, ...], now: bool, out: Path | None, game: str | None) -> None:
    """A word to the others: signed, shown in mail, log and replay, never interpreted.

    If a move of yours is due it goes with that, and costs no mail; `pbem play --say TEXT` does both.

    Example: pbem say well played
    """
    from pbem.cli.said import echo_handed, raise_unsent
    from pbem.doing.agreeing import must_play
    from pbem.doing.playing import say

    table = open_table(game)
    must_play(table)
    table.must_decide_here()
    news = say(table, " ".join(text), signing_key, out, now)
    if news.handed is None:
        click.echo("signed; it goes with your next move (`pbem send` hands it over now)")
        return
    echo_handed(table, news.handed)
    raise_unsent(news.handed)


@click.command("draw")
@click.option("--decline", is_flag=True, help="Say that you do not agree to a draw that was offered.")
@out_option
@game_option
@yes_option
def draw_command(decline: bool, out: Path | None, game: str | None, yes: bool) -> None:
    """Offer a draw, or agree to one. It counts when all have offered it, before anybody plays on.

    Example: pbem draw --yes
    """
    from pbem.doing.agreeing import must_be_asked, must_be_on, offered_by
    from pbem.protocol.papers.bodies import Draw, Say

    table = open_table(game)
    must_be_on(table)
    must_be_asked(table)
    offered = offered_by(table, "draw")
    if decline:
        if not offered:
            raise UsageError("nobody offers a draw", "`pbem games` lists what is offered")
        confirm(f"decline the draw that {', '.join(offered)} offers?", yes)
        _sign(table, "say", lambda own: Say("no draw: I play on"), out)
        return
    confirm(f"accept the draw that {', '.join(offered)} offers?" if offered else "offer a draw?", yes)
    _sign(table, "draw", lambda own: Draw(), out)


@click.command("takeback")
@click.argument("number", metavar="[N]", required=False, type=click.IntRange(0))
@out_option
@game_option
@yes_option
def takeback_command(number: int | None, out: Path | None, game: str | None, yes: bool) -> None:
    """Offer or accept to go back to the position after entry N.

    Without N: the offer that stands, or else to before your own last decision. All must agree, before
    anybody plays on, and nothing goes back behind a hidden draw or an opening. Nothing is deleted: the
    log shows it all.

    Example: pbem takeback 12
    """
    from pbem.doing.agreeing import must_be_asked, must_be_on, offered_by, takeback_to
    from pbem.protocol.papers.bodies import TakeBack

    table = open_table(game)
    must_be_on(table)
    must_be_asked(table)
    to = takeback_to(table, number)
    accepts = bool(offered_by(table, "take-back"))
    confirm(f"{'accept' if accepts else 'offer'} to go back to entry {to}?", yes)
    _sign(table, "take-back", lambda own: TakeBack(to), out)


@click.command("absence")
@click.argument("until", metavar="UNTIL|now")
@out_option
@game_option
@yes_option
def absence_command(until: str, out: Path | None, game: str | None, yes: bool) -> None:
    """Say that you will be away: the others' clocks wait for you, as far as the contract allows it.

    UNTIL is a day (2026-08-20, to its end, in UTC) or a time (2026-08-20T12:00:00Z). It counts when the
    next decision takes it in; another announcement replaces it, and `pbem absence now` says that you are
    back. Hours that you announced are used up, also if you come back earlier.

    Example: pbem absence 2026-08-20
    """
    from pbem.doing.agreeing import leave

    table = open_table(game)
    found = leave(table, until)
    click.echo(f"{found.left} of {found.of} hours of absence are left then")
    if found.clock:
        click.echo(f"your clock then runs until {found.clock}")
    back = until == "now"
    confirm("say that you are back?" if back else f"say that you are away until {found.body.until}?", yes)
    _sign(table, "absence", lambda own: found.body, out)


@click.command("late")
@out_option
@game_option
@yes_option
def late_command(out: Path | None, game: str | None, yes: bool) -> None:
    """Say that someone has not answered in time, by the clock of this machine.

    When all other players and the witness of the contract have said so, and are more than those they
    name, these are out: of two players the other wins, of more the others go on. An answer that comes
    before that counts. Between two players without a witness it is a word for the record.

    Example: pbem late --yes
    """
    from pbem.doing.agreeing import call, can_count

    table = open_table(game)
    body = call(table)
    names = ", ".join(body.seats)
    if not can_count(table, body.seats):
        click.echo("this game has no witness: what you sign puts nobody out, it stands in the record")
    confirm(f"say that {names} did not answer in time?", yes)
    _sign(table, "late", lambda own: body, out)


@click.command("rekey")
@click.option("--seat", shell_complete=complete_seats, help="Your seat, if this home does not know it.")
@click.option(
    "--with",
    "signer",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file of the key that you had, or of its spare key: it signs for the new one.",
)
@out_option
@game_option
@yes_option
def rekey_command(
    seat: str | None, signer: Path | None, out: Path | None, game: str | None, yes: bool
) -> None:
    """Go on with a new key, or agree to the new key of someone else.

    If your key is lost or stolen, make a new one (`pbem key new` in a new home) and run this in the game
    folder, --with the old key or its spare key. The others make sure, by voice, that it is really you,
    and run `pbem rekey`. The new key counts when all have agreed, before anybody plays on.

    Example: pbem rekey --with ~/spare
    """
    from pbem.doing import rekeying

    table = open_table(game)
    if signer is None:
        wish = rekeying.wish(table)
        click.echo(f"{wish.player} ({wish.seat}) asks to go on with another key")
        click.echo(f"  until now: {wish.old}")
        click.echo(f"  from now:  {wish.new}")
        confirm(f"go on with this key of {wish.seat}? be sure, by voice, that it is theirs", yes)
        _sign(table, "rekey", lambda own: own.rekey(wish.text), out)
        return
    _ask_for_key(table, seat, signer, out, yes)


def _ask_for_key(table: Table, seat: str | None, file: Path, out: Path | None, yes: bool) -> None:
    """Offer to go on with the key of this home, signed with the one that the seat had, or its spare one."""
    from pbem.cli.said import show_played
    from pbem.doing import rekeying
    from pbem.doing.playing import sign
    from pbem.protocol.crypto.keys import load_private

    key = signing_key()
    mine = rekeying.asking_seat(table, seat, key)
    old = load_private(file.read_bytes(), lambda: ask_passphrase(f"passphrase of {file}"))
    rekeying.check_signer(table, mine, old)
    confirm(f"ask the others to go on with {key.fingerprint} for {mine}?", yes)
    table = rekeying.sit_down(home(), table, mine, old)
    body = rekeying.offer(home(), table, mine, key)
    show_played(sign(table, "rekey", lambda own: body, lambda: old, out))
    click.echo(f"fingerprint: {key.fingerprint} (read it to the others over the phone)")


@click.command("terms")
@click.option("--move", type=click.IntRange(1), metavar="HOURS", help="Hours for a decision.")
@click.option("--grace", type=click.IntRange(1), metavar="HOURS", help="Hours of grace after that.")
@click.option(
    "--audit", type=click.IntRange(1), metavar="HOURS", help="Hours to publish the secret at the end."
)
@click.option("--absence", type=click.IntRange(1), metavar="HOURS", help="Hours that each may be away.")
@out_option
@game_option
@yes_option
def terms_command(out: Path | None, game: str | None, yes: bool, **clocks: int | None) -> None:
    """Offer other clocks for the rest of the game; without an option, agree to those that are offered.

    They count when all have offered the same, before anybody plays on.

    Example: pbem terms --move 72
    """
    from pbem.doing.agreeing import must_be_asked, must_be_on, offers
    from pbem.protocol.papers.bodies import Terms

    table = open_table(game)
    must_be_on(table)
    must_be_asked(table)
    given = {name: value for name, value in clocks.items() if value is not None}
    standing = [
        e.body for s, e in offers(table, "terms").items() if s != table.seat and isinstance(e.body, Terms)
    ]
    if not given and not standing:
        raise UsageError("nobody offers other terms", "pbem terms --move 72")
    body = Terms("", *(given.get(name, 0) for name in CLOCKS)) if given else standing[0]
    changes = {
        name: getattr(body, name) for name in ("move", "grace", "audit", "absence") if getattr(body, name)
    }
    told = ", ".join(f"{name} {value} hours" for name, value in changes.items())
    confirm(f"{'offer' if given else 'agree to'} other terms: {told}?", yes)
    _sign(table, "terms", lambda own: body, out)
