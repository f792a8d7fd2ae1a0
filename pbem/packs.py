"""Which data a game is played with: the pack that its contract names, and no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.engine.rules import AnyRules
from pbem.errors import VerificationError
from pbem.home import Home
from pbem.protocol.contract import Contract


def pack_path(home: Home | None, digest: str) -> Path | None:
    """Where a pack of the player's own stands, None for the game's own."""
    if home is None:
        return None
    known = home.config().get("packs", {})
    return Path(known[digest]) if digest in known else None


def check_pack(contract: Contract, rules: AnyRules, pack: Any) -> None:
    """The rules and the data must be those that the contract names."""
    invite = contract.invite
    if rules.version != invite.version:
        raise VerificationError(
            f"the game needs {invite.rules} version {invite.version}, here is {rules.version}",
            f"install the pbem that has {invite.rules} {invite.version}",
        )
    if pack.digest != invite.data:
        raise VerificationError(
            "the data pack here is not the one of the contract",
            "`pbem pack use FOLDER` with the pack that the players agreed on",
        )
