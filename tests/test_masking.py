"""The group, the masks and the three proofs: bad points and false statements are refused."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import MalformedError, VerificationError
from pbem.protocol.deck import masking as m

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P


def number(n: int) -> bytes:
    return n.to_bytes(32, "little")


def scalar_of(seed: int) -> bytes:
    return m.public_scalar("test", seed)


def order_eight() -> bytes:
    """A point of order 8: L times a point of the whole curve that is outside every smaller subgroup."""
    for seed in range(1, 200):
        try:
            candidate = number(seed)
            result, power = m.IDENTITY, candidate
            for bit in range(m.ORDER.bit_length()):
                if m.ORDER >> bit & 1:
                    result = m.add(result, power)
                power = m.add(power, power)
        except ValueError:  # not on the curve
            continue
        four = m.add(m.add(result, result), m.add(result, result))
        if four != m.IDENTITY:
            return result
    raise AssertionError("no point of order 8 found")


EIGHT = order_eight()
FOUR = m.add(EIGHT, EIGHT)
TWO = m.add(FOUR, FOUR)
HONEST = m.base(scalar_of(1))
BAD_POINTS = {
    "identity": m.IDENTITY,
    "order 2": TWO,
    "order 4": FOUR,
    "order 8": EIGHT,
    "mixed order": m.add(HONEST, EIGHT),
    "mixed order 2": m.add(HONEST, TWO),
    "off the curve": number(2),
    "not canonical: p + 1": number(P + 1),
    "not canonical: p": number(P),
    "not canonical: identity with a sign": number(1 | 1 << 255),
    "all ones": b"\xff" * 32,
    "zero": bytes(32),
}


def test_the_bad_points_are_what_their_names_say():
    assert number(P - 1) == TWO
    assert m.add(TWO, TWO) == m.IDENTITY
    assert m.add(m.add(HONEST, EIGHT), m.add(TWO, FOUR)) not in (HONEST, m.add(HONEST, EIGHT))
    y = 2
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    assert pow(square, (P - 1) // 2, P) == P - 1


@pytest.mark.parametrize("name", BAD_POINTS)
def test_a_bad_point_is_refused_by_name(name):
    with pytest.raises(VerificationError, match="the share of slot 3 is not a point of the group"):
        m.point(BAD_POINTS[name], "the share of slot 3")


@pytest.mark.parametrize("name", BAD_POINTS)
def test_a_secret_never_meets_a_bad_point_even_without_the_first_check(name):
    """Should a caller forget `point`, the multiplication itself refuses."""
    with pytest.raises(VerificationError):
        m.times(scalar_of(2), BAD_POINTS[name])


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_point_or_scalar_has_32_bytes(length):
    with pytest.raises(MalformedError):
        m.point(bytes(length))
    with pytest.raises(MalformedError):
        m.scalar(bytes(length))


def test_a_scalar_has_one_encoding():
    assert m.scalar(number(m.ORDER - 1)) == number(m.ORDER - 1)
    for n in (m.ORDER, m.ORDER + 1, 2**256 - 1):
        with pytest.raises(MalformedError):
            m.scalar(number(n))


def test_the_base_point_and_order_are_those_of_edwards25519():
    assert m.base(m.ONE) == m.BASE
    assert m.add(m.base(number(m.ORDER - 1)), m.BASE) == m.IDENTITY
    for zero in (number(0), number(m.ORDER)):
        with pytest.raises(VerificationError):
            m.base(zero)


def test_card_points_are_distinct_valid_and_bound_to_every_part():
    parts = itertools.product((b"g", b"h"), ("x", "y"), (0, 1), range(5))
    points = {m.hash_to_group("deck-card", *each) for each in parts}
    assert len(points) == 40
    assert all(m.point(p) for p in points)


def test_importing_the_module_does_not_load_the_library():
    code = (
        "import sys, pbem.protocol.deck.masking, pbem.protocol.deck.dealing; sys.exit('nacl' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- masking -----------------------------------------------------------------------------------------

X = [scalar_of(10), scalar_of(11), scalar_of(12)]
KEY = m.total([m.base(x) for x in X])
CARDS = [m.hash_to_group("card", i) for i in range(5)]


def opened(card: m.Masked, scalars: list[bytes]) -> bytes:
    for x in scalars:
        card = m.take_off(card, m.times(x, card.a))
    return card.b


def test_all_shares_open_a_card_and_one_less_does_not():
    deck = tuple(m.lay_open(card, KEY) for card in CARDS)
    for x in X:
        deck = m.shuffled(deck, KEY, x, b"here")
    assert sorted(opened(card, X) for card in deck) == sorted(CARDS)
    assert not {opened(card, X[:2]) for card in deck} & set(CARDS)


def test_a_shuffle_depends_on_secret_context_and_list():
    deck = tuple(m.lay_open(card, KEY) for card in CARDS)
    once = m.shuffled(deck, KEY, b"s", b"here")
    assert once == m.shuffled(deck, KEY, b"s", b"here")
    others = [m.shuffled(deck, KEY, b"t", b"here"), m.shuffled(deck, KEY, b"s", b"there")]
    assert all(not set(once) & set(other) for other in others)


def test_two_lists_in_one_place_do_not_give_the_order_away():
    """With equal masks for both, the difference of the outputs would match the difference of the inputs."""
    first = tuple(m.lay_open(card, KEY) for card in CARDS)
    second = tuple(m.remask(card, KEY, scalar_of(20 + i)) for i, card in enumerate(first))
    out = [m.shuffled(cards, KEY, b"s", b"here") for cards in (first, second)]
    inputs = {m.sub(a.a, b.a) for a, b in zip(first, second, strict=True)}
    outputs = {m.sub(a.a, b.a) for a, b in zip(*out, strict=True)}
    assert not inputs & outputs


# --- proofs ------------------------------------------------------------------------------------------


def test_a_key_proof_holds_for_its_key_and_context_alone():
    proof = m.prove_key(X[0], b"seat a", b"s")
    assert m.check_key(m.base(X[0]), b"seat a", proof)
    assert not m.check_key(m.base(X[0]), b"seat b", proof)
    assert not m.check_key(m.base(X[1]), b"seat a", proof)


INPUTS = [m.base(scalar_of(30 + i)) for i in range(4)]
SHARES = [m.times(X[0], p) for p in INPUTS]


@pytest.fixture(scope="module")
def share_proof() -> bytes:
    return m.prove_shares(X[0], INPUTS, SHARES, b"slots", b"s")


def test_one_proof_serves_all_shares(share_proof):
    assert len(share_proof) == 64
    assert m.check_shares(m.base(X[0]), INPUTS, SHARES, b"slots", share_proof)


@pytest.mark.parametrize("place", range(4))
def test_one_wrong_share_among_many_is_refused(place, share_proof):
    wrong = [*SHARES]
    wrong[place] = m.add(wrong[place], m.BASE)
    assert not m.check_shares(m.base(X[0]), INPUTS, wrong, b"slots", share_proof)
    forged = m.prove_shares(X[0], INPUTS, wrong, b"slots", b"s")
    assert not m.check_shares(m.base(X[0]), INPUTS, wrong, b"slots", forged)


def test_swapped_shares_another_key_or_context_are_refused(share_proof):
    key = m.base(X[0])
    swapped = [SHARES[1], SHARES[0], *SHARES[2:]]
    assert not m.check_shares(key, INPUTS, swapped, b"slots", share_proof)
    assert not m.check_shares(key, INPUTS[::-1], SHARES[::-1], b"slots", share_proof)
    assert not m.check_shares(key, INPUTS[:3], SHARES[:3], b"slots", share_proof)
    assert not m.check_shares(m.base(X[1]), INPUTS, SHARES, b"slots", share_proof)
    assert not m.check_shares(key, INPUTS, SHARES, b"slot", share_proof)


def test_errors_that_cancel_need_weights_known_beforehand(monkeypatch):
    """With equal weights two wrong shares cancel; with weights from all pairs every one moves."""
    wrong = [m.add(SHARES[0], m.BASE), m.sub(SHARES[1], m.BASE), *SHARES[2:]]
    before = m._weights(m.base(X[0]), INPUTS, SHARES, b"slots")
    after = m._weights(m.base(X[0]), INPUTS, wrong, b"slots")
    assert not set(before) & set(after)
    with monkeypatch.context() as patch:
        patch.setattr(m, "_weights", lambda key, inputs, shares, context: [m.ONE] * len(inputs))
        proof = m.prove_shares(X[0], INPUTS, wrong, b"slots", b"s")
        assert m.check_shares(m.base(X[0]), INPUTS, wrong, b"slots", proof)
    proof = m.prove_shares(X[0], INPUTS, wrong, b"slots", b"s")
    assert not m.check_shares(m.base(X[0]), INPUTS, wrong, b"slots", proof)


def test_a_nonce_serves_one_statement_only():
    """Two proofs with one nonce would give the key away: x = (s - s') / (c' - c)."""
    key = m.base(X[0])

    def commitment(proof: bytes) -> bytes:
        return m.add(m.base(proof[32:64]), m.times(proof[:32], key))

    proofs = [m.prove_shares(X[0], INPUTS[:n], SHARES[:n], c, b"s") for n in (1, 2) for c in (b"x", b"y")]
    proofs += [m.prove_key(X[0], c, b"s") for c in (b"x", b"y")]
    assert len({commitment(proof) for proof in proofs}) == len(proofs)
    again = m.prove_shares(X[0], INPUTS[:1], SHARES[:1], b"x", b"s")
    assert again == proofs[0]


CARD = m.Masked(m.base(scalar_of(40)), m.add(CARDS[0], m.times(X[0], m.base(scalar_of(40)))))
TAKER = m.base(X[1])


def test_a_card_passed_on_opens_for_the_taker_and_proves_itself():
    new, proof = m.prove_passed_on(X[0], CARD, TAKER, scalar_of(41), b"c", b"s")
    assert len(proof) == 96
    assert opened(new, [X[1]]) == CARDS[0]
    assert opened(new, [X[0]]) != CARDS[0]
    assert m.check_passed_on(m.base(X[0]), CARD, TAKER, new, b"c", proof)


def test_a_card_passed_on_is_bound_to_everything():
    giver = m.base(X[0])
    new, proof = m.prove_passed_on(X[0], CARD, TAKER, scalar_of(41), b"c", b"s")
    other = m.Masked(new.a, m.add(m.sub(new.b, CARDS[0]), CARDS[1]))
    for statement in (
        (giver, CARD, TAKER, other, b"c"),
        (giver, CARD, TAKER, m.Masked(m.add(new.a, m.BASE), new.b), b"c"),
        (giver, CARD, TAKER, m.Masked(new.a, CARD.b), b"c"),
        (giver, CARD, giver, new, b"c"),
        (TAKER, CARD, TAKER, new, b"c"),
        (giver, m.Masked(CARD.a, m.add(CARD.b, m.BASE)), TAKER, new, b"c"),
        (giver, m.Masked(m.add(CARD.a, m.BASE), CARD.b), TAKER, new, b"c"),
        (giver, CARD, TAKER, new, b"d"),
    ):
        assert not m.check_passed_on(*statement, proof)


@given(st.integers(0, 767), st.sampled_from(["key", "shares", "pass"]))
def test_no_bit_of_a_proof_can_change(bit, kind):
    if kind == "key":
        statement = (m.base(X[0]), b"c")
        proof, check = m.prove_key(X[0], b"c", b"s"), m.check_key
    elif kind == "shares":
        statement = (m.base(X[0]), INPUTS[:2], SHARES[:2], b"c")
        proof, check = m.prove_shares(X[0], INPUTS[:2], SHARES[:2], b"c", b"s"), m.check_shares
    else:
        new, proof = m.prove_passed_on(X[0], CARD, TAKER, scalar_of(41), b"c", b"s")
        statement, check = (m.base(X[0]), CARD, TAKER, new, b"c"), m.check_passed_on
    bit %= 8 * len(proof)
    changed = bytearray(proof)
    changed[bit // 8] ^= 1 << bit % 8
    assert check(*statement, proof)
    try:
        accepted = check(*statement, bytes(changed))
    except VerificationError:
        accepted = False
    assert not accepted


@pytest.mark.parametrize("proof", [b"", bytes(63), bytes(64), b"\xff" * 64, bytes(96)])
def test_a_proof_of_a_wrong_shape_is_refused_not_a_crash(proof):
    with pytest.raises(VerificationError):
        m.check_key(m.base(X[0]), b"c", proof)
    with pytest.raises(VerificationError):
        m.check_shares(m.base(X[0]), INPUTS, SHARES, b"c", proof)
    with pytest.raises(VerificationError):
        m.check_passed_on(m.base(X[0]), CARD, TAKER, CARD, b"c", proof[:60])
