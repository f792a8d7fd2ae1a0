"""Drafts: orders that are not signed, kept in the player's home and nowhere else.

What a list gives back because it could not be carried out becomes the draft of its owner, sealed
parts that were never opened included: they are read from the owner's own boxes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.engine.orders import Order, read_orders, write_orders
from pbem.errors import PbemError, VerificationError
from pbem.home import write_private
from pbem.protocol.crypto import sealing
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.bodies import Answers, Orders
from pbem.protocol.papers.body_checks import unpack_box
from pbem.protocol.rounds.events import ListReturned
from pbem.protocol.rounds.state import signed_at, tail_place
from pbem.table import Table

FAR_BACK = 200
"""So many entries are searched for the list that was given back."""


def draft_file(table: Table) -> Path:
    """Where the draft of a game stands."""
    assert table.home is not None
    return table.home.table_file(f"draft-{table.contract.game.hex()}.txt")


def read_draft(table: Table) -> str:
    """The draft, "" if there is none."""
    if table.home is None:
        return ""
    try:
        return draft_file(table).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def write_draft(table: Table, text: str) -> None:
    """Keep a draft; an empty one is taken away."""
    if text.strip():
        write_private(draft_file(table), text.encode())
    else:
        draft_file(table).unlink(missing_ok=True)


def take_away(table: Table, played: Sequence[Order]) -> None:
    """What was played is no draft any more; orders that come after it stay.

    More may have been played than was drafted. A draft that begins with other orders is another plan, for a
    later question: it stays whole.
    """
    draft = read_draft(table)
    mine = _read(draft)
    both = min(len(mine), len(played))
    if both and _said(mine[:both]) == _said(played[:both]):
        write_draft(table, write_orders(mine[both:]))


def _read(text: str) -> tuple[Order, ...]:
    """The orders of a list; none if it cannot be read."""
    try:
        return read_orders(text) if text else ()
    except PbemError:
        return ()


def _said(orders: Sequence[Order]) -> list[tuple[str, tuple[str, ...]]]:
    """Orders without their places in a list."""
    return [(order.text, order.answers) for order in orders]


def keep_returned(table: Table, logged: Sequence[Logged]) -> str:
    """If the list of this seat came back, make the rest of it the draft; returns that draft."""
    if table.seat is None or table.home is None:
        return ""
    back = None
    for one in logged:
        for event in one.events:
            if isinstance(event, ListReturned) and event.seat == table.seat:
                back = event.returned
    if back is None:
        return ""
    queue = table.ledger.state.queues.get(table.seat)
    parts = [] if queue is not None and queue.tail else _unopened(table)
    text = back + "".join(parts)
    if not _has_orders(text):
        return ""
    older = read_draft(table)
    if _said(_read(older)) not in ([], _said(_read(text))):
        text += "# your draft before it came back:\n" + "".join(f"# {line}\n" for line in older.splitlines())
    write_draft(table, text)
    return text


def _has_orders(text: str) -> bool:
    try:
        return bool(read_orders(text))
    except PbemError:
        return bool(text.strip())


def _unopened(table: Table) -> list[str]:
    """The sealed parts of this seat's last list that were never opened."""
    last = table.ledger.state.number
    opened = 0
    for entry in reversed(table.entries(range(max(1, last - FAR_BACK + 1), last + 1))):
        if entry.seat != table.seat:
            continue
        if isinstance(entry.body, Answers) and entry.body.tail is not None:
            opened += 1
        if isinstance(entry.body, Orders):
            place, tail = signed_at(entry.head.after), entry.body.tail
            return [_unbox(table, tail_place(place, n), tail[n].box) for n in range(opened, len(tail))]
    return []


def _unbox(table: Table, place: str, box: Sequence[str]) -> str:
    """A sealed part, "" if only a key that is lost could read it."""
    own = table.secrets
    assert own is not None
    for secret in (own.secret, *(former for former, _ in own.former)):
        try:
            return sealing.open_own_box(secret, own.game, own.seat, place, unpack_box(box)).decode()
        except VerificationError:
            continue
    return ""
