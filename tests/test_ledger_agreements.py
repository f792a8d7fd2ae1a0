"""What players settle beside the rules: resignation, draws, take-backs, other terms."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pbem.protocol.papers.bodies import Draw, Note, Resign, Standing, TakeBack, Terms
from pbem.protocol.rounds.clocks import clocks_of
from pbem.protocol.rounds.state import Why
from tests.scenes import agree, fault, orders, play, reach, table_of, texts
from tests.table import Network, Player, entry_of, give, play_out, players, same_everywhere, settle

# --- resignation


def test_of_two_seats_the_other_wins() -> None:
    table = table_of(2)
    give(table, table["a"].entry("resign", table["a"].secrets.resign()))
    one = same_everywhere(table)
    assert one.ledger.position.outcome is not None
    assert one.ledger.position.outcome.winners == ("b",)
    assert one.ledger.state.gone["a"].why is Why.RESIGNED and not one.ledger.state.opened
    assert set(one.ledger.due()) == {"a", "b"}, "the audit follows"


def test_who_is_asked_for_nothing_cannot_resign() -> None:
    """Nor later with the same entry: it names a tip at which its seat was asked for nothing."""
    table = table_of(2)
    resigned = table["b"].entry("resign", table["b"].secrets.resign())
    give(table, resigned)
    assert not table["a"].over
    play(table, "a", "done")
    give(table, resigned)
    one = same_everywhere(table)
    assert not one.over and list(one.ledger.missing()) == ["b"]


@pytest.mark.parametrize("deck", ["own", "shared"])
@pytest.mark.parametrize("count", [3, 4])
def test_of_more_seats_the_one_that_resigned_plays_on_in_the_open(count: int, deck: str) -> None:
    """After a few decisions a seat resigns that is asked; the others bring the game to its end without it."""
    for seed in range(3):
        table = players(count, options={"deck": deck})
        rng = random.Random(f"{count} {deck} {seed}")
        kind = rng.choice(["bid", "chits", "deed"])
        asked = reach(table, kind, rng)
        gone = asked if kind == "deed" else list(table)[-1]
        give(table, table[gone].entry("resign", table[gone].secrets.resign()))
        left = {seat: player for seat, player in table.items() if seat != gone}
        made = play_out(left, rng)
        for raw in made:
            table[gone].receive(raw)
        one = same_everywhere(table)
        assert one.over and set(one.ledger.state.gone) == {gone}
        assert set(one.ledger.state.opened) == set(table)
        mine = [logged.entry for logged in one.log if logged.entry.seat == gone]
        assert mine[-1].head.kind == "resign"
        assert f"{gone} is out: it resigns" in texts(table)
        late = Player(one.contract, "a", table["a"].key, one.rules)
        for logged in one.log:
            late.receive(logged.entry.raw)
        assert late.texts == one.texts


def test_resigning_in_a_round_of_several_does_not_undo_what_the_others_sealed() -> None:
    table = players(3)
    rng = random.Random(2)
    reach(table, "bid", rng)
    for seat in "ab":
        give(table, table[seat].decide(rng) or b"")
    give(table, table["c"].entry("resign", table["c"].secrets.resign()))
    settle({s: table[s] for s in "ab"})
    one = same_everywhere({s: table[s] for s in "ab"})
    assert one.ledger.state.opened.keys() == {"c"}
    bids = [e.data["order"] for logged in one.log for e in logged.events if e.rule == "3.1"]
    assert len(bids) == 3 and bids[2] == "bid 0", "the first answer that is listed"


def test_a_seat_that_resigned_is_not_waited_for_and_not_listened_to() -> None:
    table = table_of(3)
    play(table, "a", "done")
    give(table, table["b"].entry("resign", table["b"].secrets.resign()))
    settle(table)
    assert next(e for e in texts(table) if e.startswith("b: ")).startswith("b: hit a")
    assert table["a"].asked in ("a", "c")
    give(table, table["b"].entry("standing", Standing("loss", ("lose face",))))
    for _ in range(4):
        seat = table["a"].asked
        if seat in ("a", "c"):
            kind = table[seat].owed().options.kind
            play(table, seat, {"deed": "done", "loss": "lose face", "boast": "boast 0"}[kind])
    one = same_everywhere(table)
    assert "standing" not in [logged.entry.head.kind for logged in one.log]
    assert not one.ledger.state.standing and "b" not in one.ledger.due()


def test_who_resigns_last_but_one_leaves_a_winner() -> None:
    table = table_of(3)
    give(table, table["a"].entry("resign", table["a"].secrets.resign()))
    settle(table)
    player = next(p for p in table.values() if p.owed() is not None)
    give(table, player.entry("resign", player.secrets.resign()))
    one = same_everywhere(table)
    winner = "c" if player.seat == "b" else "b"
    assert one.ledger.position.outcome is not None and one.ledger.position.outcome.winners == (winner,)


@pytest.mark.parametrize(
    ("spoil", "broken"),
    [
        (lambda body: Resign(), "SecretWrong"),
        (lambda body: replace(body, secret="00" * 32), "SecretWrong"),
        (lambda body: replace(body, box="00" * 32), "BoxKeyWrong"),
        (lambda body: replace(body, former=("00" * 32,)), "FormerSecretMissing"),
    ],
)
def test_a_false_secret_is_a_breach(spoil, broken: str) -> None:
    """The pieces bring the true secret, and the game goes on as after a resignation."""
    table = table_of(3)
    give(table, table["a"].entry("resign", spoil(table["a"].secrets.resign())))
    one = same_everywhere(table)
    assert one.ledger.state.gone["a"].why is Why.BREACH and fault(one, "a") == broken
    settle(table)
    one = same_everywhere(table)
    assert one.ledger.state.opened == {"a": table["a"].secrets.secret.hex()} and one.asked in ("b", "c")


@pytest.mark.parametrize("seed", range(3))
def test_bad_mail_and_a_resignation_still_make_one_log(seed: int) -> None:
    table = players(4)
    rng = random.Random(f"resigns {seed}")

    class Resigning(Network):
        def act(self, player: Player) -> bool:
            owed = player.owed()
            if player.seat == "d" and owed is not None and owed.lane == "decide" and rng.random() < 0.4:
                self.send(player.entry("resign", player.secrets.resign()), player)
                return True
            return super().act(player)

    network = Resigning(table, rng)
    network.play()
    one = same_everywhere(table)
    assert one.over and set(one.ledger.state.gone) == {"d"} and one.ledger.split is None
    assert "resign" in [entry_of(raw).head.kind for raw in network.sent]


# --- draws


def test_a_draw_is_agreed_when_all_offer_it() -> None:
    table = table_of(3)
    for seat in "bc":
        give(table, table[seat].entry("draw", Draw()))
    give(table, table["a"].entry("note", Note()))
    assert not table["a"].over, "a has not offered it"
    give(table, table["a"].entry("draw", Draw()))
    give(table, table["a"].entry("note", Note()))
    one = same_everywhere(table)
    assert one.over and one.ledger.position.outcome is not None
    assert (
        one.ledger.position.outcome.winners == () and one.ledger.position.outcome.reason.event == "DrawAgreed"
    )


def test_in_a_sealed_round_the_first_of_those_who_decide_notes_it() -> None:
    table = players(3)
    reach(table, "bid", random.Random(2))
    sealed = table["b"].decide(random.Random(1))
    assert sealed is not None
    give(table, sealed)
    for player in table.values():
        give(table, player.entry("draw", Draw()))
    give(table, table["b"].entry("note", Note()))
    give(table, table["c"].entry("note", Note()))
    assert not table["a"].over
    give(table, table["a"].entry("note", Note()))
    assert same_everywhere(table).over
    assert sealed not in [logged.entry.raw for logged in table["a"].log]


def test_different_offers_are_no_agreement() -> None:
    table = table_of(3)
    play(table, "a", "swear")
    play(table, "a", "swear")
    give(table, table["a"].entry("take-back", TakeBack(1)))
    give(table, table["b"].entry("take-back", TakeBack(1)))
    give(table, table["c"].entry("take-back", TakeBack(0)))
    give(table, table["a"].entry("note", Note()))
    one = same_everywhere(table)
    assert one.ledger.position.players["a"].points == 2 and one.ledger.state.number == 2


# --- other terms


def test_all_agree_on_other_clocks() -> None:
    table = table_of(2)
    agree(table, "terms", Terms(move=1000, grace=5))
    one = same_everywhere(table)
    usual, now = one.contract.invite.clocks, clocks_of(one.contract, one.ledger.state)
    assert (now.move, now.grace) == (1000, 5) and (now.audit, now.absence) == (usual.audit, usual.absence)
    assert one.asked == "a", "the question is open again"


def test_a_version_of_the_rules_that_this_game_does_not_have_cannot_be_agreed_on() -> None:
    table = table_of(2)
    agree(table, "terms", Terms(version="9.9"))
    assert same_everywhere(table).ledger.state.number == 0


# --- take-backs


@pytest.mark.parametrize("count", [2, 3])
def test_all_agree_and_the_position_goes_back_while_the_log_goes_on(count: int) -> None:
    table = table_of(count)
    play(table, "a", "swear")
    before = table["a"].ledger.position.text()
    play(table, "a", "swear")
    number, links = table["a"].ledger.state.number, table["a"].ledger.state.seats["a"].links
    agree(table, "take-back", TakeBack(1))
    one = same_everywhere(table)
    assert one.ledger.position.text() == before
    assert one.ledger.state.number == number + count + 1, "nothing is deleted"
    assert one.ledger.state.seats["a"].links == links == 2
    assert "all agree: back to the position after entry 1" in texts(table)
    play(table, "a", "done")
    same_everywhere(table)


def test_one_seat_that_does_not_agree_keeps_the_position() -> None:
    table = table_of(3)
    play(table, "a", "swear")
    for seat in "ab":
        give(table, table[seat].entry("take-back", TakeBack(0)))
    give(table, table["a"].entry("note", Note()))
    assert same_everywhere(table).ledger.position.players["a"].points == 1


def test_a_die_that_was_taken_back_falls_anew_from_links_that_nobody_has_seen() -> None:
    table = table_of(2)
    play(table, "a", "swear")
    play(table, "a", "hit b")
    state = table["a"].ledger.state
    event, seen = state.event, revealed(table)
    assert event == 1 and state.barrier == 0
    agree(table, "take-back", TakeBack(1))
    one = same_everywhere(table)
    assert one.ledger.position.players["b"].stones == 3 and one.ledger.state.seed == ""
    play(table, "a", "hit b")
    one = same_everywhere(table)
    assert one.ledger.state.event == 2
    used = revealed(table)[len(seen) :]
    assert len(used) == 2 and not set(used) & set(seen)


def revealed(table: dict[str, Player]) -> list[str]:
    return [link for one in table["a"].log if (link := getattr(one.entry.body, "link", ""))]


def test_to_go_back_to_where_a_die_waits_asks_all_for_new_links() -> None:
    """After entry 1 the die of a's hit is due; going back there throws it again, with fresh links of both."""
    table = table_of(2)
    play(table, "a", "hit b")
    agree(table, "take-back", TakeBack(1))
    assert set(table["a"].ledger.missing()) == {"a", "b"}
    settle(table)
    assert same_everywhere(table).ledger.state.event == 2


@pytest.mark.parametrize("kind", ["deed", "bid", "chits"])
def test_nothing_is_taken_back_across_a_private_draw_an_opening_or_a_seal(kind: str) -> None:
    table = players(2)
    rng = random.Random(5)
    reach(table, kind, rng)
    state, text = table["a"].ledger.state, table["a"].ledger.text
    assert 0 < state.barrier <= state.number
    agree(table, "take-back", TakeBack(state.barrier - 1))
    assert same_everywhere(table).ledger.text == text
    play_out(table, rng)
    assert same_everywhere(table).over


def test_every_hidden_thing_of_a_random_game_sets_the_barrier() -> None:
    """Whatever leaves or enters the hidden slots, or opens one, happens at or before the barrier."""
    table = players(3)
    play_out(table, random.Random(6))
    before = table["a"].first
    for logged in table["a"].log:
        old, new = sections(before), sections(logged.position)
        if old != new and logged.position != before:
            assert f"\nbarrier = {logged.number}\n" in logged.position, logged.text()
        before = logged.position


def sections(text: str) -> tuple[str, str]:
    """The hidden slots and the decks of a position."""
    found = {"hidden": "", "decks": ""}
    for name in found:
        _, _, rest = text.partition(f"\n[{name}]\n")
        found[name] = rest.partition("\n[")[0]
    return found["hidden"], found["decks"]


def test_who_decides_may_play_on_though_all_have_offered_to_go_back() -> None:
    table = table_of(2)
    play(table, "a", "swear")
    for player in table.values():
        give(table, player.entry("take-back", TakeBack(0)))
    raw = orders(table["a"], "swear")
    assert len(entry_of(raw).head.seen) == 2
    give(table, raw)
    assert same_everywhere(table).ledger.position.players["a"].points == 2
