"""Words for people: what an entry led to, what is owed by whom, and the text of a mail.

Everything here is read from the log and the position; nothing secret goes into a mail. What a seat may
see of its own cards is added only where the reader is that seat, on its own machine.
"""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from pbem import timing
from pbem.engine.croupier import visible
from pbem.engine.events import Event, Fact, read_event
from pbem.engine.face_down import CardsDealt
from pbem.engine.handles import read_card
from pbem.engine.machine import DiceFell, DrawnByLot, Ordered, SlotOpened
from pbem.engine.notation import Handle
from pbem.engine.position import Outcome, Position
from pbem.engine.waits import Ask, AskSealed
from pbem.engine.wording import tell
from pbem.errors import PbemError
from pbem.filing import log_path
from pbem.page.terminal import show
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.bodies import Say
from pbem.protocol.rounds.due import Due
from pbem.table import Table


@dataclass(frozen=True, slots=True)
class Told:
    """One logged entry as the log tells it."""

    number: int
    seat: str
    kind: str
    sent: str
    events: tuple[Event, ...]


def told(logged: Logged) -> Told:
    """An entry that was just logged."""
    head = logged.entry.head
    return Told(logged.number, head.seat, head.kind, head.sent, logged.events)


def read_log(table: Table, first: int, last: int) -> list[Told]:
    """Entries of the log by number, from 0 (what happened before the first entry)."""
    paths = [log_path(number) for number in range(first, last + 1)]
    found = []
    for raw in table.repo.read_many(paths) if paths else []:
        one = tomllib.loads(raw.decode())
        events = tuple(read_event(event, type(table.ledger.position)) for event in one.get("events", ()))
        found.append(
            Told(one["number"], one.get("seat", ""), one.get("kind", ""), one.get("sent", ""), events)
        )
    return found


def since_own_decision(table: Table, most: int = 40) -> list[Told]:
    """What happened since this seat's last decision: the last report."""
    last = table.ledger.state.number
    found = read_log(table, max(0, last - most + 1), last)
    for at in range(len(found) - 1, -1, -1):
        if found[at].seat == table.seat and found[at].kind in ("orders", "sealed"):
            while at and found[at - 1].kind == "say":  # what was said with it
                at -= 1
            return found[at:]
    return found


def lines(table: Table, entries: Iterable[Told]) -> list[str]:
    """A report for this seat: each entry that led to something, its events with their rules."""
    out: list[str] = []
    known = table.secrets.view().known if table.secrets is not None else {}
    for one in entries:
        events = once(one.events, table.ledger.position)
        if not events and one.kind in ("answers", ""):
            continue
        out.append(f"entry {one.number}, {one.seat}: {one.kind}" if one.number else "before the first entry")
        for event in events:
            words = tell(event, table.ledger.position, known)
            out.append(f"  {event.rule:<6} {words}{_own_cards(table, event)}")
    return out


def once(events: Sequence[Event], pos: Position) -> list[Event]:
    """The events that a report tells: what the next one tells again is left out."""
    shown = [event for event in events if not event.quiet]
    return [
        event
        for event, after in zip_longest(shown, shown[1:])
        if after is None or isinstance(after, Ordered) or not _retold(event, after, pos)
    ]


def _retold(event: Event, after: Event, pos: Position) -> bool:
    """Whether an event names what an order, a draw or an opened slot before it named, or uses its dice."""
    match event:
        case Ordered():
            named = set(event.order.lower().split()[1:])
        case DrawnByLot():
            named = {event.draw.lower()}
        case SlotOpened():
            named = {event.value.lower()}
        case DiceFell():
            return any(name in type(after).fields for name in ("die", "dice"))
        case _:
            return False
    words = after.words()
    return bool(named & (words | {pos.name_of(word).lower() for word in words if word}))


def spoken(table: Table, event: Event | Fact) -> str:
    """What an event says to everybody."""
    return tell(event, table.ledger.position)


def _own_cards(table: Table, event: Event) -> str:
    """The names of cards that this seat drew, for its own eyes."""
    if table.secrets is None or not isinstance(event, CardsDealt) or event.seat != table.seat:
        return ""
    known = []
    for handle in map(Handle, event.cards):
        try:
            value = table.secrets.value(handle) if handle in table.ledger.position.hidden else None
        except PbemError:
            value = None
        if value is not None:
            known.append(table.ledger.machine.rules.show(table.ledger.position, value))
    return f" (you see: {', '.join(known)})" if known else ""


def own_secrets(table: Table) -> list[str]:
    """What is hidden and known to this seat: sealed, in the cup, in hand, in lists and standing orders.

    Standing orders that everybody can read are its own as well, and are named last.
    """
    if table.secrets is None or table.seat is None:
        return []
    pos, rules = table.ledger.position, table.ledger.machine.rules
    groups: dict[str, list[str]] = {}
    for handle in visible(pos, table.seat):
        value = table.secrets.value(handle)
        if value is not None:
            card = read_card(handle)
            groups.setdefault(f"from {card.deck}" if card else "sealed", []).append(rules.show(pos, value))
    out = [f"{what}: {', '.join(sorted(values))}" for what, values in groups.items()]
    rest = [line for text in table.secrets.tail_texts() for line in text.splitlines()]
    if rest:
        out.append(f"the sealed rest of your list: {'; '.join(rest)}")
    known = []
    for name, order in sorted({**table.ledger.state.announced, **table.ledger.state.standing}.items()):
        seat, _, decision = name.partition(" ")
        if seat != table.seat:
            continue
        if order.seal is not None:
            told = table.secrets.standing_text(order)
            out.append(f"sealed standing order for {decision}: {'; '.join(told.splitlines())}")
        elif order.lines:
            known.append(f"everybody can read your standing order for {decision}: {'; '.join(order.lines)}")
    return [f"only you see this: {line}" for line in out] + known


# --- what is owed


def rule_now(table: Table) -> str:
    """The number of the rule that the position stands at."""
    stack = table.ledger.position.stack
    return str(stack[-1].step.rule) if stack else ""


def owed(due: Due) -> str:
    """What a seat owes, in words."""
    if due.options is not None:
        secret = "in secret: " if due.kind == "sealed" else ""
        return secret + (due.options.ask or due.options.kind or "a decision")
    if due.kind == "audit":
        return "the secret of the game, for the audit (`pbem audit`)"
    parts = {
        "opens the next sealed part of its orders": due.tail,
        "opens its standing order, or says that it does not fit": bool(due.standing),
        "shuffles its deck": due.shuffle is not None,
        "hands a card over": due.deliver is not None,
        "does its part in the shared deck": bool(due.deck),
        "opens what it has sealed": bool(due.opens),
        "adds its share to the dice": due.link,
        "gives its pieces of the secret of a seat that is out": bool(due.pieces),
    }
    done = ", ".join(name for name, given in parts.items() if given)
    return f"nothing to decide: its machine {done} (`pbem receive` or `pbem watch` there)"


def asked(table: Table) -> list[dict[str, Any]]:
    """What the position waits for: one record for each seat that has not given it, with its clock."""
    wait = table.ledger.machine.waits_for(table.ledger.position)
    rule = wait.rule if isinstance(wait, (Ask, AskSealed)) else rule_now(table)
    return [
        {"seat": seat, "kind": due.kind, "rule": rule, "what": owed(due), **timing.clock_of(table, due)}
        for seat, due in table.ledger.missing().items()
    ]


def outcome(table: Table) -> str:
    """How the game ended, "" if it goes on."""
    fork, end = table.ledger.split, table.ledger.position.outcome
    if fork is not None:
        return f"a fork, signed by {', '.join(fork.named)}: seats have gone on from both sides of it"
    return _result(table, end) if end is not None else ""


def _result(table: Table, end: Outcome) -> str:
    who = f"{', '.join(end.winners)} won" if end.winners else "a draw"
    return f"{who}: {spoken(table, end.reason)}" + (f" ({end.level})" if end.level else "")


def headline(table: Table) -> str:
    """Turn and phase in a few words."""
    words = table.ledger.machine.rules.headline(table.ledger.position)
    rule = rule_now(table)
    return f"{words} (rule {rule})" if rule and words != rule else words or rule


def whose_turn(table: Table) -> list[str]:
    """Lines that say who is to do what; for the end, how it ended."""
    end = outcome(table)
    out = [f"the game is over: {end}"] if end else []
    for one in asked(table):
        who = "you" if one["seat"] == table.seat else one["seat"]
        rule = f" (rule {one['rule']})" if one["rule"] and one["kind"] != "audit" else ""
        out.append(f"asked of {who}: {one['what']}{rule}")
    if not out:
        out.append("nothing is owed by anybody here; the others' entries are awaited")
    return out


def fingerprint(table: Table) -> str:
    """The line by which two players compare their positions over the phone."""
    mark = table.fingerprint
    groups = " ".join(mark[i : i + 4] for i in range(0, 12, 4))
    return f"fingerprint after entry {table.ledger.state.number}: {groups} ({mark})"


# --- mail


def subject(table: Table) -> str:
    """The subject of a mail about the present position: game, turn, whose move it is."""
    missing = table.ledger.missing()
    decides = [seat for seat, due in missing.items() if due.lane == "decide"]
    if outcome(table):
        who = "the game is over"
    elif decides:
        who = f"{', '.join(decides)} to move"
    else:
        who = f"waits for the machine of {', '.join(missing)}"
    return f"{table.contract.invite.rules}, {headline(table)}: {who}, entry {table.ledger.state.number}"


def letter(table: Table, to: Sequence[str], news: Sequence[Told], board: bool = False) -> str:
    """What a person reads above the block that pbem reads. Public facts only.

    With `board`, whoever of the readers has to decide gets the position too.
    """
    invite, seats = table.contract.invite, table.contract.seats
    author = f" from {seats[table.seat].player} ({table.seat})" if table.seat else ""
    names = ", ".join(f"{seats[seat].player} ({seat})" for seat in to)
    out = [f"{invite.rules}, {invite.scenario}: to {names}{author}", ""]
    for one in news:
        for event in once(one.events, table.ledger.position):
            out += _wrapped(f"{one.number:>4} {event.rule:<6} {spoken(table, event)}")
    said = [e for e in table.ledger.pool.values() if e.seat == table.seat and isinstance(e.body, Say)]
    for entry in sorted(said, key=lambda e: e.head.sent):
        out += _wrapped(f"{entry.seat} says: {getattr(entry.body, 'text', '')}", indent=4)
    out += [""] if news or said else []
    for one_due in asked(table):
        clock = f"; the clock runs out at {one_due['deadline']}" if one_due["deadline"] else ""
        out += _wrapped(f"{one_due['seat']} is asked: {one_due['what']}{clock}", indent=4)
    end = outcome(table)
    out += _wrapped(f"The game is over: {end}", indent=4) if end else []
    if board and any(due.lane == "decide" for seat, due in table.ledger.missing().items() if seat in to):
        out += ["", show(table.ledger.machine.rules, table.ledger.position).rstrip("\n")]
    out += ["", f"Fingerprint after entry {table.ledger.state.number}: {table.fingerprint}", ""]
    out += [
        "To take this in, save the mail, its attachment or its text, and run:",
        "    pbem receive FILE",
        "",
    ]
    return "\n".join(out)


def _wrapped(text: str, indent: int = 12) -> list[str]:
    """Lines short enough for mail."""
    return textwrap.wrap(
        text, 76, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False
    )
