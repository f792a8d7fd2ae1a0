"""Well-signed entries that lie, copy, repeat or overload: each is refused or judged, and names its author."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.notation import Handle
from pbem.errors import PbemError, VerificationError
from pbem.protocol import carrying
from pbem.protocol.bodies import Answers, Audit, Note, Opening, Rekey, SealedChoice, Standing
from pbem.protocol.chance import integers, seed
from pbem.protocol.contract import game_secret, table_secret
from pbem.protocol.entry import compose
from pbem.protocol.rekeying import make_paper
from pbem.protocol.running import Runner
from pbem.protocol.secrets import chain_of
from pbem.protocol.shapes import pack_box
from tests.attack_kit import works_only_without
from tests.scenes import orders, play, reach, table_of
from tests.table import Player, entry_of, give, key_of, play_out, players, same_everywhere, settle
from tests.test_ledger_keys import with_new_key

Change = Callable[[Any], Any]


def until(table: dict[str, Player], fits: Callable[[Any], bool], rng: random.Random) -> Player:
    """Play on until somebody owes something of this kind."""
    for _ in range(3000):
        for player in table.values():
            owed = player.owed()
            if owed is not None and fits(owed):
                return player
        raw = next((r for p in table.values() if (r := p.answer()) is not None), None)
        raw = raw or next((r for p in table.values() if (r := p.decide(rng) or p.audit()) is not None), None)
        if raw is None:
            break
        give(table, raw)
    raise AssertionError("it never came to that")


def body_of(player: Player) -> Any:
    """What the player's machine or the player would honestly give."""
    owed = player.owed()
    if owed.kind == "audit":
        return player.secrets.audit()
    if owed.lane == "answer":
        return player.secrets.answer(owed)
    move = owed.options.sample(random.Random(1), player.secrets.view(owed.options))
    if owed.kind == "sealed":
        wait = player.ledger.machine.waits_for(player.ledger.position)
        return player.secrets.sealed_choice(owed.options, move, wait.fills)
    return player.secrets.orders_of(move)


HEX = "ab" * 32
CLOSED = Handle("deck-a-1.0")

LIES: list[tuple[str, str, Callable[[Any], bool], Change, str]] = [
    (
        "a decision with a wrong link",
        "own",
        lambda d: d.kind == "orders",
        lambda b: replace(b, link=HEX),
        "the link does not follow",
    ),
    (
        "a sealed one with a wrong link",
        "own",
        lambda d: d.kind == "sealed",
        lambda b: replace(b, link=HEX),
        "the link does not follow",
    ),
    (
        "an answer with a wrong link",
        "own",
        lambda d: d.link,
        lambda b: replace(b, link=HEX),
        "the link does not follow",
    ),
    (
        "an answer without its link",
        "own",
        lambda d: d.link,
        lambda b: replace(b, link=""),
        "a link is missing",
    ),
    (
        "an opening with a link",
        "own",
        lambda d: d.opens,
        lambda b: replace(b, link=HEX),
        "a link that nobody asked for",
    ),
    (
        "too few seals",
        "own",
        lambda d: d.kind == "sealed",
        lambda b: replace(b, seals=b.seals * 3),
        "sealed slots are asked for",
    ),
    (
        "another value",
        "own",
        lambda d: d.opens,
        lambda b: replace(b, opens=(replace(b.opens[0], value="act!"),)),
        "does not fit its commitment",
    ),
    (
        "another nonce",
        "own",
        lambda d: d.opens,
        lambda b: replace(b, opens=(replace(b.opens[0], nonce=HEX),)),
        "does not fit its commitment",
    ),
    (
        "another slot",
        "own",
        lambda d: d.opens,
        lambda b: replace(b, opens=(replace(b.opens[0], slot=CLOSED),)),
        "other slots are opened",
    ),
    ("no opening", "own", lambda d: d.opens, lambda b: Answers(), "does not give what the round asks for"),
    (
        "one opening more",
        "own",
        lambda d: d.link and not d.opens,
        lambda b: replace(b, opens=(Opening(CLOSED, "gold", HEX),)),
        "does not give what the round asks for",
    ),
    (
        "a standing order that nobody asked for",
        "own",
        lambda d: d.link,
        lambda b: replace(b, standing=(Opening(CLOSED, "x", HEX),)),
        "does not give what the round asks for",
    ),
    (
        "too few commitments",
        "own",
        lambda d: d.shuffle,
        lambda b: replace(b, commits=b.commits[:-1]),
        "different commitments are asked for",
    ),
    (
        "the same commitment twice",
        "own",
        lambda d: d.shuffle,
        lambda b: replace(b, commits=(b.commits[0],) * 6),
        "different commitments are asked for",
    ),
    (
        "a shuffle without its box",
        "own",
        lambda d: d.shuffle,
        lambda b: Answers(deck=("AAAA",)),
        "does not give what the round asks for",
    ),
    (
        "cards handed over under another name",
        "own",
        lambda d: d.deliver,
        lambda b: replace(b, deliver=(replace(b.deliver[0], slot=CLOSED),)),
        "other cards are handed over",
    ),
    (
        "no message for the shared deck",
        "shared",
        lambda d: d.deck,
        lambda b: Answers(),
        "does not give what the round asks for",
    ),
    (
        "garbage for the shared deck",
        "shared",
        lambda d: d.deck,
        lambda b: replace(b, deck=("AAAA",)),
        "deck deck: ",
    ),
    (
        "another's message for the shared deck",
        "shared",
        lambda d: d.deck,
        lambda b: replace(b, deck=b.deck * 2),
        "deck deck: ",
    ),
    (
        "a false secret in the audit",
        "own",
        lambda d: d.kind == "audit",
        lambda b: Audit(HEX),
        "not the one that was committed to",
    ),
]


@pytest.mark.parametrize(("name", "deck", "fits", "lie", "words"), LIES, ids=[lie[0] for lie in LIES])
def test_a_signed_lie_ends_the_line_before_it_and_names_its_author(
    name: str, deck: str, fits: Callable[[Any], bool], lie: Change, words: str
) -> None:
    for salt in range(12):
        table = players(2, options={"deck": deck}, salt=f"{name} {salt}")
        rng = random.Random(f"{name} {salt}")
        try:
            liar = until(table, fits, rng)
        except AssertionError:
            continue
        before = liar.ledger.position.text()
        kind = liar.owed().kind
        raw = liar.entry(kind, lie(body_of(liar)))
        give(table, raw)
        while (
            more := next((r for p in table.values() if p is not liar and (r := p.answer())), None)
        ) is not None:
            give(table, more)
        for player in table.values():
            if player is not liar and player.owed() is not None:
                give(table, player.decide(rng) or player.audit() or b"")
        one = same_everywhere(table)
        verdict = one.ledger.state.verdict
        assert verdict is not None, name
        assert (verdict.culprit, verdict.entry) == (liar.seat, entry_of(raw).id)
        assert words in verdict.reason
        assert one.ledger.position.text() == before, "nothing of it is carried out"
        assert one.ledger.due() == {}
        return
    raise AssertionError("it never came to that")


# --- openings that come with orders


def of_the_other(player: Player) -> Handle:
    """A closed card of the other seat's deck."""
    return next(
        h for h in player.ledger.position.hidden if h.startswith("deck-") and f"-{player.seat}-" not in h
    )


@pytest.mark.parametrize(
    ("opening", "words"),
    [
        (lambda p, h: Opening(Handle("nowhere"), "gold", HEX), "nowhere is no closed slot"),
        (lambda p, h: Opening(h, "gold", HEX), "does not fit its commitment|is not .*'s to open"),
        (lambda p, h: Opening(of_the_other(p), "gold", HEX), "'s to open"),
    ],
)
def test_false_openings_with_orders_are_a_breach(opening: Any, words: str) -> None:
    table = players(2, salt="openings")
    seat = reach(table, "deed", random.Random(2))
    player = table[seat]
    handle = next(h for h in player.ledger.position.hidden if f"-{seat}-" in h)
    body = replace(player.secrets.orders("swear"), opens=(opening(player, handle),))
    give(table, player.entry("orders", body))
    verdict = same_everywhere(table).ledger.state.verdict
    assert verdict is not None and verdict.culprit == seat
    assert re.search(words, verdict.reason)


# --- copies and repeats


def test_an_entry_of_another_seat_lane_or_game_is_refused() -> None:
    table = table_of(2)
    a, b = table["a"], table["b"]
    raw = orders(a, "swear")
    entry = entry_of(raw)
    cases = [
        compose(replace(entry.head, seat="b"), entry.body, a.key),
        compose(replace(entry.head, game="00" * 32), entry.body, a.key),
        compose(entry.head, entry.body, b.key),
        compose(entry.head, entry.body, a.answering),
        compose(replace(entry.head, seat="z"), entry.body, a.key),
    ]
    for case in cases:
        with pytest.raises(VerificationError):
            b.receive(case)
    assert b.ledger.pool == {} and b.ledger.state.number == 0


def test_an_entry_that_comes_again_changes_nothing() -> None:
    table = players(2)
    made = play_out(table, random.Random(1))
    texts = table["a"].texts
    for raw in made:
        assert table["a"].receive(raw) == []
    assert table["a"].texts == texts and not table["a"].ledger.pool


def test_a_copied_list_of_another_seat_is_not_its_own() -> None:
    """b signs a's orders, opening, link and all: the link is not b's."""
    table = table_of(2)
    raw = orders(table["a"], "done")
    give(table, raw)
    body = entry_of(raw).body
    give(table, table["b"].entry("orders", body))
    verdict = same_everywhere(table).ledger.state.verdict
    assert verdict is not None and verdict.culprit == "b"


@pytest.mark.parametrize("seen", ["nothing there", "an own entry", "an answer", "what is logged already"])
def test_seen_that_names_what_is_no_entry_out_of_turn_moves_nobody_else(seen: str) -> None:
    table = table_of(3)
    a, b = table["a"], table["b"]
    play(table, "a", "hit b" if seen == "an answer" else "swear")
    settle(table)
    asked = next(p for p in table.values() if p.owed() is not None and p.owed().lane == "decide")
    names = {
        "nothing there": "12" * 32,
        "an own entry": entry_of(asked.entry("note", Note())).id,
        "an answer": next((o.entry.id for o in a.log if o.entry.head.kind == "answers"), "34" * 32),
        "what is logged already": a.log[0].entry.id,
    }
    number = b.ledger.state.number
    raw = asked.entry("note", Note(), (names[seen],))
    give(table, raw)
    assert b.ledger.state.verdict is None
    assert b.ledger.state.number in (number, number + 1)
    assert list(b.ledger.missing()) == [asked.seat] or b.ledger.state.number == number + 1


# --- too much of everything


def test_a_huge_list_is_carried_out_or_returned_without_fuss() -> None:
    table = table_of(2)
    text = "\n".join(["? hit z"] * 900 + ["swear"])
    body = replace(table["a"].secrets.orders("swear"), orders=text)
    give(table, table["a"].entry("orders", body))
    one = same_everywhere(table)
    assert one.ledger.position.players["a"].points == 1
    assert sum("skipped" in e.data for e in one.log[0].events) == 900


def test_boxes_of_any_size_carry_no_further_than_their_author() -> None:
    table = players(2)
    a = table["a"]
    reach(table, "chits", random.Random(1))
    honest = body_of(a)
    assert isinstance(honest, SealedChoice)
    large = replace(honest.seals[0], box=pack_box(bytes(20_000)))
    give(table, a.entry("sealed", replace(honest, seals=(large, honest.seals[1]))))
    give(table, table["b"].decide(random.Random(1)) or b"")
    settle(table)
    one = same_everywhere(table)
    assert one.ledger.state.verdict is None, "what a seat writes to itself is its own affair"
    assert a.secrets.value(Handle("s1.a.1")) is not None


def test_far_away_numbers_wait_and_block_nothing() -> None:
    table = table_of(2)
    a, b = table["a"], table["b"]
    b.receive(compose(replace(a.head("note"), seq=5), Note(), a.key))
    with pytest.raises(VerificationError, match="too far ahead"):
        b.receive(compose(replace(a.head("note"), seq=900_000), Note(), a.key))
    give(table, orders(a, "swear"))
    assert b.ledger.state.number == 1 and len(b.ledger.pool) == 1


def test_an_unreadable_order_list_is_void_not_a_crash() -> None:
    table = table_of(2)
    for text in ('"', "hit \x7fb", "    x", "?", "hit " + "b " * 2000, "🂡 " * 50):
        a = table["a"]
        body = replace(a.secrets.orders("swear"), orders=f"{text}\n")
        try:
            raw = a.entry("orders", body)
            give(table, raw)
        except PbemError:
            continue
        assert same_everywhere(table).ledger.state.verdict is None
    play(table, "a", "swear")
    assert same_everywhere(table).ledger.position.players["a"].points == 1


def test_standing_orders_with_strange_lines_never_fire() -> None:
    table = table_of(2)
    lines = ("play gold", "hit a", "lose everything", '"', "🂡")
    give(table, table["b"].entry("standing", Standing("loss", lines)))
    for _ in range(2):
        if table["a"].asked == "a":
            play(table, "a", "hit b\n    boast 0")
    one = same_everywhere(table)
    assert not any("standing" in e.data for logged in one.log for e in logged.events)


# --- a new chain that fits what is known


def keeps_everything(self: Runner) -> None:
    """As if new keys left the links that are already out as they are."""


def passes_nothing_over(runner: Any, seats: Any) -> None:
    """As if no link had been shown."""


def the_key_changer_fits_its_chain() -> bool:
    """b owes the last link of a die. It tries papers until the first link of a new chain makes a one."""
    table = table_of(2, salt="fit")
    a, b = table["a"], table["b"]
    raw = orders(a, "hit b")
    give(table, raw)
    new, contract = key_of("b", "new"), a.contract
    for n in range(200):
        nonce = bytes([n]) * 32
        secret = game_secret(table_secret(new, contract.invite.table, "b", nonce.hex()), contract.listed)
        link = chain_of(secret, contract.listed, "b", contract.invite.chain).link(1)
        links = [bytes.fromhex(entry_of(raw).body.link), link]
        if integers(seed(contract.game, 1, [bytes.fromhex(entry_of(raw).id)], links), 0, (6,)) == (0,):
            break
    give(table, a.entry("rekey", Rekey(make_paper(contract, "b", new, nonce).decode())))
    table["b"] = with_new_key(b, new, nonce=nonce)
    settle(table)
    rolled = [e.data["values"] for one in a.log for e in one.events if "bounds" in e.data]
    used = [one.entry.seat for one in a.log if getattr(one.entry.body, "link", "")]
    return rolled == [[0]] and used == ["a", "b"]


def test_new_keys_cannot_be_fitted_to_a_die(monkeypatch: pytest.MonkeyPatch) -> None:
    works_only_without(
        monkeypatch,
        the_key_changer_fits_its_chain,
        (Runner, "committed", keeps_everything),
        (carrying, "pass_over_links", passes_nothing_over),
    )
