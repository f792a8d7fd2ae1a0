"""Orders at the command line: what is legal, what is refused and why, what is signed, what comes back."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import PLAYER, Desk, begin, exchange, table_of, until_somebody_acts


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, Desk, str]]:
    """A game just begun, the same game where somebody acts, and who that is."""
    patch = pytest.MonkeyPatch()
    fresh = Desk(tmp_path_factory.mktemp("fresh"), patch)
    begin(fresh, "tiny", "--scenario", "long")
    acting = fresh.copy(tmp_path_factory.mktemp("acting"), patch)
    yield fresh, acting, until_somebody_acts(acting)
    patch.undo()


@pytest.fixture
def desk(games: tuple[Desk, Desk, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return games[0].copy(tmp_path, monkeypatch)


@pytest.fixture
def acting(games: tuple[Desk, Desk, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return games[1].copy(tmp_path, monkeypatch)


@pytest.fixture
def who(games: tuple[Desk, Desk, str]) -> str:
    """Who acts."""
    return games[2]


@pytest.fixture
def target(who: str) -> str:
    """The seat of the other one."""
    return {"ann": "b", "ben": "a"}[who]


def test_status_says_what_is_asked_and_is_the_same_for_both(desk: Desk) -> None:
    ann, ben = (desk.ok(who, "status", "--json").json for who in ("ann", "ben"))
    assert ann["fingerprint"] == ben["fingerprint"] and len(ann["fingerprint"]) == 40
    assert (ann["seat"], ben["seat"], ann["game"], ann["rule"]) == ("a", "b", "tiny", "2.1")
    assert {one["seat"] for one in ann["asked"]} == {"a", "b"}
    text = desk.ok("ann", "status").out
    assert "turn 1 of 6 (rule 2.1)" in text and "asked of you: in secret: two chits for the cup" in text
    assert "you see:" in text, "the own hand is shown to its owner"


def test_legal_lists_orders_and_a_pattern_picks(desk: Desk) -> None:
    found = desk.ok("ann", "legal", "--json").json
    assert found["orders"] == ["put act act", "put act rest", "put rest act", "put rest rest"]
    assert (found["kind"], found["rule"], found["complete"]) == ("chits", "2.1", True)
    assert desk.ok("ann", "legal", "put rest*").out.splitlines()[1:] == ["put rest act", "put rest rest"]
    assert "put act rest" in desk.ok("ann", "legal", "act rest").out


def test_the_board_shows_my_hand_and_not_theirs(desk: Desk) -> None:
    board = desk.ok("ann", "board").out
    mine, theirs = (line for line in board.splitlines() if ", hand (" in line)
    assert "face down" not in mine and "2 face down" in theirs
    assert desk.ok("ann", "board", "--hex", "b").out.startswith("b: 0 points")
    assert "turn 0" in desk.ok("ann", "board", "--entry", "0").out


def test_check_names_line_column_rule_and_what_was_meant(acting: Desk, who: str, target: str) -> None:
    (acting.folder / "orders.txt").write_text(f"# a plan\nhti {target}\n? swear\n  hit nobody\nhit x\n")
    before = acting.ok(who, "status", "--json").json["fingerprint"]
    found = acting.run(who, "check", "orders.txt", "--json")
    assert found.code == 3
    findings = found.json["findings"]
    assert [(one["line"], one["column"]) for one in findings] == [(2, 1), (5, 1)]
    assert findings[0]["hint"].startswith("did you mean hit")
    assert (findings[1]["rule"], findings[1]["reason"]) == ("5.1", "x is no enemy")
    text = acting.run(who, "check", "orders.txt")
    assert text.code == 3 and "orders.txt:5:1: hit x: x is no enemy (rule 5.1)" in text.err
    assert acting.ok(who, "status", "--json").json["fingerprint"] == before


def test_check_goes_as_far_as_can_be_foreseen(acting: Desk, who: str, target: str) -> None:
    found = acting.ok(who, "check", "-m", f"hit {target}", "-m", "done", "--json").json
    assert found["legal"] == [f"hit {target}"] and found["later"] == ["done"]
    assert found["stops_at"] == "chance decides first"
    late = acting.run(who, "check", "-m", f"hit {target}", "-m", "doen", "--json")
    assert late.code == 3 and late.json["findings"][0]["hint"] == "did you mean done?"
    for oath in ("swear", f"hit {target}\n    swear"):
        ahead = acting.run(who, "check", "-m", f"hit {target}", "-m", oath)
        assert ahead.code == 3 and "only the audit can check this" in ahead.err
    answer = acting.run(who, "check", "-m", f"hit {target}\n    boats 1", "--json").json["findings"][0]
    assert (answer["line"], answer["column"], answer["hint"]) == (2, 5, "did you mean boast?")


def test_an_illegal_order_is_not_signed(acting: Desk, who: str) -> None:
    before = sorted((acting.folder / who / "signed").rglob("*"))
    refused = acting.run(who, "play", "-m", "hit x", "--yes")
    assert refused.code == 3 and "x is no enemy (rule 5.1)" in refused.err
    assert sorted((acting.folder / who / "signed").rglob("*")) == before


def test_play_shows_what_is_sealed_and_asks_once(acting: Desk, who: str, target: str) -> None:
    (acting.folder / "move.txt").write_text(f"hit {target}\n    boast 1\ndone\n")
    no = acting.run(who, "play", "move.txt", typed="n\n")
    assert no.code == 2 and "nothing was done" in no.err
    assert "  open:   hit" in no.out and "      boast 1" in no.out and "  sealed: done" in no.out
    piped = acting.run(who, "play", "move.txt")
    assert piped.code == 2 and "--yes" in piped.err
    done = acting.ok(who, "play", "move.txt", "--json", "--yes")
    assert done.json["files"] and Path(done.json["files"][0]).exists()
    assert acting.run(who, "play", "move.txt", "--yes").code == 4


def test_what_is_played_is_no_draft_any_more(acting: Desk, who: str, target: str) -> None:
    from pbem.drafts import read_draft, write_draft

    table = table_of(acting, who)
    write_draft(table, f"hit {target}  # the first\n  lose face\ndone\n")
    acting.ok(who, "play", "-m", f"hit {target}\n  lose face", "--yes")
    assert read_draft(table) == "done\n", "of a draft that was begun, the rest stays"


def test_what_a_list_gives_back_becomes_the_draft(acting: Desk, who: str, target: str) -> None:
    """`fetch` is never asked after a hit, so the sealed rest of the list comes back as it was written."""
    acting.ok(who, "play", "-m", f"hit {target}", "-m", "fetch nothing", "-m", "done", "--yes")
    exchange(acting)
    asked = acting.ok("ann", "status", "--json").json["asked"]
    if asked[0]["seat"] == target:  # the blow hurt
        acting.ok(PLAYER[target], "play", "-m", "lose face", "--yes")
        exchange(acting)
    assert acting.ok(who, "orders").out.endswith("# your draft:\nfetch nothing\ndone\n")
    (draft,) = (acting.folder / who / "tables").glob("draft-*.txt")
    assert draft.stat().st_mode & 0o777 == 0o600
    log = tomllib.loads(acting.ok(who, "log").out)
    assert any("returned" in event for entry in log["entry"] for event in entry.get("events", []))
    acting.ok(who, "play", "-m", acting.ok(who, "legal", "--json").json["orders"][0], "--yes")
    assert draft.read_text() == "fetch nothing\ndone\n", "a question in between does not cost the plan"


def test_the_order_file_can_be_played_as_it_is_once_a_line_is_uncommented(desk: Desk) -> None:
    desk.ok("ann", "orders", "--out", "move.txt")
    text = (desk.folder / "move.txt").read_text()
    assert "# asked: two chits for the cup (rule 2.1)" in text and "#   put act act" in text
    empty = desk.run("ann", "play", "move.txt", "--yes")
    assert empty.code == 2 and "no order in the list" in empty.err
    (desk.folder / "move.txt").write_text(text.replace("#   put act act", "put act act"))
    assert "sealed: put act act" in desk.ok("ann", "play", "move.txt", "--yes").out


def test_orders_edit_checks_and_plays(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    script = desk.folder / "editor.sh"
    script.write_text('#!/bin/sh\necho "put rest rest" >> "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    monkeypatch.setenv("VISUAL", str(script))
    done = desk.ok("ann", "orders", "--edit", typed="y\n")
    assert "sealed: put rest rest" in done.out


def test_odds_are_told_for_an_attack_only(desk: Desk) -> None:
    assert desk.ok("ann", "odds", "hit", "b").out == "hurts with 3 to 6: 67 %\n"
    assert desk.run("ann", "odds", "done").code == 2
    assert "did you mean hit?" in desk.run("ann", "odds", "hti", "b").err


def test_a_standing_order_answers_for_its_owner(acting: Desk, who: str, target: str) -> None:
    victim = PLAYER[target]
    assert acting.run(victim, "standing", "loss", "loze face", "--yes").code == 3
    assert acting.run(victim, "standing", "loss", "--yes").code == 2
    oath = acting.run(victim, "standing", "deed", "swear", "--yes")
    assert oath.code == 3 and "this: it cannot be said before it is asked" in oath.err
    assert "no standing orders" in acting.ok(victim, "standing").out
    assert acting.run(victim, "standing", "loss", "loze face unless lose stone", "--yes").code == 3
    acting.ok(victim, "standing", "loss", "resign if lose gold", "lose face", "--yes")
    exchange(acting)
    while 'event = "StandingUsed"' not in acting.ok("ann", "log").out:
        for one in acting.ok("ann", "status", "--json").json["asked"]:
            player = PLAYER[one["seat"]]
            legal = acting.ok(player, "legal", "--json").json["orders"]
            assert not legal[0].startswith("lose") or player == who, "the victim was asked all the same"
            acting.ok(player, "play", "-m", legal[0], "--yes")
        exchange(acting)
    assert f"{target}: loss: resign if lose gold; lose face" in acting.ok(who, "standing").out
    acting.ok(victim, "standing", "loss", "--revoke", "--yes")


def test_a_sealed_standing_order_is_read_by_nobody(acting: Desk, who: str, target: str) -> None:
    acting.ok(PLAYER[target], "standing", "loss", "lose face", "--sealed", "--yes")
    exchange(acting)
    acting.ok(who, "play", "-m", "done", "--yes")
    exchange(acting)
    assert f"{target}: loss: sealed" in acting.ok(who, "standing").out
    folder = next(iter((acting.folder / "ann-games").iterdir()))
    assert not any("lose face" in f.read_text() for f in folder.rglob("*.toml"))


def test_what_nobody_could_read_is_not_signed(acting: Desk, who: str) -> None:
    """The number would be used up by it for good, and no later decision could ever be signed."""
    family = "\U0001f469\u200d\U0001f467"  # the letter between the two has no form of its own
    refused = acting.run(who, "say", "--now", family)
    assert refused.code == 2 and "nobody could read this, so nothing was signed" in refused.both
    orders = acting.folder / "orders.txt"
    for more in (f"? swear {family}\n", "? swear\n" * 1100, f"? swear {'x' * 5000}\n"):
        orders.write_text(f"done\n{more}", "utf-8")
        assert acting.run(who, "play", str(orders), "--yes").code != 0
    acting.ok(who, "play", "-m", "done", "--yes")
