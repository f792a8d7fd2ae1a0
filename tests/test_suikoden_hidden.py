"""Games of suikoden that differ only in cards the watcher never sees look the same to it, mail by mail.

`hidden_tables` says how they are made. In the line of three seats cards go from hand to hand unseen (event
4); in S four cards of each player go back into the deck unseen. All games of a line have the same orders and
other cards, so that each two of them are a pair. More of them:
`python -m tests.test_suikoden_hidden 10` plays 10 games of each line, 45 pairs.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import pytest

from tests.hidden_hand import difference
from tests.hidden_tables import Line, Played, line_of

LINES: dict[str, tuple[str, int, int, int, str, tuple[str, ...]]] = {
    "D": ("deck-building", 2, 1, 12, "line", ()),
    "S": ("shared-deck", 2, 0, 6, "line", ()),
    "M": ("multiplayer", 3, 2, 10, "b", ("event", "rob")),
}
"""Scenario, seats, who watches, decisions, name of the line, which orders are preferred."""


def games_of(line: Line, work: Path, games: int) -> tuple[Played, list[dict[object, str]]]:
    """So many games of a line, each with other unseen cards and each like the first to the watcher."""
    first = line.game(work, {})
    rng = random.Random(f"{line.scenario} {line.name}")
    truths: list[dict[object, str]] = [dict(first.loose)]
    while len(truths) < games:
        moved = line.twin(first, rng)
        truth = {
            (deck, slot): first.loose[deck, slot._replace(place=moved[deck, slot.epoch][slot.place])]
            for deck, slot in first.loose
        }
        assert truth not in truths
        truths.append(truth)
        other = line.game(work, moved, first.orders)
        assert difference(first, other) == ""  # type: ignore[arg-type]
    return first, truths


@pytest.mark.parametrize("mode", LINES)
def test_games_that_differ_in_unseen_cards_look_the_same_to_the_others(mode: str, tmp_path: Path) -> None:
    """Mails both ways in size and order, reports, board, log, folder, history, home."""
    line = line_of(tmp_path / "work", *LINES[mode])
    first, truths = games_of(line, tmp_path / "work", 2)
    differ = [slot for slot in truths[0] if truths[0][slot] != truths[1][slot]]
    assert len(differ) > 20
    assert sum(len(orders) for orders in first.orders.values()) == line.decisions
    if mode == "S":
        assert first.returned > 100, "cards went back into the deck unseen"
    if mode == "M":
        assert first.passed, "a card went from hand to hand unseen"


def main(games: int) -> None:
    """The same comparison at another size."""
    for mode, facts in LINES.items():
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder) / "work"
            _, truths = games_of(line_of(work, *facts), work, games)
            pairs = len(truths) * (len(truths) - 1) // 2
            print(f"{mode}: {games} games, {pairs} pairs that look the same to who watches")


if __name__ == "__main__":
    main(int(sys.argv[1]))
