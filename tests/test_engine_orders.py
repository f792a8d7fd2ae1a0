"""Order lists: what is carried out, what is skipped, and what goes back to the player with a reason."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.engine.croupier import Croupier
from pbem.engine.machine import Machine
from pbem.engine.notation import NotationError, shown_handles
from pbem.engine.options import View
from pbem.engine.orders import Chosen, Order, Stopped, choose, read_orders, segments, write_orders
from pbem.engine.waits import Ask, Decision
from pbem.protocol.rounds.events import ListReturned
from tests.table import Player, make_contract, settle
from tests.tiny.moves import Boast, Done, Hit, Swear
from tests.tiny.rules import TinyRules
from tests.tiny.turns import Action

LIST = """\
# the plan
hit b            # with all we have
    boast 1
\tboast 0

? swear
done
"""


def test_a_list_is_read_with_its_answers_comments_and_marks() -> None:
    assert read_orders(LIST) == (
        Order("hit b", 2, False, ("boast 1", "boast 0")),
        Order("swear", 6, True),
        Order("done", 7),
    )


def test_a_list_survives_being_written_as_a_draft() -> None:
    orders = read_orders(LIST)
    again = read_orders(write_orders(orders))
    assert [(o.text, o.optional, o.answers) for o in again] == [
        (o.text, o.optional, o.answers) for o in orders
    ]
    assert write_orders(()) == ""


def test_a_hash_inside_a_word_or_quotes_is_no_comment() -> None:
    assert read_orders('move a#1 "hill #3"')[0].text == 'move a#1 "hill #3"'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("    boast 1\n", "line 1: an answer without an order above it"),
        ("done\n?\n", "line 2: a question mark"),
    ],
)
def test_a_list_without_shape_is_refused_by_line(text: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        read_orders(text)


def test_a_list_is_cut_after_each_order_that_may_let_another_decide() -> None:
    orders = read_orders("done\nhit b\nswear\nhit b\nhit b\n")
    parts = segments(orders, lambda order: order.text.startswith("hit"))
    assert [[o.text for o in part] for part in parts] == [["done", "hit b"], ["swear", "hit b"], ["hit b"]]


# --- answering one question


def acting() -> tuple[Machine, Any, Any]:
    """A position in which seat a may do three deeds."""
    machine = Machine(TinyRules(), TinyRules().load_pack())
    croupier = Croupier(machine, random.Random(1))
    pos = croupier.settle(machine.start("short", {"deck": "own"}, ("a", "b"))).position
    pos = pos.copy()
    pos.stack.append(Action("a"))
    pos = machine.settle(pos).position
    wait = machine.waits_for(pos)
    assert isinstance(wait, Ask)
    return machine, pos, wait.options


def test_the_first_legal_prepared_answer_is_taken_once() -> None:
    machine, pos, options = acting()
    chosen = choose(
        machine, pos, options, View("a"), read_orders("done"), ("boast 1", "hit b", "swear"), ahead=False
    )
    assert isinstance(chosen, Chosen)
    assert chosen.move == Hit("b") and chosen.answers == ("boast 1", "swear")
    assert [o.text for o in chosen.orders] == ["done"]


def test_without_a_fitting_answer_the_next_order_is_taken_with_its_own_answers() -> None:
    machine, pos, options = acting()
    chosen = choose(
        machine, pos, options, View("a"), read_orders("swear\n    boast 0\ndone"), ("boast 1",), ahead=False
    )
    assert isinstance(chosen, Chosen)
    assert chosen.move == Swear() and chosen.answers == ("boast 0",)


def test_a_marked_order_is_skipped_with_its_reason_and_an_unmarked_one_stops_the_list() -> None:
    machine, pos, options = acting()
    chosen = choose(
        machine, pos, options, View("a"), read_orders("? hit a\n?lose stone\ndone"), (), ahead=False
    )
    assert isinstance(chosen, Chosen) and chosen.move == Done()
    assert tuple(map(str, chosen.skipped)) == (
        "line 1: hit a: a is no enemy",
        "line 2: lose stone: lose is not what is asked now: what to do",
    )
    stopped = choose(machine, pos, options, View("a"), read_orders("? hit a\nhit a\ndone"), (), ahead=False)
    assert isinstance(stopped, Stopped)
    assert (stopped.reason, stopped.rule, stopped.line) == ("a is no enemy", "5.1", 2)
    assert len(stopped.skipped) == 1


def test_a_misspelt_order_stops_with_column_and_guess() -> None:
    machine, pos, options = acting()
    stopped = choose(machine, pos, options, View("a"), read_orders("\nhti b"), (), ahead=False)
    assert isinstance(stopped, Stopped)
    assert (stopped.line, stopped.column, stopped.hint) == (2, 1, "did you mean hit?")


def test_an_empty_list_stops_without_a_reason() -> None:
    machine, pos, options = acting()
    assert choose(machine, pos, options, View("a"), (), (), ahead=False) == Stopped(None)


class MacroRules(TinyRules):
    """The tiny game with two macros."""

    def macros(self, text: str, pos: Any, view: View) -> list[str] | None:
        word, *rest = text.split()
        if word == "storm":
            return [f"hit {rest[0]}"] * 2
        if word == "march":  # a line that stands for another one and itself, as long as nobody has set out
            return ["set out", text]
        return [] if word == "nothing" else None


def test_a_macro_becomes_its_orders_and_its_answers_go_to_the_last() -> None:
    machine, pos, options = acting()
    machine.rules = MacroRules()
    chosen = choose(
        machine, pos, options, View("a"), read_orders("nothing\nstorm b\n    boast 1\ndone"), (), ahead=False
    )
    assert isinstance(chosen, Chosen) and chosen.move == Hit("b")
    assert [(o.text, o.at, o.answers) for o in chosen.orders] == [("hit b", 2, ("boast 1",)), ("done", 4, ())]


def test_a_macro_whose_first_part_is_skipped_comes_to_an_end() -> None:
    """One line of a stranger's list must not keep every machine busy for ever."""
    machine, pos, options = acting()
    machine.rules = MacroRules()
    chosen = choose(machine, pos, options, View("a"), read_orders("? march b\ndone"), (), ahead=False)
    assert isinstance(chosen, Chosen) and chosen.move == Done()
    assert [one.order for one in chosen.skipped] == ["set out", "march b"]
    stopped = choose(machine, pos, options, View("a"), read_orders("march b"), (), ahead=False)
    assert isinstance(stopped, Stopped) and stopped.line == 1


# --- lists in a game


class Deeds(TinyRules):
    """The tiny game, begun where seat a acts at once and nothing is hidden."""

    def start(self, pack, scenario, options, seats):
        pos = super().start(pack, scenario, options, seats)
        pos.turn, pos.last_turn = 1, 1
        game = pos.stack[0]
        game.at = "turn"
        pos.stack.append(Action("a"))
        return pos


def two_players() -> dict[str, Player]:
    rules = Deeds()
    contract, keys = make_contract(2, rules=rules)
    return {seat: Player(contract, seat, keys[seat], rules) for seat in contract.seats}


def give(table: dict[str, Player], seat: str, text: str) -> list[Any]:
    """A list of orders, and every event until somebody must decide again."""
    player = table[seat]
    before = {s: len(p.log) for s, p in table.items()}
    raw = player.entry("orders", player.secrets.orders(text))
    for one in table.values():
        one.receive(raw)
    settle(table)
    events = {s: [e for one in p.log[before[s] :] for e in one.events] for s, p in table.items()}
    assert events["a"] == events["b"]
    return events["a"]


def returned(events: list[Any]) -> list[tuple[str, str]]:
    return [(e.returned, e.aside) for e in events if isinstance(e, ListReturned)]


def test_the_enemy_decides_in_the_middle_and_the_sealed_rest_goes_on_by_itself() -> None:
    for salt in range(8):
        table = two_players()
        table["a"].clock += salt  # other bytes, other dice
        events = give(table, "a", "hit b\n    boast 1\ndone\n")
        state = table["a"].ledger.state
        body = table["a"].log[-1].entry
        hurt = any(e.rule == "5.1" and e.data.get("dice", [0])[0] >= 3 for e in events)
        if not hurt:
            assert returned(events) == []
            assert table["a"].asked is None  # done was carried out, too
            continue
        assert table["b"].asked == "b"
        assert len(state.queues["a"].tail) == 1 and state.queues["a"].answers == ("boast 1",)
        assert b"\ndone" not in body.raw and b'"done"' not in table["b"].ledger.text.encode()
        events = give(table, "b", "lose face")
        orders = [e.data["order"] for e in events if "order" in e.data]
        assert orders == ["lose face", "boast 1", "done"]
        assert table["a"].asked is None
        return
    raise AssertionError("no hit in eight tries")


def test_an_order_that_became_illegal_returns_the_rest_with_the_reason() -> None:
    table = two_players()
    events = give(table, "a", "swear\nhit a\n? hit a\ndone\n")
    assert [e.data["order"] for e in events if "order" in e.data] == ["swear"]
    assert returned(events) == [("hit a\n", "a is no enemy")]
    assert table["a"].asked == "a" and table["b"].asked == "a"


def test_a_question_without_an_answer_returns_nothing_and_is_simply_asked() -> None:
    for salt in range(8):
        table = two_players()
        table["a"].clock += salt
        give(table, "a", "hit b\n")
        if table["b"].asked != "b":
            continue
        events = give(table, "b", "lose face")
        assert returned(events) == []
        wait = table["a"].ledger.machine.waits_for(table["a"].ledger.position)
        assert isinstance(wait, Ask) and wait.options.kind == "boast"
        assert Boast(1) in list(wait.options.list())
        return
    raise AssertionError("no hit in eight tries")


def test_the_list_uses_what_the_rules_perform_next() -> None:
    """A list may run through several procedures: nothing in it depends on where a frame stands."""
    for salt in range(20):
        table = two_players()
        table["a"].clock += salt
        events = give(table, "a", "swear\nhit b\ndone\n")
        if table["b"].asked is None:
            break
    assert [e.data["order"] for e in events if "order" in e.data] == ["swear", "hit b", "done"]
    assert table["a"].asked is None


def test_what_only_the_audit_can_check_is_not_said_ahead() -> None:
    """Who signs it before the question cannot know whether it will be true: a card may have been drawn."""
    machine, pos, options = acting()
    first, later = (
        choose(machine, pos, options, View("a"), read_orders("? swear\ndone"), (), ahead=ahead)
        for ahead in (False, True)
    )
    assert isinstance(first, Chosen) and first.move == Swear()
    assert (
        isinstance(later, Chosen)
        and later.move == Done()
        and tuple(map(str, later.skipped))
        == ("line 1: swear: only the audit can check this: it cannot be said before it is asked",)
    )
    prepared = choose(machine, pos, options, View("a"), read_orders("done"), ("swear",), ahead=False)
    assert isinstance(prepared, Chosen) and prepared.move == Done()
    table = two_players()
    events = give(table, "a", "swear\nswear\n")
    assert [e.data["order"] for e in events if "order" in e.data] == ["swear"]
    ((rest, why),) = returned(events)
    assert rest == "swear\n" and why.startswith("only the audit can check this")
    assert table["a"].asked == "a"


def test_a_move_shows_its_cards_unless_it_keeps_them_secret() -> None:
    from pbem.engine.notation import Handle
    from tests.tiny.moves import Ambush, Bury, Play

    assert shown_handles(Play(Handle("d-1.1"))) == ("d-1.1",)
    assert shown_handles(Bury(Handle("d-1.1"))) == ()
    assert shown_handles(Ambush((Handle("d-1.1"),))) == ()


def test_decisions_are_what_the_croupier_makes_of_moves() -> None:
    machine, pos, _ = acting()
    result = machine.apply(pos, Decision("a", Swear()))
    assert result.position.players["a"].points == 1
    assert [(c.seat, c.name, c.rule) for c in result.claims] == [("a", "no gold", "4.1")]
