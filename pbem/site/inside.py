"""pbem inside a browser: the desk of the page, called by a worker instead of a server.

The home is a folder that the worker mounts from the browser's storage. A game's code is fetched when it is
imported first, and held against the digest that the site was built with.
"""

from __future__ import annotations

import hashlib
import importlib
import io
import json
import os
import secrets
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from pbem.errors import PbemError, UsageError
from pbem.home import Home
from pbem.page.answers import Refused, refusal_of
from pbem.page.desk import Desk

READS = frozenset(
    (
        "available",
        "board",
        "book",
        "game",
        "games",
        "log",
        "me",
        "next",
        "offer",
        "papers",
        "promise",
        "status",
    )
)
"""What changes nothing in the home, so that it is answered without writing to the browser's storage."""


def start(folder: str, address: str) -> Callable[[str, str], str]:
    """Lay the desk in a mounted folder; returns what answers a path and a record, both as JSON."""
    import pbem_worker  # type: ignore[import-not-found]

    versions = json.loads(pbem_worker.versions)
    sys.meta_path.insert(0, LazyGames(versions, lambda name: bytes(pbem_worker.code(name).to_bytes())))
    place = Path(folder) / "place"
    if not place.exists():
        place.write_text(secrets.token_hex(16), encoding="ascii")
    os.environ["PBEM_PLACE"] = place.read_text(encoding="ascii")
    return Inside(Home(Path(folder) / "home"), address, versions)


class Inside:
    """Answers what the page asks."""

    def __init__(self, home: Home, address: str, versions: Mapping[str, Any]) -> None:
        self.home, self.address, self._versions = home, address, versions
        self._desk = Desk(home)
        self._own: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
            "available": self.available,
            "fetch": self.fetch,
        }

    def __call__(self, path: str, text: str) -> str:
        """The answer as JSON: a status as a server has it, and what was told or refused."""
        told: dict[str, Any]
        try:
            data = json.loads(text)
            told = {
                "status": 200,
                "told": self._own[path](data) if path in self._own else self._desk(path, data),
            }
        except (Refused, PbemError) as error:
            no = refusal_of(error) if isinstance(error, PbemError) else error
            told = {"status": no.status, "error": no.message, "hint": no.hint, "rule": no.rule}
        except Exception as error:
            self._desk("fault", {"error": error})
            told = {"status": 500, "error": f"something went wrong ({type(error).__name__})"}
            told |= {"hint": "load the page again; your games are as they were before", "rule": ""}
        return json.dumps({**told, "changed": path not in READS}, ensure_ascii=False)

    def available(self, data: Mapping[str, Any]) -> Any:
        """The games of the site, as they were when it was built: none is loaded to be listed."""
        return {"games": self._versions["games"]}

    def fetch(self, data: Mapping[str, Any]) -> Any:
        """A page cannot read mail."""
        raise UsageError(
            "a site cannot read your mail, nor reach a git host",
            "open the link in the mail, drop the file here, or paste the mail's text",
        )


class LazyGames(MetaPathFinder):
    """Brings a game's code along when it is imported first."""

    def __init__(self, versions: Mapping[str, Any], fetch: Callable[[str], bytes]) -> None:
        self._files: Mapping[str, Any] = versions["files"]
        self._left = {f"games.{game['name']}": f"code/{game['name']}.zip" for game in versions["games"]}
        self._fetch = fetch

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """None: the next finder has the module, once its archive is unpacked."""
        archive = self._left.get(fullname)
        if archive is None:
            return
        raw = self._fetch(archive)
        if hashlib.sha256(raw).hexdigest() != self._files[archive]["sha256"]:
            raise ImportError(f"{archive} is not the file that this site was built with")
        root = Path(__file__).parent.parent.parent
        with zipfile.ZipFile(io.BytesIO(raw)) as unpacked:
            unpacked.extractall(root)
        del self._left[fullname]
        importlib.invalidate_caches()
