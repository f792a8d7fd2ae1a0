"""What the page does with a game: the same functions as the command line, and nothing of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pbem import drafts, report
from pbem.engine.orders import read_orders, write_orders
from pbem.errors import PbemError, RulesError, UsageError
from pbem.home import Home
from pbem.protocol.keys import SigningKey
from pbem.rehearse import Rehearsal, in_full, rehearse
from pbem.table import Received, Table

Key = Callable[[], SigningKey]


@dataclass(frozen=True)
class Promise:
    """What a signature would commit to."""

    text: str
    lines: tuple[str, ...]
    """In words, as `pbem play` says them."""


@dataclass
class Done:
    """What was done, in words, and the files that are to be handed over."""

    said: list[str] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)


def name_of(home: Home, table: Table) -> str:
    """What the player calls a game."""
    for name, folder in home.games().items():
        if folder == table.folder.absolute():
            return name
    return table.contract.invite.rules


def promise(table: Table, text: str) -> Promise:
    """What these orders would commit to; refused if one of them would be."""
    text = in_full(table, text)
    tried = rehearse(table, text)
    if tried.findings:
        first = tried.findings[0]
        raise RulesError(f"line {first.line}: {first.reason}", first.hint or None, rule=first.rule or None)
    due = table.due()
    if due is not None and due.kind == "sealed":
        return Promise(tried.done[0], (f"sealed: {tried.done[0]}", "only you can read it; it is binding"))
    return Promise(text, tuple(_committed(table, text, tried)))


def _committed(table: Table, text: str, tried: Rehearsal) -> list[str]:
    assert table.secrets is not None
    body = table.secrets.orders(text)
    orders = read_orders(text)
    shown = len(read_orders(body.orders))
    out = [f"open: {line}" for line in write_orders(orders[:shown]).splitlines()]
    out += [f"sealed until it is due: {line}" for line in write_orders(orders[shown:]).splitlines()]
    rules, pos = table.ledger.machine.rules, table.ledger.position
    out += [f"shows: {rules.show(pos, opening.value)}" for opening in body.opens]
    if body.tail:
        out.append("the sealed orders are binding, and are opened part by part when they are due")
    if tried.stops_at:
        out.append(f"what happens after {len(tried.done)} of them is not known yet: {tried.stops_at}")
    return out + [f"skipped if still illegal then: {line}" for line in tried.skipped]


def play(home: Home, table: Table, promised: Promise, key: Key) -> Done:
    """Sign what was promised, carry it out, and hand over what the others need."""
    _, result = table.orders(promised.text, key())
    drafts.write_draft(table, "")
    return finish(home, table, result)


def finish(home: Home, table: Table, result: Received) -> Done:
    """After a decision: the report, a draft if the list came back, and what the others need."""
    done = Done(report.lines(table, [report.told(one) for one in result.logged]))
    if drafts.keep_returned(table, result.logged):
        done.said.append("the rest of your list is your draft now")
    return send(home, table, done)


def send(home: Home, table: Table, done: Done | None = None) -> Done:
    """Hand over what the others have not acknowledged, by the way that is set or as files."""
    from pbem.cli.handover import hand_over

    done = done or Done()
    done.files += hand_over(table, name_of(home, table), quiet=True)
    done.said += [f"for the others: {file}" for file in done.files]
    return done


def receive(home: Home, raw: bytes, key: Key) -> Done:
    """Take in what was dropped or pasted: a bundle, a mail, an mbox, or text."""
    from pbem.cli.exchange import receive_all
    from pbem.cli.incoming import find_files, sort

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "dropped"
        file.write_bytes(raw)
        found = find_files([str(file)])
    done, problems = Done(), list(found.problems)
    split = sort(found.raws)
    problems += split.refused
    if split.papers or split.rekeys:
        hint = "use `pbem receive` or `pbem join`"
        problems.append(UsageError("there are papers of a contract in it", hint))
    for game, raws in split.entries.items():
        table = _table(home, game)
        if table is None:
            problems.append(UsageError("there are entries of a game that is not known here"))
            continue
        result = receive_all(table, raws)
        problems += result.refused
        told = report.lines(table, [report.told(one) for one in result.logged])
        done.said += [f"{name_of(home, table)}: {len(result.logged)} logged, {result.repeated} known", *told]
        if drafts.keep_returned(table, result.logged):
            done.said.append("the rest of your list is your draft now")
        if result.answered:
            send(home, table, done)
    _refuse(problems, done)
    return done


def _refuse(problems: list[PbemError], done: Done) -> None:
    if problems and not done.said:
        raise problems[0]
    done.said += [f"refused: {one.message}" for one in problems]


def _table(home: Home, game: str) -> Table | None:
    from pbem.cli.incoming import game_id

    for folder in home.games().values():
        if game_id(folder) == game:
            return Table.open(folder, home)
    return None
