"""Dishonest shuffles and lost secrets, at the command line: what `pbem verify` says of them, and of whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.notation import Handle
from pbem.engine.procedure import Procedure, deals, shuffles
from pbem.errors import VerificationError
from pbem.outgoing import outgoing
from pbem.protocol.crypto.keys import dump_private
from pbem.protocol.deck import dealing, shuffling, wire
from pbem.protocol.log.audit import Auditor
from pbem.protocol.papers.bodies import Answers
from pbem.protocol.rounds import deck_duties
from pbem.protocol.rounds.own_secrets import Secrets
from tests.attack_kit import copies, works_only_without
from tests.circle import Circle, circle, new_key
from tests.cli import Desk
from tests.homes import party
from tests.table import key_of
from tests.tiny import TINY
from tests.tiny.rules import TinyRules
from tests.tiny.turns import Action, Game

Answer = Callable[[Secrets, Any], Answers]
REAL_NUMBER = dealing.held_number


def _only_what_can_be(deck: Any, seat: str, secret: bytes, slot: Any) -> int:
    """As if a machine could tell, and show, only a card that can be there."""
    card = REAL_NUMBER(deck, seat, secret, slot)
    if card is None or card in deck.open:
        raise VerificationError(f"slot {slot} holds a card that cannot be there")
    return card


def lying(liar: str, lie: Answer) -> tuple[Any, str, Answer]:
    """One seat shuffles as it likes; everything else is answered as it must be."""
    honest = Secrets.answer

    def answer(own: Secrets, owed: Any) -> Answers:
        earlier = range(1, own.ledger.state.number + 1)
        shuffles = own.seat == liar and all(own.ledger.entry(n).seat != liar for n in earlier)
        return lie(own, owed) if shuffles else honest(own, owed)

    return Secrets, "answer", answer


def begun(folder: Path, monkeypatch: pytest.MonkeyPatch, deck: str, liar: str, lie: Answer) -> Circle:
    """The decks are shuffled, by one seat as it likes; what follows is everybody's own affair."""
    game = party(folder, monkeypatch, 2, {"deck": deck})
    with monkeypatch.context() as patch:
        patch.setattr(*lying(liar, lie))
        game.tables["a"].receive([])
        game.tables["b"].receive(outgoing(game.tables["a"], "b"))
    return Circle(Desk(folder, monkeypatch), ("a", "b"))


def golden_stock(own: Secrets, owed: Any) -> Answers:
    """A shared deck in which every card is the first one."""
    deck = deck_duties.load(own.ledger.state, "deck")
    golden = replace(deck, masked=deck.masked[:1] * len(deck.masked))
    return Answers(deck=tuple(wire.to_lines(shuffling.make_shuffle(golden, own.seat, own.secret))))


def golden_deck(own: Secrets, owed: Any) -> Answers:
    """An own deck of nothing but gold."""
    return own._shuffle(replace(owed.shuffle, cards=("gold",) * len(owed.shuffle.cards)))


def ended_by_a_draw(table: Circle) -> None:
    """Both agree to it; who is asked notes it."""
    table.post()
    for seat in table.seats:
        table.ok(seat, "draw", "--yes")
        table.post()


def consent(table: Circle, seat: str, paper: str) -> str:
    """A player agrees to another's new key; returns the file for the others."""
    file = str(table.desk.folder / f"consent-{seat}.pbem")
    table.ok(seat, "receive", paper)
    table.ok(seat, "rekey", "--out", file, "--yes")
    return file


def audited(table: Circle, *keeps_back: str) -> None:
    """Everybody publishes its secrets; some say that they have lost the former one."""
    honest = Secrets.audit
    for seat in table.seats:
        with table.desk.patch.context() as patch:
            if seat in keeps_back:
                patch.setattr(Secrets, "audit", lambda own: replace(honest(own), former=()))
            table.spread(seat, "audit")


# --- a stacked deck, and a key that is changed after it


STACKED = "not in order: entry 1 of a: deck deck: its shuffle of epoch 0 is not from its secret"


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Circle]:
    """a has stacked the deck, changed its key, and given shares with the old secret since."""
    with pytest.MonkeyPatch.context() as patch:
        table = begun(tmp_path_factory.mktemp("stacked"), patch, "shared", "a", golden_stock)
        table.post()
        table.ok("a", "receive", consent(table, "b", new_key(table, "a")))
        ended_by_a_draw(table)
        yield table


@pytest.fixture
def again(changed: Circle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Circle]:
    return copies(changed, tmp_path, monkeypatch)


def test_a_stacked_deck_is_not_called_lawful_because_the_key_was_changed(
    again: Callable[[], Circle],
) -> None:
    """Every secret that a seat ever had is owed; who keeps the former one back is named."""
    table = again()
    audited(table, "a")
    told = table.verified("b")
    assert told.code == 1 and "everything hidden of a" not in told.out
    assert "of a: it keeps back a secret from before a change of keys" in told.err, told.both


def test_who_publishes_all_its_secrets_is_named_for_what_it_did(again: Callable[[], Circle]) -> None:
    table = again()
    audited(table)
    told = table.verified("b")
    assert told.code == 1 and STACKED in told.err


# --- a card that is there twice


@dataclass(slots=True)
class Hands(Procedure):
    """1.0 HANDS: one deck for all, and two cards each."""

    seat: int = 0

    @shuffles("1.1", Game.own_deck)
    def deck(self, pos: Any) -> None:
        """It is shuffled by all ..."""

    @deals("1.2", Game.first_hands)
    def hands(self, pos: Any, dealt: tuple[tuple[Handle, ...], ...]) -> None:
        """... and dealt."""
        for seat, cards in zip(pos.seats, dealt, strict=True):
            pos.change(seat, hand=cards)


class Planning(TinyRules):
    """The tiny game, begun with the hands; then b acts."""

    procedures = (*TinyRules.procedures, Hands)

    def start(self, pack: Any, scenario: str, options: Any, seats: tuple[str, ...]) -> Any:
        pos = super().start(pack, scenario, options, seats)
        pos.turn, pos.last_turn = 1, 1
        pos.stack[0].at = "turn"
        pos.stack += [Action("b"), Hands()]
        return pos


def test_a_card_that_is_there_twice_keeps_no_plan_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """a's shuffle leaves one card in all slots; b plays it, hits, and its sealed plan plays it once more."""
    with monkeypatch.context() as patch:
        patch.setattr(*lying("a", golden_stock))
        table = circle(tmp_path / "start", monkeypatch, 2, Planning(), options={"deck": "shared"})
    table.ok("b", "play", "-m", "play gold\nhit a\nplay gold", "--out", "plan", "--yes")
    table.ok("a", "receive", "plan", "--out", "answer")
    if table.status("a")["asked"][0]["seat"] == "a":  # the die has hurt
        table.ok("a", "play", "-m", "lose face", "--out", "answer", "--yes")
    again = copies(table, tmp_path, monkeypatch)

    def attack() -> bool:
        here = again()
        told = here.run("b", "receive", "answer")
        if told.code:
            return "slot 0." in told.err and here.run("b", "receive", "answer").code != 0
        assert "the deck deck is spoilt; the audit names who did it" in told.out, told.out
        here.post()
        audited(here)
        told = here.verified("b")
        assert told.code == 1 and STACKED in told.err and here.one_log()
        return False

    works_only_without(monkeypatch, attack, (dealing, "held_number", _only_what_can_be))


def test_an_own_deck_of_gold_is_found_after_a_draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = begun(tmp_path, monkeypatch, "own", "b", golden_deck)
    ended_by_a_draw(table)
    audited(table)
    told = table.verified("a")
    assert told.code == 1 and "of b: the shuffle of deck-b-1 is not the deck" in told.err, told.both


# --- a key that is lost


def test_who_has_lost_its_key_is_not_named_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new home, a new key signed for by the spare one, which still gives the old secret too."""
    table = circle(tmp_path, monkeypatch, 2, TINY)
    table.desk.shell("rm -r home-a; mkdir home-a")
    (table.desk.folder / "spare").write_bytes(dump_private(key_of("a", "spare"), None))
    table.ok("a", "key", "new")
    paper = str(table.desk.folder / "paper.pbem")
    ask = ("rekey", "-g", str(table.folder("a")), "--seat", "a", "--with", "spare", "--out", paper, "--yes")
    table.ok("a", *ask)
    table.ok("a", "receive", consent(table, "b", paper))
    ended_by_a_draw(table)
    audited(table)

    def named() -> bool:
        told = table.verified("b")
        if told.code:
            return " of a: " in told.err
        assert "audited: everything hidden of a, b was lawful" in told.out
        return False

    works_only_without(
        monkeypatch, named, (Auditor, "_in_force", lambda self, ledger, seat: self.secrets[seat])
    )
