"""Files for the user, whole or not at all."""

from __future__ import annotations

from pathlib import Path

from pbem.errors import UsageError
from pbem.system import write_whole


def write_file(path: Path, data: bytes) -> None:
    """Write a file for the user, whole or not at all."""
    try:
        write_whole(path, data)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}", "choose another place") from None
