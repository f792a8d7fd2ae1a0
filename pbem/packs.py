"""Which data a game is played with: the pack that its contract names, and no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.engine import registry
from pbem.engine.rules import AnyRules
from pbem.errors import PbemError, VerificationError
from pbem.home import Home
from pbem.protocol.papers.invitation import ASK_ANEW, Invite


def pack_path(home: Home | None, digest: str) -> Path | None:
    """Where a pack of the player's own stands, None for the game's own."""
    if home is None:
        return None
    known = home.config().get("packs", {})
    return Path(known[digest]) if digest in known else None


def rules_for(
    invite: Invite, home: Home | None, rules: AnyRules | None = None, pack: Any = None
) -> tuple[AnyRules, Any]:
    """The rules and the data that a contract names, or those given if they are; refused if they are not."""
    rules = rules if rules is not None else registry.load(invite.rules)
    if (rules.name, rules.version) != (invite.rules, invite.version):
        raise VerificationError(
            f"the game needs {invite.rules} version {invite.version}, here is {rules.name} {rules.version}",
            f"use a release of pbem that has {invite.rules} {invite.version}",
        )
    pack = pack if pack is not None else rules.load_pack(pack_path(home, invite.data))
    if pack.digest != invite.data:
        raise VerificationError(
            f"the game needs the data pack {invite.data[:16]}, here is {pack.digest[:16]}",
            "`pbem pack use` with the folder or file that the players agreed on",
        )
    _check_choices(invite, rules, pack)
    return rules, pack


def _check_choices(invite: Invite, rules: AnyRules, pack: Any) -> None:
    """Scenario, seats and options are some that the rules have, and no option is left open."""
    wrong = _wrong_choice(invite, rules, pack)
    if wrong is not None:
        raise VerificationError(wrong, ASK_ANEW)


def _wrong_choice(invite: Invite, rules: AnyRules, pack: Any) -> str | None:
    if invite.scenario not in rules.scenarios(pack):
        return f"{invite.rules} has no scenario {invite.scenario!r}"
    try:
        seats = rules.seat_names(pack, invite.scenario, len(invite.seats))
    except PbemError as error:
        return f"the seats of the contract do not fit: {error.message}"
    if tuple(seats) != tuple(invite.seats):
        has = ", ".join(invite.seats)
        return f"{invite.scenario} has the seats {', '.join(seats)}, the contract {has}"
    known = rules.options(pack)
    left_out = sorted(set(known) - set(invite.options))
    if left_out:
        return f"the contract does not say which {left_out[0]} of {invite.rules} is played"
    strange = [name for name, value in invite.options.items() if value not in known.get(name, ())]
    if strange:
        return f"{invite.rules} has no option {strange[0]} = {invite.options[strange[0]]!r}"
    return None
