"""Cheats with new keys: chains that fit what is known, seats that change hands, secrets that get lost."""

from __future__ import annotations

from pbem.protocol.crypto.chance import integers, seed
from pbem.protocol.papers.bodies import Rekey
from pbem.protocol.papers.contract import game_secret, table_secret
from pbem.protocol.rounds import carry_out
from pbem.protocol.rounds.new_keys import make_paper
from pbem.protocol.rounds.own_secrets import chain_of
from pbem.protocol.rounds.runner import Runner
from tests.cheats.kit import End, cheat, nothing
from tests.scenes import orders, table_of
from tests.table import entry_of, give, key_of, settle
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
    give(table, a.entry("rekey", Rekey(make_paper(contract, "b", new, nonce).decode())))
    table["b"] = with_new_key(b, new, nonce=nonce)
    settle(table)
    rolled = [e.data["values"] for one in a.log for e in one.events if "bounds" in e.data]
    used = [one.entry.seat for one in a.log if getattr(one.entry.body, "link", "")]
    return rolled == [[0]] and used == ["a", "b"]
