"""What becomes of a card or a land: events that several chapters of the rules make."""

from __future__ import annotations

from pbem.engine.events import Event, Named


class TurnBegan(Event):
    says = "{seat}'s turn"
    seat: str
    turn: int


class CardCameBack(Event):
    says = "{card} comes back"
    card: Named


class Discarded(Event):
    says = "{card} is discarded"
    card: Named


class BackToHand(Event):
    says = "{card} goes back to the hand"
    card: Named


class HasActed(Event):
    says = "{card} has acted"
    card: Named


class TrophyTaken(Event):
    says = "{card} is a trophy of {seat}"
    card: Named
    seat: str


class HandLost(Event):
    says = "{seat} loses {card} from the hand"
    seat: str
    card: Named


class LeaderNamed(Event):
    says = "{seat}'s leader is {card}"
    seat: str
    card: Named


class AbilityUsed(Event):
    says = "{card}: {ability}"
    seat: str
    card: Named
    ability: Named
    """The card and the number of the ability on it."""


class TrophiesWon(Event):
    says = "{seat} has {trophies:# trophy|# trophies}"
    seat: str
    trophies: int


class StarsWon(Event):
    says = "{seat} holds lands of ★{stars}"
    seat: str
    stars: int


class FaceToFace(Event):
    says = "{attack} against {defence}"
    attack: Named
    defence: Named


class BeginsWith(Event):
    says = "{seat} begins with {land}"
    seat: str
    land: Named


class LeaderReady(Event):
    says = "{card} is ready"
    seat: str
    card: Named


class LandPlaced(Event):
    says = "{seat} places {land}"
    seat: str
    land: Named
