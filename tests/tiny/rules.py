"""The tiny game, for two to six seats; its procedures (turns, cards) use every primitive of the engine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from pbem.engine.notation import Handle
from pbem.engine.options import PUBLIC, Options, View
from pbem.engine.rules import Rules
from pbem.engine.scene import Owner, Piece, Scene, Tray
from pbem.engine.shown import Choice
from tests.tiny.cards import Effect, Refill
from tests.tiny.moves import Ambush, Bid, Boast, Bury, Done, Fetch, Hit, Lose, Play, PutChits, Swear
from tests.tiny.position import Discards, Player, TinyPosition
from tests.tiny.turns import DECK, Action, Blow, Game, Turn


@dataclass(frozen=True)
class TinyPack:
    """The tiny game has no data but its length."""

    turns: int = 3
    digest: str = hashlib.sha256(b"tiny").hexdigest()


def _no_gold(pos: Any, truth: Mapping[Handle, str], seat: str, hand: list[Handle]) -> bool:
    return all(truth[h] != "gold" for h in hand)


class TinyRules(Rules[TinyPosition, TinyPack]):
    """Registered in tests only."""

    name = "tiny"
    title = "Tiny"
    version = "1"
    seats = (2, 6)
    position = TinyPosition
    procedures = (Game, Turn, Action, Refill, Blow, Effect)
    moves = (PutChits, Bid, Hit, Lose, Boast, Play, Bury, Fetch, Swear, Ambush, Done)
    asks = dict.fromkeys(("chits", "bid", "deed", "ambush", "loss", "boast", "search"), ())
    claims = {"no gold": _no_gold, "fetched no gold": lambda pos, truth, card: truth[card] != "gold"}

    def load_pack(self, path: Path | None = None) -> TinyPack:
        return TinyPack()

    def pack_from(self, tables: Mapping[str, Any]) -> TinyPack:
        return TinyPack(**tables)

    def scenarios(self, pack: TinyPack) -> Mapping[str, str]:
        return {"short": "Two turns", "long": "Six turns"}

    def choices(self, pack: TinyPack) -> tuple[Choice, ...]:
        meanings = ("each seat has a deck of its own", "all draw from one deck")
        return (Choice("deck", ("own", "shared"), "1.1", "Which deck the hands come from.", meanings),)

    def seat_names(self, pack: TinyPack, scenario: str, count: int) -> tuple[str, ...]:
        return tuple("abcdef"[:count])

    def advice(self, pos: Any, options: Options) -> Any:
        """A loss is taken where it hurts least: a face, else a stone; everything else needs a person."""
        if options.kind != "loss":
            return None
        listed = list(options.list())
        return next((m for what in ("face", "stone") for m in listed if getattr(m, "what", "") == what), None)

    def shared_decks(self, pack: TinyPack, scenario: str, options: Mapping[str, str]) -> tuple[str, ...]:
        return ("deck",) if options.get("deck") == "shared" else ()

    def start(
        self, pack: TinyPack, scenario: str, options: Mapping[str, str], seats: tuple[str, ...]
    ) -> TinyPosition:
        shared = options.get("deck") == "shared"
        pos = TinyPosition(seats=seats, last_turn={"short": 2, "long": 6}[scenario], shared=shared)
        for seat in seats:
            pos.players[seat] = Player()
            pos.discards[pos.deck_of(seat)] = Discards()
        pos.stack.append(Game())
        return pos

    def names(self, pos: TinyPosition) -> Iterable[str]:
        return ("stone", "point", "face", "act", "rest", *DECK)

    def headline(self, pos: TinyPosition) -> str:
        return f"turn {pos.turn} of {pos.last_turn}"

    def scene(self, pos: TinyPosition, view: View = PUBLIC) -> Scene:
        pieces, trays = [], []
        for seat, player in pos.players.items():
            hand = f"hand-{seat}"
            trays.append(Tray(hand, "hand", seat, note=self._stand(player)))
            for handle in player.hand:
                known = view.value(handle)
                states = () if known else ("back",)
                picks = ((known,),) if known else ()
                pieces.append(Piece(handle, hand, "card", "", known or "", states=states, picks=picks))
        owners = tuple(Owner(seat, seat, seat, number, seat) for number, seat in enumerate(pos.players))
        return Scene(headline=self.headline(pos), owners=owners, pieces=tuple(pieces), trays=tuple(trays))

    def _stand(self, player: Player) -> str:
        return f"{player.points} points, {player.stones} stones"

    def explain(self, pos: TinyPosition, place: str) -> str:
        return f"{place}: {self._stand(pos.players[place])}" if place in pos.seats else place

    def odds(self, pos: TinyPosition, move: Any) -> str | None:
        return "hurts with 3 to 6: 67 %" if isinstance(move, Hit) else None

    def check(self, pos: TinyPosition) -> None:
        for seat, player in pos.players.items():
            assert player.stones >= 0, f"{seat} owes stones"
            assert all(h in pos.hidden for h in player.hand), f"{seat} holds an opened card"

    def hand(self, pos: TinyPosition, seat: str) -> tuple[Handle, ...]:
        return pos.players[seat].hand

    def bot(self, seat: str, seed: int) -> Any:
        rng = Random(f"{seat}{seed}")
        return lambda pos, options, view: options.sample(rng, view)


TINY = TinyRules()
