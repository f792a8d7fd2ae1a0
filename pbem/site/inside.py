"""pbem inside a browser: the desk of the page, called by a worker instead of a server.

The home is a folder that the worker mounts from the browser's storage. A game's code is fetched when it is
imported first, and held against the digest that the site was built with.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import importlib
import io
import json
import os
import secrets
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from pbem import dispute
from pbem.doing import keeping
from pbem.doing.returning import come_back
from pbem.errors import PbemError, UsageError
from pbem.home import Home
from pbem.page import deeds
from pbem.page.answers import Refused, refusal_of
from pbem.page.desk import Desk

READS = frozenset(
    ("available", "board", "book", "game", "games", "kept", "log", "me", "next", "offer", "papers", "promise")
) | {"status", "unlock", "verify"}
"""What changes nothing in the home, so that it is answered without writing to the browser's storage."""
ME = ("me", "key", "settings", "withdraw")
"""What tells who plays here."""


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
    """Answers what the page asks: the desk, and what only a home in a browser has."""

    def __init__(self, home: Home, address: str, versions: Mapping[str, Any]) -> None:
        self.home, self.address, self._versions = home, address, versions
        self._desk = Desk(home)
        self._own: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
            "available": self.available,
            "fetch": self.fetch,
            "receive": self.receive,
            "kept": self.kept,
            "save": self.save,
            "restore": self.restore,
            "forget": self.forget,
            "decide": self.decide,
            "unlock": self.unlock,
        }

    def __call__(self, path: str, text: str) -> str:
        """The answer as JSON: a status as a server has it, and what was told or refused."""
        told: dict[str, Any]
        try:
            told = {"status": 200, "told": self._answer(path, json.loads(text))}
        except (Refused, PbemError) as error:
            no = refusal_of(error) if isinstance(error, PbemError) else error
            told = {"status": no.status, "error": no.message, "hint": no.hint, "rule": no.rule}
        except Exception as error:
            self._desk("fault", {"error": error})
            told = {"status": 500, "error": f"something went wrong ({type(error).__name__})"}
            told |= {"hint": "load the page again", "rule": ""}
        return json.dumps({**told, "changed": path not in READS}, ensure_ascii=False)

    def _answer(self, path: str, data: Mapping[str, Any]) -> Any:
        own = self._own.get(path)
        told = own(data) if own is not None else self._desk(path, data)
        if path in ME:  # links lead to this site, and what to keep is said by the site
            told |= {"site": self.address, "kept": True}
        return told

    def available(self, data: Mapping[str, Any]) -> Any:
        """The games of the site, as they were when it was built: none is loaded to be listed."""
        return {"games": self._versions["games"]}

    def fetch(self, data: Mapping[str, Any]) -> Any:
        """A page cannot read mail."""
        raise UsageError(
            "a site cannot read your mail, nor reach a git host",
            "open the link in the mail, drop the file here, or paste the mail's text",
        )

    def receive(self, data: Mapping[str, Any]) -> Any:
        """What came in; a dispute file is judged completely, rules included."""
        try:
            raw = base64.b64decode(str(data.get("data", "")), validate=True)
        except binascii.Error:
            raise Refused(400, "expected data or text") from None
        if not zipfile.is_zipfile(io.BytesIO(raw)):
            return self._desk("receive", data)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "dispute.zip"
            file.write_bytes(raw)
            found = dispute.judge(dispute.read_file(file), self.home)
        return {"said": [*judged(found)], "files": [], "games": []}

    # --- keeping

    def kept(self, data: Mapping[str, Any]) -> Any:
        """Whether there is a key, when everything was saved last, and which games are played as a copy."""
        saved = str(self.home.config().get("saved", ""))
        return {"key": self.home.key_path().exists(), "saved": saved, "copies": keeping.copies(self.home)}

    def save(self, data: Mapping[str, Any]) -> Any:
        """Everything in one file; a home that moves puts its pen down."""
        raw = keeping.save(self.home, str(data.get("passphrase", "")), moving=data.get("moving") is True)
        day = datetime.now(UTC).date().isoformat()
        self.home.set_config(saved=day)
        return {"name": f"pbem-{day}.pbem-home", "data": base64.b64encode(raw).decode()}

    def restore(self, data: Mapping[str, Any]) -> Any:
        """A saved home in the place of an empty one."""
        try:
            raw = base64.b64decode(str(data.get("data", "")), validate=True)
        except binascii.Error:
            raise Refused(400, "expected data") from None
        found = keeping.restore(self.home, raw, str(data.get("passphrase", "")))
        self._desk = Desk(self.home)
        return {"games": found.games, "decides": found.decides}

    def forget(self, data: Mapping[str, Any]) -> Any:
        """Take everything away that this browser keeps."""
        if data.get("word") != "forget":
            raise UsageError("nothing was taken away", "type the word forget")
        shutil.rmtree(self.home.path, ignore_errors=True)
        self._desk = Desk(self.home)
        return {}

    def decide(self, data: Mapping[str, Any]) -> Any:
        """From now on this home decides where it was a copy, once the others have answered."""
        told = []
        for name in keeping.copies(self.home):
            _, news = come_back(self.home, self.home.games()[name], self._desk.keeper.key)
            told.append(deeds.told(news))
        self._desk = Desk(self.home)
        said, files = ([line for one in told for line in one[part]] for part in ("said", "files"))
        return {"said": said, "files": files}

    def unlock(self, data: Mapping[str, Any]) -> Any:
        """The passphrase of the key, for a quarter of an hour."""
        self._desk.keeper.unlock(lambda: str(data.get("passphrase", "")).encode())
        return {}


def judged(found: dispute.Judgement) -> Iterator[str]:
    """A judgement in words."""
    if found.contract is not None:
        invite = found.contract.invite
        yield f"{invite.rules} version {invite.version}, scenario {invite.scenario}"
        yield from (
            f"{one.name}: {one.player}, key {one.fingerprint}" for one in found.contract.seats.values()
        )
    verdict = found.verdict
    if verdict.problem is not None:
        who = f" of {verdict.problem.seat}" if verdict.problem.seat else ""
        yield f"not in order: entry {verdict.problem.entry}{who}: {verdict.problem.cause}"
        return
    yield f"in order: {verdict.entries} entries, every signature, link, die and rule"
    yield f"fingerprint: {verdict.fingerprint}"
    if verdict.outcome:
        yield f"outcome: {verdict.outcome}"


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
