"""Redcoats as the engine knows it: names, options, start, invariants, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from games.kit.hexes import on_and_beside
from games.redcoats import display, sheets
from games.redcoats.advice import advice
from games.redcoats.aid import FIRE_RESULTS, RESULTS
from games.redcoats.assault import Assaults
from games.redcoats.battle import Battle
from games.redcoats.bombardment import Bombardment, Shot
from games.redcoats.forecast import forecast
from games.redcoats.leaders import Casualty
from games.redcoats.movement import Movement
from games.redcoats.moves import MOVES
from games.redcoats.pack import Pack, load_pack
from games.redcoats.position import RedcoatsPosition
from games.redcoats.printed import AMERICAN, BRITISH, SIDES
from games.redcoats.recovery import Recovery
from games.redcoats.reinforcement import Reinforcement
from games.redcoats.rout import Rout
from games.redcoats.scene import scene
from games.redcoats.sequence import Game, PlayerTurn
from games.redcoats.setup import SetUp, fixed, stand
from pbem.engine.notation import Move
from pbem.engine.options import PUBLIC, Options, View
from pbem.engine.rules import Rules
from pbem.engine.scene import Scene
from pbem.engine.shown import Choice, Sheet, Tally
from pbem.errors import UsageError

FIXABLE = {"assault": RESULTS, "bombardment": FIRE_RESULTS}
ROLLED = {"assault": "8.1", "bombardment": "7.1"}
"""The tables whose result a case may fix, and the rule by which each is rolled on."""


class RedcoatsRules(Rules[RedcoatsPosition, Pack]):
    """Rebels & Redcoats III."""

    name = "redcoats"
    title = "Rebels & Redcoats III (seven battles, 1776-1780)"
    version = "1"
    seats = (2, 2)
    position = RedcoatsPosition
    procedures = (
        Game,
        SetUp,
        PlayerTurn,
        Bombardment,
        Shot,
        Reinforcement,
        Movement,
        Assaults,
        Battle,
        Rout,
        Casualty,
        Recovery,
    )
    moves = MOVES
    asks = dict.fromkeys(
        (
            "advance", "assault", "choose", "deploy", "enter", "escape", "fire", "follow", "move",
            "resolve", "retreat",
        ),
        (),
    )  # fmt: skip

    # --- data

    def load_pack(self, path: Path | None = None) -> Pack:
        return load_pack(path)

    def pack_from(self, tables: Mapping[str, Any]) -> Pack:
        return Pack.from_tables(tables)

    def fix_tables(self, pack: Pack, results: Mapping[str, Any]) -> Pack:
        """Tables with one result in every cell: `assault`, `bombardment`."""
        aid = pack.aid
        for name, cell in results.items():
            known = FIXABLE.get(name)
            if known is None or cell not in known:
                raise UsageError(f"redcoats cannot fix {name} = {cell!r}", "fix assault or bombardment")
            if name == "assault":
                aid = replace(aid, odds=aid.odds.always(cell))
            else:
                aid = replace(aid, fire=dict.fromkeys(aid.fire, (cell,) * len(aid.fire_columns)))
        return replace(pack, aid=aid)

    def reads(self, table: str, rule: str) -> bool:
        return rule == ROLLED[table]

    def scenarios(self, pack: Pack) -> Mapping[str, str]:
        return pack.titles

    def choices(self, pack: Pack) -> tuple[Choice, ...]:
        return tuple(pack.options.values())

    def seat_names(self, pack: Pack, scenario: str, count: int) -> tuple[str, ...]:
        return SIDES

    # --- positions

    def start(
        self, pack: Pack, scenario: str, options: Mapping[str, str], seats: tuple[str, ...]
    ) -> RedcoatsPosition:
        pos = self.blank(pack, options, seats)
        pos.scenario, pos.setting_cache, pos.turn = scenario, None, 0
        pos.reserve = tuple(sorted(u for group in pos.setting.groups for u in group.units))
        pos.levels = dict(pos.setting.levels)
        pos.stack.append(Game())
        return pos

    def set_up(self, pos: RedcoatsPosition) -> None:
        """Groups with one hex."""
        for group, places in fixed(pos):
            stand(pos, group, places)

    def blank(self, pack: Pack, options: Mapping[str, str], seats: tuple[str, ...]) -> RedcoatsPosition:
        chosen = {
            name: value for name, value in sorted(options.items()) if value != pack.options[name].values[0]
        }
        pos = RedcoatsPosition(seats=seats, scenario=next(iter(pack.scenarios)), options=chosen, turn=1)
        pos.pack = pack
        pos.levels = dict(pos.setting.levels)
        return pos

    def complete(self, pos: RedcoatsPosition) -> None:
        """Who is put on the map by hand is no longer to come."""
        pos.reserve = tuple(u for u in pos.reserve if u not in pos.units and u not in pos.lost)

    def check(self, pos: RedcoatsPosition) -> None:
        """Combat units of both sides never share a hex, and nobody is in two places."""
        us, them = pos.men(AMERICAN), pos.men(BRITISH)
        assert us.keys().isdisjoint(them), f"enemies share {sorted(us.keys() & them.keys())}"
        assert not any(u in pos.units for u in pos.reserve), "a unit in reserve is on the map"
        assert not any(u in pos.units for u in pos.lost), "a lost unit is on the map"

    # --- words and pictures

    def aliases(self, pos: RedcoatsPosition) -> Mapping[str, str]:
        return display.aliases(pos)

    def names(self, pos: RedcoatsPosition) -> Iterable[str]:
        groups = [group.id for group in pos.setting.groups]
        return (*on_and_beside(pos.land.hexes), *pos.book, *groups)

    def macros(self, text: str, pos: RedcoatsPosition, view: View) -> list[str] | None:
        return display.several(text)

    def explain(self, pos: RedcoatsPosition, place: str) -> str:
        return display.explain(pos, place)

    def headline(self, pos: RedcoatsPosition) -> str:
        return display.headline(pos)

    def odds(self, pos: RedcoatsPosition, move: Move) -> str | None:
        return forecast(pos, move)

    def scene(self, pos: RedcoatsPosition, view: View = PUBLIC) -> Scene:
        return scene(pos)

    def tables(self, pack: Pack) -> tuple[Sheet, ...]:
        return sheets.tables(pack)

    def score(self, pos: RedcoatsPosition) -> tuple[Tally, ...]:
        return sheets.score(pos)

    def advice(self, pos: RedcoatsPosition, options: Options) -> Move | None:
        return advice(pos, options)

    def bot(self, seat: str, seed: int) -> Callable[..., Move]:
        from games.redcoats.bot import player

        return player(seat, seed)


REDCOATS = RedcoatsRules()
