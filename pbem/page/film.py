"""A game as a film: every applied step, the dice with what they were made from, the openings.

The game is run again by the same ledger as in `pbem verify`; only the runner between two rounds also writes
down what it did. Frames hold what changed against the one before: unique looks, and where they lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.events import Event
from pbem.engine.machine import Result
from pbem.engine.position import Position
from pbem.engine.scene import Scene
from pbem.engine.waits import Chance
from pbem.page.beside import Manner
from pbem.page.picture import draw
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.bodies import Opening
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import read
from pbem.protocol.rounds.events import NumbersFell
from pbem.protocol.rounds.runner import Runner

IN_PLAY = ("orders", "sealed", "answers")
"""Kinds of entry that are shown by what they lead to."""


@dataclass(frozen=True)
class Step:
    """One applied answer: the position after it and what happened."""

    entry: int
    position: Position
    events: tuple[Event, ...]
    chance: int | None = None
    """The number of the request for dice that it answered."""


@dataclass(frozen=True)
class Seeded:
    """What a seed was made from."""

    event: int
    decisions: tuple[str, ...]
    links: tuple[str, ...]


@dataclass(frozen=True)
class Rolled:
    """Integers that a rule asked for."""

    event: int
    request: int
    bounds: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True)
class Opened:
    """A closed slot that was opened, and the commitment that it must fit."""

    entry: int
    seat: str
    slot: str
    value: str
    nonce: str
    commitment: str


@dataclass
class Film:
    """Everything that is shown and checked."""

    contract: Contract
    steps: list[Step] = field(default_factory=list)
    seeds: list[Seeded] = field(default_factory=list)
    rolls: list[Rolled] = field(default_factory=list)
    openings: list[Opened] = field(default_factory=list)
    shared: int = 0
    """Openings of cards of a shared deck: the page cannot check those."""
    entries: list[tuple[Logged, str]] = field(default_factory=list)
    """The log, each entry with the public key that signed it (hex)."""


class _Filming(Runner):
    """A runner that writes down what it does."""

    def _take(self, result: Result) -> None:
        super()._take(result)
        self.notes.append((result.position, result.events))

    def _roll(self, wait: Chance) -> bool:
        before = (self.state.event, self.state.decisions, dict(self.state.fresh))
        told = len(self.events)
        went_on = super()._roll(wait)
        if self.state.event != before[0]:
            links = tuple(before[2][seat] for seat in self.pos.seats)
            self.notes.append(Seeded(self.state.event, before[1], links))
        for event in self.events[told:]:
            if isinstance(event, NumbersFell):
                self.notes.append(Rolled(event.seed, event.request, event.bounds, event.values))
        return went_on

    def check_opening(self, seat: str, opening: Opening) -> bool:
        own = super().check_opening(seat, opening)
        slot = self.pos.hidden[opening.slot]
        self.notes.append((opening, slot.owner, slot.commitment))
        return own

    @property
    def notes(self) -> list[Any]:
        """What was done, in order."""
        if not hasattr(self, "_notes"):
            self._notes: list[Any] = []
        return self._notes


def keep(film: Film, notes: Iterable[Any], number: int) -> None:
    """What a round did becomes part of the film."""
    for note in notes:
        if isinstance(note, Seeded):
            film.seeds.append(note)
        elif isinstance(note, Rolled):
            film.rolls.append(note)
            last = film.steps[-1]
            film.steps[-1] = Step(last.entry, last.position, last.events, len(film.rolls) - 1)
        elif isinstance(note[0], Opening):
            opening, owner, commitment = note
            if owner:
                film.openings.append(
                    Opened(number, owner, opening.slot, opening.value, opening.nonce, commitment)
                )
            else:
                film.shared += 1
        else:
            film.steps.append(Step(number, *note))


def shoot(contract: Contract, rules: Any, pack: Any, moves: Iterable[bytes]) -> Film:
    """Run a game again and keep every step."""
    ledger = Ledger.start(contract, rules, pack, _Filming)
    film = Film(contract)
    film.steps.append(Step(0, ledger.position, ledger.opening))
    for raw in moves:
        filmed = len(film.steps)
        new = ledger.offer([ledger.admit(read(raw))])
        for logged in new:
            film.entries.append((logged, logged.entry.key.hex()))
        for step in ledger.last_steps if new else ():
            runner = step.after.runner
            assert isinstance(runner, _Filming)
            keep(film, runner.notes, step.place.state.number)
        _tell(film, new, filmed)
        if film.steps[-1].position is not ledger.position and new:  # an agreement, or a seat is out
            film.steps.append(Step(ledger.state.number, ledger.position, film.entries[-1][0].events))
    return film


def _tell(film: Film, new: list[Logged], filmed: int) -> None:
    """What was said or offered beside the moves gets a step of its own: nothing moves in it."""
    done = {step.entry for step in film.steps[filmed:]}
    for logged in new:
        told = tuple(event for event in logged.events if not event.quiet)
        if (
            logged.number not in done
            and told
            and logged.entry.head.kind not in ("orders", "sealed", "answers")
        ):
            film.steps.append(Step(logged.number, film.steps[-1].position, told))


class Reel:
    """Frames of changes: unique looks, and which thing lies where from this frame on."""

    def __init__(self, manner: Manner) -> None:
        self.manner = manner
        self.looks: dict[str, int] = {}
        self.bases: dict[str, int] = {}
        self.places: dict[str, list[float]] = {}
        self.size = [0.0, 0.0]
        self._now: dict[str, list[Any]] = {}

    def frame(self, scene: Scene) -> dict[str, Any]:
        """What changes on the table with a position."""
        drawing = draw(scene, self.manner)
        layout = drawing.layout
        self._note_places(drawing.sheet.at, layout.boxes)
        now = {
            item.id: [self._look(item.look), _short(item.x), _short(item.y), item.z, item.scale, item.turn]
            for item in layout.items
        }
        changed = {ident: _lean(spot) for ident, spot in now.items() if self._now.get(ident) != spot}
        gone = [ident for ident in self._now if ident not in now]
        self._now = now
        base = self.bases.setdefault(drawing.sheet.markup, len(self.bases))
        frame: dict[str, Any] = {"set": changed, "del": gone, "base": base, "head": scene.headline}
        size = [_short(layout.width), _short(layout.height)]
        if size != self.size:
            self.size = frame["size"] = size
        return frame

    def _look(self, look: str) -> int:
        return self.looks.setdefault(look, len(self.looks))

    def _note_places(
        self, at: Mapping[str, tuple[float, float]], boxes: Mapping[str, tuple[float, ...]]
    ) -> None:
        for place, (x, y) in at.items():
            self.places.setdefault(place, [_short(x), _short(y)])
        for place, (x, y, w, h) in boxes.items():
            self.places.setdefault(place, [_short(x + w / 2), _short(y + h / 2)])


def _short(value: float) -> float:
    found = round(value, 1)
    return int(found) if found == int(found) else found


def _lean(spot: list[Any]) -> list[Any]:
    """Without a scale of 1 and a turn of 0 at the end."""
    if spot[5] == 0:
        return spot[:4] if spot[4] == 1 else spot[:5]
    return spot
