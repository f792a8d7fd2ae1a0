"""From nothing to a game, on the page: the key, an invitation, a seat, the papers until everybody has signed.

Nothing is signed that was not shown: terms are kept here under a ticket while they are read, and the
signature goes under exactly those papers.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.doing import inviting
from pbem.doing.incoming import Incoming, is_entry
from pbem.doing.papers import missing
from pbem.engine import registry
from pbem.errors import PbemError
from pbem.home import Home
from pbem.lobby import Lobby, open_lobbies, withdraw
from pbem.page.answers import Refused
from pbem.page.handing import parcel
from pbem.page.keeper import Keeper
from pbem.page.terms import game, terms

SHOWN = 16
"""So many sets of terms may lie open in tabs at once."""


class Beginning:
    """Everything before the first move."""

    def __init__(self, home: Home, keeper: Keeper) -> None:
        self.home, self._keeper = home, keeper
        self._shown: OrderedDict[str, Lobby] = OrderedDict()

    # --- who one is

    def me(self, data: Mapping[str, Any]) -> Any:
        """Who plays here: name, key, what to keep; and the tables that have not begun."""
        config = self.home.config()
        return {
            "name": str(config.get("name", "")),
            "address": str(config.get("address", "")),
            "site": str(config.get("site", "")),
            "kept": config.get("kept") is True,
            "key": self._key(),
            "waiting": self._waiting(),
        }

    def _key(self) -> dict[str, str] | None:
        from pbem.protocol.crypto.keys import fingerprint, parse_public_line

        line = self.home.public_line()
        if line is None and not self.home.key_path().exists():
            return None
        mark = fingerprint(parse_public_line(line)) if line else ""
        return {"fingerprint": mark, "file": str(self.home.key_path()), "spare": str(self.home.spare_path())}

    def key(self, data: Mapping[str, Any]) -> Any:
        """Make the key; with a passphrase, the terminal asks for it."""
        name = text(data, "name", 120)
        if not name.strip():
            raise Refused(400, "type the name that the others will see")
        inviting.myself(self.home, name.strip(), None)
        if data.get("passphrase") is True:
            self._keeper.make_later()
        else:
            self._keeper.make(None)
        return self.me({})

    def settings(self, data: Mapping[str, Any]) -> Any:
        """Change what the page may change: that the key was copied, the site that opens one's links."""
        changes: dict[str, Any] = {}
        if data.get("kept") is True:
            changes["kept"] = True
        if "site" in data:
            site = text(data, "site", 300).strip()
            if site and not site.startswith("https://"):
                raise Refused(400, "the address of a site begins with https://")
            changes["site"] = site or None
        self.home.set_config(**changes)
        return self.me({})

    # --- inviting

    def game(self, data: Mapping[str, Any]) -> Any:
        """One installed game: scenarios, seats, options, clocks."""
        return game(registry.load(text(data, "rules", 80)))

    def offer(self, data: Mapping[str, Any]) -> Any:
        """The terms of an invitation that could be sent; nothing is kept."""
        wanted = wanted_game(data)
        lobby, mine = inviting.offer(self.home, wanted)
        return {"terms": terms(self.home, lobby), "seat": mine, "ticket": self._show(lobby)}

    def join(self, data: Mapping[str, Any]) -> Any:
        """Take a seat under the terms that were shown, one's own invitation or another's."""
        lobby = self._shown.get(text(data, "ticket", 80))
        if lobby is None:
            raise Refused(409, "these terms are not open any more", "open the invitation again")
        mine = lobby.own_seat or inviting.choose_seat(lobby, text(data, "seat", 40) or None)
        address = text(data, "address", 200) or None
        me = inviting.myself(self.home, text(data, "name", 200).strip() or None, address)
        into = self.home.path / "games"
        into.mkdir(parents=True, exist_ok=True, mode=0o700)
        inviting.take_seat(self.home, lobby, mine, me, self._keeper.key, self._file(lobby, mine), into)
        self._shown.pop(text(data, "ticket", 80), None)
        return self._papers(lobby)

    def _show(self, lobby: Lobby) -> str:
        ticket = secrets.token_urlsafe(24)
        self._shown[ticket] = lobby
        while len(self._shown) > SHOWN:
            self._shown.popitem(last=False)
        return ticket

    # --- papers

    def invitation(self, found: Incoming) -> Any | None:
        """The terms of an invitation among what came in, if this home has no seat at its table yet."""
        papers = [raw for raw in found.raws if not is_entry(raw)]
        if not papers:
            return None
        try:
            lobbies = open_lobbies(self.home, papers)
        except PbemError:
            return None
        strange = [lobby for lobby in lobbies if lobby.own_seat is None and "invite" in lobby.papers]
        if len(strange) != 1:
            return None
        return {"terms": terms(self.home, strange[0]), "ticket": self._show(strange[0])}

    def papers(self, data: Mapping[str, Any]) -> Any:
        """The papers of a table that has not begun, once more."""
        return self._papers(self._lobby(data))

    def withdraw(self, data: Mapping[str, Any]) -> Any:
        """Forget a table whose contract this home has not signed."""
        withdraw(self._lobby(data))
        return self.me({})

    def _lobby(self, data: Mapping[str, Any]) -> Lobby:
        name = text(data, "table", 40)
        found = next((one for one in self._lobbies() if one.table == name), None)
        if found is None:
            raise Refused(400, "no table of yours waits under this name")
        return found

    def _papers(self, lobby: Lobby) -> dict[str, Any]:
        file = self._file(lobby, str(lobby.own_seat))
        if not file.exists():
            from pbem.doing.receiving import write_papers

            write_papers(lobby, file)
        letter = f"{lobby.invite.rules}, {lobby.invite.scenario}: an invitation to a game with pbem."
        return {"terms": terms(self.home, lobby), "awaits": missing(lobby), "files": [parcel(file, letter)]}

    def _file(self, lobby: Lobby, seat: str) -> Path:
        """Where the papers that this seat hands over stand: by how many of them there are."""
        folder = outbox(self.home)
        return folder / f"{lobby.invite.rules}-{lobby.table[:8]}-{seat}-{len(lobby.papers)}.pbem"

    def _waiting(self) -> list[dict[str, Any]]:
        """Tables with a seat of one's own whose game has not begun."""
        found = []
        for lobby in self._lobbies():
            try:
                found.append({"terms": terms(self.home, lobby), "awaits": missing(lobby)})
            except PbemError as error:
                found.append({"table": lobby.table, "problem": error.message})
        return found

    def _lobbies(self) -> list[Lobby]:
        folder = self.home.path / "tables"
        names = [path.stem.removeprefix("lobby-") for path in sorted(folder.glob("lobby-*.toml"))]
        lobbies = [Lobby.load(self.home, name) for name in names]
        return [one for one in lobbies if one.own_seat is not None and one.note("folder") is None]


def outbox(home: Home) -> Path:
    """Where files with papers for the others are written."""
    folder = home.path / "outbox"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def wanted_game(data: Mapping[str, Any], comment: str = "") -> inviting.Wanted:
    """A game as the page's form asks for it."""
    players = data.get("players")
    if players is not None and (not isinstance(players, int) or isinstance(players, bool)):
        raise Refused(400, "players: expected a number")
    return inviting.Wanted(
        text(data, "rules", 80),
        text(data, "scenario", 80) or None,
        _pairs(data, "options"),
        players,
        text(data, "seat", 40) or None,
        _pairs(data, "clocks"),
        comment=comment or text(data, "comment", 200),
    )


def _pairs(data: Mapping[str, Any], name: str) -> Sequence[str]:
    """A record of the form, as NAME=VALUE."""
    given = data.get(name, {})
    if not isinstance(given, dict) or len(given) > 100:
        raise Refused(400, f"{name}: expected a record")
    if not all(isinstance(value, (str, int)) and len(f"{key}{value}") < 200 for key, value in given.items()):
        raise Refused(400, f"{name}: expected words and numbers")
    return tuple(f"{key}={value}" for key, value in given.items())


def text(data: Mapping[str, Any], name: str, most: int) -> str:
    """A text that the page sends, "" if it sends none."""
    given = data.get(name, "")
    given = "" if given is None else given
    if not isinstance(given, str) or len(given) > most:
        raise Refused(400, f"{name}: expected a text of at most {most} characters")
    return given
