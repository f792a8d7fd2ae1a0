"""Files that go with moves: taking them along, taking them in, and saying which are here and intact.

An attachment is a word `name:size:digest` in something that a seat has signed (engine/attachment.py). The
file itself is no part of the game: it lies in `attached` in the game folder, under its digest and name, and
travels in the mail or beside it. What its digest does not fit is never kept under its name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pbem.engine.attachment import Attached, Attachment, in_text, read
from pbem.engine.codec import hints
from pbem.engine.names import texts
from pbem.engine.notation import Move, keyword, notation_parts, words
from pbem.engine.rules import AnyRules
from pbem.errors import PbemError, UsageError
from pbem.protocol.papers.entry import read as read_entry
from pbem.system import read_small, write_whole

FOLDER = "attached"
MOST = 64 << 20
"""No attachment has more bytes."""
IN_MAIL = 1 << 20
"""So many bytes of attachments travel in one mail; the rest goes beside it."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_ENTRY = re.compile(r"[0-9]{6}-[a-z][a-z0-9-]{0,15}\.toml")
_BEFORE = re.compile(r"\s*(?:\?\s*)?")


@dataclass(frozen=True, slots=True)
class Signed:
    """An attachment and the entry that names it."""

    entry: int
    seat: str
    what: Attachment
    state: str
    """"intact", "missing", or "another": what lies in its place is not it."""

    def line(self) -> str:
        """For a person."""
        said = {
            "intact": "here and intact",
            "missing": "not here",
            "another": "what lies here under its name is another file",
        }[self.state]
        return (
            f"attached: {self.what.name}, {self.what.size} bytes, entry {self.entry} of {self.seat}: {said}"
        )


def place_of(folder: Path, what: Attachment) -> Path:
    """Where an attachment lies, if it is here."""
    return folder / FOLDER / f"{what.digest[:8]}-{what.name}"


def signed_in(folder: Path) -> list[Signed]:
    """Every attachment that the entries of a game name, and whether it is here."""
    found: dict[Attachment, Signed] = {}
    for path in sorted((folder / "moves").glob("*/*.toml")):
        raw = _content(path) if _ENTRY.fullmatch(path.name) else None
        for what in named_in([raw] if raw else []):
            found.setdefault(what, Signed(int(path.name[:6]), path.stem[7:], what, _state(folder, what)))
    return list(found.values())


def named_in(raws: Iterable[bytes]) -> list[Attachment]:
    """The attachments that entries name."""
    found: dict[Attachment, None] = {}
    for raw in raws:
        if not raw.startswith(b"v = "):
            continue
        try:
            body = read_entry(raw).body
        except PbemError:
            continue
        for text in sorted(texts(body)):
            found.update(dict.fromkeys(in_text(text)))
    return list(found)


def _state(folder: Path, what: Attachment) -> str:
    place = place_of(folder, what)
    if not place.exists():
        return "missing"
    data = _content(place)
    return "intact" if data is not None and _is(what, data) else "another"


def _content(path: Path) -> bytes | None:
    try:
        return read_small(path, MOST)
    except OSError:
        return None


def _is(what: Attachment, data: bytes) -> bool:
    return len(data) == what.size and hashlib.sha256(data).hexdigest() == what.digest


# --- taking along


def spelled_out(rules: AnyRules, folder: Path, text: str) -> str:
    """Orders in which files on the disk are written as attachments; each file is kept at once."""
    kinds = {keyword(kind): at for kind in rules.moves if (at := _place_in(kind))}
    return "".join(_line(folder, line, kinds) for line in text.splitlines(keepends=True)) if kinds else text


def used_by(rules: AnyRules) -> bool:
    """Whether an order of a game may have an attachment."""
    return any(_place_in(kind) for kind in rules.moves)


def _place_in(kind: type[Move]) -> int:
    """Which word of an order names an attachment; 0 if none does."""
    fields = hints(kind)
    return next((n for n, p in enumerate(notation_parts(kind)) if p.field and fields[p.field] is Attached), 0)


def _line(folder: Path, line: str, kinds: dict[str, int]) -> str:
    begin = _BEFORE.match(line)
    start = begin.end() if begin else 0
    try:
        found = words(line[start:])
    except PbemError:
        return line
    at = kinds.get(found[0].text, 0) if found else 0
    if not at or len(found) <= at or read(found[at].text) is not None or not Path(found[at].text).is_file():
        return line
    word = found[at]
    column = start + word.column - 1
    length = len(word.text) + (2 if line[column] == '"' else 0)
    return line[:column] + keep_file(folder, Path(word.text)).word() + line[column + length :]


def keep_file(folder: Path, path: Path) -> Attachment:
    """A file of the player's own becomes an attachment of a game."""
    data = _content(path)
    if data is None or not data:
        raise UsageError(f"{path} cannot be attached", f"a plain file of 1 to {MOST >> 20} MiB can")
    name = _UNSAFE.sub("-", path.name).lstrip(".-")[:80] or "file"
    what = Attachment(name, len(data), hashlib.sha256(data).hexdigest())
    _keep(folder, what, data)
    return what


def _keep(folder: Path, what: Attachment, data: bytes) -> None:
    place = place_of(folder, what)
    try:
        place.parent.mkdir(exist_ok=True)
        write_whole(place, data)
    except OSError as error:
        raise UsageError(f"{place} cannot be written: {error.strerror}", "make room for it") from None


def for_mail(folder: Path, raws: Sequence[bytes]) -> tuple[list[tuple[str, bytes]], list[Path]]:
    """The attachments that entries name and that are here: what fits into a mail, and what goes beside it."""
    inside: list[tuple[str, bytes]] = []
    beside: list[Path] = []
    room = IN_MAIL
    for what in named_in(raws):
        data = _content(place_of(folder, what))
        if data is None or not _is(what, data):
            continue
        if len(data) <= room:
            inside.append((what.name, data))
            room -= len(data)
        else:
            beside.append(place_of(folder, what))
    return inside, beside


# --- taking in


def take_in(folder: Path, files: Sequence[bytes], new: Sequence[bytes] = ()) -> list[str]:
    """Keep what a game's entries name; what came of it in words, also of what `new` entries name in vain."""
    missing = [one for one in signed_in(folder) if one.state != "intact"]
    said = []
    left = list(files)
    for one in missing:
        data = next((data for data in files if _is(one.what, data)), None)
        if data is not None:
            _keep(folder, one.what, data)
            left = [other for other in left if other != data]
            said.append(
                f"{one.what.name}, which {one.seat} signed, is here and intact: {place_of(folder, one.what)}"
            )
    for what in named_in(new):
        if _state(folder, what) != "intact":
            said += _in_vain(what, left)
    return said


def _in_vain(what: Attachment, others: Sequence[bytes]) -> list[str]:
    lines = [f"{what.name} ({what.size} bytes), which goes with the move, is not here: ask for it again"]
    for data in others:
        digest = hashlib.sha256(data).hexdigest()[:16]
        lines.append(
            f"a file of {len(data)} bytes ({digest}) came instead: it is not the one that was signed "
            f"({what.digest[:16]}), so it was replaced or damaged on the way"
        )
    return lines


def take_loose(folders: Iterable[Path], path: Path) -> str | None:
    """A file that came beside a mail; what it is in words, None if no game names such a file."""
    data = _content(path)
    for folder in folders:
        for one in signed_in(folder):
            if data is not None and _is(one.what, data):
                _keep(folder, one.what, data)
                return f"{path.name} is {one.what.name}, as {one.seat} signed it in entry {one.entry}: intact"
            if path.name == one.what.name and one.state != "intact":
                raise UsageError(
                    f"{path.name} is not the file that {one.seat} signed in entry {one.entry}",
                    f"it was replaced or damaged on the way; the signed one has {one.what.size} bytes and "
                    f"the SHA-256 {one.what.digest}",
                )
    return None
