"""The page that runs already: a second `pbem open` of the same player opens it instead of another one.

A private file of the home says where it is and holds the key by which both sides prove who they are. What
answers there without the proof is not the player's page (another program may have got its port): the file
is then out of date, and nothing was told to that program.
"""

from __future__ import annotations

import json
import secrets
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

from pbem.errors import UsageError
from pbem.home import Home, write_private
from pbem.page.server import proof_of

if TYPE_CHECKING:
    from pbem.page.server import Server

FILE = "open.toml"
PATIENCE = 5.0
"""So many seconds the running page may take to answer."""


class Running:
    """Which page of this home runs."""

    def __init__(self, home: Home) -> None:
        self._home, self._path = home, home.path / FILE
        self._noted: dict[str, str] = {}

    def note(self, server: Server) -> None:
        """From now on this server is the one."""
        import tomli_w

        self._noted = {"origin": server.origin, "key": server.guard.key.hex()}
        write_private(self._path, tomli_w.dumps(self._noted).encode())

    def forget(self) -> None:
        """The server that was noted ends; a later one's note stays."""
        if self._read() == self._noted:
            self._path.unlink(missing_ok=True)

    def address(self) -> str | None:
        """The address of the running page with a fresh token; None if none runs."""
        noted = self._read()
        try:
            origin, key = str(noted["origin"]), bytes.fromhex(noted["key"])
        except (KeyError, ValueError):
            return None
        if not origin.startswith("http://127.0.0.1:"):
            return None
        nonce = secrets.token_urlsafe(24)
        told = _ask(origin, {"nonce": nonce, "proof": proof_of(key, "asked", nonce)})
        token, proof = told.get("token"), told.get("proof")
        if not isinstance(token, str) or proof != proof_of(key, "told", nonce, token):
            return None
        return f"{origin}/#token={token}"

    def _read(self) -> dict[str, str]:
        import tomllib

        try:
            return {k: str(v) for k, v in tomllib.loads(self._path.read_text(encoding="utf-8")).items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            hint = "take it away: it only says which page runs"
            raise UsageError(f"{self._path} cannot be read", hint) from None


def _ask(origin: str, data: dict[str, str]) -> dict[str, Any]:
    """What the server at an address answers, {} if none does."""
    headers = {"Content-Type": "application/json", "Origin": origin}
    request = urllib.request.Request(f"{origin}/api/again", json.dumps(data).encode(), headers)
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(request, timeout=PATIENCE) as answer:
            told = json.loads(answer.read(4096))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}
