"""SSH's wire format (RFC 4251): strings with their length in front, and a public key as two of them."""

from __future__ import annotations

from pbem.errors import MalformedError

KEY_TYPE = "ssh-ed25519"


def ssh_string(x: bytes) -> bytes:
    """Four bytes of length, then the string."""
    return len(x).to_bytes(4, "big") + x


def take_ssh_string(blob: bytes) -> tuple[bytes, bytes]:
    """The first string of a blob, and what comes after it."""
    end = 4 + int.from_bytes(blob[:4], "big")
    if len(blob) < max(4, end):
        raise MalformedError("a field is cut short", "copy the whole file or line again")
    return blob[4:end], blob[end:]


def public_blob(public: bytes) -> bytes:
    """A public Ed25519 key in SSH's wire format."""
    return ssh_string(KEY_TYPE.encode()) + ssh_string(public)
