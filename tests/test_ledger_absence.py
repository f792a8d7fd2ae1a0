"""Announced absence: the clock of a seat stands still as far as its allowance goes, alike on all machines."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import pytest
from pbem.protocol.log.forfeits import with_absences
from pbem.protocol.log.settlements import settlement

from pbem.protocol.papers.bodies import Absence, ClaimTime, Forfeit
from pbem.protocol.papers.invitation import Clocks
from pbem.protocol.papers.times import stamp
from pbem.protocol.rounds.clocks import HOUR, claim_of, deadline, hours_left
from tests.scenes import reach, table_of, texts
from tests.table import START, Network, Player, give, players, same_everywhere

DAY = 24 * HOUR
MOVE, GRACE, ALLOWED = 14, 3, 21
"""The usual clocks, in days."""


def away(player: Player, begin: float, until: float, seen: tuple[str, ...] = ()) -> bytes:
    """An announcement, in days after the beginning."""
    body = Absence(stamp(round(START + until * DAY)))
    return player.entry("absence", body, seen, sent=stamp(round(START + begin * DAY)))


def claim(player: Player, *seats: str, day: float, seen: tuple[str, ...] | None = None) -> bytes:
    seen = player.unseen() if seen is None else seen
    return player.entry(
        "claim", ClaimTime(seats, player.ledger.state.question), seen, sent=stamp(round(START + day * DAY))
    )


def forfeit(player: Player, *seats: str, day: float, seen: tuple[str, ...] | None = None) -> bytes:
    claimed = player.ledger.claimed(player.seat)
    assert claimed is not None
    seen = player.unseen() if seen is None else seen
    seen = tuple(dict.fromkeys((*seen, *player.ledger.present())))
    return player.entry(
        "forfeit",
        Forfeit(seats, claimed, player.ledger.state.question),
        seen,
        sent=stamp(round(START + day * DAY)),
    )


def ends(player: Player, waiting: bool = True) -> dict[str, float]:
    """The deadlines of the present question, in days after the beginning."""
    state = with_absences(player.ledger) if waiting else player.ledger.state
    clocks = player.contract.invite.clocks
    return {
        s: round((deadline(clocks, state, d) - START) / DAY, 6) for s, d in player.ledger.missing().items()
    }


def left(player: Player, seat: str) -> float:
    return hours_left(player.contract.invite.clocks, player.ledger.state, seat) / 24


def decide(player: Player, text: str, day: float) -> bytes:
    """Orders that say when they were sent."""
    body = player.secrets.orders(text)
    return player.entry("orders", body, player.unseen(), sent=stamp(round(START + day * DAY)))


def verdict(player: Player) -> str:
    found = player.ledger.state.verdict
    return "" if found is None else found.culprit or found.reason.event


# --- deadlines


def test_the_clock_stands_still_for_who_decides_and_is_away() -> None:
    table = table_of(2)
    give(table, away(table["a"], 2, 12))
    one = same_everywhere(table)
    assert one.ledger.state.number == 1 and one.asked == "a", "it opens the same question again"
    assert ends(one) == {"a": MOVE + 10} and left(one, "a") == ALLOWED - 10 and left(one, "b") == ALLOWED
    one.reopen()
    assert ends(one) == {"a": MOVE + 10}, "position.toml keeps it"


@pytest.mark.parametrize(
    ("begin", "until", "end"),
    [(0, 1, 15), (0, 6, 20), (13, 15, 16), (14, 20, 14), (15, 20, 14)],
    ids=["a day of it", "at the beginning", "at the end", "as it runs out", "too late"],
)
def test_only_the_part_within_the_open_question_counts(begin: int, until: int, end: int) -> None:
    table = table_of(2)
    give(table, away(table["a"], begin, until))
    assert ends(same_everywhere(table)) == {"a": end}
    assert left(table["a"], "a") == ALLOWED - (until - begin)


def test_out_of_turn_it_counts_when_it_is_seen_and_for_the_question_that_follows() -> None:
    table = table_of(3)
    give(table, away(table["b"], 1, 9))
    assert table["a"].ledger.state.number == 0 and ends(table["a"]) == {"a": 14}
    give(table, decide(table["a"], "done", 2))
    one = same_everywhere(table)
    assert ends(one, waiting=False) == {"b": 2 + MOVE + 7}
    give(table, decide(one and table["b"], "done", 3))
    assert ends(same_everywhere(table)) == {"c": 3 + MOVE}


def test_the_secret_at_the_end_is_due_in_its_own_time() -> None:
    table = table_of(2)
    give(table, decide(table["a"], "done", 1))
    give(table, away(table["b"], 2, 12))
    give(table, decide(table["b"], "done", 3))
    assert ends(same_everywhere(table)) == {"a": 3 + 14, "b": 3 + 14}


# --- the allowance


@pytest.mark.parametrize(
    ("begin", "until", "words"),
    [
        (1, 1, "it ends before it begins"),
        (2, 1, "it ends before it begins"),
        (1, ALLOWED + 1.001, "504 hours of absence are left"),
    ],
)
def test_what_cannot_be_is_logged_without_effect(begin: float, until: float, words: str) -> None:
    table = table_of(2)
    give(table, away(table["a"], begin, until))
    assert texts(table)[0] == f"a: absence without effect: {words}"
    assert ends(same_everywhere(table)) == {"a": 14} and left(table["a"], "a") == ALLOWED


def test_the_contract_may_grant_none() -> None:
    table = table_of(2, clocks=Clocks(24, 24, 24, 0))
    give(table, away(table["a"], 0.1, 0.2))
    assert texts(table)[0] == "a: absence without effect: the contract grants no absence"
    assert ends(same_everywhere(table)) == {"a": 1}


def test_another_announcement_replaces_the_first_and_only_more_time_is_charged() -> None:
    table = table_of(2)
    a = table["a"]
    give(table, away(a, 1, 5))
    give(table, away(a, 3, 11))
    assert ends(a) == {"a": MOVE + 10} and left(a, "a") == ALLOWED - 10
    give(table, away(a, 12, 24))
    assert texts(table)[-1] == "a: absence without effect: 264 hours of absence are left"
    give(table, away(a, 12, 15))
    assert ends(same_everywhere(table)) == {"a": MOVE + 10 + 3}, "a later one does not take the first away"
    assert left(a, "a") == ALLOWED - 13
    give(table, decide(a, "done", 16))
    give(table, decide(table["b"], "done", 17))
    assert left(same_everywhere(table), "a") == ALLOWED - 13


def test_unused_hours_come_back_when_another_seat_decides() -> None:
    table = table_of(3, scenario="short")
    a, b = table["a"], table["b"]
    give(table, away(a, 1, 11))
    give(table, away(a, 3, 3))
    assert texts(table)[-1].startswith("a is back; ")
    assert ends(a) == {"a": MOVE + 2} and left(a, "a") == ALLOWED - 10
    give(table, decide(a, "done", 4))
    assert left(a, "a") == ALLOWED - 10, "one's own word gives nothing back"
    give(table, decide(b, "done", 5))
    assert left(same_everywhere(table), "a") == ALLOWED - 4
    give(table, away(a, 6, 6))
    give(table, decide(table["c"], "done", 7))
    assert "a: absence without effect: it ends before it begins" in texts(table)


def test_an_early_end_that_was_none_gives_nothing_back() -> None:
    """a is away for ten days, plays, and then says that it had been back at once: b's move tells."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    give(table, away(a, 1, 11))
    give(table, b.entry("absence", Absence(stamp(START + 5 * DAY)), sent=stamp(START + DAY)))
    give(table, away(a, 1.001, 1.001))
    give(table, decide(a, "done", 1.002))
    give(table, decide(b, "done", 16))
    assert left(same_everywhere(table), "a") == ALLOWED - 10


def test_however_it_is_announced_no_more_than_the_allowance_is_gained() -> None:
    """Random announcements with any times: the deadline never moves by more than is granted or charged."""
    rng = random.Random(7)
    for _ in range(40):
        table = table_of(2)
        a = table["a"]
        for begin in sorted(rng.uniform(0, 40) for _ in range(12)):
            give(table, away(a, begin, begin + rng.uniform(-3, 12)))
            gained = ends(a)["a"] - MOVE
            assert 0 <= gained <= ALLOWED and gained * 24 <= ALLOWED * 24 - left(a, "a") * 24 + 0.001


# --- claims and forfeits


def test_a_claim_before_the_extended_end_has_no_effect_and_after_it_leads_to_a_forfeit() -> None:
    table = table_of(2)
    a, b = table["a"], table["b"]
    give(table, away(a, 1, 11))
    clocks, owed = b.contract.invite.clocks, b.ledger.missing()
    assert claim_of(clocks, b.ledger.state, owed, "b", stamp(START + 24 * DAY - 1)) is None
    assert claim_of(clocks, b.ledger.state, owed, "b", stamp(START + 24 * DAY)) == ClaimTime(
        ("a",), b.ledger.state.question
    )
    give(table, claim(b, "a", day=20))
    give(table, forfeit(b, "a", day=23))
    assert verdict(a) == ""
    give(table, claim(b, "a", day=24))
    give(table, forfeit(b, "a", day=24 + GRACE))
    one = same_everywhere(table)
    assert verdict(one) == "a"
    assert "b: claim without effect: the clock of a has not run out" in texts(table)


def test_a_claim_names_only_seats_whose_own_clock_has_run_out() -> None:
    table = players(3)
    reach(table, "bid", random.Random(3))
    a, b, c = table["a"], table["b"], table["c"]
    opened = ends(a)["a"] - MOVE
    give(
        table, b.entry("absence", Absence(stamp(int(START + (opened + 5) * DAY))), sent=b.ledger.state.since)
    )
    raw = a.decide(random.Random(1))
    assert raw is not None
    give(table, raw)
    known = with_absences(a.ledger)
    late = stamp(round(START + (opened + MOVE) * DAY))
    assert claim_of(a.contract.invite.clocks, known, a.ledger.missing(), "a", late) == ClaimTime(
        ("c",), known.question
    )
    assert ends(c) == pytest.approx({"b": opened + MOVE + 5, "c": opened + MOVE})
    give(table, claim(a, "b", "c", day=opened + MOVE))
    assert a.ledger.claimed("a") is not None
    give(table, forfeit(a, "b", "c", day=opened + MOVE + GRACE))
    assert verdict(a) == "", "b had announced it"
    give(table, claim(a, "c", day=opened + MOVE + GRACE))
    give(table, forfeit(a, "c", day=opened + MOVE + 2 * GRACE))
    leaving = same_everywhere(table).ledger.state.leaving
    assert leaving is not None and leaving.seats == ("c",)


def late_game(count: int, simultaneous: bool) -> tuple[dict[str, Player], str, str, list[bytes]]:
    """An absence, and a claim and a forfeit by one who has not got it: who claims, who is late, all three."""
    table = players(count) if simultaneous else table_of(count)
    who, late = "b", "a"
    if simultaneous:
        reach(table, "bid", random.Random(3))
        raw = table[who].decide(random.Random(1))
        assert raw is not None
        give(table, raw)
        for player in table.values():
            if player.seat not in (who, late):
                raw = player.decide(random.Random(1))
                assert raw is not None
                give(table, raw)
    opened = ends(table[late])[late] - MOVE
    told = away(table[late], opened + 1, opened + 11)
    notice = claim(table[who], late, day=opened + MOVE)
    table[who].receive(notice)
    end = forfeit(table[who], late, day=opened + MOVE + GRACE)
    return table, who, late, [told, notice, end]


@pytest.mark.parametrize("simultaneous", [False, True])
def test_an_absence_that_the_claimant_had_not_got_stops_a_forfeit_after_which_three_would_go_on(
    simultaneous: bool,
) -> None:
    for order in itertools.permutations(range(3)):
        table, _, late, raws = late_game(3, simultaneous)
        for number in order:
            table[late].receive(raws[number])
        state = table[late].ledger.state
        assert state.verdict is None and state.leaving is None, order


@pytest.mark.parametrize("simultaneous", [False, True])
def test_an_absence_that_the_claimant_had_not_got_makes_the_forfeit_disputed_in_any_order(
    simultaneous: bool,
) -> None:
    for order in itertools.permutations(range(3)):
        table, _, late, raws = late_game(2, simultaneous)
        player = table[late]
        for number in order:
            player.receive(raws[number])
        assert verdict(player) == "Disputed", order
        again = Player(player.contract, late, player.key, player.rules)
        for logged in player.log:
            again.receive(logged.entry.raw)
        assert again.texts == player.texts


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_all_can_agree_to_go_on_after_it(order: tuple[int, ...], simultaneous: bool) -> None:
    table, who, late, raws = late_game(2, simultaneous)
    for player in table.values():
        for number in order:
            player.receive(raws[number])
    for player in list(table.values()):
        give(table, player.entry("settle", settlement(player.ledger, player.seat)))
    for player in table.values():
        assert verdict(player) == ""
        assert late in player.ledger.missing()
    raw = table[late].decide(random.Random(5))
    assert raw is not None
    give(table, raw)
    assert verdict(table[who]) == verdict(table[late]) == ""
    assert table[who].ledger.state.absences[late] == table[late].ledger.state.absences[late]


def test_an_absence_that_would_have_changed_nothing_is_no_excuse() -> None:
    table = table_of(2)
    a, b = table["a"], table["b"]
    late = away(a, MOVE + 1, MOVE + 5)
    give({"b": b}, claim(b, "a", day=MOVE))
    raws = [e.raw for e in b.ledger.pool.values()]
    give({"b": b}, forfeit(b, "a", day=MOVE + GRACE))
    assert verdict(b) == "a"
    b.receive(late)
    assert verdict(b) == "a" and len(raws) == 1


def test_who_has_seen_the_absence_cannot_forfeit_by_looking_away_from_its_own_words() -> None:
    """The forfeit lists the absence as seen: it has no effect, whatever head it names."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    told = away(a, 1, 11)
    b_claim = claim(b, "a", day=MOVE)
    b.receive(b_claim)
    seen = (entry_id_of(told),)
    end = forfeit(b, "a", day=MOVE + GRACE, seen=seen)
    for raw in (told, b_claim, end):
        give(table, raw)
    assert verdict(same_everywhere(table)) == ""


def entry_id_of(raw: bytes) -> str:
    from tests.table import entry_of

    return entry_of(raw).id


# --- any order of arrival


class Travellers(Network):
    """Out of turn, these players mostly say that they will be away, or that they are back."""

    def aside(self, player: Player) -> bytes:
        if self.rng.random() < 0.3:
            return super().aside(player)
        until = stamp(START + self.rng.randint(0, 40 * DAY))
        return player.entry("absence", Absence(until), player.unseen())


@pytest.mark.parametrize("seed", range(6))
def test_every_order_of_arrival_makes_the_same_log(seed: int) -> None:
    rng = random.Random(f"absence {seed}")
    table = players(2 + seed % 2)
    network = Travellers(table, rng)
    network.standing = 0.4
    sent = network.play()
    one = same_everywhere(table)
    assert any(logged.entry.head.kind == "absence" for logged in one.log)
    for again in fresh(one, 3):
        for raw in rng.sample(sent, len(sent)):
            again.receive(raw)
        assert again.texts == one.texts


def fresh(one: Player, count: int) -> Iterable[Player]:
    for _ in range(count):
        yield Player(one.contract, one.seat, one.key, one.rules)
