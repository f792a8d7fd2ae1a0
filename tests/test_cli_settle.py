"""After a breach: the verdict names its author, an outsider sees it, and the others may still go on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.table import Table
from tests.cli import PLAYER, Desk, begin, exchange, table_of, until_somebody_acts


@pytest.fixture
def doubled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Desk, str, str]:
    """Who is to act signs two different orders, in two homes that are both said to be the only one."""
    desk = Desk(tmp_path, monkeypatch)
    begin(desk)
    who = until_somebody_acts(desk)
    other = {"ann": "ben", "ben": "ann"}[who]
    shutil.copytree(table_of(desk, who).folder, desk.folder / "second")
    shutil.copytree(desk.folder / who, desk.folder / "twin")
    desk.ok("twin", "join", "second", "--yes")
    target = desk.ok(other, "status", "--json").json["seat"]
    desk.ok(who, "play", "-m", "done", "--out", "one.pbem", "--yes")
    desk.ok("twin", "play", "-m", f"hit {target}", "--out", "two.pbem", "--yes")
    desk.ok(other, "receive", "one.pbem")
    desk.ok(other, "receive", "two.pbem")
    return desk, who, other


def test_a_double_ends_the_game_and_anybody_can_see_whose_it_is(doubled: tuple[Desk, str, str]) -> None:
    desk, who, other = doubled
    seat = desk.ok(who, "status", "--json").json["seat"]
    shown = desk.ok(other, "status").out
    assert f"verdict against {seat}: signed two different decisions" in shown
    assert "`pbem dispute --settle` agrees to go on" in shown
    desk.ok(other, "dispute", "--out", "dispute.zip")
    judged = desk.ok("zoe", "dispute", "dispute.zip").out
    assert f"outcome: {seat}: signed two different decisions" in judged


def test_the_others_choose_the_half_that_counts_and_the_game_goes_on(doubled: tuple[Desk, str, str]) -> None:
    desk, who, other = doubled
    before = desk.ok(other, "status", "--json").json
    refused = desk.run(other, "dispute", "--settle", "--yes")
    assert refused.code == 2 and "which of the two entries shall count?" in refused.err
    first = refused.err.split("--counts ")[1].split()[0]
    asked = desk.run(other, "dispute", "--settle", "--counts", first, typed="n\n")
    assert asked.code == 2 and f"{first} counts" in asked.out
    told = desk.ok(other, "dispute", "--settle", "--counts", first, "--yes").out
    after = desk.ok(other, "status", "--json").json
    assert after["outcome"] is None and after["fingerprint"] != before["fingerprint"], told
    folder = table_of(desk, other).folder
    assert desk.ok("zoe", "verify", str(folder), "--json").json["ok"]
    exchange(desk)
    prints = {desk.ok(player, "status", "--json").json["fingerprint"] for player in (who, other)}
    assert len(prints) == 1
    while (asked_of := desk.ok("ann", "status", "--json").json["asked"]) and asked_of[0]["kind"] != "audit":
        for one in asked_of:
            player = PLAYER[one["seat"]]
            desk.ok(player, "play", "-m", desk.ok(player, "legal", "--json").json["orders"][0], "--yes")
        exchange(desk)
    assert desk.ok("zoe", "verify", str(folder), "--json").json["ok"]
    assert Table.open(folder, None).ledger.state.verdict is None


def test_without_a_breach_there_is_nothing_to_settle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, monkeypatch)
    begin(desk)
    assert desk.run("ann", "dispute", "--settle", "--yes").code == 4
    assert desk.run("ann", "dispute", "--complain", "--yes").code == 4
