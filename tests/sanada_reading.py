"""Sanada played beside a second reading of the book (sanada_book.py): every difference is an error.

    python -m tests.sanada_reading 10000 [SEED]

plays games in all scenarios, by turns at random and between bots, until so many decisions were compared, and
prints how many of each kind.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Any

from games.sanada.battle import Battle
from games.sanada.march import MovingPhase
from games.sanada.moves import March, Retreat
from games.sanada.position import SanadaPosition, Scored
from games.sanada.retreat import Rout
from games.sanada.rules import SANADA
from games.sanada.supply import supplied
from games.sanada.terms import OSAKA, SIDES
from games.sanada.victory import Eliminated, presence_points
from pbem.engine.croupier import Croupier, Player, random_player
from pbem.engine.machine import Machine, Result
from pbem.engine.options import Options
from tests import sanada_book as book

SCENARIOS = ("winter", "summer", "masayuki", "masanori", "ukita")
SIEGE_ROWS = {"sodaisho": "000001", "taisho": "000011", "busho": "001122", "gunzei": "011223"}


class Reading:
    """What is compared while games are played, and how often."""

    def __init__(self, share: float = 1.0) -> None:
        self.share = share
        """Of so many decisions the zones, supply and movement are worked out again."""
        self.compared: Counter[str] = Counter()
        self.battles: list[tuple[str, str, int, int]] = []
        self.storms: list[tuple[int, int]] = []
        self.fought: dict[str, dict[str, str]] = {}
        """Who fought in a place when the dice of its last round fell, and under whom."""
        self.dead: set[str] = set()

    def game(self, seed: int, bots: bool, turns: int = 99, enough: int = 10**9) -> None:
        """One game of a scenario, up to a turn or until so many decisions were compared."""
        rng = random.Random(seed)
        croupier = Croupier(Machine(SANADA, book.PACK), rng)
        answer = croupier._answer

        def before_dice(pos: Any, wait: Any) -> Any:
            self._before_dice(pos)
            return answer(pos, wait)

        croupier._answer = before_dice  # type: ignore[method-assign]
        anybody = random_player(rng)
        seated = {side: self._seat(SANADA.bot(side, seed) if bots else anybody, rng) for side in SIDES}
        result = croupier.settle(croupier.machine.start(SCENARIOS[seed % len(SCENARIOS)], {}, SIDES))
        while not result.position.outcome and result.position.turn <= turns:
            before: Any = result.position
            result = croupier.play(before, seated)
            self._after(before, result)
            self.compared["decisions"] += 1
            if self.compared["decisions"] >= enough:
                return

    def _seat(self, player: Player, rng: random.Random) -> Player:
        def look(pos: Any, options: Options, view: Any) -> Any:
            if isinstance(pos.stack[-1], Rout) and options.kind == "retreat":
                self._retreats(pos, pos.stack[-1], options)
            if isinstance(pos.stack[-1], Battle) and options.kind == "stand":
                self._stands(pos, pos.stack[-1])
            if rng.random() < self.share:
                self._supply(pos)
                self._movement(pos, options)
                self._presence(pos)
            return player(pos, options, view)

        return look

    # --- what is asked

    def _supply(self, pos: SanadaPosition) -> None:
        """9, 11: zones, and who is in supply, relays included."""
        for side in SIDES:
            assert set(pos.index.zone(side)) == book.zone(pos, side), pos.text()
            hexes = book.fed(pos, side)
            for leader in pos.index.forces:
                if pos.side(leader) == side:
                    assert supplied(pos, leader) == book.is_fed(pos, leader, hexes), (leader, pos.text())
                    self.compared["supply"] += 1

    def _movement(self, pos: SanadaPosition, options: Options) -> None:
        """14.2, 14.3, 15.1.1: where a Force may go."""
        phase = pos.stack[-1]
        if isinstance(phase, MovingPhase) and phase.at == "deed":
            listed = {move.hex for move in options.list() if isinstance(move, March)}
            assert listed == book.marches(pos, phase), pos.text()
            self.compared[phase.kind] += 1

    def _retreats(self, pos: SanadaPosition, rout: Rout, options: Options) -> None:
        """18.7: every way."""
        listed = {(m.force, m.path) for m in options.list() if isinstance(m, Retreat)}
        assert listed == book.retreats(pos, rout), pos.text()
        self.compared["retreat"] += 1

    def _stands(self, pos: SanadaPosition, battle: Battle) -> None:
        """18.3.6: nobody decides before those who must go have gone."""
        for place in book.in_battle(battle):
            assert book.holds_out(pos, battle, place), (place, pos.text())
        self.compared["stand"] += 1

    def _presence(self, pos: SanadaPosition) -> None:
        """26.2.1(7), (8): what being somewhere would give now."""
        for side in SIDES:
            copy = pos.copy()
            presence_points(copy, side)
            sign = 1 if side == OSAKA else -1
            assert (copy.points - pos.points) * sign == book.presence(pos, side), pos.text()

    # --- what happens

    def _before_dice(self, pos: Any) -> None:
        """The moment before dice fall: what a battle or an assault is made of."""
        frame: Any = pos.stack[-1]
        name = type(frame).__name__
        if name == "Battle" and frame.at == "exchange":
            self.battles += book.blows(pos, frame)
            for edge in frame.live():
                for place in (edge.attacker, edge.defender):
                    self.fought[place] = {u: pos.units[u].under for u in book.there(pos, place)}
            self.dead = set()
        elif name == "Storm" and frame.at == "exchange":
            self.storms += book.assault(pos, frame.castle)

    def _after(self, before: SanadaPosition, result: Result) -> None:
        after: Any = result.position
        self._blows(result)
        self._rolls(result)
        self._points(before, after, result)
        if not any(type(frame).__name__ == "Battle" for frame in after.stack):
            self.fought = {}

    def _blows(self, result: Result) -> None:
        """18.1.1, 18.2, 18.3.1, 18.3.2, 18.9, 18.10, 19.1.3, 22.2.1: strength and modifier of every blow."""
        said = [
            e.data for e in result.events if e.rule == "18.3.3" and "hits" in e.data and "against" in e.data
        ]
        found = [(d["place"], d["against"], d["strength"], d["modifier"]) for d in said]
        assert found == self.battles
        walls = [e.data for e in result.events if e.rule == "19.1.3" and "hits" in e.data]
        assert [(d["strength"], d["modifier"]) for d in walls] == self.storms
        self.compared["battle"] += len(found)
        self.compared["assault"] += len(walls)
        self.battles, self.storms = [], []

    def _rolls(self, result: Result) -> None:
        """10, 18.3.3: what every roll comes to."""
        for event in result.events:
            data = event.data
            if "hits" in data and "total" in data and "strength" in data:
                assert data["total"] == sum(data["dice"]) + data["modifier"]
                assert data["hits"] == book.table(data["strength"], data["total"]), data
                self.compared["strike"] += 1
            if event.rule == "10.1.1" and "level" in data:
                assert data["falls"] == (data["die"] <= data["level"])
                self.compared["fall check"] += 1
            if event.rule in ("10.1.2", "19.1.9") and "owner" in data:
                self.compared["castle taken"] += 1
            if event.rule in ("10.2.2", "10.2.3") and "rank" in data:
                assert data["plus"] == int(SIEGE_ROWS[data["rank"]][data["die"] - 1])
                self.compared["siege level"] += 1

    def _points(self, before: SanadaPosition, after: Any, result: Result) -> None:
        """26: the score moves by what fell, what was taken, who was beaten and who is where."""
        wanted = book.change(before, after, result.events)
        for event in result.events:
            data = event.data
            if isinstance(event, Eliminated):
                self.dead.add(event.unit)
            if event.rule == "18.3.6" and data.get("place") in self.fought:
                wanted += self._beaten(before, self.fought.pop(data["place"]))
            if isinstance(event, Scored) and event.what not in ("defeated", "eliminated", "shogun", "castle"):
                wanted += event.points * (1 if event.side == OSAKA else -1)
        assert after.points - before.points == wanted, (before.text(), result.events)
        self.compared["points"] += after.points != before.points

    def _beaten(self, pos: SanadaPosition, fought: dict[str, str]) -> int:
        """26.2.1(9): of those who fought the last round, who led a Force then, or by the leader's death."""
        value = 0
        for unit, under in fought.items():
            if not under or under in self.dead:
                value += {"sodaisho": 10, "taisho": 2}.get(pos.unit(unit).rank.value, 0)
        if not value:
            return 0
        self.compared["commanders beaten"] += 1
        return -value if pos.side(next(iter(fought))) == OSAKA else value


def main() -> None:
    """Compare so many decisions."""
    size = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    reading = Reading()
    while reading.compared["decisions"] < size:
        reading.game(seed, bots=seed % 2 == 1, enough=size)
        seed += 1
    print(", ".join(f"{count} {what}" for what, count in sorted(reading.compared.items())))


if __name__ == "__main__":
    main()
