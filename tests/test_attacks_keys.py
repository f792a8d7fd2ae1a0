"""Attacks with new keys, at the command line; and that who is honest goes on with a new key undisturbed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.protocol.crypto import sealing
from pbem.protocol.crypto.canonical import keyed
from pbem.protocol.log import consents
from pbem.protocol.papers.bodies import Answers, SealedChoice
from pbem.protocol.rounds.state import slot_place
from pbem.table import Table
from tests.attack_kit import works_only_without
from tests.cheats.kit import never
from tests.circle import Circle, circle, circles, consent, new_key
from tests.table import key_of
from tests.tiny.rules import TinyRules
from tests.tiny.turns import Turn


def test_a_move_of_the_old_key_does_not_keep_the_new_one_from_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """a has signed a move, finds that its key was stolen and goes on with a new one, in the same home."""
    again = circles(tmp_path, monkeypatch, 2)

    def locked_out() -> bool:
        here = again()
        here.ok("a", "play", "-m", "swear", "--yes")
        agreed = consent(here, "b", new_key(here, "a"))
        assert "a goes on with new keys, as it signed with the old key" in here.ok("a", "receive", agreed).out
        if here.run("a", "play", "-m", "hit b", "--yes").code:
            return True
        here.post()
        assert here.one_log() and here.verified("b").code == 0
        return False

    works_only_without(monkeypatch, locked_out, (Table, "changes", 0))


def test_consents_that_cross_a_move_of_the_old_key_end_in_one_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """b hears the move first, c the other's consent: both come to the place where all have agreed."""
    again = circles(tmp_path, monkeypatch, 3)

    def attack() -> bool:
        here = again()
        paper = new_key(here, "a")
        agreed = {seat: consent(here, seat, paper) for seat in "bc"}
        move, _ = here.table("a").orders("hit b", key_of("a"))
        assert "a: hit b" in here.hand("b", [move]).out
        assert "a goes on with new keys" in here.ok("c", "receive", agreed["b"]).out
        here.hand("c", [move])
        here.ok("b", "receive", agreed["c"])
        here.post("b", "c")
        if not here.one_log("b", "c"):
            return True
        here.ok("a", "receive", agreed["b"], agreed["c"])
        here.ok("a", "play", "-m", "swear", "--yes")
        here.post("a", "b")
        assert here.one_log("a", "b") and here.verified("b").code == 0
        return False

    works_only_without(monkeypatch, attack, (consents, "go_back", never))


class Bids(TinyRules):
    """The tiny game, begun with its secret bids."""

    def start(self, pack: Any, scenario: str, options: Any, seats: tuple[str, ...]) -> Any:
        pos = super().start(pack, scenario, options, seats)
        pos.turn, pos.last_turn = 1, 1
        pos.stack[0].at = "turn"
        pos.stack.append(Turn())
        pos.stack[-1].at = "bid"
        return pos


def found_out(table: Circle) -> str | None:
    """The bid that a sealed first, if b finds it with what a has opened since."""
    opened = table.table("b")
    entries = opened.entries(range(1, opened.ledger.state.number + 1))
    sealed, *_ = (e.body.seals[0] for e in entries if e.seat == "a" and isinstance(e.body, SealedChoice))
    shown, *_ = (e.body.opens[0] for e in entries if e.seat == "a" and isinstance(e.body, Answers))
    nonce, place = bytes.fromhex(shown.nonce), slot_place(shown.slot)
    tried = [f"bid {stones}" for stones in range(4)]
    made = (sealing.commitment(opened.contract.game, "a", place, bid.encode(), nonce) for bid in tried)
    return {found.hex(): bid for found, bid in zip(made, tried, strict=True)}.get(sealed.commit)


def _by_place(secret: bytes, game: bytes, place: str, plaintext: str) -> bytes:
    """As if whatever is sealed at one place had one nonce."""
    return keyed(secret, "nonce", game, place)


def test_the_opening_of_a_second_bid_does_not_betray_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """b has a's bid, and goes on with a new key: so the round is asked anew, and a thinks better of it."""
    again = circles(tmp_path, monkeypatch, 2, Bids())

    def attack() -> bool:
        here = again()
        here.spread("a", "play", "-m", "bid 2")
        told = here.ok("b", "receive", consent(here, "a", new_key(here, "b"))).out
        assert "a: came too late and has no effect" in told and "asked of you: in secret: a bid" in told
        for seat, bid in (("a", "bid 1"), ("b", "bid 0")):
            here.spread(seat, "play", "-m", bid)
        here.post()
        told = here.ok("b", "status").out
        assert "a: bid 1" in told and "bid 2" not in told and here.one_log() and here.verified("b").code == 0
        return found_out(here) == "bid 2"

    works_only_without(monkeypatch, attack, (sealing, "nonce", _by_place))


def test_consents_that_come_through_git_give_the_new_key_its_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has no file to receive goes on with its new key all the same."""
    table = circle(tmp_path, monkeypatch, 2)
    host = str(tmp_path / "host.git")
    table.desk.shell(f"git init -q --bare --initial-branch=main {host}")
    consent(table, "b", new_key(table, "a"))
    table.ok("b", "sync", host)
    assert "a goes on with new keys" in table.ok("a", "sync", host).out
    table.ok("a", "play", "-m", "swear", "--yes")
    for seat in "ab":
        table.ok(seat, "sync")
    assert table.one_log() and table.verified("b").code == 0


def test_who_has_a_new_key_comes_back_with_it_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder was moved, or everything was lost but the key: `pbem join FOLDER` takes the seat again."""
    table = circle(tmp_path, monkeypatch, 2)
    agreed = consent(table, "b", new_key(table, "a"))
    table.ok("a", "receive", agreed)
    table.spread("a", "play", "-m", "swear")
    table.folder("a").rename(tmp_path / "moved")
    table.ok("a", "join", str(tmp_path / "moved"), "--yes")
    table.ok("a", "play", "-m", "hit b", "--yes", "--out", "next")
    table.ok("b", "receive", "next")
    table.desk.shell("mkdir home-c; mv home-a/key home-c; rm -r home-a; cp -r game-b found")
    assert "you are a" in table.ok("c", "join", str(tmp_path / "found"), "--yes").out
    assert table.ok("c", "status", "--json").json["seat"] == "a"
    (tmp_path / "old-key").replace(tmp_path / "home-c/key")
    told = table.run("c", "join", str(tmp_path / "found"), "--yes")
    assert told.code == 2 and "your key has no seat in this game" in told.err
