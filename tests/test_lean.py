"""Entries made short: exact text or a refusal, and a length that what is hidden has no part in."""

from __future__ import annotations

import base64
import contextlib
import random
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import MalformedError
from pbem.protocol.deck.wire import LINE
from pbem.protocol.papers.body_checks import pack_box
from pbem.transport.bundle import pack
from pbem.transport.lean import restore, shorten


def entry(rng: random.Random, deck: int, box: int) -> bytes:
    """An entry whose opaque fields are random; `deck` and `box` are the bytes of a message and of a box."""
    game, link, data = (rng.randbytes(n) for n in (32, 32, deck))
    lines = [base64.b64encode(data[i : i + LINE]).decode() for i in range(0, deck, LINE)]
    sealed = "\n".join(f'        "{line}",' for line in pack_box(rng.randbytes(box)))
    signature = base64.b64encode(rng.randbytes(180)).decode().rstrip("=")
    armoured = "\n".join(signature[i : i + 70] for i in range(0, len(signature), 70))
    listed = "\n".join(f'    "{line}",' for line in lines)
    text = (
        f'v = 2\ngame = "{game.hex()}"\nhead = "{game.hex()}"\nseat = "han"\n\n[body]\n'
        f"box = [\n{sealed}\n]\ndeck = [\n{listed}\n]\n"
        f'link = "{link.hex()}"\norders = """\nmove fankuai 2 from hanzhong to luoyang\n"""\n\n'
        f'[signature]\nsshsig = """\n-----BEGIN SSH SIGNATURE-----\n{armoured}\n'
        '-----END SSH SIGNATURE-----\n"""\n'
    )
    return text.encode()


@pytest.mark.parametrize(("deck", "box"), [(103, 160), (2055, 288), (55, 544), (109, 161), (110, 162)])
def test_what_is_hidden_changes_no_length(deck: int, box: int) -> None:
    """Every length of the last line of base64 occurs; deflated as they are, the entries would differ."""
    rng = random.Random(deck)
    entries = [entry(rng, deck, box) for _ in range(40)]
    assert len({len(zlib.compress(one, 9)) for one in entries}) > 1
    assert len({len(shorten(one)) for one in entries}) == 1
    assert len({len(pack([one, one, entries[0]])) for one in entries[1:]}) == 1


def test_what_comes_again_is_sent_once() -> None:
    one, other = (entry(random.Random(n), 103, 160) for n in (1, 2))
    assert len(shorten(one + one)) < len(shorten(one)) + 60 < len(shorten(one + other))


def test_shorter_than_deflated() -> None:
    one = entry(random.Random(3), 400, 160)
    assert len(shorten(one)) < 0.95 * len(zlib.compress(one, 9))


_RUNS = st.text("0123456789abcdef", max_size=80) | st.text("AZaz09+/=", max_size=90)
_GAPS = st.sampled_from(["\n", '",\n    "', '"', " ", "=", "川越", ";", "12;"])


@settings(max_examples=400)
@given(st.lists(_RUNS | _GAPS, max_size=30))
def test_any_text_comes_back(pieces: list[str]) -> None:
    text = "".join(pieces).encode()
    assert restore(shorten(text), len(text)) == text


@settings(max_examples=400)
@given(st.binary(max_size=200), st.integers(0, 400))
def test_anything_else_is_refused_and_never_longer_than_announced(raw: bytes, length: int) -> None:
    for short in (raw, zlib.compress(raw), zlib.compress(b"\x0132;\x033;" + raw) + raw):
        with contextlib.suppress(MalformedError):
            assert len(restore(short, length)) == length


@pytest.mark.parametrize(
    ("legible", "fields", "length", "why"),
    [
        (b"\x030;", b"", 4, "before it comes"),
        (b"\x018;\x031;", bytes(8), 32, "before it comes"),
        (b"\x018;", bytes(7), 16, "less than it announces"),
        (b"\x0210;", bytes(7), 10, "less than it announces"),
        (b"\x018;", bytes(9), 16, "after its deflated part"),
        (b"\x018;", bytes(8), 15, "more than it announces"),
        (b"\x018;", bytes(8), 17, "less than it announces"),
        (b"\x0199999;" + b"\x030;" * 100_000, bytes(99_999), 200_000, "more than it announces"),
        (bytes(1_000_000), b"", 1000, "more than it announces"),
    ],
)
def test_each_lie_has_its_own_words(legible: bytes, fields: bytes, length: int, why: str) -> None:
    with pytest.raises(MalformedError, match=why):
        restore(zlib.compress(legible) + fields, length)
