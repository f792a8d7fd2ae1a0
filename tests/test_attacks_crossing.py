"""What crosses on its way: honest machines come to one log, whatever arrived first."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import suppress

import pytest

from pbem.errors import VerificationError
from pbem.protocol.log import consents as new_keys
from pbem.protocol.log import forfeits
from pbem.protocol.papers.bodies import ClaimTime, Forfeit, Note
from pbem.protocol.papers.times import stamp
from pbem.protocol.rounds import carry_out
from tests.attack_kit import works_only_without
from tests.cheats.kit import never, nothing
from tests.scenes import orders, table_of
from tests.table import START, Player, entry_of, give, key_of, paper_of, settle

HOUR = 3600


def in_every_order(table: dict[str, Player], entries: Sequence[bytes]) -> list[Player]:
    """Machines that got these entries, each in another order; all must hold the same log."""
    found = []
    for order in itertools.permutations(entries):
        one = next(iter(table.values()))
        late = Player(one.contract, one.seat, one.key, one.rules)
        for raw in order:
            with suppress(VerificationError):  # what an old key signed comes too late after a new one
                late.receive(raw)
        found.append(late)
    return found


def same(machines: Sequence[Player]) -> bool:
    return all(m.texts == machines[0].texts and m.ledger.text == machines[0].ledger.text for m in machines)


def late_claims(table: dict[str, Player], seats: str) -> list[bytes]:
    """Claims and forfeits of several seats against the seat that is asked, none of which saw another."""
    made = []
    for seat in seats:
        player = table[seat]
        clocks, question = player.contract.invite.clocks, player.ledger.state.question
        late = START + clocks.move * HOUR
        asked = (str(player.asked),)
        claim = player.entry("claim", ClaimTime(asked, question), sent=stamp(late))
        player.receive(claim)
        end = stamp(late + clocks.grace * HOUR)
        made += [claim, player.entry("forfeit", Forfeit(asked, stamp(late), question), sent=end)]
    return made


def test_a_forfeit_that_crosses_the_move_ends_in_one_log(monkeypatch: pytest.MonkeyPatch) -> None:
    def attack() -> bool:
        table = table_of(2)
        move = orders(table["a"], "swear")
        machines = in_every_order(table, [move, *late_claims(table, "b")])
        verdicts = [m.ledger.state.verdict for m in machines]
        assert all(v is None or v.disputed or v.culprit == "a" for v in verdicts)
        return not same(machines)

    works_only_without(monkeypatch, attack, (forfeits, "go_back", never))


def test_two_forfeits_that_cross_and_a_move_end_in_one_log() -> None:
    table = table_of(3)
    move = orders(table["a"], "swear")
    machines = in_every_order(table, [move, *late_claims(table, "bc")])
    assert same(machines)
    state = machines[0].ledger.state
    assert state.verdict is None and state.leaving is None, "the move has come to light in time"


def test_a_note_of_the_seat_that_is_late_makes_no_second_log() -> None:
    table = table_of(3)
    note = table["a"].entry("note", Note())
    machines = in_every_order(table, [note, *late_claims(table, "c")])
    assert same(machines)
    leaving = machines[0].ledger.state.leaving
    assert leaving is not None and leaving.seats == ("a",)


def test_a_thousand_notes_in_one_question_do_not_hide_the_place_of_a_forfeit() -> None:
    """The claimant stood before all of them; who has logged them goes back there all the same."""
    table = table_of(2)
    a = table["a"]
    claims = late_claims(table, "b")
    for _ in range(1030):
        a.receive(a.entry("note", Note()))
    assert a.ledger.state.number == 1030
    for raw in claims:
        a.receive(raw)
    verdict = a.ledger.state.verdict
    assert verdict is not None and verdict.culprit == "a" and a.ledger.place(verdict.round) == 0


def test_a_move_after_a_note_that_the_claimant_had_not_seen_counts() -> None:
    table = table_of(3)
    a = table["a"]
    note = a.entry("note", Note())
    a.receive(note)
    move = orders(a, "swear")
    machines = in_every_order(table, [note, move, *late_claims(table, "c")])
    assert same(machines)
    state = machines[0].ledger.state
    assert state.verdict is None and state.leaving is None
    assert any(logged.entry.raw == move for logged in machines[0].log)


def test_consents_to_new_keys_and_a_move_of_the_old_key_come_to_one_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All others have agreed at one place: there the seat goes on with new keys, on every machine."""

    def attack() -> bool:
        table = table_of(3)
        a = table["a"]
        paper = paper_of(a, key_of("a", "new"))
        move = orders(a, "swear")
        consents = [table[s].entry("rekey", table[s].secrets.consent(paper)) for s in "bc"]
        machines = in_every_order(table, [move, *consents])
        assert all(m.ledger.state.verdict is None for m in machines)
        return not same(machines)

    works_only_without(monkeypatch, attack, (new_keys, "go_back", never))


def test_a_seat_that_played_on_after_its_consent_loses_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line goes back to the consents; links that were shown beyond that place are passed over."""

    def attack() -> bool:
        table = table_of(3)
        a, c = table["a"], table["c"]
        paper = paper_of(a, key_of("a", "new"))
        consents = [table[s].entry("rekey", table[s].secrets.consent(paper)) for s in "bc"]
        move = orders(a, "hit b")
        c.receive(consents[1])
        c.receive(move)
        shown = c.answer()
        assert shown is not None
        c.receive(shown)
        c.receive(consents[0])
        assert c.ledger.state.seats["a"].key
        return c.secrets.next_link() == entry_of(shown).body.link  # type: ignore[union-attr]

    works_only_without(monkeypatch, attack, (carry_out, "pass_over_links", nothing))


# --- secrets before their time


def test_a_secret_sent_early_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(2)
    b = table["b"]
    early = b.entry("audit", b.secrets.audit())
    give(table, early)
    give(table, orders(table["a"], "hit b"))
    settle(table)
    for player in table.values():
        assert not player.ledger.state.opened, "nobody plays on by default"
        assert player.ledger.state.verdict is None
