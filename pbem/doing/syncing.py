"""Exchanging entries through any git remote: fetch, verify, apply, answer, push."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.doing.handover import Handed, note_sent
from pbem.doing.key import Key
from pbem.doing.receiving import News, go_on
from pbem.doing.remotes import address, fetch, push, remember, take_in
from pbem.drafts import keep_returned
from pbem.errors import PbemError

if TYPE_CHECKING:
    from pbem.home import Home
    from pbem.table import Table


@dataclass
class Synced:
    """What an exchange with a remote came to."""

    news: News
    refused: list[PbemError]


def sync(home: Home, table: Table, remote: str | None, key: Key) -> Synced:
    """Fetch, verify, apply, answer, push; the address is remembered once that has worked."""
    url = address(table, remote)
    fetched = fetch(table, url)
    result = take_in(table, fetched)
    table = go_on(home, table, result, key)
    draft = keep_returned(table, result.logged)
    said = push(table, url)
    note_sent(table)
    remember(table, url)
    return Synced(News(table, result, draft, Handed(sent=tuple(said))), [*fetched.refused, *result.refused])
