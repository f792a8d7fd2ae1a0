"""Keys that are loaded, refused by name, derived from; public keys that one may not trust."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from pathlib import Path

import cryptography_vectors
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from nacl.bindings import crypto_core_ed25519_add

from pbem.errors import MalformedError, UsageError, VerificationError
from pbem.protocol.crypto.canonical import encode
from pbem.protocol.crypto.keys import (
    SigningKey,
    answering_key,
    box_private,
    box_public,
    check_box_public,
    check_public,
    dump_private,
    hkdf,
    load_private,
    new_private,
    parse_public_line,
)

SEED = bytes(range(32))
KEY = SigningKey.from_seed(SEED)


def openssh_file(name: str) -> bytes:
    with cryptography_vectors.open_vector_file(os.path.join("asymmetric", "OpenSSH", name), "rb") as file:
        return bytes(file.read())


def key_file_body(raw: bytes) -> bytes:
    return base64.b64decode(b"".join(raw.splitlines()[1:-1]))


def ssh_keygen(*arguments: str | Path) -> str:
    program = shutil.which("ssh-keygen")
    assert program, "ssh-keygen is not there: install openssh-client, which pbem expects on the machine"
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


# --- private keys --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ed25519-nopsw.key", "ed25519-psw.key", "ed25519-aesgcm-psw.key"])
def test_a_key_file_of_ssh_keygen_is_loaded(name: str) -> None:
    key = load_private(openssh_file(name), lambda: b"password")
    assert key.public == parse_public_line(openssh_file(name + ".pub").decode())


def test_the_passphrase_is_asked_only_when_there_is_one() -> None:
    load_private(openssh_file("ed25519-nopsw.key"), lambda: pytest.fail("asked"))


PRIVATE_REFUSALS = [
    ("rsa-nopsw.key", "this is an RSA key"),
    ("rsa-psw.key", "this is an RSA key"),
    ("dsa-nopsw.key", "this is a DSA key"),
    ("ecdsa-psw.key", "this is an ECDSA key"),
    ("sk-ed25519-nopsw.key", r"this is a hardware key \(sk-ssh-ed25519\)"),
    ("sk-ecdsa-psw.key", r"this is a hardware key \(sk-ecdsa\)"),
    ("ed25519-nopsw.key.pub", "this is a public key; pbem needs the private key file"),
    ("ed25519-nopsw.key-cert.pub", "this is a certificate"),
    ("rsa-nopsw.key.pub", "this is an RSA key"),
    ("sk-ed25519-nopsw.key.pub", "this is a hardware key"),
]


@pytest.mark.parametrize(("name", "reason"), PRIVATE_REFUSALS)
def test_other_keys_are_refused_by_name_and_without_asking_for_a_passphrase(name: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as caught:
        load_private(openssh_file(name), lambda: pytest.fail("asked"))
    assert "pbem key new" in str(caught.value.hint)


def test_an_agents_public_key_says_that_an_agent_is_not_enough() -> None:
    with pytest.raises(UsageError) as caught:
        load_private(KEY.public_line().encode(), None)
    assert "agent" in str(caught.value.hint)


DAMAGED = dump_private(KEY, None)
OTHER_FILES = [
    (b"", "not an OpenSSH private key file"),
    (b"\xff\xfe\x00", "not an OpenSSH private key file"),
    (b"-----BEGIN RSA PRIVATE KEY-----\nMIIE\n", "an RSA key"),
    (b"-----BEGIN DSA PRIVATE KEY-----\nMIIE\n", "a DSA key"),
    (b"-----BEGIN EC PRIVATE KEY-----\nMIIE\n", "an ECDSA key"),
    (b"-----BEGIN PRIVATE KEY-----\nMC4C\n", "a PKCS#8 file"),
    (b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGb\n", "a PKCS#8 file"),
    (b"PuTTY-User-Key-File-3: ssh-ed25519\n", "a PuTTY key file"),
    (DAMAGED[:200], "damaged"),
    (DAMAGED.replace(b"\n", b"\nAAAA", 1), "damaged"),
    (DAMAGED[:120] + b"AAAAAAAA" + DAMAGED[128:], "damaged"),
    (b"-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----\n", "damaged"),
]


@pytest.mark.parametrize(("raw", "reason"), OTHER_FILES)
def test_other_files_are_refused_by_name(raw: bytes, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        load_private(raw, None)


def test_an_unknown_type_of_key_is_refused() -> None:
    raw = dump_private(KEY, None)
    first, *_, last = raw.splitlines()
    changed = base64.b64encode(key_file_body(raw).replace(b"ssh-ed25519", b"ssh-ed25520"))
    with pytest.raises(UsageError, match="unknown type"):
        load_private(b"\n".join([first, changed, last]), None)


@pytest.mark.parametrize("name", ["ed25519-psw.key", "ed25519-aesgcm-psw.key"])
def test_a_missing_and_a_wrong_passphrase_are_told_apart(name: str) -> None:
    with pytest.raises(UsageError, match="encrypted and there is no passphrase"):
        load_private(openssh_file(name), None)
    for wrong in (b"Password", b""):
        with pytest.raises(UsageError, match="the passphrase is wrong"):
            load_private(openssh_file(name), lambda wrong=wrong: wrong)


@pytest.mark.parametrize("passphrase", [None, b"correct horse"])
def test_a_written_key_reads_back(passphrase: bytes | None) -> None:
    raw = dump_private(KEY, passphrase)
    assert load_private(raw, lambda: passphrase or b"") == KEY
    assert (SEED in key_file_body(raw)) == (passphrase is None)


def test_ssh_keygen_reads_our_files_and_we_read_its(tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    ours.write_bytes(dump_private(KEY, b"pass"))
    ours.chmod(0o600)
    assert ssh_keygen("-y", "-P", "pass", "-f", ours).split()[:2] == KEY.public_line().split()[:2]
    public = tmp_path / "ours.pub"
    public.write_text(KEY.public_line() + "\n")
    assert KEY.fingerprint in ssh_keygen("-l", "-f", public)

    theirs = tmp_path / "theirs"
    ssh_keygen("-q", "-t", "ed25519", "-N", "secret", "-C", "a b c", "-f", theirs)
    key = load_private(theirs.read_bytes(), lambda: b"secret")
    assert parse_public_line((tmp_path / "theirs.pub").read_text()) == key.public


def test_the_private_half_shows_nowhere() -> None:
    for text in (repr(KEY), str(KEY), f"{KEY!r} {[KEY]}", KEY.public_line()):
        assert SEED.hex() not in text
        assert repr(SEED)[2:-1] not in text
    assert repr(KEY) == f"SigningKey({KEY.fingerprint})"
    with pytest.raises(AttributeError):
        KEY.public = b""  # type: ignore[misc]


# --- what is derived -----------------------------------------------------------------------------


def test_derived_secrets_are_hkdf_of_the_seed_and_name_their_use() -> None:
    assert KEY.derive("secret", "table", "red", b"r") == hkdf(SEED, encode("secret", "table", "red", b"r"))
    derived = [
        KEY.derive("secret", "table", "red", b"r"),
        KEY.derive("secret", "table", "red", b"q"),
        KEY.derive("secret", "tabl", "ered", b"r"),
        KEY.derive("other", "table", "red", b"r"),
        new_private().derive("secret", "table", "red", b"r"),
        SEED,
    ]
    assert len({*derived}) == 6
    assert {len(secret) for secret in derived} == {32}


def test_the_answering_key_is_one_per_table_and_seat_and_not_the_deciding_one() -> None:
    derived = [
        answering_key(KEY, "t", "red"),
        answering_key(KEY, "t", "blue"),
        answering_key(KEY, "u", "red"),
    ]
    assert len({key.public for key in [KEY, *derived]}) == 4
    assert answering_key(SigningKey.from_seed(SEED), "t", "red") == derived[0]
    for key in derived:
        check_public(key.public)


# --- public keys ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "not the line of a public key"),
        ("ssh-ed25519", "not the line of a public key"),
        ("hello AAAA", "not the line of a public key"),
        (KEY.public_line() + "\n" + KEY.public_line(), "not the line of a public key"),
        ("ssh-rsa AAAA x", "an RSA key"),
        ("ecdsa-sha2-nistp256 AAAA x", "an ECDSA key"),
        ("sk-ssh-ed25519@openssh.com AAAA x", "a hardware key"),
        ("ssh-ed25519 A*AA x", "not base64"),
        ("ssh-ed25519 ÄÄÄÄ x", "not base64"),
        ("ssh-ed25519 AAAA x", "cut or damaged"),
        (KEY.public_line()[:-10], "not base64|cut or damaged"),
        ("ssh-ed25519 " + KEY.public_line().split()[1] + "AAAA x", "cut or damaged"),
    ],
)
def test_a_public_line_is_read_whole_or_refused(line: str, reason: str) -> None:
    with pytest.raises(MalformedError, match=reason):
        parse_public_line(line)


def test_a_public_line_reads_back_whatever_its_comment() -> None:
    words = KEY.public_line().split()
    for line in (KEY.public_line(), " ".join(words[:2]), KEY.public_line() + " more words\n"):
        assert parse_public_line(line) == KEY.public


TOP = "ff" * 30
ORDER_8 = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc"
OTHER_ORDER_8 = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03"
SMALL_ORDER = [
    "01" + "00" * 31,
    "ec" + TOP + "7f",
    "00" * 32,
    "00" * 31 + "80",
    ORDER_8 + "05",
    ORDER_8 + "85",
    OTHER_ORDER_8 + "7a",
    OTHER_ORDER_8 + "fa",
]
NON_CANONICAL = [
    "01" + "00" * 30 + "80",
    "ec" + TOP + "ff",
    "ee" + TOP + "7f",
    "ee" + TOP + "ff",
    "ed" + TOP + "7f",
    "ed" + TOP + "ff",
    "f0" + TOP + "7f",
    "ff" + TOP + "7f",
]


@pytest.mark.parametrize("encoded", SMALL_ORDER)
def test_all_eight_small_order_points_are_refused(encoded: str) -> None:
    with pytest.raises(VerificationError, match="of small order"):
        check_public(bytes.fromhex(encoded))


@pytest.mark.parametrize("encoded", NON_CANONICAL)
def test_their_second_encodings_and_others_are_refused(encoded: str) -> None:
    with pytest.raises(VerificationError, match="not in its canonical encoding"):
        check_public(bytes.fromhex(encoded))


def test_the_attack_on_a_small_order_key_works_where_it_is_not_refused() -> None:
    identity, anything = bytes.fromhex(SMALL_ORDER[0]), identity_signature()
    library = Ed25519PublicKey.from_public_bytes(identity)
    library.verify(anything, b"I resign")
    library.verify(anything, b"I attack")
    with pytest.raises(VerificationError, match="one signature would fit all messages"):
        check_public(identity)


def identity_signature() -> bytes:
    """R is the neutral point and S is zero: fits every message under the neutral key."""
    return b"\1" + bytes(31) + bytes(32)


@pytest.mark.parametrize("small", SMALL_ORDER[1:])
def test_a_point_with_a_small_order_part_is_refused(small: str) -> None:
    mixed = crypto_core_ed25519_add(KEY.public, bytes.fromhex(small))
    with pytest.raises(VerificationError, match="not of prime order"):
        check_public(mixed)


def test_a_point_off_the_curve_and_a_wrong_length_are_refused() -> None:
    with pytest.raises(VerificationError, match="not a point on the curve"):
        check_public(b"\2" + bytes(31))
    for length in (0, 31, 33):
        with pytest.raises(VerificationError, match=f"has {length} bytes instead of 32"):
            check_public(bytes(length))


def test_honest_keys_pass() -> None:
    for n in range(50):
        check_public(SigningKey.from_seed(bytes([n]) * 32).public)


# --- box keys ------------------------------------------------------------------------------------

LOW_ORDER_X25519 = [
    "00" * 32,
    "01" + "00" * 31,
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ec" + TOP + "7f",
    "ed" + TOP + "7f",
    "ee" + TOP + "7f",
]


@pytest.mark.parametrize("encoded", LOW_ORDER_X25519)
def test_box_keys_of_low_order_are_refused(encoded: str) -> None:
    with pytest.raises(VerificationError, match="anybody could read the box"):
        check_box_public(bytes.fromhex(encoded))


def test_box_keys_are_derived_and_32_bytes_long() -> None:
    public = box_public(box_private(SEED))
    check_box_public(public)
    assert public == box_public(box_private(SEED)) != box_public(box_private(bytes(32)))
    with pytest.raises(VerificationError, match="33 bytes instead of 32"):
        check_box_public(public + b"\0")
    with pytest.raises(ValueError, match="32 bytes"):
        box_private(b"short")
