"""2.0 WORDS and 8.0 THE END: questions to the others, written orders, and whether the game is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.table import events
from games.table.choices import endings, reactions, writings
from games.table.deeds import carry_out
from games.table.moves import Agree, NoReaction, Seal
from games.table.position import TablePosition
from pbem.engine.options import Options
from pbem.engine.procedure import Finish, Goto, Perform, Procedure, chooses, chooses_secretly, rule


@dataclass(slots=True)
class Reacting(Procedure):
    """2.3 REACTIONS: seats are asked in turn, each until it has nothing more to say."""

    seats: tuple[str, ...]
    to: str
    """What they react to, in words."""

    def may(self, pos: TablePosition) -> Options | None:
        return reactions(pos, self.seats[0], self.to) if self.seats else None

    @chooses("2.3", may)
    def react(self, pos: TablePosition, move: Any) -> Any:
        """An order is carried out, and the seat is asked again."""
        if isinstance(move, NoReaction):
            self.seats = self.seats[1:]
            return Goto("react")
        return performing(pos, self.seats[0], move, "react")


@dataclass(slots=True)
class Writing(Procedure):
    """2.4 WRITTEN ORDERS: everybody writes in secret; all is opened together."""

    what: str

    def everybody(self, pos: TablePosition) -> list[Options]:
        return [writings(pos, seat, self.what) for seat in pos.seats]

    @chooses_secretly("2.4", everybody)
    def write(self, pos: TablePosition, moves: Mapping[str, Seal]) -> None:
        """Nobody can read another's before all have written."""
        written = {seat: str(moves[seat].text) for seat in pos.seats}
        events.opened(pos, self.what, written)
        for seat, text in written.items():
            pos.tell(f"{seat}: {text}")


@dataclass(slots=True)
class Ending(Procedure):
    """8.0 THE END: a seat says that the game is over; it is if all agree who would lose by it."""

    seat: str
    winner: str
    reason: str
    asked: tuple[str, ...]

    def answers(self, pos: TablePosition) -> Options | None:
        return endings(pos, self.asked[0], self.seat, self.winner) if self.asked else None

    @chooses("8.2", answers)
    def agree(self, pos: TablePosition, move: Any) -> Goto | Finish:
        """One that does not agree is enough to go on."""
        if isinstance(move, Agree):
            self.asked = self.asked[1:]
            return Goto("agree")
        events.end_refused(pos, self.asked[0])
        return Finish()

    @rule("8.1")
    def over(self, pos: TablePosition) -> None:
        """All have agreed."""
        winners = (self.winner,) if self.winner in pos.seats else ()
        pos.end(winners, events.AgreedEnd(self.winner if winners else "", self.reason))


def performing(pos: TablePosition, seat: str, move: Any, then: str) -> Any:
    """Carry an order out, and go on with a step when all that it needs is done."""
    procedure = carry_out(pos, seat, move)
    return Goto(then) if procedure is None else Perform(procedure, then)
