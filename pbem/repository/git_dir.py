"""What stands in the .git of a folder that may have come from anybody: refused before anything acts on it.

The configuration may only have keys on a short list, none of which means anything to a command that is run
here. Links, pipes and devices are refused where settings and refs stand; among the objects, of which there
may be many, before git is started: what pbem reads itself follows no link (`disk`).
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from pbem.errors import UsageError
from pbem.repository.disk import Disk
from pbem.repository.layout import shown

CONFIG = """\
[core]
	repositoryformatversion = 0
	filemode = false
	bare = false
	logallrefupdates = false
	hooksPath = /dev/null
	fsmonitor = false
	autocrlf = false
[commit]
	gpgsign = false
[gc]
	auto = 0
[pbem]
	format = 1
"""
"""The whole configuration of a game folder that pbem made."""

_OWN_SETTINGS = frozenset(
    {
        ("core.repositoryformatversion", "0"),
        ("core.bare", "false"),
        ("core.hookspath", "/dev/null"),
        ("core.fsmonitor", "false"),
        ("core.autocrlf", "false"),
        ("commit.gpgsign", "false"),
        ("gc.auto", "0"),
        ("pbem.format", "1"),
    }
)
_HARMLESS_KEY = re.compile(
    r"core\.(filemode|logallrefupdates|ignorecase|precomposeunicode|symlinks)"
    r"|remote\.[A-Za-z0-9_.-]+\.(url|pushurl|fetch|tagopt)"
    r"|branch\.[A-Za-z0-9_./-]+\.(remote|merge|rebase)"
    r"|user\.(name|email)",
    re.DOTALL,
)
"""What a clone has. A remote is harmless under a plain name: git takes an address for the name of a remote
if the configuration has one that is called so, and every address has a slash or a colon."""

_SECTION = re.compile(r'\s*\[([A-Za-z0-9-]+)(?: "([^"\\\n]*)")?\]\s*', re.ASCII)
_SETTING = re.compile(r'\s*([A-Za-z][A-Za-z0-9-]*)(?:\s*=\s*((?:[^"\\#;\n]|\\[\\"])*?))?\s*', re.ASCII)
CONFIG_LIMIT = 64 << 10
REF_FILES = 20_000
"""More files below refs and logs than this are no game's."""
OBJECT_FILES = 1_000_000
_FILES = ("HEAD", "config", "pbem.lock", "pbem.files")
_FOLDERS = ("objects", "refs", "pbem", "pbem/pool")
_NEEDED = ("HEAD", "config", "objects", "refs")


def check_git_dir(folder: Path) -> Path:
    """The .git of a folder, provided that it is plain: what came with a folder may be hostile."""
    git_dir = folder / ".git"
    if not git_dir.is_dir() or git_dir.is_symlink():
        raise UsageError(f"{folder} is not a game folder", "give the folder that holds game.toml and .git")
    if (git_dir / "shallow").exists():
        raise UsageError(f"{folder} lacks the beginning of the game", "run: git fetch --unshallow")
    for name in ("commondir", "objects/info/alternates", "objects/info/http-alternates"):
        if (git_dir / name).exists():
            raise UsageError(f"{folder} borrows its objects from elsewhere", f"remove .git/{name}")
    for path in _strange_settings(git_dir):
        raise _strange_error(folder, path)
    for name in (*_FILES, *_FOLDERS):
        path = git_dir / name
        if name in _NEEDED and not path.exists():
            raise UsageError(f"{folder} has a damaged .git: no {name}", "clone or rebuild the game")
        if path.exists() and path.is_dir() != (name in _FOLDERS):
            kind = "no folder" if name in _FOLDERS else "no file"
            raise UsageError(f"{folder} has a damaged .git: {name} is {kind}", "clone or rebuild the game")
    return git_dir


def check_objects(git_dir: Path) -> None:
    """Refuses objects that are links, pipes or devices: git would write through them, or wait for ever."""
    for path in _strange(git_dir / "objects", OBJECT_FILES):
        raise _strange_error(git_dir.parent, path)


def _strange_error(folder: Path, path: Path) -> UsageError:
    kind = "a link" if path.is_symlink() else "neither a file nor a folder"
    return UsageError(
        f"{shown(str(path.relative_to(folder)))} is {kind}",
        "a game folder holds only files and folders inside .git",
    )


def _strange_settings(git_dir: Path) -> Iterator[Path]:
    """Links, pipes and devices where settings and refs stand, and in the folder of objects itself."""
    for folder in (git_dir, git_dir / "pbem", git_dir / "objects"):
        yield from _looked_at(folder)[1]
    for top in ("refs", "logs"):
        yield from _strange(git_dir / top, REF_FILES)


def _strange(top: Path, most: int) -> Iterator[Path]:
    pending, seen = [top], 0
    while pending:
        folders, strange, files = _looked_at(pending.pop())
        yield from strange
        pending += folders
        seen += len(folders) + files
        if seen > most:
            raise UsageError(f"{top} holds more than {most} files", "clone the game again")


def _looked_at(folder: Path) -> tuple[list[Path], list[Path], int]:
    """The folders in a folder, what is neither folder nor file (a socket leads nowhere), how many files."""
    folders, strange, files = [], [], 0
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as found:
        for one in found:
            if one.is_file(follow_symlinks=False):
                files += 1
            elif one.is_dir(follow_symlinks=False):
                folders.append(Path(one.path))
            elif not stat.S_ISSOCK(one.stat(follow_symlinks=False).st_mode):
                strange.append(Path(one.path))
    return folders, strange, files


def check_config(disk: Disk, path: str) -> bool:
    """True when pbem made this folder; refuses settings that could make git run something."""
    try:
        raw = disk.read(path, CONFIG_LIMIT)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", "clone the game again") from None
    if raw == CONFIG.encode():
        return True
    ours = False
    for key, value in _settings(raw.decode("utf-8", "replace"), path):
        ours = ours or key == "pbem.format"
        if (key, value) not in _OWN_SETTINGS and _HARMLESS_KEY.fullmatch(key) is None:
            raise UsageError(
                f"{path} sets {shown(key)}, which pbem does not let git use",
                f"look at it; to remove it: git config --file {path} --unset-all {shown(key)}",
            )
    return ours


def _settings(text: str, path: str) -> Iterator[tuple[str, str]]:
    """Each setting of a configuration as git writes it, one line each; anything fancier is refused."""
    section = ""
    for number, line in enumerate(text.split("\n"), 1):
        head, setting = _SECTION.fullmatch(line), _SETTING.fullmatch(line)
        if head:
            section = head[1].lower() + (f".{head[2]}" if head[2] is not None else "")
        elif setting and section:
            yield f"{section}.{setting[1].lower()}", setting[2] or ""
        elif line.strip() and not line.lstrip().startswith(("#", ";")):
            raise UsageError(
                f"line {number} of {path} is not one that pbem understands: {shown(line)}",
                "look at it; a game folder needs no settings of yours",
            )
