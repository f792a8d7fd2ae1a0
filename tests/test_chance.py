"""Chains that only go one way, seeds that nothing slips into, integers without bias.

The chi-square tests use PBEM_CHI_SIZE samples, 10**5 unless it is set; 10**6 is the size for a release.
The seeds are fixed, so a run either always passes or always fails.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import PbemError
from pbem.protocol.crypto import chance
from pbem.protocol.crypto.canonical import digest, keyed
from pbem.protocol.crypto.chance import Chain, follows, from_bits, integer, integers, seed, shuffle

SIZE = int(os.environ.get("PBEM_CHI_SIZE", 10**5))
SECRET = bytes(range(32))
LIST = b"L" * 32


# --- chains --------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2, 63, 64, 65, 200])
def test_every_link_is_the_one_the_protocol_names(length: int) -> None:
    values = [keyed(SECRET, "chain", LIST)]
    for _ in range(length):
        values.append(digest("chain", LIST, "red", values[-1]))
    chain = Chain(SECRET, LIST, "red", length)
    assert chain.tip == values[length]
    assert [chain.link(k) for k in range(1, length + 1)] == values[length - 1 :: -1]


def test_a_link_follows_only_its_own_predecessor_seat_and_game() -> None:
    chain = Chain(SECRET, LIST, "red")
    assert follows(LIST, "red", chain.tip, chain.link(1))
    assert follows(LIST, "red", chain.link(1), chain.link(2))
    assert not follows(LIST, "red", chain.tip, chain.link(2))
    assert not follows(LIST, "red", chain.link(2), chain.link(1))
    assert not follows(LIST, "blue", chain.tip, chain.link(1))
    assert not follows(b"M" * 32, "red", chain.tip, chain.link(1))


def test_a_link_has_32_bytes_even_if_the_tip_was_made_for_a_longer_one() -> None:
    planted = b"x" * 33
    assert not follows(LIST, "red", digest("chain", LIST, "red", planted), planted)


def test_the_chain_of_another_list_or_seat_shares_no_link() -> None:
    chains = [
        Chain(SECRET, LIST, "red", 50),
        Chain(SECRET, b"M" * 32, "red", 50),
        Chain(SECRET, LIST, "blue", 50),
    ]
    links = {chain.link(k) for chain in chains for k in range(1, 50)}
    assert len(links) == 3 * 49


def test_a_chain_that_runs_out_says_so_and_never_wraps_around() -> None:
    chain = Chain(SECRET, LIST, "red", 10)
    with pytest.raises(PbemError, match="chain of seat red has run out after 10 links"):
        chain.link(11)
    for k in (0, -1):
        with pytest.raises(ValueError, match="counted from 1"):
            chain.link(k)


@pytest.mark.parametrize(("secret", "length"), [(b"short", 10), (SECRET, 0)])
def test_a_chain_without_secret_or_links_is_not_made(secret: bytes, length: int) -> None:
    with pytest.raises(ValueError, match="at least one link"):
        Chain(secret, LIST, "red", length)


def test_a_link_costs_at_most_64_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = Chain(SECRET, LIST, "red")
    hashes: list[int] = []
    walk = Chain._walk
    monkeypatch.setattr(
        Chain, "_walk", lambda self, value, steps: (hashes.append(steps), walk(self, value, steps))[1]
    )
    for k in (1, 2, 63, 64, 65, 2048, 4095, 4096):
        chain.link(k)
    assert max(hashes) < 64


# --- seeds ---------------------------------------------------------------------------------------


def test_a_decision_never_passes_for_a_link() -> None:
    a, b, c = b"a" * 32, b"b" * 32, b"c" * 32
    seeds = {
        seed(LIST, 7, [a, b], [c]),
        seed(LIST, 7, [a], [b, c]),
        seed(LIST, 7, [a, b, c], []),
        seed(LIST, 7, [b, a], [c]),
        seed(LIST, 8, [a, b], [c]),
        seed(b"M" * 32, 7, [a, b], [c]),
    }
    assert len(seeds) == 6


def test_the_seed_is_the_digest_the_protocol_names() -> None:
    assert seed(LIST, 7, [b"a"], [b"b", b"c"]) == digest("event", LIST, 7, 1, b"a", 2, b"b", b"c")


# --- integers ------------------------------------------------------------------------------------


def test_every_bound_up_to_256_is_hit_equally_often_by_all_bytes_there_are() -> None:
    for bound in range(2, 257):
        hits = Counter(from_bits(bytes([byte]), bound) for byte in range(256))
        rejected = hits.pop(None, 0)
        assert sorted(hits) == list(range(bound))
        assert len(set(hits.values())) == 1
        assert sum(hits.values()) + rejected == 256


@pytest.mark.parametrize("bound", [3, 6, 10, 148, 250, 256])
def test_and_by_all_pairs_of_bytes(bound: int) -> None:
    hits = Counter(from_bits(bytes(pair), bound) for pair in product(range(256), repeat=2))
    hits.pop(None, None)
    assert sorted(hits) == list(range(bound))
    assert len(set(hits.values())) == 1


def test_bits_are_taken_from_the_front_just_enough_of_them() -> None:
    assert from_bits(bytes([0b111_110_01]), 6) is None
    assert from_bits(bytes([0b0110_1001]), 10) == 6


def test_a_block_used_up_is_followed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter([b"\xff" * 32, b"\xff" * 32, bytes([0b100_00000]) + bytes(31)])
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(chance, "keyed", lambda *parts: (asked.append(parts), next(blocks))[1])
    assert integer(b"s", 3, 2, 6) == 4
    assert asked == [(b"s", "integer", 3, 2, block) for block in range(3)]


def test_one_face_needs_no_hash_and_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="at least 2"):
        integer(b"s", 0, 0, 0)
    with pytest.raises(ValueError, match="fits into one block"):
        integer(b"s", 0, 0, 2**256 + 1)
    monkeypatch.delattr(chance, "keyed")
    assert integer(b"s", 0, 0, 1) == 0


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(1, 300), max_size=8))
def test_integers_are_below_their_bounds_and_each_has_its_own_number(key: bytes, bounds: list[int]) -> None:
    drawn = integers(key, 5, bounds)
    assert all(0 <= value < bound for value, bound in zip(drawn, bounds, strict=True))
    assert drawn == tuple(integer(key, 5, index, bound) for index, bound in enumerate(bounds))


@given(st.binary(min_size=32, max_size=32), st.integers(0, 40))
def test_a_shuffle_loses_and_invents_nothing(key: bytes, n: int) -> None:
    assert sorted(shuffle(key, 1, n)) == list(range(n))


def test_requests_and_indexes_do_not_repeat_each_other() -> None:
    drawn = {integer(SECRET, request, index, 2**200) for request in range(12) for index in range(12)}
    assert len(drawn) == 144


# --- uniformity ----------------------------------------------------------------------------------


def chi_square_tail(statistic: float, freedom: int) -> float:
    """P(chi-square > statistic): the upper regularised incomplete gamma function, by its series."""
    a, x = freedom / 2, statistic / 2
    term = total = 1 / a
    k = a
    while term > total * 1e-16:
        k += 1
        term *= x / k
        total += term
    return 1 - total * math.exp(a * math.log(x) - x - math.lgamma(a))


def assert_uniform(drawn: Iterable[object], weights: dict[object, float]) -> None:
    hits = Counter(drawn)
    assert set(hits) <= set(weights)
    size = sum(hits.values())
    statistic = sum((hits[face] - size * weight) ** 2 / (size * weight) for face, weight in weights.items())
    assert 1e-4 <= chi_square_tail(statistic, len(weights) - 1) <= 1 - 1e-4


def seeds(label: str) -> Iterable[bytes]:
    return (digest("test", label, event) for event in range(SIZE))


def test_the_tail_of_chi_square_is_the_one_in_the_tables() -> None:
    assert chi_square_tail(11.070, 5) == pytest.approx(0.05, abs=1e-4)
    assert chi_square_tail(18.307, 10) == pytest.approx(0.05, abs=1e-4)
    assert chi_square_tail(145.461, 119) == pytest.approx(0.05, abs=1e-3)


def test_a_modulo_would_be_noticed() -> None:
    with pytest.raises(AssertionError):
        assert_uniform((key[0] % 10 for key in seeds("modulo")), dict.fromkeys(range(10), 1 / 10))


def test_d6() -> None:
    assert_uniform((integer(key, 0, 0, 6) for key in seeds("d6")), dict.fromkeys(range(6), 1 / 6))


def test_2d6() -> None:
    weights = {total: (6 - abs(total - 5)) / 36 for total in range(11)}
    assert_uniform((sum(integers(key, 0, (6, 6))) for key in seeds("2d6")), weights)


def test_d10() -> None:
    assert_uniform((integer(key, 0, 0, 10) for key in seeds("d10")), dict.fromkeys(range(10), 1 / 10))


def test_shuffles_of_5() -> None:
    weights: dict[object, float] = dict.fromkeys(permutations(range(5)), 1 / 120)
    assert_uniform((shuffle(key, 0, 5) for key in seeds("shuffle")), weights)
