"""Sealed things: commitments, boxes for oneself, and boxes that one other seat can open.

Everything is derived, nothing is drawn: every device of a player makes the same bytes, and the audit
makes them again from the published secret. Deriving is safe because the plaintext goes into it: two
plaintexts at one place never share a key. Boxes are padded to a multiple of 128 bytes, so their length
does not tell one card from another. A box to another seat commits to its key: whoever complains
discloses that one key, and no box opens under two.

A commitment's nonce depends on the place and on the text: where a question is asked anew, the opening
of the second answer does not help to search for the first.
"""

from __future__ import annotations

import hmac

from pbem.errors import VerificationError
from pbem.protocol.crypto import primitives
from pbem.protocol.crypto.canonical import digest, encode, keyed
from pbem.protocol.crypto.keys import BoxKey, box_public, check_box_public, exchange, hkdf

BLOCK = 128
"""Plaintexts are padded to a multiple of this."""

TAG = 16
"""What the cipher adds to the padded plaintext."""

_ONE_USE = bytes(12)
"""The cipher's nonce. Constant, because each key encrypts one plaintext only."""
_HINT = "ask the sender for the same file again; if it is the same, this is a matter for a complaint"


def commitment(game: bytes, seat: str, place: str, plaintext: bytes, nonce: bytes) -> bytes:
    """Binds a seat to a plaintext at one place of one game, and hides it until the nonce is out."""
    if len(nonce) != 32:
        raise VerificationError(f"the nonce of a commitment has {len(nonce)} bytes instead of 32", _HINT)
    return digest("commit", game, seat, place, plaintext, nonce)


def nonce(secret: bytes, game: bytes, place: str, plaintext: str) -> bytes:
    """The nonce of a seat's commitment to a text at this place."""
    return keyed(secret, "nonce", game, place, plaintext)


def box_for_self(secret: bytes, game: bytes, seat: str, place: str, plaintext: bytes) -> bytes:
    """A note that only the same seat can read again: 16 bytes that name the key, then the ciphertext."""
    padded = _pad(plaintext)
    name = keyed(secret, "own box name", game, seat, place, padded)[:16]
    key = keyed(secret, "own box key", game, seat, place, name)
    return name + primitives.chacha20poly1305_encrypt(key, _ONE_USE, padded)


def open_own_box(secret: bytes, game: bytes, seat: str, place: str, box: bytes) -> bytes:
    """What `box_for_self` closed."""
    key = keyed(secret, "own box key", game, seat, place, box[:16])
    return _unpad(_decrypt(key, box[16:]))


def seal_to(public: bytes, context: tuple[str, ...], plaintext: bytes, entropy: bytes) -> bytes:
    """A box for one other seat: a one-time public key, the commitment to the box's key, the ciphertext.

    `entropy` is a secret of the sender; the same arguments give the same bytes on every device.
    """
    if len(entropy) < 32:
        raise ValueError("a box needs 32 bytes of entropy")
    padded = _pad(plaintext)
    once = BoxKey(keyed(entropy, "one-time key", public, padded, *context))
    head = box_public(once)
    key = _box_key(exchange(once, public), head, public, context)
    ciphertext = primitives.chacha20poly1305_encrypt(key, _ONE_USE, padded)
    return head + _key_commitment(key, head, context) + ciphertext


def check_form(box: bytes) -> None:
    """Refuse what cannot be a box for another seat: its giver alone can have made it so."""
    check_box_public(box[:32])
    if len(box) < 64 + TAG + BLOCK or (len(box) - 64 - TAG) % BLOCK:
        raise VerificationError(f"a sealed box does not have {len(box)} bytes", _HINT)


def unseal(private: BoxKey, context: tuple[str, ...], box: bytes) -> bytes:
    """What `seal_to` closed for this key in this context."""
    return open_with_shared(shared_key(private, box, context), context, box)


def shared_key(private: BoxKey, box: bytes, context: tuple[str, ...]) -> bytes:
    """The key of this one box, which a complaint may disclose: it opens no other."""
    if len(box) < 32:
        raise VerificationError("the sealed box is cut short", _HINT)
    return _box_key(exchange(private, box[:32]), box[:32], box_public(private), context)


def open_with_shared(shared_key: bytes, context: tuple[str, ...], box: bytes) -> bytes:
    """Open a box with its disclosed key, as everybody can once there is a complaint."""
    expected = _key_commitment(shared_key, box[:32], context)
    if len(shared_key) != 32 or not hmac.compare_digest(box[32:64], expected):
        raise VerificationError("the sealed box was closed with another key, or for another place", _HINT)
    return _unpad(_decrypt(shared_key, box[64:]))


def _box_key(shared: bytes, once: bytes, public: bytes, context: tuple[str, ...]) -> bytes:
    return hkdf(shared, encode("box", once, public, *context))


def _key_commitment(key: bytes, once: bytes, context: tuple[str, ...]) -> bytes:
    """ChaCha20-Poly1305 alone lets a sender make one ciphertext that opens differently under two keys."""
    return keyed(key, "box key commitment", once, *context)


def _decrypt(key: bytes, ciphertext: bytes) -> bytes:
    try:
        return primitives.chacha20poly1305_decrypt(key, _ONE_USE, ciphertext)
    except ValueError as error:
        raise VerificationError("the sealed box does not open", _HINT) from error


def _pad(plaintext: bytes) -> bytes:
    """One byte 0x80, then zeros up to a whole block: at least one byte, so that it can be taken off."""
    return plaintext + b"\x80" + bytes(-(len(plaintext) + 1) % BLOCK)


def _unpad(padded: bytes) -> bytes:
    plaintext, mark, _zeros = padded.rpartition(b"\x80")
    if not mark or padded != _pad(plaintext):
        raise VerificationError("the sealed box is not padded as it must be", _HINT)
    return plaintext
