"""Chuhan as the engine knows it: names, options, start, invariants, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from games.chuhan import board, display
from games.chuhan.advice import advise
from games.chuhan.battle import Battle
from games.chuhan.board import forces_in
from games.chuhan.bot import player
from games.chuhan.camps import unsettled
from games.chuhan.control import Settle
from games.chuhan.ending import End
from games.chuhan.events import EVENTS
from games.chuhan.forecast import forecast
from games.chuhan.friendship import Friendship
from games.chuhan.levies import Levies
from games.chuhan.march import MarchPhase
from games.chuhan.movement import Arrival
from games.chuhan.moves import MOVES
from games.chuhan.pack import Pack, load_pack
from games.chuhan.phrases import rewrite
from games.chuhan.position import CHOICES, DECK, OPTIONS, ChuhanPosition, Hand
from games.chuhan.recruit import Placement, Recruiting
from games.chuhan.scene import scene
from games.chuhan.score import score
from games.chuhan.setup import Game, Turn
from games.chuhan.sheets import sheets
from games.chuhan.supply import Supply
from games.chuhan.terms import ASIDE, CUP, GONE, PLAYERS, Camp, Fate, ForceId
from games.chuhan.words import aliases
from pbem.engine.notation import Move
from pbem.engine.options import PUBLIC, Options, View
from pbem.engine.rules import Rules
from pbem.engine.scene import Scene
from pbem.engine.shown import Choice, Sheet, Tally
from pbem.errors import UsageError

SCENARIO = "standard"


class ChuhanRules(Rules[ChuhanPosition, Pack]):
    """項羽與劉邦."""

    name = "chuhan"
    title = "項羽與劉邦 (Xiang Yu and Liu Bang, 206 BC)"
    version = "1"
    seats = (2, 2)
    position = ChuhanPosition
    procedures = (
        Game,
        Turn,
        Recruiting,
        Placement,
        Supply,
        Levies,
        Friendship,
        MarchPhase,
        Arrival,
        Battle,
        Settle,
        End,
        *EVENTS.values(),
    )
    moves = MOVES
    asks = dict.fromkeys(
        (
            "action", "attack", "begin", "control", "crown", "dismiss", "event", "gift", "levy",
            "muster", "place", "recruit", "risk", "slander", "target",
        ),
        (),
    )  # fmt: skip

    # --- data

    def load_pack(self, path: Path | None = None) -> Pack:
        return load_pack(path)

    def pack_from(self, tables: Mapping[str, Any]) -> Pack:
        return Pack.from_tables(tables)

    def fix_tables(self, pack: Pack, results: Mapping[str, Any]) -> Pack:
        """Tables with one result for every die: death, autumn, spring, friendship."""
        tables = pack.tables
        for name, result in results.items():
            if name == "death":
                fate = _fate(result)
                tables = replace(tables, death=MappingProxyType(dict.fromkeys(tables.death, (fate,) * 6)))
            elif name == "friendship":
                tables = replace(tables, friendship=(_favour(pack, result),) * 6)
            elif name == "autumn":
                tables = replace(tables, autumn=(result,) * 6)
            elif name == "spring":
                tables = replace(tables, spring=(result,) * 6)
            else:
                known = "death, autumn, spring, friendship"
                raise UsageError(f"chuhan has no table {name!r}", f"tables that can be fixed: {known}")
        return replace(pack, tables=tables)

    def scenarios(self, pack: Pack) -> Mapping[str, str]:
        return {SCENARIO: "The war of Chu and Han, seven turns from autumn 206 BC"}

    def choices(self, pack: Pack) -> tuple[Choice, ...]:
        return CHOICES

    def seat_names(self, pack: Pack, scenario: str, count: int) -> tuple[str, ...]:
        return tuple(side.value for side in PLAYERS)

    def shared_decks(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> tuple[str, ...]:
        return (DECK,)

    # --- positions

    def start(
        self, pack: Pack, scenario: str, options: Mapping[str, str], seats: tuple[str, ...]
    ) -> ChuhanPosition:
        if scenario != SCENARIO:
            raise UsageError(f"chuhan has no scenario {scenario!r}", f"there is: {SCENARIO}")
        pos = self._position(board.opening(pack), options, seats)
        pos.stack.append(Game())
        return pos

    def blank(self, pack: Pack, options: Mapping[str, str], seats: tuple[str, ...]) -> ChuhanPosition:
        return self._position(board.empty(pack), options, seats)

    def _position(
        self, layout: board.Layout, options: Mapping[str, str], seats: tuple[str, ...]
    ) -> ChuhanPosition:
        chosen = {name: value for name, value in sorted(options.items()) if value != OPTIONS[name][0]}
        pos = ChuhanPosition(
            seats=seats,
            options=chosen,
            generals=dict(layout.generals),
            legions=dict(layout.legions),
            control=dict(layout.control),
            markers=dict(layout.markers),
            hands={seat: Hand() for seat in seats},
        )
        pos.pack = layout.pack
        return pos

    def complete(self, pos: ChuhanPosition) -> None:
        """5-1: who is alone in an area controls it, nobody an empty one; a shared one must be stated."""
        under_way = any(isinstance(frame, (Arrival, Battle, Settle)) for frame in pos.stack)
        for area in unsettled(pos):
            there = forces_in(pos, area)
            if area in pos.control and under_way:
                continue  # 5-2 is about to settle it
            if len(there) > 1:
                hint = f"control = {{ {area} = ... }}, one of those who share it: {', '.join(there)}"
                raise UsageError(f"position: who controls {area} is not stated", hint)
            pos.control.pop(area, None)
            if there:
                pos.control[area] = there[0]

    def check(self, pos: ChuhanPosition) -> None:
        """1-2-2-1, 2-4, 5-1, 10-3, 6-10 hold whenever a player is to act."""
        for key, stack in pos.legions.items():
            assert stack.ready >= 0 <= stack.acted and stack.ready + stack.acted, f"{key} holds {stack}"
        forces = pos.pack.forces
        for force, box in pos.markers.items():
            lord = forces[force]
            assert lord.lowest <= box <= lord.highest, f"the marker of {force} is on {box}"
        if DECK in pos.decks:
            held = sum(len(hand.cards) for hand in pos.hands.values())
            whole = held + len(pos.decks[DECK]) + len(pos.discards) + bool(pos.played)
            assert whole == pos.pack.deck_size, f"{whole} cards are in play"
        if pos.stack and isinstance(pos.stack[-1], MarchPhase):
            assert not unsettled(pos), f"nobody has settled who controls {unsettled(pos)}"
            assert pos.company is None and not pos.fought and not pos.played, "an action is not finished"

    # --- words

    def aliases(self, pos: ChuhanPosition) -> Mapping[str, str]:
        return aliases(pos)

    def names(self, pos: ChuhanPosition) -> Iterable[str]:
        return (CUP, ASIDE, GONE)

    def macros(self, text: str, pos: ChuhanPosition, view: View) -> list[str] | None:
        return rewrite(text, pos)

    def scene(self, pos: ChuhanPosition, view: View = PUBLIC) -> Scene:
        return scene(pos, view)

    def explain(self, pos: ChuhanPosition, place: str) -> str:
        return display.explain(pos, place)

    def headline(self, pos: ChuhanPosition) -> str:
        return display.headline(pos)

    def odds(self, pos: ChuhanPosition, move: Move) -> str | None:
        return forecast(pos, move)

    def tables(self, pack: Pack) -> tuple[Sheet, ...]:
        return sheets(pack)

    def score(self, pos: ChuhanPosition) -> tuple[Tally, ...]:
        return score(pos)

    def advice(self, pos: ChuhanPosition, options: Options) -> Move | None:
        return advise(pos, options)

    def bot(self, seat: str, seed: int) -> Callable[..., Move]:
        return player(seat, seed)


def _fate(result: Any) -> Fate:
    if result not in [fate.value for fate in Fate]:
        raise UsageError(f"death: {result!r}", f"results are: {', '.join(fate.value for fate in Fate)}")
    return Fate(result)


def _favour(pack: Pack, result: Any) -> tuple[ForceId, Camp]:
    """A result of the friendship table: a lord, and the side he leans to."""
    camps = [camp.value for camp in PLAYERS]
    match result:
        case [force, side] if force in pack.lords() and side in camps:
            return force, Camp(side)
    raise UsageError(f"friendship: {result!r}", f'a lord and {" or ".join(camps)}: ["yingbu", "han"]')


CHUHAN = ChuhanRules()
