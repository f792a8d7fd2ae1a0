"""A dispute file: all that an outsider needs to judge a game, and nothing secret.

A zip with game.toml and moves/ exactly as signed, the entries that wait, and the verdict in words, for
who has no pbem. A foreign file is read with limits and by name pattern only; nothing of it is written to
disk, and its words count for nothing: they are made again, and where they differ that is said.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pbem.errors import MalformedError, PbemError, UsageError
from pbem.home import Home
from pbem.protocol.papers.contract import Contract, read_contract
from pbem.protocol.papers.entry import read, verify
from pbem.system import read_small
from pbem.table import Table
from pbem.verify import Verification, verify_moves

MAX_FILES = 20_000
MAX_FILE = 1 << 20
MAX_TOTAL = 64 << 20
VERDICT = "verdict.txt"
_NAME = re.compile(
    r"game\.toml|moves/[0-9]{4}/[0-9]{6}-[a-z][a-z0-9-]{0,15}\.toml|waiting/[0-9]{4}\.toml|verdict\.txt"
)
_MEMBER = b"PK\x01\x02"
"""Every member has this mark in the list at the end, which would be read whole before it can be counted."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The same game gives the same file: a zip's dates say nothing here."""


@dataclass
class Judgement:
    """What an outsider finds in a dispute file."""

    contract: Contract | None
    verdict: Verification
    waiting: list[str]
    """What is signed but not part of the log, in words."""


def files_of(table: Table) -> dict[str, bytes]:
    """What an outsider needs of a game: contract and moves as signed, and the entries that wait."""
    tree = sorted(p for p in table.repo.tree(table.head or "") if p == "game.toml" or p.startswith("moves/"))
    files = dict(zip(tree, table.repo.read_many(tree), strict=True))
    pool = sorted(table.ledger.pool.values(), key=lambda e: e.id)
    return files | {f"waiting/{n:04d}.toml": entry.raw for n, entry in enumerate(pool[:9999], 1)}


def make(files: dict[str, bytes], verdict: str) -> bytes:
    """The dispute file, with the verdict in words for who has no pbem."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted({**files, VERDICT: verdict.encode()}.items()):
            info = zipfile.ZipInfo(name, _LONG_AGO)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return out.getvalue()


def read_file(path: Path) -> dict[str, bytes]:
    """The files in a dispute file from a stranger."""
    try:
        raw = read_small(path, MAX_TOTAL)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    if raw.count(_MEMBER) > MAX_FILES:
        raise MalformedError(f"{path} holds too many files for a dispute file")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            infos = archive.infolist()
            _check_sizes(infos)
            return {info.filename: _content(archive, info) for info in infos}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError):
        raise MalformedError(f"{path} is no dispute file, or is damaged", "ask for it again") from None


def _check_sizes(infos: list[zipfile.ZipInfo]) -> None:
    """Names by the pattern, each once; sizes before a byte is inflated."""
    names = [info.filename for info in infos]
    if len(infos) > MAX_FILES or len(set(names)) != len(names):
        raise MalformedError("the dispute file holds too many files, or one twice")
    if not all(_NAME.fullmatch(name) for name in names):
        raise MalformedError("the dispute file holds something that is no part of a game")
    if any(info.file_size > MAX_FILE for info in infos) or sum(i.file_size for i in infos) > MAX_TOTAL:
        raise MalformedError("the dispute file would inflate to more than a game can be")


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as file:
        data = file.read(MAX_FILE + 1)
    if len(data) != info.file_size:
        raise MalformedError(f"{info.filename} is not as long as the dispute file says")
    return data


def judge(
    files: dict[str, bytes],
    home: Home | None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Judgement:
    """Everything again, from the signed papers and entries alone; the words in the file are not believed."""
    game = {n: raw for n, raw in files.items() if not n.startswith("waiting/") and n != VERDICT}
    verdict = verify_moves(game, home, progress)
    try:
        contract = read_contract(files.get("game.toml", b""))
    except PbemError:
        return Judgement(None, verdict, [])
    waiting = []
    for name in sorted(n for n in files if n.startswith("waiting/")):
        waiting.append(_waiting(contract, files[name]))
    return Judgement(contract, verdict, waiting)


def _waiting(contract: Contract, raw: bytes) -> str:
    try:
        unverified = read(raw)
        keys = [key for (seat, _), key in contract.keys.items() if seat == unverified.head.seat]
        entry = verify(unverified, [*keys, contract.invite.witness_key])
    except PbemError as error:
        return f"an entry that is refused: {error.message}"
    if entry.head.game != contract.game.hex():
        return "an entry of another game"
    return f"{entry.head.kind} of {entry.seat}, sent {entry.head.sent}, signed"
