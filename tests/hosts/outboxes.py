"""Outboxes at a host, as the program fills and reads them, and as anybody could."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pbem.errors import PbemError
from pbem.repository import Repository
from pbem.transport.git import fetch_outboxes, outbox_ref
from tests.plain_git import raw_git

GOOD = f"ab/{'0' * 62}.toml"
"""A path that an outbox may hold."""


def signed(seat: str, number: int, kind: str = "orders", text: str = "advance") -> bytes:
    """What an entry looks like to a transport; whether it verifies is not its business."""
    return f'kind = "{kind}"\nseat = "{seat}"\nnumber = {number}\nbody = "{text}"\n'.encode()


def fetch_entries(
    repo: Repository,
    remote: str,
    seats: list[str],
    since: dict[str, str] | None = None,
    refused: Callable[[str, PbemError], object] | None = None,
) -> list[bytes]:
    """The entries alone; a bad outbox is raised unless somebody is to be told."""

    def bad(seat: str, error: PbemError) -> None:
        if refused is None:
            raise error
        refused(seat, error)

    return [entry for _, _, part in fetch_outboxes(repo, remote, seats, since or {}, bad) for entry in part]


def plant(bare: Path, seat: str, *files: tuple[str, str, bytes | str]) -> str:
    """Puts (mode, path, content or id) into an outbox, as any tool could."""
    stream = b"feature done\ncommit %s\ncommitter x <x@x> 0 +0000\ndata 0\n" % outbox_ref(seat).encode()
    for mode, path, content in files:
        if isinstance(content, str):
            stream += f"M {mode} {content} {path}\n".encode()
        else:
            stream += f"M {mode} inline {path}\ndata {len(content)}\n".encode() + content + b"\n"
    raw_git(bare, "fast-import", "--quiet", "--force", data=stream + b"done\n")
    return raw_git(bare, "rev-parse", outbox_ref(seat))
