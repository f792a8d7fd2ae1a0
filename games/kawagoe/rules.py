"""Kawagoe as the engine knows it: names, options, start, invariants, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from games.kawagoe import display
from games.kawagoe.advice import advise
from games.kawagoe.attack import CombatPhase
from games.kawagoe.checks import RESULT
from games.kawagoe.chits import Activation, Game, Turn
from games.kawagoe.choices import choices
from games.kawagoe.combat import Combat
from games.kawagoe.forecast import forecast
from games.kawagoe.movement import Movement
from games.kawagoe.moves import MOVES
from games.kawagoe.pack import Pack
from games.kawagoe.pack_files import load_pack, pack_from
from games.kawagoe.position import STACK, KawagoePosition
from games.kawagoe.printed import ANTI, HOJO, SIDES
from games.kawagoe.scene import scene
from games.kawagoe.score import score
from games.kawagoe.setup import SetUp
from games.kawagoe.sheets import sheets
from games.kawagoe.victory import Scoring
from games.kit.hexes import on_and_beside
from pbem.engine.notation import Move
from pbem.engine.options import PUBLIC, Options, View
from pbem.engine.rules import Rules
from pbem.engine.scene import Scene
from pbem.engine.shown import Choice, Sheet, Tally
from pbem.errors import UsageError


class KawagoeRules(Rules[KawagoePosition, Pack]):
    """河越合戦〜北条氏康の賭け〜."""

    name = "kawagoe"
    title = "河越合戦 (The night battle of Kawagoe, 1546)"
    version = "1"
    seats = (2, 2)
    position = KawagoePosition
    procedures = (Game, SetUp, Turn, Activation, Movement, CombatPhase, Combat, Scoring)
    moves = MOVES
    asks = {
        **dict.fromkeys(("deploy", "chits", "move", "attack", "loss", "retreat", "advance"), ()),
        "general": (ANTI,),
    }

    # --- data

    def load_pack(self, path: Path | None = None) -> Pack:
        return load_pack(path)

    def pack_from(self, tables: Mapping[str, Any]) -> Pack:
        return pack_from(tables)

    def fix_tables(self, pack: Pack, results: Mapping[str, Any]) -> Pack:
        """A combat table with one result in every cell."""
        unknown = [name for name in results if name != "crt"]
        if unknown:
            raise UsageError(f"kawagoe has no table {unknown[0]!r}", 'only "crt" can be fixed')
        cell = results["crt"]
        if not RESULT.fullmatch(str(cell)):
            there = ", ".join(pack.ladder)
            raise UsageError(f"the combat table has no result {cell!r}", f"results are: {there}")
        return replace(pack, crt=pack.crt.always(cell))

    def scenarios(self, pack: Pack) -> Mapping[str, str]:
        return {scenario.id: scenario.title for scenario in pack.scenarios.values()}

    def choices(self, pack: Pack) -> tuple[Choice, ...]:
        return choices(pack)

    def seat_names(self, pack: Pack, scenario: str, count: int) -> tuple[str, ...]:
        return SIDES

    # --- positions

    def start(
        self, pack: Pack, scenario: str, options: Mapping[str, str], seats: tuple[str, ...]
    ) -> KawagoePosition:
        pos = self.blank(pack, options, seats)
        pos.scenario = scenario
        pos.reserve = tuple(sorted(pos.book))
        pos.stack.append(Game())
        return pos

    def blank(self, pack: Pack, options: Mapping[str, str], seats: tuple[str, ...]) -> KawagoePosition:
        chosen = {
            name: value for name, value in sorted(options.items()) if value != pack.options[name].default
        }
        pos = KawagoePosition(seats=seats, scenario=next(iter(pack.scenarios)), options=chosen)
        pos.pack = pack
        return pos

    def check(self, pos: KawagoePosition) -> None:
        """7.0 and 6.21 hold at all times, and nobody is in two places."""
        hojo, anti = pos.held(HOJO), pos.held(ANTI)
        for held, limit in ((hojo, STACK[HOJO]), (anti, STACK[ANTI])):
            if max(map(len, held.values()), default=0) > limit:
                raise AssertionError(f"a hex is overfull: {[u for u in held.values() if len(u) > limit]}")
        assert hojo.keys().isdisjoint(anti), f"enemies share {sorted(hojo.keys() & anti.keys())}"
        assert not any(u in pos.fallen or u in pos.units for u in pos.reserve), "a unit in reserve is in play"
        assert not any(u in pos.units for u in pos.fallen), "a fallen unit is on the map"

    # --- words

    def aliases(self, pos: KawagoePosition) -> Mapping[str, str]:
        return display.aliases(pos)

    def names(self, pos: KawagoePosition) -> Iterable[str]:
        """Anonymous counters, what they may be, and the hexes on and right beside the map (2.3)."""
        book = pos.book
        known = (i for identities in book.identities.values() for i in identities)
        return (*book, *book.groups, *known, *on_and_beside(pos.pack.map.neighbours))

    def scene(self, pos: KawagoePosition, view: View = PUBLIC) -> Scene:
        return scene(pos, view)

    def explain(self, pos: KawagoePosition, place: str) -> str:
        return display.explain(pos, place)

    def headline(self, pos: KawagoePosition) -> str:
        return display.headline(pos)

    def odds(self, pos: KawagoePosition, move: Move) -> str | None:
        return forecast(pos, move)

    def tables(self, pack: Pack) -> tuple[Sheet, ...]:
        return sheets(pack)

    def score(self, pos: KawagoePosition) -> tuple[Tally, ...]:
        return score(pos)

    def advice(self, pos: KawagoePosition, options: Options) -> Move | None:
        return advise(pos, options)

    def bot(self, seat: str, seed: int) -> Callable[..., Move]:
        from games.kawagoe.bot import player

        return player(seat, seed)


KAWAGOE = KawagoeRules()
