"""11.0 UNKNOWN UNITS: nobody knows what a counter is until it fights; then that is drawn.

What a house has left is public and follows from what has been revealed: nothing to keep secret or to store.
"""

from __future__ import annotations

from games.kawagoe.position import KawagoePosition
from pbem.engine.events import Event


def pool_left(pos: KawagoePosition, house: str) -> tuple[str, ...]:
    """The identities of a house that no counter has turned out to be yet, in printed order."""
    left = [identity.id for identity in pos.pack.pools[house].identities]
    for table in (pos.units, pos.fallen):
        for unit, piece in table.items():
            if piece.identity and pos.book[unit].group == house:
                left.remove(piece.identity)
    return tuple(left)


class Revealed(Event):
    says = "{unit} is {identity}, strength {strength}"
    unit: str
    identity: str
    strength: int


def turn_over(pos: KawagoePosition, unit: str, identity: str) -> None:
    """11.2: a counter shows its face, for good."""
    pos.reveal(unit, identity)
    who = pos.book.identities[pos.book[unit].group][identity]
    pos.say(Revealed(unit, identity, who.strength))
