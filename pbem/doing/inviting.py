"""From an invitation to seats that are taken: what is offered, taking a seat, finishing what was begun.

An invitation that nobody has taken a seat with is kept nowhere. Taking a seat again, after a run that was
stopped, signs nothing new: the same papers are written once more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.doing import packing
from pbem.doing.incoming import find_files, is_entry
from pbem.doing.key import Key
from pbem.doing.papers import provenance, sign_if_complete
from pbem.doing.receiving import write_papers
from pbem.errors import UsageError
from pbem.home import Home
from pbem.lobby import Lobby, new_table, open_lobbies
from pbem.words import did_you_mean

if TYPE_CHECKING:
    from pbem.engine.rules import AnyRules
    from pbem.protocol.papers.invitation import Clocks


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants to play."""

    game: str
    scenario: str | None = None
    options: Sequence[str] = ()
    """NAME=VALUE each."""
    players: int | None = None
    seat: str | None = None
    clocks: Sequence[str] = ()
    """HOURS, or NAME=HOURS."""
    pack: Path | None = None
    comment: str = ""
    threshold: int | None = None
    """How many of the others together can open a secret; without it, the usual number."""


def offer(home: Home, wanted: Wanted) -> tuple[Lobby, str]:
    """A new invitation, and the seat that its author takes with it; nothing is kept yet."""
    from pbem.engine import registry

    rules = registry.load(wanted.game)
    data = rules.load_pack() if wanted.pack is None else packing.keep(home, rules, wanted.pack)
    scenario, seats = chosen(rules, data, wanted.scenario, wanted.players)
    mine = wanted.seat or seats[0]
    if mine not in seats:
        raise UsageError(f"there is no seat {mine!r}", did_you_mean(mine, seats, "the seats are"))
    options, clocks = _options(rules, data, wanted.options), _clocks(wanted.clocks)
    lobby = new_table(
        *(home, rules.name, rules.version, data.digest, provenance(data), scenario, seats, options, clocks),
        wanted.comment,
        wanted.threshold,
    )
    return lobby, mine


def chosen(
    rules: AnyRules, pack: Any, wanted: str | None, players: int | None
) -> tuple[str, tuple[str, ...]]:
    """A scenario and its seats: the one that is wanted, else the first for so many players."""
    from pbem.engine.seating import fitting, seats_of

    known = rules.scenarios(pack)
    if wanted is not None and wanted not in known:
        raise UsageError(
            f"{rules.name} has no scenario {wanted!r}", did_you_mean(wanted, known, "the scenarios are")
        )
    scenario = wanted or next(iter(fitting(rules, pack, players)))
    return scenario, seats_of(rules, pack, scenario, players)


def _options(rules: AnyRules, pack: Any, given: Sequence[str]) -> Mapping[str, str]:
    known = rules.options(pack)
    chosen = {name: values[0] for name, values in known.items()}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"{text!r} is no option", "write it as NAME=VALUE")
        if name not in known:
            raise UsageError(
                f"{rules.name} has no option {name!r}", did_you_mean(name, known, "the options are")
            )
        if value not in known[name]:
            raise UsageError(
                f"option {name} cannot be {value!r}", did_you_mean(value, known[name], "the values are")
            )
        chosen[name] = value
    return chosen


def _clocks(given: Sequence[str]) -> Clocks:
    from pbem.protocol.papers.invitation import LONGEST, SHORTEST, USUAL_CLOCKS, Clocks

    hours = {name: getattr(USUAL_CLOCKS, name) for name in SHORTEST}
    for text in given:
        name, equals, value = text.partition("=")
        name, value = (name, value) if equals else ("move", name)
        if name not in SHORTEST:
            raise UsageError(f"there is no clock {name!r}", did_you_mean(name, SHORTEST, "the clocks are"))
        least = SHORTEST[name]
        if not value.isascii() or not value.isdigit() or not least <= int(value) <= LONGEST:
            raise UsageError(
                f"{value!r} is no number of hours from {least} to {LONGEST}",
                "for example --clock 72 or --clock grace=24",
            )
        hours[name] = int(value)
    return Clocks(**hours)


def myself(home: Home, name: str | None, address: str | None) -> tuple[str, str]:
    """Name and address for the contract: as given, as remembered, or as the system knows the user."""
    import getpass

    known = home.config()
    chosen = name or known.get("name")
    if not chosen:
        try:
            chosen = getpass.getuser()
        except (OSError, KeyError, ImportError):
            chosen = "player"
    where = address if address is not None else known.get("address", "")
    for what, text in (("name", chosen), ("address", where)):
        if len(text) > 120 or not text.isprintable():
            raise UsageError(f"your {what} does not fit a contract", "at most 120 printable characters")
    if name or address is not None:
        home.set_config(name=str(chosen), address=str(where) or None)
    return str(chosen), str(where)


def one_table(home: Home, file: str) -> Lobby:
    """The table that the papers in a file belong to."""
    papers, refused = packing.take(home, [raw for raw in find_files([file]).raws if not is_entry(raw)])
    if refused:
        raise refused[0]
    if not papers:
        raise UsageError(f"there is no invitation in {file}", "`pbem receive FILE` takes moves in")
    lobbies = open_lobbies(home, papers)
    if len(lobbies) != 1:
        raise UsageError(f"{file} holds invitations to {len(lobbies)} tables", "join them one by one")
    return lobbies[0]


def choose_seat(lobby: Lobby, seat: str | None) -> str:
    """The seat that is meant, if it is free."""
    free = lobby.free_seats()
    if not free:
        raise UsageError("no seat is free at this table", "ask the host for a new invitation")
    mine = seat or free[0]
    if mine not in free:
        raise UsageError(f"seat {mine!r} is not free", did_you_mean(mine, free, "free:"))
    if seat is None and len(free) > 1:
        raise UsageError("which seat do you take?", f"--seat, one of: {', '.join(free)}")
    return mine


def take_seat(
    home: Home, lobby: Lobby, mine: str, me: tuple[str, str], key: Key, file: Path, into: Path | None = None
) -> None:
    """Accept the invitation, sign the list if it is complete, and write the papers for the others."""
    if lobby.own_seat is None:
        name, address = me
        lobby.accept(key(), mine, name, address, into)
    sign_if_complete(home, lobby, key)
    write_papers(lobby, file)
