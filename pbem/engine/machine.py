"""The machine: `waits_for(position)` and `apply(position, answer)`, the only door to a position.

Invariants: `apply` works on its own copy and either returns a settled position (one that waits for
somebody or is over) or raises and changes nothing; it accepts only what the wait's options contain;
the game's invariants are checked after every apply.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pbem.engine.codec import hints
from pbem.engine.handles import card_handle, slot_handle
from pbem.engine.notation import Handle, Move, NotationError, keyword, parse, words, write
from pbem.engine.options import Options, View
from pbem.engine.position import Claim, Deck, Event, Hidden, Position, Unlawful, read_position
from pbem.engine.procedure import (
    Become,
    Delivery,
    Dice,
    Drawn,
    Finish,
    Goto,
    Kind,
    Perform,
    Procedure,
    Step,
)
from pbem.engine.rules import AnyRules
from pbem.engine.waits import (
    Answer,
    Ask,
    AskSealed,
    Chance,
    Decision,
    Deliver,
    Delivered,
    Fall,
    Open,
    Opened,
    Over,
    Rolled,
    Sealed,
    Shuffle,
    Shuffled,
    Wait,
)
from pbem.errors import RulesError

RUNAWAY = 100_000
"""So many steps without asking anybody are a loop in the rules, not a game."""


class RunsAway(AssertionError):
    """The rules never come to an end."""


class NotAsked(RulesError):
    """An order that answers another question than the one that is open."""


@dataclass(frozen=True, slots=True)
class Result:
    """A settled position and what happened on the way to it."""

    position: Position
    events: tuple[Event, ...]
    claims: tuple[Claim, ...] = ()


def shown_handles(move: Move) -> tuple[Handle, ...]:
    """The hidden cards that a move shows: its `Handle` fields, unless the class keeps them secret."""
    found: list[Handle] = []
    for name, declared in hints(type(move)).items():
        value = getattr(move, name)
        if name in move.secret or value is None:
            continue
        if declared is Handle or declared == Handle | None:
            found.append(value)
        elif declared == tuple[Handle, ...]:
            found.extend(value)
    return tuple(found)


class Machine:
    """Runs one game's rules with one pack."""

    def __init__(self, rules: AnyRules, pack: Any) -> None:
        self.rules = rules
        self.pack = pack

    # --- positions in and out

    def start(self, scenario: str, options: dict[str, str], seats: tuple[str, ...]) -> Result:
        """The first settled position of a game."""
        return self.settle(self.rules.start(self.pack, scenario, options, seats))

    def read(self, data: dict[str, Any]) -> Position:
        """A saved position, as settled as it was."""
        pos = read_position(self.rules.position, self.rules.procedure_names, data)
        pos.pack = self.pack
        return pos

    def settle(self, pos: Position) -> Result:
        """Run automatic steps from an unsettled position (a start, a case)."""
        new = pos.copy()
        new.pack = self.pack
        for frame in new.stack:
            self._listed(frame)
        self._settle(new)
        return self._result(new)

    # --- the door

    def waits_for(self, pos: Position) -> Wait:
        """What a settled position waits for; a pure function of the position."""
        if pos.wait is None:
            pos.wait = Over() if pos.outcome else self._wait(pos)
            if pos.wait is None:
                raise AssertionError(f"position is not settled at {pos.stack[-1].at}")
        return pos.wait  # type: ignore[no-any-return]

    def apply(self, pos: Position, answer: Answer) -> Result:
        """The position after an answer, and the events on the way. Raises RulesError if it is not legal."""
        wait = self.waits_for(pos)
        new = pos.copy()
        self._answer(new, wait, answer)
        self._settle(new)
        return self._result(new)

    def _result(self, pos: Position) -> Result:
        self.rules.check(pos)
        events, claims = tuple(pos.events), tuple(pos.claims)
        for claim in claims:
            if claim.name not in self.rules.claims:
                raise AssertionError(f"{self.rules.name} does not say how the audit checks {claim.name!r}")
        pos.events, pos.claims, pos.faces = [], [], {}
        return Result(pos, events, claims)

    # --- reading moves

    def read_move(self, pos: Position, options: Options, text: str, view: View) -> Move:
        """The legal move that a line of orders means; RulesError says why there is none."""
        kinds = options.kinds() or self.rules.moves
        first, now = words(text)[:1], sorted({keyword(kind) for kind in kinds})
        if first and first[0].text not in now and first[0].text in map(keyword, self.rules.moves):
            raise NotAsked(
                f"{first[0].text} is not what is asked now: {options.ask or options.kind}",
                f"an order begins with {' or '.join(now)}",
            )
        meant = parse(text, kinds, self.rules.lookup(pos, view.known))
        refusals = []
        for move in meant:
            refusal = options.why_not(move, view)
            if refusal is None:
                return move
            refusals.append(refusal)
        raise RulesError(refusals[0].reason, rule=refusals[0].rule or None, also=refusals[0].also)

    def write_move(self, pos: Position, move: Move, view: View) -> str:
        """The order line of a move, cards by name where the view knows them."""
        return write(move, lambda word: self.rules.show(pos, view.known.get(Handle(word), word)))

    # --- settling

    def _settle(self, pos: Position) -> None:
        for _ in range(RUNAWAY):
            if pos.outcome is not None:
                pos.stack, pos.stage, pos.pending = [], "", ()
                pos.wait = Over()
                return
            if not pos.stack:
                raise AssertionError("the rules ended without an outcome: the stack is empty")
            frame = pos.stack[-1]
            step = frame.step
            pos.rule = step.rule
            if step.kind is Kind.RULE:
                self._go_on(pos, frame, step, step.run(frame, pos))
                continue
            wait = self._wait(pos)
            if wait is None:
                self._advance(pos, frame, step)
                continue
            only = wait.options.only() if isinstance(wait, Ask) else None
            if only is None:
                pos.wait = wait
                return
            assert isinstance(wait, Ask)
            text = self.write_move(pos, only, View())
            pos.say_alone(wait.options.seat, text)
            self._go_on(pos, frame, step, step.run(frame, pos, only))
        raise RunsAway(f"the rules run away at {pos.stack[-1].at}")

    def _advance(self, pos: Position, frame: Procedure, step: Step) -> None:
        following = frame.following[step.name]
        if following is None:
            pos.stack.pop()
        else:
            frame.at = following

    def _go_on(self, pos: Position, frame: Procedure, step: Step, result: Any) -> None:
        if result is None:
            self._advance(pos, frame, step)
        elif isinstance(result, Goto):
            if result.step not in frame.steps:
                raise AssertionError(f"{type(frame).__name__} has no step {result.step}")
            frame.at = result.step
        elif isinstance(result, Perform):
            if result.then is not None:
                frame.at = result.then
            else:
                self._advance(pos, frame, step)
            pos.stack.append(self._listed(result.procedure))
        elif isinstance(result, Become):
            pos.stack[-1] = self._listed(result.procedure)
        elif isinstance(result, Finish):
            pos.stack.pop()
        else:
            raise AssertionError(f"{type(frame).__name__}.{step.name} returned {result!r}")

    def _listed(self, procedure: Procedure) -> Procedure:
        """A position whose procedure is not among the game's could be written and never read again."""
        name = type(procedure).__name__
        if self.rules.procedure_names.get(name) is not type(procedure):
            raise AssertionError(f"{name} is not among the procedures of {self.rules.name}")
        return procedure

    # --- what the present step waits for

    def _wait(self, pos: Position) -> Wait | None:
        frame = pos.stack[-1]
        step = frame.step
        if pos.stage == "open":
            return Open(step.rule, pos.pending, step.kind is Kind.CHOOSES_SECRETLY)
        source: Any = step.source if isinstance(step.source, Dice) else step.source(frame, pos)
        if source is None:
            return None
        match step.kind:
            case Kind.CHOOSES:
                return Ask(step.rule, source)
            case Kind.CHOOSES_SECRETLY | Kind.FILLS_SECRETLY:
                options = tuple(source)
                return AskSealed(step.rule, options, step.kind is Kind.FILLS_SECRETLY) if options else None
            case Kind.ROLLS:
                return Chance(step.rule, (source.sides,) * source.count, f"{source.count}d{source.sides}")
            case Kind.DRAWS:
                return (
                    Chance(step.rule, (len(source),), f"1 of {len(source)}", Fall.DRAW)
                    if len(source)
                    else None
                )
            case Kind.OPENS:
                return Open(step.rule, tuple(source)) if source else None
            case Kind.SHUFFLES:
                epoch = pos.decks[source.deck].epoch + 1 if source.deck in pos.decks else 1
                return Shuffle(step.rule, source.deck, source.owner, epoch, source.cards, source.returned)
            case Kind.DEALS:
                bounds = _deal_bounds(pos, source)
                return Chance(step.rule, bounds, f"deal of {len(bounds)}", Fall.DEAL) if bounds else None
            case Kind.PASSES:
                return (
                    Deliver(step.rule, source.handles, source.giver, source.taker) if source.handles else None
                )
        raise AssertionError(f"{step.name} cannot wait")

    # --- answers

    def _answer(self, pos: Position, wait: Wait, answer: Answer) -> None:
        frame = pos.stack[-1] if pos.stack else None
        if frame is None:
            raise RulesError("the game is over")
        step = frame.step
        pos.rule = step.rule
        match wait, answer:
            case Ask(), Decision():
                self._decide(pos, frame, step, wait, answer)
            case AskSealed(), Sealed():
                self._seal(pos, frame, step, wait, answer)
            case Chance(), Rolled():
                self._roll(pos, frame, step, wait, answer)
            case Open(), Opened():
                self._open(pos, frame, step, wait, answer)
            case Shuffle(), Shuffled():
                self._shuffle(pos, frame, step, wait, answer)
            case Deliver(), Delivered():
                self._deliver(pos, frame, step, wait)
            case _:
                raise RulesError(f"the position waits for {type(wait).__name__.lower()}, not for this")

    def _decide(self, pos: Position, frame: Procedure, step: Step, wait: Ask, answer: Decision) -> None:
        options = wait.options
        if answer.seat != options.seat:
            raise RulesError(f"it is {options.seat}'s decision, not {answer.seat}'s", rule=step.rule)
        for handle in shown_handles(answer.move):
            if handle not in answer.shown:
                raise RulesError("the card played is not opened", rule=step.rule)
        refusal = options.why_not(answer.move, View(answer.seat, answer.shown))
        if refusal is not None:
            raise RulesError(refusal.reason, rule=refusal.rule or step.rule, also=refusal.also)
        pos.faces = dict(answer.shown)
        for handle in answer.shown:
            pos.hidden.pop(handle, None)
        text = self.write_move(pos, answer.move, View(answer.seat, answer.shown))
        pos.say(f"{answer.seat}: {text}", seat=answer.seat, order=text)
        self._go_on(pos, frame, step, step.run(frame, pos, answer.move))

    def _seal(self, pos: Position, frame: Procedure, step: Step, wait: AskSealed, answer: Sealed) -> None:
        pos.serial += 1
        slots: dict[str, tuple[Handle, ...]] = {}
        for options in wait.options:
            given = answer.commitments.get(options.seat)
            wanted = options.slots if wait.fills else 1
            if given is None or len(given) != wanted:
                raise RulesError(f"{options.seat} owes {wanted} sealed slots", rule=step.rule)
            made = tuple(slot_handle(pos.serial, options.seat, i) for i in range(len(given)))
            for handle, commitment in zip(made, given, strict=True):
                pos.hidden[handle] = Hidden(options.seat, commitment)
            slots[options.seat] = made
        if wait.fills:
            self._go_on(pos, frame, step, step.run(frame, pos, slots))
        else:
            pos.stage, pos.pending = "open", tuple(h for made in slots.values() for h in made)

    def _roll(self, pos: Position, frame: Procedure, step: Step, wait: Chance, answer: Rolled) -> None:
        if len(answer.values) != len(wait.bounds) or any(
            not 0 <= v < b for v, b in zip(answer.values, wait.bounds, strict=True)
        ):
            raise RulesError("the roll does not fit what was asked", rule=step.rule)
        values = answer.values
        if step.kind is Kind.ROLLS:
            dice = tuple(v + 1 for v in values)
            pos.say(f"roll {wait.what}: {' '.join(map(str, dice))}", dice=list(dice))
            self._go_on(pos, frame, step, step.run(frame, pos, dice))
            return
        source = step.source(frame, pos)
        if step.kind is Kind.DEALS:
            self._deal(pos, frame, step, source, values)
            return
        item = source[values[0]]
        pos.say(f"draw {wait.what}: {item}", draw=item)
        if step.opened:
            pos.stage, pos.pending = "open", (item,)
        else:
            self._go_on(pos, frame, step, step.run(frame, pos, item))

    def _deal(self, pos: Position, frame: Procedure, step: Step, deals: Any, values: tuple[int, ...]) -> None:
        rest = list(values)
        dealt = []
        for deal in deals:
            got = tuple(
                _take(pos, deal.deck, rest.pop(0)) for _ in range(min(deal.count, len(pos.decks[deal.deck])))
            )
            for handle in got:
                pos.hidden[handle] = replace(pos.hidden[handle], holder=deal.to)
            pos.say(f"{deal.to} draws {len(got)} from {deal.deck}", seat=deal.to, cards=list(got))
            dealt.append(got)
        self._go_on(pos, frame, step, step.run(frame, pos, tuple(dealt)))
        for deal, got in zip(deals, dealt, strict=True):
            giver = pos.decks[deal.deck].owner
            if got and giver != deal.to:
                pos.stack.append(Delivery(got, giver, deal.to))

    def _open(self, pos: Position, frame: Procedure, step: Step, wait: Open, answer: Opened) -> None:
        if set(answer.values) != set(wait.handles):
            raise RulesError("other slots were opened than those asked for", rule=step.rule)
        values = {h: answer.values[h] for h in wait.handles}
        if wait.moves:
            moves = self._sealed_moves(pos, frame, step, values)
            argument: Any = moves
        elif step.kind is Kind.DRAWS:
            (handle,) = wait.handles
            argument = Drawn(handle, values[handle])
            pos.say(f"opened: {self.rules.show(pos, values[handle])}", slot=handle, value=values[handle])
        else:
            argument = values
            for handle, value in values.items():
                pos.say(f"opened: {self.rules.show(pos, value)}", slot=handle, value=value)
        pos.stage, pos.pending = "", ()
        pos.faces = dict(values)
        for handle in wait.handles:
            pos.hidden.pop(handle, None)
        self._go_on(pos, frame, step, step.run(frame, pos, argument))

    def _sealed_moves(
        self, pos: Position, frame: Procedure, step: Step, values: dict[Handle, str]
    ) -> dict[str, Move]:
        moves = {}
        by_seat = {options.seat: options for options in step.source(frame, pos)}
        for handle, text in values.items():
            seat = pos.hidden[handle].owner
            try:
                moves[seat] = self.read_move(pos, by_seat[seat], text, View(seat))
            except (RulesError, NotationError) as error:
                raise Unlawful(
                    seat, step.rule, f"the sealed choice {text!r} is not legal: {error.message}"
                ) from None
            pos.say(f"{seat}: {text}", seat=seat, order=text)
        return moves

    def _shuffle(self, pos: Position, frame: Procedure, step: Step, wait: Shuffle, answer: Shuffled) -> None:
        size = len(wait.cards) + len(wait.returned)
        if wait.owner and len(answer.commitments) != size:
            raise RulesError(f"{wait.owner} owes {size} commitments", rule=step.rule)
        made = tuple(card_handle(wait.deck, wait.epoch, i) for i in range(size))
        for handle in wait.returned:
            pos.hidden.pop(handle, None)
        for number, handle in enumerate(made):
            pos.hidden[handle] = Hidden(wait.owner, answer.commitments[number] if wait.owner else "")
        pos.decks[wait.deck] = Deck(wait.owner, wait.epoch, wait.cards, made)
        pos.say(f"{wait.deck} is shuffled: {size} cards", deck=wait.deck, epoch=wait.epoch)
        self._go_on(pos, frame, step, step.run(frame, pos))

    def _deliver(self, pos: Position, frame: Procedure, step: Step, wait: Deliver) -> None:
        for handle in wait.handles:
            pos.hidden[handle] = replace(pos.hidden[handle], holder=wait.taker)
        self._go_on(pos, frame, step, step.run(frame, pos))


def _deal_bounds(pos: Position, deals: Any) -> tuple[int, ...]:
    """One bound per card: the size of the unordered rest, or 1 where the card is already determined."""
    left = {name: [len(d.top), len(d.rest), len(d.bottom)] for name, d in pos.decks.items()}
    bounds = []
    for deal in deals:
        top_rest_bottom = left[deal.deck]
        for _ in range(deal.count):
            part = next((i for i, n in enumerate(top_rest_bottom) if n), None)
            if part is None:
                break
            bounds.append(top_rest_bottom[1] if part == 1 else 1)
            top_rest_bottom[part] -= 1
    return tuple(bounds)


def _take(pos: Position, name: str, index: int) -> Handle:
    deck = pos.decks[name]
    if deck.top:
        handle = deck.top[0]
    elif deck.rest:
        handle = deck.rest[index]
    else:
        handle = deck.bottom[0]
    pos.draw_from(name, [handle])
    return handle
