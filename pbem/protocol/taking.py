"""What an entry does once it counts: answers of a round, and entries that stand beside one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.engine.position import Outcome
from pbem.engine.waits import Ask, AskSealed, Opened, Sealed, Shuffled
from pbem.protocol import decks, sealed
from pbem.protocol.bodies import (
    Answers,
    Audit,
    Body,
    ClaimTime,
    Complaint,
    Draw,
    Forfeit,
    Note,
    Orders,
    Rekey,
    Resign,
    Revoke,
    SealedChoice,
    Standing,
    TakeBack,
)
from pbem.protocol.chance import follows
from pbem.protocol.complaints import judge
from pbem.protocol.contract import secret_commitment
from pbem.protocol.entry import Entry, seconds
from pbem.protocol.rekeying import take_rekey
from pbem.protocol.rounds import Due
from pbem.protocol.running import Culprit, Runner, nonce_of, unpack_box
from pbem.protocol.state import Boxed, Queue, StandingOrder, Verdict, split, standing_place, tail_place

if TYPE_CHECKING:
    from pbem.protocol.ledger import Ledger

# --- answers of a round


def take_in_turn(
    runner: Runner, wanted: Mapping[str, Due], bodies: Mapping[str, Body], entries: Mapping[str, Entry]
) -> None:
    """All that the round asked for is there."""
    deciders = [seat for seat, owed in wanted.items() if owed.lane == "decide"]
    if deciders:
        _new_decision(runner, deciders, entries)
    for seat, owed in wanted.items():
        _take_link(runner, seat, owed, bodies[seat], len(deciders))
    if any(owed.kind == "sealed" for owed in wanted.values()):
        _take_sealed(runner, bodies)
        return
    for seat, owed in wanted.items():
        body = bodies[seat]
        if isinstance(body, Orders):
            _take_orders(runner, entries[seat], body)
        elif isinstance(body, Answers):
            _take_answers(runner, seat, owed, body)
    _finish_openings(runner, wanted, bodies)


def _new_decision(runner: Runner, deciders: list[str], entries: Mapping[str, Entry]) -> None:
    state = runner.state
    state.seed, state.fresh, state.declined = "", {}, False
    state.decisions += tuple(entries[seat].id for seat in deciders)
    for seat in deciders:
        state.offers.pop(seat, None)
        state.queues.pop(seat, None)
    state.claims.clear()


def _take_link(runner: Runner, seat: str, owed: Due, body: Body, deciders: int) -> None:
    """A decision carries its author's next link; an answer carries one exactly if it is owed."""
    link = getattr(body, "link", "")
    needed = owed.lane == "decide" or owed.link
    if bool(link) != needed:
        raise Culprit(seat, "a link is missing" if needed else "a link that nobody asked for")
    if not needed:
        return
    state = runner.state
    mine = state.seats[seat]
    previous = bytes.fromhex(mine.link)
    if not follows(runner.contract.listed, seat, previous, nonce_of(link, seat)):
        raise Culprit(seat, "the link does not follow from the last one")
    state.change(seat, link=link, links=mine.links + 1)
    if owed.lane == "answer" or deciders == 1:
        state.fresh[seat] = link


def _take_sealed(runner: Runner, bodies: Mapping[str, Body]) -> None:
    wait = runner.machine.waits_for(runner.pos)
    assert isinstance(wait, AskSealed)
    serial = runner.pos.serial + 1
    commitments = {}
    for options in wait.options:
        body = bodies[options.seat]
        assert isinstance(body, SealedChoice)
        slots = options.slots if wait.fills else 1
        if len(body.seals) != slots:
            raise Culprit(options.seat, f"{slots} sealed slots are asked for, {len(body.seals)} were given")
        commitments[options.seat] = tuple(s.commit for s in body.seals)
        for number, seal in enumerate(body.seals):
            nonce_of(seal.commit, options.seat)
            _check_box(options.seat, seal.box)
            runner.state.boxes[f"s{serial}.{options.seat}.{number}"] = Boxed(options.seat, seal.box)
    runner.apply(Sealed(commitments))
    runner.barrier()


def _check_box(seat: str, box: tuple[str, ...]) -> None:
    try:
        size = len(unpack_box(box))
    except ValueError:
        size = 0
    if not 16 <= size <= 32768:
        raise Culprit(seat, "a box is not base64 of a lawful size")


def _take_orders(runner: Runner, entry: Entry, body: Orders) -> None:
    seat = entry.seat
    for opening in body.opens:
        runner.check_opening(seat, opening)
    if len({o.slot for o in body.opens}) != len(body.opens):
        raise Culprit(seat, "a slot is opened twice")
    for seal in body.tail:
        nonce_of(seal.commit, seat)
        _check_box(seat, seal.box)
    queue = Queue(entry.id, opens=body.opens, tail=body.tail, seq=entry.head.seq)
    runner.start_list(seat, queue, body.orders)


def _take_answers(runner: Runner, seat: str, owed: Due, body: Answers) -> None:
    given = (bool(body.opens), body.tail is not None, bool(body.commits), bool(body.deliver), bool(body.deck))
    asked = (bool(owed.opens), owed.tail, owed.shuffle is not None, owed.deliver is not None, bool(owed.deck))
    if given != asked or (body.standing and not owed.standing) or bool(body.box) != bool(body.commits):
        raise Culprit(seat, "the answer does not give what the round asks for")
    if owed.tail:
        _take_tail(runner, seat, body)
    elif owed.standing:
        _take_standing(runner, seat, body)
    elif owed.shuffle is not None:
        _take_shuffle(runner, seat, owed, body)
    elif owed.deliver is not None:
        _take_delivery(runner, seat, owed, body)
    elif owed.deck:
        decks.take(runner, seat, owed.deck, body.deck)


def _take_tail(runner: Runner, seat: str, body: Answers) -> None:
    assert body.tail is not None
    queue = runner.state.queues[seat]
    place = tail_place(queue.seq, queue.part)
    nonce = nonce_of(body.tail.nonce, seat)
    made = sealed.commitment(runner.contract.game, seat, place, body.tail.text.encode(), nonce)
    if made.hex() != queue.tail[0].commit:
        raise Culprit(seat, "the opened part of the list is not the one that was sealed")
    runner.start_list(
        seat, replace(queue, tail=queue.tail[1:], part=queue.part + 1, answers=()), body.tail.text
    )


def _take_standing(runner: Runner, seat: str, body: Answers) -> None:
    wait = runner.machine.waits_for(runner.pos)
    assert isinstance(wait, Ask)
    options = wait.options
    standing = runner.state.standing[f"{seat} {options.kind}"]
    assert standing.seal is not None
    if not body.standing:
        runner.state.declined = True
        runner.say(f"{seat} claims that its sealed standing order does not cover this", seat=seat)
        return
    opening = body.standing[0]
    place = standing_place(standing.seq)
    nonce = nonce_of(opening.nonce, seat)
    made = sealed.commitment(runner.contract.game, seat, place, opening.value.encode(), nonce)
    if made.hex() != standing.seal.commit:
        raise Culprit(seat, "the opened standing order is not the one that was sealed")
    if not runner.standing_answer(options, opening.value.split("\n"), standing.entry):
        raise Culprit(seat, "the opened standing order holds no legal answer")


def _take_shuffle(runner: Runner, seat: str, owed: Due, body: Answers) -> None:
    assert owed.shuffle is not None
    size = len(owed.shuffle.cards) + len(owed.shuffle.returned)
    if len(body.commits) != size or len(set(body.commits)) != size:
        raise Culprit(seat, f"{size} different commitments are asked for")
    for commit in body.commits:
        nonce_of(commit, seat)
    _check_box(seat, body.box)
    runner.state.boxes[f"{owed.shuffle.deck}-{owed.shuffle.epoch}"] = Boxed(seat, body.box)
    runner.apply(Shuffled(body.commits))
    runner.barrier()


def _take_delivery(runner: Runner, seat: str, owed: Due, body: Answers) -> None:
    assert owed.deliver is not None
    if tuple(d.slot for d in body.deliver) != owed.deliver.handles:
        raise Culprit(seat, "other cards are handed over than those asked for")
    for delivery in body.deliver:
        _check_box(seat, delivery.box)
        runner.state.boxes[delivery.slot] = Boxed(owed.deliver.taker, delivery.box)
    runner.delivered()


def _finish_openings(runner: Runner, wanted: Mapping[str, Due], bodies: Mapping[str, Body]) -> None:
    values = {}
    for seat, owed in wanted.items():
        body = bodies[seat]
        if not owed.opens or not isinstance(body, Answers):
            continue
        if tuple(o.slot for o in body.opens) != owed.opens:
            raise Culprit(seat, "other slots are opened than those asked for")
        for opening in body.opens:
            runner.check_opening(seat, opening)
            values[opening.slot] = opening.value
    if values:
        runner.apply(Opened(values))
        runner.barrier()


# --- entries beside a round


def take_aside(ledger: Ledger, runner: Runner, entry: Entry, wanted: Mapping[str, Due]) -> None:
    """An entry out of turn that has been seen, or an alternative to the answer of a round."""
    seat, state = entry.seat, runner.state
    match entry.body:
        case Standing(decision=decision, lines=lines, seal=seal):
            if bool(lines) == (seal is not None):
                raise Culprit(seat, "a standing order holds lines or a seal")
            if seal is not None:
                nonce_of(seal.commit, seat)
                _check_box(seat, seal.box)
                state.boxes[f"standing {seat} {decision}"] = Boxed(seat, seal.box)
            state.standing[f"{seat} {decision}"] = StandingOrder(
                decision, entry.id, lines, seal, entry.head.seq
            )
            runner.say(f"{seat}: standing order for {decision}", seat=seat)
        case Revoke(decision=decision):
            state.standing.pop(f"{seat} {decision}", None)
            runner.say(f"{seat}: no standing order for {decision} any more", seat=seat)
        case Resign(secret=secret):
            _resign(runner, seat, secret)
        case Draw():
            _offer(runner, seat, "draw")
            if _agreed(runner, "draw"):
                _end(runner, (), "a draw was agreed")
        case TakeBack(to=to):
            _offer(runner, seat, f"take-back {to}")
            if _agreed(runner, f"take-back {to}"):
                _take_back(ledger, runner, to)
        case Note():
            runner.say(f"{seat} has taken notice", seat=seat)
        case ClaimTime() | Forfeit():
            _time(ledger, runner, entry, wanted)
        case Rekey(paper=paper):
            take_rekey(runner, seat, paper)
        case Complaint():
            judge(runner, entry)
        case Audit(secret=secret):
            _audit(runner, seat, secret)
        case _:
            runner.say(f"{seat}: came too late and has no effect", seat=seat)


def _end(runner: Runner, winners: tuple[str, ...], reason: str) -> None:
    pos = runner.pos.copy()
    pos.outcome = Outcome(winners, reason)
    pos.stack, pos.stage, pos.pending = [], "", ()
    pos.wait = None
    runner.pos = pos
    runner.state.queues.clear()
    runner.say(reason, winners=list(winners))


def _resign(runner: Runner, seat: str, secret: str) -> None:
    others = tuple(s for s in runner.pos.seats if s != seat and s not in runner.state.opened)
    if len(runner.pos.seats) == 2 or len(others) == 1:
        _end(runner, others, f"{seat} resigns")
        return
    _check_secret(runner, seat, secret)
    runner.state.opened[seat] = secret
    runner.say(f"{seat} resigns and plays on in the open, by default", seat=seat)


def _check_secret(runner: Runner, seat: str, secret: str) -> None:
    known = runner.state.seats[seat].commitment or runner.contract.seats[seat].commitment
    if secret_commitment(runner.contract.listed, seat, nonce_of(secret, seat)) != known:
        raise Culprit(seat, "the published secret is not the one that was committed to")


def _audit(runner: Runner, seat: str, secret: str) -> None:
    _check_secret(runner, seat, secret)
    runner.state.opened[seat] = secret
    runner.say(f"{seat} publishes its secret for the audit", seat=seat)


def _offer(runner: Runner, seat: str, what: str) -> None:
    runner.state.offers[seat] = what
    runner.say(f"{seat} offers: {what}", seat=seat, offer=what)


def _agreed(runner: Runner, what: str) -> bool:
    return all(runner.state.offers.get(s) == what for s in runner.pos.seats if s not in runner.state.opened)


def _take_back(ledger: Ledger, runner: Runner, to: int) -> None:
    """Back to the position after an earlier entry; the protocol itself never goes back."""
    state = runner.state
    state.offers.clear()
    if not state.barrier <= to < state.number:
        runner.say(f"no take-back to entry {to}: something hidden was drawn or opened at {state.barrier}")
        return
    table, old = split(tomllib.loads(ledger.earlier(to)))
    if old.taken_back != state.taken_back and old.number < state.taken_back:
        runner.say(f"no take-back to entry {to}: it was taken back itself")
        return
    runner.pos = runner.machine.read(table)
    state.queues, state.seed, state.request = {}, "", 0
    state.decisions += (state.head,)
    state.fresh, state.declined = {}, False
    state.taken_back = state.number
    runner.say(f"all agree: back to the position after entry {to}", to=to)


def _time(ledger: Ledger, runner: Runner, entry: Entry, wanted: Mapping[str, Due]) -> None:
    """Claim, then after the grace forfeit, against the seats that the round waits for."""
    body, seat, state = entry.body, entry.seat, runner.state
    assert isinstance(body, (ClaimTime, Forfeit))
    clocks = runner.contract.invite.clocks
    late = tuple(s for s in wanted)
    allowed = clocks.audit if any(d.kind == "audit" for d in wanted.values()) else clocks.move
    opened = seconds(ledger.state.since) if ledger.state.since else 0
    if not body.seats or not set(body.seats) <= set(late):
        raise Culprit(seat, "a claim names seats that owe nothing")
    if isinstance(body, ClaimTime):
        if seconds(entry.head.sent) < opened + allowed * 3600:
            raise Culprit(seat, "a claim before the clock has run out")
        state.claims[seat] = entry.head.sent
        runner.say(f"{seat} claims that the clock of {', '.join(body.seats)} has run out", seat=seat)
        return
    claimed = state.claims.get(seat)
    if claimed is None or body.claimed != claimed:
        raise Culprit(seat, "a forfeit without the claim before it")
    if seconds(entry.head.sent) < seconds(claimed) + clocks.grace * 3600:
        raise Culprit(seat, "a forfeit before the grace has run out")
    state.verdict = Verdict(body.seats[0], f"did not play on in time; claimed by {seat}", entry.id)
    runner.say(f"{', '.join(body.seats)} forfeit on time, claimed by {seat}", seat=seat)
