"""The second step of a contract: a seat is taken, with its keys and a fresh nonce.

Invariant: what a player derives from the private key hangs on table, seat and nonce, so that a second
table with the same id gives nothing away.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.errors import VerificationError
from pbem.protocol.crypto import sshsig
from pbem.protocol.crypto.canonical import digest
from pbem.protocol.crypto.keys import (
    SigningKey,
    answering_key,
    box_private,
    box_public,
    check_box_public,
    check_public,
    parse_public_line,
)
from pbem.protocol.papers import piece_fields
from pbem.protocol.papers.invitation import Invite, read_invite
from pbem.protocol.papers.paper import NAMESPACE, hex32, paper_content, read_paper, write_paper


@dataclass(frozen=True, slots=True)
class Accept:
    """Step 2: a seat, its keys and a fresh nonce."""

    invite: str
    """Digest of the invite's bytes."""
    table: str
    seat: str
    name: str
    key: str
    """The public line of the seat's Ed25519 key."""
    answer: str
    """The answering key."""
    box: str
    """The X25519 key."""
    nonce: str
    address: str = ""
    """Where the player reads mail."""
    spare: str = ""
    """A second Ed25519 key, kept elsewhere: it can do nothing but sign for new keys. Empty: none."""
    hold: str = ""
    """With three or more seats: the point to which the others seal pieces of their secrets."""


def read_accept(raw: bytes, invite_raw: bytes, invite: Invite | None = None) -> Accept:
    """An acceptance of this invitation: signature, keys (small-order ones are refused), nonce.

    `invite`: the invitation, where it has been read.
    """
    invite = invite or read_invite(invite_raw)
    paper = read_paper(raw)
    accept = paper_content(paper, Accept, "the acceptance")
    if accept.invite != digest("invite", invite_raw).hex() or accept.table != invite.table:
        raise VerificationError("the acceptance belongs to another invitation")
    if accept.seat not in invite.seats:
        raise VerificationError(f"the invitation has no seat {accept.seat!r}")
    public = parse_public_line(accept.key)
    check_public(public)
    check_public(hex32(accept.answer, "answer"))
    check_box_public(hex32(accept.box, "box"))
    hex32(accept.nonce, "nonce")
    if accept.spare:
        check_public(hex32(accept.spare, "spare"))
    piece_fields.check_hold(invite.threshold, accept.hold)
    sshsig.verify(paper.armour, paper.signed, public, NAMESPACE)
    return accept


def table_secret(key: SigningKey, table: str, seat: str, nonce: str) -> bytes:
    """s of PROTOCOL: never leaves the machine."""
    return key.derive("table", table, seat, bytes.fromhex(nonce))


def box_secret(key: SigningKey, table: str, seat: str, nonce: str) -> bytes:
    """The seed of the seat's X25519 key."""
    return key.derive("box", table, seat, bytes.fromhex(nonce))


def make_accept(
    key: SigningKey,
    invite_raw: bytes,
    seat: str,
    name: str,
    nonce: bytes,
    address: str = "",
    spare: bytes = b"",
) -> bytes:
    """An acceptance, signed."""
    invite = read_invite(invite_raw)
    if seat not in invite.seats:
        raise VerificationError(
            f"the invitation has no seat {seat!r}", f"its seats are {', '.join(invite.seats)}"
        )
    box = box_public(box_private(box_secret(key, invite.table, seat, nonce.hex())))
    answering = answering_key(key, invite.table, seat)
    accept = Accept(
        invite=digest("invite", invite_raw).hex(),
        table=invite.table,
        seat=seat,
        name=name,
        key=key.public_line(),
        answer=answering.public.hex(),
        box=box.hex(),
        nonce=nonce.hex(),
        address=address,
        spare=spare.hex(),
        hold=piece_fields.hold_of(answering, invite.table, seat, invite.threshold),
    )
    return write_paper(accept, Accept, key)
