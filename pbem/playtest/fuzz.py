"""Random play: no crash, no dead end, no runaway, whatever legal moves are made.

On the way it is checked that a position survives being written and read, that a move survives it too,
that what is listed is accepted, that moves of another moment are refused with a reason and not with a
crash, and that no move hands the decision over which says that it cannot. A game that fails is written as
a trail of its decisions and dice, which `replay` follows even when the rules or the random numbers have
changed since.
"""

from __future__ import annotations

import random
import time
import tomllib
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice, repeat
from pathlib import Path
from typing import Any

from pbem.engine.codec import hints
from pbem.engine.croupier import Croupier, Player
from pbem.engine.machine import Machine, RunsAway
from pbem.engine.notation import Move, parse, write
from pbem.engine.options import NoAnswer, Options, View
from pbem.engine.position import Position
from pbem.engine.rules import AnyRules
from pbem.engine.waits import Ask, AskSealed, Chance, Shuffle, Wait
from pbem.errors import PbemError, UsageError
from pbem.playtest.local import Start, any_start, begin, is_over, scenarios

LIMIT = 20_000
"""More questions than this are a game that does not end."""
CHECK_EVERY = 40
"""The first decision of a run and one in so many after it are looked at closely, across its games."""
LISTED = 200
"""Only a listing up to this length is searched for a move that was accepted."""
TRIED = 16
"""So many of the listed moves are tried."""


class DeadEnd(Exception):
    """Somebody is asked and has no legal answer."""


class HandsOver(Exception):
    """A move that says it cannot interrupt made another seat decide: what follows it is sent in the clear."""


class Refused(Exception):
    """The rules have changed: a decision of the trail is not legal any more."""


@dataclass
class Trail:
    """Everything that made a game go as it went."""

    start: Start
    limit: int = LIMIT
    decisions: list[str] = field(default_factory=list)
    numbers: list[list[int]] = field(default_factory=list)
    shuffles: list[list[int]] = field(default_factory=list)


class Recorder(Croupier):
    """A croupier whose dice and shuffles go into the trail."""

    def __init__(self, machine: Machine, rng: random.Random, trail: Trail) -> None:
        super().__init__(machine, rng)
        self.trail = trail

    def numbers(self, wait: Chance) -> tuple[int, ...]:
        found = super().numbers(wait)
        self.trail.numbers.append(list(found))
        return found

    def order(self, wait: Shuffle, size: int) -> Sequence[int]:
        found = super().order(wait, size)
        self.trail.shuffles.append(list(found))
        return found


class Retracer(Croupier):
    """A croupier whose dice and shuffles come from a trail, then from chance."""

    def __init__(self, machine: Machine, trail: Trail) -> None:
        super().__init__(machine, random.Random(0))
        self._numbers, self._shuffles = deque(trail.numbers), deque(trail.shuffles)

    def numbers(self, wait: Chance) -> tuple[int, ...]:
        return tuple(self._numbers.popleft()) if self._numbers else super().numbers(wait)

    def order(self, wait: Shuffle, size: int) -> Sequence[int]:
        return self._shuffles.popleft() if self._shuffles else super().order(wait, size)


class Prober:
    """The random player of every seat, who looks closely at some of the questions."""

    def __init__(
        self, machine: Machine, rng: random.Random, trail: Trail, due: Iterator[bool] | None = None
    ) -> None:
        self.machine = machine
        self.rng = rng
        self.trail = trail
        self.due = repeat(True) if due is None else due
        """Whether the next decision is one to look at closely; every one unless told otherwise."""
        self.picks = random.Random(0)
        self.earlier: deque[Move] = deque(maxlen=8)
        self.interrupts = True

    def __call__(self, pos: Position, options: Options, view: View) -> Move:
        try:
            move = options.sample(self.rng, view)
        except NoAnswer as error:
            raise DeadEnd(f"{error} at {pos.stack[-1].at}") from error
        self.take(pos, options, view, move)
        return move

    def take(self, pos: Position, options: Options, view: View, move: Move) -> None:
        """A move goes into the trail; now and then everything about it is looked at."""
        self.trail.decisions.append(write(move))
        self.interrupts = self.machine.rules.interrupts(pos, move)
        if next(self.due):
            self._check(pos, options, view, move)
            self.earlier.append(move)

    def _check(self, pos: Position, options: Options, view: View, move: Move) -> None:
        strangers = [kind.__name__ for kind in options.kinds() if kind not in self.machine.rules.moves]
        assert not strangers, f"{strangers[0]} is not among the moves of {self.machine.rules.name}"
        asks = self.machine.rules.asks
        alone = asks.get(options.kind, ("nobody",)) if asks else ()
        assert not alone or options.seat in alone, f"{options.kind!r} is not in asks for {options.seat}"
        _only_frozen(pos)
        text = pos.text()
        again = self.machine.read(tomllib.loads(text))
        assert again.text() == text, "a position changes when it is written and read"
        assert type(self.machine.waits_for(again)) is type(self.machine.waits_for(pos)), "asks another thing"
        order = self.machine.write_move(pos, move, view)
        assert self.machine.read_move(pos, options, order, view) in self._meant(pos, options, order, view)
        listed = list(islice(options.list(view), LISTED + 1))
        for one in self.picks.sample(listed, min(TRIED, len(listed))):
            refusal = options.why_not(one, view)
            assert refusal is None, f"listed and refused: {write(one)}: {refusal and refusal.reason}"
        for old in self.earlier:
            refusal = options.why_not(old, view)
            if refusal is not None:
                assert refusal.reason, f"refused without a reason: {write(old)}"
            elif len(listed) <= LISTED and not options.hidden:
                assert old in listed, f"accepted and not listed: {write(old)}"

    def _meant(self, pos: Position, options: Options, order: str, view: View) -> list[Move]:
        return parse(order, options.kinds(), self.machine.rules.lookup(pos, view.known))

    def handed_over(self, before: Wait, after: Wait) -> None:
        """After each decision: a move that cannot interrupt leaves the next decision to its own seat."""
        if not isinstance(before, Ask) or not isinstance(after, (Ask, AskSealed)):
            return
        asked = (after.options,) if isinstance(after, Ask) else after.options
        seat, order = before.options.seat, self.trail.decisions[-1]
        if not self.interrupts and any(options.seat != seat for options in asked):
            raise HandsOver(f"{seat}: {order}: its class says interrupts = False, and another seat decides")


def _only_frozen(pos: Position) -> None:
    """Whatever a position or a frame holds is shared by its copies: it must not be able to change."""
    for owner in (pos, *pos.stack):
        for name in hints(type(owner)):
            value = getattr(owner, name)
            inside = value.values() if owner is pos and isinstance(value, dict) else (value,)
            for one in inside:
                if isinstance(one, (list, set, dict, bytearray)):
                    raise AssertionError(f"{type(owner).__name__}.{name} holds a {type(one).__name__}")


def every(step: int) -> Iterator[bool]:
    """True for the first and for every `step`-th after it."""
    return (number % step == 0 for number in count())


def play(machine: Machine, croupier: Croupier, trail: Trail, player: Player, prober: Prober) -> None:
    """One game to its end."""
    pos = begin(croupier, trail.start)
    players = dict.fromkeys(trail.start.seats, player)
    for _ in range(trail.limit):
        if is_over(machine, pos):
            return
        asked = machine.waits_for(pos)
        pos = croupier.play(pos, players).position
        prober.handed_over(asked, machine.waits_for(pos))
    raise RunsAway(f"no end after {trail.limit} questions, at {pos.stack[-1].at if pos.stack else 'the end'}")


def run(
    rules: AnyRules,
    scenario: str | None = None,
    games: int = 100,
    seed: int = 0,
    *,
    numbers: Sequence[int] | None = None,
    pack: Any = None,
    seats: int | None = None,
    limit: int = LIMIT,
    dump: Path | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Random games; what came of them, and the files of those that failed.

    `numbers` are the games to play, all of 0 … games - 1 unless given; `pack` is the data to play with;
    `seats` is how many play, any number unless given.
    """
    pack = rules.load_pack() if pack is None else pack
    scenarios(rules, pack, scenario)
    machine = Machine(rules, pack)
    total = dict.fromkeys(("finished", "decisions", "crashes", "dead_ends", "runaways"), 0)
    due = every(CHECK_EVERY)
    files: list[str] = []
    began = time.perf_counter()
    chosen = range(games) if numbers is None else numbers
    for done, number in enumerate(chosen, 1):
        rng = random.Random(f"fuzz {rules.name} {seed} {number}")
        trail = Trail(any_start(rules, pack, scenario, rng, seats), limit)
        try:
            prober = Prober(machine, rng, trail, due)
            play(machine, Recorder(machine, rng, trail), trail, prober, prober)
            total["finished"] += 1
        except Exception as error:
            kind = cause(error)
            total[kind] += 1
            if dump is not None:
                name = f"{rules.name}-{seed}-{number}.fuzz.toml"
                files.append(str(write_trail(dump / name, rules, pack, trail, kind, error)))
        total["decisions"] += len(trail.decisions)
        progress(done)
    seconds = time.perf_counter() - began
    speed = round(total["decisions"] / seconds) if seconds else 0
    return {"games": len(chosen), **total, "decisions_per_second": speed, "files": files}


def cause(error: Exception) -> str:
    """Under which name a failure is counted."""
    if isinstance(error, DeadEnd):
        return "dead_ends"
    if isinstance(error, RunsAway):
        return "runaways"
    return "crashes"


def write_trail(path: Path, rules: AnyRules, pack: Any, trail: Trail, kind: str, error: Exception) -> Path:
    """A failed game as a file that anybody can replay."""
    import tomli_w

    table = {
        "game": rules.name,
        "version": rules.version,
        "data": pack.digest,
        "kind": kind,
        "error": f"{type(error).__name__}: {error}",
        "traceback": "".join(traceback.format_exception(error)),
        "scenario": trail.start.scenario,
        "options": trail.start.options,
        "seats": list(trail.start.seats),
        "limit": trail.limit,
        "decisions": trail.decisions,
        "numbers": trail.numbers,
        "shuffles": trail.shuffles,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(tomli_w.dumps(table, multiline_strings=True), "utf-8")
    return path


def read_trail(path: Path, rules: AnyRules) -> Trail:
    """The trail in a file."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
        start = Start(table["scenario"], dict(table["options"]), tuple(table["seats"]))
        made = [list(table[name]) for name in ("decisions", "numbers", "shuffles")]
        trail = Trail(start, int(table["limit"]), *made)
        game = table["game"]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path} is no trail of a failed game: {error}") from None
    if game != rules.name:
        raise UsageError(f"{path} is a game of {game}", f"`pbem fuzz {game} --replay {path}`")
    return trail


def replay(rules: AnyRules, trail: Trail) -> Mapping[str, Any]:
    """Follow a trail: how many decisions went through, and what went wrong, if anything."""
    machine = Machine(rules, rules.load_pack())
    rest = deque(trail.decisions)
    again = Trail(trail.start, trail.limit)
    prober = Prober(machine, random.Random(0), again)

    def player(pos: Position, options: Options, view: View) -> Move:
        if not rest:
            return prober(pos, options, view)
        text = rest.popleft()
        try:
            move = machine.read_move(pos, options, text, view)
        except PbemError as error:
            raise Refused(f"{text}: {error.message}") from error
        prober.take(pos, options, view, move)
        return move

    failed: Exception | None = None
    try:
        play(machine, Retracer(machine, trail), again, player, prober)
    except Exception as error:
        failed = error
    return {
        "decisions": len(again.decisions),
        "kind": cause(failed) if failed else "",
        "error": f"{type(failed).__name__}: {failed}" if failed else "",
        "raised": failed,
    }
