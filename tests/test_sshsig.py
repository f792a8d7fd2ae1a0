"""SSHSIG: what stock ssh-keygen signs and checks, and nothing that could be read in two ways."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pbem.errors import VerificationError
from pbem.protocol.crypto.keys import SigningKey, dump_private
from pbem.protocol.crypto.ssh_wire import public_blob, ssh_string
from pbem.protocol.crypto.sshsig import NAMESPACE, sign, verify, verify_raw

KEY = SigningKey.from_seed(bytes(range(32)))
OTHER = SigningKey.from_seed(bytes(32))
MESSAGE = "move 上杉 1213\n".encode()
GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493


# --- with stock ssh-keygen -----------------------------------------------------------------------


def ssh_keygen(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("ssh-keygen")
    assert program, "ssh-keygen is not there: install openssh-client, which pbem expects on the machine"
    return subprocess.run([program, *arguments], input=stdin, capture_output=True, check=False)


def test_ssh_keygen_signs_the_very_same_bytes(tmp_path: Path) -> None:
    file, message = tmp_path / "key", tmp_path / "message"
    file.write_bytes(dump_private(KEY, None))
    file.chmod(0o600)
    message.write_bytes(MESSAGE)
    done = ssh_keygen("-Y", "sign", "-f", file, "-n", NAMESPACE, message)
    assert done.returncode == 0, done.stderr
    theirs = (tmp_path / "message.sig").read_text()
    verify(theirs, MESSAGE, KEY.public)
    assert theirs == sign(KEY, MESSAGE)


def test_ssh_keygen_verifies_ours_and_refuses_a_changed_message(tmp_path: Path) -> None:
    signature, signers = tmp_path / "sig", tmp_path / "signers"
    signature.write_text(sign(KEY, MESSAGE))
    signers.write_text(f'red namespaces="{NAMESPACE}" {KEY.public_line()}\n')
    check = ("-Y", "verify", "-f", signers, "-I", "red", "-n", NAMESPACE, "-s", signature)
    assert ssh_keygen(*check, stdin=MESSAGE).returncode == 0
    assert ssh_keygen(*check, stdin=MESSAGE + b" ").returncode != 0


# --- our own strictness --------------------------------------------------------------------------


def test_only_this_message_key_and_use() -> None:
    armour = sign(KEY, MESSAGE)
    verify(armour, MESSAGE, KEY.public)
    with pytest.raises(VerificationError, match="does not fit the content"):
        verify(armour, MESSAGE + b" ", KEY.public)
    with pytest.raises(VerificationError, match="another key than the registered one"):
        verify(armour, MESSAGE, OTHER.public)
    with pytest.raises(VerificationError, match="another use than pbem-contract-v2"):
        verify(armour, MESSAGE, KEY.public, "pbem-contract-v2")
    verify(sign(KEY, MESSAGE, "pbem-contract-v2"), MESSAGE, KEY.public, "pbem-contract-v2")


def test_the_same_message_is_signed_with_the_same_bytes() -> None:
    assert sign(KEY, MESSAGE) == sign(SigningKey.from_seed(bytes(range(32))), MESSAGE)


def forged(
    *,
    magic: bytes = b"SSHSIG\0\0\0\1",
    key: bytes = public_blob(KEY.public),
    namespace: bytes = NAMESPACE.encode(),
    reserved: bytes = b"",
    hash_name: bytes = b"sha512",
    key_type: bytes = b"ssh-ed25519",
    after_inner: bytes = b"",
    after: bytes = b"",
    cut: int = 0,
    width: int = 70,
) -> str:
    """A signature that is right in itself, with one field other than pbem allows."""
    hashed = hashlib.new(hash_name.decode(), MESSAGE).digest()
    fields = (namespace, reserved, hash_name)
    raw = KEY.sign(b"SSHSIG" + b"".join(map(ssh_string, (*fields, hashed))))
    inner = ssh_string(key_type) + ssh_string(raw) + after_inner
    blob = magic + b"".join(map(ssh_string, (key, *fields, inner))) + after
    text = base64.b64encode(blob[: len(blob) - cut]).decode()
    lines = "".join(text[at : at + width] + "\n" for at in range(0, len(text), width))
    return f"-----BEGIN SSH SIGNATURE-----\n{lines}-----END SSH SIGNATURE-----\n"


def test_the_forger_of_these_tests_can_make_a_good_one() -> None:
    assert forged() == sign(KEY, MESSAGE)


@pytest.mark.parametrize(
    ("armour", "reason"),
    [
        (forged(reserved=b"x"), "reserved field of the signature is not empty"),
        (forged(hash_name=b"sha256"), "another hash than sha512"),
        (forged(namespace=b"file"), "another use than pbem-entry-v2"),
        (forged(namespace=b"pbem-entry-v2\0"), "another use than pbem-entry-v2"),
        (forged(after=b"\0"), "bytes left over"),
        (forged(after_inner=b"\0"), "bytes left over"),
        (forged(key=public_blob(KEY.public) + b"\0"), "another key than the registered one"),
        (forged(key=public_blob(OTHER.public)), "another key than the registered one"),
        (forged(key=ssh_string(b"ssh-rsa") + ssh_string(KEY.public)), "not made with an Ed25519 key"),
        (forged(key_type=b"sk-ssh-ed25519@openssh.com"), "not made with an Ed25519 key"),
        (forged(magic=b"SSHSIG\0\0\0\2"), "not an SSHSIG signature of version 1"),
        (forged(magic=b"SSHSIX\0\0\0\1"), "not an SSHSIG signature of version 1"),
        (forged(cut=1), "a field is cut short"),
        (forged(cut=150), "a field is cut short"),
        (forged(width=76), "not in its canonical form"),
        (sign(KEY, MESSAGE)[:-1], "does not begin and end"),
        (" " + sign(KEY, MESSAGE), "does not begin and end"),
        (sign(KEY, MESSAGE) + "\n", "does not begin and end"),
        (sign(KEY, MESSAGE).replace("\n", "\r\n"), "does not begin and end"),
        (sign(KEY, MESSAGE).replace("U1NI", "U1NI\n", 1), "not in its canonical form"),
        (sign(KEY, MESSAGE).replace("U1NI", "U1 NI", 1), "not base64"),
        (sign(KEY, MESSAGE).replace("U1NI", "Ü1NI", 1), "not base64"),
        ("-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n", "not an SSHSIG signature"),
        ("-----BEGIN SSH SIGNATURE-----\n", "does not begin and end"),
        ("", "does not begin and end"),
        ("x" * 10_000, "too long to be one"),
    ],
)
def test_a_second_form_of_a_good_signature_is_refused(armour: str, reason: str) -> None:
    with pytest.raises(VerificationError, match=reason):
        verify(armour, MESSAGE, KEY.public)


def test_unused_base64_bits_do_not_give_a_second_armour() -> None:
    """Two spellings that decode to the same bytes: only one is the signature."""
    namespace = "pbem-entry-v21"
    armour = sign(KEY, MESSAGE, namespace)
    at = armour.index("=") - 1
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    twin = armour[:at] + alphabet[alphabet.index(armour[at]) + 1] + armour[at + 1 :]
    body = [text.split("\n", 1)[1].rsplit("\n", 2)[0] for text in (armour, twin)]
    assert base64.b64decode(body[0]) == base64.b64decode(body[1])
    verify(armour, MESSAGE, KEY.public, namespace)
    with pytest.raises(VerificationError, match="not in its canonical form"):
        verify(twin, MESSAGE, KEY.public, namespace)


def test_every_flipped_bit_of_a_signature_is_noticed() -> None:
    armour = sign(KEY, MESSAGE)
    lines = armour.splitlines()
    blob = base64.b64decode("".join(lines[1:-1]))
    for at in range(len(blob)):
        changed = bytearray(blob)
        changed[at] ^= 1 << (at % 8)
        text = base64.b64encode(changed).decode()
        body = "".join(text[start : start + 70] + "\n" for start in range(0, len(text), 70))
        with pytest.raises(VerificationError):
            verify(f"{lines[0]}\n{body}{lines[-1]}\n", MESSAGE, KEY.public)


# --- the one verification path -------------------------------------------------------------------


def test_a_small_order_key_is_refused_though_the_library_takes_its_signature() -> None:
    neutral, signature = b"\1" + bytes(31), b"\1" + bytes(63)
    Ed25519PublicKey.from_public_bytes(neutral).verify(signature, MESSAGE)
    for _ in range(2):
        with pytest.raises(VerificationError, match="of small order"):
            verify_raw(neutral, signature, MESSAGE)


def test_a_second_s_is_refused() -> None:
    signature = KEY.sign(MESSAGE)
    verify_raw(KEY.public, signature, MESSAGE)
    second = int.from_bytes(signature[32:], "little") + GROUP_ORDER
    with pytest.raises(VerificationError, match="not in its canonical form"):
        verify_raw(KEY.public, signature[:32] + second.to_bytes(32, "little"), MESSAGE)
