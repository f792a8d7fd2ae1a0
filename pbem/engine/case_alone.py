"""Questions with one answer in a case: they are never asked, but a list of orders may answer them.

Who writes a case from the book writes every payment and every step. Where only one is possible the rules
have already taken it when the list comes to that line; the line is then true, and not an error.
"""

from __future__ import annotations

from pbem.engine.case_run import CaseError, Run, judge
from pbem.engine.notation import words
from pbem.engine.orders import Order
from pbem.engine.position import OnlyChoice
from pbem.engine.waits import Ask, Wait


def came_by_itself(state: Run, wait: Wait, seat: str | None, order: Order) -> bool:
    """Was this order the only choice since the last one, and is it not asked for now? Each counts once."""
    written = _by_ids(state, order.text)
    for number, event in enumerate(state.events[state.told :], 1):
        if not isinstance(event, OnlyChoice) or seat not in (None, event.data["seat"]):
            continue
        if _by_ids(state, event.data["order"]) == written and not _legal(state, wait, seat, order.text):
            state.told += number
            return True
    return False


def _by_ids(state: Run, text: str) -> list[str]:
    return [state.called.get(word.text, word.text) for word in words(text)]


def _legal(state: Run, wait: Wait, seat: str | None, text: str) -> bool:
    if not isinstance(wait, Ask) or seat not in (None, wait.options.seat):
        return False
    try:
        return judge(state, wait.options, text).legal
    except CaseError:
        return False
