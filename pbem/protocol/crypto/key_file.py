"""A private Ed25519 key as OpenSSH keeps it in a file (OpenSSH's PROTOCOL.key).

The head says type, cipher and how the passphrase becomes a key; the rest is encrypted. A file of another
program version may use any of the three ciphers that OpenSSH has written; pbem writes the one that it writes
today.
"""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass

from pbem.errors import UsageError
from pbem.protocol.crypto import primitives
from pbem.protocol.crypto.ssh_wire import KEY_TYPE, public_blob, ssh_string, take_ssh_string

BEGIN = b"-----BEGIN OPENSSH PRIVATE KEY-----"
_END = b"-----END OPENSSH PRIVATE KEY-----"
_MAGIC = b"openssh-key-v1\0"
_ROUNDS = 16
"""How often bcrypt runs in a file that pbem writes, as ssh-keygen has it."""
_MOST_ROUNDS = 1024
"""A file that asks for more would keep the machine busy for minutes."""
_WIDTH = 70
_CIPHERS = {b"aes256-ctr": 16, b"aes256-cbc": 16, b"aes256-gcm@openssh.com": 12}
"""How long the start value of each cipher is; its key has 32 bytes."""


@dataclass(frozen=True, slots=True)
class KeyFile:
    """What a file says before anything is decrypted, and the part that may be encrypted."""

    key_type: str
    cipher: bytes
    kdf: bytes
    options: bytes
    public: bytes
    """The public key in SSH's wire format."""
    private: bytes
    """The private part and, with GCM, its tag."""

    @property
    def encrypted(self) -> bool:
        """True if a passphrase is needed."""
        return self.cipher != b"none"


def read(raw: bytes) -> KeyFile:
    """The parts of a file; ValueError or MalformedError if it is not one."""
    blob = base64.b64decode(raw[len(BEGIN) : raw.index(_END)])
    if not blob.startswith(_MAGIC):
        raise ValueError("no magic")
    cipher, rest = take_ssh_string(blob[len(_MAGIC) :])
    kdf, rest = take_ssh_string(rest)
    options, rest = take_ssh_string(rest)
    public, rest = take_ssh_string(rest[4:])
    private, tag = take_ssh_string(rest)
    key_type = take_ssh_string(public)[0].decode("ascii", "replace")
    return KeyFile(key_type, cipher, kdf, options, public, private + tag)


def seed_of(file: KeyFile, passphrase: bytes) -> bytes:
    """The private seed of an Ed25519 key; ValueError or MalformedError if passphrase or file is wrong."""
    plain = _decrypted(file, passphrase) if file.encrypted else file.private
    if plain[:4] != plain[4:8]:
        raise ValueError("the two check numbers differ")
    key_type, rest = take_ssh_string(plain[8:])
    public, rest = take_ssh_string(rest)
    both, rest = take_ssh_string(rest)
    _comment, padding = take_ssh_string(rest)
    seed = both[:32]
    if key_type != KEY_TYPE.encode() or padding != bytes(range(1, len(padding) + 1)):
        raise ValueError("not the key that the head says")
    if both != seed + public or file.public != public_blob(public):
        raise ValueError("the halves do not belong together")
    if primitives.ed25519_public(seed) != public:
        raise ValueError("the public half is another key's")
    return seed


def write(seed: bytes, passphrase: bytes | None) -> bytes:
    """The file of a key, encrypted if there is a passphrase."""
    public = primitives.ed25519_public(seed)
    check, salt = os.urandom(4), os.urandom(16)
    plain = check + check + b"".join(map(ssh_string, (KEY_TYPE.encode(), public, seed + public, b"")))
    plain += bytes(range(1, 1 + -len(plain) % 16))
    cipher, kdf, options = b"none", b"none", b""
    if passphrase:
        cipher, kdf = b"aes256-ctr", b"bcrypt"
        options = ssh_string(salt) + _ROUNDS.to_bytes(4, "big")
        key = primitives.bcrypt_pbkdf(passphrase, salt, 48, _ROUNDS)
        plain = primitives.aes256_ctr(key[:32], key[32:], plain)
    blob = _MAGIC + b"".join(map(ssh_string, (cipher, kdf, options)))
    blob += (1).to_bytes(4, "big") + ssh_string(public_blob(public)) + ssh_string(plain)
    text = base64.b64encode(blob)
    lines = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
    return b"\n".join([BEGIN, *lines, _END, b""])


def _decrypted(file: KeyFile, passphrase: bytes) -> bytes:
    salt, rest = take_ssh_string(file.options)
    rounds = int.from_bytes(rest, "big")
    if file.kdf != b"bcrypt" or file.cipher not in _CIPHERS:
        raise UsageError(
            "the key file is encrypted in a way that pbem does not know",
            "write it anew with: ssh-keygen -p -Z aes256-ctr -f FILE",
        )
    if len(rest) != 4 or not 1 <= rounds <= _MOST_ROUNDS or not salt or not passphrase:
        raise ValueError("no passphrase, or the head is damaged")
    key = primitives.bcrypt_pbkdf(passphrase, salt, 32 + _CIPHERS[file.cipher], rounds)
    if file.cipher == b"aes256-gcm@openssh.com":
        return primitives.aes256_gcm_decrypt(key[:32], key[32:], file.private)
    if file.cipher == b"aes256-cbc":
        return primitives.aes256_cbc_decrypt(key[:32], key[32:], file.private)
    return primitives.aes256_ctr(key[:32], key[32:], file.private)
