"""What players settle beside the rules: resignation, draws, take-backs."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pbem.protocol.papers.bodies import Draw, Note, Resign, Standing, TakeBack
from tests.scenes import orders, play, reach, table_of, texts, why
from tests.table import Network, Player, entry_of, give, play_out, players, same_everywhere, settle

# --- resignation


@pytest.mark.parametrize("in_turn", [True, False])
def test_of_two_seats_the_other_wins(in_turn: bool) -> None:
    table = table_of(2)
    loser, winner = ("a", "b") if in_turn else ("b", "a")
    give(table, table[loser].entry("resign", table[loser].secrets.resign()))
    if not in_turn:
        assert not table["a"].over
        give(table, table["a"].entry("note", Note(), table["a"].unseen()))
    one = same_everywhere(table)
    assert one.ledger.position.outcome is not None
    assert one.ledger.position.outcome.winners == (winner,)
    assert set(one.ledger.due()) == {"a", "b"}, "the audit follows"


@pytest.mark.parametrize("deck", ["own", "shared"])
@pytest.mark.parametrize("count", [3, 4])
def test_of_more_seats_the_one_that_resigned_plays_on_in_the_open(count: int, deck: str) -> None:
    """After a few decisions the last seat resigns; the others bring the game to its end without it."""
    for seed in range(3):
        table = players(count, options={"deck": deck})
        rng = random.Random(f"{count} {deck} {seed}")
        reach(table, rng.choice(["bid", "chits", "deed"]), rng)
        gone = list(table)[-1]
        give(table, table[gone].entry("resign", table[gone].secrets.resign()))
        left = {seat: player for seat, player in table.items() if seat != gone}
        asked = next((p for p in left.values() if p.owed() and p.owed().lane == "decide"), None)
        if asked is None:
            assert gone in table["a"].ledger.state.opened, "it was asked, and resigned instead"
        elif len([d for d in asked.ledger.due().values() if d.lane == "decide"]) == 1:
            give(table, asked.entry("note", Note(), asked.unseen()))
        else:
            give(table, asked.decide(rng) or b"")
        made = play_out(left, rng)
        assert gone in next(iter(left.values())).ledger.state.opened
        for raw in made:
            table[gone].receive(raw)
        one = same_everywhere(table)
        assert one.over and one.ledger.state.verdict is None
        mine = [logged.entry for logged in one.log if logged.entry.seat == gone]
        assert mine[-1].head.kind == "resign"
        assert f"{gone} resigns and plays on in the open, by default" in texts(table)
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
    give(table, table["b"].entry("resign", table["b"].secrets.resign()))
    play(table, "a", "done")
    assert next(e for e in texts(table) if e.startswith("b: ")).startswith("b: hit a")
    assert table["a"].asked in ("a", "c")
    give(table, table["b"].entry("standing", Standing("loss", ("lose face",))))
    for _ in range(4):
        seat = table["a"].asked
        if seat in ("a", "c"):
            kind = table[seat].owed().options.kind
            play(table, seat, {"deed": "done", "loss": "lose face", "boast": "boast 0"}[kind])
    one = same_everywhere(table)
    assert "b plays in the open: this has no effect" in texts(table)
    assert not one.ledger.state.standing and "b" not in one.ledger.due()


def test_who_resigns_last_but_one_leaves_a_winner() -> None:
    table = table_of(3)
    give(table, table["b"].entry("resign", table["b"].secrets.resign()))
    play(table, "a", "done")
    player = next(p for p in table.values() if p.owed() is not None)
    give(table, player.entry("resign", player.secrets.resign(), player.unseen()))
    one = same_everywhere(table)
    winner = "c" if player.seat == "a" else "a"
    assert one.ledger.position.outcome is not None and one.ledger.position.outcome.winners == (winner,)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda body: Resign(), "the published secret is not the one that was committed to"),
        (lambda body: replace(body, secret="00" * 32), "the published secret is not the one"),
        (lambda body: replace(body, box="00" * 32), "the published box key is not the one of the contract"),
        (lambda body: replace(body, former=("00" * 32,)), "a published former secret is not one"),
    ],
)
def test_a_false_secret_is_a_breach(spoil, words: str) -> None:
    table = table_of(3)
    give(table, table["a"].entry("resign", spoil(table["a"].secrets.resign())))
    verdict = same_everywhere(table).ledger.state.verdict
    assert verdict is not None and verdict.culprit == "a" and words in why(table["b"])


@pytest.mark.parametrize("seed", range(3))
def test_bad_mail_and_a_resignation_still_make_one_log(seed: int) -> None:
    table = players(4)
    rng = random.Random(f"resigns {seed}")
    network = Network(table, rng)

    class Resigning(Network):
        def aside(self, player: Player) -> bytes:
            if player.seat == "d" and rng.random() < 0.4:
                return player.entry("resign", player.secrets.resign(), player.unseen())
            return super().aside(player)

    network = Resigning(table, rng)
    network.play()
    one = same_everywhere(table)
    assert one.over and one.ledger.state.verdict is None
    assert "resign" in [entry_of(raw).head.kind for raw in network.sent]


# --- draws


def test_a_draw_is_agreed_when_all_offer_it() -> None:
    table = table_of(3)
    for seat in "bc":
        give(table, table[seat].entry("draw", Draw()))
    give(table, table["a"].entry("note", Note(), table["a"].unseen()))
    assert not table["a"].over, "a has not offered it"
    give(table, table["a"].entry("draw", Draw(), table["a"].unseen()))
    one = same_everywhere(table)
    assert one.over and one.ledger.position.outcome is not None
    assert (
        one.ledger.position.outcome.winners == () and one.ledger.position.outcome.reason.event == "DrawAgreed"
    )


def test_who_plays_on_has_refused_what_was_offered() -> None:
    table = table_of(3)
    for seat in "bc":
        give(table, table[seat].entry("draw", Draw()))
    play(table, "a", "swear")
    give(table, table["a"].entry("draw", Draw()))
    assert not table["a"].over and table["b"].ledger.state.offers == {"a": "draw"}


def test_an_offer_ends_with_the_next_order_of_its_author() -> None:
    table = table_of(2)
    give(table, table["a"].entry("draw", Draw()))
    assert table["b"].ledger.state.offers == {"a": "draw"}
    play(table, "a", "swear")
    assert table["b"].ledger.state.offers == {}
    give(table, table["b"].entry("draw", Draw()))
    play(table, "a", "swear")
    assert not same_everywhere(table).over


# --- take-backs


def take_back(table: dict[str, Player], to: int, asked: str = "a") -> None:
    """The seat that is asked offers it, the others accept out of turn, the first takes note."""
    give(table, table[asked].entry("take-back", TakeBack(to), table[asked].unseen()))
    for seat, player in table.items():
        if seat != asked:
            give(table, player.entry("take-back", TakeBack(to)))
    give(table, table[asked].entry("note", Note(), table[asked].unseen()))


@pytest.mark.parametrize("count", [2, 3])
def test_all_agree_and_the_position_goes_back_while_the_log_goes_on(count: int) -> None:
    table = table_of(count)
    play(table, "a", "swear")
    before = table["a"].ledger.position.text()
    play(table, "a", "swear")
    number, links = table["a"].ledger.state.number, table["a"].ledger.state.seats["a"].links
    take_back(table, 1)
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
    give(table, table["b"].entry("take-back", TakeBack(0)))
    give(table, table["a"].entry("take-back", TakeBack(0), table["a"].unseen()))
    assert same_everywhere(table).ledger.position.players["a"].points == 1


def test_a_die_that_was_taken_back_falls_anew_from_links_that_nobody_has_seen() -> None:
    table = table_of(2)
    play(table, "a", "swear")
    play(table, "a", "hit b")
    state = table["a"].ledger.state
    event, seen = state.event, revealed(table)
    assert event == 1 and state.barrier == 0
    asked = table["a"].asked
    assert asked is not None
    take_back(table, 1, asked)
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
    asked = table["a"].asked
    assert asked is not None
    take_back(table, 1, asked)
    assert set(table["a"].ledger.missing()) == {"a", "b"}
    settle(table)
    assert same_everywhere(table).ledger.state.event == 2


@pytest.mark.parametrize("kind", ["deed", "bid", "chits"])
def test_nothing_is_taken_back_across_a_private_draw_an_opening_or_a_seal(kind: str) -> None:
    table = players(2)
    rng = random.Random(5)
    asked = reach(table, kind, rng)
    state = table["a"].ledger.state
    assert 0 < state.barrier <= state.number
    text = table["a"].ledger.position.text()
    if kind != "deed":
        asked = "a"
    for seat in ("a", "b"):
        body = TakeBack(state.barrier - 1)
        if seat != asked:
            give(table, table[seat].entry("take-back", body))
    player = table[asked]
    give(table, player.entry("take-back", TakeBack(state.barrier - 1), player.unseen()))
    if kind != "deed":
        for p in table.values():
            give(table, p.decide(rng) or b"")
        assert any("no take-back to entry" in text for text in texts(table))
        return
    one = same_everywhere(table)
    assert any("no take-back to entry" in text for text in texts(table))
    assert one.ledger.position.text() == text


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


def test_orders_given_together_with_the_last_consent_come_too_late() -> None:
    """a offers, b accepts, and a plays on with b's consent under `seen`: the position is another by then."""
    table = table_of(2)
    play(table, "a", "swear")
    give(table, table["a"].entry("take-back", TakeBack(0)))
    give(table, table["b"].entry("take-back", TakeBack(0)))
    links = table["a"].ledger.state.seats["a"].links
    give(table, orders(table["a"], "swear"))
    one = same_everywhere(table)
    assert one.ledger.position.players["a"].points == 0
    assert one.ledger.state.seats["a"].links == links + 1, "the link that was shown is used up"
    play(table, "a", "swear")
    assert same_everywhere(table).ledger.position.players["a"].points == 1
