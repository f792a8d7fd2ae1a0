"""Clocks and absences, from `pbem help protocol` alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

HOUR = 3600
Away = dict[str, Any]


def seconds(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())


def stops(clocks: Mapping[str, int], state: Mapping[str, Any], away: Away) -> int:
    """For how long an absence stops the clock that runs."""
    clock = seconds(state["clock"])
    carried = away.get("carried", 0) if away.get("question", "") == state["clock"] else 0
    begin = seconds(away["begin"])
    if begin >= clock + clocks["move"] * HOUR + carried:
        return int(carried)
    return int(carried + max(0, seconds(away["until"]) - max(begin, clock)))


def deadline(clocks: Mapping[str, int], state: Mapping[str, Any], seat: str) -> int:
    """Of a decision or an answer."""
    away = state["absences"].get(seat)
    return seconds(state["clock"]) + clocks["move"] * HOUR + (stops(clocks, state, away) if away else 0)


def is_lawful(
    clocks: Mapping[str, int], state: Mapping[str, Any], head: Mapping[str, Any], body: Mapping[str, Any]
) -> bool:
    """A claim or a forfeit, as far as its question and its times go."""
    if body["question"] != state["question"] or head["seat"] in body["seats"]:
        return False
    shorter = seconds(state["clock"]) + clocks["audit"] * HOUR  # at the end, when secrets are due
    ends = [deadline(clocks, state, seat) for seat in body["seats"]]
    if "claimed" not in body:
        return all(seconds(head["sent"]) >= min(end, shorter) for end in ends)
    claimed = seconds(body["claimed"])
    if state["claims"].get(head["seat"]) != body["claimed"]:
        return False
    return all(claimed >= min(end, shorter) for end in ends) and (
        seconds(head["sent"]) >= claimed + clocks["grace"] * HOUR
    )


def announce(
    clocks: Mapping[str, int], state: Mapping[str, Any], head: Mapping[str, Any], body: Mapping[str, Any]
) -> None:
    """An absence that counts."""
    seat, sent, until = head["seat"], head["sent"], body["until"]
    old = state["absences"].get(seat)
    lasts = old is not None and sent <= old["until"]
    if until <= sent and not lasts:
        return
    until = max(until, sent)
    if old is None:
        new: Away = {"begin": sent, "until": until, "charged": until}
    elif lasts:
        new = old | {"begin": min(old["begin"], sent), "until": until, "charged": max(until, old["charged"])}
    else:
        spent = old.get("settled", 0) + seconds(min(sent, old["charged"])) - seconds(old["begin"])
        new = {"begin": sent, "until": until, "charged": max(until, old["charged"]), "settled": spent}
        new |= {"carried": stops(clocks, state, old), "question": state["clock"]}
    if cost(new) <= max(clocks["absence"] * HOUR, cost(old) if old else 0):
        state["absences"][seat] = {name: value for name, value in new.items() if value}


def cost(away: Away) -> int:
    return int(away.get("settled", 0) + seconds(away["charged"]) - seconds(away["begin"]))


def confirm(state: Mapping[str, Any], decisions: Iterable[Any]) -> None:
    """What was charged beyond an early end comes back with a decision in turn of another seat."""
    for entry in decisions:
        for seat, away in state["absences"].items():
            if seat != entry.seat:
                away["charged"] = max(away["until"], min(away["charged"], entry.head["sent"]))
