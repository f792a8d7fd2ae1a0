"""Planning on the draft: what a list of orders leads to as far as it can be foreseen, before it is signed."""

from __future__ import annotations

from pathlib import Path

from pbem import drafts
from pbem.engine.options import PUBLIC, Options, View
from pbem.engine.orders import read_orders, write_orders
from pbem.engine.position import Position
from pbem.errors import NotYourTurnError, RulesError, UsageError
from pbem.page.plan import Plan, Planner
from pbem.rehearse import in_full
from pbem.table import Table


def list_of(table: Table, draft: bool, after: Path | None) -> str:
    """The orders to plan on: the draft, then those of a file; "" without either."""
    text = drafts.read_draft(table) if draft else ""
    if draft and not text:
        raise UsageError(
            "there is no draft", "`pbem draft -m ORDER` begins one, `pbem orders --edit` edits it"
        )
    if after is not None:
        try:
            text += after.read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            raise UsageError(f"{after} cannot be read as text", "save it as UTF-8") from None
    return text


def plan(table: Table, text: str) -> Plan:
    """What these orders lead to; refused if one of them would be."""
    made = Planner(table).plan(tuple(in_full(table, text).splitlines()))
    if made.wrong:
        wrong = made.wrong[0]
        raise RulesError(
            f"line {wrong.line}: {wrong.reason}" + (f" (rule {wrong.rule})" if wrong.rule else ""),
            wrong.hint or "`pbem check --draft` tells more, `pbem undo` takes the last order away",
            rule=wrong.rule or None,
        )
    return made


def place(table: Table, text: str) -> tuple[Position, View]:
    """The position after these orders, and what this seat sees of it."""
    if not text:
        return table.ledger.position, table.secrets.view() if table.secrets is not None else PUBLIC
    made = plan(table, text)
    return made.last.position, made.view if made.options is not None else View(table.seat or "", {})


def question_after(table: Table, text: str) -> tuple[Position, Options, View]:
    """What this seat is asked after these orders; NotYourTurnError says why it is not asked."""
    made = plan(table, text)
    if made.options is None:
        raise NotYourTurnError(
            f"after these orders it cannot be foreseen: {made.stop}", "what is legal then is not known yet"
        )
    return made.last.position, made.options, made.view


# --- the draft


def add(table: Table, text: str) -> str:
    """Put orders at the end of the draft, if the draft can be carried out with them; returns it."""
    known = drafts.read_draft(table)
    whole = (
        known + ("" if not known or known.endswith("\n") else "\n") + in_full(table, text).rstrip("\n") + "\n"
    )
    plan(table, whole)
    drafts.write_draft(table, whole)
    return whole


def undo(table: Table) -> tuple[str, str]:
    """Take the last drafted order away, with its prepared answers; returns it and what is left."""
    orders = read_orders(drafts.read_draft(table))
    if not orders:
        raise UsageError(
            "there is no draft to take anything from", "what is signed only `pbem takeback` undoes"
        )
    left = write_orders(orders[:-1])
    drafts.write_draft(table, left)
    return write_orders(orders[-1:]), left
