"""Commitments and boxes: same bytes on every device, one reader, one key, nothing told by length."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import VerificationError
from pbem.protocol.crypto import sealing
from pbem.protocol.crypto.canonical import digest
from pbem.protocol.crypto.keys import box_private, box_public
from pbem.protocol.crypto.sealing import (
    box_for_self,
    commitment,
    nonce,
    open_own_box,
    open_with_shared,
    seal_to,
    shared_key,
    unseal,
)

SECRET = bytes(range(32))
ENTROPY = b"e" * 32
GAME = b"G" * 32
READER = box_private(b"r" * 32)
READER_PUBLIC = box_public(READER)
CONTEXT = ("game", "red", "blue", "slot 3")


# --- commitments ---------------------------------------------------------------------------------


def test_a_commitment_is_the_digest_the_protocol_names() -> None:
    once = nonce(SECRET, GAME, "deck 1 slot 3", "ace")
    assert commitment(GAME, "red", "deck 1 slot 3", b"ace", once) == digest(
        "commit", GAME, "red", "deck 1 slot 3", b"ace", once
    )


def test_a_commitment_binds_everything_it_names() -> None:
    once, other = nonce(SECRET, GAME, "a", "ace"), nonce(SECRET, GAME, "b", "ace")
    made = {
        commitment(GAME, "red", "a", b"ace", once),
        commitment(b"H" * 32, "red", "a", b"ace", once),
        commitment(GAME, "blue", "a", b"ace", once),
        commitment(GAME, "red", "b", b"ace", once),
        commitment(GAME, "red", "a", b"king", once),
        commitment(GAME, "red", "a", b"ace", other),
        commitment(GAME, "red", "aa", b"ce", once),
    }
    assert len(made) == 7


def test_nonces_are_32_bytes_of_their_own_for_each_place_game_and_secret() -> None:
    made = {
        nonce(SECRET, GAME, "a", "ace"),
        nonce(SECRET, GAME, "b", "ace"),
        nonce(SECRET, b"H", "a", "ace"),
        nonce(ENTROPY, GAME, "a", "ace"),
    }
    assert len(made) == 4
    assert {len(once) for once in made} == {32}


@pytest.mark.parametrize("length", [0, 31, 33])
def test_an_opening_with_a_nonce_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(VerificationError, match=f"has {length} bytes instead of 32"):
        commitment(GAME, "red", "a", b"ace", bytes(length))


# --- boxes for oneself ---------------------------------------------------------------------------


@given(st.binary(max_size=300))
def test_an_own_box_opens_on_every_device_to_what_was_put_in(plaintext: bytes) -> None:
    box = box_for_self(SECRET, GAME, "red", "tail 7", plaintext)
    assert box == box_for_self(bytes(range(32)), GAME, "red", "tail 7", plaintext)
    assert open_own_box(SECRET, GAME, "red", "tail 7", box) == plaintext


def test_the_length_of_a_box_tells_only_how_many_blocks() -> None:
    own = {len(box_for_self(SECRET, GAME, "red", "p", b"x" * n)) for n in range(128)}
    sent = {len(seal_to(READER_PUBLIC, CONTEXT, b"x" * n, ENTROPY)) for n in range(128)}
    assert len(own) == len(sent) == 1
    assert len(box_for_self(SECRET, GAME, "red", "p", b"x" * 128)) == own.pop() + 128


def test_two_plaintexts_at_one_place_share_no_keystream() -> None:
    """With a fixed nonce, the xor of two boxes would be the xor of what is in them."""
    one, two = b"attack the castle", b"hold the position"
    difference = bytes(a ^ b for a, b in zip(one, two, strict=True))
    key = b"k" * 32
    naive = [ChaCha20Poly1305(key).encrypt(bytes(12), text, None) for text in (one, two)]
    own = [box_for_self(SECRET, GAME, "red", "p", text)[16:] for text in (one, two)]
    sent = [seal_to(READER_PUBLIC, CONTEXT, text, ENTROPY)[64:] for text in (one, two)]

    def xor(boxes: list[bytes]) -> bytes:
        return bytes(a ^ b for a, b in zip(boxes[0], boxes[1], strict=True))[: len(difference)]

    assert xor(naive) == difference
    assert xor(own) != difference
    assert xor(sent) != difference


@pytest.mark.parametrize(
    "place",
    [
        (ENTROPY, GAME, "red", "p"),
        (SECRET, b"H" * 32, "red", "p"),
        (SECRET, GAME, "blue", "p"),
        (SECRET, GAME, "red", "q"),
    ],
)
def test_an_own_box_opens_nowhere_else(place: tuple[bytes, bytes, str, str]) -> None:
    box = box_for_self(SECRET, GAME, "red", "p", b"ace")
    with pytest.raises(VerificationError, match="does not open"):
        open_own_box(*place, box)


def test_a_changed_or_cut_own_box_does_not_open() -> None:
    box = box_for_self(SECRET, GAME, "red", "p", b"ace")
    for at in range(len(box)):
        with pytest.raises(VerificationError):
            open_own_box(SECRET, GAME, "red", "p", box[:at] + bytes([box[at] ^ 1]) + box[at + 1 :])
    for end in (0, 5, 16, 20, len(box) - 1):
        with pytest.raises(VerificationError):
            open_own_box(SECRET, GAME, "red", "p", box[:end])


# --- boxes for another seat ----------------------------------------------------------------------


@given(st.binary(max_size=300))
def test_a_sealed_box_opens_for_its_reader_and_is_the_same_on_every_device(plaintext: bytes) -> None:
    box = seal_to(READER_PUBLIC, CONTEXT, plaintext, ENTROPY)
    assert box == seal_to(READER_PUBLIC, CONTEXT, plaintext, b"e" * 32)
    assert unseal(READER, CONTEXT, box) == plaintext


def test_nobody_else_opens_it_and_nowhere_else() -> None:
    box = seal_to(READER_PUBLIC, CONTEXT, b"ace", ENTROPY)
    with pytest.raises(VerificationError, match="another key, or for another place"):
        unseal(box_private(b"q" * 32), CONTEXT, box)
    for context in ((), CONTEXT[:3], (*CONTEXT[:3], "slot 4"), ("gamer", "ed", "blue", "slot 3")):
        with pytest.raises(VerificationError, match="another key, or for another place"):
            unseal(READER, context, box)


def test_a_changed_or_cut_sealed_box_does_not_open() -> None:
    box = seal_to(READER_PUBLIC, CONTEXT, b"ace", ENTROPY)
    for at in range(len(box)):
        with pytest.raises(VerificationError):
            unseal(READER, CONTEXT, box[:at] + bytes([box[at] ^ 1]) + box[at + 1 :])
    for end in (0, 31, 32, 64, 70, len(box) - 1):
        with pytest.raises(VerificationError):
            unseal(READER, CONTEXT, box[:end])


def test_a_complaint_opens_this_box_for_everybody_and_no_other() -> None:
    box = seal_to(READER_PUBLIC, CONTEXT, b"ace", ENTROPY)
    disclosed = shared_key(READER, box, CONTEXT)
    assert open_with_shared(disclosed, CONTEXT, box) == b"ace"
    for context, plaintext in ((CONTEXT, b"king"), ((*CONTEXT[:3], "slot 4"), b"ace")):
        with pytest.raises(VerificationError, match="another key"):
            open_with_shared(disclosed, context, seal_to(READER_PUBLIC, context, plaintext, ENTROPY))
    with pytest.raises(VerificationError, match="another key"):
        open_with_shared(disclosed, (*CONTEXT[:3], "slot 4"), box)
    for wrong in (b"", bytes(32), disclosed + b"\0"):
        with pytest.raises(VerificationError, match="another key"):
            open_with_shared(wrong, CONTEXT, box)


def test_a_ciphertext_planted_under_a_second_key_is_refused() -> None:
    """Whoever names another key must change the commitment, and so the signed box."""
    box = seal_to(READER_PUBLIC, CONTEXT, b"ace", ENTROPY)
    second = b"2" * 32
    planted = ChaCha20Poly1305(second).encrypt(bytes(12), b"king\x80" + bytes(123), None)
    with pytest.raises(VerificationError, match="another key"):
        open_with_shared(second, CONTEXT, box[:64] + planted)


@pytest.mark.parametrize("public", [bytes(32), b"\1" + bytes(31)])
def test_keys_of_low_order_are_refused_on_both_sides(public: bytes) -> None:
    with pytest.raises(VerificationError, match="low order"):
        seal_to(public, CONTEXT, b"ace", ENTROPY)
    with pytest.raises(VerificationError, match="low order"):
        unseal(READER, CONTEXT, public + bytes(200))


def test_a_box_needs_a_whole_secret() -> None:
    with pytest.raises(ValueError, match="32 bytes of entropy"):
        seal_to(READER_PUBLIC, CONTEXT, b"ace", b"short")


@pytest.mark.parametrize(
    "padded", [b"", bytes(128), b"ace\x80" + bytes(123), b"ace\x80" + bytes(60), b"x" * 128]
)
def test_a_box_padded_in_another_way_is_refused(monkeypatch: pytest.MonkeyPatch, padded: bytes) -> None:
    monkeypatch.setattr(sealing, "_pad", lambda plaintext: padded)
    box = seal_to(READER_PUBLIC, CONTEXT, b"", ENTROPY)
    monkeypatch.undo()
    with pytest.raises(VerificationError, match="not padded as it must be"):
        unseal(READER, CONTEXT, box)
