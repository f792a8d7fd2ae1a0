"""The private key, when it is needed and not before: it may have a passphrase that somebody must type."""

from __future__ import annotations

from collections.abc import Callable

from pbem.protocol.crypto.keys import SigningKey

Key = Callable[[], SigningKey]
