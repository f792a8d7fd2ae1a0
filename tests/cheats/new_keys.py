"""Cheats with new keys: chains that fit what is known, seats that change hands, secrets that get lost."""

from __future__ import annotations

from contextlib import suppress

from pbem.errors import VerificationError
from pbem.protocol.crypto.chance import integers, seed
from pbem.protocol.papers.acceptance import table_secret
from pbem.protocol.papers.contract import Contract, game_secret
from pbem.protocol.papers.paper import Paper
from pbem.protocol.rounds import carry_out, key_papers, new_keys
from pbem.protocol.rounds.key_papers import NewKeys, make_paper
from pbem.protocol.rounds.own_knowledge import chain_of
from pbem.protocol.rounds.runner import Runner
from tests.cheats.kit import End, cheat, nothing
from tests.scenes import orders, table_of
from tests.table import entry_of, give, key_of, paper_of, settle
from tests.test_ledger_keys import with_new_key


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
