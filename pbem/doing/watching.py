"""One look at everything that may have come: apply it, answer it, hand the answers over, tell the owner.

Invariants: the main key is never used, so a watching machine cannot move for its owner; what was done
is noted after it was done, so that a run killed at any moment is made up for by the next; one game's
trouble does not keep the others waiting.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pbem import attached
from pbem.doing import handover, remotes, ways
from pbem.doing.incoming import game_id, sort
from pbem.doing.notices import offers
from pbem.doing.summaries import Summaries
from pbem.doing.telling import counts
from pbem.errors import BusyError, PbemError, TransportError, UsageError, disk_error
from pbem.protocol.papers.times import now, seconds, stamp

if TYPE_CHECKING:
    from pbem.home import Home
    from pbem.table import Received, Table

Result = TypeVar("Result")
CURSOR = "mailbox.toml"
MOST_KEPT = 100
"""So many files of strangers are kept for the owner; what comes then stays in the mailbox."""
QUIET = "quiet"
FAR = 1 << 40
"""A moment that never comes."""
PARTS = (2, 8)
"""A reminder when half of the clock is gone, and another when only an eighth is left."""


class Tables:
    """The games that are looked after; each is opened when it is needed first."""

    def __init__(self, home: Home, folders: dict[str, Path]) -> None:
        self.home, self.folders = home, folders
        self._open: dict[str, Table] = {}

    @cached_property
    def names(self) -> dict[str, str]:
        """What the player calls each game, by its id."""
        found = {game_id(folder): name for name, folder in self.folders.items()}
        return {game: name for game, name in found.items() if game is not None}

    def open(self, name: str) -> Table:
        """The table of a game."""
        from pbem.table import Table

        if name not in self._open:
            self._open[name] = Table.open(self.folders[name], self.home)
        return self._open[name]

    def close(self, name: str) -> None:
        """It has been looked after: five hundred games need not be in memory at once."""
        self._open.pop(name, None)


class Watcher:
    """Looks after some or all games of one home."""

    def __init__(
        self,
        home: Home,
        names: Sequence[str] = (),
        say: Callable[[str], None] = lambda line: None,
        clock: Callable[[], str] = now,
    ) -> None:
        self.home = home
        self.names = names
        self.say = say
        self.clock = clock
        self.errors: list[PbemError] = []
        """What went wrong in the last look."""

    def look(self) -> None:
        """Everything once."""
        self.errors = []
        tables = Tables(self.home, self._folders())
        if not tables.folders and not self.names:
            self.say("no game to watch yet")
        self._guarded("mail", lambda: self._read_mail(tables))
        summaries = Summaries(self.home)
        for name, folder in tables.folders.items():
            if not self._is_quiet(summaries, folder):
                self._guarded(name, partial(self._look_after, name, tables, summaries))
                tables.close(name)

    def _folders(self) -> dict[str, Path]:
        known = self.home.games()
        unknown = [name for name in self.names if name not in known]
        if unknown:
            raise UsageError(f"no game is called {unknown[0]!r}", f"your games: {', '.join(known) or 'none'}")
        return {name: known[name] for name in self.names or known}

    def _is_quiet(self, summaries: Summaries, folder: Path) -> bool:
        """True if this game was looked after as it is now, and no clock has come to a mark since."""
        kept = summaries.kept(QUIET, folder, summaries.mark(folder))
        return kept is not None and seconds(self.clock()) < kept["until"]

    def _look_after(self, name: str, tables: Tables, summaries: Summaries) -> None:
        """One game; if there is nothing more to do for it, it need not be opened the next time."""
        table, before = tables.open(name), len(self.errors)
        self._game(name, table)
        if remotes.remote_of(table) is None and len(self.errors) == before:
            summaries.keep(QUIET, table.folder, {"until": self._quiet_until(table)})

    def _quiet_until(self, table: Table) -> int:
        """The next moment at which a clock makes something new to be told."""
        from pbem import report, timing
        from pbem.protocol.rounds.clocks import HOUR

        time, move = seconds(self.clock()), table.contract.invite.clocks.move * HOUR
        if timing.absences(table):
            return time
        ends = {seconds(one["deadline"]) for one in report.asked(table) if one["deadline"]}
        marks = ends | {end - move // part for end in ends for part in PARTS}
        return min((mark for mark in marks if mark > time), default=FAR)

    def _guarded(self, what: str, work: Callable[[], Result]) -> Result | None:
        """One thing of several: it must never keep the others from being looked at."""
        try:
            return work()
        except PbemError as error:
            self._failed(what, error)
        except OSError as error:
            self._failed(what, disk_error(error) or PbemError(f"the system says: {error.strerror}"))
        except Exception as error:  # a bug that a stranger found
            reason = f"something went wrong ({type(error).__name__})"
            self._failed(what, PbemError(reason, "the other games are looked after; report this bug"))
        return None

    def _failed(self, what: str, error: PbemError) -> None:
        self.errors.append(error)
        self.say(f"{what}: {ways.quietly(error)}")

    # --- mail

    def _read_mail(self, tables: Tables) -> None:
        """Every new message; how far that went is kept even if one of them fails."""
        place = ways.source(self.home, self.home.read_table(CURSOR).get("cursor"))
        if place is None:
            return
        try:
            for message in place:
                if self._take_safely(message.raw, tables):
                    message.mark()
        finally:
            self.home.write_table(CURSOR, {"cursor": place.cursor})

    def _take_safely(self, message: bytes, tables: Tables) -> bool:
        """One message, whatever it holds: it must never keep the next one from being read."""
        try:
            return self._take(message, tables)
        except BusyError:
            raise
        except PbemError as error:
            self._failed("mail", error)
        except Exception as error:  # a bug that a stranger found: his mail is left aside, not the others'
            what = f"a message could not be taken in ({type(error).__name__})"
            self._failed("mail", PbemError(what, "it stays in the mailbox; this is a bug, report it"))
        return False

    def _take(self, message: bytes, tables: Tables) -> bool:
        """The entries of one message; True if it held something that was taken in."""
        from pbem.transport.mail_in import find

        found = find(message)
        for problem in found.problems:
            self.say(f"mail: {ways.quietly(problem)}")
        split = sort(found.entries)
        known = self._papers_of(split.entries, tables)
        strange = [*(raw for raw in split.papers if raw not in known), *split.rekeys]
        taken = bool(found.entries) and not split.refused
        for game, raws in split.entries.items():
            if game in tables.names:
                taken = self._apply(tables.names[game], tables, raws, found.files) and taken
            elif not self.names:
                strange += raws
        if strange:
            self._keep(strange)
        return taken

    def _papers_of(self, games: Iterable[str], tables: Tables) -> set[bytes]:
        """The contracts of games played here: until a seat has answered, each mail to it brings its own."""
        found = set[bytes]()
        for game in games:
            if game in tables.names:
                with suppress(PbemError):  # a damaged game is told of where its entries are taken in
                    found.update(tables.open(tables.names[game]).contract.papers.values())
        return found

    def _apply(self, name: str, tables: Tables, raws: Sequence[bytes], files: Sequence[bytes]) -> bool:
        """Entries for one game. If another pbem is at work there, the message stays for the next look."""
        try:
            table = tables.open(name)
            result = table.receive(raws)
        except BusyError:
            raise
        except PbemError as error:
            self._failed(name, error)
            return False
        self._told(name, result)
        for line in attached.take_in(table.folder, files, [one.entry.raw for one in result.logged]):
            self.say(f"{name}: {line}")
        return not result.refused

    def _keep(self, raws: Sequence[bytes]) -> None:
        """What needs the owner, such as the papers of a new game, is kept as a file."""
        from pbem.home import write_private
        from pbem.transport.bundle import pack, portions

        bundles = [pack(portion) for portion in portions(raws)]
        inbox = self.home.path / "inbox"
        fresh = {inbox / f"{hashlib.sha256(b).hexdigest()[:16]}.pbem": b for b in bundles}
        kept = sum(1 for _ in inbox.glob("*.pbem")) if inbox.exists() else 0
        for path, bundle in fresh.items():
            if path.exists():
                continue
            if kept >= MOST_KEPT:
                self.say(f"not kept, it stays in the mailbox: {inbox} holds {kept} files for you already")
                return
            write_private(path, bundle)
            self._kept(path)
            kept += 1

    def _kept(self, path: Path) -> None:
        text = f"The papers of a game, or a game that is not known here:\n\npbem receive {path}\n"
        self.say(f"kept for you: {path}")
        self._tell("something for you to sign", text, {"game": "", "what": "papers", "file": str(path)})

    # --- one game

    def _told(self, name: str, result: Received) -> None:
        for error in result.refused:
            self.say(f"{name}: refused: {ways.quietly(error)}")
        if result.logged or result.answered:
            self.say(f"{name}: {counts(result)}")

    def _game(self, name: str, table: Table) -> None:
        """Fetch, answer, hand over, tell."""
        remote = remotes.remote_of(table)
        if remote is not None:
            fetched = remotes.fetch(table, remote)
            for error in fetched.refused:
                self.say(f"{name}: {ways.quietly(error)}")
            self._told(name, remotes.take_in(table, fetched))
        else:
            self._told(name, table.receive([]))
        if table.seat is None:
            return
        owed = table.due()
        if owed is not None and owed.kind == "audit":
            self._told(name, table.publish())
            self.say(f"{name}: the game is over, your secret is published")
        self._news(name, table)
        if not handover.is_handed(table):
            self._hand_over(name, table)

    def _hand_over(self, name: str, table: Table) -> None:
        """By the way that is set; what cannot leave so stands in a file, which the owner is told of."""
        handed = handover.hand_over(table, name)
        for line in handed.sent:
            self.say(f"{name}: {line}")
        for one in handed.written:
            self.say(f"{name}: written for {', '.join(one.seats)}: {one.path}")
        if isinstance(handed.problem, TransportError):
            raise handed.problem
        if handed.problem is not None:
            self.say(f"{name}: not sent by itself: {ways.quietly(handed.problem)}")

    # --- the owner

    def _news(self, name: str, table: Table) -> None:
        """Tell the owner once of each thing that is new: a decision, an offer, a clock, the end."""
        from pbem import report

        what, lines = self._what(table)
        offered = offers(table)
        what, lines = what or ("offer" if offered else ""), lines + offered
        end = report.outcome(table)
        if end:
            what, lines = "over", [f"the game is over: {end}", *lines]
        if not lines:
            return
        mark = hashlib.sha256("\n".join([what, *table.ledger.place.tip, *lines]).encode()).hexdigest()
        file = f"watch-{table.contract.game.hex()}.toml"
        if self.home.read_table(file).get("told") == mark:
            return
        subject = f"{name}: {lines[0]}"
        text = "\n".join([*lines, "", report.fingerprint(table), f"pbem status -g {name}", ""])
        self.say(subject)
        self._tell(subject, text, {"game": name, "what": what, "folder": str(table.folder)})
        self.home.write_table(file, {"told": mark})

    def _what(self, table: Table) -> tuple[str, list[str]]:
        """What the owner should know of the present question, and of whose clock runs."""
        from pbem import report
        from pbem.protocol.rounds.clocks import HOUR, clocks_of, deadline

        missing = table.ledger.missing()
        owed = missing.get(str(table.seat))
        state, came = table.ledger.state, seconds(table.came())
        clocks = clocks_of(table.contract, state)
        if owed is not None and owed.lane == "decide":
            lines = [f"asked of you: {report.owed(owed)}"]
            end = deadline(clocks, state, owed, came)
            left = end - seconds(self.clock())
            stage = sum(left * part <= clocks.move * HOUR for part in PARTS)
            if stage:
                gone = ("half of your clock is gone", "little of your clock is left")[stage - 1]
                lines.append(f"{gone}: it runs out at {stamp(end)}")
            return ("reminder" if stage else "decision"), lines
        now = seconds(self.clock())
        late = [
            s for s, one in missing.items() if s != table.seat and deadline(clocks, state, one, came) <= now
        ]
        if late:
            return "late", [f"the time of {', '.join(late)} is over: `pbem late` says so to the others"]
        return "", []

    def _tell(self, subject: str, text: str, facts: dict[str, str]) -> None:
        ways.tell(self.home, subject, text, facts)
