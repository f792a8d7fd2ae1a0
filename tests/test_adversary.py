"""The generic adversary, for a short while; `python -m tests.adversary` runs the same searches for longer.

No cheat is written down here. Each search tries whatever can be signed, and must find nothing; with a check
taken out it must find something, so that finding nothing means something.
"""

from __future__ import annotations

import pytest

from tests.adversary import comfort, foresight, harm
from tests.adversary.flaws import BEYOND_THE_SEARCHES, FLAWS, of, without

SEED = 7


@pytest.mark.parametrize(("seats", "schedules"), [(2, 8), (3, 4), (6, 1)])
def test_no_honest_seat_is_harmed(seats: int, schedules: int) -> None:
    for number in range(schedules):
        assert harm.run_one(harm.GAMES[number % len(harm.GAMES)], seats, SEED, number) is None


FOUND = {
    "two forfeits that took in consents to new keys": ("weather", 3, 777, 47),
    "two forfeits that took in consents and an absence": ("own", 3, 777, 48),
    "two forfeits of who had published its secret before": ("own", 3, 777, 76),
    "two forfeits that took in the same breach": ("deeds", 3, 777, 90),
    "a half whose follower saw another position: went to and fro for ever": ("deeds", 3, 777, 150),
    "consents to two papers in one round": ("deeds", 3, 777, 158),
    "half of a double dated in two weeks": ("deeds", 2, 2001, 1338),
    "an answer that was signed for another place, given again for ever": ("shared", 2, 2001, 213),
    "two halves in a round that changed their author's keys, shown to one seat each": ("weather", 3, 777, 11),
    "two halves, a breach in one of them": ("own", 3, 777, 84),
    "an answer and a complaint to one round, shown to one seat each": ("own", 3, 3001, 1024),
    "room for halves filled with rubbish": ("deeds", 3, 9102, 898),
    "two halves that both were built on, in an order that no replay makes": ("shared", 3, 9102, 1125),
    "an entry named before the log had it counts as a receipt": ("shared", 6, 9302, 61),
    "a line that ends with the same entry counts as a receipt for all of it": ("deeds", 3, 11001, 234),
    "two audits of one number, signed for two places": ("thieves", 3, 11001, 348),
    "who signed two halves votes one of them away itself": ("shared-by-hand", 2, 12002, 4166),
    "two halves, one said to follow the other, sent to and fro for ever": ("shared", 3, 13003, 1945),
    "who broke the rules votes its breach away when all have published": ("deeds", 3, 14003, 146),
    "two halves, one of them named only by what its author signed after it": ("own", 3, 14003, 928),
    "a half that somebody names only after it was weighed": ("weather", 3, 14003, 1547),
    "who has resigned forfeits another seat, and takes it back": ("own-by-hand", 3, 15003, 765),
    "a forfeit of who has published, taken in by that seat's own": ("shared-by-hand", 2, 16002, 4798),
    "two breaches with one number, one named by a logged audit": ("deeds", 3, 17003, 834),
    "an audit that names, in another line, what the log has as well": ("weather", 3, 19003, 1875),
    "a half is named only by what follows it, which is no evidence yet": ("shared", 3, 20003, 113),
    "so many halves that two machines send each other what they drop": ("shared", 3, 21003, 673),
    "two halves that are built on, and a third with the lowest id": ("deeds", 3, 23003, 26),
    "a late seat hides behind an answer that takes in what never comes": ("weather", 3, 5000, 1039),
}
"""What the long search found, each mended."""


@pytest.mark.parametrize("what", FOUND)
def test_what_was_found_is_mended(what: str) -> None:
    assert harm.run_one(*FOUND[what]) is None


@pytest.mark.parametrize(("seats", "walks"), [(2, 6), (3, 3), (6, 1)])
def test_nobody_foresees_what_falls(seats: int, walks: int) -> None:
    games = list(foresight.GAMES)
    for number in range(walks):
        game = games[number % len(games)]
        assert foresight.run_one(game, seats, SEED, number, steps=20, share=0.2, limit=50) is None


@pytest.mark.parametrize(("seats", "games"), [(2, 6), (3, 3), (6, 1)])
def test_nothing_is_called_lawful_that_was_not_made_again(seats: int, games: int) -> None:
    names = list(comfort.GAMES)
    for number in range(games):
        assert comfort.run_one(names[number % len(names)], seats, SEED, number) is None


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_flaw_that_is_put_back_is_found(flaw: str) -> None:
    one = FLAWS[flaw]
    search = {"harm": harm, "foresight": foresight, "comfort": comfort}[one.search]
    assert search.run_one(*one.course) is None, "as the program is; what both searches begin with is kept"
    with without(one.removed):
        assert search.run_one(*one.course) is not None


def test_what_the_searches_cannot_reach_has_a_cheat_of_its_own() -> None:
    assert all(of(cheat) for cheat in BEYOND_THE_SEARCHES.values())
