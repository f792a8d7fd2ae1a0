"""The papers of a contract: what they say, and taking them in.

A player sees scenario, options, seats, clocks, rules version and data pack before anything is signed,
and only what the rules installed here confirm is shown as known here.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.doing.key import Key
from pbem.errors import PbemError, UsageError
from pbem.packs import rules_for
from pbem.words import count

if TYPE_CHECKING:
    from pbem.engine.shown import Choice
    from pbem.home import Home
    from pbem.lobby import Lobby
    from pbem.protocol.papers.invitation import Invite
    from pbem.table import Table


MOST = 200
"""So much of a stranger's text is shown."""


@dataclass
class Taken:
    """What became of papers that came in."""

    tables: list[tuple[Lobby, Table]] = field(default_factory=list)
    """Games that everybody has signed, and whose papers the others may not have seen yet."""
    known: list[Lobby] = field(default_factory=list)
    """Tables whose game has begun before: these papers say nothing new."""
    replies: list[Lobby] = field(default_factory=list)
    """Tables whose papers the others must see."""
    said: list[str] = field(default_factory=list)
    refused: list[PbemError] = field(default_factory=list)


def provenance(pack: Any) -> str:
    """Where a pack comes from, in a line: which files are printed in the rulebook, which are made anew."""
    by_kind: dict[str, list[str]] = {}
    for name, source in sorted(getattr(pack, "provenance", {}).items()):
        by_kind.setdefault(source.kind, []).append(name)
    return (
        "; ".join(f"{kind}: {', '.join(names)}" for kind, names in sorted(by_kind.items())) or "of the game"
    )


def terms(home: Home, lobby: Lobby) -> str:
    """Everything that is agreed on by signing."""
    invite = lobby.invite
    rules, pack = rules_for(invite, home)
    title = rules.scenarios(pack)[invite.scenario]
    taken = lobby.accepts()
    clocks = invite.clocks
    lines = [
        f"game:       {invite.rules}, {rules.title}, rules version {invite.version}",
        f"scenario:   {invite.scenario}, {title}",
    ]
    lines += _option_lines(invite, rules.choices(pack))
    for seat in invite.seats:
        lines.append(f"seat:       {seat}, {_player(taken.get(seat))}")
    lines += [
        f"clocks:     {_hours(clocks.move)} for a decision, {_hours(clocks.grace)} of grace, "
        f"{_hours(clocks.audit)} to publish the secret at the end",
        f"absence:    {_absence(clocks.absence)}",
        *_threshold(invite),
        f"data pack:  {invite.data[:16]}, as installed here ({provenance(pack)})",
        f"table:      {invite.table}, made {invite.made}",
    ]
    if invite.comment:
        lines.append(f"comment:    {_short(invite.comment)}")
    return "\n".join(
        textwrap.fill(line, 100, subsequent_indent=" " * 12, break_long_words=False, break_on_hyphens=False)
        for line in lines
    )


def _threshold(invite: Invite) -> list[str]:
    """What happens if somebody vanishes, with three or more seats."""
    if not invite.threshold:
        return []
    return [
        f"vanishing:  any {invite.threshold} of the others together can open the secret of a seat that "
        "forfeits on time; it then plays on in the open. So many who conspire could open it earlier"
    ]


def _option_lines(invite: Invite, choices: Sequence[Choice]) -> list[str]:
    """What differs from the usual first, each with what it means; then the usual ones together."""
    known = {choice.id: choice for choice in choices}
    lines, usual = [], []
    for name, value in sorted(invite.options.items()):
        choice = known[name]
        if value == choice.values[0]:
            usual.append(f"{name} = {value}")
            continue
        meaning = dict(zip(choice.values, choice.meanings, strict=False)).get(value, "")
        lines.append(f"option:     {name} = {value} (usually {choice.values[0]})")
        lines.append(f"            rule {choice.rule}. {choice.question} {meaning}".rstrip())
    if usual:
        lines.append(f"as usual:   {', '.join(usual)}")
        lines.append(
            f"            `pbem rules {invite.rules} {usual[0].partition(' ')[0]}` explains an option"
        )
    return lines


def _player(accept: Any) -> str:
    if accept is None:
        return "free"
    from pbem.protocol.crypto.keys import fingerprint, parse_public_line

    where = f" <{_short(accept.address)}>" if accept.address else ""
    return f"{_short(accept.name)}{where}, key {fingerprint(parse_public_line(accept.key))}"


def _short(text: str) -> str:
    """A stranger's words on a line of bearable length."""
    words = " ".join(text.split())
    return words if len(words) <= MOST else words[: MOST - 1] + "…"


def _hours(hours: int) -> str:
    return f"{hours // 24} days" if hours % 24 == 0 and hours > 24 else count(hours, "hour", "hours")


def _absence(hours: int) -> str:
    if not hours:
        return "no announced absence: the clock never stands still"
    return f"{_hours(hours)} of announced absence each: the clock stands still"


def sign_if_complete(home: Home, lobby: Lobby, key: Key) -> bool:
    """Sign the whole list, if all seats are taken and this seat has not signed yet."""
    if lobby.own_seat is None or lobby.free_seats() or f"sign-{lobby.own_seat}" in lobby.papers:
        return False
    invite = lobby.invite
    rules, pack = rules_for(invite, home)
    decks = rules.shared_decks(pack, invite.scenario, invite.options)
    return lobby.sign(key(), decks)


def missing(lobby: Lobby) -> list[str]:
    """The seats whose acceptance or signature is not here yet."""
    papers = lobby.papers
    return [s for s in lobby.invite.seats if f"accept-{s}" not in papers or f"sign-{s}" not in papers]


def take(home: Home, papers: Sequence[bytes], into: Path | None, key: Key) -> Taken:
    """Take papers in: sign what is complete, begin what everybody has signed. Each is said once at least."""
    from pbem.lobby import take_papers

    lobbies, refused = take_papers(home, papers)
    result = Taken(refused=refused)
    for lobby in lobbies:
        try:
            _take_one(home, lobby, into, key, result)
        except PbemError as error:
            result.refused.append(error)
    return result


def _take_one(home: Home, lobby: Lobby, into: Path | None, key: Key, result: Taken) -> None:
    from pbem.lobby import begin

    short = f"table {lobby.table[:8]}: {lobby.invite.rules}"
    if lobby.own_seat is None:
        hint = "if it is an invitation, `pbem join FILE` shows and accepts it"
        raise UsageError(f"you have no seat at table {lobby.table[:8]}", hint)
    begun = lobby.note("folder")
    if begun is not None and lobby.is_handed():
        result.known.append(lobby)
        return
    sign_if_complete(home, lobby, key)
    contract = lobby.contract()
    if contract is None:
        result.said.append(f"{short}, you are {lobby.own_seat}, still to sign: {', '.join(missing(lobby))}")
        if lobby.is_handed():
            result.said.append("nothing of yours is new to the others: their papers are awaited")
        else:
            result.replies.append(lobby)
        return
    table = begin(lobby, contract, key(), into or Path(lobby.note("into") or "."))
    result.said.append(f"everybody has signed: the game begins in {table.folder}")
    result.tables.append((lobby, table))
