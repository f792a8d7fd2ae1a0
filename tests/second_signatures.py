"""Hashes and signatures, from `pbem help protocol` alone."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493

# --- notation


def lp(x: bytes) -> bytes:
    return len(x).to_bytes(4, "big") + x


def enc(label: str, *parts: bytes | str | int) -> bytes:
    raw = [p if isinstance(p, bytes) else str(p).encode() for p in parts]
    return b"".join(map(lp, [f"pbem/v1/{label}".encode(), *raw]))


def H(label: str, *parts: bytes | str | int) -> bytes:
    return hashlib.sha256(enc(label, *parts)).digest()


def K(secret: bytes, label: str, *parts: bytes | str | int) -> bytes:
    return hmac.digest(secret, enc(label, *parts), "sha256")


# --- signatures


def strings(blob: bytes) -> list[bytes]:
    found = []
    while blob:
        size = int.from_bytes(blob[:4], "big")
        if len(blob) < 4 + size:
            raise ValueError("cut short")
        found.append(blob[4 : 4 + size])
        blob = blob[4 + size :]
    return found


def check_point(public: bytes) -> None:
    """A canonical point of full order: a public key that fits one signer."""
    y = int.from_bytes(public, "little") & (2**255 - 1)
    eight_y = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
    if len(public) != 32 or y >= P or y in (0, 1, P - 1, eight_y, P - eight_y):
        raise ValueError("no key for one signer")


def check_signature(public: bytes, armour: str, message: bytes, namespace: str) -> None:
    begin, end = "-----BEGIN SSH SIGNATURE-----\n", "-----END SSH SIGNATURE-----\n"
    if not armour.startswith(begin) or not armour.endswith(end):
        raise ValueError("no armour")
    blob = base64.b64decode(armour[len(begin) : -len(end)].replace("\n", ""), validate=True)
    if blob[:10] != b"SSHSIG" + (1).to_bytes(4, "big"):
        raise ValueError("not SSHSIG 1")
    key, name, reserved, hashed, inner = strings(blob[10:])
    kind, signature = strings(inner)
    wanted = lp(b"ssh-ed25519") + lp(public)
    if (key, name, reserved, hashed, kind) != (wanted, namespace.encode(), b"", b"sha512", b"ssh-ed25519"):
        raise ValueError("another key or use")
    if len(signature) != 64 or int.from_bytes(signature[32:], "little") >= ORDER:
        raise ValueError("not canonical")
    text = base64.b64encode(blob).decode()
    lines = "".join(text[i : i + 70] + "\n" for i in range(0, len(text), 70))
    if armour != begin + lines + end:
        raise ValueError("the armour is not in its one form")
    check_point(public)
    signed = b"SSHSIG" + b"".join(
        map(lp, (namespace.encode(), b"", b"sha512", hashlib.sha512(message).digest()))
    )
    Ed25519PublicKey.from_public_bytes(public).verify(signature, signed)


def signed_part(raw: bytes, table: Mapping[str, Any]) -> tuple[bytes, str]:
    """The bytes that were signed, and the armour, which must be all that follows."""
    cut = raw.rfind(b"\n[signature]\n")
    armour = table["signature"]["sshsig"]
    if cut < 0 or raw[cut + 1 :] != f'[signature]\nsshsig = """\n{armour}"""\n'.encode():
        raise ValueError("the signature is not in its one form")
    return raw[: cut + 1], armour
