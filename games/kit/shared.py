"""What has been worked out from a position and is shared by its copies."""

from __future__ import annotations

from typing import Any


class Shared(dict[Any, Any]):
    """A table that a copy of a position shares, because it is no plain dict: those are copied.

    Who changes what it was worked out from puts a new one in its place.
    """
