"""SSHSIG: signatures that stock `ssh-keygen -Y verify` checks, in exactly one form.

Stricter than OpenSSH's PROTOCOL.sshsig: only ssh-ed25519, reserved field empty, sha512, no byte left
over anywhere, the embedded key equal to the registered one, and the armour equal to its own
re-encoding. So a signed message has one signature file and no second one that also verifies.
"""

from __future__ import annotations

import base64
import binascii

from pbem.errors import MalformedError, VerificationError
from pbem.protocol.crypto import primitives
from pbem.protocol.crypto.keys import SigningKey, check_public
from pbem.protocol.crypto.ssh_wire import KEY_TYPE, public_blob, ssh_string, take_ssh_string

NAMESPACE = "pbem-entry-v2"

_MAGIC = b"SSHSIG"
_VERSION = (1).to_bytes(4, "big")
_HASH = b"sha512"
_BEGIN = "-----BEGIN SSH SIGNATURE-----\n"
_END = "-----END SSH SIGNATURE-----\n"
_WIDTH = 70
"""Where ssh-keygen breaks its lines."""
_GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493
_MAX_ARMOUR = 1024
"""Three times what a signature with our namespace needs."""
_HINT = "ask the sender for the same file again, unchanged"


def sign(key: SigningKey, message: bytes, namespace: str = NAMESPACE) -> str:
    """The armoured signature, as `ssh-keygen -Y sign` writes it."""
    return _armour(key.public, key.sign(_signed(message, namespace)), namespace)


def verify(armour: str, message: bytes, public: bytes, namespace: str = NAMESPACE) -> None:
    """Raise VerificationError unless `armour` is the signature of `message` by `public`."""
    signature = _signature(_unarmour(armour), public, namespace)
    if armour != _armour(public, signature, namespace):
        raise MalformedError("the signature's armour is not in its canonical form", _HINT)
    verify_raw(public, signature, _signed(message, namespace))


def signer(armour: str) -> bytes:
    """The public key that a signature names; whether it fits is `verify`'s part."""
    key, _ = take_ssh_string(_unarmour(armour)[10:])
    return take_ssh_string(take_ssh_string(key)[1])[0]


def verify_raw(public: bytes, signature: bytes, message: bytes) -> None:
    """The one Ed25519 verification of pbem: RFC 8032, and no key or S that allows a second reading."""
    check_public(public)
    if len(signature) != 64:
        raise VerificationError(f"the signature has {len(signature)} bytes instead of 64", _HINT)
    if int.from_bytes(signature[32:], "little") >= _GROUP_ORDER:
        raise VerificationError("the signature is not in its canonical form", _HINT)
    if not primitives.ed25519_verify(public, signature, message):
        raise VerificationError("the signature does not fit the content", _HINT)


def _signed(message: bytes, namespace: str) -> bytes:
    """What Ed25519 signs: the hash of the message, bound to namespace and hash name."""
    hashed = primitives.sha512(message)
    return _MAGIC + b"".join(map(ssh_string, (namespace.encode(), b"", _HASH, hashed)))


def _armour(public: bytes, signature: bytes, namespace: str) -> str:
    inner = ssh_string(KEY_TYPE.encode()) + ssh_string(signature)
    fields = (public_blob(public), namespace.encode(), b"", _HASH, inner)
    text = base64.b64encode(_MAGIC + _VERSION + b"".join(map(ssh_string, fields))).decode()
    lines = [text[at : at + _WIDTH] + "\n" for at in range(0, len(text), _WIDTH)]
    return _BEGIN + "".join(lines) + _END


def _unarmour(armour: str) -> bytes:
    if len(armour) > _MAX_ARMOUR:
        raise MalformedError("the signature is too long to be one", _HINT)
    if not armour.startswith(_BEGIN) or not armour.endswith(_END):
        raise MalformedError("the signature does not begin and end as ssh-keygen writes it", _HINT)
    try:
        return base64.b64decode(armour[len(_BEGIN) : -len(_END)].replace("\n", ""), validate=True)
    except (binascii.Error, ValueError) as error:
        raise MalformedError("the signature is not base64", _HINT) from error


def _signature(blob: bytes, public: bytes, namespace: str) -> bytes:
    """The 64 bytes of Ed25519, once everything around them is what it must be."""
    if blob[:10] != _MAGIC + _VERSION:
        raise MalformedError("this is not an SSHSIG signature of version 1", _HINT)
    key, rest = take_ssh_string(blob[10:])
    named, rest = take_ssh_string(rest)
    reserved, rest = take_ssh_string(rest)
    hash_name, rest = take_ssh_string(rest)
    inner, rest = take_ssh_string(rest)
    key_type, _ = take_ssh_string(key)
    inner_type, inner_rest = take_ssh_string(inner)
    signature, inner_rest = take_ssh_string(inner_rest)
    if key_type != KEY_TYPE.encode() or inner_type != KEY_TYPE.encode():
        raise VerificationError("the signature was not made with an Ed25519 key", _HINT)
    if key != public_blob(public):
        raise VerificationError("the signature was made with another key than the registered one", _HINT)
    if named != namespace.encode():
        raise VerificationError(f"the signature was made for another use than {namespace}", _HINT)
    if reserved:
        raise MalformedError("the reserved field of the signature is not empty", _HINT)
    if hash_name != _HASH:
        raise VerificationError("the signature uses another hash than sha512", _HINT)
    if rest or inner_rest:
        raise MalformedError("there are bytes left over in the signature", _HINT)
    return signature
