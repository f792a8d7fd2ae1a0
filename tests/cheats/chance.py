"""Cheats with dice, draws and links: foreseeing, grinding, stacking for a known seed, showing two faces."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import tests.table
from pbem.protocol.crypto import sealing
from pbem.protocol.crypto.canonical import digest
from pbem.protocol.crypto.chance import integers, seed
from pbem.protocol.log import doubles
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.papers.bodies import Answers, Note, TakeBack
from pbem.protocol.papers.body_checks import pack_box
from pbem.protocol.papers.entry import compose
from pbem.protocol.papers.times import seconds, stamp
from pbem.protocol.rounds import due, in_turn
from pbem.protocol.rounds.due import Due
from pbem.protocol.rounds.events import TakenBack
from pbem.protocol.rounds.runner import Runner
from tests.attack_kit import Reshuffling
from tests.cheats.kit import TRIES, End, cheat, end_of, never, nothing
from tests.scenes import Weather, orders, reach, table_of
from tests.table import Player, entry_of, give, players, settle


def later(raw: bytes, player: Player, by: int, body: Any = None) -> bytes:
    """The same decision, dated some seconds later: other bytes, another id."""
    entry = entry_of(raw)
    head = replace(entry.head, sent=stamp(seconds(entry.head.sent) + by))
    return compose(head, body or entry.body, player.key)


def first_number(player: Player, decisions: list[bytes], links: list[str], bound: int) -> int:
    """What a seat works out for itself: the first number that would fall from these decisions and links."""
    state = player.ledger.state
    ids = [bytes.fromhex(d) for d in state.decisions] + [bytes.fromhex(entry_of(d).id) for d in decisions]
    made = seed(player.contract.game, state.event + 1, ids, [bytes.fromhex(link) for link in links])
    return integers(made, 0, (bound,))[0]


def numbers(player: Player) -> list[int]:
    """Every first number that has fallen, in order."""
    return [e.data["values"][0] for one in player.log for e in one.events if "bounds" in e.data]


# --- dice after one decision: the decider must not know the others' links


def keeps_links(runner: Any, deciders: list[str], entries: Any) -> None:
    """As if links released before a decision could serve a die after it."""
    fresh = dict(runner.state.fresh)
    REAL_NEW_DECISION(runner, deciders, entries)
    runner.state.fresh = {s: link for s, link in fresh.items() if s not in deciders}


REAL_NEW_DECISION = in_turn._new_decision


def hurt_by_a() -> dict[str, Player]:
    """a has hit b, b has named its loss (its link is out), and a may boast and hit again."""
    for salt in range(30):
        table = table_of(2, salt=f"hurt {salt}")
        give(table, orders(table["a"], "hit b"))
        settle(table)
        if table["b"].owed() is not None and table["b"].owed().lane == "decide":
            give(table, orders(table["b"], "lose face"))
            give(table, orders(table["a"], "boast 0"))
            return table
    raise AssertionError("no hit in thirty tries")


def the_decider_picks_the_second_it_signs() -> bool:
    """b's link came with its last decision; a dates its next hit so that a six would follow from it."""
    table = hurt_by_a()
    a, b = table["a"], table["b"]
    known = a.log[-2].entry.body.link
    assert a.log[-2].entry.seat == "b"
    plain = orders(a, "hit b")
    for wait in range(200):
        raw = later(plain, a, wait)
        if first_number(a, [raw], [entry_of(raw).body.link, known], 6) == 5:
            break
    give(table, raw)
    fell = a.ledger.state.event
    settle(table)
    assert b.ledger.state.verdict is None
    return fell == 2 and numbers(a)[-1] == 5  # at once, without a new link of b, and as foreseen


cheat(End.HEALED, (in_turn, "_new_decision", keeps_links))(the_decider_picks_the_second_it_signs)


# --- the responder must not choose among its links


def takes_any_later_link(runner: Any, seat: str, mine: Any, link: bytes) -> bool:
    for _ in range(8):
        link = digest("chain", runner.contract.listed, seat, link)
        if link.hex() == mine.link:
            return True
    return False


def the_responder_picks_one_of_its_next_links() -> bool:
    """At a table where the honest link is not its best, b answers with a later one."""
    return next(won for n in range(20) if (won := _picks_a_link(f"responder {n}")) is not None)


def _picks_a_link(salt: str) -> bool | None:
    table = table_of(2, salt=salt)
    a, b = table["a"], table["b"]
    raw = orders(a, "hit b")
    give(table, raw)
    chain = b.secrets._chain(0)
    links = [chain.link(n).hex() for n in range(1, 9)]
    state = replace_decisions(b, raw)
    best = max(links, key=lambda link: first_number_from(b, state, [entry_of(raw).body.link, link]))
    wanted = first_number_from(b, state, [entry_of(raw).body.link, best])
    if best == links[0]:
        return None
    give(table, b.entry("answers", Answers(link=best)))
    return a.ledger.state.verdict is None and numbers(a)[-1:] == [wanted]


def replace_decisions(player: Player, raw: bytes) -> list[bytes]:
    assert player.ledger.state.decisions == (entry_of(raw).id,)
    return [bytes.fromhex(d) for d in player.ledger.state.decisions]


def first_number_from(player: Player, ids: list[bytes], links: list[str]) -> int:
    made = seed(player.contract.game, player.ledger.state.event + 1, ids, [bytes.fromhex(x) for x in links])
    return integers(made, 0, (6,))[0]


cheat(End.NAMED, (in_turn, "_follows", takes_any_later_link))(the_responder_picks_one_of_its_next_links)


def the_responder_throws_a_bad_link_away() -> End:
    """b shows its next link in an answer to a round that is not there, and uses the one after it."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    give(table, orders(a, "hit b"))
    honest = b.secrets.next_link()
    wasted = compose(replace(b.head("answers"), head="12" * 32), Answers(link=honest), b.answering)
    give(table, wasted)
    give(table, b.entry("answers", Answers(link=b.secrets._chain(0).link(2).hex())))
    return end_of(table, "b")


cheat(End.NAMED, (in_turn, "_follows", takes_any_later_link))(the_responder_throws_a_bad_link_away)


# --- dice after several decisions, and the cup


def deciders_links_count(runner: Any, owed: Due, body: Any, deciders: int) -> None:
    """As if the links that ride with sealed decisions were enough for the die after them."""
    REAL_TAKE_LINK(runner, owed, body, 1)


REAL_TAKE_LINK = in_turn._take_link


def the_last_to_seal_draws_its_own_chit() -> bool:
    """Both bids are in; b, the last, has seen a's entry and dates its own so that its chit is drawn."""
    return all(_draws_its_own_chit(f"cup {n}") for n in range(TRIES))


def _draws_its_own_chit(salt: str) -> bool:
    table = players(2, salt=salt)
    rng = random.Random(2)
    reach(table, "bid", rng)
    a, b = table["a"], table["b"]
    first = a.decide(rng)
    assert first is not None
    give(table, first)
    cup = b.ledger.position.cup
    plain = b.decide(rng)
    assert plain is not None
    for wait in range(100):
        raw = later(plain, b, wait)
        links = [entry_of(first).body.link, entry_of(raw).body.link]
        drawn = cup[first_number(b, [first, raw], links, len(cup))]
        if drawn == "s1.b.1":
            break
    give(table, raw)
    settle(table)
    draws = [e.data["draw"] for one in a.log for e in one.events if "draw" in e.data]
    return draws[:1] == ["s1.b.1"]


cheat(End.HEALED, (in_turn, "_take_link", deciders_links_count))(the_last_to_seal_draws_its_own_chit)


# --- scheduled dice


def everybody_early(pos: Any, state: Any, options: Any) -> list[str]:
    """As if the scheduled seat's own link could ride early too."""
    return [s for s in pos.seats if s != options.seat] if options.scheduled else []


def the_decider_makes_the_weather() -> bool:
    return all(_makes_the_weather(f"sky {n}") for n in range(TRIES))


def _makes_the_weather(salt: str) -> bool:
    table = table_of(3, Weather(), salt=salt)
    a = table["a"]
    early = {}
    for seat in "bc":
        raw = table[seat].answer()
        if raw is not None:
            early[seat] = entry_of(raw).body.link
            give(table, raw)
    plain = orders(a, "done")
    for wait in range(200):
        raw = later(plain, a, wait)
        links = [entry_of(raw).body.link, early.get("b", "00" * 32), early["c"]]
        if first_number(a, [raw], links, 6) == 5:
            break
    give(table, raw)
    settle(table)
    return a.ledger.position.weather[:1] == (6,)


cheat(End.HEALED, (due, "_early", everybody_early))(the_decider_makes_the_weather)


# --- own decks: no shuffle after the seed is known


def the_shuffler_lays_gold_where_it_will_be_drawn() -> bool:
    """The seed is known when a shuffles: it works out which slot will be drawn and puts the gold there."""
    return all(_lays_gold(f"own deck {n}") for n in range(TRIES))


def _lays_gold(salt: str) -> bool:
    table = table_of(2, Reshuffling(), salt=salt)
    a = table["a"]
    give(table, orders(a, "done"))
    for player in (table["b"], a):
        raw = player.answer() if player.owed() and player.owed().link else None
        if raw is not None:
            give(table, raw)
    wait = a.owed().shuffle
    assert wait is not None and a.ledger.state.seed
    state = a.ledger.state
    slot = integers(bytes.fromhex(state.seed), state.request, (len(wait.cards),))[0]
    cards = [c for c in wait.cards if c != "gold"]
    cards.insert(slot, "gold")
    name = f"{wait.deck}-{wait.epoch}"
    commits = []
    for number, card in enumerate(cards):
        place = f"slot {name}.{number}"
        nonce = sealing.nonce(a.secrets.secret, a.secrets.game, place, card)
        commits.append(sealing.commitment(a.secrets.game, "a", place, card.encode(), nonce).hex())
    box = sealing.box_for_self(
        a.secrets.secret, a.secrets.game, "a", f"deck {name}", "\n".join(cards).encode()
    )
    give(table, a.entry("answers", Answers(commits=tuple(commits), box=pack_box(box))))
    settle(table)
    return list(a.secrets.view().known.values()) == ["gold"]


cheat(End.HEALED, (Runner, "committed", nothing))(the_shuffler_lays_gold_where_it_will_be_drawn)


def the_last_shuffler_knows_the_slot() -> bool:
    """The same for a shared deck: whoever shuffles last must not know which slot will be drawn."""
    return all(_knows_the_slot(f"shared deck {n}") for n in range(TRIES))


def _knows_the_slot(salt: str) -> bool:
    table = table_of(2, Reshuffling(), salt=salt, scenario="long", options={"deck": "shared"})
    a, b = table["a"], table["b"]
    give(table, orders(a, "done"))
    foreseen = None
    while (raw := b.answer() or a.answer()) is not None:
        if entry_of(raw).seat == "b" and entry_of(raw).body.deck and foreseen is None:
            state = b.ledger.state
            if state.seed:
                foreseen = integers(bytes.fromhex(state.seed), state.request, (6,))[0]
        give(table, raw)
    dealt = [e.data["cards"] for one in b.log for e in one.events if "cards" in e.data]
    return foreseen is not None and dealt == [[f"deck-1.{foreseen}"]]


cheat(End.HEALED, (Runner, "committed", nothing))(the_last_shuffler_knows_the_slot)


# --- doubles


def two_faces() -> bool:
    """a tells b one thing and c another, with one number, and both go on as if nothing had happened."""
    table = table_of(3, salt="faces")
    a, b, c = table.values()
    head = a.head("orders")
    one = compose(head, a.secrets.orders("swear"), a.key)
    other = compose(head, a.secrets.orders("done"), a.key)
    b.receive(one)
    c.receive(other)
    b.receive(other)
    c.receive(one)
    return b.ledger.state.verdict is None and b.ledger.text != c.ledger.text


cheat(End.HEALED, (doubles, "is_double", never), (tests.table, "is_double", never))(two_faces)


def answers_any_head(self: Ledger, seat: str, lane: str, fits: Any) -> Any:
    """As if an answer to one entry were an answer to another with the same number."""
    chain = self.chain(seat, lane)
    return next((chain[: n + 1] for n, e in enumerate(chain) if fits(e)), None)


def the_forger_shows_a_stranger_a_better_die() -> bool:
    """a hits, sees b's link, and makes up another hit with a six for somebody who saw neither."""
    table = table_of(2, salt="forger")
    a, b = table["a"], table["b"]
    first = orders(a, "hit b")
    b.receive(first)
    answer = b.answer()
    assert answer is not None
    known = entry_of(answer).body.link
    for wait in range(1, 200):
        second = later(first, a, wait)
        if first_number(a, [second], [entry_of(second).body.link, known], 6) == 5:
            break
    stranger = Player(a.contract, "b", b.key, a.rules)
    for raw in (second, answer):
        stranger.receive(raw)
    return stranger.ledger.state.verdict is None and numbers(stranger)[-1:] == [5]


cheat(End.HEALED, (Ledger, "_upto", answers_any_head))(the_forger_shows_a_stranger_a_better_die)


def _keeps_offers(state: Any) -> None:
    """As if an offer stood while others play on."""


@cheat(End.HEALED, (in_turn, "_offers_lapse", _keeps_offers))
def an_offer_to_go_back_is_kept_until_the_die_is_known() -> bool:
    """b would take its last move back; a plays on, looks at its die, and agrees when it does not like it."""
    table = table_of(2)
    a, b = table["a"], table["b"]
    give(table, b.entry("take-back", TakeBack(0)))
    give(table, orders(a, "hit b"))
    settle(table)
    give(table, a.entry("take-back", TakeBack(0), a.unseen()))
    if b.owed() is not None:
        give(table, b.entry("note", Note(), b.unseen()))
    return any(isinstance(event, TakenBack) for one in b.log for event in one.events)
