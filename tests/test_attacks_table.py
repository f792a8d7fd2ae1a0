"""Attacks on a whole table, at the command line: what the honest are told, and that they hold one log."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem import table as table_module
from pbem.protocol.crypto.canonical import digest
from pbem.protocol.log import forfeits
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.papers import entry
from pbem.protocol.papers.bodies import Note
from pbem.protocol.papers.entry import SIGNATURE_LINE, compose, verify
from pbem.protocol.rounds import clocks, out_of_turn
from pbem.transport import git
from pbem.transport.git import push_outbox
from tests.adversary.forge import sign_again
from tests.attack_kit import works_only_without
from tests.cheats.times import _by_window
from tests.circle import Circle, circle, circles, days_later
from tests.table import key_of

BY_WINDOW = [(module, "why_unlawful", _by_window) for module in (clocks, out_of_turn, forfeits)]


def notes(table: Circle, seat: str, number: int) -> list[bytes]:
    """So many notes of a seat that should move instead, and that has seen nothing of what others say."""
    opened, key, made = table.table(seat), key_of(seat), []
    for _ in range(number):
        made.append(compose(opened.flow.head("note", opened.clock()), Note(), key))
        opened.flow.take(made[-1])
    return made


def test_no_number_of_notes_evades_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is late signs 65 notes instead of a move, beside the claim that is on its way."""
    again = circles(tmp_path, monkeypatch, 2)
    late, honest = "a", "b"

    def attack() -> bool:
        here = again()
        days_later(here, 14)
        here.ok(honest, "claim", "--out", str(here.desk.folder / "claim"), "--yes")
        signed = notes(here, late, 65)
        for seat in (late, honest):
            here.hand(seat, signed)
        days_later(here, 18)
        told = here.run(honest, "claim", "--yes")
        if "verdict" not in told.out:
            return True
        here.post()
        assert here.one_log() and f"{late}: did not play on in time" in here.verified(honest).out
        return False

    works_only_without(monkeypatch, attack, *BY_WINDOW)


# --- two signatures


def _names_the_text_alone(raw: bytes) -> str:
    """As if an id covered only what was signed."""
    return digest("entry", raw[: raw.rfind(SIGNATURE_LINE) + 1]).hex()


BY_TEXT = [(module, "entry_id", _names_the_text_alone) for module in (entry, table_module)]


def test_one_text_under_two_signatures_splits_nobody_and_the_main_line_is_pushed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """b and c get the same order, signed twice: with one id for both, each would hold other commits."""
    again = circles(tmp_path, monkeypatch, 3)

    def attack() -> bool:
        here = again()
        host = str(here.desk.folder / "host.git")
        here.desk.shell(f"git init -q --bare --initial-branch=main {host}")
        opened = here.table("a")
        one = compose(opened.flow.head("orders", opened.clock()), opened.secrets.orders("swear"), key_of("a"))
        other = sign_again(one, key_of("a"), b"another nonce")
        for seat, raw in (("b", one), ("c", other)):
            here.hand(seat, [raw])
        for seat in "bcbc":
            here.ok(seat, "sync", host)
        main = here.desk.shell(f"git -C {host} rev-parse main").out.strip()
        if {main} != {here.status(seat)["fingerprint"] for seat in "bc"}:
            return True
        assert all(here.verified(seat).code == 0 for seat in "bc")
        return False

    works_only_without(monkeypatch, attack, *BY_TEXT)
    monkeypatch.setattr(git, "moves_of", lambda repo, tip: [])
    assert attack(), "who does not look at the other line never hears of the other signature"


def test_a_double_through_git_names_its_author_on_every_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """a rewrites its outbox when b has answered what stood there; c answers the other half."""
    table = circle(tmp_path, monkeypatch, 3)
    host, opened = str(tmp_path / "host.git"), table.table("a")
    table.desk.shell(f"git init -q --bare --initial-branch=main {host}")
    head = opened.flow.head("orders", opened.clock())
    for reader, text in (("b", "hit b"), ("c", "hit c")):
        push_outbox(opened.repo, host, "a", [compose(head, opened.secrets.orders(text), key_of("a"))])
        table.ok(reader, "sync", host)
        table.desk.shell(f"git -C {host} update-ref -d refs/heads/pbem/outbox/a")
        table.desk.shell("git -C game-a update-ref -d refs/pbem/remote/a")
    for seat in "bc":
        table.ok(seat, "sync", host)
    assert table.one_log("b", "c")
    assert table.desk.shell(f"git -C {host} rev-parse main").out.strip() == table.status("b")["fingerprint"]
    told = table.verified("c")
    assert told.code == 1 and "of a: signed two different decisions with number 1" in told.err


# --- what was signed for another game


def _only_signed(ledger: Ledger, claim: Any) -> Any:
    """As if any entry with a good signature belonged here."""
    return verify(claim, ledger.keys())


def test_an_entry_of_another_game_in_ones_outbox_locks_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """a plays two games with one key; b pushes what it signed in the other one to a's outbox in this one."""
    other = circle(tmp_path / "other", monkeypatch, 3).table("a")
    theirs, _ = other.play("note", lambda own: Note(), key_of("a"))
    again = circles(tmp_path, monkeypatch, 2)

    def attack() -> bool:
        here = again()
        host = str(here.desk.folder / "host.git")
        here.desk.shell(f"git init -q --bare --initial-branch=main {host}")
        here.ok("b", "sync", host)
        push_outbox(here.table("b").repo, host, "a", [theirs])
        told = here.run("a", "sync", host)
        here.run("a", "play", "-m", "swear", "--yes")
        for seat in "ab":
            here.run(seat, "sync", host)
        if here.status("b")["entries"] == 0:
            return True
        assert told.code == 1 and "the entry belongs to another game" in told.err and here.one_log()
        return False

    works_only_without(monkeypatch, attack, (Ledger, "admit", _only_signed))


def test_a_number_that_will_never_come_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of such notes would be looked at whenever the game is opened."""
    again = circles(tmp_path, monkeypatch, 2)

    def attack() -> bool:
        here = again()
        opened = here.table("a")
        far = replace(opened.flow.head("note", opened.clock()), seq=900_000)
        told = here.hand("b", [compose(far, Note(), key_of("a"))])
        if told.code == 0:
            return "1 kept until their turn comes" in told.out
        assert "entry 900000 of a is too far ahead: 0 are known" in told.err
        return False

    works_only_without(monkeypatch, attack, (Ledger, "admit", _only_signed))
