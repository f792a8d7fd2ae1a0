"""Times as entries and papers write them: foreign input, the same on every machine.

One form: `2026-01-31T12:00:00Z`, ASCII, whole seconds, from 2000 to the end of 2099. Such texts sort as
the moments they name; `seconds` reads them, and refuses whatever else claims to be a time.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache

from pbem.errors import MalformedError

DAY = 24 * 3600
_FORM = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_LAYOUT = "%Y-%m-%dT%H:%M:%SZ"


def check_time(name: str, text: str) -> None:
    """Raise MalformedError, naming the field, if a text is no time."""
    if not _FORM.fullmatch(text):
        raise MalformedError(f"{name}: expected a time like 2026-01-31T12:00:00Z, from 2000 to 2099")
    try:
        datetime.strptime(text, _LAYOUT)
    except ValueError:
        raise MalformedError(f"{name}: there is no such time") from None


@lru_cache(maxsize=4096)
def seconds(text: str) -> int:
    """A time in Unix seconds; kept, since what waits is weighed against the clock at every step."""
    check_time("time", text)
    return int(datetime.strptime(text, _LAYOUT).replace(tzinfo=UTC).timestamp())


def stamp(moment: int) -> str:
    """Unix seconds as entries write them."""
    return datetime.fromtimestamp(moment, UTC).strftime(_LAYOUT)


def now() -> str:
    """The present moment."""
    return stamp(int(datetime.now(UTC).timestamp()))
