"""Who sits at a table: which scenarios are for so many players, and which seats they have."""

from __future__ import annotations

from typing import Any

from pbem.engine.rules import AnyRules
from pbem.errors import UsageError


def fitting(rules: AnyRules, pack: Any, players: int | None) -> dict[str, tuple[str, ...]]:
    """The scenarios for so many players and their seats; all, with as few as each takes, if nobody says."""
    least, most = rules.seats
    count = players or least
    if not least <= count <= most:
        many = f"{least}" if least == most else f"{least} to {most}"
        raise UsageError(f"{rules.name} is for {many} players, not {count}")
    seats = {name: rules.seat_names(pack, name, count) for name in rules.scenarios(pack)}
    return {name: found for name, found in seats.items() if players is None or len(found) == players}


def seats_of(rules: AnyRules, pack: Any, scenario: str, players: int | None) -> tuple[str, ...]:
    """The seats of a scenario; a number of players that somebody asked for is kept or refused."""
    found = fitting(rules, pack, players)
    if scenario not in found:
        usual = len(fitting(rules, pack, None)[scenario])
        raise UsageError(
            f"{scenario} is for {usual} players, not {players}",
            f"for {players}: --scenario {' or '.join(found)}",
        )
    return found[scenario]
