"""What came in: files, mails or pasted text, and which of it belongs to which game."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import PbemError, UsageError
from pbem.system import READ

if TYPE_CHECKING:
    from pbem.home import Home
    from pbem.table import Table

_GAME_LINE = re.compile(rb'^game = "([0-9a-f]{64})"$', re.MULTILINE)


def is_entry(raw: bytes) -> bool:
    """Whether these bytes are a move, not a paper."""
    return raw.startswith(b"v = ")


@dataclass
class Incoming:
    """Entries and papers as bytes, nothing verified yet, and what could not be read."""

    raws: list[bytes] = field(default_factory=list)
    problems: list[PbemError] = field(default_factory=list)
    files: list[bytes] = field(default_factory=list)
    """Files that came in mails, of which a move may name one."""
    loose: list[Path] = field(default_factory=list)
    """Files with nothing of pbem in them: a move may name one too."""


def find_files(names: Sequence[str]) -> Incoming:
    """Everything of pbem in these files; "-" is standard input."""
    from pbem.transport import mailbox
    from pbem.transport.mail_in import find

    result, raws = Incoming(), dict[bytes, None]()
    for name in names:
        nothing = True
        for message in mailbox.read_stdin() if name == "-" else mailbox.read_file(Path(name)):
            found = find(message.raw)
            raws.update(dict.fromkeys(found.entries))
            result.problems += found.problems
            result.files += found.files
            nothing = nothing and not found.entries and not found.problems
        if nothing and name == "-":
            result.problems.append(nothing_in("standard input"))
        elif nothing:
            result.loose.append(Path(name))
    result.raws = list(raws)
    return result


def nothing_in(where: str) -> UsageError:
    """What was given is neither a move nor a paper, and no move names it."""
    return UsageError(f"there is nothing of pbem in {where}", "save the whole mail or its attachment")


@dataclass
class Sorted:
    """What came in, by what it is."""

    papers: list[bytes] = field(default_factory=list)
    rekeys: list[bytes] = field(default_factory=list)
    entries: dict[str, list[bytes]] = field(default_factory=dict)
    """By the id of the game that they say they belong to."""
    refused: list[PbemError] = field(default_factory=list)


def sort(raws: Sequence[bytes]) -> Sorted:
    """Tell papers, new keys and entries apart by their shape; nothing is believed."""
    from pbem.protocol.papers.paper import read_paper

    result = Sorted()
    for raw in raws:
        try:
            if is_entry(raw):
                result.entries.setdefault(_game_of(raw), []).append(raw)
            elif "tip" in (table := read_paper(raw).table) and "nonce" in table:
                result.rekeys.append(raw)
            else:
                result.papers.append(raw)
        except PbemError as error:
            result.refused.append(error)
    return result


def _game_of(raw: bytes) -> str:
    """Which game an entry says that it belongs to: its table reads it, and believes nothing either."""
    from pbem.protocol.papers.entry import read

    found = _GAME_LINE.search(raw, 0, 200)
    return found[1].decode() if found else read(raw).head.game


def game_id(folder: Path) -> str | None:
    """The id of the game in a folder, by how game.toml begins; as committed, if that is damaged."""
    found = None
    with suppress(OSError), os.fdopen(os.open(folder / "game.toml", READ), "rb") as file:
        found = _GAME_LINE.match(file.read(100))
    if found is None and (folder / ".git").is_dir():
        from pbem.repository import Repository

        with suppress(PbemError):
            found = _GAME_LINE.match(Repository.open(folder).read("game.toml"))
    return found[1].decode() if found else None


def table_of(home: Home, game: str) -> Table | None:
    """The table of a game id: one of this home, or the folder one is in."""
    from pbem.table import Table

    here = Path.cwd()
    for folder in (*home.games().values(), here, *here.parents):
        if game_id(folder) == game:
            return Table.open(folder, home)
    return None


def name_of(home: Home, table: Table) -> str:
    """What the player calls a game."""
    for name, folder in home.games().items():
        if folder == table.folder.absolute():
            return name
    return table.contract.invite.rules
