"""The primitives by OpenSSL (cryptography), libsodium (PyNaCl) and bcrypt. Each library loads when needed."""

from __future__ import annotations

from functools import cache
from typing import Any

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import CBC, CTR
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

# --- signatures and exchange -----------------------------------------------------------------------------


def ed25519_public(seed: bytes) -> bytes:
    """The public key of a private seed (RFC 8032)."""
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()


def ed25519_sign(seed: bytes, message: bytes) -> bytes:
    """The 64 bytes of a signature."""
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def ed25519_verify(public: bytes, signature: bytes, message: bytes) -> bool:
    """True if R is exactly s·G - h·A: no cofactor. The caller has checked that key and s are canonical."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def x25519_public(secret: bytes) -> bytes:
    """The public key of a secret (RFC 7748)."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def x25519(secret: bytes, public: bytes) -> bytes:
    """The shared secret; ValueError if the public key is of low order, so that the result is zero."""
    return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(public))


# --- keys and ciphers ------------------------------------------------------------------------------------


def hkdf_sha256(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """HKDF (RFC 5869)."""
    return HKDF(SHA256(), length, salt, info).derive(secret)


def scrypt(password: bytes, salt: bytes, n: int, r: int, p: int, length: int) -> bytes:
    """scrypt (RFC 7914)."""
    return Scrypt(salt=salt, length=length, n=n, r=r, p=p).derive(password)


def bcrypt_pbkdf(password: bytes, salt: bytes, length: int, rounds: int) -> bytes:
    """What OpenSSH makes of the passphrase of a key file."""
    import bcrypt

    return bcrypt.kdf(password, salt, length, rounds, ignore_few_rounds=True)


def chacha20poly1305_encrypt(key: bytes, nonce: bytes, plaintext: bytes, known: bytes = b"") -> bytes:
    """Ciphertext and tag (RFC 8439); `known` is bound to it and stands elsewhere."""
    return ChaCha20Poly1305(key).encrypt(nonce, plaintext, known)


def chacha20poly1305_decrypt(key: bytes, nonce: bytes, ciphertext: bytes, known: bytes = b"") -> bytes:
    """The plaintext; ValueError if the tag does not fit."""
    try:
        return ChaCha20Poly1305(key).decrypt(nonce, ciphertext, known)
    except InvalidTag:
        raise ValueError("the tag does not fit") from None


def aes256_gcm_decrypt(key: bytes, nonce: bytes, ciphertext: bytes) -> bytes:
    """The plaintext of a key file; ValueError if the tag does not fit."""
    try:
        return AESGCM(key).decrypt(nonce, ciphertext, None)
    except InvalidTag:
        raise ValueError("the tag does not fit") from None


def aes256_ctr(key: bytes, counter: bytes, data: bytes) -> bytes:
    """Encrypts and decrypts a key file."""
    return _aes256_decrypt(key, CTR(counter), data)


def aes256_cbc_decrypt(key: bytes, iv: bytes, data: bytes) -> bytes:
    """Decrypts a key file as older programs wrote it; it is padded by the file's own rule."""
    return _aes256_decrypt(key, CBC(iv), data)


def _aes256_decrypt(key: bytes, mode: CBC | CTR, data: bytes) -> bytes:
    decryptor = Cipher(AES256(key), mode).decryptor()
    return decryptor.update(data) + decryptor.finalize()


# --- the group of edwards25519 ---------------------------------------------------------------------------


@cache
def _sodium() -> Any:
    """libsodium loads only when a deck or a stranger's key needs it."""
    from nacl import bindings

    return bindings


def _group(operation: str, *parts: bytes) -> bytes:
    """An operation of libsodium; its refusals are RuntimeErrors."""
    try:
        done: bytes = getattr(_sodium(), operation)(*parts)
    except RuntimeError:
        raise ValueError("not a point of the group, or the result is zero") from None
    return done


def is_point(data: bytes) -> bool:
    """True for a point of the prime-order group, in its canonical encoding, other than zero."""
    return bool(_sodium().crypto_core_ed25519_is_valid_point(data))


def multiply_base(scalar: bytes) -> bytes:
    """scalar·G; ValueError if that is zero."""
    return _group("crypto_scalarmult_ed25519_base_noclamp", scalar)


def multiply(scalar: bytes, point: bytes) -> bytes:
    """scalar·point; ValueError if that is zero, or if the point is not of the group."""
    return _group("crypto_scalarmult_ed25519_noclamp", scalar, point)


def add(p: bytes, q: bytes) -> bytes:
    """p + q; ValueError if one is not a point of the curve."""
    return _group("crypto_core_ed25519_add", p, q)


def subtract(p: bytes, q: bytes) -> bytes:
    """p - q; ValueError if one is not a point of the curve."""
    return _group("crypto_core_ed25519_sub", p, q)


def from_uniform(data: bytes) -> bytes:
    """Elligator 2 of 32 bytes, times the cofactor: a point whose logarithm nobody knows."""
    return _group("crypto_core_ed25519_from_uniform", data)


def scalar_add(x: bytes, y: bytes) -> bytes:
    """x + y modulo the group's order."""
    return _group("crypto_core_ed25519_scalar_add", x, y)


def scalar_subtract(x: bytes, y: bytes) -> bytes:
    """x - y modulo the group's order."""
    return _group("crypto_core_ed25519_scalar_sub", x, y)


def scalar_multiply(x: bytes, y: bytes) -> bytes:
    """x·y modulo the group's order."""
    return _group("crypto_core_ed25519_scalar_mul", x, y)


def scalar_reduce(wide: bytes) -> bytes:
    """64 bytes modulo the group's order."""
    return _group("crypto_core_ed25519_scalar_reduce", wide)
