"""What the protocol writes into the log beside the events of the rules, and the breaches it names."""

from __future__ import annotations

from pbem.engine.events import Event, Fact

# --- chance, orders and standing orders


class NumbersFell(Event):
    """Integers that a seed gave: what the rule makes of them is told by the next event."""

    says = "drawn by lot, all seats together (draw {request} of seed {seed}): {values}"
    quiet = True
    seed: int
    request: int
    bounds: tuple[int, ...]
    values: tuple[int, ...]


class OrderSkipped(Event):
    says = "{seat}: skipped: line {line}: {order}{aside:?: {aside}|}{broken:? (rule {broken})|}"
    seat: str
    line: int
    order: str
    broken: str
    """The rule that forbids it, if it is one."""


class ListReturned(Event):
    """What cannot be carried out goes back: another seat decides first, or an order is not legal."""

    says = (
        "{seat}: the rest of the list goes back{sealed:? and {sealed:# sealed part|# sealed parts}|}: "
        "{waits:?{waits} has to decide first|{line:?line {line}|an order}{aside:?: {aside}| is not legal}"
        "{broken:? (rule {broken})|}}"
    )
    seat: str
    returned: str
    sealed: int = 0
    waits: str = ""
    line: int = 0
    broken: str = ""
    void: bool = False


class ListUnreadable(Event):
    says = "{seat}: line {line} of the list cannot be read{aside:?: {aside}|}"
    seat: str
    returned: str
    line: int
    void: bool = True


class EntryVoided(Event):
    says = "{seat}: void, as the others agreed"
    seat: str
    void: bool = True


class StandingUsed(Event):
    says = "standing order of {seat} for {decision}: {order}"
    seat: str
    decision: str
    order: str
    standing: str


class StandingDeclined(Event):
    says = "{seat} claims that its sealed standing order does not cover this"
    seat: str


class StandingSet(Event):
    says = "{seat}: a {sealed:?sealed |}standing order for {decision}"
    seat: str
    decision: str
    sealed: bool


class StandingEnded(Event):
    says = "{seat}: no standing order for {decision} any more"
    seat: str
    decision: str


class TooManyStanding(Event):
    says = "{seat}: more than {most} standing orders; this one has no effect"
    seat: str
    most: int


# --- what is said, offered, agreed


class WasSaid(Event):
    says = "{seat} says: {said}"
    seat: str
    said: str


class TookNotice(Event):
    says = "{seat} has taken notice"
    seat: str


class Offered(Event):
    says = "{seat} offers: {offer}"
    seat: str
    offer: str


class DrawAgreed(Event):
    says = "a draw was agreed"


class Resigned(Event):
    says = "{seat} resigns"
    seat: str


class ResignedInTheOpen(Event):
    says = "{seat} resigns and plays on in the open, by default"
    seat: str


class TakenBack(Event):
    says = "all agree: back to the position after entry {to}"
    to: int


class NoTakeBack(Event):
    says = "no take-back to entry {to}: something hidden was drawn or opened at {barrier}"
    to: int
    barrier: int


class SettlementVoted(Event):
    says = "{seat} agrees to go on without entry {entry}"
    seat: str
    entry: str


class TooManyVotes(Event):
    says = "{seat}: more than {most} agreements to go on; this one has no effect"
    seat: str
    most: int


# --- what has no effect


class AlreadyOpen(Event):
    says = "{seat} plays in the open: this has no effect"
    seat: str


class GameWasOver(Event):
    says = "{seat}: {kind} without effect: the game is over"
    seat: str
    kind: str


class SecretNotDue(Event):
    says = "{seat}: a secret that is not due has no effect"
    seat: str


class CameTooLate(Event):
    says = "{seat}: came too late and has no effect"
    seat: str


class WithoutEffect(Event):
    says = "{seat}: {kind} without effect: {why}"
    seat: str
    kind: str
    why: Fact


class QuestionAnswered(Event):
    says = "the question has been answered since"


class OwesNothing(Event):
    says = "it names a seat that owes nothing"


class ClockRuns(Event):
    says = "the clock of {seats} has not run out"
    seats: tuple[str, ...]


class ClockRan(Event):
    says = "the clock of {seats} had not run out when it was claimed"
    seats: tuple[str, ...]


class NoSuchClaim(Event):
    says = "there is no such claim before it"


class GraceRuns(Event):
    says = "the grace has not run out"


class AnswerArrived(Event):
    says = "an answer has arrived"


class EndsBeforeItBegins(Event):
    says = "it ends before it begins"


class AllowanceUsed(Event):
    says = "{left:# hour of absence is|# hours of absence are} left"
    left: int


class NoAllowance(Event):
    says = "the contract grants no absence"


# --- clocks and seats that leave


class ClockClaimed(Event):
    says = "{seat} claims that the clock of {seats} has run out"
    seat: str
    seats: tuple[str, ...]


class WentAway(Event):
    says = "{seat} is away until {until}; {left:# hour of absence is|# hours of absence are} left"
    seat: str
    until: str
    left: int


class CameBack(Event):
    says = "{seat} is back; {left:# hour of absence is|# hours of absence are} left"
    seat: str
    until: str
    left: int


class LeavingClaimed(Event):
    says = "{gone} {gone:forfeits|forfeit} on time, claimed by {seat}; the others confirm it"
    gone: tuple[str, ...]
    seat: str


class LeavingConfirmed(Event):
    says = "all others confirm that nothing of {gone} has arrived"
    gone: tuple[str, ...]


class SecretPutTogether(Event):
    says = "the secret of {seat} is put together from the pieces of {holders}: it plays on in the open"
    seat: str
    secret: str
    holders: tuple[str, ...]


class SecretPublished(Event):
    says = (
        "{seat} publishes its secret for the audit"
        "{lost:?, but {lost:# former secret is|# former secrets are} lost|}"
    )
    seat: str
    lost: int


# --- new keys


class PaperRefused(Event):
    says = "{seat} agreed to a paper that is not in order{aside:?: {aside}|}"
    seat: str


class ConsentVain(Event):
    says = "{seat}: consent to new keys for {whose} has no effect"
    seat: str
    whose: str


class ConsentWithoutPiece(Event):
    says = "{seat}: consent without the piece for {whose} has no effect"
    seat: str
    whose: str


class Consented(Event):
    says = "{seat} agrees to new keys for {whose}"
    seat: str
    whose: str


class KeysReplaced(Event):
    says = "{seat} goes on with new keys, as it signed with {by:spare=its spare key|the old key}"
    seat: str
    by: str


# --- verdicts


class Judged(Event):
    says = "verdict: {culprit:?against {culprit}: |}{reason}"
    culprit: str
    reason: Fact
    slot: str = ""


class RuleBroken(Event):
    says = "what it opened breaks rule {broken}{aside:?: {aside}|}"
    broken: str


class RulesBrokeDown(Event):
    says = "the rules break down at this ({fault}); the audit says if what was hidden was lawful"
    fault: str


class LogFilled(Event):
    says = "fills the log: more than {most} bytes that do not bring the game on"
    most: int


class SignedTwice(Event):
    says = "signed two different {lane:decide=decisions|answers} with number {number}"
    lane: str
    number: int


class NotInTime(Event):
    says = "did not play on in time; claimed by {by}"
    by: str


class AuditWithheld(Event):
    says = "{before}; {seats} did not publish what the audit needs"
    before: Fact
    seats: tuple[str, ...]


class Disputed(Event):
    says = "disputed: {culprit} {reason}, but an {kind:absence=absence|answer} dated {dated} has surfaced"
    culprit: str
    reason: Fact
    kind: str
    dated: str


class NoClosedSlot(Event):
    says = "{slot} is no closed slot"
    slot: str


class NotYoursToOpen(Event):
    says = "{slot} is not {seat}'s to open"
    slot: str
    seat: str


class NonceMissing(Event):
    says = "the opening of {slot} has no nonce"
    slot: str


class OpeningFalse(Event):
    says = "the opening of {slot} does not fit its commitment"
    slot: str


class LinkMissing(Event):
    says = "a link is missing"


class LinkUnasked(Event):
    says = "a link that nobody asked for"


class LinkFalse(Event):
    says = "the link does not follow from the last one"


class TipMisplaced(Event):
    says = "the tip of a new chain comes with the last link of the old one, and only then"


class SlotsMiscounted(Event):
    says = "{asked:# sealed slot is|# sealed slots are} asked for, {given:# was|# were} given"
    asked: int
    given: int


class AnswerAmiss(Event):
    says = "the answer does not give what the round asks for"


class TailFalse(Event):
    says = "the opened part of the list is not the one that was sealed"


class TailShowsOthers(Event):
    says = "the opened part of the list shows other cards than it names"


class OtherStanding(Event):
    says = "another standing order is opened than the one asked for"


class StandingFalse(Event):
    says = "the opened standing order is not the one that was sealed"


class StandingIllegal(Event):
    says = "the opened standing order holds no legal answer"


class CommitmentsAmiss(Event):
    says = "{asked:# commitment is|# different commitments are} asked for"
    asked: int


class OtherCards(Event):
    says = "other cards are handed over than those asked for"


class BoxMisshapen(Event):
    says = "the box of {slot} cannot be one"
    slot: str


class OtherSlots(Event):
    says = "other slots are opened than those asked for"


class DeckMessageFalse(Event):
    says = "the message for deck {deck} is not valid{aside:?: {aside}|}"
    deck: str


class DeckSpoilt(Event):
    says = "deck {deck} is spoilt ({how}); the audit names who did it"
    deck: str
    how: str


class OtherCardShown(Event):
    says = "the card shown is not '{value}'"
    value: str


class SecretsUseless(Event):
    says = "its published secrets do not do"


class BoxKeyFalse(Event):
    says = "the published box key is not the one of the contract"


class SecretFalse(Event):
    says = "the published secret is not the one that was committed to"


class FormerSecretFalse(Event):
    says = "a published former secret is not one that was committed to"


class FormerSecretKept(Event):
    says = "keeps its former secret back, whose deck keys it has used since"


class PiecesFalse(Event):
    says = "did not play on in time, and the pieces it dealt do not make its secret"


class BoxesClosed(Event):
    says = "did not play on in time, and its secret does not open its boxes"


class PiecesWithheld(Event):
    says = "does not give the pieces that it holds"


class PieceFalse(Event):
    says = "gives a false piece of a secret"


class PieceUnproven(Event):
    says = "says without proof that it was dealt a false piece"


class ComplaintAmiss(Event):
    says = "a complaint about {slot}, which was not delivered to it"
    slot: str


class ComplaintOpen(Event):
    says = "{reader} and {giver} disagree about the box of {slot}; the audit decides"
    reader: str
    giver: str
    slot: str


class ComplaintVain(Event):
    says = "complained without cause about slot {slot}"
    slot: str


class BoxWithoutCard(Event):
    says = "delivered a box without the card of slot {slot}"
    slot: str
