"""Two people who play a game of their own by mail, as they would: and what comes of cheating."""

from __future__ import annotations

import email
import email.policy
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.home import Home
from pbem.table import Table
from tests.cli import Desk

KIT = """game = "table"
kit = "ours"
title = "Our own game"
seats = ["south", "north"]

[deck.plan]
cards = { attack = 4, defend = 4, feint = 2 }
hand = 3

[chart.crt]
roll = "1d6"
rows = { 1-3 = "attacker retreats", 4-6 = "defender retreats" }
"""


class Two:
    """Ann and Ben, and the files that they mail to each other."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.number = 0

    def mail(self, who: str, *args: str, kind: str = "pbem") -> str:
        """Somebody does something and the others' file comes of it; "" if none does."""
        self.number += 1
        file = f"{self.number}.{kind}"
        self.said = self.desk.ok(who, *args, "--out", file).out
        return file if (self.desk.folder / file).exists() else ""

    def settle(self, file: str, to: str) -> None:
        """The file goes over, and answers go to and fro, until nothing is left to send."""
        while file:
            file = self.mail(to, "receive", file, "--into", f"{to}s")
            to = "ben" if to == "ann" else "ann"

    def orders(self, who: str, *orders: str, kind: str = "pbem") -> str:
        """Orders of somebody; the file for the other."""
        lines = [word for order in orders for word in ("-m", order)]
        return self.mail(who, "play", *lines, "--yes", kind=kind)

    def play(self, who: str, *orders: str) -> None:
        """Orders of somebody, and all that follows by itself."""
        self.settle(self.orders(who, *orders), "ben" if who == "ann" else "ann")

    @contextmanager
    def table(self, who: str) -> Iterator[Table]:
        (folder,) = (self.desk.folder / f"{who}s").glob("table-*")
        yield Table.open(folder, Home(self.desk.folder / who))

    def hand(self, who: str) -> list[str]:
        """What somebody holds, as only they see it."""
        with self.table(who) as table:
            assert table.secrets is not None and table.seat is not None
            cards = table.ledger.position.around[table.seat].hand  # type: ignore[attr-defined]
            return [str(table.secrets.value(card)) for card in cards]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A game with a kit of Ann's own, begun: Ben got the kit with the invitation."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(tmp_path_factory.mktemp("begun"), patch)
        two = Two(desk)
        kit = desk.folder / "ours.toml"
        kit.write_text(KIT)
        for who in ("ann", "ben"):
            desk.ok(who, "key", "new")
        address = ("--address", "ann@example.org")
        desk.ok(
            "ann", "new", "table", "--kit", "ours.toml", "--name", "Ann", *address, "--out", "i.pbem", "--yes"
        )
        kit.write_text(
            KIT.replace("feint = 2", "feint = 3")
        )  # what was signed is kept, whatever becomes of it
        shown = desk.ok(
            *("ben", "join", "i.pbem", "--name", "Ben", "--address", "ben@example.org", "--into", "bens"),
            *("--out", "j.pbem", "--yes"),
        )
        assert "ours, Our own game" in shown.out and "kit: ours" in shown.out
        two.settle("j.pbem", "ann")
        yield desk


@pytest.fixture
def two(begun: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Two:
    copy = begun.copy(tmp_path, monkeypatch)
    for who in ("ann", "ben"):
        config = copy.folder / who / "config.toml"
        config.write_text(config.read_text().replace(str(begun.folder), str(copy.folder)))
    return Two(copy)


def test_a_whole_game_and_its_audit(two: Two) -> None:
    mine = two.hand("ann")
    two.play(
        "ann", "do 1st corps 2213-2214", f"play {mine[0]} against 2315", "roll crt attack on 2315", "pass"
    )
    for who in ("ann", "ben"):
        said = two.desk.ok(who, "history").out
        assert f"play {mine[0]} against 2315" in said and "attack on 2315: crt (" in said
    two.play("ben", "draw 2 from plan", f"give {two.hand('ben')[0]} to south", "pass")
    assert len(two.hand("ann")) == 3 and len(two.hand("ben")) == 4
    two.play("ann", "call bids for the bridge")
    two.settle(two.orders("ann", "seal 3"), "ben")
    assert "seal 3" not in two.desk.ok("ben", "history").out, (
        "nobody reads a sealed line before all have written"
    )
    two.settle(two.orders("ben", "seal 5"), "ann")
    assert "bids for the bridge): 3" in two.desk.ok("ben", "history").out
    two.play("ann", "end north north has the bridge")
    two.settle(two.mail("ann", "audit", "--yes"), "ben")
    two.settle(two.mail("ben", "audit", "--yes"), "ann")
    for who in ("ann", "ben"):
        (folder,) = (two.desk.folder / f"{who}s").glob("table-*")
        said = two.desk.ok(who, "verify", str(folder)).out
        assert "audited: everything hidden of south, north was lawful" in said
        assert "outcome: north has the bridge" in said


def test_a_saved_game_goes_along_and_one_put_in_its_place_is_named(two: Two) -> None:
    save = two.desk.folder / "turn 1.vsav"
    save.write_bytes(os.urandom(5000))
    mail = two.orders("ann", "do 1st corps 2213-2214", 'attach "turn 1.vsav" the board', "pass", kind="eml")
    assert "turn-1.vsav:5000:" in two.said
    (folder,) = (two.desk.folder / "bens").glob("table-*")
    letter = email.message_from_bytes((two.desk.folder / mail).read_bytes(), policy=email.policy.SMTP)
    for part in letter.iter_attachments():
        if part.get_filename() == "turn-1.vsav":
            part.set_content(os.urandom(5000), maintype="application", subtype="x", filename="turn-1.vsav")
    (two.desk.folder / "changed.eml").write_bytes(bytes(letter))
    said = two.desk.ok("ben", "receive", "changed.eml", "--out", "b.pbem").out
    assert "it was replaced or damaged on the way" in said and "is not the one that was signed" in said
    assert "turn-1.vsav, 5000 bytes, entry" in (said := two.desk.ok("ben", "verify", str(folder)).out)
    assert said.rstrip().endswith("of south: not here")
    assert "is here and intact" in two.desk.ok("ben", "receive", mail).out
    (kept,) = (folder / "attached").iterdir()
    assert kept.read_bytes() == save.read_bytes()
    states = [one["state"] for one in two.desk.ok("ben", "verify", str(folder), "--json").json["attached"]]
    assert states == ["intact"]
    kept.write_bytes(b"another")
    assert "is another file" in two.desk.ok("ben", "verify", str(folder)).out


def test_a_file_that_came_beside_the_mail_is_taken_in_or_named(two: Two) -> None:
    save = two.desk.folder / "big.vlog"
    save.write_bytes(os.urandom(3_000_000))
    file = two.orders("ann", "attach big.vlog", "pass", kind="eml")
    assert "attach this file to your mail too: " in two.said
    assert "big.vlog (3000000 bytes), which goes with the move, is not here" in (
        two.desk.ok("ben", "receive", file, "--out", "b.pbem").out
    )
    shutil.copy(save, two.desk.folder / "renamed.bin")
    assert "big.vlog, as south signed it" in two.desk.ok("ben", "receive", "renamed.bin").out
    (folder,) = (two.desk.folder / "bens").glob("table-*")
    shutil.rmtree(folder / "attached")
    save.write_bytes(b"another game")
    refused = two.desk.run("ben", "receive", "big.vlog")
    assert refused.code == 2 and "is not the file that south signed" in refused.err
    assert not (folder / "attached").exists()


def test_there_is_nothing_to_peek_at(two: Two) -> None:
    """The program's own code, turned on all that Ben's machine has; then an order with Ann's card."""
    two.play("ann", "pass")
    with two.table("ben") as table:
        assert table.secrets is not None
        pos = table.ledger.position
        theirs = pos.around["south"].hand  # type: ignore[attr-defined]
        for card in (*theirs, *pos.decks["plan"].rest):
            assert table.secrets.value(card) is None
    refused = two.desk.run("ben", "play", "-m", f"reveal {theirs[0]}", "--yes")
    assert refused.code and "the card is not in your hand" in refused.err
    assert set(two.hand("ben")) <= {"attack", "defend", "feint"}


def test_a_second_roll_is_refused_and_changes_nothing_for_the_other(two: Two) -> None:
    """Ann keeps a copy of everything, sees the die, and goes back."""
    before = two.desk.folder / "before"
    for name in ("ann", "anns"):
        shutil.copytree(two.desk.folder / name, before / name)
    two.play("ann", "roll 1d6 the battle")
    fallen = two.desk.ok("ben", "history").out
    for name in ("ann", "anns"):
        shutil.rmtree(two.desk.folder / name)
        shutil.copytree(before / name, two.desk.folder / name)
    refused = two.desk.run("ann", "play", "-m", "roll 1d6 the battle", "--yes")
    assert refused.code and "copied or restored" in refused.err
    (folder,) = (two.desk.folder / "anns").glob("table-*")
    two.desk.ok("ann", "join", str(folder), "--yes")
    refused = two.desk.run("ann", "play", "-m", "roll 1d6 the other battle", "--yes")
    assert refused.code and "has not told it yet what you have signed" in refused.err
    assert "the battle: 1d6" in fallen and two.desk.ok("ben", "history").out == fallen
