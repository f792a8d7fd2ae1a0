"""Announced absence: until when a machine waits for a seat, and what each seat may take of it."""

from __future__ import annotations

from pbem.protocol.papers.bodies import Absence
from pbem.protocol.papers.invitation import Clocks
from pbem.protocol.papers.times import stamp
from pbem.protocol.rounds.clocks import HOUR, clocks_of, deadline, hours_left
from tests.scenes import play, table_of, texts
from tests.table import START, Player, give, same_everywhere

DAY = 24 * HOUR


def away(table: dict[str, Player], seat: str, until: float) -> None:
    """An announcement, in days after the beginning; the next decision of a takes it in."""
    give(table, table[seat].entry("absence", Absence(stamp(round(START + until * DAY)))))
    play(table, "a", "swear")


def ends(player: Player, seat: str, came: int = START) -> int:
    """Until when a machine waits for a seat that came to this tip at `came`."""
    owed = player.ledger.due()[seat]
    return deadline(clocks_of(player.contract, player.ledger.state), player.ledger.state, owed, came)


def left(player: Player, seat: str) -> int:
    return hours_left(player.contract.invite.clocks, player.ledger.state, seat)


def test_a_seat_that_is_away_has_until_it_is_back() -> None:
    table = table_of(2)
    usual = table["a"].contract.invite.clocks
    assert ends(table["a"], "a") == START + usual.move * HOUR
    away(table, "a", 20)
    one = same_everywhere(table)
    assert ends(one, "a") == START + 20 * DAY
    late = START + 19 * DAY
    assert ends(one, "a", late) == late + usual.move * HOUR, "or its usual time, if that is longer"


def test_it_counts_only_when_a_decision_has_taken_it_in() -> None:
    table = table_of(2)
    give(table, table["b"].entry("absence", Absence(stamp(START + 5 * DAY))))
    assert not table["a"].ledger.state.absences
    play(table, "a", "swear")
    assert set(same_everywhere(table).ledger.state.absences) == {"b"}


def test_no_more_than_the_allowance_can_be_taken_and_only_more_time_is_charged() -> None:
    table = table_of(2, clocks=Clocks(24, 24, 24, 10 * 24))
    away(table, "a", 6)
    spent = 240 - left(table["a"], "a")
    assert 0 < spent <= 6 * 24
    away(table, "a", 3)
    assert left(table["a"], "a") == 240 - spent, "an earlier end costs nothing and gives nothing back"
    away(table, "a", 30)
    one = same_everywhere(table)
    assert left(one, "a") == 240 - spent and one.ledger.state.absences["a"].until == stamp(START + 3 * DAY)
    assert any(text.startswith("a: this absence has no effect") for text in texts(table))


def test_the_contract_may_grant_none() -> None:
    table = table_of(2, clocks=Clocks(24, 24, 24, 0))
    away(table, "a", 5)
    one = same_everywhere(table)
    assert not one.ledger.state.absences and ends(one, "a") == START + DAY
