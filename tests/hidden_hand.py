"""One line of a real game, played again and again with other cards in the hand of one seat, the hider.

Everything is real (homes, folders, keys, shuffles, shares, proofs, mails), but two values that come out of
hashes are fixed here, because the games of a line must agree in them:

- the seed of a joint event is that of the line and the event's number, not of entries and links;
- the order into which a seat shuffles is that of the line, the seat and the epoch. In the hider's order,
  and nowhere else, some cards change places: cards that the watcher does not see while the line lasts. At
  its end they lie in the hider's hand or in the stock.

This hides no leak. Each value is one that the hash could have had, and everybody goes on with it as he would
with that one; what is written, sent or shown is not touched. Nor do the players decide by what they must
not: the hider plays with a view that lacks the cards it keeps, the watcher with its own.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from games.chuhan.march import MarchPhase
from games.chuhan.moves import Wait
from pbem.demo.bot import PAUSE
from pbem.demo.together import join_all
from pbem.doing.handover import mail, parcel
from pbem.engine.notation import Handle, Move, write
from pbem.engine.options import PUBLIC, Options, View
from pbem.protocol.crypto.canonical import digest, encode
from pbem.protocol.crypto.chance import shuffle
from pbem.protocol.deck import masking
from pbem.protocol.deck.wire import Spot
from pbem.protocol.papers.times import seconds, stamp
from pbem.protocol.rounds import deck_duties
from pbem.table import Received
from pbem.transport.mail_in import find
from tests.hidden_watch import ENTRY, Side, Watch

SEATS = ("chu", "han")
"""In the order in which they shuffle."""
DECK = "fate"
KEPT = 3
"""So many cards of its hand the hider keeps: it neither plays them nor looks at them."""
Moved = Mapping[int, Mapping[int, int]]
"""By epoch, for a place of the shuffled deck, the place whose card lies there instead."""


def order_of(line: str, epoch: int, seat: str, n: int) -> tuple[int, ...]:
    """The order into which a seat shuffles in a line: for each place, where the card there comes from."""
    return shuffle(digest("order of a line", line, epoch, seat), 0, n)


def fix(patch: pytest.MonkeyPatch, line: str, hider: str, moved: Moved) -> None:
    """Dice and orders of a line; in the hider's order the cards of `moved` change places."""
    shuffled = masking.shuffled
    contexts: list[bytes] = []

    def noting(cards: Any, key: bytes, secret: bytes, context: bytes) -> Any:
        contexts.append(context)
        return shuffled(cards, key, secret, context)

    def order(_seed: bytes, _request: int, n: int) -> tuple[int, ...]:
        context = contexts.pop()
        epoch, seat = next((e, s) for e in range(8) for s in SEATS if context.endswith(_tail(e, s)))
        found = list(order_of(line, epoch, seat, n))
        if seat == hider:
            later = range(n) if seat == SEATS[-1] else order_of(line, epoch, SEATS[-1], n)
            new = {later[to]: found[later[source]] for to, source in moved.get(epoch, {}).items()}
            found = [new.get(place, card) for place, card in enumerate(found)]
        return tuple(found)

    def seed(_game: bytes, event: int, _decisions: object, _links: object) -> bytes:
        return digest("seed of a line", line, event)

    patch.setattr(masking, "shuffled", noting)
    patch.setattr(masking, "joint_order", order)
    patch.setattr("pbem.protocol.rounds.runner.seed", seed)
    patch.setattr("pbem.journal.place_of", _always_here)


def _tail(epoch: int, seat: str) -> bytes:
    """How the context of a seat's shuffle ends."""
    return encode("", DECK, epoch, seat).removeprefix(encode(""))


# --- players


@dataclass
class Policy:
    """How both decide: at random within what they may use, the same in every game of a line."""

    hider: str
    actions: int
    """So many actions the hider has left in this line; the last is to wait, with sealed plans."""
    rng: random.Random
    turn: int
    """Before this turn both wait."""
    looked_at: set[Handle] = field(default_factory=set)
    """Cards by which the hider decided."""

    def orders(self, side: Side, options: Options) -> str | None:
        """The orders of a seat that is asked; None at the end of the line."""
        assert side.table.secrets is not None
        pos, view = side.table.ledger.position, side.table.secrets.view(options)
        if not self.actions:
            return None
        if pos.turn < self.turn:
            return patient(options)
        if side.seat != self.hider:
            return write(self._act(options, view))
        hand = pos.hand(side.seat)
        if options.kind == "action":
            self.actions -= 1
            if not self.actions:
                return self.last(side, options)
        used = hand[:-KEPT]
        self.looked_at |= set(used)
        return write(options.sample(self.rng, View(side.seat, {h: view.known[h] for h in used})))

    def _act(self, options: Options, view: View) -> Move:
        """Anything but a wait: two in a row would open both hands (3-5)."""
        sampled = (options.sample(self.rng, view) for _ in range(100))
        return next(move for move in sampled if not isinstance(move, Wait))

    def last(self, side: Side, options: Options) -> str:
        """A wait, and sealed behind it what the hider would do with each card it keeps, by name."""
        assert side.table.secrets is not None
        rules, pos = side.table.ledger.machine.rules, side.table.ledger.position
        known = side.table.secrets.view(options).known
        kept = [rules.show(pos, known[handle]) for handle in pos.hand(side.seat)[-KEPT:]]
        plans = [f"? event {card}\n? diplomacy qingbu paying {card}" for card in kept]
        return "\n".join(["wait", *plans])


def patient(options: Options) -> str:
    """A wait, or the first answer where no action is asked for."""
    return "wait" if options.kind == "action" else write(next(iter(options.list(PUBLIC))))


@dataclass
class Patience:
    """Both wait until the march of a turn is about to end."""

    turn: int

    def orders(self, side: Side, options: Options) -> str | None:
        pos = side.table.ledger.position
        phase = pos.stack[-1]
        ends = isinstance(phase, MarchPhase) and (pos.turn, phase.waits) == (self.turn, 1)
        return None if ends else patient(options)


@dataclass
class Game:
    """A game of a line as the watcher sees it, and what it does not see."""

    seen: list[tuple[str, str]]
    kept: dict[Spot, str]
    """The cards in the hider's hand by which it did not decide."""
    loose: dict[Spot, str]
    """Those and the stock, as they lie when nothing is moved."""

    @property
    def hand(self) -> tuple[str, ...]:
        """What the hider keeps, by name."""
        return tuple(sorted(self.kept.values()))


def play(sides: tuple[Side, Side], policy: Any, watch: Any = None) -> None:
    """Mail by mail, until nothing is on its way: whoever is asked and has no orders thinks on."""
    waiting: list[tuple[Side, Side, bytes | None]] = [(sides[0], sides[1], None), (sides[1], sides[0], None)]
    while waiting:
        side, other, raw = waiting.pop(0)
        result = take(side, raw, policy)
        if watch is not None:
            watch.looks(side, raw, result)
        if result.answered:
            one = parcel(side.table, other.seat)
            waiting = [(other, side, mail(side.table, one.seats, one.raws))]


def take(side: Side, raw: bytes | None, policy: Any) -> Received:
    """A mail is taken in, what can be answered is answered, and what is asked is decided."""
    table = side.table
    table.clock = lambda: stamp(seconds(table.ledger.state.since) + PAUSE)
    entries = find(raw).entries if raw is not None else ()
    with table.sitting():
        result = table.receive([one for one in entries if one.startswith(ENTRY)])
        while (owed := table.due()) is not None and owed.options is not None:
            orders = policy.orders(side, owed.options)
            if orders is None:
                break
            made, more = table.orders(orders, side.home.key())
            result.answered += [made, *more.answered]
            result.logged += more.logged
    assert not result.refused, result.refused
    return result


# --- the same to look at


def difference(one: Game, two: Game) -> str:
    """The first thing in which two games do not look the same, "" if there is none."""
    for (name, left), (other, right) in zip(one.seen, two.seen, strict=False):
        if (name, left) != (other, right):
            lines = zip(left.splitlines(), right.splitlines(), strict=False)
            return f"{name}, {other}: {next((pair for pair in lines if pair[0] != pair[1]), 'its length')}"
    return "" if len(one.seen) == len(two.seen) else "how much there is to see"


# --- lines


@dataclass
class Line:
    """A line: who hides its hand, where it starts, how many actions the hider has from which turn on."""

    name: str
    hider: str
    start: Path
    """Homes and folders as they stand before it."""
    actions: int
    turn: int = 1
    policy: type[Policy] = Policy

    @property
    def watcher(self) -> str:
        return next(seat for seat in SEATS if seat != self.hider)

    def game(self, work: Path, moved: Moved) -> Game:
        """The line with some cards moved; always in the same folder, so that paths tell nothing."""
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(self.start, work)
        with pytest.MonkeyPatch.context() as patch:
            fix(patch, self.name, self.hider, moved)
            sides = (Side.open(work, SEATS[0]), Side.open(work, SEATS[1]))
            hider, watcher = sorted(sides, key=lambda side: side.seat == self.watcher)
            watch = Watch(watcher)
            rng = random.Random(f"{self.name} {self.hider}")
            policy = self.policy(self.hider, self.actions, rng, self.turn)
            play(sides, policy, watch)
            watch.end(patch)
        assert not policy.actions and isinstance(hider.table.ledger.position.stack[-1], MarchPhase)
        return self._judge(hider, watch, policy)

    def _judge(self, hider: Side, watch: Watch, policy: Policy) -> Game:
        state, pos, secrets = hider.table.ledger.state, hider.table.ledger.position, hider.table.secrets
        assert secrets is not None
        deck, names = deck_duties.load(state, DECK), state.decks[DECK].names
        kept = [h for h in pos.hand(hider.seat) if h not in policy.looked_at]
        loose = {}
        for slot in map(deck_duties.slot_of, (*kept, *pos.decks[DECK].rest)):
            cards = deck.epochs[slot.epoch].cards
            first, last = (order_of(self.name, slot.epoch, seat, len(cards)) for seat in SEATS)
            loose[slot] = names[cards[first[last[slot.place]]]]
        return Game(watch.seen, {deck_duties.slot_of(h): secrets.view().known[h] for h in kept}, loose)


def _always_here(path: Path) -> str:
    """Homes are put back as they were, again and again: they shall not take themselves for copies."""
    return "here"


def begun(work: Path, start: Path) -> Path:
    """Both have signed, nothing is shuffled yet. Made where it is played: homes know where folders are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.journal.place_of", _always_here)
        join_all(work, "chuhan", 11, domain="example.org")
    return Path(shutil.copytree(work, start))


def waited(work: Path, first: Path, start: Path, line: str, turn: int) -> Path:
    """From `first` on nobody has done anything, and the march of a turn is about to end."""
    shutil.rmtree(work)
    shutil.copytree(first, work)
    with pytest.MonkeyPatch.context() as patch:
        fix(patch, line, "", {})
        play((Side.open(work, SEATS[0]), Side.open(work, SEATS[1])), Patience(turn))
    return Path(shutil.copytree(work, start))
