"""What is handed to the other players, as the page gives it out: a file, a text, and a link where it fits."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem.errors import MalformedError
from pbem.transport import links
from pbem.transport.bundle import MAGIC, unpack
from pbem.transport.mail_out import body_text


def parcel(path: Path, letter: str = "", to: Sequence[str] = ()) -> dict[str, Any]:
    """A file that was written for others, with the same thing as text and as a link."""
    raw = path.read_bytes()
    told: dict[str, Any] = {"name": path.name, "where": str(path), "to": list(to)}
    told["data"] = base64.b64encode(raw).decode()
    if raw.startswith(MAGIC):
        try:
            told["text"] = body_text(letter, unpack(raw))
        except MalformedError:
            return told
        link = links.write(raw)
        if len(link) <= links.LONGEST:
            told["link"] = link
    return told
