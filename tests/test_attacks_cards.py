"""Attacks with a card that is handed over, at the command line: who lies about it is named, nobody else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.notation import Handle
from pbem.engine.options import Among, Options
from pbem.engine.procedure import Deal, Passing, Procedure, Shuffling, chooses, deals, passes, rule, shuffles
from pbem.protocol.crypto import sealing
from pbem.protocol.papers.bodies import Complaint
from pbem.protocol.papers.body_checks import pack_box
from pbem.protocol.rounds import carry_out
from pbem.protocol.rounds.own_secrets import Secrets
from tests.attack_kit import CARDS, copies, works_only_without
from tests.circle import Circle, circle
from tests.scenes import Weather
from tests.table import key_of
from tests.tiny.moves import Done, Hit
from tests.tiny.position import Ended


def nothing(*_: Any, **__: Any) -> None:
    """A check that does not look."""


@dataclass(slots=True)
class Theft(Procedure):
    """1.0 THEFT: b draws a card and hands it to a."""

    card: Handle = Handle("")

    def deck(self, pos: Any) -> Shuffling:
        return Shuffling("deck", "b", CARDS)

    @shuffles("1.1", deck)
    def shuffle(self, pos: Any) -> None:
        """The deck of b."""

    def one(self, pos: Any) -> tuple[Deal, ...]:
        return (Deal("deck", "b"),)

    @deals("1.2", one)
    def draw(self, pos: Any, dealt: tuple[tuple[Handle, ...], ...]) -> None:
        """A card that only b sees ..."""
        self.card = dealt[0][0]

    def stolen(self, pos: Any) -> Passing:
        return Passing((self.card,), "b", "a")

    @passes("1.3", stolen)
    def hand_over(self, pos: Any) -> None:
        """... and then a."""

    def deed(self, pos: Any) -> Options:
        families = (Among(Done, [Done()], "1.4"), Among(Hit, [Hit("b")], "1.4"))
        return Options("a", families, "deed", "what to do")

    @chooses("1.4", deed)
    def act(self, pos: Any, move: Any) -> None:
        """Time to complain."""

    @rule("1.5")
    def over(self, pos: Any) -> None:
        pos.end((), Ended("the card is stolen"))


class Stealing(Weather):
    """One card, drawn by b, handed to a, unseen by c."""

    name = "stealing"
    procedures = (Theft,)

    def start(self, pack: Any, scenario: str, options: Any, seats: tuple[str, ...]) -> Any:
        pos = super().start(pack, scenario, options, seats)
        pos.stack = [Theft()]
        return pos


def stolen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Circle:
    return circle(folder, monkeypatch, 3, Stealing())


def slot(table: Circle) -> Handle:
    """The card that was handed over."""
    boxes = table.table("a").ledger.state.boxes
    return next(Handle(found) for found, boxed in boxes.items() if boxed.giver)


def complains(table: Circle, made: Callable[[Secrets], Complaint]) -> None:
    """a, whose machine would not do it, complains about a card that is as it must be."""
    told = table.run("a", "dispute", "--complain", "--yes")
    assert told.code == 4 and "every card that was handed to you is as it must be" in told.err
    raw, _ = table.table("a").play("complaint", made, key_of("a"))
    for seat in "bc":
        table.hand(seat, [raw])


def test_a_false_complaint_ends_with_its_author_not_with_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key that a discloses opens nothing: only the secrets tell which of the two lies."""
    again = copies(stolen(tmp_path / "start", monkeypatch), tmp_path, monkeypatch)

    def attack() -> bool:
        here = again()
        complains(here, lambda own: Complaint(slot(here), "ab" * 32))
        assert "the game is over: a draw: a and b disagree about the box" in here.ok("c", "status").out
        for seat in here.seats:
            here.spread(seat, "audit")
        told = here.verified("c")
        if "of a: it complained without cause about" not in told.err:
            return True
        assert told.code == 1 and here.one_log()
        assert "the game is over: b, c won: a broke the protocol" in here.ok("b", "status").out
        return False

    works_only_without(monkeypatch, attack, (carry_out, "judge_by_secrets", nothing))


def test_a_complaint_whose_key_opens_a_good_card_names_its_author_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = stolen(tmp_path, monkeypatch)
    complains(table, lambda own: own.complaint(slot(table)))
    told = table.verified("c")
    assert told.code == 1 and "of a: it complained without cause" in told.err and table.one_log()


def test_a_box_of_the_wrong_form_names_its_giver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could open it, and nobody complain of it."""
    honest, folders = Secrets.answer, iter((tmp_path / "one", tmp_path / "two"))

    def answer(own: Secrets, owed: Any) -> Any:
        found = honest(own, owed)
        return replace(found, deliver=tuple(replace(one, box=pack_box(bytes(128))) for one in found.deliver))

    def attack() -> bool:
        with monkeypatch.context() as patch:
            patch.setattr(Secrets, "answer", answer)
            here = stolen(next(folders), monkeypatch)
        told = here.verified("c")
        if told.code == 0:
            return here.run("a", "dispute", "--complain", "--yes").code != 0
        assert "of b: " in told.err and "cannot hold a card" in told.err
        assert here.one_log("a", "c")
        return False

    works_only_without(monkeypatch, attack, (sealing, "check_form", nothing))
