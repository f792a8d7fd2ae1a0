"""The one door to cryptography: every primitive that pbem uses has its name here, and bytes go in and out.

There are two backends behind it. `native` calls OpenSSL and libsodium; `noble` calls audited JavaScript where
Python itself runs in a browser. Both are held to the same vectors, and a game signed with one has the same
bytes as a game signed with the other. What a backend refuses is a ValueError: the callers say what it means.

A point or scalar has 32 bytes, little-endian. `add` and `subtract` take points of the curve; only `is_point`
says whether a stranger's bytes are one of the group.
"""

import sys

if sys.platform == "emscripten":
    from pbem.protocol.crypto.primitives.noble import (
        add,
        aes256_cbc_decrypt,
        aes256_ctr,
        aes256_gcm_decrypt,
        bcrypt_pbkdf,
        chacha20poly1305_decrypt,
        chacha20poly1305_encrypt,
        ed25519_public,
        ed25519_sign,
        ed25519_verify,
        from_uniform,
        hkdf_sha256,
        is_point,
        multiply,
        multiply_base,
        scalar_add,
        scalar_multiply,
        scalar_reduce,
        scalar_subtract,
        scrypt,
        subtract,
        x25519,
        x25519_public,
    )
else:
    from pbem.protocol.crypto.primitives.native import (
        add,
        aes256_cbc_decrypt,
        aes256_ctr,
        aes256_gcm_decrypt,
        bcrypt_pbkdf,
        chacha20poly1305_decrypt,
        chacha20poly1305_encrypt,
        ed25519_public,
        ed25519_sign,
        ed25519_verify,
        from_uniform,
        hkdf_sha256,
        is_point,
        multiply,
        multiply_base,
        scalar_add,
        scalar_multiply,
        scalar_reduce,
        scalar_subtract,
        scrypt,
        subtract,
        x25519,
        x25519_public,
    )

from pbem.protocol.crypto.primitives.hashing import hmac_sha256, sha256, sha512

__all__ = [
    "add",
    "aes256_cbc_decrypt",
    "aes256_ctr",
    "aes256_gcm_decrypt",
    "bcrypt_pbkdf",
    "chacha20poly1305_decrypt",
    "chacha20poly1305_encrypt",
    "ed25519_public",
    "ed25519_sign",
    "ed25519_verify",
    "from_uniform",
    "hkdf_sha256",
    "hmac_sha256",
    "is_point",
    "multiply",
    "multiply_base",
    "scalar_add",
    "scalar_multiply",
    "scalar_reduce",
    "scalar_subtract",
    "scrypt",
    "sha256",
    "sha512",
    "subtract",
    "x25519",
    "x25519_public",
]
