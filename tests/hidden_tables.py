"""Lines of suikoden, played again with other cards in every slot that one seat, the watcher, never sees.

As `hidden_hand` does it for two seats and one deck, here for any number of seats, with several decks, cards
that are handed over unseen and cards that go back into a deck unseen. The first game of a line decides at
random and writes down each order by slot; the others give the same orders. Two values that come out of hashes
are fixed: the seed of a joint event, and the order into which a seat shuffles. In the order of one other seat
the cards that the watcher does not see change places, people with people of the same class (so that a deck
stays lawful and an answer is one that could be given), lands with lands.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from games.suikoden.pack import load_pack
from games.suikoden.position import SEATS
from games.suikoden.terms import LANDS, PEOPLE, STOCK
from pbem.demo.together import join_all
from pbem.doing.handover import mail, parcel
from pbem.engine.croupier import visible
from pbem.engine.handles import read_card
from pbem.engine.notation import Handle, write
from pbem.engine.options import Options
from pbem.home import Home
from pbem.protocol.crypto.canonical import digest, encode
from pbem.protocol.crypto.chance import integers
from pbem.protocol.deck import masking
from pbem.protocol.deck.wire import Spot
from pbem.protocol.rounds import deck_duties
from pbem.table import Table
from tests.hidden_hand import _always_here, order_of, take
from tests.hidden_watch import Side, Watch

PACK = load_pack()
DECKS = (PEOPLE, LANDS, STOCK)
WANTED = 3
"""The first die of every joint event shows this, from 0: event 4, a card handed over, comes up when asked."""

Moved = Mapping[tuple[str, int], Mapping[int, int]]
"""By deck and epoch, for a place of the shuffled deck, the place whose card lies there instead."""


def composed(line: str, deck: str, epoch: int, seats: Sequence[str], n: int) -> list[int]:
    """For each place after these seats have shuffled one after the other, where the card there came from."""
    found = list(range(n))
    for seat in seats:
        order = order_of(f"{line} {deck}", epoch, seat, n)
        found = [found[place] for place in order]
    return found


def fix(patch: pytest.MonkeyPatch, line: str, seats: Sequence[str], hider: str, moved: Moved) -> None:
    """Dice and orders of a line; in the hider's order the cards of `moved` change places."""
    shuffled = masking.shuffled
    contexts: list[bytes] = []
    tails = {
        encode("", deck, epoch, seat).removeprefix(encode("")): (deck, epoch, seat)
        for deck in DECKS
        for epoch in range(8)
        for seat in seats
    }

    def noting(cards: Any, key: bytes, secret: bytes, context: bytes) -> Any:
        contexts.append(context)
        return shuffled(cards, key, secret, context)

    def order(_seed: bytes, _request: int, n: int) -> tuple[int, ...]:
        context = contexts.pop()
        deck, epoch, seat = next(what for tail, what in tails.items() if context.endswith(tail))
        found = list(order_of(f"{line} {deck}", epoch, seat, n))
        if seat == hider:
            later = composed(line, deck, epoch, seats[seats.index(seat) + 1 :], n)
            new = {later[to]: found[later[source]] for to, source in moved.get((deck, epoch), {}).items()}
            found = [new.get(place, card) for place, card in enumerate(found)]
        return tuple(found)

    def seed(_game: bytes, event: int, _decisions: object, _links: object) -> bytes:
        """The first of the seeds of this event whose dice do: one that shows `WANTED`, and no tie."""
        tries = (digest("seed of a line", line, event, n) for n in range(100_000))
        return next(one for one in tries if _will_do(integers(one, 0, (6,) * len(seats))))

    patch.setattr(masking, "shuffled", noting)
    patch.setattr(masking, "joint_order", order)
    patch.setattr("pbem.protocol.rounds.runner.seed", seed)
    patch.setattr("pbem.journal.place_of", _always_here)


def _will_do(dice: Sequence[int]) -> bool:
    return dice[0] == WANTED and dice.count(max(dice)) == 1


# --- players


@dataclass
class Script:
    """Orders by seat: written down in the first game, given again in the others."""

    decisions: int
    rng: random.Random
    asked: tuple[str, ...] = ()
    """Words with which an order begins that is preferred."""
    given: dict[str, list[str]] = field(default_factory=dict)
    looked_at: dict[str, set[Handle]] = field(default_factory=dict)
    """By seat, the cards that it saw when it was asked."""
    again: dict[str, list[str]] | None = None

    def orders(self, side: Side, options: Options) -> str | None:
        """The next order of a seat; None at the end of the line."""
        seen = visible(side.table.ledger.position, side.seat)
        self.looked_at.setdefault(side.seat, set()).update(seen)
        if self.again is not None:
            left = self.again.get(side.seat)
            return left.pop(0) if left else None
        if not self.decisions:
            return None
        self.decisions -= 1
        assert side.table.secrets is not None
        view = side.table.secrets.view(options)
        texts = [write(options.sample(self.rng, view)) for _ in range(30 if self.asked else 1)]
        text = next((one for one in texts if one.startswith(self.asked or "\n")), texts[0])
        self.given.setdefault(side.seat, []).append(text)
        return text


@dataclass
class Played:
    """A game of a line as the watcher sees it, and what it does not see."""

    seen: list[tuple[str, str]]
    mails: int
    loose: dict[tuple[str, Spot], str]
    """Where in which shuffle the cards lay that the watcher never saw, and which they are."""
    unseen: dict[str, tuple[Handle, ...]]
    """The closed cards in the others' hands."""
    passed: tuple[Handle, ...]
    """Cards among them that came from another seat's hand."""
    returned: int
    """So many of the loose cards went back into a deck unseen."""
    orders: dict[str, list[str]]


@dataclass
class Line:
    """A line: which scenario with which seats, who watches, in whose order cards are moved."""

    scenario: str
    seats: tuple[str, ...]
    watcher: str
    hider: str
    decisions: int
    start: Path
    name: str = "line"
    asked: tuple[str, ...] = ()

    def game(self, work: Path, moved: Moved, again: dict[str, list[str]] | None = None) -> Played:
        """The line with some cards moved; always in the same folder, so that paths tell nothing."""
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(self.start, work)
        script = Script(self.decisions, random.Random(self.name), self.asked)
        script.again = {seat: list(orders) for seat, orders in again.items()} if again else None
        with pytest.MonkeyPatch.context() as patch:
            fix(patch, self.name, self.seats, self.hider, moved)
            sides = [opened(work, seat) for seat in self.seats]
            watch = Watch(next(side for side in sides if side.seat == self.watcher))
            known, passed = self._play(sides, script, watch)
            watch.end(patch)
        other = next(side for side in sides if side.seat == self.hider)
        return self._judge(other, watch, script, known, passed)

    def _play(self, sides: list[Side], script: Script, watch: Watch) -> tuple[set[Handle], set[Handle]]:
        """Mail by mail; which cards the watcher knew at some time, and which came to another hand."""
        waiting: list[tuple[Side, bytes | None]] = [(side, None) for side in sides]
        known: set[Handle] = set()
        passed: set[Handle] = set()
        holders: dict[Handle, str] = {}
        while waiting:
            side, raw = waiting.pop(0)
            result = take(side, raw, script)
            watch.looks(side, raw, result)
            pos = side.table.ledger.position
            if side is watch.watcher:
                known |= set(visible(pos, side.seat)) | script.looked_at.get(side.seat, set())
            for handle, slot in pos.hidden.items():
                if slot.holder and holders.setdefault(handle, slot.holder) != slot.holder:
                    passed.add(handle)
            if result.answered:
                for one in sides:
                    if one is not side:
                        sent = parcel(side.table, one.seat)
                        waiting.append((one, mail(side.table, sent.seats, sent.raws)))
        return known, passed

    def _judge(
        self, side: Side, watch: Watch, script: Script, known: set[Handle], passed: set[Handle]
    ) -> Played:
        state, pos = side.table.ledger.state, side.table.ledger.position
        loose: dict[tuple[str, Spot], str] = {}
        returned = 0
        seen = {(card.deck, deck_duties.slot_of(h)) for h in known if (card := read_card(h)) is not None}
        closed = [h for h in pos.hidden if read_card(h) is not None and h not in known]
        closed += [h for deck in pos.decks.values() for h in deck.rest]
        for handle in dict.fromkeys(closed):
            found = read_card(handle)
            assert found is not None
            name = found.deck
            if name not in state.decks:
                continue
            deck, names = deck_duties.load(state, name), state.decks[name].names
            slot = deck_duties.slot_of(handle)
            epoch = deck.epochs[slot.epoch]
            while (at := self._from(name, slot, len(epoch.cards) + len(epoch.unseen))) >= len(epoch.cards):
                slot = epoch.unseen[at - len(epoch.cards)].slot
                epoch = deck.epochs[slot.epoch]
                returned += 1
            assert epoch.order == self.seats
            if (name, slot) in seen:  # the watcher put it back itself
                continue
            loose[name, slot] = names[epoch.cards[at]]
        hands = {s: pos.sides[s].hand for s in self.seats if s != self.watcher}
        return Played(
            watch.seen, watch.mails, loose, hands, tuple(passed & set(closed)), returned, script.given
        )

    def _from(self, deck: str, slot: Spot, n: int) -> int:
        return composed(self.name, deck, slot.epoch, self.seats, n)[slot.place]

    def twin(self, first: Played, rng: random.Random) -> Moved:
        """Another truth about the cards that the watcher never saw."""
        groups: dict[tuple[object, ...], list[Spot]] = {}
        for (deck, slot), card in first.loose.items():
            groups.setdefault((deck, slot.epoch, *_class(card)), []).append(slot)
        moved: dict[tuple[str, int], dict[int, int]] = {}
        for (deck, epoch, *_), slots in groups.items():
            places = [slot.place for slot in slots]
            there = moved.setdefault((str(deck), int(str(epoch))), {})
            there.update(zip(places, rng.sample(places, len(places)), strict=True))
        return moved


def _class(card: str) -> tuple[object, ...]:
    """Cards of one class can stand for each other in every answer."""
    person = PACK.people.get(card)
    if person is None:
        return ("land", PACK.lands[card].stars)
    return ("person", person.cheap, len(person.cost) <= 2)


def opened(folder: Path, seat: str) -> Side:
    """A seat with its home and folder."""
    home = Home(folder / seat / "home")
    (path,) = (folder / seat).glob("suikoden-*")
    return Side(seat, home, Table.open(path, home))


def begun(work: Path, start: Path, scenario: str, seats: int) -> Path:
    """All have signed, nothing is shuffled yet. Made where it is played: homes know where folders are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.journal.place_of", _always_here)
        join_all(work, "suikoden", 11, scenario, domain="example.org", count=seats)
    return Path(shutil.copytree(work, start))


def line_of(
    work: Path,
    scenario: str,
    seats: int,
    watcher: int,
    decisions: int,
    name: str,
    asked: tuple[str, ...] = (),
) -> Line:
    """A line whose start is made; the cards are moved in the order of another seat than the watcher."""
    start = begun(work, work.with_name(f"{scenario}-{seats}-{name}-{watcher}"), scenario, seats)
    names = SEATS[:seats]
    hider = names[0] if watcher else names[-1]
    return Line(scenario, names, names[watcher], hider, decisions, start, name, asked)
