"""Battles into which something breaks from outside: units gone, leaders dead, a hex empty, a card away.

    python -m tests.upsets UPSETS [SEED]

Games are played as usual. At decisions in the middle of a battle a copy of the position loses somebody whom
the battle's own frames do not name, as another rule might have it; the copy is then played on until that
battle is over. The rules must always know what comes next, and the second readings of redcoats, sanada and
kawagoe work out beside every decision what may be done. In sanada Ieyasu is then among the beaten.
"""

from __future__ import annotations

import dataclasses
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from games.chuhan.terms import Kind
from games.kawagoe.combat import Combat
from games.kawagoe.losses import lose_steps
from games.kawagoe.moves import Advance
from games.redcoats.collapse import eliminate
from games.sanada.battle import Battle as SanadaBattle
from games.sanada.home import houses
from games.sanada.retreat import Rout as SanadaRout
from games.suikoden.position import GROVE
from pbem.engine import registry
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine
from pbem.engine.options import Options
from pbem.engine.waits import Ask
from tests import kawagoe_book, redcoats_reading
from tests.sanada_reading import Reading

BATTLES = {
    "chuhan": ("Battle",),
    "kawagoe": ("Combat",),
    "redcoats": ("Battle", "Shot", "Rout"),
    "sanada": ("Battle", "Storm", "Onslaught"),
    "suikoden": ("Fight", "DuelFought"),
}
"""The procedures of each game in which something is fought out."""
LONG = 400
"""No battle asks so many questions."""
met: Counter[str] = Counter()


def named(pos: Any) -> set[str]:
    """Every text in the frames of the stack: who is named there has his part in what goes on."""
    rest: list[Any] = [
        getattr(frame, field.name) for frame in pos.stack for field in dataclasses.fields(frame)
    ]
    found: set[str] = set()
    while rest:
        one = rest.pop()
        if isinstance(one, str):
            found.add(one)
        elif isinstance(one, (tuple, list)):
            rest += one
        elif dataclasses.is_dataclass(one):
            rest += [getattr(one, field.name) for field in dataclasses.fields(one)]
    return found


# --- what may break in


def _chuhan(pos: Any, rng: random.Random) -> bool:
    """A general dies of something else."""
    there = [g for g in pos.generals if g not in named(pos) and pos.pack.generals[g].kind is not Kind.RULER]
    if there:
        pos.remove_general(rng.choice(sorted(there)))
    return bool(there)


def _kawagoe(pos: Any, rng: random.Random) -> bool:
    """Somebody who does not fight here is destroyed."""
    there = sorted(unit for unit in pos.units if unit not in named(pos))
    if there:
        unit = rng.choice(there)
        lose_steps(pos, unit, pos.steps(unit))
    return bool(there)


def _redcoats(pos: Any, rng: random.Random) -> bool:
    """A leader falls, or a unit is lost."""
    there = sorted(unit for unit in pos.units if unit not in named(pos))
    leaders = [unit for unit in there if pos.book[unit].is_leader]
    if there:
        eliminate(pos, rng.choice(leaders if leaders and rng.random() < 0.5 else there), "8.514")
    return bool(there)


def _sanada(pos: Any, rng: random.Random) -> bool:
    """Those who are beaten had Ieyasu with them: most houses of the outer lords go home (25.1, 25.2.1)."""
    routs = [frame for frame in pos.stack if isinstance(frame, SanadaRout)]
    for rout in routs:
        rout.lord = rout.battle = True
    pos.options = {**pos.options, "return_home": "high-leaves"}
    return bool(routs and houses(pos))


def _suikoden(pos: Any, rng: random.Random) -> bool:
    """Somebody wanders off: a bystander, or one of the two who fight (an ability can do that)."""
    if pos.clash is None or not pos.clash.opened:
        return False  # who lies face down cannot be named
    there = sorted(card for card in pos.field if not card.startswith(GROVE))
    if there:
        pos.to_wander(rng.choice(there))
    return bool(there)


UPSETS: dict[str, Callable[[Any, random.Random], bool]] = {
    "chuhan": _chuhan,
    "kawagoe": _kawagoe,
    "redcoats": _redcoats,
    "sanada": _sanada,
    "suikoden": _suikoden,
}


# --- the second reading beside it


def _look_kawagoe(pos: Any, options: Options) -> None:
    for side in pos.seats:
        assert set(pos.zone(side)) == kawagoe_book.zone(pos, side), pos.text()
    frame = pos.stack[-1]
    if isinstance(frame, Combat) and options.kind == "advance":
        listed = {(move.unit, move.path) for move in options.list() if isinstance(move, Advance)}
        assert listed == kawagoe_book.advances(pos, frame), pos.text()


def _look_sanada(pos: Any, options: Options) -> None:
    reading, frame = Reading(), pos.stack[-1]
    reading._supply(pos)
    if isinstance(frame, SanadaRout) and options.kind == "retreat":
        reading._retreats(pos, frame, options)
    if isinstance(frame, SanadaBattle) and options.kind == "stand":
        reading._stands(pos, frame)
    for battle in pos.stack:
        if isinstance(battle, SanadaBattle) and options.kind in ("stand", "advance", "allot"):
            alone = [p for p in battle.places() if battle.foes(p, battle.live()) and not pos.at(p)]
            assert not alone, f"the battle goes on against nobody in {alone}: {pos.text()}"


LOOKS: dict[str, Callable[[Any, Options], None]] = {
    "kawagoe": _look_kawagoe,
    "redcoats": redcoats_reading.look,
    "sanada": _look_sanada,
}


# --- playing


def fought(game: str, seed: int, share: float) -> Iterator[tuple[Croupier, Any, int]]:
    """Positions in the middle of battles, from games between bots, and how deep their battle lies."""
    rules = registry.load(game)
    pack = rules.load_pack()
    scenario = sorted(rules.scenarios(pack))[seed % len(rules.scenarios(pack))]
    seats = rules.seat_names(pack, scenario, rules.seats[0])
    rng = random.Random(f"{game} {seed}")
    croupier = Croupier(Machine(rules, pack), rng)
    bots = {seat: rules.bot(seat, seed) for seat in seats}
    pos = croupier.settle(croupier.machine.start(scenario, {}, seats)).position
    while not pos.outcome:
        deep = next((n for n, frame in enumerate(pos.stack) if type(frame).__name__ in BATTLES[game]), None)
        if deep is not None and isinstance(croupier.machine.waits_for(pos), Ask) and rng.random() < share:
            yield croupier, pos, deep
        pos = croupier.play(pos, bots).position


def upset(game: str, croupier: Croupier, pos: Any, deep: int, rng: random.Random) -> bool:
    """Break into a battle and play it to its end; False if there is nobody to lose."""
    new = pos.copy()
    new.pack = pos.pack
    kind = type(new.stack[deep]).__name__
    asked = croupier.machine.waits_for(pos).options.kind  # type: ignore[union-attr]
    if not UPSETS[game](new, rng):
        return False
    met[f"{game} {kind} {asked}"] += 1
    other = Croupier(croupier.machine, rng)
    other.truth = dict(croupier.truth)
    look, anybody = LOOKS.get(game), random_player(rng)

    def player(position: Any, options: Options, view: Any) -> Any:
        if look is not None:
            look(position, options)
        return anybody(position, options, view)

    now: Any = other.settle(other.machine.settle(new)).position
    for _ in range(LONG):
        if now.outcome or len(now.stack) <= deep or type(now.stack[deep]).__name__ != kind:
            return True
        now = other.play(now, dict.fromkeys(now.seats, player)).position
    raise AssertionError(f"the battle never ends: {now.text()}")


def run(game: str, count: int, seed: int, share: float = 0.3) -> None:
    """So many upsets in one game's battles."""
    rng, done = random.Random(seed), 0
    while done < count:
        for croupier, pos, deep in fought(game, seed, share):
            done += upset(game, croupier, pos, deep, rng)
            if done >= count:
                break
        seed += 1


def main() -> None:
    """So many upsets in the battles of every game."""
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for game in BATTLES:
        run(game, count, seed)
    print("\n".join(f"{number:6} {what}" for what, number in sorted(met.items())))


if __name__ == "__main__":
    main()
