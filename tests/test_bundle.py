"""Bundles and armour: exact bytes or a refusal that says why."""

from __future__ import annotations

import hashlib
import html
import random
import re
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import MalformedError
from pbem.transport.bundle import (
    MAX_BLOCKS,
    MAX_ENTRIES,
    MAX_ENTRY,
    MAX_TOTAL,
    Damage,
    armour,
    blocks,
    find_armoured,
    pack,
    unpack,
)
from tests.mailentries import entry, signed

THREE = [entry(1), entry(2), entry(3)]


def bundle_of(payload: bytes, lengths: list[int], form: str, digests: list[str] | None = None) -> bytes:
    """A bundle by hand, so that any field can lie."""
    digests = digests or ["0" * 64] * len(lengths)
    index = "".join(f"{n} {d}\n" for n, d in zip(lengths, digests, strict=True))
    return f"PBEM-BUNDLE 1 {len(lengths)} {form} {len(payload)}\n{index}".encode() + payload


@pytest.mark.parametrize("count", [1, 2, 3, 50])
def test_entries_come_back_as_they_went_in(count: int) -> None:
    entries = [entry(n) for n in range(count)]
    assert unpack(pack(entries)) == entries


def test_papers_of_a_contract_travel_with_entries() -> None:
    """The invitation is not signed; its own reader judges it."""
    papers = ['comment = "川越で会おう"\nrules = "kawagoe"\n'.encode(), signed('answer = "x"\n')]
    assert unpack(pack([*papers, *THREE])) == [*papers, *THREE]
    assert unpack(find_armoured(armour(pack(papers)))[0]) == papers
    with pytest.raises(MalformedError, match="does not start with"):
        pack([b'<html> = "x"\n'])


def test_made_short_only_where_it_clearly_helps() -> None:
    noise = signed('v = 2\nnoise = "' + random.Random(7).randbytes(40).hex() + '"\n')
    assert b" plain " in pack([noise]).split(b"\n")[0]
    assert b"BEGIN SSH SIGNATURE" in pack([noise])  # a person can read it
    assert b" lean " in pack(THREE).split(b"\n")[0]
    assert len(pack(THREE)) < sum(map(len, THREE)) * 0.85


def test_limits_hold_when_packing() -> None:
    with pytest.raises(MalformedError, match="nothing to pack"):
        pack([])
    with pytest.raises(MalformedError, match=f"more than {MAX_ENTRIES} entries"):
        pack([THREE[0]] * (MAX_ENTRIES + 1))
    with pytest.raises(MalformedError, match=f"larger than {MAX_ENTRY} bytes"):
        pack([signed("v = 2\n" + 'x = "y"\n' * 9000)])
    with pytest.raises(MalformedError, match=f"more than {MAX_TOTAL} bytes"):
        pack([signed("v = 2\n" + 'x = "y"\n' * 7000)] * 10)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda e: b"\xef\xbb\xbf" + e, "byte order mark"),
        (lambda e: e.replace(b"v = 2", b"v = 3", 1), "does not start with the line v = 2"),
        (lambda e: e.replace("川".encode(), "川".encode("shift_jis")), "not UTF-8"),
        (lambda e: e.replace(b"\n", b"\r\n")[:2].join([b"v = 2\n\r", e[6:]]), "control characters"),
        (lambda e: e.replace(b"game", b"\x1bgame", 1), "control characters"),
        (lambda e: e[: e.index(b"[signature]")], "does not end with its signature"),
        (lambda e: e[: e.index(b"-----END")], "does not end with its signature"),
        (lambda e: e.removesuffix(b'"""\n'), "does not end with its signature"),
        (lambda e: e.replace(b"[signature]", b"[signatures]"), "does not end with its signature"),
        (lambda e: e.rstrip(b"\n"), "does not end with a line end"),
        (lambda e: b"", "does not start with the line v = 2"),
    ],
)
def test_what_is_no_entry_is_not_packed(spoil: Callable[[bytes], bytes], why: str) -> None:
    with pytest.raises(MalformedError, match=why):
        pack([spoil(signed('v = 2\ngame = "川越"\n'))])


def test_every_cut_is_refused_as_such() -> None:
    whole = pack([THREE[0]])
    for end in range(len(whole)):
        with pytest.raises(MalformedError, match=r"cut short|damaged"):
            unpack(whole[:end])


@pytest.mark.parametrize("plain", [True, False])
def test_every_changed_byte_is_refused_or_harmless(plain: bool) -> None:
    """A deflated form may have more than one spelling; then the entries are still exact."""
    entries = [signed(f'v = 2\nx = "{n}"\n') for n in range(1 if plain else 4)]
    whole = pack(entries)
    assert (b" plain " if plain else b" lean ") in whole[:40]
    for at in range(len(whole)):
        for bit in (1, 32, 128):
            changed = whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :]
            try:
                assert unpack(changed) == entries
                assert not plain
            except MalformedError:
                pass


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "cut short in its header"),
        (b"PBEM-BUNDLE 1 1 plain", "cut short in its header"),
        (b"x" * 200, "damaged in its header"),
        (b"PBEM-BUNDLE 1 0 plain 5\n", "first line is damaged"),
        (b"PBEM-BUNDLE 1 01 plain 5\n", "first line is damaged"),
        (b"PBEM-BUNDLE 2 1 plain 5\n", "unknown version"),
        (b"PBEM-BUNDLE 1 1001 plain 5\n", "more than 1000 entries"),
        (b"PBEM-BUNDLE 1 1 plain 5\n5 xyz\nabcde", "list of entries is damaged"),
        (bundle_of(b"abcde", [MAX_ENTRY + 1], "plain"), "announces an entry over"),
        (bundle_of(b"abcde", [MAX_ENTRY] * 9, "lean"), "announces more than"),
        (bundle_of(b"abcde", [4], "plain"), "lengths do not add up"),
        (bundle_of(b"abcde", [5], "plain"), "entry's bytes have been changed"),
        (bundle_of(b"abcde", [5], "plain") + b"\n", "1 bytes after its end"),
        (bundle_of(b"abcde", [5], "lean"), "cannot be inflated"),
        (bundle_of(zlib.compress(b"abcd"), [5], "lean"), "inflates to less"),
        (bundle_of(zlib.compress(b"abcde")[:-1], [5], "lean"), "inflates to less"),
        (bundle_of(zlib.compress(b"abcde") + b"x", [5], "lean"), "after its deflated part"),
        (bundle_of(zlib.compress(bytes(50_000_000)), [MAX_ENTRY], "lean"), "inflates to more"),
        (bundle_of(b"abc", [3], "plain", [hashlib.sha256(b"abc").hexdigest()]), "does not start with"),
    ],
)
def test_each_damage_has_its_own_words(raw: bytes, why: str) -> None:
    with pytest.raises(MalformedError, match=why):
        unpack(raw)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_unpack_of_anything_raises_nothing_else(raw: bytes) -> None:
    for candidate in (raw, b"PBEM-BUNDLE 1 1 lean 20\n" + raw, pack([THREE[0]])[: len(raw) * 3] + raw):
        with pytest.raises(MalformedError):
            unpack(candidate)


BUNDLE = pack(THREE)
BLOCK = armour(BUNDLE)


def test_the_block_as_documented() -> None:
    lines = BLOCK.split("\n")
    assert lines[0] == "-----BEGIN PBEM-----"
    assert lines[-3:] == ["#" + hashlib.sha256(BUNDLE).hexdigest(), "-----END PBEM-----", ""]
    assert all(re.fullmatch("[A-Za-z0-9+/]{1,64}", line) for line in lines[1:-3])


def rewrap(text: str, width: int) -> str:
    words = " ".join(text.split())
    return "\n".join(words[i : i + width] for i in range(0, len(words), width))


SURVIVES: dict[str, Callable[[str], str]] = {
    "as it is": lambda t: t,
    "CRLF": lambda t: t.replace("\n", "\r\n"),
    "CR": lambda t: t.replace("\n", "\r"),
    "quoted": lambda t: re.sub("(?m)^", "> ", t),
    "quoted thrice": lambda t: re.sub("(?m)^", "> > >", t),
    "quoted with a bar": lambda t: re.sub("(?m)^", "| ", t),
    "quoted with initials": lambda t: re.sub("(?m)^", " TK> > ", t),
    "quoted, then wrapped": lambda t: rewrap(re.sub("(?m)^", "> > ", t), 31),
    "wrapped short": lambda t: rewrap(t, 19),
    "all on one line": lambda t: t.replace("\n", " "),
    "no line ends at all": lambda t: t.replace("\n", ""),
    "indented": lambda t: re.sub("(?m)^", "\t    ", t),
    "trailing spaces": lambda t: t.replace("\n", "   \n"),
    "no-break spaces": lambda t: re.sub("(?m)^", "\u00a0\u00a0", t.replace(" ", "\u00a0")),
    "zero-width spaces": lambda t: "\u200b".join(t[i : i + 40] for i in range(0, len(t), 40)),
    "entities": lambda t: html.escape(re.sub("(?m)^", "> ", t)).replace(" ", "&nbsp;").replace("+", "&#43;"),
    "entities twice": lambda t: html.escape(html.escape(re.sub("(?m)^", "> ", t))),
    "hexadecimal entities": lambda t: t.replace("/", "&#x2F;").replace(" ", "&#xa0;"),
    "HTML lines": lambda t: "<div dir=ltr>" + t.replace("\n", "<br>\n</div><div>"),
    "a marker in bold": lambda t: t.replace("BEGIN PBEM", 'BEGIN <b style="a">PBEM</b>').replace(
        "\n", "<br/>"
    ),
    "linked pieces": lambda t: re.sub(r"(\w{30})\n", r'<a href="x">\1</a><wbr>', t),
    "dashes made pretty": lambda t: t.replace("-----", "—–-"),
    "dash-escaped": lambda t: re.sub("(?m)^-", "- -", t),
    "raw quoted-printable": lambda t: re.sub("(.{50})", "\\1=\n", t).replace("#", "=23").replace("+", "=2B"),
    "trailing =20": lambda t: t.replace("\n", "=20\n"),
    "a footer without the end": lambda t: t.replace("-----END PBEM-----", "") + "\nSent from my phone #1",
    "upper-case checksum": lambda t: re.sub("#.*", lambda m: m[0].upper(), t),
}


@pytest.mark.parametrize("how", SURVIVES)
def test_a_block_survives(how: str) -> None:
    text = "拝啓 a < b & c\n" + SURVIVES[how](BLOCK) + "\n-- \n敬具 > me\n"
    assert find_armoured(text) == [BUNDLE]
    assert blocks(text) == [BUNDLE]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda t: t.replace("A", "B", 1), "checksum does not fit"),
        (lambda t: t.replace("\n", "\nx", 2), "checksum does not fit"),
        (lambda t: t.upper().replace("#", "#0", 1), "checksum does not fit"),
        (lambda t: re.sub("#.*\n", "", t), "no checksum"),
        (lambda t: t[: len(t) // 2], "no checksum"),
        (lambda t: t[: t.index("#") + 40], "no checksum"),
        (lambda t: "-----BEGIN PBEM-----", "no checksum"),
        (lambda t: t.replace("\n", "A" * 3_000_000, 1), "too large"),
    ],
)
def test_a_spoilt_block_is_named_and_yields_nothing(spoil: Callable[[str], str], why: str) -> None:
    text = "see:\n" + spoil(BLOCK)
    assert find_armoured(text) == []
    (damage,) = blocks(text)
    assert isinstance(damage, Damage)
    assert why in damage.error.message


def test_a_spoilt_block_does_not_hide_the_next() -> None:
    cut = BLOCK[: len(BLOCK) // 2]
    other = pack([entry(9)])
    found = blocks(f"{BLOCK}\n{cut}\n{armour(other)}")
    assert [b for b in found if isinstance(b, bytes)] == [BUNDLE, other]
    assert len(found) == 3


@pytest.mark.parametrize("between", ["", "\n", "\n\n", " ", "> ", "and then"])
def test_blocks_may_touch(between: str) -> None:
    other = pack([entry(9)])
    assert find_armoured(armour(other).strip() + between + BLOCK.strip() + between) == [other, BUNDLE]


def test_a_flood_of_blocks_is_cut_off() -> None:
    found = blocks("-----BEGIN PBEM-----\n" * 5000)
    assert len(found) == MAX_BLOCKS + 1


def test_words_about_blocks_are_no_blocks() -> None:
    assert blocks("paste from BEGIN PBEM to END PBEM, please; -----BEGIN PGP MESSAGE-----") == []


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_edit_of_a_block_changes_what_it_yields(data: st.DataObject) -> None:
    """Cut, insert and overwrite anywhere: the same bundle or none."""
    text = BLOCK
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(at, min(len(text), at + 70)))
        text = text[:at] + data.draw(st.text(max_size=20)) + text[end:]
    assert find_armoured(text) in ([], [BUNDLE])
