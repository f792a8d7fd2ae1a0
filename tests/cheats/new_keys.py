"""Cheats with new keys: chains that fit what is known, seats that change hands, secrets that get lost."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter

from pbem.errors import VerificationError
from pbem.protocol.crypto.chance import integers, seed
from pbem.protocol.log import ledger
from pbem.protocol.log.audit import Auditor
from pbem.protocol.papers.acceptance import table_secret
from pbem.protocol.papers.bodies import Note
from pbem.protocol.papers.contract import Contract, game_secret
from pbem.protocol.papers.paper import Paper
from pbem.protocol.rounds import carry_out, deck_duties, key_papers, new_keys
from pbem.protocol.rounds.key_papers import NewKeys, make_paper
from pbem.protocol.rounds.own_knowledge import chain_of
from pbem.protocol.rounds.runner import Runner
from tests.adversary.comfort import verified
from tests.cheats.kit import End, cheat, end_of, nothing
from tests.scenes import orders, table_of
from tests.table import Player, entry_of, give, key_of, paper_of, players, settle
from tests.test_ledger_keys import consent, with_new_key


@cheat(End.HEALED, (Runner, "committed", nothing), (carry_out, "pass_over_links", nothing))
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
    give(table, a.entry("rekey", a.secrets.consent(paper_of(b, new, nonce))))
    table["b"] = with_new_key(b, new, nonce=nonce)
    settle(table)
    rolled = [e.data["values"] for one in a.log for e in one.events if "bounds" in e.data]
    used = [one.entry.seat for one in a.log if getattr(one.entry.body, "link", "")]
    return rolled == [[0]] and used == ["a", "b"]


def _anybody(contract: Contract, told: NewKeys, paper: Paper) -> str:
    """As if a paper needed no signature of its seat."""
    return "nobody's key"


def _gives_away(count: int) -> bool:
    """All others agree to a key of theirs for a, who is asked and has not signed for it."""
    table = table_of(count, salt="away")
    a, theirs = table["a"], key_of("a", "theirs")
    paper = make_paper(a.contract, a.ledger.state, "a", a.key.public, theirs, bytes(32), theirs).decode()
    for other in list(table)[1:]:
        give(table, table[other].entry("rekey", table[other].secrets.consent(paper)))
    with suppress(VerificationError):
        give(table, orders(a, "swear"))
    return any(player.ledger.keys()["a", "decide"] == theirs.public for player in table.values())


@cheat(End.REFUSED, (key_papers, "signed_with", _anybody), (new_keys, "signed_with", _anybody))
def the_opponent_gives_your_seat_a_key_of_its_own() -> bool:
    """With two seats "all others" is the opponent alone, who would play both sides from then on."""
    return _gives_away(2)


@cheat(End.REFUSED, (key_papers, "signed_with", _anybody), (new_keys, "signed_with", _anybody))
def all_others_give_a_seat_to_a_key_of_theirs() -> bool:
    """With three seats two that have agreed do the same to the third."""
    return _gives_away(3)


@cheat(End.HEALED, (ledger, "_room", attrgetter("number")))
def the_thief_of_an_old_key_fills_the_room_of_the_new_one() -> bool:
    """Many entries with the number that the seat signs next, by the key that was replaced, as from before."""
    table = table_of(3, salt="room")
    thief = Player(table["a"].contract, "a", table["a"].key, table["a"].rules)
    stolen = [thief.entry("note", Note()) for _ in range(40)]
    new = key_of("a", "new")
    consent(table, "a", new)
    table["a"] = with_new_key(table["a"], new)
    raw = orders(table["a"], "swear")
    for player in table.values():
        for one in (*stolen, raw):
            with suppress(VerificationError):
                player.receive(one)
    return table["b"].ledger.position.players["a"].points == 0


# --- secrets that get lost


def _goes_on(table: dict[str, Player], rng: random.Random) -> bytes | None:
    """The next answer or decision of anybody, given to all; None when the game is over."""
    found = next((r for p in table.values() if (r := p.answer() or p.decide(rng)) is not None), None)
    if found is not None:
        give(table, found)
    return found


def _with_a_new_key(deck: str, salt: str, rng: random.Random) -> dict[str, Player] | None:
    """a has shuffled and drawn, and goes on with a new key; None if it was never asked after that."""
    table = players(2, options={"deck": deck}, salt=salt)
    while table["b"].asked != "a" or not table["b"].ledger.state.event:
        if _goes_on(table, rng) is None:
            return None
    new = key_of("a", "new")
    consent(table, "a", new)
    table["a"] = with_new_key(table["a"], new)
    return table


def _publish(table: dict[str, Player]) -> None:
    """a keeps back the secret from before."""
    a = table["a"]
    give(table, a.entry("audit", replace(a.secrets.audit(), former=())))
    give(table, table["b"].audit() or b"")


@cheat(End.NAMED, (deck_duties, "_note_former", nothing))
def a_stacked_deck_is_lost_with_the_key_that_stacked_it() -> End:
    """a uses the deck's keys, which its first secret made, until the end; then it has lost that secret."""
    for salt in range(30):
        rng = random.Random(salt)
        table = _with_a_new_key("shared", f"stacked {salt}", rng)
        used = False
        if table is None:
            continue
        while (raw := _goes_on(table, rng)) is not None:
            used = used or (entry_of(raw).seat == "a" and bool(getattr(entry_of(raw).body, "deck", ())))
        if used and table["a"].over:
            _publish(table)
            return end_of(table, "a")
    raise AssertionError("it never came to that")


@cheat(End.REFUSED, (Auditor, "_gap", nothing))
def what_only_a_lost_secret_could_show_is_called_lawful() -> bool:
    """What a hid before its keys were changed nobody can look at any more."""
    rng = random.Random(7)
    table = _with_a_new_key("own", "lost", rng)
    assert table is not None
    while _goes_on(table, rng) is not None:
        pass
    _publish(table)
    found = verified(table["b"])
    assert found.ok and found.problem is None, "nobody is named for a loss"
    return found.audited["a"]
