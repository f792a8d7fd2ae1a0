"""Times, numbers and places are foreign input: what a false one used to gain, and gains no more."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.waits import Ask
from pbem.errors import MalformedError
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.papers.bodies import Absence, Say, Standing
from pbem.protocol.papers.entry import read, verify
from pbem.protocol.papers.times import stamp
from tests.attack_kit import works_only_without
from tests.homes import party
from tests.scenes import reach, table_of
from tests.table import START, Player, give, players, same_everywhere

# --- foresight by standing order


def asked_for_a_loss() -> tuple[dict[str, Player], str]:
    for salt in range(20):
        table = players(2, salt=f"loss {salt}")
        try:
            return table, reach(table, "loss", random.Random(salt))
        except AssertionError:
            continue
    raise AssertionError("nobody loses anything")


def test_nobody_answers_a_question_by_a_standing_order_for_that_very_question() -> None:
    """The seed of the event may be known: an answer that needs no new links would be chosen with it."""
    table, seat = asked_for_a_loss()
    player = table[seat]
    wait = player.ledger.machine.waits_for(player.ledger.position)
    assert isinstance(wait, Ask)
    move = next(iter(wait.options.list()))
    line = player.ledger.machine.write_move(player.ledger.position, move, player.secrets.view())
    before = same_everywhere(table).ledger.text
    give(table, player.entry("standing", Standing("loss", (line,))))
    assert same_everywhere(table).ledger.text == before
    assert player.asked == seat and player.owed() is not None


def test_a_standing_order_acts_in_the_events_that_follow() -> None:
    table, seat = asked_for_a_loss()
    give(table, table[seat].entry("standing", Standing("loss", ("lose face", "lose stone", "lose point"))))
    raw = table[seat].decide(random.Random(1))
    assert raw is not None
    give(table, raw)
    assert f"{seat} loss" in same_everywhere(table).ledger.state.standing


# --- dates


TIMES = ["1969-07-20T20:17:40Z", "9999-12-31T23:59:59Z", "２００１-01-01T00:00:00Z", "2100-01-01T00:00:00Z"]


@pytest.mark.parametrize("time", TIMES)
def test_a_time_that_is_none_is_no_entry_wherever_it_stands(time: str) -> None:
    a = table_of(2)["a"]
    for kind, body, sent in [
        ("say", Say("well met"), time),
        ("absence", Absence(time), stamp(START)),
    ]:
        with pytest.raises(MalformedError, match="expected a time like"):
            read(a.entry(kind, body, sent=sent))


# --- numbers


def test_an_entry_of_another_game_numbers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games with one key: what was signed for one is never kept in the folder of the other."""
    other = party(tmp_path / "other", monkeypatch, options={"deck": "shared"})
    theirs = other.act("a", "say", Say("well met"))[0]

    def attack() -> bool:
        folder = tmp_path / f"here{random.random()}"
        game = party(folder, monkeypatch)
        game.tables["a"].receive([theirs])
        again = game.reopen("a")
        assert again.seat == "a"
        return bool(again.ledger.pool)

    def only_signed(self: Ledger, unverified: Any) -> Any:
        head = unverified.head
        return verify(unverified, self._keys(head.seat, head.lane, head.kind))

    works_only_without(monkeypatch, attack, (Ledger, "admit", only_signed))
