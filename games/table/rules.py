"""The table as the engine knows it: kits, start, invariants, and how it is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from games.table import bot, display
from games.table.chance import Pulling, Rolling
from games.table.decks import Dealing, Drawing, Giving, Looking, Shuffled, Taking, TurningUp
from games.table.kit import KitPack
from games.table.moves import MOVES, NoReaction
from games.table.places import DISCARDS, REMOVED
from games.table.position import CupNow, Level, Pile, Seat, TablePosition
from games.table.reading import REACTIONS, kit_of_case, own_pack, read_pack
from games.table.scene import scene
from games.table.session import Session
from games.table.talk import Ending, Reacting, Writing
from pbem.engine.notation import Handle, Move, keyword
from pbem.engine.options import PUBLIC, Options, View
from pbem.engine.rules import Rules
from pbem.engine.scene import Scene
from pbem.engine.shown import Sheet, Tally
from pbem.errors import UsageError


class TableRules(Rules[TablePosition, KitPack]):
    """A table for any game. A scenario is a kit."""

    name = "table"
    title = "A table for any game"
    version = "1"
    seats = (2, 6)
    position = TablePosition
    procedures = (
        *(Session, Reacting, Writing, Ending, Rolling, Pulling),
        *(Drawing, Dealing, Looking, TurningUp, Shuffled, Giving, Taking),
    )
    moves = MOVES
    asks = dict.fromkeys(("word", "reaction", "written", "end"), ())

    # --- kits

    def load_pack(self, path: Path | None = None) -> KitPack:
        return own_pack() if path is None else read_pack(path)

    def enclosed(self, pack: KitPack) -> bytes | None:
        return pack.raw or None

    def pack_from(self, tables: Mapping[str, Any]) -> KitPack:
        if list(tables) != ["kit"]:
            raise UsageError("a case of the table brings [pack.kit], and nothing else")
        return kit_of_case(tables)

    def scenarios(self, pack: KitPack) -> Mapping[str, str]:
        return {name: kit.title for name, kit in pack.kits.items()}

    def seat_names(self, pack: KitPack, scenario: str, count: int) -> tuple[str, ...]:
        kit = pack.kits.get(scenario) or next(iter(pack.kits.values()))
        return kit.seats[: max(kit.least, count)]

    def shared_decks(self, pack: KitPack, scenario: str, options: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(deck.id for deck in pack.kits[scenario].decks.values() if not deck.owner)

    # --- positions

    def start(
        self, pack: KitPack, scenario: str, options: Mapping[str, str], seats: tuple[str, ...]
    ) -> TablePosition:
        kit = pack.kits[scenario]
        pos = TablePosition(seats=seats, kit=scenario, word=seats[0])
        pos.pack = pack
        pos.around = {seat: Seat() for seat in sorted(seats)}
        decks = sorted(name for name in kit.decks_for(seats) if kit.owner(name) in ("", *seats))
        pos.piles = {name: Pile() for name in decks}
        pos.cups = {name: CupNow(kit.cups[name].chits) for name in sorted(kit.cups)}
        pos.tracks = {name: Level(track.start) for name, track in sorted(kit.tracks_for(seats).items())}
        pos.stack.append(Session())
        return pos

    def blank(self, pack: KitPack, options: Mapping[str, str], seats: tuple[str, ...]) -> TablePosition:
        pos = self.start(pack, next(iter(pack.kits)), options, seats)
        pos.stack, pos.turn = [Session()], 1
        pos.stack[0].at = "act"
        return pos

    def check(self, pos: TablePosition) -> None:
        """Every face-down card lies in one place, and no deck has more cards than the kit gives it."""
        seen = Counter(pos.face_down())
        for card, times in seen.items():
            assert times == 1 and card in pos.hidden, f"{card} lies in {times} places, or is not hidden"
        for deck in pos.piles:
            most = len(pos.deck_kit(deck).cards)
            assert pos.count(deck) <= most, f"{deck} has {pos.count(deck)} cards instead of {most}"

    # --- words

    def names(self, pos: TablePosition) -> Iterable[str]:
        return (DISCARDS, REMOVED, "nobody", *pos.piles, *pos.tracks)

    def interrupts(self, pos: TablePosition, move: Move) -> bool:
        """The kit says after which orders the others are asked for a reaction."""
        word = keyword(type(move))
        return word in pos.box.reactions if word in REACTIONS else move.interrupts

    def explain(self, pos: TablePosition, place: str) -> str:
        return display.explain(pos, place)

    def headline(self, pos: TablePosition) -> str:
        return display.headline(pos)

    def scene(self, pos: TablePosition, view: View = PUBLIC) -> Scene:
        return scene(pos, view)

    def tables(self, pack: KitPack) -> tuple[Sheet, ...]:
        return display.tables(pack)

    def score(self, pos: TablePosition) -> tuple[Tally, ...]:
        return display.score(pos)

    def hand(self, pos: TablePosition, seat: str) -> tuple[Handle, ...]:
        return pos.around[seat].hand

    def odds(self, pos: TablePosition, move: Move) -> str | None:
        return display.odds(pos, move)

    def advice(self, pos: TablePosition, options: Options) -> Move | None:
        """Whoever has nothing to say to what another does says so."""
        return NoReaction() if options.kind == "reaction" else None

    def bot(self, seat: str, seed: int) -> Callable[..., Move]:
        return bot.player(seat, seed)


TABLE = TableRules()
