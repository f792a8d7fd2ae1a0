"""The machine: `waits_for(position)` and `apply(position, answer)`, the only door to a position.

Invariants: `apply` works on its own copy and either returns a settled position (one that waits for
somebody or is over) or raises and changes nothing; it accepts only what the wait's options contain;
the game's invariants are checked after every apply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pbem.engine import face_down
from pbem.engine.asking import asked
from pbem.engine.events import Event, Named, OrderText
from pbem.engine.notation import Handle, Move, NotationError, keyword, parse, shown_handles, words, write
from pbem.engine.options import Options, View
from pbem.engine.position import Claim, OnlyChoice, Position, Unlawful, read_position
from pbem.engine.procedure import Become, Drawn, Finish, Goto, Kind, Perform, Procedure, Step
from pbem.engine.rules import AnyRules
from pbem.engine.waits import (
    Answer,
    Ask,
    AskSealed,
    Chance,
    Decision,
    Deliver,
    Delivered,
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
from pbem.toml import quoted

RUNAWAY = 100_000
"""So many steps without asking anybody are a loop in the rules, not a game."""


FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What rules raise where they are wrong. Every machine meets it alike: a log can say so and go on."""


class RunsAway(AssertionError):
    """The rules never come to an end."""


class Fault(RulesError):
    """An order at which the rules break down: whoever finds one may not stop the others with it."""

    def __init__(self, error: Exception) -> None:
        super().__init__(f"the rules break down at this ({type(error).__name__})")


class NotAsked(RulesError):
    """An order that answers another question than the one that is open."""


class Ordered(Event):
    """A seat's decision, as it was carried out."""

    says = "{seat}: {order}"
    seat: str
    order: OrderText


class DiceFell(Event):
    """Dice that a rule asked for."""

    says = "roll {count}d{sides}: {dice:& }"
    count: int
    sides: int
    dice: tuple[int, ...]


class DrawnByLot(Event):
    """One thing drawn from several."""

    says = "draw 1 of {size}: {draw}"
    size: int
    draw: Handle


class SlotOpened(Event):
    """What a closed slot or a card turned out to be."""

    says = "opened: {value}"
    slot: str
    value: Named


@dataclass(frozen=True, slots=True)
class Result:
    """A settled position and what happened on the way to it."""

    position: Position
    events: tuple[Event, ...]
    claims: tuple[Claim, ...] = ()


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
            pos.wait = Over() if pos.outcome else asked(pos)
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
        try:
            return self._meant(pos, options, text, view)
        except FAULTS as error:
            raise Fault(error) from error

    def _meant(self, pos: Position, options: Options, text: str, view: View) -> Move:
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
            wait = asked(pos)
            if wait is None:
                self._advance(pos, frame, step)
                continue
            only = wait.options.only() if isinstance(wait, Ask) else None
            if only is None:
                pos.wait = wait
                return
            assert isinstance(wait, Ask)
            text = self.write_move(pos, only, View())
            pos.say(OnlyChoice(wait.options.seat, text))
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
                slots = face_down.seal(pos, wait, answer)
                if wait.fills:
                    self._go_on(pos, frame, step, step.run(frame, pos, slots))
                else:
                    pos.stage, pos.pending = "open", tuple(h for made in slots.values() for h in made)
            case Chance(), Rolled():
                self._roll(pos, frame, step, wait, answer)
            case Open(), Opened():
                self._open(pos, frame, step, wait, answer)
            case Shuffle(), Shuffled():
                face_down.shuffle(pos, wait, answer)
                self._go_on(pos, frame, step, step.run(frame, pos))
            case Deliver(), Delivered():
                face_down.deliver(pos, wait)
                self._go_on(pos, frame, step, step.run(frame, pos))
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
        pos.say(Ordered(answer.seat, text))
        made = step.run(frame, pos, answer.move)
        if pos.claims and not answer.move.claims:
            raise AssertionError(f"{type(answer.move).__name__} makes a claim, and its class does not say so")
        self._go_on(pos, frame, step, made)

    def _roll(self, pos: Position, frame: Procedure, step: Step, wait: Chance, answer: Rolled) -> None:
        if len(answer.values) != len(wait.bounds) or any(
            not 0 <= v < b for v, b in zip(answer.values, wait.bounds, strict=True)
        ):
            raise RulesError("the roll does not fit what was asked", rule=step.rule)
        values = answer.values
        if step.kind is Kind.ROLLS:
            dice = tuple(v + 1 for v in values)
            pos.say(DiceFell(len(dice), wait.bounds[0], dice))
            self._go_on(pos, frame, step, step.run(frame, pos, dice))
            return
        source = step.source(frame, pos)
        if step.kind is Kind.DEALS:
            dealt = face_down.deal(pos, source, values)
            self._go_on(pos, frame, step, step.run(frame, pos, dealt))
            pos.stack.extend(face_down.deliveries(pos, source, dealt))
            return
        item = source[values[0]]
        pos.say(DrawnByLot(len(source), item))
        if step.opened:
            pos.stage, pos.pending = "open", (item,)
        else:
            self._go_on(pos, frame, step, step.run(frame, pos, item))

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
            pos.say(SlotOpened(handle, values[handle]))
        else:
            argument = values
            for handle, value in values.items():
                pos.say(SlotOpened(handle, value))
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
                    seat, step.rule, f"the sealed choice {quoted(text)} is not legal: {error.message}"
                ) from None
            pos.say(Ordered(seat, text))
        return moves
