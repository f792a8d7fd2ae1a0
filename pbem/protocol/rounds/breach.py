"""Breaches of the protocol: what a seat signed and can never have been lawful, each kind as a fact."""

from __future__ import annotations

from pbem.engine.events import Event
from pbem.engine.notation import Handle


class Culprit(Exception):
    """Something signed that cannot be lawful: its author is out. Without a seat: nobody can be named yet."""

    def __init__(self, seat: str, fault: Event) -> None:
        super().__init__(seat, fault)
        self.seat, self.fault = seat, fault


# --- links and answers


class LinkMissing(Event):
    says = "a link is missing"


class LinkNotAsked(Event):
    says = "it gave a link that nobody asked for"


class LinkWrong(Event):
    says = "the link does not follow from the last one"


class TipMisplaced(Event):
    says = "the tip of a new chain comes with the last link of the old one, and only then"


class WrongAnswer(Event):
    says = "the answer does not give what the round asks for"


# --- what was sealed or closed


class SealsMiscounted(Event):
    says = "{asked:# sealed slot was|# sealed slots were} asked for, {given} given"
    asked: int
    given: int


class SlotNotClosed(Event):
    says = "{slot} is no closed slot"
    slot: str


class SlotOfAnother(Event):
    says = "{slot} is not its own to open"
    slot: str


class NonceMissing(Event):
    says = "the opening of {slot} has no nonce"
    slot: str


class OpeningWrong(Event):
    says = "the opening of {slot} does not fit its commitment"
    slot: str


class OtherSlotsOpened(Event):
    says = "it opened other slots than those asked for"


class CardWrong(Event):
    says = "the card shown as {value} is another one"
    value: str


class TailWrong(Event):
    says = "the opened part of the list is not the one that was sealed"


class TailCardsWrong(Event):
    says = "the opened part of the list shows other cards than it names"


class StandingMisnamed(Event):
    says = "it opened another standing order than the one asked for"


class StandingWrong(Event):
    says = "the opened standing order is not the one that was sealed"


class StandingUseless(Event):
    says = "the opened standing order holds no legal answer"


class UnlawfulOpening(Event):
    """The rules say why (rule number); what was opened can never have been put there lawfully."""

    says = "what it opened was not lawful"


# --- decks, boxes, pieces, secrets


class ShuffleMiscounted(Event):
    says = "{size:# commitment was|# different commitments were} asked for"
    size: int


class DeckMessageWrong(Event):
    says = "its message for the deck {deck} is wrong"
    deck: str


class OtherCardsHandedOver(Event):
    says = "it handed over other cards than those asked for"


class BoxMalformed(Event):
    says = "the box of {slot} cannot hold a card"
    slot: str


class BoxWrong(Event):
    says = "it delivered a box without the card {slot}"
    slot: str


class ComplaintGroundless(Event):
    says = "it complained without cause about {slot}"
    slot: str


class ComplaintMisplaced(Event):
    says = "it complained about {slot}, which was not delivered to it"
    slot: str


class PiecesKept(Event):
    says = "it does not give the pieces that it holds"


class PieceFalse(Event):
    says = "it gave a false piece of a secret"


class PieceDenied(Event):
    says = "it says without proof that it was dealt a false piece"


class SecretWrong(Event):
    says = "the published secret is not the one that was committed to"


class FormerSecretMissing(Event):
    says = "it keeps back a secret from before a change of keys"


class SecretUseless(Event):
    says = "its secrets do not give what it owes"


class BoxKeyWrong(Event):
    says = "the published box key is not the one of the contract"


# --- nobody can be named yet


class RulesFailed(Event):
    says = "the rules could not go on; the audit says if what was hidden was lawful"


class DeckSpoilt(Event):
    says = "the deck {deck} is spoilt; the audit names who did it"
    deck: str


class BoxDisputed(Event):
    says = "{reader} and {giver} disagree about the box of {slot}; the audit decides"
    reader: str
    giver: str
    slot: Handle
