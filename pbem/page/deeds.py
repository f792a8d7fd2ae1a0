"""What the page does with a game: the functions of pbem/doing, and their records as the page gets them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem import report
from pbem.doing.handover import Handed, hand_over
from pbem.doing.incoming import Incoming, find_files, name_of
from pbem.doing.key import Key
from pbem.doing.notices import notices
from pbem.doing.playing import Promise
from pbem.doing.receiving import News, receive
from pbem.doing.telling import counts, handed_lines
from pbem.home import Home
from pbem.page.handing import parcel
from pbem.table import Table


def promised_lines(promised: Promise) -> list[str]:
    """What a signature would commit to, in words, as `pbem play` says it."""
    if promised.in_secret:
        return [f"sealed: {line}" for line in promised.sealed] + ["only you can read it; it is binding"]
    out = [f"open: {line}" for line in promised.open]
    out += [f"sealed until it is due: {line}" for line in promised.sealed]
    out += [f"shows: {what}" for what in promised.shows]
    if promised.sealed:
        out.append("the sealed orders are binding, and are opened part by part when they are due")
    tried = promised.tried
    if tried.stops_at:
        out.append(f"what happens after {len(tried.done)} of them is not known yet: {tried.stops_at}")
    return out + [f"skipped if still illegal then: {line}" for line in tried.skipped]


def told(news: News) -> dict[str, Any]:
    """What became of one game."""
    table = news.table
    said = report.lines(table, [report.told(one) for one in news.result.logged])
    if news.draft:
        said.append("the rest of your list is your draft now")
    said += notices(table)
    return _with_files(table, said, news.handed)


def sent_again(home: Home, table: Table) -> dict[str, Any]:
    """What the others have not acknowledged, once more."""
    return _with_files(table, [], hand_over(table, name_of(home, table)))


def _with_files(table: Table, said: list[str], handed: Handed | None) -> dict[str, Any]:
    written = handed.written if handed is not None else ()
    seats = table.contract.seats
    files = [
        parcel(one.path, report.subject(table), [f"{seats[seat].player} ({seat})" for seat in one.seats])
        for one in written
    ]
    said = [*said, *(handed_lines(table, handed) if handed is not None else ())]
    return {"said": said, "files": files, "fingerprint": table.fingerprint}


def found_in(raw: bytes) -> Incoming:
    """What something dropped or pasted holds: a bundle, a mail, an mbox, a link, or text."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "dropped"
        file.write_bytes(raw)
        return find_files([str(file)])


def take_in(home: Home, found: Incoming, key: Key, outbox: Path) -> dict[str, Any]:
    """Verify and take in what came, and answer what needs no decision."""
    receipt = receive(home, found, key, outbox=outbox)
    if receipt.refused and not receipt.news and not receipt.said:
        raise receipt.refused[0]
    said, files = list(receipt.said), [parcel(path) for _, path in receipt.papers]
    for news in receipt.news:
        one = told(news)
        said += [f"{name_of(home, news.table)}: {counts(news.result)}", *one["said"]]
        files += one["files"]
    games = [name_of(home, news.table) for news in receipt.news]
    return {"said": [*said, *_refusals(receipt.refused)], "files": files, "games": games}


def _refusals(errors: Sequence[Exception]) -> list[str]:
    return [f"refused: {error}" for error in errors]
