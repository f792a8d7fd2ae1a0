"""Practice: the other seats are the game's own bots, with homes of their own inside the player's.

Everything else is as against people: contract, signatures, dice, secrets. What leaves the player's table
goes to the bots at once, and what they answer comes back before the command ends. A bot's home knows what
its seat knows and no more; it is at `practice/TABLE/SEAT` in the player's home.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.doing.key import Key
from pbem.errors import UsageError
from pbem.home import Home

if TYPE_CHECKING:
    from pbem.doing.inviting import Wanted
    from pbem.table import Table

FOLDER = "practice"
ROUNDS = 10_000
"""So often entries go to and fro before a game that never comes to the player is given up."""


@dataclass(frozen=True, slots=True)
class Sparring:
    """A game that has begun."""

    table: Table
    seat: str
    bots: tuple[str, ...]
    said: tuple[str, ...]


def partners(table: Table) -> dict[str, Home]:
    """The bots' homes by seat; none in a game against people."""
    if table.home is None:
        return {}
    folder = table.home.path / FOLDER / table.contract.invite.table
    return {one.name: Home(one) for one in sorted(folder.iterdir())} if folder.is_dir() else {}


def practise(home: Home, wanted: Wanted, me: tuple[str, str], key: Key, into: Path) -> Sparring:
    """Begin a game in which every other seat is a bot's."""
    from pbem.doing.inviting import offer

    lobby, mine = offer(home, wanted)
    lobby.accept(key(), mine, *me, into)
    table = _sign_all(home, lobby.bundle(), key, mine, into)
    said = tuple(spar(table))
    bots = tuple(seat for seat in table.contract.invite.seats if seat != mine)
    return Sparring(table, mine, bots, said)


def _sign_all(home: Home, papers: Sequence[bytes], key: Key, mine: str, into: Path) -> Table:
    """Papers go round until everybody holds the contract."""
    from pbem.doing.papers import sign_if_complete
    from pbem.lobby import begin, open_lobbies

    (lobby,) = open_lobbies(home, papers)
    seats = [seat for seat in lobby.invite.seats if seat != mine]
    homes = {seat: Home(home.path / FOLDER / lobby.invite.table / seat) for seat in seats}
    keys: dict[str, Key] = {mine: key}
    for seat, bot in homes.items():
        made = bot.new_key(None)
        keys[seat] = lambda made=made: made  # type: ignore[misc]
    homes[mine] = home
    for step in ("accept", "sign", "begin"):
        for seat in (*seats, mine):
            (lobby,) = open_lobbies(homes[seat], papers)
            if step == "accept" and lobby.own_seat is None:
                lobby.accept(keys[seat](), seat, f"bot {seat}")
            elif step == "sign":
                sign_if_complete(homes[seat], lobby, keys[seat])
            elif step == "begin":
                contract = lobby.contract()
                assert contract is not None
                table = begin(lobby, contract, keys[seat](), into if seat == mine else homes[seat].path)
            papers = lobby.bundle()
    return table


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
            moved |= _answer(bot, [raw for other in others for raw in other.outgoing(seat)])
        result = table.receive([raw for bot in bots.values() for raw in bot.outgoing(table.seat)])
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
        made = decide_all(bot, bot.home.key(), int.from_bytes(bot.contract.game[:4], "big"))
        owed = bot.due()
        over = owed is not None and owed.kind == "audit"
        if over:
            bot.publish()
    return bool(result.logged or result.answered or made or over)
