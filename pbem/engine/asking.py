"""What the present step of a position waits for: a pure function of the position."""

from __future__ import annotations

from typing import Any

from pbem.engine.position import Position
from pbem.engine.procedure import Dice, Kind
from pbem.engine.waits import Ask, AskSealed, Chance, Deliver, Fall, Open, Shuffle, Wait


def asked(pos: Position) -> Wait | None:
    """What the step on top of the stack asks for; None where it is skipped."""
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
            kinds = (source,) if isinstance(source, Dice) else tuple(source)
            bounds = tuple(one.sides for one in kinds for _ in range(one.count))
            return Chance(step.rule, bounds, " ".join(f"{one.count}d{one.sides}" for one in kinds))
        case Kind.DRAWS:
            size = len(source)
            return Chance(step.rule, (size,), f"1 of {size}", Fall.DRAW) if size else None
        case Kind.OPENS:
            return Open(step.rule, tuple(source)) if source else None
        case Kind.SHUFFLES:
            epoch = pos.decks[source.deck].epoch + 1 if source.deck in pos.decks else 1
            return Shuffle(step.rule, source.deck, source.owner, epoch, source.cards, source.returned)
        case Kind.DEALS:
            bounds = _deal_bounds(pos, source)
            return Chance(step.rule, bounds, f"deal of {len(bounds)}", Fall.DEAL) if bounds else None
        case Kind.PASSES:
            if not source.handles:
                return None
            return Deliver(step.rule, source.handles, source.giver, source.taker)
    raise AssertionError(f"{step.name} cannot wait")


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
