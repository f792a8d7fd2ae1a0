"""Taking in what the others sent: papers first, then each game's entries, then what this seat owes for it.

What is refused changes nothing; taking the same thing in twice does no harm, and finishes what a run that
was stopped left undone: answers that were made and not handed over leave now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem import attached
from pbem.doing import packing
from pbem.doing.files import write_file
from pbem.doing.handover import Handed, hand_over, is_left_behind
from pbem.doing.incoming import Incoming, name_of, nothing_in, sort, table_of
from pbem.doing.key import Key
from pbem.doing.papers import Taken, take
from pbem.drafts import keep_returned
from pbem.errors import PbemError, UsageError
from pbem.home import Home
from pbem.lobby import Lobby
from pbem.table import Received, Table

STEP = 20
"""So many entries are taken in between two looks at the clock."""

Progress = Callable[[int, int], None]


@dataclass
class News:
    """What became of one game."""

    table: Table
    result: Received
    draft: str = ""
    """The rest of this seat's own list, if it came back: it is the draft now."""
    handed: Handed | None = None
    """What was handed over for it, None if there was nothing to hand over."""


@dataclass
class Receipt:
    """What became of everything that came in."""

    news: list[News] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    """What became of papers, in words."""
    papers: list[tuple[Lobby, Path]] = field(default_factory=list)
    """Files with papers that this home signed, for everybody at a table."""
    refused: list[PbemError] = field(default_factory=list)


def receive(
    home: Home,
    found: Incoming,
    key: Key,
    into: Path | None = None,
    out: Path | None = None,
    step: Progress = lambda done, of: None,
    outbox: Path = Path(),
) -> Receipt:
    """Verify and apply; answer what needs no decision; hand over the answers, papers as files in `outbox`."""
    split = sort(found.raws)
    papers, bad_packs = packing.take(home, split.papers)
    taken = take(home, papers, into, key) if papers else Taken()
    receipt = Receipt(said=taken.said, refused=[*found.problems, *split.refused, *bad_packs])
    receipt.refused += taken.refused
    if split.rekeys:
        receipt.said.append("someone asks to go on with a new key: `pbem rekey` shows and agrees to it")
    for known in taken.known:
        if known.note("game") not in split.entries:
            receipt.said.append(f"nothing new: this game has begun in {known.note('folder')}")
    begun = {one.contract.game.hex(): (its, one) for its, one in taken.tables}
    for game in dict.fromkeys((*begun, *split.entries)):
        lobby: Lobby | None
        table: Table | None
        try:
            lobby, table = begun[game] if game in begun else (None, table_of(home, game))
            if table is None:
                hint = "`pbem games` lists yours; the papers of a new game come in its own file"
                raise UsageError("there are entries of a game that is not known here", hint)
            news = _one_game(home, table, split.entries.get(game, []), key, step)
            receipt.refused += news.result.refused
            receipt.news.append(news)
            new = [one.entry.raw for one in news.result.logged]
            receipt.said += attached.take_in(news.table.folder, found.files, new)
            signed = lobby is not None and not lobby.is_handed()
            if signed or is_left_behind(news.table) or news.result.answered:
                news.handed = hand_over(news.table, name_of(home, news.table), out=out)
            if lobby is not None and signed:
                lobby.note_handed()
        except PbemError as error:  # one game's trouble does not keep the others waiting
            receipt.refused.append(error)
    _take_loose(home, found.loose, receipt)
    for reply in taken.replies:
        file = out or outbox / f"{reply.invite.rules}-{reply.table[:8]}-{reply.own_seat}.pbem"
        write_papers(reply, file)
        receipt.papers.append((reply, file))
    return receipt


def _take_loose(home: Home, files: Sequence[Path], receipt: Receipt) -> None:
    """Files that came beside a mail, if a move of some game names them."""
    for path in files:
        try:
            said = attached.take_loose(home.games().values(), path)
            if said is None:
                raise nothing_in(str(path))
            receipt.said.append(said)
        except PbemError as error:
            receipt.refused.append(error)


def write_papers(lobby: Lobby, file: Path) -> None:
    """All papers of a table as one file."""
    from pbem.transport.bundle import pack

    write_file(file, pack([*lobby.bundle(), *packing.enclosed(lobby.home, lobby.invite)]))
    lobby.note_handed()


def _one_game(home: Home, table: Table, raws: Sequence[bytes], key: Key, step: Progress) -> News:
    result = receive_all(table, raws, step=step)
    table = go_on(home, table, result, key)
    return News(table, result, keep_returned(table, result.logged))


def receive_all(
    table: Table, raws: Sequence[bytes], answer: bool = True, step: Progress = lambda done, of: None
) -> Received:
    """Take entries in, by steps; what they lead to is committed in one go."""
    result = Received()
    with table.sitting():
        for first in range(0, len(raws), STEP):
            _add(result, table.receive(raws[first : first + STEP], answer=False))
            step(first, len(raws))
        _add(result, table.receive([], answer=answer))
    return result


def go_on(home: Home, table: Table, result: Received, key: Key) -> Table:
    """What follows without a decision, but needs the main key: a new key of one's own, an agreement."""
    from pbem.doing.notices import completes
    from pbem.doing.rekeying import take_into_use
    from pbem.protocol.papers.bodies import Note

    if take_into_use(home, table, key):
        table = Table.open(table.folder, home)
        _add(result, table.receive([]))
    if completes(table):
        note, more = table.play("note", lambda own: Note(), key())
        result.answered.append(note)
        _add(result, more)
        if take_into_use(home, table, key):  # the agreement that was noted is about this seat's own key
            table = Table.open(table.folder, home)
            _add(result, table.receive([]))
    return table


def _add(result: Received, more: Received) -> None:
    result.logged += more.logged
    result.answered += more.answered
    result.repeated += more.repeated
    result.refused += more.refused
    result.waiting = more.waiting
