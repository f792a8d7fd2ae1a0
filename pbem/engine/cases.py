"""Rule cases: a position, orders, the dice that fall, and what must come of it, all in one TOML file.

`run(path)` returns the problems found: none means the case passes. A case may bring its own pack,
begin at any step of any procedure, and fix a table's result. `[cards.SEAT]` names hidden cards that a seat
holds (handle = what it is); the position says where they lie. The format is in `pbem help cases`.

A case that checks nothing, is not run to its last line, or states something that is never used fails.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pbem.engine.case_begin import begin, prescribe
from pbem.engine.case_checks import expect
from pbem.engine.case_files import read, variants
from pbem.engine.case_plays import play
from pbem.engine.case_run import CaseError, Run, listed
from pbem.engine.case_stop import StoppingMachine
from pbem.errors import PbemError

CHECKS = ("orders", "seal", "refused", "unlawful", "expect")
"""What a case or a play states of which something can come that is wrong."""


def run(path: Path, data: Mapping[str, Any] | None = None) -> list[str]:
    """What is wrong with a case; an empty list means that it passes."""
    try:
        case = read(path) if data is None else data
        parts = list(variants(case, path.parent))
    except (PbemError, CaseError) as error:
        return [_said(error)]
    problems: list[str] = []
    for title, one in parts:
        found = _run(one)
        problems += [f"{title}: {problem}" for problem in found] if title else found
    return problems


def _said(error: PbemError | CaseError) -> str:
    if isinstance(error, CaseError):
        return str(error)
    return error.message + (f" ({error.hint})" if error.hint else "")


def _run(case: Mapping[str, Any]) -> list[str]:
    problems: list[str] = []
    try:
        state = begin(case)
        state.problems = problems
        _plays(state, listed(case, "play"))
        if "expect" in case:
            expect(state, case["expect"])
        if not any(key in part for part in (case, *listed(case, "play")) for key in CHECKS):
            raise CaseError("the case checks nothing: give it orders, a refusal or [expect]")
        spare = state.croupier.script.spare()
        if spare and not problems:
            problems.append(f"not used: {spare}")
    except (PbemError, CaseError) as error:
        problems.append(_said(error))
    except Exception as error:  # whatever the rules do with a position that could not come about
        problems.append(f"the rules cannot cope with this position: {type(error).__name__}: {error}")
    return problems


def _plays(state: Run, plays: list[Any]) -> None:
    for number, one in enumerate(plays, 1):
        before = len(state.events)
        if number > 1:  # the first one's chance was there before the position was settled
            prescribe(state, one)
        went_on = play(state, one, f"play {number}") and not _stopped(state, one, f"play {number}")
        if "expect" in one:
            expect(state, one["expect"], before if number > 1 else 0)
        if not went_on:
            if number < len(plays) and not state.problems:
                state.problems.append(f"play {number + 1} is never run: the case ends with play {number}")
            return


def _stopped(state: Run, one: Mapping[str, Any], where: str) -> bool:
    machine = state.machine
    assert isinstance(machine, StoppingMachine)
    if "stop" in one and not machine.stopped:
        state.problems.append(f"{where}: {machine.stop} does not come to an end: it is never stopped")
    return machine.stopped
