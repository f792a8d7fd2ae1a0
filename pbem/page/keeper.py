"""The private key of the local page: loaded when it is needed, forgotten after a quarter of an hour.

Its passphrase is typed in the terminal that runs `pbem open`, never in the page.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from pbem.errors import PbemError, UsageError
from pbem.home import Home
from pbem.protocol.crypto.keys import SigningKey

IDLE = 15 * 60.0


class Locked(PbemError):
    """The key has a passphrase that nobody has typed yet."""

    exit_code = 2


class _NeedsPassphrase(Exception):
    pass


class Keeper:
    """Gives the key to those who sign."""

    def __init__(self, home: Home, clock: Callable[[], float] = time.monotonic) -> None:
        self.home, self._clock = home, clock
        self._key: SigningKey | None = None
        self._used = 0.0
        self.wanted = threading.Event()
        """Set when somebody must type the passphrase in the terminal."""
        self.makes = False
        """Whether it is the passphrase of a key that is to be made."""

    def key(self) -> SigningKey:
        """The key, or `Locked`."""
        now = self._clock()
        if self._key is not None and now - self._used < IDLE:
            self._used = now
            return self._key
        self._key = None
        try:
            self._key = self.home.key(_refuse)
        except _NeedsPassphrase:
            self.wanted.set()
            raise Locked(
                "your key has a passphrase", "type it in the terminal where pbem runs, then try again"
            ) from None
        self._used = now
        return self._key

    def make(self, passphrase: bytes | None) -> None:
        """Make the key, and the spare key with it."""
        self.makes = False
        self.wanted.clear()
        if self.home.config().get("key") is not None:
            raise UsageError(f"you use the key {self.home.key_path()}", "`pbem key show` shows it")
        self._key = self.home.new_key(passphrase)
        self._used = self._clock()
        self.home.spare()

    def make_later(self) -> None:
        """Ask in the terminal for the passphrase of a new key."""
        self.makes = True
        self.wanted.set()

    def unlock(self, passphrase: Callable[[], bytes]) -> None:
        """Load the key with what was typed in the terminal."""
        self.wanted.clear()
        self._key = self.home.key(passphrase)
        self._used = self._clock()


def _refuse() -> bytes:
    raise _NeedsPassphrase
