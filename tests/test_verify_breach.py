"""What a breach looks like to a stranger: not in order, at the entry that is the breach, by its author."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.outgoing import outgoing
from pbem.protocol.papers.bodies import Audit
from pbem.verify import verify_folder
from tests.homes import Party, party


def asked(game: Party) -> str:
    game.exchange()
    return next(s for s, t in game.tables.items() if (owed := t.due()) is not None and owed.lane == "decide")


def test_a_wrong_link_is_not_in_order_and_named_where_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = party(tmp_path, monkeypatch, scenario="long")
    game.rng = random.Random(3)
    for _ in range(40):
        seat = asked(game)
        owed = game.tables[seat].due()
        if owed is not None and owed.kind == "orders":
            break
        game.decide()
    table = game.tables[seat]
    assert owed is not None and owed.options is not None
    move = owed.options.sample(game.rng, table.secrets.view(owed.options))  # type: ignore[union-attr]
    table.play("orders", lambda own: replace(own.orders_of(move), link="11" * 32), game.keys[seat])
    verdict = verify_folder(table.folder, table.home)
    assert not verdict.ok and verdict.problem is not None
    assert (verdict.problem.seat, verdict.problem.entry) == (seat, table.ledger.state.number)
    assert "link does not follow" in verdict.problem.cause


def test_a_wrong_secret_is_named_at_the_entry_that_publishes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = party(tmp_path, monkeypatch)
    game.rng = random.Random(4)
    game.exchange()
    while not any(d.kind == "audit" for d in game.tables["a"].ledger.due().values()):
        game.decide()
        game.exchange()
    table = game.tables["b"]
    assert table.secrets is not None and {d.kind for d in table.ledger.due().values()} == {"audit"}
    monkeypatch.setattr(type(table.secrets), "audit", lambda own: Audit("22" * 32))
    table.publish()
    monkeypatch.undo()
    game.tables["a"].receive(outgoing(table, "a"))
    game.tables["a"].publish()
    verdict = verify_folder(game.tables["a"].folder, game.homes["a"])
    logged = game.tables["a"].ledger
    number = next(
        n
        for n in range(1, logged.state.number + 1)
        if logged.entry(n).head.kind == "audit" and logged.entry(n).seat == "b"
    )
    assert not verdict.ok and verdict.problem is not None
    assert (verdict.problem.seat, verdict.problem.entry) == ("b", number)
