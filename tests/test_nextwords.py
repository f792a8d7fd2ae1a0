"""The next words of a partial order: every legal order is reached by clicks in any order, and by typing."""

from __future__ import annotations

import random

import pytest

from pbem.engine.nextwords import Index
from pbem.engine.notation import tokens
from pbem.engine.options import Options
from pbem.engine.waits import Ask, AskSealed
from tests.test_pictures import GAMES, played


def _questions(game: str, steps: int, seed: int = 3) -> tuple[Index, Options, object]:
    _, croupier, pos = played(game, steps, seed)
    wait = croupier.machine.waits_for(pos)
    assert isinstance(wait, (Ask, AskSealed))
    options = wait.options if isinstance(wait, Ask) else wait.options[0]
    view = croupier.view(pos, options.seat, options)
    return Index(croupier.machine, pos, options, view), options, view


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("steps", [6, 25])
def test_every_legal_order_can_be_clicked_and_typed(game: str, steps: int) -> None:
    index, _, _ = _questions(game, steps)
    rng = random.Random(7)
    texts = index.texts()
    for text in rng.sample(texts, min(40, len(texts))):
        move = index.move(text)
        assert move is not None
        verb = text.split()[0]
        _click(index, text, verb, rng)
        _type(index, text)


def _click(index: Index, text: str, verb: str, rng: random.Random) -> None:
    """Words in any order: each is offered or follows by itself, and in the end the order is there."""
    wanted = list(index.words(text))
    rng.shuffle(wanted)
    picks: list[str] = []
    while text not in index.picked(picks, verb).complete:
        now = index.picked(picks, verb)
        offered = {offer.word for offer in now.offered}
        word = next(w for w in wanted if w in offered)
        wanted.remove(word)
        picks.append(word)
        assert index.picked(picks, verb).fits


def _type(index: Index, text: str) -> None:
    typed = ""
    for word in text.split(" "):
        if '"' in word:
            return
        assert word in index.typed(typed), f"{word!r} is not offered after {typed!r}"
        assert word in index.typed(typed + word[:1])
        typed += f"{word} "
    assert not index.typed(typed) or index.move(text.strip()) is not None


def test_an_attack_may_begin_with_a_unit_and_a_lone_target_is_implied() -> None:
    index, _, _ = _questions("kawagoe", 60, 1)
    unit = next(offer.word for offer in index.picked(()).offered if "units" in offer.fields)
    after = index.picked((unit,))
    assert after.fits and all("hex" in o.fields or "units" in o.fields for o in after.offered)
    assert index.picked(("nobody",)).fits == 0


def test_a_set_up_by_unit_and_hex() -> None:
    """4.1 by clicks: a unit, then a hex with room; the whole order is there when the last one stands."""
    index, options, view = _questions("kawagoe", 0)
    assert not index.all_listed
    usual = next(iter(options.list(view)))
    assert index.picked(()).complete[0] == "deploy garrison"
    placed: tuple[str, ...] = ()
    full = next(move for move in options.list(view) if getattr(move, "places", ()))
    for _, name, word in tokens(full):
        if name != "places":
            continue
        unit = word.partition("@")[0]
        assert unit in {o.word for o in index.picked(placed).offered}
        assert word in {o.word for o in index.picked((*placed, unit)).offered}
        placed = (*placed, word)
    (order,) = index.picked(placed).complete
    assert options.why_not(index.move(order) or usual, view) is None


def test_costs_come_from_the_rules_themselves() -> None:
    index, _, _ = _questions("kawagoe", 60, 1)
    moves = [text for text in index.texts() if text.startswith("move ")]
    seen = [index.outlook(text) for text in moves[:20]]
    assert len(seen) == 20 and all(one.cost and one.left and one.path for one in seen)
