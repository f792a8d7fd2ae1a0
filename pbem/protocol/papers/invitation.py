"""The first step of a contract: what is to be played, by how many, with which clocks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.errors import MalformedError
from pbem.protocol.crypto.keys import check_public, parse_public_line
from pbem.protocol.papers.paper import paper_content, read_paper
from pbem.protocol.papers.pieces import check_threshold
from pbem.protocol.papers.times import check_time

CHAIN_LENGTH = 4096
LONGEST = 24 * 366
"""No clock of a contract runs for longer, in hours."""
SHORTEST = {"move": 1, "grace": 1, "audit": 1, "absence": 0}
"""And none for less."""
WITNESS = "witness"
"""How entries of the witness name their author."""
ASK_ANEW = "`pbem new` writes no such invitation: ask for another one, made with it"
_SEAT = re.compile(r"[a-z][a-z0-9-]{0,15}")


@dataclass(frozen=True, slots=True)
class Clocks:
    """How long, in hours, a decision may take; the grace before a call; how long the audit may take."""

    move: int
    grace: int
    audit: int
    absence: int
    """What each seat may be away for in the whole game, if it says so beforehand."""


USUAL_CLOCKS = Clocks(move=24 * 14, grace=24 * 3, audit=24 * 14, absence=24 * 21)


@dataclass(frozen=True, slots=True)
class Invite:
    """Step 1: what is to be played."""

    table: str
    rules: str
    version: str
    data: str
    """Digest of the data pack."""
    provenance: str
    """Where the data pack comes from, in a few words."""
    scenario: str
    seats: tuple[str, ...]
    options: dict[str, str]
    clocks: Clocks
    chain: int = CHAIN_LENGTH
    threshold: int = 0
    """With three or more seats: so many of the others together can open the secret of one that is out."""
    witness: str = ""
    """The public line of a key without a seat, which signs calls by a clock of its own; "": none."""
    witness_address: str = ""
    """Where the witness reads mail."""
    made: str = ""
    """When it was written, as its author says."""
    comment: str = ""

    @property
    def witness_key(self) -> bytes:
        """The public key of the witness; empty if there is none."""
        return parse_public_line(self.witness) if self.witness else b""


def read_invite(raw: bytes) -> Invite:
    """An invitation from a stranger, checked for shape."""
    invite = paper_content(read_paper(raw), Invite, "the invitation")
    if not re.fullmatch(r"[0-9a-f]{32}", invite.table):
        raise MalformedError("the invitation's table id must be 32 hex digits")
    seats = invite.seats
    if not 2 <= len(seats) <= 6 or len(set(seats)) != len(seats) or not all(map(_SEAT.fullmatch, seats)):
        raise MalformedError("the invitation must name two to six different seats", ASK_ANEW)
    if not 64 <= invite.chain <= 65536:
        raise MalformedError("the invitation's chain length must be from 64 to 65536")
    if WITNESS in seats:
        raise MalformedError(f"no seat may be called {WITNESS}", ASK_ANEW)
    if invite.witness:
        check_public(invite.witness_key)
    check_threshold(len(seats), invite.threshold)
    _check_clocks(invite.clocks)
    check_time("the invitation's made", invite.made)
    return invite


def _check_clocks(clocks: Clocks) -> None:
    for name, least in SHORTEST.items():
        hours = getattr(clocks, name)
        if not least <= hours <= LONGEST:
            raise MalformedError(
                f"the invitation's clock {name} has {hours} hours, and must have {least} to {LONGEST}",
                ASK_ANEW,
            )
