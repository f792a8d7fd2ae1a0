"""What an invitation says, as records: who reads it signs it, so nothing of it is left out."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pbem.doing.papers import provenance
from pbem.packs import rules_for
from pbem.protocol.crypto.keys import fingerprint, parse_public_line

if TYPE_CHECKING:
    from pbem.engine.rules import AnyRules
    from pbem.home import Home
    from pbem.lobby import Lobby


def terms(home: Home, lobby: Lobby) -> dict[str, Any]:
    """Everything that is agreed on by signing."""
    invite = lobby.invite
    rules, pack = rules_for(invite, home)
    taken = lobby.accepts()
    choices = {choice.id: choice for choice in rules.choices(pack)}
    return {
        "table": invite.table,
        "rules": invite.rules,
        "version": invite.version,
        "title": rules.title,
        "scenario": invite.scenario,
        "scenario_title": rules.scenarios(pack)[invite.scenario],
        "seats": [_seat(seat, taken.get(seat)) for seat in invite.seats],
        "free": lobby.free_seats(),
        "seat": lobby.own_seat,
        "clocks": asdict(invite.clocks),
        "threshold": invite.threshold,
        "witness": fingerprint(invite.witness_key) if invite.witness else "",
        "options": [
            {**asdict(choices[name]), "now": value} for name, value in sorted(invite.options.items())
        ],
        "pack": f"{invite.data[:16]} ({provenance(pack)})",
        "made": invite.made,
        "comment": invite.comment,
    }


def _seat(seat: str, accept: Any) -> dict[str, str]:
    if accept is None:
        return {"seat": seat}
    mark = fingerprint(parse_public_line(accept.key))
    return {"seat": seat, "player": accept.name, "address": accept.address, "key": mark}


def game(rules: AnyRules) -> dict[str, Any]:
    """A game that can be begun: scenarios with their seats, options explained, the usual clocks."""
    from pbem.protocol.papers.invitation import LONGEST, SHORTEST, USUAL_CLOCKS

    pack = rules.load_pack()
    return {
        "name": rules.name,
        "title": rules.title,
        "scenarios": [
            {"id": name, "title": title, "seats": _seats(rules, pack, name)}
            for name, title in rules.scenarios(pack).items()
        ],
        "options": [asdict(choice) for choice in rules.choices(pack)],
        "clocks": {
            name: {"usual": getattr(USUAL_CLOCKS, name), "least": least, "most": LONGEST}
            for name, least in SHORTEST.items()
        },
    }


def _seats(rules: AnyRules, pack: Any, scenario: str) -> list[list[str]]:
    """The seats of a scenario, for each number of players that it takes."""
    least, most = rules.seats
    found = [rules.seat_names(pack, scenario, count) for count in range(least, most + 1)]
    return [list(seats) for seats in dict.fromkeys(found)]
