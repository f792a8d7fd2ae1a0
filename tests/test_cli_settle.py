"""After a breach: the verdict names its author, an outsider sees it, and the others may still go on.

Two halves of a double that two others have built on end a game; of one half that was answered, it heals.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem import verify
from pbem.home import Home
from pbem.lobby import play_in
from pbem.outgoing import outgoing
from pbem.protocol.papers.entry import read
from pbem.table import Table
from tests.attack_kit import works_only_without
from tests.cli import Desk, begin
from tests.homes import Party, party


@pytest.fixture
def doubled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Party, Desk, str]:
    """Who is to act signs two different orders in two homes; each of the others has answered another one."""
    game = party(tmp_path, monkeypatch, 3)
    game.exchange()
    while True:
        who = next(seat for seat, table in game.tables.items() if table.due() is not None)
        owed = game.tables[who].due()
        if (
            owed is not None
            and owed.kind == "orders"
            and owed.options is not None
            and owed.options.kind == "deed"
        ):
            break
        game.decide()
        game.exchange()
    twin = _twin(game, tmp_path, who)
    one, other = (seat for seat in game.tables if seat != who)
    first, _ = game.tables[who].orders(f"hit {one}", game.keys[who])
    second, _ = twin.orders(f"hit {other}", game.keys[who])
    game.tables[one].receive([first])
    game.tables[other].receive([second])
    for seat, taker in ((one, other), (other, one)) * 2:
        game.tables[taker].receive(outgoing(game.tables[seat], taker))
    return game, Desk(tmp_path, monkeypatch), who


def _twin(game: Party, folder: Path, who: str) -> Table:
    """A copy of a player's home and folder whose owner said that it decides."""
    shutil.copytree(game.tables[who].folder, folder / "twin-game")
    shutil.copytree(game.homes[who].path, folder / "twin")
    home = Home(folder / "twin")
    table = Table.open(folder / "twin-game", home)
    play_in(home, table, table.ledger.state.seats[who].decided)
    return table


def test_a_double_that_others_built_on_ends_the_game_and_anybody_can_see_whose_it_is(
    doubled: tuple[Party, Desk, str],
) -> None:
    game, desk, who = doubled
    other = next(f"home-{seat}" for seat in game.tables if seat != who)
    shown = desk.ok(other, "status").out
    assert f"verdict against {who}: signed two different decisions" in shown
    found = [table.ledger.state.verdict for seat, table in game.tables.items() if seat != who]
    assert all(one is not None and one.culprit == who for one in found), "by what they send each other"
    logs = {table.fingerprint for seat, table in game.tables.items() if seat != who}
    assert len(logs) == 1, "whatever each of them had heard first"
    assert "`pbem dispute --settle` agrees to go on" in shown
    desk.ok(other, "dispute", "--out", "dispute.zip")
    judged = desk.run("zoe", "dispute", "dispute.zip").out
    assert f"{who}: signed two different decisions" in judged


def test_a_double_is_not_in_order_for_a_stranger(
    doubled: tuple[Party, Desk, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pbem verify` of each honest folder ends with 1, and names the half that ends the line, and whose."""
    game, desk, who = doubled
    for seat, table in game.tables.items():
        if seat == who:
            continue
        folder, verdict = str(table.folder), table.ledger.state.verdict
        assert verdict is not None

        def passes(folder: str = folder) -> bool:
            return desk.run("zoe", "verify", folder).code == 0

        works_only_without(monkeypatch, passes, (verify, "_is_breach", lambda verdict: False))
        bad = desk.run("zoe", "verify", folder)
        at = table.ledger.place(verdict.entry)
        assert bad.err.startswith(
            f"pbem: error: not in order: entry {at} of {who}: signed two different decisions"
        )
        assert "in order: " not in bad.out
        shown = desk.run("zoe", "verify", folder, "--json")
        assert shown.code == 1 and shown.json["problem"]["seat"] == who


def test_a_seat_is_offered_only_the_half_that_it_may_choose(doubled: tuple[Party, Desk, str]) -> None:
    """Its machine answered one of them: only that one can count for it."""
    game, desk, who = doubled
    for seat, table in game.tables.items():
        if seat == who:
            continue
        verdict = table.ledger.state.verdict
        assert verdict is not None
        halves = {verdict.first, verdict.entry}
        journal = game.homes[seat].journal(game.contract.game.hex())
        signed = [read(raw) for n in range(1, 60) if (raw := journal.signed("answer", n)) is not None]
        mine = {one for claim in signed for one in halves & {claim.head.head, *claim.head.seen}}
        assert len(mine) == 1, "it has answered one half, and one alone"
        (other,) = halves - mine
        refused = desk.run(f"home-{seat}", "dispute", "--settle", "--counts", other[:12], "--yes")
        assert (
            refused.code == 2
            and f"--counts {mine.pop()[:12]}" in refused.err
            and other[:12] not in refused.err
        )
        asked = desk.run(f"home-{seat}", "dispute", "--settle", typed="n\n")
        assert f" counts, and {other[:12]} does not" in asked.out, "there is nothing to choose for it"


def test_without_a_breach_there_is_nothing_to_settle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, monkeypatch)
    begin(desk)
    assert desk.run("ann", "dispute", "--settle", "--yes").code == 4
    assert desk.run("ann", "dispute", "--complain", "--yes").code == 4
