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
from pbem.errors import UsageError

if TYPE_CHECKING:
    from pbem.protocol.papers.bodies import Body
    from pbem.protocol.rounds.own_secrets import Secrets
    from pbem.table import Table


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
    """Give up. With two players the other wins; with more, your seat plays on by default, in the open.

    Example: pbem resign --yes
    """
    from pbem.doing.agreeing import must_be_on, opens_secret

    table = open_table(game)
    must_be_on(table)
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
    """Offer a draw, or accept one that was offered. An offer holds until somebody plays on.

    Example: pbem draw --yes
    """
    from pbem.doing.agreeing import must_be_on, offered_by
    from pbem.protocol.papers.bodies import Draw, Say

    table = open_table(game)
    must_be_on(table)
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
    from pbem.doing.agreeing import must_be_on, offered_by, takeback_to
    from pbem.protocol.papers.bodies import TakeBack

    table = open_table(game)
    must_be_on(table)
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
    """Say that you will be away: your clock stands still, as far as the contract allows it.

    UNTIL is a day (2026-08-20, to its end, in UTC) or a time (2026-08-20T12:00:00Z). It counts from now
    on; another announcement replaces it, and `pbem absence now` says that you are back. Hours that you
    did not need come back when another player's next decision shows that you were.

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


@click.command("claim")
@out_option
@game_option
@yes_option
def claim_command(out: Path | None, game: str | None, yes: bool) -> None:
    """Claim that someone's clock has run out; after the grace of the contract, again for the forfeit.

    The first claim gives notice. If nothing comes in the time of grace, the second ends the game
    against those who did not play on. Of three or more players the others go on: their programs put
    the secret of the seat together, and it plays on in the open, by default. A claim before its time
    is refused here.

    Example: pbem claim --yes
    """
    from pbem.doing.agreeing import claim, others_go_on
    from pbem.protocol.papers.bodies import Forfeit

    table = open_table(game)
    body = claim(table)
    late = ", ".join(body.seats)
    open_on = others_go_on(table, body.seats)
    if isinstance(body, Forfeit):
        confirm(f"{late} to forfeit: {'the others go on' if open_on else 'the game ends'}?", yes)
        _sign(table, "forfeit", lambda own: body, out)
    else:
        confirm(f"claim that the clock of {late} has run out?", yes)
        _sign(table, "claim", lambda own: body, out)


@click.command("rekey")
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(allow_dash=True))
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
    file: str | None, seat: str | None, signer: Path | None, out: Path | None, game: str | None, yes: bool
) -> None:
    """Go on with a new key, by consent of the others; or consent to someone else's.

    Whose key is lost or stolen makes a new one (`pbem key new` in a new home), runs this in the
    game folder, signed by the old key or by its spare key, and mails the file to the others. They make
    sure, by voice, that it is really them, and run it with FILE. Old seals stay with the old key.

    Example: pbem rekey ben-new-key.pbem
    """
    from pbem.doing import rekeying
    from pbem.protocol.crypto.keys import load_private

    table = open_table(game)
    if file is None:
        key = signing_key()
        mine = rekeying.asking_seat(table, seat, key)
        if signer is None:
            raise UsageError(
                "a new key needs the signature of the old one, or of its spare key",
                "--with FILE (the spare key is the file `spare` of the home in which you joined)",
            )
        old = load_private(signer.read_bytes(), lambda: ask_passphrase(f"passphrase of {signer}"))
        rekeying.check_signer(table, mine, old)
        confirm(f"ask the others to go on with {key.fingerprint} for {mine}?", yes)
        place = out or Path(f"{mine}-new-key.pbem")
        rekeying.ask(home(), table, mine, key, old, place)
        click.echo(f"fingerprint: {key.fingerprint} (read it to the others over the phone)")
        click.echo(f"written: {place}; mail it to the others, who run `pbem rekey {place.name}`")
        return
    wish = rekeying.read(table, file)
    click.echo(f"{wish.player} ({wish.seat}) asks to go on with another key")
    click.echo(f"  until now: {wish.old}")
    click.echo(f"  from now:  {wish.new}")
    confirm(f"go on with this key of {wish.seat}? be sure, by voice, that it is theirs", yes)
    _sign(table, "rekey", lambda own: own.consent(wish.text), out)
