"""From key to contract at the command line: what is shown before anything is signed, and what is refused."""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.protocol.crypto.keys import SigningKey, dump_private
from pbem.transport.bundle import pack, unpack
from tests.cli import Desk, begin, exchange, table_of


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch)


def invite(desk: Desk, *options: str) -> None:
    for who in ("ann", "ben"):
        desk.ok(who, "key", "new")
    desk.ok("ann", "new", "tiny", *options, "--name", "Ann", "--out", "invitation.pbem", "--yes")


# --- keys


def test_a_key_is_made_once_and_only_its_owner_may_read_it(desk: Desk) -> None:
    made = desk.ok("ann", "key", "new")
    file = desk.folder / "ann" / "key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "PRIVATE" not in made.both and "PRIVATE" in file.read_text()
    again = desk.run("ann", "key", "new")
    assert again.code == 2 and "there is a key already" in again.err
    shown = desk.ok("ann", "key", "show", "--json").json
    listed = subprocess.run(["ssh-keygen", "-lf", f"{file}.pub"], capture_output=True, text=True, check=True)
    assert shown["fingerprint"] in listed.stdout and shown["public"].startswith("ssh-ed25519 ")
    assert shown["fingerprint"] in desk.ok("ann", "key", "show").out


def test_a_passphrase_is_asked_for_and_never_shown(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "a secret word")
    made = desk.ok("ann", "key", "new", "--passphrase")
    assert "a secret word" not in made.both
    assert desk.ok("ann", "new", "tiny", "--yes").code == 0
    monkeypatch.setenv("PBEM_PASSPHRASE", "another")
    wrong = desk.run("ann", "new", "tiny", "--yes")
    assert wrong.code == 2 and "the passphrase is wrong" in wrong.err and "another" not in wrong.err
    monkeypatch.delenv("PBEM_PASSPHRASE")
    assert "PBEM_PASSPHRASE" in desk.run("ann", "new", "tiny", "--yes").err


def test_an_ssh_key_can_be_used_and_others_are_refused_by_name(desk: Desk) -> None:
    own = desk.folder / "id_ed25519"
    own.write_bytes(dump_private(SigningKey.from_seed(bytes(range(32))), None))
    used = desk.ok("ann", "key", "use", str(own))
    assert SigningKey.from_seed(bytes(range(32))).fingerprint in used.out
    assert desk.ok("ann", "key", "show", "--json").json["file"] == str(own)
    assert desk.run("ann", "key", "new").code == 2
    rsa = desk.folder / "id_rsa"
    command = ["ssh-keygen", "-q", "-t", "rsa", "-b", "2048", "-N", "", "-m", "PEM", "-f", str(rsa)]
    subprocess.run(command, check=True)
    assert "RSA" in desk.run("ann", "key", "use", str(rsa)).err


def test_without_a_key_nothing_is_signed(desk: Desk) -> None:
    done = desk.run("ann", "new", "tiny", "--yes")
    assert done.code == 2 and "pbem key new" in done.err


# --- the terms


def test_both_see_all_terms_before_they_sign(desk: Desk) -> None:
    for who in ("ann", "ben"):
        desk.ok(who, "key", "new")
    options = ["--scenario", "long", "--option", "deck=shared", "--clock", "48", "--clock", "grace=24"]
    options += ["--clock", "absence=36"]
    new = desk.run("ann", "new", "tiny", *options, "--out", "i.pbem", typed="y\n")
    join = desk.run("ben", "join", "i.pbem", typed="n\n")
    for shown in (new.out, join.out):
        assert "rules version 1" in shown and "scenario:   long, Six turns" in shown
        assert "deck = shared (usually own)" in shown
        assert "2 days for a decision, 24 hours of grace, 14 days to publish" in shown
        assert "absence:    36 hours of announced absence each" in shown
        assert "data pack:  8950abfda7b72763" in shown
    assert join.code == 2 and "nothing was done" in join.err
    assert desk.ok("ann", "key", "show", "--json").json["fingerprint"] in join.out
    assert desk.ok("ben", "games").out.startswith("you have no games")


def test_a_contract_may_grant_no_absence(desk: Desk) -> None:
    desk.ok("ann", "key", "new")
    told = desk.ok("ann", "new", "tiny", "--clock", "absence=0", "--out", "i.pbem", "--yes").out
    assert "absence:    no announced absence" in told


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tinny"], "no game is called 'tinny'"),
        (["tiny", "--scenario", "shrt"], "did you mean short?"),
        (["tiny", "--seat", "z"], "the seats are a, b"),
        (["tiny", "--option", "deck=own,shared"], "did you mean"),
        (["tiny", "--option", "dek=own"], "did you mean deck?"),
        (["tiny", "--option", "deck"], "NAME=VALUE"),
        (["tiny", "--clock", "soon"], "is no number of hours"),
        (["tiny", "--clock", "graze=3"], "did you mean grace?"),
        (["tiny", "--clock", "grace=0"], "is no number of hours"),
        (["tiny", "--clock", "absence=-1"], "is no number of hours"),
        (["kawagoe", "--players", "3"], "kawagoe is for 2 players, not 3"),
        (["suikoden", "--scenario", "deck-building", "--players", "3"], "for 3: --scenario multiplayer"),
        (["tiny", "--name", "a\nb"], "your name does not fit"),
        (["tiny", "--comment", "x" * 100, "--out", "no/such/folder/i.pbem"], "cannot be written"),
    ],
)
def test_a_wrong_term_is_named(desk: Desk, arguments: list[str], says: str) -> None:
    desk.ok("ann", "key", "new")
    done = desk.run("ann", "new", *arguments, "--yes")
    assert done.code == 2 and says in done.err, done.err


def test_an_invitation_to_other_rules_or_data_is_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.tiny import TINY

    invite(desk)
    with monkeypatch.context() as patch:
        patch.setattr(type(TINY), "version", "2")
        refused = desk.run("ben", "join", "invitation.pbem", "--yes")
    assert refused.code == 1 and "needs tiny version 1, here is tiny 2" in refused.err
    papers = unpack((desk.folder / "invitation.pbem").read_bytes())
    other = papers[0].replace(b'data = "8950', b'data = "0000')
    (desk.folder / "other.pbem").write_bytes(pack([other]))
    refused = desk.run("ben", "join", "other.pbem", "--seat", "b", "--yes")
    assert refused.code == 1 and "needs the data pack 0000" in refused.err
    desk.ok("ben", "join", "invitation.pbem", "--yes")


# --- joining


def test_the_invitation_survives_mail(desk: Desk) -> None:
    from pbem.transport.bundle import armour

    invite(desk)
    text = armour((desk.folder / "invitation.pbem").read_bytes())
    quoted = "Hello Ben!\n" + "".join(f"> {line}\n" for line in text.splitlines()) + "Bye\n"
    (desk.folder / "mail.txt").write_text(quoted)
    desk.ok("ben", "join", "mail.txt", "--out", "answer.pbem", "--yes")
    desk.ok("ann", "receive", "answer.pbem")


def test_a_seat_is_taken_once(desk: Desk) -> None:
    invite(desk)
    desk.ok("ben", "join", "invitation.pbem", "--out", "answer.pbem", "--yes")
    assert "you already sit at b" in desk.run("ben", "join", "invitation.pbem", "--yes").err
    desk.ok("cat", "key", "new")
    assert "no seat is free" in desk.run("cat", "join", "answer.pbem", "--yes").err
    assert "no invitation" in desk.run("cat", "join", "ben/key.pub", "--yes").err
    said = desk.run("cat", "receive", "answer.pbem")
    assert said.code == 2 and "you have no seat" in said.err


def forge(desk: Desk, change: Callable[[bytes], bytes]) -> None:
    papers = unpack((desk.folder / "answer.pbem").read_bytes())
    (desk.folder / "forged.pbem").write_bytes(pack([change(raw) for raw in papers]))


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.replace(b'name = "Ben"', b'name = "Eve"'),
        lambda raw: re.sub(rb'tip = "[0-9a-f]{4}', b'tip = "0000', raw),
        lambda raw: raw.replace(b'table = "', b'table = "../../') if b"nonce" in raw else raw,
        lambda raw: raw.replace(b"move = 336", b"move = 1"),
    ],
    ids=["another name", "another tip", "a path for a table", "another clock"],
)
def test_changed_papers_are_refused_and_the_true_ones_still_count(
    desk: Desk, change: Callable[[bytes], bytes]
) -> None:
    invite(desk)
    desk.ok("ben", "join", "invitation.pbem", "--name", "Ben", "--out", "answer.pbem", "--yes")
    forge(desk, change)
    refused = desk.run("ann", "receive", "forged.pbem", "--into", "g")
    assert refused.code in (1, 2) and "pbem: error: " in refused.err, refused.both
    told = refused.out + desk.ok("ann", "receive", "answer.pbem", "--into", "g").out
    assert "everybody has signed" in told
    assert table_of(desk, "ann").contract.invite.clocks.move == 336
    assert not list(desk.folder.parent.glob("lobby*"))


def test_so_many_players_get_a_scenario_for_so_many(desk: Desk) -> None:
    desk.ok("ann", "key", "new")
    told = desk.ok("ann", "new", "suikoden", "--players", "3", "--out", "0.pbem", "--yes").out
    assert "multiplayer" in told and "west, free" in told


def test_three_players_hand_one_file_round(desk: Desk) -> None:
    for who in ("ann", "ben", "cat"):
        desk.ok(who, "key", "new")
    told = desk.ok("ann", "new", "tiny", "--players", "3", "--seat", "b", "--out", "0.pbem", "--yes")
    assert "hands the file that comes out to the next" in told.out
    assert "which seat" in desk.run("ben", "join", "0.pbem", "--yes").err
    desk.ok("ben", "join", "0.pbem", "--seat", "a", "--into", "bens", "--out", "1.pbem", "--yes")
    desk.ok("cat", "join", "1.pbem", "--into", "cats", "--out", "2.pbem", "--yes")
    said = desk.ok("ann", "receive", "2.pbem", "--into", "anns", "--out", "3.pbem")
    assert "still to sign: a" in said.out
    assert "to sign: a" in desk.ok("ann", "games").out
    begun = desk.ok("ben", "receive", "3.pbem", "--out", "4.pbem").out
    assert "everybody has signed" in begun
    for who, file in (("ann", "5.pbem"), ("cat", "6.pbem")):
        assert "everybody has signed" in desk.ok(who, "receive", "4.pbem", "--out", file).out
    prints = set()
    for _ in range(4):
        for who in ("ann", "ben", "cat"):
            files = [str(f.relative_to(desk.folder)) for f in desk.folder.glob("*/outbox/*/*.pbem")]
            desk.ok(who, "receive", "4.pbem", *files)
            desk.ok(who, "send")
    prints = {desk.ok(who, "status", "--json").json["fingerprint"] for who in ("ann", "ben", "cat")}
    assert len(prints) == 1


def test_the_key_alone_brings_a_player_back(desk: Desk) -> None:
    """From the papers, from a copy of the folder, and from a dispute file: the same seat, the same hand."""
    begin(desk)
    desk.ok("ann", "play", "-m", "put act act", "--yes")
    exchange(desk)
    folder = table_of(desk, "ann").folder
    shutil.copytree(folder, desk.folder / "copy")
    desk.ok("ben", "dispute", "--out", "dispute.zip")
    for number, file in enumerate(("first.pbem", "copy", "dispute.zip")):
        home = desk.folder / f"again-{number}"
        home.mkdir()
        shutil.copy(desk.folder / "ann" / "key", home / "key")
        told = desk.ok(home.name, "join", file, "--into", f"rebuilt-{number}", "--yes").out
        if number == 0:
            assert "your key has the seat a already" in told
            desk.ok(home.name, "receive", file, "--into", "rebuilt-0")
        else:
            assert "you are a again" in told and "never sent is not known here" in told
        assert desk.ok(home.name, "status", "--json").json["seat"] == "a"
    for number in (1, 2):
        assert desk.ok(f"again-{number}", "board").out == desk.ok("ann", "board").out
    desk.ok("zoe", "key", "new")
    assert "your key has no seat" in desk.run("zoe", "join", "copy", "--yes").err
    assert desk.run("again-2", "join", "dispute.zip", "--into", "rebuilt-2", "--yes").code == 2


def test_games_lists_what_there_is_to_play(desk: Desk) -> None:
    listed = desk.ok("ann", "games", "--available", "--json").json
    tiny = next(one for one in listed if one["game"] == "tiny")
    assert tiny == {"game": "tiny", "title": "Tiny", "scenarios": ["short", "long"], "seats": [2, 6]}
    assert {"kawagoe", "tiny"} <= {one["game"] for one in listed}
    assert "short: Two turns" in desk.ok("ann", "games", "--available").out
