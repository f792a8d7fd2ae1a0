"""The player's desk behind the local page: games, boards after drafted orders, next words, deeds.

One lock around everything: a page has one user. The game is read from its folder whenever another process
has moved it, so that page and command line may be used in turns.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pbem import drafts, report
from pbem.doing import playing
from pbem.engine.nextwords import Index
from pbem.engine.options import PUBLIC, View
from pbem.engine.waits import AskSealed
from pbem.errors import NotYourTurnError, PbemError
from pbem.home import Home
from pbem.page import books, deeds
from pbem.page.answers import Refused
from pbem.page.beside import Manner
from pbem.page.boards import Boards, seats_asked
from pbem.page.keeper import Keeper
from pbem.page.plan import Plan, Planner, Wrong, signed_lines, supposable
from pbem.page.style import Names
from pbem.table import Table

SHOWN = 400
"""So many offered words and complete orders are sent at most."""
COSTED = 90
"""So many places get their cost at once."""


class Seat:
    """One open game."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.planner = Planner(table)
        self.indexes: dict[tuple[str, ...], Index] = {}


class Desk:
    """Everything that the page may ask for: one method for each path."""

    def __init__(self, home: Home, here: Path | None = None) -> None:
        self.home, self.here = home, here
        self.keeper = Keeper(home)
        self.boards = Boards()
        self._lock = threading.Lock()
        self._seats: dict[str, Seat] = {}
        self._secret = secrets.token_bytes(32)
        self._paths: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
            "games": self.games,
            "board": self.board,
            "next": self.next,
            "draft": self.draft,
            "promise": self.promise,
            "play": self.play,
            "status": self.status,
            "log": self.log,
            "book": self.book,
            "receive": self.receive,
            "send": self.send,
            "act": self.act,
            "fetch": self.fetch,
            "available": self.available,
            "practice": self.practice,
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

    # --- which game

    def folders(self) -> dict[str, Path]:
        """The games of this home, and the one whose folder pbem was started in."""
        found = self.home.games()
        if self.here is not None and self.here not in found.values():
            found[self.here.name] = self.here
        return found

    def _seat(self, data: Mapping[str, Any]) -> Seat:
        name = data.get("game")
        folder = self.folders().get(name) if isinstance(name, str) else None
        if folder is None or not isinstance(name, str):
            raise Refused(400, "no game of yours is called so")
        seat = self._seats.get(name)
        if seat is None or seat.table.repo.head() != seat.table.head:
            seat = self._seats[name] = Seat(Table.open(folder, self.home))
        return seat

    def _lines(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        lines = data.get("lines", [])
        if not isinstance(lines, list) or len(lines) > 1000 or not all(map(_is_line, lines)):
            raise Refused(400, "lines: expected a list of order lines")
        return tuple(lines)

    # --- games and status

    def games(self, data: Mapping[str, Any]) -> Any:
        """The list of games: seat, headline, who is asked what until when."""
        found = []
        for name in self.folders():
            try:
                table = self._seat({"game": name}).table
                found.append({"name": name, **self._standing(table)})
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
        """Whether anything has changed since a fingerprint: asked every few seconds."""
        table = self._seat(data).table
        found = self._standing(table)
        found["draft"] = drafts.read_draft(table)
        found["changed"] = found["fingerprint"] != data.get("fingerprint")
        return found

    # --- the board after the draft

    def board(self, data: Mapping[str, Any]) -> Any:
        """The board as it stands, after drafted lines, or after an earlier entry."""
        seat = self._seat(data)
        table = seat.table
        known = data.get("looks", 0)
        if isinstance(data.get("entry"), int):
            from pbem.cli.history import position_after

            pos, plan = position_after(table, data["entry"]), None
            view: View = PUBLIC
        else:
            plan = seat.planner.plan(self._lines(data))
            pos = plan.last.position
            view = self._view(table, plan)
        machine = table.ledger.machine
        scene = machine.rules.scene(pos, view)
        manner = Manner(_names(data.get("names")), table.seat or "", seats_asked(machine, pos))
        known = known if isinstance(known, int) else 0
        found = self.boards.frame(scene, manner, known, lambda word: machine.rules.show(pos, word))
        if data.get("base") == found["base"]:
            del found["markup"], found["at"]
        found |= {"fingerprint": table.fingerprint, "headline": scene.headline}
        if plan is not None:
            found["plan"] = self._planned(plan)
        return found

    def _view(self, table: Table, plan: Plan) -> View:
        if table.secrets is None:
            return PUBLIC
        return plan.view if plan.options is not None else table.secrets.view()

    def _planned(self, plan: Plan) -> dict[str, Any]:
        steps = [
            {
                "line": step.used,
                "supposed": step.supposed,
                "events": [[event.rule, event.text] for event in step.events],
                "paths": [list(map(str, e.data["path"])) for e in step.events if e.data.get("path")],
            }
            for step in plan.steps[1:]
        ]
        options = plan.options
        return {
            "steps": steps,
            "wrong": [_wrong(one) for one in plan.wrong],
            "later": plan.later,
            "stop": plan.stop,
            "ask": (options.ask or options.kind) if options else "",
            "kind": options.kind if options else "",
            "sealed": isinstance(plan.wait, AskSealed),
            "written": [kind.notation for kind in options.kinds()] if options else [],
            "suppose": supposable(plan),
        }

    # --- next words

    def next(self, data: Mapping[str, Any]) -> Any:
        """What may be clicked or typed next, with costs and odds."""
        seat = self._seat(data)
        lines = self._lines(data)
        plan = seat.planner.plan(lines)
        picks, verb = data.get("picks", []), data.get("verb", "")
        if not isinstance(picks, list) or len(picks) > 200 or not all(map(_is_line, picks)):
            raise Refused(400, "picks: expected a list of words")
        if plan.options is None:
            raise NotYourTurnError(plan.stop or "nothing is asked of you now")
        index = self._index(seat, lines, plan)
        if isinstance(data.get("typed"), str):
            return {"typed": list(index.typed(data["typed"])[:SHOWN])}
        found = index.picked(picks, verb if isinstance(verb, str) else "")
        orders = []
        for text in found.complete[:12]:
            told = index.outlook(text)
            orders.append({"order": text, "cost": told.cost, "left": told.left, "odds": told.odds})
        return {
            "fits": found.fits,
            "offered": [[o.word, list(o.verbs), list(o.fields)] for o in found.offered[:SHOWN]],
            "more": max(0, len(found.offered) - SHOWN),
            "implied": list(found.implied),
            "complete": orders,
            "completes": len(found.complete),
            "costs": self._costs(seat, plan, index, picks, verb) if picks else {},
            "all": found.all_listed,
        }

    def _index(self, seat: Seat, lines: tuple[str, ...], plan: Plan) -> Index:
        key = (seat.table.fingerprint, *lines)
        found = seat.indexes.get(key)
        if found is None:
            assert plan.options is not None
            machine = seat.table.ledger.machine
            found = Index(machine, plan.last.position, plan.options, plan.view)
            if len(seat.indexes) > 8:
                seat.indexes.clear()
            seat.indexes[key] = found
        return found

    def _costs(self, seat: Seat, plan: Plan, index: Index, picks: list[str], verb: str) -> dict[str, Any]:
        """What each offered place would cost, and whether it is an attack."""
        scene = seat.table.ledger.machine.rules.scene(plan.last.position, plan.view)
        places = {place.id for place in scene.board.places}
        now = index.picked(picks, verb)
        words = dict.fromkeys((*(offer.word for offer in now.offered), *now.implied))
        seen = index.costs(picks, [word for word in words if word in places][:COSTED], verb)
        return {place: [told.cost, bool(told.odds)] for place, told in seen.items()}

    # --- draft, promise, play

    def draft(self, data: Mapping[str, Any]) -> Any:
        """Keep the draft: the same file as the command line's."""
        table = self._seat(data).table
        lines = signed_lines(self._lines(data))
        drafts.write_draft(table, "".join(f"{line}\n" for line in lines))
        return {"kept": len(lines)}

    def promise(self, data: Mapping[str, Any]) -> Any:
        """What would be signed, and a ticket for exactly that."""
        table = self._seat(data).table
        text = "\n".join(signed_lines(self._lines(data))) + "\n"
        promised = playing.promise(table, text)
        return {
            "lines": deeds.promised_lines(promised),
            "as": table.seat,
            "fingerprint": table.fingerprint,
            "ticket": self._ticket("play", table, promised.text),
        }

    def play(self, data: Mapping[str, Any]) -> Any:
        """Sign what was promised."""
        table = self._seat(data).table
        if data.get("fingerprint") != table.fingerprint:
            raise Refused(409, "the game has gone on meanwhile", "look at it again, then promise again")
        playing.finish_left_behind(table)
        promised = playing.promise(table, "\n".join(signed_lines(self._lines(data))) + "\n")
        self._check_ticket(data, "play", table, promised.text)
        return deeds.told(playing.play(promised, self.keeper.key))

    def _ticket(self, what: str, table: Table, text: str) -> str:
        bound = json.dumps([what, table.contract.game.hex(), table.fingerprint, text])
        return hmac.new(self._secret, bound.encode(), hashlib.sha256).hexdigest()

    def _check_ticket(self, data: Mapping[str, Any], what: str, table: Table, text: str) -> None:
        given = data.get("ticket")
        wanted = self._ticket(what, table, text)
        if not isinstance(given, str) or not hmac.compare_digest(given.encode(), wanted.encode()):
            raise Refused(409, "this is not what was shown to be signed", "promise again")

    # --- the past, the book

    def log(self, data: Mapping[str, Any]) -> Any:
        """Entries of the log, the last ones first asked for."""
        table = self._seat(data).table
        last = table.ledger.state.number
        first = data.get("from")
        first = max(0, last - 60) if not isinstance(first, int) else max(0, min(first, last))
        entries = [
            {
                "n": one.number,
                "seat": one.seat,
                "kind": one.kind,
                "sent": one.sent,
                "events": [
                    [e["rule"], e["text"]] for e in one.events if not any(key in e for key in report.QUIET)
                ],
            }
            for one in report.read_log(table, first, min(last, first + 200))
        ]
        return {"entries": entries, "first": first, "last": last}

    def book(self, data: Mapping[str, Any]) -> Any:
        """Rules by number or word, tables, primer, glossary, score, options."""
        table = self._seat(data).table
        return books.look(table, str(data.get("what", "")), str(data.get("words", "")))

    # --- others

    def receive(self, data: Mapping[str, Any]) -> Any:
        """Something dropped (base64) or pasted (text)."""
        import base64
        import binascii

        try:
            raw = (
                str(data["text"]).encode()
                if "text" in data
                else base64.b64decode(data["data"], validate=True)
            )
        except (KeyError, TypeError, binascii.Error):
            raise Refused(400, "expected data or text") from None
        return deeds.take_in(self.home, raw, self.keeper.key)

    def send(self, data: Mapping[str, Any]) -> Any:
        """Hand over again what the others have not acknowledged."""
        table = self._seat(data).table
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
        from pbem.doing.inviting import Wanted, myself
        from pbem.doing.practising import practise

        rules, scenario, seat = (data.get(name) or None for name in ("rules", "scenario", "seat"))
        if not isinstance(rules, str) or not all(
            isinstance(one, (str, type(None))) for one in (scenario, seat)
        ):
            raise Refused(400, "which game?")
        wanted = Wanted(rules, scenario, (), None, seat, comment="practice against the bot")
        into = self.home.path / "games"
        into.mkdir(parents=True, exist_ok=True, mode=0o700)
        begun = practise(self.home, wanted, (myself(self.home, None, None)[0], ""), self.keeper.key, into)
        return {"game": name_of(self.home, begun.table), "said": list(begun.said)}

    def act(self, data: Mapping[str, Any]) -> Any:
        """Standing orders, take-back, draw, resignation, audit: first what it means, then the signature."""
        from pbem.page.acts import act

        table = self._seat(data).table
        what, words = str(data.get("what", "")), data.get("words", [])
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise Refused(400, "words: expected a list")
        meant = act(table, what, tuple(words))
        if "ticket" not in data:
            return {"promise": meant.told, "ticket": self._ticket(what, table, meant.told)}
        self._check_ticket(data, what, table, meant.told)
        return deeds.told(meant.sign(self.keeper.key))


def _is_line(text: Any) -> bool:
    return isinstance(text, str) and len(text) <= 4096 and "\n" not in text


def _names(given: Any) -> Names:
    return "original" if given == "original" else "latin" if given == "latin" else "both"


def _wrong(one: Wrong) -> dict[str, Any]:
    return {"line": one.line, "reason": one.reason, "rule": one.rule, "hint": one.hint}
