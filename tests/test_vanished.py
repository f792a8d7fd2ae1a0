"""A seat that vanishes from a game of three or more: the others put its secret together and go on."""

from __future__ import annotations

import random

import pytest

from pbem.protocol.papers.bodies import ClaimTime, Forfeit
from pbem.protocol.papers.times import seconds, stamp
from tests.table import Player, entry_of, give, play_out, players, same_everywhere, settle

HOUR = 3600


def step(table: dict[str, Player], rng: random.Random) -> bool:
    """One decision of somebody who is asked, and the answers to it."""
    for player in table.values():
        raw = player.decide(rng)
        if raw is not None:
            give(table, raw)
            settle(table)
            return True
    return False


def late_seats(player: Player) -> tuple[str, ...]:
    return tuple(player.ledger.missing())


def forfeits(player: Player, *seats: str) -> list[bytes]:
    """A claim and a forfeit after clock and grace, taken in by their author alone."""
    clocks, state = player.contract.invite.clocks, player.ledger.state
    at = seconds(state.clock) + clocks.move * HOUR
    claim = player.entry("claim", ClaimTime(seats, state.question), sent=stamp(max(at, seconds(state.since))))
    player.receive(claim)
    claimed = entry_of(claim).head.sent
    end = stamp(seconds(claimed) + clocks.grace * HOUR)
    seen = tuple(dict.fromkeys((*player.unseen(), *player.ledger.present())))
    forfeit = player.entry("forfeit", Forfeit(seats, claimed, state.question), seen, sent=end)
    player.receive(forfeit)
    return [claim, forfeit]


def go_on_without(table: dict[str, Player], gone: str) -> dict[str, Player]:
    """The others play until the seat that is gone is waited for; then it forfeits. Returns those who stay."""
    rest = {seat: player for seat, player in table.items() if seat not in gone}
    rng = random.Random(gone)
    settle(rest)
    while True:
        one = next(iter(rest.values()))
        late = late_seats(one)
        if late and set(late) <= set(gone):
            break
        assert step(rest, rng), late
    claimant = next(p for p in rest.values() if p.seat not in late)
    for raw in forfeits(claimant, *late):
        give(rest, raw)
    settle(rest)
    return rest


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_a_game_goes_on_to_its_end_without_a_seat_that_vanished(count: int) -> None:
    table = players(count)
    rng = random.Random(count)
    settle(table)
    for _ in range(count):
        step(table, rng)
    gone = rng.choice(list(table))
    rest = go_on_without(table, gone)
    one = same_everywhere(rest)
    assert one.ledger.state.opened == {gone: table[gone].secrets.secret.hex()}
    assert one.ledger.state.opened_boxes == {gone: table[gone].secrets.box_secret.hex()}
    play_out(rest, rng)
    one = same_everywhere(rest)
    assert one.over and one.ledger.state.verdict is None and not one.ledger.missing()
