"""The draft, and what is signed in the page: first what it means, with a ticket for exactly that."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from typing import Any

from pbem import drafts
from pbem.doing import playing
from pbem.page import deeds
from pbem.page.answers import Refused
from pbem.page.keeper import Keeper
from pbem.page.plan import signed_lines
from pbem.page.tables import Tables, lines_of
from pbem.table import Table


class Signing:
    """What was shown is what is signed: a ticket binds the words, the game and its position."""

    def __init__(self, tables: Tables, keeper: Keeper) -> None:
        self._tables, self._keeper = tables, keeper
        self._secret = secrets.token_bytes(32)

    def draft(self, data: Mapping[str, Any]) -> Any:
        """Keep the draft: the same file as the command line's."""
        table = self._tables.seat(data).table
        lines = signed_lines(lines_of(data))
        drafts.write_draft(table, "".join(f"{line}\n" for line in lines))
        return {"kept": len(lines)}

    def promise(self, data: Mapping[str, Any]) -> Any:
        """What would be signed, and a ticket for exactly that."""
        table = self._tables.seat(data).table
        text = "\n".join(signed_lines(lines_of(data))) + "\n"
        promised = playing.promise(table, text)
        return {
            "lines": deeds.promised_lines(promised),
            "as": table.seat,
            "fingerprint": table.fingerprint,
            "ticket": self._ticket("play", table, promised.text),
        }

    def play(self, data: Mapping[str, Any]) -> Any:
        """Sign what was promised."""
        table = self._tables.seat(data).table
        if data.get("fingerprint") != table.fingerprint:
            raise Refused(409, "the game has gone on meanwhile", "look at it again, then promise again")
        playing.finish_left_behind(table)
        promised = playing.promise(table, "\n".join(signed_lines(lines_of(data))) + "\n")
        self._check_ticket(data, "play", table, promised.text)
        return deeds.told(playing.play(promised, self._keeper.key))

    def _ticket(self, what: str, table: Table, text: str) -> str:
        bound = json.dumps([what, table.contract.game.hex(), table.fingerprint, text])
        return hmac.new(self._secret, bound.encode(), hashlib.sha256).hexdigest()

    def _check_ticket(self, data: Mapping[str, Any], what: str, table: Table, text: str) -> None:
        given = data.get("ticket")
        wanted = self._ticket(what, table, text)
        if not isinstance(given, str) or not hmac.compare_digest(given.encode(), wanted.encode()):
            raise Refused(409, "this is not what was shown to be signed", "promise again")

    def act(self, data: Mapping[str, Any]) -> Any:
        """Standing orders, take-back, draw, resignation, audit: first what it means, then the signature."""
        from pbem.page.acts import act

        table = self._tables.seat(data).table
        what, words = str(data.get("what", "")), data.get("words", [])
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise Refused(400, "words: expected a list")
        meant = act(table, what, tuple(words))
        if "ticket" not in data:
            return {"promise": meant.told, "ticket": self._ticket(what, table, meant.told)}
        self._check_ticket(data, what, table, meant.told)
        return deeds.told(meant.sign(self._keeper.key))
