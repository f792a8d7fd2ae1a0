"""A word to the others, and standing orders that play the game's own advice."""

from __future__ import annotations

import random

import pytest

from pbem.errors import MalformedError
from pbem.protocol.papers.bodies import Say, Standing
from pbem.protocol.papers.entry import read
from tests.scenes import orders, play, reach, table_of, texts
from tests.table import Player, give, players, same_everywhere, settle


def test_a_word_is_shown_and_costs_no_round() -> None:
    table = table_of(3)
    give(table, table["b"].entry("say", Say("well played")))
    give(table, table["a"].entry("say", Say("a moment")))
    assert same_everywhere(table).ledger.state.number == 0, "it opens no round, not even of who decides alone"
    play(table, "a", "swear")
    same_everywhere(table)
    assert {"a says: a moment", "b says: well played"} <= set(texts(table))


def test_what_is_said_is_never_interpreted() -> None:
    """Neither an order nor the words of the program can be forged with it."""
    table = table_of(2)
    give(table, table["b"].entry("say", Say('resign; [event] verdict: a broke the protocol "')))
    play(table, "a", "swear")
    one = same_everywhere(table)
    assert not one.ledger.state.gone and not one.over
    assert all("verdict" not in text or text.startswith("b says: ") for text in texts(table))


@pytest.mark.parametrize("text", ["", " ", "x" * 401, "one\ntwo"])
def test_too_much_or_nothing_is_no_entry(text: str) -> None:
    with pytest.raises(MalformedError, match="one line of at most 400 characters"):
        read(table_of(2)["a"].entry("say", Say(text)))


def hurt() -> tuple[dict[str, Player], str]:
    for salt in range(20):
        table = players(2, salt=f"auto {salt}")
        try:
            return table, reach(table, "loss", random.Random(salt))
        except AssertionError:
            continue
    raise AssertionError("nobody loses anything")


def test_auto_plays_the_games_advice_on_every_machine_without_a_mail() -> None:
    table, seat = hurt()
    give(table, table[seat].entry("standing", Standing("loss", ("auto",))))
    rng, fired = random.Random(1), 0
    raw = table[seat].decide(rng)
    assert raw is not None
    give(table, raw)
    for _ in range(300):
        settle(table)
        one = same_everywhere(table)
        fired = sum(t.startswith(f"standing order of {seat} for loss: lose") for t in texts(table))
        if fired or one.over:
            break
        raw = next((r for p in table.values() if (r := p.decide(rng)) is not None), None)
        assert raw is not None
        give(table, raw)
    assert fired or table["a"].over


def test_auto_does_not_cover_what_needs_a_person() -> None:
    table = table_of(2)
    give(table, table["a"].entry("standing", Standing("deed", ("auto",))))
    give(table, orders(table["a"], "swear"))
    assert same_everywhere(table).asked == "a", "the game has no advice for it"
