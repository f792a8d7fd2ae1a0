"""What a breach looks like to a stranger: `pbem verify` ends with 1 and names the entry and its author.

Of a double: tests/test_cli_settle.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem import verify
from pbem.outgoing import outgoing
from pbem.protocol.log.logged import Logged
from pbem.protocol.papers.bodies import Audit
from pbem.protocol.rounds import in_turn
from pbem.protocol.rounds.own_secrets import Secrets
from tests.attack_kit import works_only_without
from tests.cli import Desk
from tests.homes import Party, party

HEX = "11" * 32


def asked(game: Party, fits: Callable[[Any], bool]) -> str:
    """Play at random until a seat owes something of this kind; what it owes is left to it."""
    for _ in range(400):
        for seat, table in game.tables.items():
            raws = [raw for other, t in game.tables.items() if other != seat for raw in outgoing(t, seat)]
            table.receive(raws, answer=False)
        owed = {seat: found for seat, t in game.tables.items() if (found := t.due()) is not None}
        for seat, found in owed.items():
            if fits(found):
                return seat
        answering = [seat for seat, found in owed.items() if found.kind == "answers"]
        if answering:
            game.tables[answering[0]].receive([])
        else:
            game.decide()
    raise AssertionError("it never came to that")


def judged(game: Party, desk: Desk, monkeypatch: pytest.MonkeyPatch, seat: str, cause: str) -> None:
    """A stranger who looks at the other seat's folder is told the entry, its author and the cause."""
    other = next(table for one, table in game.tables.items() if one != seat)
    other.receive(outgoing(game.tables[seat], str(other.seat)))
    log = [(number, other.ledger.entry(number)) for number in range(1, other.ledger.state.number + 1)]
    at = max(number for number, entry in log if entry.seat == seat)
    folder = str(other.folder)

    def passes() -> bool:
        return desk.run("zoe", "verify", folder).code == 0

    works_only_without(monkeypatch, passes, (verify, "_breach", lambda replay: []))
    bad = desk.run("zoe", "verify", folder)
    assert bad.code == 1 and "in order: " not in bad.out
    assert bad.err.startswith(f"pbem: error: not in order: entry {at} of {seat}: "), bad.err
    assert cause in bad.err
    shown = desk.run("zoe", "verify", folder, "--json")
    assert shown.code == 1 and not shown.json["ok"]
    assert (shown.json["problem"]["entry"], shown.json["problem"]["seat"]) == (at, seat)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Party:
    found = party(tmp_path, monkeypatch, scenario="long")
    found.rng = random.Random(3)
    return found


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch)


def made_up_link(game: Party) -> str:
    """Whoever is asked decides with a link that does not follow from its last one."""
    seat = asked(game, lambda owed: owed.kind == "orders")
    table = game.tables[seat]
    owed = table.due()
    assert owed is not None and owed.options is not None and table.secrets is not None
    move = owed.options.sample(game.rng, table.secrets.view(owed.options))
    table.play("orders", lambda own: replace(own.orders_of(move), link=HEX), game.keys[seat])
    return seat


def test_a_wrong_link_is_named_where_it_stands(
    game: Party, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged(game, desk, monkeypatch, made_up_link(game), "link does not follow")


@pytest.mark.parametrize("false", ["nonce", "value"])
def test_a_false_opening_is_named_where_it_stands(
    game: Party, desk: Desk, monkeypatch: pytest.MonkeyPatch, false: str
) -> None:
    """A chit was drawn from the cup; its owner's machine opens it as something else, or without proof."""
    seat = asked(game, lambda owed: owed.opens and owed.opens[0].startswith("s"))
    answer = Secrets.answer
    with monkeypatch.context() as patch:

        def lies(own: Secrets, owed: Any) -> Any:
            honest = answer(own, owed)
            opening = honest.opens[0]
            told = {"nonce": HEX, "value": "rest" if opening.value == "act" else "act"}[false]
            return replace(honest, opens=(replace(opening, **{false: told}),))

        patch.setattr(Secrets, "answer", lies)
        game.tables[seat].receive([])
    judged(game, desk, monkeypatch, seat, "does not fit its commitment")


def test_a_wrong_secret_is_named_at_the_entry_that_publishes_it(
    tmp_path: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = party(tmp_path, monkeypatch)
    asked(game, lambda owed: owed.kind == "audit")
    game.exchange()
    with monkeypatch.context() as patch:
        patch.setattr(Secrets, "audit", lambda own: Audit(HEX))
        game.tables["b"].publish()
    game.tables["a"].receive(outgoing(game.tables["b"], "a"))
    game.tables["a"].publish()
    judged(game, desk, monkeypatch, "b", "the published secret is not the one that was committed to")


# --- everybody at the table has a changed program: the files of the folder fit their story, not the entries


def collude(game: Party, monkeypatch: pytest.MonkeyPatch) -> tuple[str, int]:
    """All programs take any link, and play on after a made-up one: whose it was, and its number."""
    with monkeypatch.context() as patch:
        patch.setattr(in_turn, "follows", lambda *_: True)
        seat = made_up_link(game)
        game.exchange()
        at = next(n for n in range(1, 99) if HEX in game.tables[seat].ledger.entry(n).raw.decode())
        for _ in range(4):
            game.decide()
            game.exchange()
    assert game.tables[seat].ledger.state.number > at + 4
    return seat, at


def test_a_breach_that_all_programs_overlook_is_named_with_its_author(
    game: Party, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, at = collude(game, monkeypatch)
    for table in game.tables.values():
        bad = desk.run("zoe", "verify", str(table.folder))
        cause = "the link does not follow from the last one"
        assert bad.code == 1 and f"error: not in order: entry {at} of {seat}: {cause}; besides: " in bad.err
        assert f"entry {at}: log/0001/{at:06d}.toml is not what the entries lead to" in bad.err
        shown = desk.run("zoe", "verify", str(table.folder), "--json").json
        assert shown["problem"] == {"entry": at, "seat": seat, "cause": cause}
        assert at + 1 in [one["entry"] for one in shown["besides"]], "what was built on it does not count"


def test_a_false_log_before_it_does_not_hide_the_author_of_a_breach(
    game: Party, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first wrong entry comes first; who broke the protocol is named all the same."""
    text = Logged.text
    with monkeypatch.context() as patch:
        patch.setattr(Logged, "text", lambda one: text(replace(one, events=())))
        seat, at = collude(game, monkeypatch)
    bad = desk.run("zoe", "verify", str(game.tables[seat].folder), "--json")
    assert bad.code == 1
    problem, breach = bad.json["problem"], bad.json["besides"][0]
    assert problem["entry"] < at and problem["cause"].startswith("log/") and not problem["seat"]
    assert (breach["entry"], breach["seat"]) == (at, seat)
