"""Sanada as the engine knows it: names, options, start, invariants, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from games.kit.hexes import on_and_beside
from games.sanada import display
from games.sanada.advice import advice
from games.sanada.arrivals import Mobilization, Reinforcements
from games.sanada.assault import WALLS, Storm
from games.sanada.battle import Battle
from games.sanada.combat import CombatPhase
from games.sanada.forecast import forecast
from games.sanada.home import ReturnHome
from games.sanada.macros import rewrite
from games.sanada.march import MovingPhase
from games.sanada.moves import MOVES
from games.sanada.names import names
from games.sanada.overrun import Onslaught
from games.sanada.pack import Pack, load_pack
from games.sanada.position import SanadaPosition, fresh_castles
from games.sanada.retreat import REFUGE, Rout
from games.sanada.scene import scene
from games.sanada.setup import SetUp
from games.sanada.sheets import sheets
from games.sanada.start import StartPhase
from games.sanada.tables import FIXABLE
from games.sanada.terms import OSAKA, SIDES
from games.sanada.turn import Game, Turn
from pbem.engine.notation import Move
from pbem.engine.options import PUBLIC, Options, View
from pbem.engine.rules import Rules
from pbem.engine.scene import Scene
from pbem.engine.shown import Choice, Sheet, Tally
from pbem.errors import UsageError


class SanadaRules(Rules[SanadaPosition, Pack]):
    """真田軍記 〜決戦！大坂の陣〜."""

    name = "sanada"
    title = "真田軍記 (Sanada's War Chronicle: the sieges of Osaka, 1614-15)"
    version = "1"
    seats = (2, 2)
    position = SanadaPosition
    procedures = (
        Game,
        SetUp,
        Turn,
        StartPhase,
        Reinforcements,
        Mobilization,
        MovingPhase,
        Onslaught,
        CombatPhase,
        Battle,
        Rout,
        ReturnHome,
        Storm,
    )
    moves = MOVES
    asks = {
        **dict.fromkeys(
            (
                "act", "advance", "allot", "assault", "attack", "attrition", "bear", "enter", "invest",
                "loss", "move", "order", "pursuit", "replenish", "retreat", "setup", "stand", "surplus",
            ),
            (),
        ),
        "mobilize": (OSAKA,),
    }  # fmt: skip

    # --- data

    def load_pack(self, path: Path | None = None) -> Pack:
        return load_pack(path)

    def pack_from(self, tables: Mapping[str, Any]) -> Pack:
        return Pack.from_tables(tables)

    def fix_tables(self, pack: Pack, results: Mapping[str, Any]) -> Pack:
        """Tables with one result in every cell."""
        unknown = [name for name in results if name not in FIXABLE]
        if unknown:
            raise UsageError(f"sanada has no table {unknown[0]!r}", "known are " + ", ".join(FIXABLE))
        for name, cell in results.items():
            if type(cell) is not int or not 0 <= cell <= 9:
                raise UsageError(f"{name} gives no {cell!r}", "a result is a number from 0 to 9")
        return replace(pack, tables=pack.tables.always(results))

    def scenarios(self, pack: Pack) -> Mapping[str, str]:
        return {scenario.id: scenario.title for scenario in pack.scenarios.values()}

    def choices(self, pack: Pack) -> tuple[Choice, ...]:
        return tuple(pack.options.values())

    def seat_names(self, pack: Pack, scenario: str, count: int) -> tuple[str, ...]:
        return SIDES

    # --- positions

    def start(
        self, pack: Pack, scenario: str, options: Mapping[str, str], seats: tuple[str, ...]
    ) -> SanadaPosition:
        pos = self.blank(pack, options, seats)
        play = pack.scenarios[scenario]
        pos.scenario = scenario
        pos.box = tuple(sorted(play.osaka))
        listed = [u for placing in play.kanto for u in placing.units]
        listed += [u for arrival in play.arrivals for u in arrival.units]
        pos.waiting = tuple(sorted(listed))
        pos.stack.append(Game())
        return pos

    def blank(self, pack: Pack, options: Mapping[str, str], seats: tuple[str, ...]) -> SanadaPosition:
        chosen = {
            name: value for name, value in sorted(options.items()) if value != pack.options[name].values[0]
        }
        pos = SanadaPosition(seats=seats, scenario=next(iter(pack.scenarios)), options=chosen)
        pos.turn = 1
        pos.castles = fresh_castles(pack.castles)
        pos.pack = pack
        return pos

    def complete(self, pos: SanadaPosition) -> None:
        """Tables in the order of their ids, as everywhere else."""
        pos.units = dict(sorted(pos.units.items()))
        pos.castles = dict(sorted(pos.castles.items()))

    def check(self, pos: SanadaPosition) -> None:
        """6-a, 7.1, 19.2.2 hold at all times, and nobody is in two places."""
        for unit, piece in pos.units.items():
            if piece.under:
                leader = pos.units.get(piece.under)
                assert leader is not None, f"{unit} is under {piece.under}, who is gone"
                assert not leader.under, f"{unit} is under {piece.under}, who leads nobody"
                assert (piece.hex, piece.inside) == (leader.hex, leader.inside), (
                    f"{unit} is not with its leader"
                )
        for place, units in pos.index.outside.items():
            assert len({pos.side(u) for u in units}) == 1, f"enemies share the open of {place}"
            assert pos.data.map.is_open(place), f"{units} are in {place}, which nobody enters"
        for place, units in pos.index.inside.items():
            castle = pos.castle_at(place)
            assert castle is not None, f"{units} are inside no castle in {place}"
            assert {pos.side(u) for u in units} == {pos.castles[castle].owner}, f"{units} in an enemy castle"
        for castle, state in pos.castles.items():
            assert state.siege is None or pos.can_invest(castle), f"{castle} is besieged by too few"
        for gone in (pos.box, pos.waiting, pos.fallen, pos.home):
            both = ", ".join(u for u in gone if u in pos.units)
            assert not both, f"on the map and off it (box, waiting, fallen, home): {both}"

    def aliases(self, pos: SanadaPosition) -> Mapping[str, str]:
        return names(pos.data)

    def names(self, pos: SanadaPosition) -> Iterator[str]:
        """Hexes, the inside of castles, the walls, and what the points came from."""
        yield from on_and_beside(pos.data.map.hexes)
        yield from (REFUGE, WALLS, *pos.earned)

    def macros(self, text: str, pos: SanadaPosition, view: View) -> list[str] | None:
        return rewrite(text, pos)

    # --- what players look at

    def headline(self, pos: SanadaPosition) -> str:
        return display.headline(pos)

    def explain(self, pos: SanadaPosition, place: str) -> str:
        return display.explain(pos, place)

    def scene(self, pos: SanadaPosition, view: View = PUBLIC) -> Scene:
        return scene(pos, view)

    def tables(self, pack: Pack) -> tuple[Sheet, ...]:
        return sheets(pack)

    def score(self, pos: SanadaPosition) -> tuple[Tally, ...]:
        return display.score(pos)

    def odds(self, pos: SanadaPosition, move: Move) -> str | None:
        return forecast(pos, move)

    def advice(self, pos: SanadaPosition, options: Options) -> Move | None:
        return advice(pos, options)

    def bot(self, seat: str, seed: int) -> Callable[[SanadaPosition, Options, View], Move]:
        from games.sanada.bot import player

        return player(seat, seed)


SANADA = SanadaRules()
