"""The encoding under every hash: exact bytes, no two lists alike, the published HMAC vectors."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.protocol.crypto.canonical import digest, encode, keyed, lp

PARTS = st.lists(st.binary(max_size=12), max_size=6)


def test_lp_is_a_big_endian_length_and_then_the_bytes() -> None:
    assert lp(b"") == b"\0\0\0\0"
    assert lp(b"x" * 258) == b"\0\0\1\2" + b"x" * 258


def test_digest_is_sha256_of_the_exact_bytes() -> None:
    encoded = (
        b"\0\0\0\x0dpbem/v2/event"
        + b"\0\0\0\2\xff\0"
        + b"\0\0\0\3\xe5\xb7\x9d"
        + b"\0\0\0\3-12"
        + b"\0\0\0\0"
    )
    assert encode("event", b"\xff\0", "川", -12, "") == encoded
    assert digest("event", b"\xff\0", "川", -12, "") == hashlib.sha256(encoded).digest()
    assert keyed(b"k", "event", b"\xff\0", "川", -12, "") == hmac.new(b"k", encoded, hashlib.sha256).digest()


def decode(encoded: bytes) -> list[bytes]:
    parts = []
    while encoded:
        end = 4 + int.from_bytes(encoded[:4], "big")
        parts.append(encoded[4:end])
        encoded = encoded[end:]
    return parts


@given(st.text(max_size=8), PARTS)
def test_what_was_encoded_can_be_told_from_every_other_list(label: str, parts: list[bytes]) -> None:
    assert decode(encode(label, *parts)) == [b"pbem/v2/" + label.encode(), *parts]


@pytest.mark.parametrize("part", [True, 1.0, None, bytearray(b"x"), ["x"]])
def test_what_has_no_agreed_bytes_is_not_hashed(part: object) -> None:
    with pytest.raises(TypeError, match="bytes, str or int"):
        digest("x", part)  # type: ignore[arg-type]
