"""Commit ids, from `pbem help protocol` alone."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence


def commit_ids(line: Sequence[tuple[Mapping[str, bytes], str, str, int]]) -> list[str]:
    """The ids of a line of commits: for each the files it writes, message, author, seconds."""
    files: dict[str, bytes] = {}
    found: list[str] = []
    for written, message, author, when in line:
        files |= {path: _object(b"blob", data) for path, data in written.items()}
        who = f"{author} <{author}@pbem.invalid> {when} +0000"
        parent = f"parent {found[-1]}\n" if found else ""
        text = f"tree {_tree(files).hex()}\n{parent}author {who}\ncommitter {who}\n\n{message}"
        found.append(_object(b"commit", text.encode()).hex())
    return found


def _object(kind: bytes, data: bytes) -> bytes:
    return hashlib.sha1(kind + b" %d\0" % len(data) + data, usedforsecurity=False).digest()


def _tree(files: Mapping[str, bytes]) -> bytes:
    here: dict[str, bytes] = {}
    folders: dict[str, dict[str, bytes]] = {}
    for path, blob in files.items():
        top, _, rest = path.partition("/")
        if rest:
            folders.setdefault(top, {})[rest] = blob
        else:
            here[top] = b"100644 " + top.encode() + b"\0" + blob
    for name, inside in folders.items():
        here[name + "/"] = b"40000 " + name.encode() + b"\0" + _tree(inside)
    return _object(b"tree", b"".join(here[name] for name in sorted(here)))
