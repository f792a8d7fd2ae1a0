"""What waits beside the present question: offers, resignations and the like that no entry has taken in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.protocol.papers.bodies import Say

if TYPE_CHECKING:
    from pbem.protocol.papers.entry import Entry
    from pbem.table import Table

HINTS = {
    "draw": "`pbem draw` agrees",
    "take-back": "`pbem takeback` agrees",
    "resign": "your next entry takes it in",
    "rekey": "your next entry takes it in",
    "standing": "your next entry takes it in",
    "revoke": "your next entry takes it in",
    "absence": "your next entry takes it in",
}


OWN = {
    **dict.fromkeys(("orders", "sealed", "answers", "audit"), "it waits for the others' part of the round"),
    "claim": "`pbem claim` again after the grace: forfeit",
}
"""What becomes of an entry of one's own that is signed and not logged."""


DOUBLE = (
    "two entries with one number bear your signature: a second home or machine of yours, or a restored copy?"
)
ONE_PLACE = [
    "and decide in one place from now on: `pbem join FOLDER` says which. If you have signed only one of",
    "them, somebody else has your key: `pbem key new` in a new home, then `pbem rekey`",
]
ACCUSED = [
    DOUBLE,
    "tell the others: the game goes on when they agree on one of the two (`pbem dispute --settle`)",
    *ONE_PLACE,
]
"""For who is named in a verdict about a double."""
HEALED = [
    DOUBLE,
    "the one in the log counts, and the game goes on. Be sure that it is the one you meant,",
    *ONE_PLACE,
]
"""For whose double the others have passed over."""


OPEN = "you resigned or forfeited on time: your seat plays on in the open, and what you sign has no effect"


def unseen(table: Table) -> list[Entry]:
    """Entries of others that count only when this seat's next decision has seen them."""
    return [table.ledger.pool[one] for one in table.flow.unseen()]


def notices(table: Table) -> list[str]:
    """One line for each offer that stands and each entry that waits to be seen."""
    out = []
    verdict = table.ledger.state.verdict
    if verdict is not None and table.seat in verdict.culprits:
        out += ACCUSED if verdict.first else ["the others can let the game go on: `pbem dispute --settle`"]
    elif verdict is None and any(half.seat == table.seat for half in table.ledger.halves.values()):
        out += HEALED
    elif verdict is not None:
        out.append("`pbem dispute` makes a file to judge; `pbem dispute --settle` agrees to go on")
    if table.seat in table.ledger.state.opened_boxes:
        out.append(OPEN)
    if table.secrets is not None and table.secrets.bad_deliveries():
        out.append("a card handed to you is not what it must be: `pbem dispute --complain` shows everybody")
    mine = {e.head.kind: e for e in table.ledger.pool.values() if e.seat == table.seat}
    for seat, offer in table.ledger.state.offers.items():
        agrees = seat != table.seat and offer.split()[0] not in mine
        hint = f"; {HINTS[offer.split()[0]]}" if agrees else ""
        out.append(f"offered by {'you' if seat == table.seat else seat}: {offer}{hint}")
    for kind, entry in mine.items():
        if isinstance(entry.body, Say):
            continue
        out.append(
            f"signed by you: {kind}{details(entry)}; {OWN.get(kind, 'it waits until it has been seen')}"
        )
    out += words(table)
    for entry in unseen(table):
        kind = entry.head.kind
        if kind == "claim":
            out.append(f"{entry.seat} says that your clock has run out: play on within the grace")
        if kind in HINTS:
            out.append(f"{entry.seat} sent, out of turn: {kind}{details(entry)}; {HINTS[kind]}")
    return out


def words(table: Table) -> list[str]:
    """What was said and is not in the log yet, one's own words included."""
    said = [e for e in table.ledger.pool.values() if isinstance(e.body, Say)]
    who = {str(table.seat): "you say"}
    return [
        f"{who.get(e.seat, f'{e.seat} says')}: {e.body.text}"
        for e in sorted(said, key=lambda e: (e.head.sent, e.id))
        if isinstance(e.body, Say)
    ]


def offers(table: Table) -> list[str]:
    """What the others offer now, or have sent out of turn, and how to agree."""
    found = [
        f"{seat} offers: {offer}; {HINTS[offer.split()[0]]}"
        for seat, offer in table.ledger.state.offers.items()
        if seat != table.seat
    ]
    sent = [entry for entry in unseen(table) if entry.head.kind in HINTS]
    told = [f"{e.seat} says: {e.body.text}" for e in unseen(table) if isinstance(e.body, Say)]
    return found + [f"{e.seat} sent: {e.head.kind}{details(e)}; {HINTS[e.head.kind]}" for e in sent] + told


def completes(table: Table) -> bool:
    """Whether taking notice settles something: a resignation, or agreement to what this seat offered.

    Only where this seat alone is to decide: there a note is an entry in turn, and costs it nothing.
    """
    due = table.due()
    deciders = [one for one in table.ledger.due().values() if one.lane == "decide"]
    if due is None or due.lane != "decide" or len(deciders) != 1:
        return False
    mine = table.ledger.state.offers.get(str(table.seat))
    for entry in unseen(table):
        offer = {"draw": "draw", "take-back": f"take-back {getattr(entry.body, 'to', '')}"}
        if entry.head.kind in ("resign", "rekey") or (mine and offer.get(entry.head.kind) == mine):
            return True
    return False


def details(entry: Entry) -> str:
    """To which entry, or until when: what an entry out of turn says beyond its kind."""
    to, until = getattr(entry.body, "to", None), getattr(entry.body, "until", None)
    return f" to entry {to}" if to is not None else f" until {until}" if until is not None else ""
