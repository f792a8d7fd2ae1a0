"""What the page asks while orders are chosen: the board after the draft, and the words that may come next."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pbem.engine.nextwords import Index, Outlook
from pbem.engine.options import PUBLIC, View
from pbem.engine.waits import AskSealed
from pbem.engine.wording import tell
from pbem.errors import NotYourTurnError
from pbem.page.answers import Refused
from pbem.page.beside import Manner
from pbem.page.boards import PRINTED, Boards, seats_asked
from pbem.page.glimpse import glimpse
from pbem.page.plan import Plan, Wrong, supposable
from pbem.page.style import Names
from pbem.page.tables import Seat, Tables, is_line, lines_of
from pbem.table import Table

SHOWN = 4000
"""So many offered words are sent at most: a click on any piece must find its own among them."""
COSTED = 90
"""So many places get their cost at once."""


class Asking:
    """Boards and next words."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._boards = Boards()

    def board(self, data: Mapping[str, Any]) -> Any:
        """The board as it stands, after drafted lines, or after an earlier entry."""
        seat = self._tables.seat(data)
        table = seat.table
        known = data.get("looks", 0)
        if isinstance(data.get("entry"), int):
            from pbem.doing.history import position_after

            pos, plan = position_after(table, data["entry"]), None
            view: View = PUBLIC
        else:
            plan = seat.planner.plan(lines_of(data))
            pos = plan.last.position
            view = self._view(table, plan)
        machine = table.ledger.machine
        scene = machine.rules.scene(pos, view)
        manner = Manner(names_of(data.get("names")), table.seat or "", seats_asked(machine, pos))
        known = known if isinstance(known, int) else 0
        manner = manner.on_screen(data.get("wide"))
        found = self._boards.frame(scene, manner, known, lambda word: machine.rules.show(pos, word))
        if data.get("base") == found["base"]:
            found = {part: value for part, value in found.items() if part not in PRINTED}
        found |= {"fingerprint": table.fingerprint, "headline": scene.headline}
        if plan is not None:
            found["plan"] = self._planned(plan)
        return found

    def glimpse(self, data: Mapping[str, Any]) -> Any:
        """A little of the board as it stands, for the list of games."""
        table = self._tables.seat(data).table
        view = PUBLIC if table.secrets is None else table.secrets.view()
        scene = table.ledger.machine.rules.scene(table.ledger.position, view)
        manner = Manner(names_of(data.get("names")), table.seat or "")
        return glimpse(scene, manner, f"g{table.contract.game.hex()[:8]}")

    def _view(self, table: Table, plan: Plan) -> View:
        if table.secrets is None:
            return PUBLIC
        return plan.view if plan.options is not None else table.secrets.view()

    def _planned(self, plan: Plan) -> dict[str, Any]:
        steps = [
            {
                "line": step.used,
                "supposed": step.supposed,
                "events": [[event.rule, tell(event, step.position)] for event in step.events],
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

    def next(self, data: Mapping[str, Any]) -> Any:
        """What may be clicked or typed next, with costs and odds."""
        seat = self._tables.seat(data)
        lines = lines_of(data)
        plan = seat.planner.plan(lines)
        picks, verb = data.get("picks", []), data.get("verb", "")
        if not isinstance(picks, list) or len(picks) > 200 or not all(map(is_line, picks)):
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

    def suggest(self, data: Mapping[str, Any]) -> Any:
        """The words of a lawful order for a question with too many answers to be listed, as a beginning."""
        seat = self._tables.seat(data)
        plan = seat.planner.plan(lines_of(data))
        if plan.options is None:
            raise NotYourTurnError(plan.stop or "nothing is asked of you now")
        for family in plan.options.families:
            move = family.sample(Random(), plan.view)
            if move is not None:
                return {"words": list(self._index(seat, lines_of(data), plan).words_of(move))}
        raise Refused(400, "there is no suggestion for this question")

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
        """What each offered place would cost, how it can be reached, and by which way."""
        scene = seat.table.ledger.machine.rules.scene(plan.last.position, plan.view)
        places = {place.id for place in scene.board.places}
        now = index.picked(picks, verb)
        words = dict.fromkeys((*(offer.word for offer in now.offered), *now.implied))
        seen = index.costs(picks, [word for word in words if word in places][:COSTED], verb)
        most = max((_number(told.cost) for told in seen.values()), default=0.0)
        return {place: [told.cost, _kind(told, most), list(told.path)] for place, told in seen.items()}


def _kind(told: Outlook, most: float) -> str:
    """How a place can be reached: an attack, at a risk, so that one stops there, or simply so."""
    if told.odds:
        return "attack"
    if told.risk:
        return "risk"
    return "stop" if told.left == "0" and _number(told.cost) < most else "reach"


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def names_of(given: Any) -> Names:
    """In which script the page shows names."""
    return "original" if given == "original" else "latin" if given == "latin" else "both"


def _wrong(one: Wrong) -> dict[str, Any]:
    return {"line": one.line, "reason": one.reason, "rule": one.rule, "hint": one.hint}
