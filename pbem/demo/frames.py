"""What crosses a pipe between the postman and a seat: one line of JSON, then the bytes it announces.

The bytes are always one bundle (pbem.transport.bundle), just as they would be attached to a mail.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import IO, Any

from pbem.transport.bundle import pack, unpack


@dataclass(frozen=True)
class Frame:
    """Entries or papers, and what is said beside them."""

    entries: tuple[bytes, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


def write_frame(pipe: IO[bytes], frame: Frame) -> None:
    """Hand a frame over."""
    bundle = pack(frame.entries) if frame.entries else b""
    pipe.write(json.dumps({**frame.facts, "bytes": len(bundle)}).encode() + b"\n" + bundle)
    pipe.flush()


def read_frame(pipe: IO[bytes]) -> Frame | None:
    """The next frame; None when the other side has closed the pipe."""
    line = pipe.readline()
    if not line:
        return None
    facts = json.loads(line)
    size = facts.pop("bytes")
    bundle = pipe.read(size)
    if len(bundle) != size:
        return None
    return Frame(tuple(unpack(bundle)) if size else (), facts)
