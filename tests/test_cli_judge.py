"""Judging at the command line: a good game is found good, the first bad entry is named, luck is measured."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import dispute
from pbem.cli import dispute as disputing
from pbem.errors import TransportError
from pbem.home import Home
from pbem.luck import chi_square, tail
from pbem.transport.git import push_main, push_outbox
from tests.attack_kit import works_only_without
from tests.cli import Desk, table_of
from tests.homes import party
from tests.tiny import TINY


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A whole game of ann and ben, audited by both."""
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("over")
    game = party(folder, patch)
    game.play_out()
    desk = Desk(folder, patch)
    for seat, who in (("a", "ann"), ("b", "ben")):
        (folder / f"home-{seat}").rename(folder / who)
        Home(folder / who).add_game("tiny", folder / f"game-{seat}")
    yield desk
    patch.undo()


def folder_of(desk: Desk, seat: str = "a") -> Path:
    return desk.folder / f"game-{seat}"


def test_a_stranger_verifies_a_whole_game(over: Desk) -> None:
    found = over.ok("zoe", "verify", str(folder_of(over)), "--json").json
    fields = {"ok", "entries", "fingerprint", "outcome", "audited", "gaps", "problem", "besides", "hint"}
    fields |= {"attached", "result"}
    assert set(found) == fields and found["outcome"] and found["hint"] is None
    assert found["ok"] and found["problem"] is None and found["audited"] == {"a": True, "b": True}
    assert found["fingerprint"] == over.ok("ben", "status", "--json").json["fingerprint"]
    text = over.ok("zoe", "verify", str(folder_of(over, "b"))).out
    assert f"in order: {found['entries']} entries" in text and "everything hidden of a, b was lawful" in text


def test_four_commands_give_the_result_of_a_game_to_machines(over: Desk) -> None:
    """Players, seats, winners, level, score, scenario, version and dates: for a ladder or a data set."""
    found = over.ok("zoe", "verify", str(folder_of(over)), "--json").json["result"]
    assert found["seats"] == ["a", "b"] and set(found["players"]) == {"a", "b"}
    assert (found["game"], found["scenario"], found["version"]) == ("tiny", "short", TINY.version)
    assert found["over"] and set(found["winners"]) <= {"a", "b"} and found["ending"]["event"]
    assert found["begun"] <= found["last"] and {one["seat"] for one in found["score"]} <= {"a", "b", ""}
    assert over.ok("ann", "log", "--json").json["result"] == found
    assert over.ok("ann", "games", "--json").json[0]["result"] == found
    assert over.ok("ann", "dispute", "--out", "whole.zip", "--json").json["result"] == found


def test_one_changed_byte_is_named(over: Desk, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder_of(over), copy)
    move = sorted(copy.glob("moves/*/*-a.toml"))[2]
    move.write_text(move.read_text().replace("T", "t", 1))
    bad = over.run("zoe", "verify", str(copy))
    assert bad.code == 1 and move.name in bad.err
    shown = over.run("zoe", "verify", str(copy), "--json")
    assert shown.code == 1 and not shown.json["ok"]
    assert set(shown.json["problem"]) == {"entry", "seat", "cause"}
    assert shown.json["hint"] in bad.err


def test_what_is_no_game_is_refused_in_words(over: Desk, tmp_path: Path) -> None:
    refused = over.run("zoe", "verify", str(tmp_path))
    assert refused.code == 1 and "Traceback" not in refused.both
    assert over.run("zoe", "verify", str(tmp_path / "nowhere")).code == 2


def test_the_audit_shows_every_die_with_its_seed_and_the_luck_of_each(over: Desk) -> None:
    found = over.ok("ann", "audit", "--json").json
    log = tomllib.loads(over.ok("ann", "log").out)
    requests = [e for entry in log["entry"] for e in entry.get("events", []) if "request" in e]
    assert len(found["chance"]) == len(requests) > 0
    from pbem.protocol.crypto.chance import integers

    for one in found["chance"]:
        assert list(integers(bytes.fromhex(one["seed"]), one["request"], one["bounds"])) == one["values"]
    dice = [e["dice"] for entry in log["entry"] for e in entry.get("events", []) if "dice" in e]
    total = next((one for one in found["luck"] if one["seat"] == "all"), None)
    assert (total["dice"] if total else 0) == sum(map(len, dice))
    assert found["hidden"], "cards and chits that were hidden are listed"
    bare = over.ok("ann", "audit", "--no-publish", "--json").json
    assert bare == found, "there is nothing left to publish"
    text = over.ok("ann", "audit").out
    assert "event.request" in text and "what was hidden" in text


def test_chi_square_is_the_usual_one() -> None:
    """Against the printed table: 5 degrees of freedom, 11.070 and 15.086; 1 degree, 3.841."""
    assert tail(11.0705, 5) == pytest.approx(0.05, abs=1e-5)
    assert tail(15.0863, 5) == pytest.approx(0.01, abs=1e-5)
    assert tail(3.8415, 1) == pytest.approx(0.05, abs=1e-5)
    assert tail(0.5, 9) == pytest.approx(0.99997, abs=1e-4)
    assert tail(0, 5) == 1.0 and 0 < tail(500, 5) < 1e-100
    assert chi_square([10, 10, 10, 10, 10, 10]) == 0
    assert chi_square([5, 8, 9, 8, 10, 20]) == pytest.approx(13.4)


# --- a git host


def test_a_host_refuses_what_does_not_verify(
    over: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`pbem verify --incoming` as the pre-receive hook of a bare repository."""
    bare = tmp_path / "host.git"
    subprocess.run(["git", "init", "-q", "--bare", "--initial-branch=main", str(bare)], check=True)
    hook = bare / "hooks" / "pre-receive"
    hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pbem verify --incoming\n')
    hook.chmod(0o755)
    table = table_of(over, "ann")
    push_main(table.repo, str(bare))
    entries = [e for e in table.entries(range(1, 8)) if e.seat == "a"]
    assert push_outbox(table.repo, str(bare), "a", [e.raw for e in entries[:2]]) == 2
    other = entries[2].raw.replace(b'kind = "', b'seen = []\nkind = "')
    with pytest.raises(TransportError):
        push_outbox(table.repo, str(bare), "a", [other])
    assert push_outbox(table.repo, str(bare), "a", [entries[2].raw]) == 1


# --- log, show, replay


def test_the_log_is_one_document(over: Desk) -> None:
    log = tomllib.loads(over.ok("ann", "log").out)
    assert [one["number"] for one in log["entry"]] == list(range(len(log["entry"])))
    assert log["fingerprint"] == over.ok("ann", "status", "--json").json["fingerprint"]
    later = tomllib.loads(over.ok("ann", "log", "--from", "3").out)
    assert later["entry"][0]["number"] == 3
    assert over.run("ann", "log", "--from", "99999").code == 2


def test_an_entry_is_shown_as_signed_and_as_it_was_understood(over: Desk) -> None:
    raw = over.ok("ann", "show", "5", "--raw").out
    assert raw == next(folder_of(over).glob("moves/*/000005-*.toml")).read_text()
    shown = over.ok("ann", "show", "5", "--json").json
    assert shown["number"] == 5 and "position" in shown
    assert "entry 5: " in over.ok("ann", "show", "5").out
    assert "entry 0: the beginning" in over.ok("ann", "show", "0", "--no-board").out
    assert over.run("ann", "show", "0", "--raw").code == 2


def test_replay_walks_through_every_entry(over: Desk) -> None:
    last = over.ok("ann", "status", "--json").json["entries"]
    walked = over.ok("ann", "replay", "--no-board").out
    assert f"-- {last} of {last}" in walked
    assert "turn 1 of 2" in over.ok("ann", "replay", "--from", "5").out


# --- disputes


def test_anybody_judges_a_dispute_file(over: Desk) -> None:
    made = over.ok("ann", "dispute", "--out", "dispute.zip").out
    judged = over.ok("zoe", "dispute", "dispute.zip").out
    assert judged.splitlines()[:4] == made.splitlines()[:4]
    found = over.ok("zoe", "dispute", "dispute.zip", "--json").json
    assert found["fingerprint"] == over.ok("ben", "status", "--json").json["fingerprint"]
    first = (over.folder / "dispute.zip").read_bytes()
    over.ok("ann", "dispute", "--out", "dispute.zip", "--json")
    assert (over.folder / "dispute.zip").read_bytes() == first


def rewritten(raw: bytes, change: dict[str, bytes | None], extra: dict[str, bytes] | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = change.get(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
        for name, data in (extra or {}).items():
            new.writestr(name, data)
    return out.getvalue()


def test_forged_words_in_a_dispute_file_are_mentioned(over: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    over.ok("ann", "dispute", "--out", "dispute.zip")
    assert "says something else" not in over.ok("zoe", "dispute", "dispute.zip").out
    files = dispute.read_file(over.folder / "dispute.zip")
    words = files.pop(dispute.VERDICT).decode()
    (over.folder / "forged.zip").write_bytes(dispute.make(files, words.replace("in order", "not in order")))

    def passes() -> bool:
        return "verdict.txt in the file says something" not in over.ok("zoe", "dispute", "forged.zip").out

    works_only_without(monkeypatch, passes, (disputing, "_differ", lambda told, words: False))
    assert over.ok("zoe", "dispute", "forged.zip", "--json").json["words_differ"] is True


def test_a_forged_dispute_file_names_the_entry(over: Desk) -> None:
    over.ok("ann", "dispute", "--out", "dispute.zip")
    raw = (over.folder / "dispute.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        name = sorted(n for n in archive.namelist() if n.startswith("moves/"))[3]
        entry = archive.read(name)
    changed = re.sub(rb'pos = "[0-9a-f]{4}', b'pos = "0000', entry)
    (over.folder / "forged.zip").write_bytes(rewritten(raw, {name: changed}))
    refused = over.run("zoe", "dispute", "forged.zip")
    assert refused.code == 1 and "not in order: entry 4" in refused.out and "signature" in refused.out
    (over.folder / "forged.zip").write_bytes(rewritten(raw, {name: None}))
    assert "a move is missing" in over.run("zoe", "dispute", "forged.zip").out
    (over.folder / "forged.zip").write_bytes(rewritten(raw, {}, {"waiting/0001.toml": entry[:-9]}))
    assert (
        "waiting, not part of the log: an entry that is refused"
        in over.ok("zoe", "dispute", "forged.zip").out
    )


@pytest.mark.parametrize(
    "content",
    [
        {"../evil.toml": b"x"},
        {"game.toml": b"0" * ((1 << 20) + 1)},
        {"moves/0001/000001-a.toml": b"", "hooks/post-checkout": b"#!/bin/sh"},
        {},
    ],
    ids=["a path outside", "a bomb", "a hook", "empty"],
)
def test_a_hostile_dispute_file_is_refused(over: Desk, content: dict[str, bytes]) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    (over.folder / "hostile.zip").write_bytes(out.getvalue())
    refused = over.run("zoe", "dispute", "hostile.zip")
    assert refused.code == 1 and "pbem: error: " in refused.err and "fault" not in refused.err
    (over.folder / "hostile.zip").write_bytes(b"not a zip")
    assert "no dispute file" in over.run("zoe", "dispute", "hostile.zip").err
