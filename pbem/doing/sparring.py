"""The bots of a practice game: homes of their own inside the player's, and what they answer at once.

A bot's home knows what its seat knows and no more; it is at `practice/TABLE/SEAT` in the player's home. A bot
agrees to every take-back and every draw that it is offered: it is there to be practised with.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import UsageError
from pbem.home import Home
from pbem.outgoing import outgoing

if TYPE_CHECKING:
    from pbem.table import Table

FOLDER = "practice"
ROUNDS = 10_000
"""So often entries go to and fro before a game that never comes to the player is given up."""


def partners(table: Table) -> dict[str, Home]:
    """The bots' homes by seat; none in a game against people."""
    if table.home is None:
        return {}
    folder = table.home.path / FOLDER / table.contract.invite.table
    return {one.name: Home(one) for one in sorted(folder.iterdir())} if folder.is_dir() else {}


def spar(table: Table) -> list[str]:
    """Let the bots answer until the player is asked or the game is over; what they did, in words."""
    from pbem import report
    from pbem.table import Table as Opened

    assert table.seat is not None
    first = table.ledger.state.number + 1
    bots = {seat: Opened.open(_folder(home), home) for seat, home in partners(table).items()}
    for _ in range(ROUNDS):
        moved = False
        for seat, bot in bots.items():
            others = [table, *(other for other in bots.values() if other is not bot)]
            moved |= _answer(bot, [raw for other in others for raw in outgoing(other, seat)])
        result = table.receive([raw for bot in bots.values() for raw in outgoing(bot, table.seat)])
        if result.refused:
            raise result.refused[0]
        if not (moved or result.logged or result.answered):
            return report.lines(table, report.read_log(table, first, table.ledger.state.number))
    raise UsageError("the bots do not come to an end", "this is a fault of the game's rules or of its bot")


def _folder(home: Home) -> Path:
    (folder,) = home.games().values()
    return folder


def _answer(bot: Table, raws: Sequence[bytes]) -> bool:
    """One bot takes in what came and decides as long as it is asked."""
    from pbem.demo.bot import decide_all

    assert bot.home is not None
    with bot.sitting():
        result = bot.receive(raws)
        if result.refused:
            raise result.refused[0]
        made = _agree(bot) or decide_all(bot, bot.home.key(), int.from_bytes(bot.contract.game[:4], "big"))
        owed = bot.due()
        over = owed is not None and owed.kind == "audit"
        if over:
            bot.publish()
    return bool(result.logged or result.answered or made or over)


def _agree(bot: Table) -> list[bytes]:
    """Agree to what the player offers; deciding now would be to refuse it."""
    from pbem.doing.agreeing import offers, takeback_to
    from pbem.protocol.papers.bodies import Draw, TakeBack

    assert bot.home is not None and bot.seat is not None
    for kind in ("take-back", "draw"):
        made = offers(bot, kind)
        if made and bot.seat not in made:
            body = Draw() if kind == "draw" else TakeBack(takeback_to(bot, None))
            raw, received = bot.play(kind, lambda own, body=body: body, bot.home.key())  # type: ignore[misc]
            return [raw, *received.answered]
    return []
