"""A paper: a document of the contract as it was signed, or plain, with one form for what it says.

Invariants: a paper is kept as it was signed, the signature covers every byte before it, and what a paper
says can be written in one way only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pbem import toml
from pbem.engine.codec import CodecError, decode, encode
from pbem.errors import MalformedError
from pbem.protocol.crypto import sshsig
from pbem.protocol.crypto.keys import SigningKey

NAMESPACE = "pbem-contract-v2"
MAX_WORDS = 1000
"""Characters of any text in a paper: names, addresses and comments are shown to others."""
PAPER_LIMIT = 256 * 1024
_SIGNATURE = "\n[signature]\n"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Paper:
    """A signed (or, for the invite, plain) document as bytes."""

    raw: bytes
    signed: bytes
    table: Mapping[str, Any]
    armour: str


def write_paper(value: Any, kind: Any, key: SigningKey | None) -> bytes:
    """A paper's bytes; signed if there is a key."""
    signed = toml.dumps(encode(value, kind))
    if key is None:
        return signed.encode()
    signed += "\n"
    armour = sshsig.sign(key, signed.encode(), NAMESPACE)
    return f'{signed}{_SIGNATURE[1:]}sshsig = """\n{armour}"""\n'.encode()


def read_paper(raw: bytes) -> Paper:
    """A foreign paper, well formed; nothing is believed yet."""
    table = toml.read_foreign(raw, limit=PAPER_LIMIT)
    signature = table.pop("signature", None)
    if signature is None:
        return Paper(raw, raw, table, "")
    cut = raw.rfind(_SIGNATURE.encode())
    armour = signature.get("sshsig") if isinstance(signature, dict) else None
    tail = f'{_SIGNATURE[1:]}sshsig = """\n{armour}"""\n'.encode()
    if cut < 0 or not isinstance(armour, str) or raw[cut + 1 :] != tail:
        raise MalformedError("the [signature] table is not in its canonical form")
    return Paper(raw, raw[: cut + 1], table, armour)


def paper_content(paper: Paper, kind: type[T], name: str) -> T:
    """What a paper says, in its one form."""
    try:
        value: T = decode(dict(paper.table), kind)
    except CodecError as error:
        raise MalformedError(f"{name}: {error.message}") from None
    if toml.dumps(encode(value, kind)).encode().rstrip(b"\n") != paper.signed.rstrip(b"\n"):
        raise MalformedError(f"{name} is not in its canonical form")
    for key, text in paper.table.items():
        if isinstance(text, str):
            toml.check_line(text, f"{name}: {key}", MAX_WORDS)
    return value


def hex32(text: str, name: str) -> bytes:
    """32 bytes as papers write them."""
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise MalformedError(f"{name}: expected 64 hex digits")
    return bytes.fromhex(text)
