"""What waits beside the present question: offers, calls, and what no decision has taken in yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.protocol.papers.bodies import IN_TURN, OFFERS, Say
from pbem.protocol.rounds.agreements import agreed, may_agree

if TYPE_CHECKING:
    from pbem.protocol.papers.entry import Entry
    from pbem.table import Table

HINTS = {
    "draw": "`pbem draw` agrees",
    "take-back": "`pbem takeback` agrees",
    "rekey": "`pbem rekey` shows it and agrees",
    "terms": "`pbem terms` shows them and agrees",
}


OWN = {
    **dict.fromkeys(("orders", "sealed", "answers", "audit"), "it waits for the others' part of the round"),
    **dict.fromkeys(OFFERS, "it counts if everybody offers the same before anybody plays on"),
    "late": "it counts when all others and the witness have signed it",
    "ask": "you decide again when the others have answered",
}
"""What becomes of an entry of one's own that is signed and not logged."""


FORKED = [
    "you signed two answers at one point of the game: a second home or machine of yours, or a restored copy?",
    "decide in one place from now on: `pbem join FOLDER` says which. If you have signed only one of them,",
    "somebody else has your key: `pbem key new` in a new home, then `pbem rekey`",
]
OUT = "you are out of this game: your seat plays on in the open, and nothing is asked of you"


def unseen(table: Table) -> list[Entry]:
    """Entries of others out of turn that this seat's next decision takes in."""
    return [entry for entry in table.ledger.unseen() if entry.seat != table.seat]


def notices(table: Table) -> list[str]:
    """One line for each offer, call or word that waits here."""
    ledger, out = table.ledger, list[str]()
    if ledger.split is not None:
        out += FORKED if table.seat in ledger.split.named else []
        out.append("the game ended at a fork: `pbem dispute` makes a file that anybody can judge")
    elif _twins(table):
        out += FORKED
    if table.seat in ledger.state.gone:
        out.append(OUT)
    if table.secrets is not None and table.secrets.bad_deliveries():
        out.append("a card handed to you is not what it must be: `pbem dispute --complain` shows everybody")
    for entry in (e for e in ledger.pool.values() if e.seat == table.seat and e.head.kind in OWN):
        if entry.head.after == ledger.place.tip:
            out.append(f"signed by you: {entry.head.kind}{details(entry)}; {OWN[entry.head.kind]}")
    out += _calls(table) + words(table)
    return out + [
        f"{e.seat} offers: {e.head.kind}{details(e)}; {HINTS[e.head.kind]}" for e in _offered(table)
    ]


def _twins(table: Table) -> bool:
    """Whether this seat has signed an answer that lost against another one of its own."""
    mine = [e for e in table.ledger.pool.values() if e.seat == table.seat and e.head.kind in IN_TURN]
    return any(entry.head.after != table.ledger.place.tip for entry in mine)


def _offered(table: Table) -> list[Entry]:
    """What the others offer here, and this seat does not."""
    here = [
        e for e in table.ledger.unseen() if e.head.kind in OFFERS and e.head.after == table.ledger.place.tip
    ]
    mine = {e.head.kind for e in here if e.seat == table.seat}
    return [e for e in here if e.seat != table.seat and e.head.kind not in mine]


def _offer_lines(table: Table) -> list[str]:
    return [f"{e.seat} offers: {e.head.kind}{details(e)}; {HINTS[e.head.kind]}" for e in _offered(table)]


def _calls(table: Table) -> list[str]:
    """Who has been called late here, by whom, and what that means."""
    out = []
    for late, calls in table.ledger.called().items():
        by = ", ".join("you" if e.seat == table.seat else e.seat for e in calls)
        who = ", ".join("you" if seat == table.seat else seat for seat in late)
        means = "answer now" if table.seat in late else _means(table, late)
        out.append(f"{by} called {who} late; {means}")
    return out


def _means(table: Table, late: tuple[str, ...]) -> str:
    voters = table.ledger.place.voters(late)
    if len(voters) <= len(late):
        return "that is a word for the record: without a witness it puts nobody out"
    return f"they are out when {', '.join(voters)} have all said so and nothing has come"


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
    """What the others offer now, call, or have said, and how to agree."""
    told = [f"{e.seat} says: {e.body.text}" for e in unseen(table) if isinstance(e.body, Say)]
    return _offer_lines(table) + _calls(table) + told


def completes(table: Table) -> bool:
    """Whether this seat is the one to note an agreement that is whole now."""
    place = table.ledger.place
    if table.due() is None or not may_agree(place.asked) or table.seat != next(iter(place.asked)):
        return False
    return bool(agreed(place.contract, place.position, place.state, table.ledger.unseen()))


def details(entry: Entry) -> str:
    """To which entry, or until when: what an entry out of turn says beyond its kind."""
    to, until = getattr(entry.body, "to", None), getattr(entry.body, "until", None)
    return f" to entry {to}" if to is not None else f" until {until}" if until is not None else ""
