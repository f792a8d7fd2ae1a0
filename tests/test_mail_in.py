"""Entries are found in whatever arrives, exactly, or their loss is named; strangers' mail is left alone."""

from __future__ import annotations

import base64
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.transport.bundle import armour, pack
from pbem.transport.mail_in import MAX_MESSAGE, Found, find
from tests.maildamage import DAMAGES, LABEL, Letter
from tests.mailentries import entry, verifies

ENTRIES = [entry(n) for n in range(200)]


def letter(raw: bytes, form: str) -> Letter:
    """As `pbem` sends it; as pasted into webmail; with the attachment only; or with a bare entry file."""
    text = LABEL + "\n" + armour(pack([raw]))
    if form == "both":
        return Letter(text, pack([raw]))
    if form == "block":
        return Letter(text, None)
    if form == "attachment":
        return Letter(LABEL, pack([raw]))
    return Letter(LABEL, raw, "000037-a.toml")


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("form", ["both", "block"])
def test_200_entries_through_each_damage_with_a_block(damage: str, form: str) -> None:
    """A block survives everything but truncation, and truncation is named."""
    rng = random.Random(f"{damage} {form}")
    for raw in ENTRIES:
        found = find(DAMAGES[damage](letter(raw, form), rng))
        if damage != "truncated" or found.entries:
            assert found == Found((raw,))
        else:
            assert found.problems


FILE_IS_LOST = {"HTML-only", "forwarded"}  # the damage itself drops the attachment, always or at times
FILE_IS_CHANGED = {"footer added", "truncated"}
START = base64.b64encode(b"PBEM-BUNDLE ")


@pytest.mark.parametrize("damage", DAMAGES)
def test_200_entries_through_each_damage_attachment_only(damage: str) -> None:
    rng = random.Random(damage)
    exact = 0
    for raw in ENTRIES:
        arrived = DAMAGES[damage](letter(raw, "attachment"), rng)
        found = find(arrived)
        assert found.entries in ((), (raw,))
        if damage not in FILE_IS_LOST | FILE_IS_CHANGED:
            assert found == Found((raw,))
        elif START in arrived:
            assert found.entries or found.problems
        exact += found.entries == (raw,)
    assert exact > 0 or damage in ("HTML-only", "truncated")


@pytest.mark.parametrize("damage", DAMAGES)
def test_200_bare_entries_through_each_damage(damage: str) -> None:
    """A bare entry has no checksum but its signature: what is found is exact, or does not verify."""
    rng = random.Random(damage)
    seen = Counter[str]()
    for raw in ENTRIES:
        found = find(DAMAGES[damage](letter(raw, "bare"), rng))
        for one in found.entries:
            assert one == raw or not verifies(one)
        seen["exact"] += found.entries == (raw,)
        seen["named"] += bool(found.problems)
        seen["changed"] += found.entries not in ((), (raw,))
    if damage == "truncated":
        assert seen["changed"] == 0 and seen["named"] > 190
    elif damage == "charset changed":
        assert seen["exact"] > 80 and seen["named"] > 40
    elif damage not in FILE_IS_LOST | FILE_IS_CHANGED:
        assert seen["exact"] == 200


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_files_alone(ends: bytes) -> None:
    raw = ENTRIES[5]
    assert verifies(raw)
    assert find(pack([raw])) == Found((raw,))
    assert find(raw.replace(b"\n", ends)) == Found((raw,))
    assert find(raw.replace(b"\n", ends) + ends * 2) == Found((raw,))
    assert find(armour(pack([raw])).encode().replace(b"\n", ends)) == Found((raw,))
    assert find(letter(raw, "both").raw().replace(b"\n", ends)) == Found((raw,))


def test_several_entries_in_order_and_each_once() -> None:
    a, b, c, d = ENTRIES[:4]
    inner = Letter(LABEL + armour(pack([b, c])), pack([c, a])).raw()
    outer = Letter(LABEL + armour(pack([a, b])), inner, "old.eml").raw()
    assert find(outer).entries == (a, b, c)
    piped = letter(a, "both").raw() + b"\n" + letter(d, "both").raw()
    assert find(piped).entries == (a, d)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"Subject: lunch\n\nAt noon? v = 2 is the file.\n",
        b"Subject: x\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n"
        + base64.b64encode(bytes(9000)),
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40,
        Letter("PBEM ist ein Spiel\n", b"%PDF-1.4 ...", "a.pdf").raw(),
        b"Subject: big\n\n" + b"holiday " * 400_000,
        b"-----BEGIN PGP MESSAGE-----\nabc\n-----END PGP MESSAGE-----\n",
    ],
)
def test_a_message_with_none_is_left_alone(raw: bytes) -> None:
    assert find(raw) == Found()


def problem(raw: bytes) -> str:
    found = find(raw)
    assert found.entries == ()
    (only,) = found.problems
    return only.message


def test_what_is_lost_is_named() -> None:
    raw = ENTRIES[0]
    cut = pack([raw])[:-5]
    assert "bundle is cut short" in problem(cut)
    assert "bundle is cut short" in problem(Letter(LABEL, cut).raw())
    assert "has no checksum" in problem(letter(raw, "block").raw()[:400])
    assert "bare within other text" in problem(b"Subject: x\n\n> " + raw.replace(b"\n", b"\n> "))
    assert "byte order mark" in problem(b"\xef\xbb\xbf" + raw)
    assert "does not start with the line v = 2" in problem(raw.replace(b"v = 2", b"v = 3", 1))
    assert "larger than 2 MiB" in problem(Letter("see k.pbem " + "x" * MAX_MESSAGE, None).raw())


def test_damage_to_one_copy_is_not_worth_a_word_if_the_other_is_whole() -> None:
    raw = ENTRIES[0]
    bundle, block = pack([raw]), armour(pack([raw]))
    assert find(Letter(block, bundle[:-5]).raw()) == Found((raw,))
    assert find(Letter(block[:300], bundle).raw()) == Found((raw,))
    assert find(Letter(block.replace("\n#", "\nAAAA#"), bundle).raw()) == Found((raw,))
    other = find(Letter(armour(pack([ENTRIES[1]]))[:300], bundle).raw())
    assert other.entries == (raw,)
    assert len(other.problems) == 1


def test_nothing_of_the_mail_is_repeated_in_a_problem() -> None:
    secret = "geheim-4711"
    raw = Letter(
        f"{secret}\n-----BEGIN PBEM-----\n{secret}\n-----END PBEM-----", secret.encode(), secret
    ).raw()
    for one in find(raw).problems:
        assert secret not in one.message + str(one.hint)


def test_odd_structures() -> None:
    raw = ENTRIES[0]
    whole = letter(raw, "attachment").raw()
    assert find(whole.replace(b"--=_limit--", b"")) == Found((raw,))
    assert find(whole.replace(b'"=_limit"', b"=_limit ; x=y")) == Found((raw,))
    assert find(whole.replace(b'; boundary="=_limit"', b';\n\tBoundary = "=_limit"')) == Found((raw,))
    assert find(whole.replace(b"Transfer-Encoding: base64", b"Transfer-Encoding: BASE64 (x)")) == Found(
        (raw,)
    )
    assert find(whole.replace(b"Content-Transfer-Encoding: base64\n", b"")) == Found((raw,))
    assert find(b"\n\n" + whole) == Found((raw,))
    assert find(b"From a@example.org Mon Jan  1 00:00:00 2024\n" + whole) == Found((raw,))
    assert find(letter(raw, "both").raw().replace(b"boundary", b"border")) == Found((raw,))
    nested = whole
    for _ in range(5):
        nested = b"MIME-Version: 1.0\nContent-Type: message/rfc822\n\n" + nested
    assert find(nested) == Found((raw,))


def test_depth_and_number_of_parts_are_limited_and_said() -> None:
    whole = letter(ENTRIES[0], "attachment").raw()
    deep = b"Content-Type: message/rfc822\n\n" * 30 + whole
    assert "deep" in problem(deep)
    many = whole.replace(b"\n--=_limit\n", b"\n--=_limit\n\nx" * 300 + b"\n--=_limit\n", 1)
    assert "over 200 parts" in problem(many)


HOSTILE = {
    "boundaries": (b"Content-Type: multipart/digest; boundary=b\n\n", b"--b\n\n"),
    "long parameter": (b'Content-Type: multipart/mixed; a="', b";\n "),
    "headers": (b"Subject: x\n", b"a:\n"),
    "messages in messages": (b"", b"Content-Type: message/rfc822\n\n"),
    "markers": (b"", b"-----BEGIN PBEM-----\n"),
    "comments": (b"<br>-----BEGIN PBEM-----\n", b"<!--"),
    "tags": (b"<br>-----BEGIN PBEM-----\n", b"<a "),
    "references": (b"-----BEGIN PBEM-----\n", b"&a"),
    "endless reference": (b"-----BEGIN PBEM-----\n&#", b"9"),
    "checksums": (b"-----BEGIN PBEM-----\n", b"#" + b"0" * 63),
    "dashes": (b"", b"-"),
    "index": (b"PBEM-BUNDLE 1 999 lean 99999\n", b"1 " + b"0" * 64 + b"\n"),
    "zeros": (b"", b"\0"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_two_megabytes_of_malice_are_read_and_yield_nothing(name: str) -> None:
    """A quadratic step anywhere would take minutes here."""
    start, unit = HOSTILE[name]
    assert find(start + unit * (MAX_MESSAGE // len(unit))).entries == ()


SAMPLES = [letter(ENTRIES[n], form).raw() for n, form in enumerate(["both", "block", "attachment", "bare"])]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_find_never_raises_and_never_invents(data: st.DataObject) -> None:
    """Random bytes, and real mail with random pieces cut, doubled and overwritten."""
    raw = data.draw(st.sampled_from([b"", *SAMPLES]))
    for _ in range(data.draw(st.integers(0, 5))):
        at = data.draw(st.integers(0, len(raw)))
        end = data.draw(st.integers(at, min(len(raw), at + 300)))
        middle = data.draw(
            st.one_of(st.binary(max_size=60), st.just(raw[at:end] * 2), st.sampled_from(PIECES))
        )
        raw = raw[:at] + middle + raw[end:]
    for one in find(raw).entries:
        assert one in ENTRIES or not verifies(one)


PIECES = [
    b"\nContent-Type: multipart/mixed; boundary=b\n\n--b\n",
    b"\nContent-Transfer-Encoding: base64\n\n",
    b"-----BEGIN PBEM-----",
    b"-----END PBEM-----",
    b"PBEM-BUNDLE 1 1 lean 10\n",
    b"v = 2\n",
    b"\n[signature]\n",
    b"&#x10FFFF;&#55296;&#9999999;<!--<![CDATA[",
    "\ud800".encode("utf-8", "surrogatepass"),
    ENTRIES[9],
]
