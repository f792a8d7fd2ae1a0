"""Entries: bytes from a stranger, refused by name unless they are exactly what their author signed."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.errors import MalformedError, PbemError, VerificationError
from pbem.protocol.papers.bodies import (
    KINDS,
    Absence,
    Answers,
    Ask,
    Audit,
    Body,
    Complaint,
    Delivery,
    Draw,
    Have,
    Late,
    Note,
    Opening,
    Orders,
    Rekey,
    Resign,
    Revoke,
    Say,
    Seal,
    SealedChoice,
    Standing,
    TailOpening,
    TakeBack,
    Terms,
)
from pbem.protocol.papers.body_checks import pack_box
from pbem.protocol.papers.entry import LIMIT, Head, compose, entry_id, read, verify
from tests.scenes import orders, table_of
from tests.table import key_of, play_out, players

KEY = key_of("a")
NOTE = Note()
KEYS = (KEY.public, key_of("machine").public)
HEX = "ab" * 32
BOX = pack_box(bytes(144))
SEAL = Seal(HEX, BOX)


def head(kind: str = "note", **changes: Any) -> Head:
    lane = "answer" if kind in ("answers", "audit", "have") else "decide"
    plain = Head(2, HEX, "a", lane, (HEX,), HEX, "2026-01-31T12:00:00Z", kind)
    return replace(plain, **changes)


def signed(body: Body = NOTE, kind: str = "note", **changes: Any) -> bytes:
    made = head(kind, **changes)
    return compose(made, body, KEY if made.lane == "decide" else key_of("machine"))


GOOD: dict[str, Body] = {
    "orders": Orders(HEX, "hit b\n", (Opening("x", "gold", HEX),), (SEAL,), HEX),  # type: ignore[arg-type]
    "sealed": SealedChoice(HEX, (SEAL, SEAL)),
    "answers": Answers(link=HEX, tail=TailOpening("done\n", HEX)),
    "standing": Standing("loss", ("lose face",)),
    "revoke": Revoke("loss"),
    "resign": Resign(HEX, HEX),
    "take-back": TakeBack(3),
    "note": Note(),
    "say": Say("well played"),
    "draw": Draw(),
    "terms": Terms("1.1", move=24),
    "late": Late(("b", "c")),
    "ask": Ask(HEX),
    "have": Have(HEX),
    "absence": Absence("2026-02-28T12:00:00Z"),
    "rekey": Rekey("a paper\n"),
    "complaint": Complaint("x", HEX),  # type: ignore[arg-type]
    "audit": Audit(HEX),
}


@pytest.mark.parametrize("kind", sorted(GOOD))
def test_what_is_composed_is_read_and_verified_and_always_the_same_bytes(kind: str) -> None:
    raw = signed(GOOD[kind], kind)
    assert raw == signed(GOOD[kind], kind)
    claim = read(raw)
    entry = verify(claim, KEYS)
    assert entry.body == GOOD[kind] and entry.head == head(kind) and entry.raw == raw
    assert entry.id == entry_id(raw)
    assert set(GOOD) == set(KINDS)


@pytest.mark.parametrize("deck", ["own", "shared"])
def test_lines_are_short_enough_for_any_mail(deck: str) -> None:
    table = players(3, options={"deck": deck})
    made = play_out(table, random.Random(1))
    assert max(len(line) for raw in made for line in raw.decode().split("\n")) <= 200
    plain = orders(table_of(2)["a"], "hit b")
    assert max(map(len, plain.decode().split("\n"))) <= 76


def test_a_long_list_with_a_long_sealed_part_is_sent_and_read() -> None:
    """Thirty kilobytes of orders, most of them sealed: every line stays short and nothing is lost."""
    box = pack_box(bytes(30_000))
    text = "\n".join(f"move unit-{n} to hex-{n}" for n in range(500))
    for kind, body in (
        ("orders", Orders(HEX, text, (), (Seal(HEX, box),))),
        ("standing", Standing("loss", seal=Seal(HEX, box))),
        ("answers", Answers(tail=TailOpening(text, HEX, (Opening("x", "gold", HEX),)))),  # type: ignore[arg-type]
        ("answers", Answers(deliver=(Delivery("x", box),))),  # type: ignore[arg-type]
    ):
        raw = signed(body, kind)
        assert verify(read(raw), KEYS).body == body
        assert max(map(len, raw.decode().split("\n"))) <= 200


# --- one byte changed


def test_no_byte_of_an_entry_can_be_changed() -> None:
    raw = signed(GOOD["orders"], "orders")
    rng = random.Random(3)
    for at in rng.sample(range(len(raw)), 300):
        spoilt = raw[:at] + bytes([raw[at] ^ rng.choice((1, 2, 4, 32))]) + raw[at + 1 :]
        with pytest.raises(PbemError) as refused:
            verify(read(spoilt), KEYS)
        assert refused.value.message


@given(st.binary(max_size=400) | st.text(max_size=200).map(str.encode))
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_bytes_are_refused_and_never_crash(raw: bytes) -> None:
    for whole in (raw, raw + b"\n[signature]\n", signed()[:60] + b"\n\x00" + raw + signed()[60:]):
        with pytest.raises(MalformedError):
            read(whole)


def test_a_cut_or_lengthened_entry_is_named_as_such() -> None:
    raw = signed()
    with pytest.raises(MalformedError, match="cut off"):
        read(raw[: raw.rindex(b"[signature]")])
    for tail in (b"\n", b"# more\n", b"x = 1\n"):
        with pytest.raises(MalformedError, match=r"canonical form|nothing else"):
            read(raw + tail)
    with pytest.raises(MalformedError, match="larger than"):
        read(raw + b"#" * LIMIT)


# --- every field, changed and signed again by its own author


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"v": 1}, "entry of protocol version 1, this program speaks 2"),
        ({"game": "AB" * 32}, "game: expected 64 hex digits"),
        ({"game": "ab"}, "game: expected 64 hex digits"),
        ({"seat": "A"}, "seat: expected a lower-case name"),
        ({"seat": "x" * 17}, "seat: expected a lower-case name"),
        ({"lane": "answer"}, "lane: a note entry does not go in the lane 'answer'"),
        ({"lane": "both"}, "lane: a note entry does not go in the lane 'both'"),
        ({"prev": HEX}, "prev: a note entry follows nothing"),
        ({"after": ()}, "after: expected from 1 to 7 entry ids"),
        ({"after": tuple(f"{n:064x}" for n in range(8))}, "after: expected from 1 to 7 entry ids"),
        ({"after": ("none",)}, "after: expected different entry ids"),
        ({"after": (HEX, HEX)}, "after: expected different entry ids"),
        ({"pos": HEX + "0"}, "pos: expected 64 hex digits"),
        ({"sent": "yesterday"}, "sent: expected a time like"),
        ({"sent": "2026-02-30T12:00:00Z"}, "sent: there is no such time"),
        ({"seen": ("x",)}, "seen: expected different entry ids"),
        ({"seen": (HEX, HEX)}, "seen: expected different entry ids"),
        ({"seen": tuple(f"{n:064x}" for n in range(65))}, "seen: expected from 0 to 64 entry ids"),
    ],
)
def test_a_head_out_of_shape_is_refused_by_field(changes: dict, words: str) -> None:
    made = head(**changes)
    raw = compose(made, Note(), KEY)
    with pytest.raises(MalformedError, match=re.escape(words)):
        read(raw)


@pytest.mark.parametrize("kind", ["audit", "answers", "late", "say", "draw", "complaint", "have"])
def test_only_a_decision_takes_anything_in(kind: str) -> None:
    with pytest.raises(MalformedError, match=f"seen: a {kind} entry takes nothing in"):
        read(signed(GOOD[kind], kind, seen=(HEX,)))


def test_what_an_entry_out_of_turn_follows_is_an_entry() -> None:
    assert read(signed(Say("well met"), "say", prev=HEX)).head.prev == HEX
    with pytest.raises(MalformedError, match="prev: expected different entry ids"):
        read(signed(Say("well met"), "say", prev="none"))


MANY = tuple(Opening(f"s{n}", "x", HEX) for n in range(257))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        ("orders", Orders("", "done\n"), "body.link: expected 64 hex digits"),
        ("orders", Orders(HEX.upper(), "done\n"), "body.link: expected 64 hex digits"),
        ("orders", Orders(HEX, "done\n", tip="ab"), "body.tip: expected 64 hex digits"),
        ("orders", Orders(HEX, " \n"), "body.orders: expected from one to 1000 lines"),
        ("orders", Orders(HEX, "\n" * 1001 + "x"), "body.orders: expected from one to 1000 lines"),
        ("orders", Orders(HEX, "x", MANY), "body.opens: expected from 0 to 256 of them"),
        ("orders", Orders(HEX, "x", (MANY[0], MANY[0])), "body.opens: expected every slot once"),
        ("orders", Orders(HEX, "x", (replace(MANY[0], nonce="no"),)), "body.opens[0].nonce: expected"),
        (
            "orders",
            Orders(HEX, "x", (replace(MANY[0], nonce=""),)),
            "body.opens[0]: expected a nonce or a share",
        ),
        ("orders", Orders(HEX, "x", (), (Seal("x", BOX),)), "body.tail[0].commit: expected 64 hex digits"),
        ("orders", Orders(HEX, "x", (), (Seal(HEX, ()),)), "body.tail[0].box: expected base64"),
        (
            "orders",
            Orders(HEX, "x", (), (Seal(HEX, ("A" * 64,) * 700),)),
            "body.tail[0].box: expected base64",
        ),
        ("sealed", SealedChoice(HEX, ()), "body.seals: expected from 1 to 256 of them"),
        ("sealed", SealedChoice(HEX, (Seal(HEX, ("!" * 64,)),)), "body.seals[0].box: expected base64"),
        ("sealed", SealedChoice(HEX, (Seal(HEX, ("A" * 12,)),)), "body.seals[0].box: expected base64"),
        (
            "sealed",
            SealedChoice(HEX, (Seal(HEX, ("A" * 32, "A" * 32)),)),
            "body.seals[0].box: expected base64",
        ),
        ("answers", Answers(tip=HEX), "body.tip: expected a link with it"),
        ("answers", Answers(tail=TailOpening("x", "no")), "body.tail.nonce: expected 64 hex digits"),
        ("answers", Answers(commits=("x",), box=BOX), "body.commits[0]: expected 64 hex digits"),
        ("answers", Answers(commits=(HEX,)), "body.box: expected base64"),
        ("answers", Answers(deliver=(Delivery("x", ("A",)),)), "body.deliver[0].box: expected base64"),  # type: ignore[arg-type]
        ("answers", Answers(standing=MANY[:2]), "body.standing: expected at most one opening"),
        ("standing", Standing("loss"), "body.lines: expected lines or a seal, not both"),
        ("standing", Standing("loss", ("x",), SEAL), "body.lines: expected lines or a seal, not both"),
        ("standing", Standing("loss", ("x",) * 33), "body.lines: expected at most 32 answers"),
        ("standing", Standing("loss", ("a\nb",)), "body.lines: expected at most 32 answers"),
        ("standing", Standing("L" * 40, ("x",)), "body.decision: expected the kind of a decision"),
        ("revoke", Revoke(""), "body.decision: expected the kind of a decision"),
        ("resign", Resign("x"), "body.secret: expected 64 hex digits"),
        ("resign", Resign(HEX, "x"), "body.box: expected 64 hex digits"),
        ("resign", Resign(HEX, HEX, ("x",)), "body.former[0]: expected 64 hex digits"),
        ("take-back", TakeBack(-1), "body.to: expected the number of an entry"),
        ("absence", Absence("2026-02-28"), "body.until: expected a time"),
        ("absence", Absence("2026-02-30T12:00:00Z"), "body.until: there is no such time"),
        ("absence", Absence("0000-01-01T00:00:00Z"), "body.until: expected a time"),
        ("absence", Absence("２０２６-01-01T00:00:00Z"), "body.until: expected a time"),
        ("absence", Absence("2100-01-01T00:00:00Z"), "body.until: expected a time"),
        ("late", Late(()), "body.seats: expected from 1 to 256 of them"),
        ("late", Late(("b", "b")), "body.seats: expected every seat once, in alphabetical order"),
        ("late", Late(("c", "b")), "body.seats: expected every seat once, in alphabetical order"),
        ("terms", Terms(), "body.version: expected something that changes"),
        ("terms", Terms("one two"), "body.version: expected a version of the rules"),
        ("terms", Terms(move=-1), "body.move: expected hours from 0 to"),
        ("ask", Ask("x"), "body.nonce: expected 64 hex digits"),
        ("have", Have("x"), "body.asked: expected 64 hex digits"),
        ("say", Say(" "), "body.text: expected one line of at most 400 characters"),
        ("say", Say("two\nlines"), "body.text: expected one line of at most 400 characters"),
        ("rekey", Rekey("x\n" * 4500), "body.paper: expected at most 8192 characters"),
        ("complaint", Complaint("x", "no"), "body.key: expected 64 hex digits"),  # type: ignore[arg-type]
        ("audit", Audit("x"), "body.secret: expected 64 hex digits"),
    ],
)
def test_a_body_out_of_shape_is_refused_by_field(kind: str, body: Body, words: str) -> None:
    with pytest.raises(MalformedError, match=re.escape(words)):
        read(signed(body, kind))


def resigned(old: str, new: str, body: Body = NOTE, kind: str = "note") -> bytes:
    """The text of an entry changed, and signed by its author as it then stands."""
    from pbem.protocol.crypto import sshsig
    from pbem.protocol.papers.entry import SIGNATURE_LINE, _armour_text

    text = signed(body, kind).decode()
    changed = text[: text.rindex("[signature]")].replace(old, new).encode()
    return changed + SIGNATURE_LINE[1:] + _armour_text(sshsig.sign(KEY, changed)).encode()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('kind = "note"', 'kind = "magic"', "kind: 'magic' is none of orders, sealed"),
        ('lane = "decide"', "lane = 1", "lane: expected str, found int"),
        ('lane = "decide"', 'lane = "decide"\nextra = 2', "extra: unknown key"),
        ('seat = "a"\n', "", "seat: missing"),
        ("[body]", "[body]\nlink = 3", "body.link: unknown key"),
        ("[body]\n", "", "body: expected a table"),
        ("v = 2", "v = 2.0", "floating-point"),
        ("[body]", "[body.x]", "body.x: unknown key"),
    ],
)
def test_a_schema_is_closed(old: str, new: str, words: str) -> None:
    with pytest.raises(MalformedError, match=re.escape(words)):
        read(resigned(old, new))


# --- whose signature


def test_a_signature_is_one_of_the_keys_that_count_for_it() -> None:
    stranger = key_of("stranger")
    cases: list[tuple[bytes, tuple[bytes, ...]]] = [
        (signed(), ()),
        (signed(), (stranger.public,)),
        (compose(head(), Note(), stranger), KEYS),
        (compose(head("audit"), Audit(HEX), KEY), KEYS[1:]),
    ]
    for raw, keys in cases:
        with pytest.raises(VerificationError, match="no key of a signed this"):
            verify(read(raw), keys)


def test_an_entry_too_large_to_send_is_not_made() -> None:
    with pytest.raises(MalformedError, match="the entry would have"):
        signed(Orders(HEX, "done\n" * 900, (), (Seal(HEX, pack_box(bytes(30_000))),) * 2), "orders")
