"""Entries: the signed files that cross between players.

Bytes from a stranger become a `Unverified` (well formed, nothing believed) and then an `Entry` (signed by
the key that the contract names for that seat and lane). Only an Entry reaches the ledger. The bytes
are kept as they came; what was signed is every byte before the line `[signature]`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pbem import toml
from pbem.engine.codec import CodecError, decode, encode
from pbem.errors import MalformedError, VerificationError
from pbem.protocol.crypto import sshsig
from pbem.protocol.crypto.canonical import digest
from pbem.protocol.crypto.keys import SigningKey
from pbem.protocol.papers import body_checks
from pbem.protocol.papers.bodies import ANSWERING, ASIDE, KINDS, TAKES_IN, Body
from pbem.protocol.papers.times import check_time

VERSION = 2
LIMIT = 64 * 1024
ROUND = 7
"""So many entries a round has at most: six seats and the witness."""
SEEN = 64
"""So many entries a decision may take in."""
SIGNATURE_LINE = b"\n[signature]\n"
_HEX = re.compile(r"[0-9a-f]{64}")
_SEAT = re.compile(r"[a-z][a-z0-9-]{0,15}")


@dataclass(frozen=True, slots=True)
class Head:
    """The fields of an entry, in the order in which they are checked."""

    v: int
    game: str
    seat: str
    lane: str
    after: tuple[str, ...]
    """The tip that its author stands on: the ids of the whole round before it (at first the game's id)."""
    pos: str
    """Digest of the position there."""
    sent: str
    """For readers: no date decides anything."""
    kind: str
    prev: str = ""
    """For an entry out of turn: the author's last one before it."""
    seen: tuple[str, ...] = ()
    """For a decision: the entries out of turn that it takes in, its author's own included."""


@dataclass(frozen=True, slots=True)
class Unverified:
    """Well-formed bytes that say who wrote them. Nothing in it is believed yet."""

    raw: bytes
    signed: bytes
    head: Head
    body: Body
    armour: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Bytes whose signature fits the seat's key."""

    raw: bytes
    head: Head
    body: Body
    id: str
    """The digest of all its bytes, the signature included, in hex."""
    key: bytes
    """The public key that signed it: a seat may have had another one before."""

    @property
    def seat(self) -> str:
        """The author."""
        return self.head.seat


def entry_id(raw: bytes) -> str:
    """The name of an entry: of all its bytes, since a signer can make two signatures of the same text."""
    return digest("entry", raw).hex()


def compose(head: Head, body: Body, key: SigningKey) -> bytes:
    """The bytes of a new entry, signed. The same arguments give the same bytes."""
    kind = KINDS[head.kind]
    table = {**encode(head, Head), "body": encode(body, kind)}
    version = toml.line("v", table.pop("v"))
    signed = f"{version}\n{toml.dumps(table, wrap=True)}\n".encode()
    raw = signed + SIGNATURE_LINE[1:] + _armour_text(sshsig.sign(key, signed)).encode()
    if len(raw) > LIMIT:
        raise MalformedError(
            f"the entry would have {len(raw)} bytes, {LIMIT} are allowed", "send fewer orders"
        )
    return raw


def _armour_text(armour: str) -> str:
    return f'sshsig = """\n{armour}"""\n'


def read(raw: bytes) -> Unverified:
    """Bytes from a stranger: size, encoding, TOML, closed schema. Raises MalformedError."""
    table = toml.read_foreign(raw, limit=LIMIT)
    cut = raw.rfind(SIGNATURE_LINE)
    if cut < 0:
        raise MalformedError("no [signature] at the end: it is cut off or not an entry", "ask for it again")
    signed = raw[: cut + 1]
    signature = table.pop("signature", None)
    armour = signature.get("sshsig") if isinstance(signature, dict) else None
    if not isinstance(armour, str) or len(signature) != 1:
        raise MalformedError("the [signature] table must hold sshsig and nothing else")
    if raw[cut + len(SIGNATURE_LINE) :] != _armour_text(armour).encode():
        raise MalformedError("the [signature] table is not in its canonical form")
    head, body = _fields(table)
    return Unverified(raw, signed, head, body, armour)


def _fields(table: dict[str, Any]) -> tuple[Head, Body]:
    body = table.pop("body", None)
    if table.get("v") != VERSION:
        raise MalformedError(f"entry of protocol version {table.get('v')!r}, this program speaks {VERSION}")
    try:
        head: Head = decode(table, Head)
        if head.kind not in KINDS:
            raise CodecError("kind", f"{head.kind!r} is none of {', '.join(KINDS)}")
        told: Body = decode(body, KINDS[head.kind], "body")
    except CodecError as error:
        raise MalformedError(error.message) from None
    _check_head(head)
    body_checks.check(told)
    return head, told


def _check_head(head: Head) -> None:
    for name in ("game", "pos"):
        if not _HEX.fullmatch(getattr(head, name)):
            raise MalformedError(f"{name}: expected 64 hex digits")
    _check_ids("after", head.after, 1, ROUND)
    _check_ids("seen", head.seen, 0, SEEN)
    if head.prev:
        _check_ids("prev", (head.prev,), 1, 1)
    if not _SEAT.fullmatch(head.seat):
        raise MalformedError("seat: expected a lower-case name of at most 16 letters")
    if head.lane != ("answer" if head.kind in ANSWERING else "decide"):
        raise MalformedError(f"lane: a {head.kind} entry does not go in the lane {head.lane!r}")
    if head.seen and head.kind not in TAKES_IN:
        raise MalformedError(f"seen: a {head.kind} entry takes nothing in")
    if head.prev and head.kind not in ASIDE:
        raise MalformedError(f"prev: a {head.kind} entry follows nothing")
    check_time("sent", head.sent)


def _check_ids(name: str, ids: tuple[str, ...], least: int, most: int) -> None:
    if not all(_HEX.fullmatch(one) for one in ids) or len(set(ids)) != len(ids):
        raise MalformedError(f"{name}: expected different entry ids")
    if not least <= len(ids) <= most:
        raise MalformedError(f"{name}: expected from {least} to {most} entry ids")


def verify(unverified: Unverified, keys: Collection[bytes]) -> Entry:
    """The bytes as an entry, if one of these keys signed it. Raises VerificationError."""
    signer = sshsig.signer(unverified.armour)
    if signer not in keys:
        raise VerificationError(
            f"no key of {unverified.head.seat} signed this",
            "if it has a new key, ask for the entries before it",
        )
    sshsig.verify(unverified.armour, unverified.signed, signer)
    return as_entry(unverified)


def as_entry(told: Unverified) -> Entry:
    """The bytes as an entry whose signature was checked before, or will be before it counts."""
    return Entry(told.raw, told.head, told.body, entry_id(told.raw), sshsig.signer(told.armour))
