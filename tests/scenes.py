"""Small scenes for tests of the protocol: a table brought to one question, and games made for one die."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from pbem.engine import registry
from pbem.engine.croupier import random_player
from pbem.engine.notation import Handle
from pbem.engine.options import Among, Options
from pbem.engine.position import Position
from pbem.engine.procedure import Dice, Goto, Perform, Procedure, chooses, deals, rolls, rule, shuffles
from pbem.engine.rules import Rules
from pbem.engine.wording import tell
from pbem.filing import move_path
from pbem.protocol.papers.bodies import Answers, Delivery, Late, Note
from pbem.protocol.papers.body_checks import pack_box
from pbem.protocol.papers.entry import compose, read
from pbem.protocol.rounds.card_boxes import made_box
from pbem.verify import Verification, verify_moves
from tests.table import Player, give, key_of, make_contract, players, settle
from tests.tiny.cards import Effect
from tests.tiny.moves import Done, Hit
from tests.tiny.position import Ended
from tests.tiny.rules import TinyPack, TinyRules
from tests.tiny.turns import Action, Game


class Deeds(TinyRules):
    """The tiny game, begun where every seat acts once, in seat order, and nobody holds a card."""

    def start(self, pack: Any, scenario: str, options: Any, seats: tuple[str, ...]) -> Any:
        pos = super().start(pack, scenario, options, seats)
        pos.turn, pos.last_turn = 1, 1
        pos.stack[0].at = "turn"
        for seat in reversed(seats):
            pos.stack.append(Action(seat))
        return pos


def table_of(count: int, rules: Rules | None = None, **options: Any) -> dict[str, Player]:
    """A table that plays the given rules (the deeds, if none are given)."""
    chosen = rules or Deeds()
    contract, keys = make_contract(count, rules=chosen, **options)
    return {seat: Player(contract, seat, keys[seat], chosen) for seat in contract.seats}


def orders(player: Player, text: str, **head: Any) -> bytes:
    """A signed list of orders of the seat that is asked; `head` are other fields of its head."""
    return player.entry("orders", player.secrets.orders(text), **head)


def play(table: dict[str, Player], seat: str, text: str) -> bytes:
    """Orders, given to all, and every automatic answer after them."""
    raw = orders(table[seat], text)
    give(table, raw)
    settle(table)
    return raw


def reach(table: dict[str, Player], kind: str, rng: random.Random, seat: str | None = None) -> str:
    """Play at random until a question of this kind is open (to this seat); returns the seat asked."""
    settle(table)
    for _ in range(2000):
        for player in table.values():
            owed = player.owed()
            if owed is None or owed.options is None or seat not in (None, player.seat):
                continue
            if owed.options.kind == kind:
                return player.seat
        raw = next((r for p in table.values() if (r := p.decide(rng)) is not None), None)
        if raw is None:
            break
        give(table, raw)
        settle(table)
    raise AssertionError(f"the question {kind} never came")


def agree(table: dict[str, Player], kind: str, body: Any) -> None:
    """All offer the same at this tip, and the first of those who are asked to decide notes it."""
    for player in table.values():
        give(table, player.entry(kind, body))
    first = next(iter(next(iter(table.values())).ledger.due()))
    give(table, table[first].entry("note", Note()))


def call_late(table: dict[str, Player], *late: str) -> None:
    """All at this table call these seats late."""
    for raw in [player.entry("late", Late(tuple(sorted(late)))) for player in table.values()]:
        give(table, raw)


def verified(player: Player) -> Verification:
    """What `pbem verify` makes of a player's log."""
    files = {"game.toml": player.contract.text().encode()}
    files |= {move_path(one.number, one.entry.seat): one.entry.raw for one in player.log}
    with patch.object(registry, "load", lambda name: player.rules):
        return verify_moves(files)


def held(player: Player) -> list[str | None]:
    """The hand of a player, as it sees it."""
    return [player.secrets.value(handle) for handle in player.ledger.position.players[player.seat].hand]


def deeds(name: str, tries: int) -> Iterator[tuple[dict[str, Player], Player]]:
    """Tables with decks of their own, played at random, and who is asked there for a deed."""
    for salt in range(tries):
        table = players(2, salt=f"{name} {salt}")
        with suppress(AssertionError):  # the game may end without one
            yield table, table[reach(table, "deed", random.Random(salt))]


def events(players: Iterable[Player]) -> list[Any]:
    """Everything that was logged, by the first of the players."""
    return [event for one in next(iter(players)).log for event in one.events]


def texts(table: dict[str, Player]) -> list[str]:
    """Every event in words."""
    first = next(iter(table.values()))
    return [tell(event, first.ledger.position) for event in events(table.values())]


def fault(player: Player, seat: str) -> str:
    """How a seat broke the protocol, by the name of the fact; "" if it did not."""
    gone = player.ledger.state.gone.get(seat)
    return gone.fault.event if gone is not None and gone.fault is not None else ""


# --- a game in which cards are handed over


@dataclass(slots=True)
class Theft(Procedure):
    """3.0 A THEFT: a seat sends a spy, or does not."""

    seat: str

    def deed(self, pos: Any) -> Options:
        families = (Among(Done, [Done()], "3.1"), Among(Hit, [Hit(self.seat)], "3.1"))
        return Options(self.seat, families, "deed", "whether to send a spy")

    @chooses("3.1", deed)
    def act(self, pos: Any, move: Any) -> Perform | None:
        """A spy takes a card of the next seat's hidden hand, unseen by the others."""
        return Perform(Effect(self.seat, "spy"), then="over") if isinstance(move, Hit) else None

    @rule("3.2")
    def over(self, pos: Any) -> None:
        """The next seat follows."""


@dataclass(slots=True)
class Robbery(Procedure):
    """1.0 THE GAME: decks and hands, then each seat may steal, twice round the table."""

    seat: int = 0

    @shuffles("1.1", Game.own_deck)
    def decks(self, pos: Any) -> Goto | None:
        """As in the tiny game."""
        self.seat += 1
        return Goto("decks") if self.seat < len(pos.seats) else None

    @deals("1.2", Game.first_hands)
    def hands(self, pos: Any, dealt: tuple[tuple[Handle, ...], ...]) -> None:
        """Two cards each."""
        for seat, cards in zip(pos.seats, dealt, strict=True):
            pos.change(seat, hand=cards)

    @rule("1.3")
    def turn(self, pos: Any) -> Perform | None:
        """One theft after the other."""
        pos.turn += 1
        if pos.turn > 2 * len(pos.seats):
            pos.end((), Ended("nothing more to steal"))
            return None
        return Perform(Theft(pos.seats[pos.turn % len(pos.seats)]), then="turn")


class Thieves(TinyRules):
    """The tiny game's decks, hands and spies, and nothing else."""

    procedures = (Robbery, Theft, Effect)

    def start(self, pack: Any, scenario: str, options: Any, seats: tuple[str, ...]) -> Any:
        pos = super().start(pack, scenario, options, seats)
        pos.stack = [Robbery()]
        return pos


# --- a game with a die that falls whatever is done


@dataclass(slots=True, kw_only=True)
class SkyPosition(Position):
    """Whose day it is, and what the weather was."""

    day: int = 0
    last: int = 6
    weather: tuple[int, ...] = ()


@dataclass(slots=True)
class Days(Procedure):
    """1.0 DAYS: each seat acts in turn, and the weather of the next day falls whatever it did."""

    def deed(self, pos: SkyPosition) -> Options:
        seat = pos.seats[pos.day % len(pos.seats)]
        families = (Among(Done, [Done()], "1.1"), Among(Hit, [Hit(s) for s in pos.seats], "1.1"))
        return Options(seat, families, "deed", "what to do")

    @chooses("1.1", deed)
    def act(self, pos: SkyPosition, move: Any) -> None:
        """The seat of the day acts."""
        pos.day += 1

    @rolls("1.2", Dice(1, 6))
    def sky(self, pos: SkyPosition, dice: tuple[int, ...]) -> Goto:
        """The weather of the next day."""
        pos.weather = (*pos.weather, dice[0])
        if pos.day == pos.last:
            pos.end((), Ended("the last day"))
        return Goto("act")


class Weather(Rules):
    """A game whose only die falls before the next seat decides, whatever happens."""

    name = "weather"
    title = "Weather"
    version = "1"
    seats = (2, 6)
    position = SkyPosition
    procedures = (Days,)
    moves = (Done, Hit)

    def load_pack(self, path: Any = None) -> TinyPack:
        return TinyPack()

    def scenarios(self, pack: Any) -> dict[str, str]:
        return {"short": "Six days", "long": "A hundred and fifty days"}

    def seat_names(self, pack: Any, scenario: str, count: int) -> tuple[str, ...]:
        return tuple("abcdef"[:count])

    def start(self, pack: Any, scenario: str, options: Any, seats: tuple[str, ...]) -> SkyPosition:
        pos = SkyPosition(seats=seats, last={"short": 6, "long": 150}[scenario])
        pos.stack.append(Days())
        return pos

    def pack_from(self, tables: Any) -> TinyPack:
        return TinyPack(**tables)

    def bot(self, seat: str, seed: int) -> Any:
        return random_player(random.Random(f"{seat}{seed}"))


def with_a_chain_from_elsewhere() -> tuple[dict[str, Player], Player]:
    """When its chain has run out, a goes on with one that its secret did not make; who could have made it."""
    table = table_of(2, Weather(), chain=64, scenario="long")
    a, rng = table["a"], random.Random(2)
    elsewhere = Player(a.contract, "a", key_of("a", "elsewhere"), a.rules)
    while a.ledger.state.seats["a"].chain == 0:
        raw = next(r for p in table.values() if (r := p.answer() or p.decide(rng)) is not None)
        if getattr(read(raw).body, "tip", "") and read(raw).head.seat == "a":
            head, body = read(raw).head, read(raw).body
            tip = elsewhere.secrets._chain(1).tip.hex()
            raw = compose(head, replace(body, tip=tip), a.answering if head.lane == "answer" else a.key)
        give(table, raw)
    return table, elsewhere


def hand_over_badly(table: dict[str, Player], giver: str, taker: str) -> Handle:
    """The giver of a stolen card puts another one into the box; returns the handle of the true one."""
    player = table[giver]
    handle = player.owed().deliver.handles[0]
    public = player.contract.seats[taker].box
    box = made_box(player.contract.game, handle, taker, public, bytes(32) + b"map", player.secrets.secret)
    give(table, player.entry("answers", Answers(deliver=(Delivery(handle, pack_box(box)),))))
    return handle
