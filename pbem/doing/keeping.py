"""A whole home as one encrypted file: a copy for the case of loss, or the way to another machine or browser.

The file holds the key, the settings, what was signed, and every game with its folder. Its passphrase is
stretched with scrypt; the content is sealed with ChaCha20-Poly1305, so a wrong passphrase and a damaged file
are noticed before anything is written.

One pen: a home that is restored from a copy answers, and decides only when its owner says so, since the first
one may still decide. A home that was moved puts its pen down before the file is handed out, and the file has
it. Whoever opens such a file in two places has two pens, and must know it.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import tomllib
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pbem import toml
from pbem.errors import UsageError
from pbem.home import CONFIG, GAMES, KEY_FILE, Home, write_private
from pbem.journal import PEN, Journal
from pbem.protocol.crypto import primitives

MAGIC = b"PBEM-HOME 1\n"
SHORTEST = 8
"""Letters of a passphrase."""
MOST = 1 << 30
"""Bytes of a home, and of all its games."""
_SALT = 16
_WORK = (1 << 16, 8, 1)
"""scrypt: half a second and 64 MiB for every try."""
_PLACES = "places.toml"
_HOME = "home/"
_PASSING = (".new", ".once", ".lock")


@dataclass(frozen=True, slots=True)
class Restored:
    """What a file held."""

    games: int
    decides: bool
    """True if this home has the pen now; a copy gets it when its owner says so."""


# --- saving


def save(home: Home, passphrase: str, *, moving: bool = False) -> bytes:
    """Everything in one file. With `moving`, this home puts its pen down: the file takes it along."""
    if len(passphrase) < SHORTEST:
        raise UsageError(
            f"the passphrase has fewer than {SHORTEST} letters", "four words that nobody guesses do"
        )
    if not home.key_path().exists():
        raise UsageError("there is no key yet, so there is nothing to save", "make one with `pbem key new`")
    outside = _outside(home)
    content = {_HOME + name: raw for name, raw in _files(home.path)}
    for place, name in outside.items():
        found = dict(_files(place)) if place.is_dir() else {"": place.read_bytes()}
        content |= {f"{_HOME}{name}/{below}".rstrip("/"): raw for below, raw in found.items()}
    pens = [journal for journal in _journals(home.path) if journal.decides_here()]
    told = {
        "home": str(home.path.absolute()),
        "outside": [[str(place), name] for place, name in outside.items()],
        "pens": [journal.path.name for journal in pens] if moving else [],
    }
    content[_PLACES] = toml.dumps(told).encode()
    raw = _sealed(_zipped(content), passphrase)
    for journal in pens if moving else ():
        pen = journal.pen()
        assert pen is not None
        journal.take_pen(pen.folder, decides=False)
    return raw


def _outside(home: Home) -> dict[Path, str]:
    """What the home needs and has elsewhere: where it is, and the name that it gets in the home."""
    config = home.config()
    wanted = {home.key_path(): KEY_FILE}
    wanted[home.key_path().with_name(home.key_path().name + ".pub")] = f"{KEY_FILE}.pub"
    wanted |= {folder: f"games/{name}" for name, folder in home.games().items()}
    wanted |= {Path(place): f"packs/{digest}" for digest, place in config.get("packs", {}).items()}
    root = home.path.absolute()
    return {
        place: name
        for place, name in wanted.items()
        if place.exists() and root not in place.absolute().parents
    }


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The plain files below a folder; what only a running pbem needs stays behind."""
    for path in sorted(folder.rglob("*")):
        passing = path.name.endswith(_PASSING) or (path.parent == folder and path.name.startswith("open"))
        if path.is_file() and not path.is_symlink() and not passing:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def _journals(folder: Path) -> list[Journal]:
    return [Journal(pen.parent) for pen in sorted((folder / "signed").glob(f"*/{PEN}"))]


def copies(home: Home) -> list[str]:
    """The games in which this home is a copy of another, and so decides nothing."""
    pens = [pen for journal in _journals(home.path) if not journal.decides_here() and (pen := journal.pen())]
    folders = {pen.folder for pen in pens}
    return [name for name, folder in home.games().items() if folder.resolve() in folders]


# --- the file


def _zipped(content: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(content):
            archive.writestr(zipfile.ZipInfo(name), content[name], zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _sealed(plain: bytes, passphrase: str) -> bytes:
    head = MAGIC + os.urandom(_SALT)
    return head + primitives.chacha20poly1305_encrypt(_key(head, passphrase), bytes(12), plain, head)


def _key(head: bytes, passphrase: str) -> bytes:
    """A fresh salt gives a fresh key, so that a constant nonce serves."""
    return primitives.scrypt(passphrase.encode(), head[len(MAGIC) :], *_WORK, 32)


def _opened(raw: bytes, passphrase: str) -> dict[str, bytes]:
    head = raw[: len(MAGIC) + _SALT]
    if not raw.startswith(MAGIC):
        raise UsageError(
            "this is not a saved home", "choose the file that `Save everything` or `pbem save` wrote"
        )
    try:
        plain = primitives.chacha20poly1305_decrypt(_key(head, passphrase), bytes(12), raw[len(head) :], head)
        with zipfile.ZipFile(io.BytesIO(plain)) as archive:
            if sum(one.file_size for one in archive.infolist()) > MOST:
                raise UsageError(f"the home has more than {MOST >> 30} GiB")
            return {name: archive.read(name) for name in archive.namelist()}
    except (ValueError, zipfile.BadZipFile, zlib.error):
        raise UsageError(
            "the passphrase is wrong, or the file is damaged", "nothing was changed; try again"
        ) from None


# --- restoring


def restore(home: Home, raw: bytes, passphrase: str) -> Restored:
    """Put a saved home in the place of one that has no key and no game; else nothing is changed."""
    if home.key_path().exists() or home.games():
        raise UsageError(
            f"there is a home already: {home.path}", "save it and take it away first, or restore elsewhere"
        )
    content = _opened(raw, passphrase)
    told = tomllib.loads(content.pop(_PLACES).decode())
    moved = {str(old): str(home.path.absolute() / name) for old, name in told["outside"]}
    moved[told["home"]] = str(home.path.absolute())
    home.path.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=".restoring-", dir=home.path.parent))
    try:
        for name, data in content.items():
            write_private(_inside(fresh, name), _elsewhere(PurePosixPath(name), data, moved))
        if home.path.exists():
            shutil.rmtree(home.path)
        os.rename(fresh, home.path)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    _use_own_key(home)
    _take_pens(home, told["pens"])
    return Restored(len(home.games()), bool(told["pens"]) or not _journals(home.path))


def _inside(folder: Path, name: str) -> Path:
    path = PurePosixPath(name)
    if not name.startswith(_HOME) or ".." in path.parts or path.is_absolute():
        raise UsageError(
            "the file names a place outside the home", "it was not written by pbem; nothing was changed"
        )
    return folder.joinpath(*path.parts[1:])


def _elsewhere(name: PurePosixPath, data: bytes, moved: Mapping[str, str]) -> bytes:
    """A file about places, with the places as they are now; every other file as it was."""
    if name.name not in (CONFIG, GAMES, PEN) and name.parent.name != "tables":
        return data
    old = tomllib.loads(data.decode())
    new = _replaced(old, moved)
    return data if new == old else toml.dumps(new).encode()


def _replaced(value: Any, moved: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _replaced(below, moved) for key, below in value.items()}
    if isinstance(value, list):
        return [_replaced(below, moved) for below in value]
    if isinstance(value, str):
        for old, new in moved.items():
            if value == old or value.startswith((f"{old}/", f"{old}\\")):
                return new + value[len(old) :].replace("\\", "/")
    return value


def _use_own_key(home: Home) -> None:
    """A key that was elsewhere is in the home now."""
    if home.config().get("key") is not None:
        home.set_config(key=None)


def _take_pens(home: Home, games: list[str]) -> None:
    """The pens that the file brought along, and those of the bots of practice games."""
    bots = [bot for bot in (home.path / "practice").glob("*/*") if bot.is_dir()]
    for journal in [*_journals(home.path), *(one for bot in bots for one in _journals(bot))]:
        pen = journal.pen()
        if pen is not None and (journal.path.name in games or home.path / "signed" != journal.path.parent):
            journal.take_pen(pen.folder)
