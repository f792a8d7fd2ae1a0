"""The player's desk behind the local page: games, boards after drafted orders, next words, deeds.

One lock around everything: a page has one user. The game is read from its folder whenever another process
has moved it, so that page and command line may be used in turns.
"""

from __future__ import annotations

import base64
import binascii
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pbem import drafts, report
from pbem.doing.files import write_file
from pbem.doing.judging import verdict_lines, words_of
from pbem.doing.notices import notices
from pbem.doing.summaries import Summaries
from pbem.errors import PbemError
from pbem.home import Home
from pbem.page import books, deeds
from pbem.page.answers import Refused
from pbem.page.asking import Asking
from pbem.page.beginning import Beginning, outbox, wanted_game
from pbem.page.handing import parcel
from pbem.page.happened import told
from pbem.page.keeper import Keeper
from pbem.page.mailing import Mailing
from pbem.page.plans import Plans
from pbem.page.signing import Signing
from pbem.page.tables import Tables
from pbem.page.watching import Watching, seen
from pbem.table import Table


class Desk:
    """Everything that the page may ask for: one method for each path."""

    def __init__(self, home: Home, here: Path | None = None) -> None:
        self.home = home
        self.keeper = Keeper(home)
        self.tables = Tables(home, here)
        self._lock = threading.Lock()
        self.beginning = begin = Beginning(home, self.keeper)
        watching, mailing = Watching(self.tables), Mailing(home)
        asking, signing = Asking(self.tables), Signing(self.tables, self.keeper)
        self._paths: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
            "games": self.games,
            "board": asking.board,
            "glimpse": asking.glimpse,
            "next": asking.next,
            "suggest": asking.suggest,
            "draft": signing.draft,
            "promise": signing.promise,
            "play": signing.play,
            "status": self.status,
            "log": self.log,
            "book": self.book,
            "receive": self.receive,
            "send": self.send,
            "act": signing.act,
            "fetch": self.fetch,
            "available": self.available,
            "practice": self.practice,
            "verify": self.verify,
            "dispute": self.dispute,
            "film": watching.film,
            "mail": mailing.mail,
            "mail-try": mailing.attempt,
            "plans": Plans(home, self.tables).plans,
            "seen": watching.seen,
            "me": begin.me,
            "key": begin.key,
            "settings": begin.settings,
            "game": begin.game,
            "offer": begin.offer,
            "join": begin.join,
            "papers": begin.papers,
            "withdraw": begin.withdraw,
        }

    def __call__(self, path: str, data: Mapping[str, Any]) -> Any:
        if path == "fault":
            traceback.print_exception(data["error"], file=sys.stderr)
            return None
        method = self._paths.get(path)
        if method is None:
            raise Refused(404, "there is nothing here")
        with self._lock:
            return method(data)

    def warm(self, name: str) -> None:
        """Open a game before it is asked for, while the browser starts."""
        try:
            self("board", {"game": name, "lines": []})
        except (PbemError, Refused):
            return

    # --- games and status

    def games(self, data: Mapping[str, Any]) -> Any:
        """The list of games: seat, headline, who is asked what until when."""
        found = []
        summaries = Summaries(self.home)
        for name, folder in self.tables.folders().items():
            try:
                found.append({"name": name, **summaries.of("page", folder, self._standing)})
            except PbemError as error:
                found.append({"name": name, "problem": error.message})
        return {"games": found}

    def _standing(self, table: Table) -> dict[str, Any]:
        invite = table.contract.invite
        rules = table.ledger.machine.rules
        return {
            "title": rules.title,
            "rules": invite.rules,
            "scenario": invite.scenario,
            "seat": table.seat,
            "seats": [[seat, table.contract.seats[seat].player] for seat in invite.seats],
            "headline": rules.headline(table.ledger.position),
            "rule": report.rule_now(table),
            "asked": report.asked(table),
            "outcome": report.outcome(table),
            "entries": table.ledger.state.number,
            "fingerprint": table.fingerprint,
        }

    def status(self, data: Mapping[str, Any]) -> Any:
        """Whether anything has changed since a fingerprint, and what waits beside it: asked often."""
        table = self.tables.seat(data).table
        found = self._standing(table)
        found["seen"] = seen(table)
        found["draft"] = drafts.read_draft(table)
        found["notices"] = notices(table)
        found["changed"] = found["fingerprint"] != data.get("fingerprint")
        return found

    # --- the past, the book

    def log(self, data: Mapping[str, Any]) -> Any:
        """Entries of the log, the last ones first asked for."""
        table = self.tables.seat(data).table
        last = table.ledger.state.number
        first = data.get("from")
        first = max(0, last - 60) if not isinstance(first, int) else max(0, min(first, last))
        rules = table.ledger.machine.rules
        scene = rules.scene(table.ledger.position)
        entries = [
            {
                "n": one.number,
                "seat": one.seat,
                "kind": one.kind,
                "sent": one.sent,
                "events": told(one.events, table.ledger.position, scene, rules),
            }
            for one in report.read_log(table, first, min(last, first + 200))
        ]
        return {"entries": entries, "first": first, "last": last}

    def book(self, data: Mapping[str, Any]) -> Any:
        """Rules by number or word, tables, primer, glossary, score, options."""
        table = self.tables.seat(data).table
        return books.look(table, str(data.get("what", "")), str(data.get("words", "")))

    # --- others

    def receive(self, data: Mapping[str, Any]) -> Any:
        """Something dropped (base64) or pasted (text)."""
        try:
            raw = (
                str(data["text"]).encode()
                if "text" in data
                else base64.b64decode(data["data"], validate=True)
            )
        except (KeyError, TypeError, binascii.Error):
            raise Refused(400, "expected data or text") from None
        found = deeds.found_in(raw)
        invitation = self.beginning.invitation(found)
        if invitation is not None:
            return {"said": [], "files": [], "games": [], "invitation": invitation}
        return deeds.take_in(self.home, found, self.keeper.key, outbox(self.home))

    def send(self, data: Mapping[str, Any]) -> Any:
        """Hand over again what the others have not acknowledged."""
        table = self.tables.seat(data).table
        return deeds.sent_again(self.home, table)

    def fetch(self, data: Mapping[str, Any]) -> Any:
        """One look for what has arrived by the ways that are set, as `pbem watch --once` does."""
        from pbem.doing.watching import Watcher

        said: list[str] = []
        watcher = Watcher(self.home, say=said.append)
        watcher.look()
        return {"said": [*said, *(error.message for error in watcher.errors)], "files": []}

    def available(self, data: Mapping[str, Any]) -> Any:
        """The games that can be played against the bot."""
        return {"games": books.available()}

    def practice(self, data: Mapping[str, Any]) -> Any:
        """A game against the bot, in a folder of the player's home."""
        from pbem.doing.incoming import name_of
        from pbem.doing.inviting import myself
        from pbem.doing.practising import practise

        wanted = wanted_game(data, "practice against the bot")
        into = self.home.path / "games"
        into.mkdir(parents=True, exist_ok=True, mode=0o700)
        begun = practise(self.home, wanted, (myself(self.home, None, None)[0], ""), self.keeper.key, into)
        return {"game": name_of(self.home, begun.table), "said": list(begun.said)}

    # --- proof

    def verify(self, data: Mapping[str, Any]) -> Any:
        """Everything of a game checked again, from the first entry."""
        from pbem.verify import verify_folder

        verdict = verify_folder(self.tables.seat(data).table.folder, self.home)
        return {"ok": verdict.ok, "said": verdict_lines(verdict)}

    def dispute(self, data: Mapping[str, Any]) -> Any:
        """One file with all that an outsider needs to judge a game, and what it comes to."""
        from pbem import dispute

        table = self.tables.seat(data).table
        files = dispute.files_of(table)
        words = words_of(dispute.judge(files, self.home))
        name = f"{table.contract.invite.rules}-{table.contract.game.hex()[:8]}-dispute.zip"
        write_file(outbox(self.home) / name, dispute.make(files, words))
        return {"said": words.splitlines(), "files": [parcel(outbox(self.home) / name)]}
