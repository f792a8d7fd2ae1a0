"""What the answers of a complete round do: links, decisions, openings, shuffles, deliveries.

A breach (`Culprit`) is something well signed and well shaped that the round did not ask for or that
does not fit what its author had committed to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.engine.events import Event
from pbem.engine.handles import slot_handle, stock
from pbem.engine.waits import Ask, AskSealed, Opened, Sealed, Shuffled
from pbem.errors import VerificationError
from pbem.protocol.crypto import sealing
from pbem.protocol.crypto.chance import follows
from pbem.protocol.papers.bodies import Answers, Body, Opening, Orders, SealedChoice
from pbem.protocol.papers.body_checks import unpack_box
from pbem.protocol.papers.entry import Entry
from pbem.protocol.rounds import deck_duties
from pbem.protocol.rounds.breach import (
    BoxMalformed,
    Culprit,
    LinkMissing,
    LinkNotAsked,
    LinkWrong,
    OtherCardsHandedOver,
    OtherSlotsOpened,
    SealsMiscounted,
    ShuffleMiscounted,
    StandingMisnamed,
    StandingUseless,
    StandingWrong,
    TailCardsWrong,
    TailWrong,
    TipMisplaced,
    WrongAnswer,
)
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.leaving import put_together
from pbem.protocol.rounds.order_lists import named_cards
from pbem.protocol.rounds.state import Boxed, Queue, State, signed_at, standing_place, tail_place
from pbem.protocol.rounds.stretch import Stretch


class StandingDeclined(Event):
    says = "{seat} claims that its sealed standing order does not cover this"
    seat: str


def take_in_turn(
    runner: Stretch, wanted: Mapping[str, Due], bodies: Mapping[str, Body], entries: Mapping[str, Entry]
) -> None:
    """All that the round asked for is there. The part of a seat that is out has a body but no entry."""
    deciders = [seat for seat, owed in wanted.items() if owed.lane == "decide"]
    if deciders:
        _new_decision(runner, deciders, entries)
    for seat, owed in wanted.items():
        _take_link(runner, owed, bodies[seat], len(deciders))
    if any(owed.kind == "sealed" for owed in wanted.values()):
        _take_sealed(runner, bodies)
        return
    for seat, owed in wanted.items():
        body, runner.entry = bodies[seat], entries.get(seat)
        if isinstance(body, Orders):
            _take_orders(runner, seat, body)
        elif isinstance(body, Answers):
            _take_answers(runner, owed, body)
    _finish_openings(runner, wanted, bodies)
    if runner.state.closed:
        put_together(runner, bodies)


def _new_decision(runner: Stretch, deciders: list[str], entries: Mapping[str, Entry]) -> None:
    state = runner.state
    state.seed, state.fresh, state.declined = "", {}, False
    state.decisions += tuple(entries[seat].id for seat in deciders if seat in entries)
    for seat in deciders:
        state.queues.pop(seat, None)
    _standing_orders_act(state)


def _standing_orders_act(state: State) -> None:
    """A standing order, or its end, acts only in events that an entry opens which has seen it.

    In the event that was open when it was signed its author may know the seed already, so an answer
    chosen then, or taken back, would be chosen with the dice in view.
    """
    for key, order in state.announced.items():
        if order.lines or order.seal is not None:
            state.standing[key] = order
        else:
            state.standing.pop(key, None)
    state.announced = {}


# --- links


def _take_link(runner: Stretch, owed: Due, body: Body, deciders: int) -> None:
    """A decision carries its author's next link; an answer carries one exactly if it is owed."""
    seat = owed.seat
    link = getattr(body, "link", "")
    needed = owed.lane == "decide" or owed.link
    if bool(link) != needed:
        raise Culprit(seat, LinkMissing() if needed else LinkNotAsked())
    if not needed:
        return
    if not _advance(runner, seat, body):
        raise Culprit(seat, LinkWrong())
    if owed.lane == "answer" or deciders == 1:
        runner.state.fresh[seat] = link


def _advance(runner: Stretch, seat: str, body: Body) -> bool:
    """Go on to the next link in a seat's chain; towards its end comes the tip of the next chain."""
    mine = runner.state.seats[seat]
    link, tip = getattr(body, "link", ""), getattr(body, "tip", "")
    if not follows(runner.contract.listed, seat, bytes.fromhex(mine.link), bytes.fromhex(link)):
        return False
    last = mine.brings_tip(runner.contract.invite.chain)
    if bool(tip) != last:
        raise Culprit(seat, TipMisplaced())
    if last:
        runner.state.change(seat, link=tip, links=0, chain=mine.chain + 1)
    else:
        runner.state.change(seat, link=link, links=mine.next_link)
    return True


# --- decisions


def _take_sealed(runner: Stretch, bodies: Mapping[str, Body]) -> None:
    wait = runner.machine.waits_for(runner.pos)
    assert isinstance(wait, AskSealed)
    serial = runner.pos.serial + 1
    commitments = {}
    for options in wait.options:
        body = bodies[options.seat]
        assert isinstance(body, SealedChoice)
        slots = (options.slots or 0) if wait.fills else 1
        if len(body.seals) != slots:
            raise Culprit(options.seat, SealsMiscounted(slots, len(body.seals)))
        commitments[options.seat] = tuple(s.commit for s in body.seals)
        for number, seal in enumerate(body.seals):
            runner.state.boxes[slot_handle(serial, options.seat, number)] = Boxed(options.seat, seal.box)
    runner.apply(Sealed(commitments))


def _take_orders(runner: Stretch, seat: str, body: Orders) -> None:
    for opening in body.opens:
        _check_opening(runner, seat, opening)
    name = runner.entry.id if runner.entry is not None else ""
    place = signed_at(runner.state.tip)
    runner.start_list(seat, Queue(name, opens=body.opens, tail=body.tail, place=place), body.orders)


def _check_opening(runner: Stretch, seat: str, opening: Opening) -> None:
    """A seat opens a slot that it may see into: what it closed, or a card of a shared deck."""
    if not runner.check_opening(seat, opening):
        deck_duties.check_shown(runner, seat, opening)


# --- answers


def _take_answers(runner: Stretch, owed: Due, body: Answers) -> None:
    seat = owed.seat
    given = (bool(body.opens), body.tail is not None, bool(body.commits), bool(body.deliver), bool(body.deck))
    asked = (bool(owed.opens), owed.tail, owed.shuffle is not None, owed.deliver is not None, bool(owed.deck))
    if (
        (body.pieces and not owed.pieces)
        or given != asked
        or (body.standing and not owed.standing)
        or bool(body.box) != bool(body.commits)
    ):
        raise Culprit(seat, WrongAnswer())
    if owed.tail:
        _take_tail(runner, seat, body)
    elif owed.standing:
        _take_standing(runner, seat, body)
    elif owed.shuffle is not None:
        _take_shuffle(runner, owed, body)
    elif owed.deliver is not None:
        _take_delivery(runner, owed, body)
    elif owed.deck:
        deck_duties.take(runner, seat, owed.deck, body.deck)


def _take_tail(runner: Stretch, seat: str, body: Answers) -> None:
    assert body.tail is not None
    queue, tail = runner.state.queues[seat], body.tail
    place = tail_place(queue.place, queue.part)
    nonce = bytes.fromhex(tail.nonce)
    made = sealing.commitment(runner.contract.game, seat, place, tail.text.encode(), nonce)
    if made.hex() != queue.tail[0].commit:
        raise Culprit(seat, TailWrong())
    if tuple(o.slot for o in tail.opens) != named_cards(runner.machine, runner.pos, seat, tail.text):
        raise Culprit(seat, TailCardsWrong())
    for opening in tail.opens:
        _check_opening(runner, seat, opening)
    rest = replace(
        queue, tail=queue.tail[1:], part=queue.part + 1, answers=(), opens=(*queue.opens, *tail.opens)
    )
    runner.start_list(seat, rest, tail.text)


def _take_standing(runner: Stretch, seat: str, body: Answers) -> None:
    """A sealed standing order is opened, and public from then on; or said not to cover the question."""
    wait = runner.machine.waits_for(runner.pos)
    assert isinstance(wait, Ask)
    key = f"{seat} {wait.options.kind}"
    standing = runner.state.standing[key]
    assert standing.seal is not None
    if not body.standing:
        runner.state.declined = True
        runner.say(StandingDeclined(seat))
        return
    opening = body.standing[0]
    if opening.slot != wait.options.kind:
        raise Culprit(seat, StandingMisnamed())
    place, nonce = standing_place(standing.place), bytes.fromhex(opening.nonce)
    made = sealing.commitment(runner.contract.game, seat, place, opening.value.encode(), nonce)
    if made.hex() != standing.seal.commit:
        raise Culprit(seat, StandingWrong())
    lines = tuple(opening.value.split("\n"))
    runner.state.standing[key] = replace(standing, lines=lines, seal=None)
    if not runner.standing_answer(wait.options, lines, standing.entry):
        raise Culprit(seat, StandingUseless())


def _take_shuffle(runner: Stretch, owed: Due, body: Answers) -> None:
    assert owed.shuffle is not None
    size = len(owed.shuffle.cards) + len(owed.shuffle.returned)
    if len(body.commits) != size or len(set(body.commits)) != size:
        raise Culprit(owed.seat, ShuffleMiscounted(size))
    runner.state.boxes[stock(owed.shuffle.deck, owed.shuffle.epoch)] = Boxed(owed.seat, body.box)
    runner.apply(Shuffled(body.commits))
    runner.committed()


def _take_delivery(runner: Stretch, owed: Due, body: Answers) -> None:
    assert owed.deliver is not None
    if tuple(d.slot for d in body.deliver) != owed.deliver.handles:
        raise Culprit(owed.seat, OtherCardsHandedOver())
    for delivery in body.deliver:
        try:
            sealing.check_form(unpack_box(delivery.box))
        except VerificationError:
            raise Culprit(owed.seat, BoxMalformed(delivery.slot)) from None
        runner.state.boxes[delivery.slot] = Boxed(owed.deliver.taker, delivery.box, owed.seat)
    runner.delivered()


def _finish_openings(runner: Stretch, wanted: Mapping[str, Due], bodies: Mapping[str, Body]) -> None:
    values = {}
    for seat, owed in wanted.items():
        body = bodies[seat]
        if not owed.opens or not isinstance(body, Answers):
            continue
        if tuple(o.slot for o in body.opens) != owed.opens:
            raise Culprit(seat, OtherSlotsOpened())
        for opening in body.opens:
            _check_opening(runner, seat, opening)
            values[opening.slot] = opening.value
    if values:
        runner.apply(Opened(values))
