"""From orders to a signed entry: draft, promise, signature, handing over.

A promise is what a signature would commit to; nothing is signed by making one. After `play` nothing is
undone but by take-back. A decision that was signed and not handed over, because the run was stopped, is
handed over before another is signed: the same order typed again would otherwise answer the next question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pbem import drafts
from pbem.doing.handover import Handed, hand_over, is_left_behind, note_kept
from pbem.doing.incoming import name_of
from pbem.doing.key import Key
from pbem.doing.notices import completes
from pbem.doing.receiving import News
from pbem.engine.orders import write_orders
from pbem.engine.position import Position
from pbem.errors import MalformedError, RulesError, UsageError
from pbem.protocol.papers.bodies import Body, Note, Say
from pbem.protocol.papers.body_checks import SAID, check
from pbem.protocol.rounds.order_lists import Prepared
from pbem.protocol.rounds.own_secrets import Secrets
from pbem.rehearse import Rehearsal, in_full, rehearse
from pbem.table import Received, Table


class OrdersRefused(RulesError):
    """Orders that would be refused; `tried` has every finding."""

    def __init__(self, tried: Rehearsal) -> None:
        last = tried.findings[-1]
        super().__init__(last.reason, last.hint or None, rule=last.rule or None)
        self.tried = tried


@dataclass(frozen=True, slots=True)
class Promise:
    """What a signature would commit to."""

    table: Table
    text: str
    tried: Rehearsal
    made: Prepared | None
    """The list in its parts; None: the whole answer is sealed until the rules open it."""
    open: tuple[str, ...]
    """Lines that everybody reads at once."""
    sealed: tuple[str, ...]
    """Lines that are binding now, and are opened part by part when they are due."""
    shows: tuple[str, ...]
    """Hidden things that the orders show."""
    position: Position | None = None
    """Where they were tried."""

    @property
    def in_secret(self) -> bool:
        """The whole answer is sealed until the rules open it."""
        return self.made is None

    @property
    def unanswered(self) -> str:
        """The question that comes after them, if it is one to this seat and can be foreseen."""
        return "" if self.tried.later else self.tried.asked

    def body(self, own: Secrets) -> Body:
        """What is signed: the parts that were promised, unless the game has gone on since."""
        if self.made is None or own.ledger.position is not self.position:
            return own.orders(self.text)
        return own.body(self.made)


def promise(table: Table, text: str) -> Promise:
    """What these orders would commit to; OrdersRefused if one of them would be refused."""
    table.must_decide_here()
    text = in_full(table, text)
    tried = rehearse(table, text)
    if tried.findings:
        raise OrdersRefused(tried)
    assert table.secrets is not None
    due = table.due()
    if due is not None and due.kind == "sealed":
        return Promise(table, tried.done[0], tried, None, (), (tried.done[0],), ())
    made = table.secrets.prepared(tried.orders, tried.own)
    rules, pos = table.ledger.machine.rules, table.ledger.position
    return Promise(
        table,
        text,
        tried,
        made,
        tuple(write_orders(tried.orders[: made.count]).splitlines()),
        tuple(write_orders(tried.orders[made.count :]).splitlines()),
        tuple(rules.show(pos, str(table.secrets.value(handle))) for handle in made.shown),
        pos,
    )


def play(promised: Promise, key: Key, out: Path | None = None, say: str = "") -> News:
    """Sign what was promised, carry it out, and hand over what the others need; a word may go with it."""
    table, mine = promised.table, key()
    if say:
        said = word(say)
        table.play("say", lambda own: said, mine)
    if promised.made is None:
        _, result = table.orders(promised.text, mine)
    else:
        _, result = table.play("orders", promised.body, mine)
    drafts.take_away(table, promised.tried.orders)
    return finish(table, result, out)


def word(text: str) -> Say:
    """A word to the others, if it can be said."""
    try:
        check(Say(text))
    except MalformedError:
        raise UsageError("say it in one line", f"at most {SAID} characters") from None
    return Say(text)


def say(table: Table, text: str, key: Key, out: Path | None = None, now: bool = False) -> News:
    """Sign a word to the others. If a move of this seat is due it goes with that: no mail for it alone."""
    said = word(text)
    _, result = table.play("say", lambda own: said, key())
    due = table.due()
    if out is None and not now and due is not None and due.lane == "decide":
        note_kept(table)
        return News(table, result)
    return finish(table, result, out)


def sign(table: Table, kind: str, make: Callable[[Secrets], Body], key: Key, out: Path | None = None) -> News:
    """Sign an entry of another kind, and hand it over; whoever answers at once may have agreed to it."""
    _, result = table.play(kind, make, key())
    news = finish(table, result, out)
    if completes(table):
        _, result = table.play("note", lambda own: Note(), key())
        news = finish(table, result, out)
    return news


def finish(table: Table, result: Received, out: Path | None = None) -> News:
    """After a decision: a draft if the list came back, and what the others need."""
    assert table.home is not None
    draft = drafts.keep_returned(table, result.logged)
    return News(table, result, draft, hand_over(table, name_of(table.home, table), out=out))


def finish_left_behind(table: Table, out: Path | None = None) -> Handed | None:
    """Hand over a decision that a run signed before it was stopped; None if there is none."""
    if table.home is None or not is_left_behind(table, decided=True):
        return None
    table.receive([])
    return hand_over(table, name_of(table.home, table), out=out)
