"""Keys: a player's Ed25519 key in OpenSSH format, and everything derived from it.

The private key never leaves its `SigningKey`: it signs, and it derives. Every derived secret names its
use, so that nothing learnt from one helps with another. A public key from a stranger is checked before
it is used: under one of small order a single signature fits every message, and one with two encodings
would be two players. Keys that only an agent or a device holds cannot derive, and are refused by name.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from pbem.errors import MalformedError, UsageError, VerificationError
from pbem.protocol.crypto import key_file, primitives
from pbem.protocol.crypto.canonical import Part, encode, keyed
from pbem.protocol.crypto.ssh_wire import KEY_TYPE, public_blob

_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_ORDER_8_Y = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_ORDER_Y = frozenset({0, 1, _P - 1, _ORDER_8_Y, _P - _ORDER_8_Y})
"""Two points share each y, but for y = 1 and y = -1: the eight points whose order divides 8."""

_NEW = "make a key for pbem with: pbem key new"
_RESTORE = "restore it from your backup"
_OTHER_TYPES = {
    "ssh-rsa": "an RSA key",
    "ssh-dss": "a DSA key",
    "ecdsa-sha2-": "an ECDSA key",
    "ssh-ed25519-cert-": "a certificate, not the key itself",
    "sk-ssh-ed25519@openssh.com": "a hardware key (sk-ssh-ed25519), which cannot derive the game's secrets",
    "sk-ecdsa-sha2-": "a hardware key (sk-ecdsa), which cannot derive the game's secrets",
}
_OTHER_FILES = {
    b"-----BEGIN RSA PRIVATE KEY-----": "an RSA key",
    b"-----BEGIN DSA PRIVATE KEY-----": "a DSA key",
    b"-----BEGIN EC PRIVATE KEY-----": "an ECDSA key",
    b"-----BEGIN PRIVATE KEY-----": "a PKCS#8 file, not an OpenSSH one",
    b"-----BEGIN ENCRYPTED PRIVATE KEY-----": "a PKCS#8 file, not an OpenSSH one",
    b"PuTTY-User-Key-File": "a PuTTY key file, not an OpenSSH one",
}


@dataclass(frozen=True, slots=True, repr=False)
class SigningKey:
    """An Ed25519 key that can sign and derive. Equal keys have equal public halves."""

    public: bytes
    """The 32 bytes that everybody may know."""
    seed: bytes = field(compare=False)
    """The private half, for a file that only its owner may read."""

    @classmethod
    def from_seed(cls, seed: bytes) -> SigningKey:
        """The key with this 32-byte private seed (RFC 8032)."""
        return cls(primitives.ed25519_public(seed), seed)

    def __repr__(self) -> str:
        return f"SigningKey({self.fingerprint})"

    @property
    def fingerprint(self) -> str:
        """As ssh-keygen -l prints it."""
        return fingerprint(self.public)

    def public_line(self) -> str:
        """As in a .pub file, with pbem for the comment."""
        return f"{KEY_TYPE} {base64.b64encode(public_blob(self.public)).decode()} pbem"

    def sign(self, message: bytes) -> bytes:
        """A raw Ed25519 signature, the same bytes each time."""
        return primitives.ed25519_sign(self.seed, message)

    def derive(self, label: str, *parts: Part) -> bytes:
        """A 32-byte secret for one named use: HKDF of the private seed, so that only the key is backed up."""
        return hkdf(self.seed, encode(label, *parts))


def new_private() -> SigningKey:
    """A fresh key from the system's randomness."""
    return SigningKey.from_seed(os.urandom(32))


def load_private(raw: bytes, passphrase: Callable[[], bytes] | None) -> SigningKey:
    """The key in an OpenSSH private key file. `passphrase` is asked only when the file is encrypted."""
    raw = raw.strip()
    _refuse_other_files(raw)
    try:
        file = key_file.read(raw)
    except (ValueError, MalformedError) as error:
        raise UsageError("the key file is damaged", _RESTORE) from error
    _refuse_other_types(file.key_type, UsageError)
    if file.key_type != KEY_TYPE:
        raise UsageError("this is a key of an unknown type; pbem needs an Ed25519 key", _NEW)
    if file.encrypted and passphrase is None:
        raise UsageError("the key is encrypted and there is no passphrase", "give its passphrase")
    try:
        seed = key_file.seed_of(file, passphrase() if file.encrypted and passphrase is not None else b"")
    except (ValueError, MalformedError) as error:
        if file.encrypted:
            raise UsageError("the passphrase is wrong, or the key file is damaged", "try again") from error
        raise UsageError("the key file is damaged", _RESTORE) from error
    return SigningKey.from_seed(seed)


def dump_private(key: SigningKey, passphrase: bytes | None) -> bytes:
    """The key as an OpenSSH private key file, encrypted if there is a passphrase."""
    return key_file.write(key.seed, passphrase)


def box_of_public(public: bytes) -> bytes:
    """The X25519 public key that belongs to an Ed25519 one: u = (1 + y) / (1 - y), as in RFC 7748, 4.1."""
    y = int.from_bytes(public, "little") & (2**255 - 1)
    return ((1 + y) * pow(1 - y, -1, _P) % _P).to_bytes(32, "little")


def box_of_private(key: SigningKey) -> BoxKey:
    """The X25519 private key that belongs to an Ed25519 one; its bytes are clamped when it is used."""
    return BoxKey(primitives.sha512(key.seed)[:32])


def answering_key(key: SigningKey, table: str, seat: str) -> SigningKey:
    """The key that signs only shares and openings of one seat: a machine that has it cannot move."""
    return SigningKey.from_seed(key.derive("answering key", table, seat))


def fingerprint(public: bytes) -> str:
    """SHA256:... of a public key, as ssh-keygen -l prints it."""
    return "SHA256:" + base64.b64encode(primitives.sha256(public_blob(public))).decode().rstrip("=")


def parse_public_line(text: str) -> bytes:
    """The 32 bytes of an `ssh-ed25519 AAAA... comment` line. The key itself is checked by `check_public`."""
    words = text.strip().split(None, 2)
    if len(words) < 2 or "\n" in text.strip():
        raise MalformedError("this is not the line of a public key", "it reads: ssh-ed25519 AAAA... name")
    _refuse_other_types(words[0], MalformedError)
    if words[0] != KEY_TYPE:
        raise MalformedError("this is not the line of a public key", "it reads: ssh-ed25519 AAAA... name")
    try:
        blob = base64.b64decode(words[1], validate=True)
    except (binascii.Error, ValueError) as error:
        raise MalformedError(
            "the public key is not base64", "copy the whole line of the .pub file"
        ) from error
    public = blob[-32:]
    if blob != public_blob(public) or base64.b64encode(blob).decode() != words[1]:
        raise MalformedError("the public key is cut or damaged", "copy the whole line of the .pub file")
    return public


@lru_cache(maxsize=256)
def check_public(raw: bytes) -> None:
    """Refuse what is no proper Ed25519 public key: see the module's first lines for why.

    A registered key comes with every entry and is checked once; a refusal is never cached.
    """
    if len(raw) != 32:
        raise VerificationError(f"the public key has {len(raw)} bytes instead of 32", _NEW)
    sign, y = divmod(int.from_bytes(raw, "little"), 2**255)
    if y >= _P or (sign and y in (1, _P - 1)):
        raise VerificationError("the public key is not in its canonical encoding", _NEW)
    x_squared_numerator, denominator = (y * y - 1) % _P, (_D * y * y + 1) % _P
    if pow(x_squared_numerator * denominator, (_P - 1) // 2, _P) == _P - 1:
        raise VerificationError("the public key is not a point on the curve", _NEW)
    if y in _SMALL_ORDER_Y:
        raise VerificationError(
            "the public key is of small order: one signature would fit all messages", _NEW
        )
    if not primitives.is_point(raw):
        raise VerificationError("the public key is not of prime order", _NEW)


@dataclass(frozen=True, slots=True, repr=False)
class BoxKey:
    """The X25519 key that opens what is sealed to one seat."""

    secret: bytes

    def __repr__(self) -> str:
        return "BoxKey"


def box_private(secret32: bytes) -> BoxKey:
    """The key of a seat's boxes, derived from a 32-byte secret."""
    if len(secret32) != 32:
        raise ValueError("a box key is derived from 32 bytes")
    return BoxKey(keyed(secret32, "box key"))


def box_public(private: BoxKey) -> bytes:
    """The 32 bytes that others seal to."""
    return primitives.x25519_public(private.secret)


def check_box_public(raw: bytes) -> None:
    """Refuse an X25519 public key with which every exchange ends in the same, known secret."""
    if len(raw) != 32:
        raise VerificationError(f"the box key has {len(raw)} bytes instead of 32", _NEW)
    exchange(BoxKey(bytes(32)), raw)


def exchange(private: BoxKey, public: bytes) -> bytes:
    """X25519; a key of low order, whose result anybody knows, is refused."""
    try:
        return primitives.x25519(private.secret, public)
    except ValueError as error:
        raise VerificationError("the box key is of low order: anybody could read the box", _NEW) from error


def hkdf(secret: bytes, info: bytes) -> bytes:
    """32 bytes for one named use, by HKDF-SHA256 without a salt."""
    return primitives.hkdf_sha256(secret, b"", info, 32)


def _refuse_other_files(raw: bytes) -> None:
    for start, what in _OTHER_FILES.items():
        if raw.startswith(start):
            raise UsageError(f"this is {what}; pbem needs an Ed25519 key in OpenSSH format", _NEW)
    word = raw[:64].split(b" ")[0].decode("ascii", "replace")
    if word == KEY_TYPE or raw.startswith(b"---- BEGIN SSH2 PUBLIC KEY ----"):
        raise UsageError(
            "this is a public key; pbem needs the private key file beside it",
            "a key that lives only in an agent cannot be used; " + _NEW,
        )
    _refuse_other_types(word, UsageError)
    if not raw.startswith(key_file.BEGIN):
        raise UsageError("this is not an OpenSSH private key file", _NEW)


def _refuse_other_types(key_type: str, error: type[UsageError] | type[MalformedError]) -> None:
    for start, what in _OTHER_TYPES.items():
        if key_type.startswith(start):
            raise error(f"this is {what}; pbem needs an Ed25519 key", _NEW)
