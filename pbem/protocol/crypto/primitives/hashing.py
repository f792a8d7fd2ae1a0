"""Hashes, which Python itself brings along everywhere."""

from __future__ import annotations

import hashlib
import hmac


def sha256(data: bytes) -> bytes:
    """SHA-256."""
    return hashlib.sha256(data).digest()


def sha512(data: bytes) -> bytes:
    """SHA-512."""
    return hashlib.sha512(data).digest()


def hmac_sha256(secret: bytes, message: bytes) -> bytes:
    """HMAC with SHA-256 (RFC 2104)."""
    return hmac.digest(secret, message, "sha256")
