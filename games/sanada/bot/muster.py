"""How a bot brings units onto the map and forms its Forces."""

from __future__ import annotations

from collections.abc import Callable

from games.sanada.advice import worth
from games.sanada.bot.plan import Mind
from games.sanada.moves import Deploy, DoneEntering, Enter, Join, Mobilize, Muster
from games.sanada.position import SanadaPosition
from games.sanada.terms import INSIDE, OSAKA, OSAKA_CASTLE
from pbem.engine.notation import Move
from pbem.engine.options import PUBLIC, Options

Thought = Callable[[Mind, SanadaPosition, Options], Move | None]


def listed(options: Options, kind: type[Move]) -> list[Move]:
    """The legal moves of a class."""
    return [m for f in options.families if f.kind is kind for m in f.moves(PUBLIC)]


def setup(mind: Mind, pos: SanadaPosition, options: Options) -> Move | None:
    """As usual."""
    return Muster(()) if mind.seat == OSAKA else Deploy(())


def best_join(pos: SanadaPosition, options: Options) -> Move | None:
    """The join that fills the best commander."""
    joins = [m for m in listed(options, Join) if isinstance(m, Join)]
    return max(
        joins,
        key=lambda m: (pos.unit(m.leader).action > 0, worth(pos, m.leader), worth(pos, m.unit)),
        default=None,
    )


def mobilize(mind: Mind, pos: SanadaPosition, options: Options) -> Move | None:
    """Commanders first, then the best; outside unless the enemy is near."""
    calls = [m for m in listed(options, Mobilize) if isinstance(m, Mobilize)]
    if not calls:
        return best_join(pos, options) or DoneEntering()
    home = pos.stronghold(OSAKA_CASTLE).hex
    inside = mind.around(pos, mind.enemy, home, 3) > 0
    return max(calls, key=lambda m: (m.place.endswith(INSIDE) == inside, worth(pos, m.unit)))


def enter(mind: Mind, pos: SanadaPosition, options: Options) -> Move | None:
    """Everybody at the hex that is nearest to Osaka, commanders first, then Forces are formed."""
    home = pos.stronghold(OSAKA_CASTLE).hex
    way = mind.way(pos, home)
    entries = [m for m in listed(options, Enter) if isinstance(m, Enter) and not m.place.endswith(INSIDE)]
    if entries:
        return max(entries, key=lambda m: (worth(pos, m.unit), -way.get(m.place, 999), m.place))
    return best_join(pos, options) or DoneEntering()


MUSTER: dict[str, Thought] = {"setup": setup, "mobilize": mobilize, "enter": enter}
