"""The primitives by the noble JavaScript libraries, where Python runs as WebAssembly (Pyodide).

The JavaScript half is `noble.js` beside this file, registered as the module `pbem_noble` before pbem starts.
It answers undefined to what it refuses. Scalars are numbers here: Python's own arithmetic is enough for them.
JavaScript's big integers are not constant in time: whoever measures this machine to the microsecond could
learn about its secrets, so the browser's own isolation of pages is what protects them.
"""

from __future__ import annotations

from typing import Any

_ORDER = 2**252 + 27742317777372353535851937790883648493


def _noble(operation: str, *parts: bytes | int) -> bytes:
    """An operation of noble.js; bytes are copied across."""
    import pbem_noble  # type: ignore[import-not-found]
    from pyodide.ffi import to_js  # type: ignore[import-not-found]

    done: Any = getattr(pbem_noble, operation)(*[to_js(part) for part in parts])
    if done is None:
        raise ValueError(f"refused: {operation}")
    return bytes(done.to_bytes())


# --- signatures and exchange -----------------------------------------------------------------------------


def ed25519_public(seed: bytes) -> bytes:
    """The public key of a private seed (RFC 8032)."""
    return _noble("ed25519Public", seed)


def ed25519_sign(seed: bytes, message: bytes) -> bytes:
    """The 64 bytes of a signature."""
    return _noble("ed25519Sign", seed, message)


def ed25519_verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """True if R is exactly s·G - h·A: no cofactor. The caller has checked that key and s are canonical."""
    try:
        return _noble("ed25519Expected", public, signature[32:], signature[:32], message) == signature[:32]
    except ValueError:
        return False


def x25519_public(secret: bytes) -> bytes:
    """The public key of a secret (RFC 7748)."""
    return _noble("x25519Public", secret)


def x25519(secret: bytes, public: bytes) -> bytes:
    """The shared secret; ValueError if the public key is of low order, so that the result is zero."""
    return _noble("x25519", secret, public)


# --- keys and ciphers ------------------------------------------------------------------------------------


def hkdf_sha256(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """HKDF (RFC 5869)."""
    return _noble("hkdfSha256", secret, salt, info, length)


def scrypt(password: bytes, salt: bytes, n: int, r: int, p: int, length: int) -> bytes:
    """scrypt (RFC 7914)."""
    return _noble("scrypt", password, salt, n, r, p, length)


def bcrypt_pbkdf(password: bytes, salt: bytes, length: int, rounds: int) -> bytes:
    """What OpenSSH makes of the passphrase of a key file."""
    return _noble("bcryptPbkdf", password, salt, length, rounds)


def chacha20poly1305_encrypt(key: bytes, nonce: bytes, plaintext: bytes, known: bytes = b"") -> bytes:
    """Ciphertext and tag (RFC 8439); `known` is bound to it and stands elsewhere."""
    return _noble("chacha20poly1305Encrypt", key, nonce, plaintext, known)


def chacha20poly1305_decrypt(key: bytes, nonce: bytes, ciphertext: bytes, known: bytes = b"") -> bytes:
    """The plaintext; ValueError if the tag does not fit."""
    return _noble("chacha20poly1305Decrypt", key, nonce, ciphertext, known)


def aes256_gcm_decrypt(key: bytes, nonce: bytes, ciphertext: bytes) -> bytes:
    """The plaintext of a key file; ValueError if the tag does not fit."""
    return _noble("aes256GcmDecrypt", key, nonce, ciphertext)


def aes256_ctr(key: bytes, counter: bytes, data: bytes) -> bytes:
    """Encrypts and decrypts a key file."""
    return _noble("aes256Ctr", key, counter, data)


def aes256_cbc_decrypt(key: bytes, iv: bytes, data: bytes) -> bytes:
    """Decrypts a key file as older programs wrote it; it is padded by the file's own rule."""
    return _noble("aes256CbcDecrypt", key, iv, data)


# --- the group of edwards25519 ---------------------------------------------------------------------------


def is_point(data: bytes) -> bool:
    """True for a point of the prime-order group, in its canonical encoding, other than zero."""
    try:
        return _noble("checkedPoint", data) == data
    except ValueError:
        return False


def multiply_base(scalar: bytes) -> bytes:
    """scalar·G; ValueError if that is zero."""
    return _noble("multiplyBase", scalar)


def multiply(scalar: bytes, point: bytes) -> bytes:
    """scalar·point; ValueError if that is zero, or if the point is not of the group."""
    return _noble("multiply", scalar, point)


def add(p: bytes, q: bytes) -> bytes:
    """p + q; ValueError if one is not a point of the curve."""
    return _noble("add", p, q)


def subtract(p: bytes, q: bytes) -> bytes:
    """p - q; ValueError if one is not a point of the curve."""
    return _noble("subtract", p, q)


def from_uniform(data: bytes) -> bytes:
    """Elligator 2 of 32 bytes, times the cofactor: a point whose logarithm nobody knows."""
    return _noble("fromUniform", data)


def scalar_add(x: bytes, y: bytes) -> bytes:
    """x + y modulo the group's order."""
    return _scalar(_number(x) + _number(y))


def scalar_subtract(x: bytes, y: bytes) -> bytes:
    """x - y modulo the group's order."""
    return _scalar(_number(x) - _number(y))


def scalar_multiply(x: bytes, y: bytes) -> bytes:
    """x·y modulo the group's order."""
    return _scalar(_number(x) * _number(y))


def scalar_reduce(wide: bytes) -> bytes:
    """64 bytes modulo the group's order."""
    return _scalar(_number(wide))


def _number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _scalar(number: int) -> bytes:
    return (number % _ORDER).to_bytes(32, "little")
