"""Practice: the other seats are the game's own bots, with homes of their own inside the player's.

Everything else is as against people: contract, signatures, dice, secrets. What leaves the player's table
goes to the bots at once, and what they answer comes back before the command ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.doing.inviting import Wanted, offer
from pbem.doing.key import Key
from pbem.doing.papers import sign_if_complete
from pbem.doing.sparring import FOLDER, spar
from pbem.home import Home

if TYPE_CHECKING:
    from pbem.table import Table


@dataclass(frozen=True, slots=True)
class Sparring:
    """A game that has begun."""

    table: Table
    seat: str
    bots: tuple[str, ...]
    said: tuple[str, ...]


def practise(home: Home, wanted: Wanted, me: tuple[str, str], key: Key, into: Path) -> Sparring:
    """Begin a game in which every other seat is a bot's."""
    lobby, mine = offer(home, wanted)
    lobby.accept(key(), mine, *me, into)
    table = _sign_all(home, lobby.bundle(), key, mine, into)
    said = tuple(spar(table))
    bots = tuple(seat for seat in table.contract.invite.seats if seat != mine)
    return Sparring(table, mine, bots, said)


def _sign_all(home: Home, papers: Sequence[bytes], key: Key, mine: str, into: Path) -> Table:
    """Papers go round until everybody holds the contract."""
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
