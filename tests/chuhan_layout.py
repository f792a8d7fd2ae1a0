"""Boards for the tests of chuhan, written in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from games.chuhan.board import GeneralState, Layout, Legions, empty, opening
from games.chuhan.pack import load_pack
from games.chuhan.terms import stack_key


def layout(
    units: Mapping[str, str],
    *,
    base: Layout | None = None,
    control: Mapping[str, str] | None = None,
    markers: Mapping[str, int] | None = None,
    serves: Mapping[str, str] | None = None,
) -> Layout:
    """A board with these units: `{"linzi": "xiangyu chu:4 tianrong tianrong:2+1 fanzeng*"}`.

    A name is a general, `*` after it acted; `force:ready+acted` are legions. `serves`: whom he serves.
    """
    board = base or empty(load_pack())
    generals, legions = dict(board.generals), dict(board.legions)
    for area, words in units.items():
        for word in words.split():
            name, colon, numbers = word.partition(":")
            if colon:
                ready, _, acted = numbers.partition("+")
                legions[stack_key(area, name)] = Legions(int(ready), int(acted or 0))
            else:
                name = word.rstrip("*")
                force = (serves or {}).get(name, generals[name].force)
                generals[name] = GeneralState(area, force, word.endswith("*"))
    return replace(
        board,
        generals=generals,
        legions=legions,
        control={**board.control, **(control or {})},
        markers={**board.markers, **(markers or {})},
    )


def at_start() -> Layout:
    """The set-up of the standard pack."""
    return opening(load_pack())
