"""The orders of a battle with decks (D, S). `moves` says why some come in two classes."""

from __future__ import annotations

from dataclasses import dataclass

from games.suikoden.terms import Keyword
from pbem.engine.notation import Handle, Move


@dataclass(frozen=True, slots=True)
class Attack(Move):
    """D26: the attack is declared."""

    notation = "attack"


@dataclass(frozen=True, slots=True)
class Join(Move):
    """Q41: a card of the hand joins the attack face down."""

    notation = "join {card}"
    card: Handle


@dataclass(frozen=True, slots=True)
class JoinOpen(Move):
    """Q41: the same with a card that everybody knows."""

    notation = "join {card}"
    card: str


@dataclass(frozen=True, slots=True)
class Grove(Move):
    """Q48: the own 竹林 fights as a person."""

    notation = "grove"


@dataclass(frozen=True, slots=True)
class Sortie(Move):
    """D27: who attacks."""

    notation = "sortie {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guard(Move):
    """D27: who defends."""

    notation = "guard {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Abandon(Move):
    """D27: nobody defends, and the land is given up."""

    notation = "abandon"


@dataclass(frozen=True, slots=True)
class Send(Move):
    """D28: the one who attacks now, face down."""

    notation = "send {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Advance(Move):
    """D28: somebody who lies face up attacks now."""

    notation = "advance {person}"
    person: str


@dataclass(frozen=True, slots=True)
class Conceal(Move):
    """D28, D29: one of those who lie face down, named next."""

    notation = "conceal"


@dataclass(frozen=True, slots=True)
class Intercept(Move):
    """D30: the defender comes out to meet the attack, by a stratagem if one is named."""

    notation = "intercept {method}"
    method: Keyword | None = None


@dataclass(frozen=True, slots=True)
class Siege(Move):
    """D31: the defender stays behind the walls; 妖術 may be named."""

    notation = "siege {method}"
    method: Keyword | None = None


@dataclass(frozen=True, slots=True)
class Stand(Move):
    """D47: somebody who lies face up defends, besieged."""

    notation = "stand {person} {method}"
    person: str
    method: Keyword | None = None


@dataclass(frozen=True, slots=True)
class Hold(Move):
    """D29: the one who defends now, face down."""

    notation = "hold {people*}"
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Force(Move):
    """D32: the attack is made by arms."""

    notation = "force"


@dataclass(frozen=True, slots=True)
class Scheme(Move):
    """D32: the attack is made by a stratagem."""

    notation = "scheme {method}"
    method: Keyword


@dataclass(frozen=True, slots=True)
class Shoot(Move):
    """D41: 射撃 at somebody who lies face up."""

    notation = "shoot {person} at {target}"
    person: str
    target: str


@dataclass(frozen=True, slots=True)
class Retreat(Move):
    """D44: the loser gets away for cards of the deck."""

    notation = "retreat"


@dataclass(frozen=True, slots=True)
class Fall(Move):
    """D44: no retreat."""

    notation = "fall"


@dataclass(frozen=True, slots=True)
class Plunder(Move):
    """D02 強奪: a trophy taken back, or a card of the enemy's hand."""

    notation = "plunder {what}"
    what: str


@dataclass(frozen=True, slots=True)
class GoOn(Move):
    """D47: the next attacker."""

    notation = "continue"


@dataclass(frozen=True, slots=True)
class Stop(Move):
    """D47: the attack is broken off."""

    notation = "stop"


BATTLE: tuple[type[Move], ...] = (
    Attack, Join, JoinOpen, Grove, Sortie, Guard, Abandon, Send, Advance, Conceal, Intercept, Siege,
    Stand, Hold, Force, Scheme, Shoot, Retreat, Fall, Plunder, GoOn, Stop,
)  # fmt: skip
"""From the declaration to the end of the battle."""
