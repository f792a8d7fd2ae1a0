"""The contract: three steps, nothing revealed too early, every paper checked, the same bytes everywhere."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from pbem.errors import MalformedError, PbemError, VerificationError
from pbem.protocol.crypto.ssh_wire import KEY_TYPE, public_blob
from pbem.protocol.papers.acceptance import Accept, make_accept, read_accept, table_secret
from pbem.protocol.papers.contract import (
    Contract,
    Signing,
    conclude,
    game_secret,
    list_digest,
    make_signing,
    read_contract,
    secret_commitment,
)
from pbem.protocol.papers.invitation import Clocks, Invite, read_invite
from pbem.protocol.papers.paper import paper_content, read_paper, write_paper
from pbem.protocol.papers.times import stamp
from tests.table import START, key_of, make_contract

SMALL_ORDER = bytes(31) + b"\x80"
"""A point of small order: one signature would fit every message."""


def contract() -> Contract:
    return make_contract(3)[0]


def papers() -> dict[str, bytes]:
    return dict(contract().papers)


def changed_invite(**changes: Any) -> bytes:
    return write_paper(replace(contract().invite, **changes), Invite, None)


# --- the three steps


def test_all_papers_make_the_same_contract_in_any_order() -> None:
    known = papers()
    backwards = dict(reversed(list(known.items())))
    assert conclude(backwards).text() == conclude(known).text()
    assert read_contract(contract().text().encode()).game == contract().game


@pytest.mark.parametrize("name", ["invite", "accept-a", "accept-c", "sign-b"])
def test_a_contract_needs_every_paper_and_no_other(name: str) -> None:
    known = papers()
    del known[name]
    with pytest.raises(VerificationError, match=r"the contract has no invitation|not complete"):
        conclude(known)
    with pytest.raises(VerificationError, match=r"not complete: sign-z"):
        conclude(papers() | {"sign-z": b""})


@pytest.mark.parametrize("name", ["invite", "accept-a", "accept-b", "sign-a", "sign-c"])
def test_no_paper_can_be_changed(name: str) -> None:
    raw = papers()[name]
    for at in range(0, len(raw), 37):
        spoilt = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
        with pytest.raises(PbemError):
            conclude(papers() | {name: spoilt})


def test_seats_cannot_be_exchanged() -> None:
    known = papers()
    known["accept-a"], known["accept-b"] = known["accept-b"], known["accept-a"]
    with pytest.raises(VerificationError, match="the acceptance of b stands in the place of a"):
        conclude(known)


def test_who_signs_another_list_is_named() -> None:
    other, _ = make_contract(3, salt="other table")
    with pytest.raises(PbemError):
        conclude(papers() | {"sign-a": other.papers["sign-a"]})
    known, keys = make_contract(3)
    accepts = [known.papers[f"accept-{s}"] for s in known.seats]
    again = make_accept(keys["b"], known.papers["invite"], "b", "B", bytes(32))
    signed = make_signing(
        keys["a"], known.papers["invite"], [accepts[0], again, accepts[2]], "a", stamp(START)
    )
    with pytest.raises(VerificationError, match="a signed another list"):
        conclude(dict(known.papers) | {"sign-a": signed})


def test_nobody_sits_in_two_seats_with_one_key() -> None:
    known, keys = make_contract(2)
    invite = known.papers["invite"]
    accepts = [make_accept(keys["a"], invite, seat, seat, bytes([n] * 32)) for n, seat in enumerate("ab")]
    made = {"invite": invite}
    for seat, accept in zip("ab", accepts, strict=True):
        made |= {
            f"accept-{seat}": accept,
            f"sign-{seat}": make_signing(keys["a"], invite, accepts, seat, stamp(START)),
        }
    with pytest.raises(VerificationError, match="two seats have the same key"):
        conclude(made)


# --- what play will use is fixed by the whole list, and hidden until then


def test_an_acceptance_reveals_nothing_that_play_will_use() -> None:
    """Commitment, tip and deck keys stand in the signing alone, and depend on the whole list."""
    known, keys = make_contract(2)
    accept, signed = known.papers["accept-a"], known.papers["sign-a"]
    signing = paper_content(read_paper(signed), Signing, "signing")
    assert signing.tip.encode() not in accept and signing.commitment.encode() not in accept
    nonce = read_accept(accept, known.papers["invite"]).nonce
    secret = game_secret(table_secret(keys["a"], known.invite.table, "a", nonce), known.listed)
    assert signing.commitment == secret_commitment(known.listed, "a", secret)
    assert secret.hex() not in known.text()
    other = list_digest(known.papers["invite"], [accept, accept])
    assert secret_commitment(other, "a", secret) != signing.commitment


def test_another_nonce_another_table_another_seat_another_secret() -> None:
    key = key_of("a")
    plain = table_secret(key, "ab" * 16, "a", "00" * 32)
    others = [
        table_secret(key, "ab" * 16, "a", "01" * 32),
        table_secret(key, "cd" * 16, "a", "00" * 32),
        table_secret(key, "ab" * 16, "b", "00" * 32),
        table_secret(key_of("b"), "ab" * 16, "a", "00" * 32),
    ]
    assert len({plain, *others}) == 5


# --- invitations


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"table": "x"}, "table id must be 32 hex digits"),
        ({"seats": ("a",)}, "two to six different seats"),
        ({"seats": ("a", "a")}, "two to six different seats"),
        ({"seats": tuple("abcdefg")}, "two to six different seats"),
        ({"seats": ("a", "B")}, "two to six different seats"),
        ({"chain": 63}, "chain length must be from 64 to 65536"),
        ({"chain": 10**6}, "chain length must be from 64 to 65536"),
        ({"clocks": Clocks(0, 1, 1, 0)}, "clock move has 0 hours, and must have 1 to 8784"),
        ({"clocks": Clocks(10**9, 1, 1, 0)}, "clock move has 1000000000 hours"),
        ({"clocks": Clocks(1, 1, 10**9, 0)}, "clock audit has 1000000000 hours"),
        ({"clocks": Clocks(1, 1, 1, -1)}, "clock absence has -1 hours, and must have 0 to 8784"),
        ({"clocks": Clocks(1, 1, 1, 10**9)}, "clock absence has 1000000000 hours"),
        ({"made": "1969-07-20T20:17:40Z"}, "made: expected a time"),
        ({"made": ""}, "made: expected a time"),
    ],
)
def test_an_invitation_out_of_bounds_is_refused(changes: dict, words: str) -> None:
    with pytest.raises(MalformedError, match=words):
        read_invite(changed_invite(**changes))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"chain = 1024", b"chain = 01024", "valid TOML|canonical"),
        (b"chain = 1024", b"chain = 1024 # long", "canonical"),
        (b"chain = 1024", b"chian = 1024", "chian: unknown key"),
        (b"chain = 1024", b'chain = "1024"', "chain: expected int, found str"),
        (b"scenario = ", b"x = ", "unknown key"),
    ],
)
def test_an_invitation_has_one_form(old: bytes, new: bytes, words: str) -> None:
    raw = papers()["invite"]
    assert old in raw
    with pytest.raises(MalformedError, match=words):
        read_invite(raw.replace(old, new))


# --- acceptances


def accept_with(**changes: Any) -> bytes:
    """An acceptance of seat a, changed and signed by its own key."""
    known, keys = make_contract(2)
    plain = read_accept(known.papers["accept-a"], known.papers["invite"])
    return write_paper(replace(plain, **changes), Accept, keys["a"])


def small_order_line() -> str:
    import base64

    return f"{KEY_TYPE} {base64.b64encode(public_blob(SMALL_ORDER)).decode()} pbem"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"invite": "00" * 32}, "belongs to another invitation"),
        ({"table": "00" * 16}, "belongs to another invitation"),
        ({"seat": "z"}, "the invitation has no seat 'z'"),
        ({"key": key_of("other").public_line()}, "another key"),
        ({"key": small_order_line()}, "canonical encoding|small order"),
        ({"answer": SMALL_ORDER.hex()}, "canonical encoding|small order"),
        ({"answer": "zz"}, "answer: expected 64 hex digits"),
        ({"box": "00" * 32}, "low order"),
        ({"nonce": "00"}, "nonce: expected 64 hex digits"),
    ],
)
def test_an_acceptance_that_does_not_hold_is_refused(changes: dict, words: str) -> None:
    known, _ = make_contract(2)
    with pytest.raises(PbemError, match=re.compile(words)):
        read_accept(accept_with(**changes), known.papers["invite"])


def test_a_seat_that_is_not_there_cannot_be_taken() -> None:
    with pytest.raises(VerificationError, match="the invitation has no seat 'z'") as refused:
        make_accept(key_of("z"), papers()["invite"], "z", "Z", bytes(32))
    assert refused.value.hint == "its seats are a, b, c"


# --- decks and game.toml


def test_the_seats_must_share_the_same_decks() -> None:
    known, keys = make_contract(2, options={"deck": "shared"})
    accepts = [known.papers[f"accept-{s}"] for s in known.seats]
    bare = make_signing(keys["a"], known.papers["invite"], accepts, "a", stamp(START), ())
    with pytest.raises(VerificationError, match="the seats do not share the same decks"):
        conclude(dict(known.papers) | {"sign-a": bare})


def test_deck_keys_of_another_seat_are_refused() -> None:
    """Keys copied from another seat come without proof of possession: they would open that seat's cards."""
    known, keys = make_contract(2, options={"deck": "shared"})
    theirs = paper_content(read_paper(known.papers["sign-b"]), Signing, "signing")
    mine = paper_content(read_paper(known.papers["sign-a"]), Signing, "signing")
    stolen = write_paper(replace(mine, decks=theirs.decks), Signing, keys["a"])
    with pytest.raises(VerificationError, match="no proof that it knows the secret"):
        conclude(dict(known.papers) | {"sign-a": stolen})


def test_game_toml_is_what_its_papers_make_and_nothing_else() -> None:
    raw = contract().text().encode()
    for spoilt in (
        raw + b"\n",
        raw.replace(b'player = "A"', b'player = "X"'),
        raw.replace(b"[papers]", b"[paper]"),
    ):
        with pytest.raises(PbemError):
            read_contract(spoilt)


@pytest.mark.parametrize(
    "name",
    ["Ann\n  b: Ben, key SHA256:forged", "Ann\tBen", "Ann\u3164", "Ann\u2800x", "A" * 1001],
    ids=["line end", "tab", "filler", "blank", "endless"],
)
def test_a_name_forges_no_line_of_what_others_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are printed in terms, mails and disputes: one with a line end could add a seat."""
    from pbem import toml
    from tests.attack_kit import works_only_without

    invite = papers()["invite"]
    raw = make_accept(key_of("a"), invite, "a", name, bytes(32))

    def attack() -> bool:
        try:
            return read_accept(raw, invite).name == name
        except MalformedError:
            return False

    works_only_without(monkeypatch, attack, (toml, "check_line", lambda *args: None))
