"""Suikoden as the engine knows it: names, options, start, invariants, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from games.suikoden import bot as bots
from games.suikoden import display, forecast
from games.suikoden.aftermath import Aftermath
from games.suikoden.battle import BattlePhase
from games.suikoden.clash import Fight
from games.suikoden.domestic import Domestic, Recruiting
from games.suikoden.duel import DuelFought
from games.suikoden.effects import Arrive, Effects, Triggers
from games.suikoden.fortune import Fortune
from games.suikoden.grounds import LandLost
from games.suikoden.moves import HOME, Done, Pass
from games.suikoden.moves_battle import BATTLE
from games.suikoden.moves_table import TABLE
from games.suikoden.multi import MultiGame, MultiTurn
from games.suikoden.pack import Pack, load_pack
from games.suikoden.piles import Draw, MillCards, Peek
from games.suikoden.position import CHOICES, GROVE, OPTIONS, SEATS, Side, SuikodenPosition
from games.suikoden.scene import scene
from games.suikoden.setup import DeckGame, few_cheap, unlawful_deck
from games.suikoden.setup_shared import SharedGame
from games.suikoden.terms import LANDS, PEOPLE, STOCK, Keyword, Mode
from games.suikoden.turn import Turn
from games.suikoden.using import GoesBack, Using
from games.suikoden.window import Window
from pbem.engine.handles import read_slot
from pbem.engine.notation import Handle, Lookup, Move
from pbem.engine.options import PUBLIC, Options, View
from pbem.engine.rules import Rules
from pbem.engine.scene import Scene
from pbem.engine.shown import Choice, Sheet, Tally
from pbem.errors import UsageError

SCENARIOS = {
    Mode.DECK.value: "Decks of one's own, two players (デッキ構築型)",
    Mode.SHARED.value: "One deck for both, two players (山札共有型)",
    Mode.MULTI.value: "Everybody against everybody, two to six players (多人数参加型)",
}


class NamedCards(Lookup):
    """Cards are there once: a name in an order means the card in one's hand where one holds it."""

    def __init__(self, pos: SuikodenPosition, known: Mapping[Handle, str]) -> None:
        cards = {h: card for h, card in known.items() if read_slot(h) is None}
        super().__init__(display.aliases(pos), cards, pos.hidden)
        held = [h for side in pos.sides.values() for h in side.hand]
        self._held = {cards[h]: h for h in held if h in cards}

    def ident(self, word: str) -> str:
        value = super().ident(word)
        return self._held.get(value, value)

    def handles(self, word: str) -> list[Handle]:
        if word in self._known or word in self._slots:
            return [Handle(word)]
        value = super().ident(word)
        return [h for h, card in self._known.items() if card == value]


def _possible(pos: SuikodenPosition) -> None:
    """People on the field, lands where lands lie, and face-down cards in the decks."""
    grounds = {f"{side} land": (pos.sides[side].land, *pos.sides[side].under) for side in pos.sides}
    for where, lands in {**grounds, "land": (pos.land,)}.items():
        for land in lands:
            if land and land not in pos.data.lands:
                raise UsageError(f"{where}: {land!r} is no land", f"lands are: {', '.join(pos.data.lands)}")
    for card in pos.field:
        if card not in pos.data.people and not card.startswith(GROVE):
            raise UsageError(f"field: {card!r} is no person")
    for seat, side in pos.sides.items():
        for handle in (*side.deck, *side.top, *side.stack):
            if handle not in pos.hidden:
                hint = f'cards = {{ {seat} = {{ d1 = "{handle}" }} }} makes d1 such a card'
                raise UsageError(f"{seat}: {handle} lies open in a deck; decks are face down", hint)


class SuikodenRules(Rules[SuikodenPosition, Pack]):
    """乙女遊戯 水滸伝."""

    name = "suikoden"
    title = "乙女遊戯 水滸伝 (Otome Yugi Suikoden)"
    version = "1"
    seats = (2, 6)
    position = SuikodenPosition
    procedures = (
        DeckGame, SharedGame, MultiGame, Turn, Domestic, Recruiting, Using, GoesBack, Effects, Arrive,
        Triggers, BattlePhase, Fight, Window, Aftermath, LandLost, Draw, MillCards, Peek, MultiTurn,
        DuelFought, Fortune,
    )  # fmt: skip
    moves = (*HOME, *BATTLE, *TABLE, Pass, Done)
    asks = dict.fromkeys(
        (
            "adjust", "advance", "arrange", "begin", "bring", "build", "capture", "commit", "continue",
            "declare", "defend", "domestic", "effect", "exchange", "guard", "hold", "income", "main",
            "meet", "method", "pay", "place", "plunder", "price", "retreat", "return", "rob", "send",
            "side", "sortie", "supply", "support", "take-back", "target", "toss", "way", "window",
        ),
        (),
    )  # fmt: skip
    claims = {
        "a lawful deck": lambda pos, truth, people, lands: (
            unlawful_deck(pos, [truth[h] for h in people], [truth[h] for h in lands]) is None
        ),
        "fewer than ten cheap people": lambda pos, truth, half: few_cheap(pos, [truth[h] for h in half]),
        "a person": lambda pos, truth, slot: truth.get(truth[slot], truth[slot]) in pos.data.people,
        "nobody in hand": lambda pos, truth, hand: not any(truth.get(h, h) in pos.data.people for h in hand),
    }

    # --- data

    def load_pack(self, path: Path | None = None) -> Pack:
        return load_pack(path)

    def pack_from(self, tables: Mapping[str, Any]) -> Pack:
        return Pack.from_tables(tables)

    def scenarios(self, pack: Pack) -> Mapping[str, str]:
        return SCENARIOS

    def choices(self, pack: Pack) -> tuple[Choice, ...]:
        return CHOICES

    def hand(self, pos: SuikodenPosition, seat: str) -> tuple[Handle, ...]:
        side = pos.sides[seat]
        return (*side.hand, *side.half, *side.estate)

    def began(self, pos: SuikodenPosition) -> str:
        return pos.first

    def drawn(self, pos: SuikodenPosition, seat: str) -> tuple[Handle, ...]:
        return pos.sides[seat].hand

    def seat_names(self, pack: Pack, scenario: str, count: int) -> tuple[str, ...]:
        two = scenario in (Mode.DECK.value, Mode.SHARED.value)
        return SEATS[: 2 if two else count]

    def shared_decks(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> tuple[str, ...]:
        if scenario == Mode.DECK.value:
            return (PEOPLE, LANDS)
        return (PEOPLE,) if scenario == Mode.SHARED.value else (STOCK,)

    # --- positions

    def start(
        self, pack: Pack, scenario: str, options: Mapping[str, str], seats: tuple[str, ...]
    ) -> SuikodenPosition:
        if scenario not in SCENARIOS:
            raise UsageError(f"suikoden has no scenario {scenario!r}", f"there are: {', '.join(SCENARIOS)}")
        pos = self.blank(pack, options, seats)
        pos.mode = Mode(scenario)
        first = {Mode.DECK: DeckGame, Mode.SHARED: SharedGame, Mode.MULTI: MultiGame}[pos.mode]
        pos.stack.append(first())
        return pos

    def blank(self, pack: Pack, options: Mapping[str, str], seats: tuple[str, ...]) -> SuikodenPosition:
        chosen = {name: value for name, value in sorted(options.items()) if value != OPTIONS[name][0]}
        pos = SuikodenPosition(seats=seats, options=chosen, sides={seat: Side() for seat in seats})
        pos.pack = pack
        return pos

    def complete(self, pos: SuikodenPosition) -> None:
        """Whose turn it is, if a position written by hand does not say; what it cannot hold is refused."""
        _possible(pos)
        if not pos.active:
            pos.active = pos.seats[0]
        if not pos.first:
            pos.first = pos.seats[0]

    def check(self, pos: SuikodenPosition) -> None:
        """Every card is in one place; hands and decks hold what they may."""
        seen: set[str] = set()
        for pile in _piles(pos):
            for card in pile:
                if card in pos.data.people:
                    assert card not in seen, f"{card} is in two places"
                    seen.add(card)
        for seat, side in pos.sides.items():
            for handle in (*side.deck, *side.top, *side.stack):
                assert handle in pos.hidden, f"{seat}'s deck holds an open card {handle}"
        if pos.battle is None:
            assert pos.clash is None and not any(c.startswith(GROVE) for c in pos.field), (
                "a battle is not over"
            )

    # --- words

    def aliases(self, pos: SuikodenPosition) -> Mapping[str, str]:
        return display.aliases(pos)

    def names(self, pos: SuikodenPosition) -> tuple[str, ...]:
        return ("grove", "trophy", "hand", "shot", *(keyword.value for keyword in Keyword))

    def lookup(self, pos: SuikodenPosition, known: Mapping[Handle, str]) -> Lookup:
        return NamedCards(pos, known)

    def show(self, pos: SuikodenPosition, ident: str) -> str:
        return display.word(pos, ident)

    def scene(self, pos: SuikodenPosition, view: View = PUBLIC) -> Scene:
        return scene(pos, view)

    def tables(self, pack: Pack) -> tuple[Sheet, ...]:
        return display.tables(pack)

    def score(self, pos: SuikodenPosition) -> tuple[Tally, ...]:
        return display.score(pos)

    def explain(self, pos: SuikodenPosition, place: str) -> str:
        return display.explain(pos, place)

    def headline(self, pos: SuikodenPosition) -> str:
        return display.headline(pos)

    def odds(self, pos: SuikodenPosition, move: Move) -> str | None:
        return forecast.odds(pos, move)

    def advice(self, pos: SuikodenPosition, options: Options) -> Move | None:
        return forecast.advice(pos, options)

    def bot(self, seat: str, seed: int) -> Callable[..., Move]:
        return bots.player(seat, seed)


def _piles(pos: SuikodenPosition) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [tuple(pos.field), pos.discards, pos.removed]
    for side in pos.sides.values():
        found += [side.hand, side.discard, side.wander, side.trophies, side.routed, (side.leader,)]
    return found


SUIKODEN = SuikodenRules()
