"""The audit of what seats hid by themselves, from `pbem help protocol` alone: it imports nothing of pbem.

With the secrets that the last position publishes every seal, every shuffle of an own deck, every card handed
over and every further chain is made again, each with the secret that was in use when it was signed.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tests.second_contract import Bad, Contract
from tests.second_rounds import Round, Signed, protocol, read, rounds
from tests.second_signatures import H, K, enc
from tests.second_verifier import integer, own_box


def audit(contract: Contract, raws: Sequence[bytes], positions: Sequence[str]) -> list[str]:
    """What was looked at, in words; Bad names the entry that does not fit its author's secret."""
    entries = [read(number, raw) for number, raw in enumerate(raws, 1)]
    last = protocol(positions[-1])[1]
    secrets = {
        seat: [bytes.fromhex(one) for one in (*last.get("opened_former", {}).get(seat, ()), secret)]
        for seat, secret in last["opened"].items()
    }
    one = Audit(contract, secrets)
    found: list[str] = []
    for told in rounds(entries, positions):
        after = protocol(positions[told.number])
        if not told.undone:
            found += one.round(told, after[0])
    return found


class Audit:
    def __init__(self, contract: Contract, secrets: dict[str, list[bytes]]) -> None:
        self.contract, self.secrets = contract, secrets
        self.cards: dict[str, tuple[str, bytes]] = {}
        """By slot: the card, and the nonce of its commitment."""

    def in_use(self, told: Round, seat: str) -> bytes | None:
        """The secret with which a seat closes things in a round, if it is published."""
        of = told.before["seats"][seat]["commitment"] or self.contract.seats[seat].commitment
        found = self.secrets.get(seat, ())
        return next((s for s in found if H("secret", self.contract.listed, seat, s).hex() == of), None)

    def round(self, told: Round, game: dict[str, Any]) -> Iterator[str]:
        for entry in told.entries:
            secret = self.in_use(told, entry.seat)
            if secret is None:
                continue
            for n, seal in enumerate(entry.body.get("seals", ())):
                slot = f"s{told.game.get('serial', 0) + 1}.{entry.seat}.{n}"
                yield self._seal(entry, secret, f"slot {slot}", seal)
            parts = entry.body.get("tail", ()) if entry.kind == "orders" else ()
            for n, seal in enumerate(parts):
                yield self._seal(entry, secret, f"tail {entry.head['seq']} {n}", seal)
            if entry.kind == "standing" and "seal" in entry.body:
                yield self._seal(entry, secret, f"standing {entry.head['seq']}", entry.body["seal"])
            if entry.body.get("commits"):
                yield self._shuffle(told, entry, secret, game)
            for given in entry.body.get("deliver", ()):
                yield self._delivery(told, entry, secret, given)
            if entry.body.get("tip"):
                yield self._tip(told, entry, secret)

    def _fits(self, entry: Signed, secret: bytes, place: str, text: bytes, commit: str) -> bytes:
        nonce = K(secret, "nonce", self.contract.game, place, text)
        if H("commit", self.contract.game, entry.seat, place, text, nonce).hex() != commit:
            raise Bad(entry.number, f"{place} does not hold what was committed to")
        return nonce

    def _seal(self, entry: Signed, secret: bytes, place: str, seal: dict[str, Any]) -> str:
        box = base64.b64decode("".join(seal["box"]))
        text = own_box(secret, self.contract.game, entry.seat, place, box, entry.number)
        self._fits(entry, secret, place, text, seal["commit"])
        return "seal"

    def _shuffle(self, told: Round, entry: Signed, secret: bytes, game: dict[str, Any]) -> str:
        """One commitment per slot; slot n holds card order[n] of those that the rule lists."""
        decks = {f"{name}-{deck['epoch']}": deck for name, deck in game["decks"].items()}
        name = next(n for n in told.after["boxes"] if n not in told.before["boxes"] and n in decks)
        box = base64.b64decode("".join(entry.body["box"]))
        text = own_box(secret, self.contract.game, entry.seat, f"deck {name}", box, entry.number)
        cards, order = text.decode().split("\n"), shuffled(K(secret, "shuffle", self.contract.game, name), 0)
        listed = decks[name]["cards"]
        for n, (card, commit) in enumerate(zip(cards, entry.body["commits"], strict=True)):
            place = f"slot {name}.{n}"
            self.cards[f"{name}.{n}"] = card, self._fits(entry, secret, place, card.encode(), commit)
        if len(listed) == len(cards) and cards != [listed[n] for n in order(len(cards))]:
            raise Bad(entry.number, f"the shuffle of {name} is not the one that its secret makes")
        return "shuffle"

    def _delivery(self, told: Round, entry: Signed, secret: bytes, given: dict[str, Any]) -> str:
        """The one box that the giver's secret makes of the card, for the taker's key."""
        slot, game = given["slot"], self.contract.game
        if slot not in self.cards:
            return "card of a secret that is not out"
        card, nonce = self.cards[slot]
        taker = told.after["boxes"][slot]["reader"]
        public = told.before["seats"][taker]["box"] or self.contract.seats[taker].box
        made = delivered(game, slot, taker, bytes.fromhex(public), nonce + card.encode(), secret)
        if base64.b64decode("".join(given["box"])) != made:
            raise Bad(entry.number, f"the box of {slot} does not hold its card")
        return "delivery"

    def _tip(self, told: Round, entry: Signed, secret: bytes) -> str:
        number = told.before["seats"][entry.seat]["chain"] + 1
        value = K(K(secret, "further chain", self.contract.listed, number), "chain", self.contract.listed)
        for _ in range(self.contract.invite.get("chain", 4096)):
            value = H("chain", self.contract.listed, entry.seat, value)
        if value.hex() != entry.body["tip"]:
            raise Bad(entry.number, "the tip of a further chain does not come from the secret")
        return "tip"


def shuffled(seed: bytes, request: int) -> Any:
    """The order of n things that a seed makes."""

    def order(n: int) -> list[int]:
        found = list(range(n))
        for index, last in enumerate(range(n - 1, 0, -1)):
            pick = integer(seed, request, index, last + 1)
            found[last], found[pick] = found[pick], found[last]
        return found

    return order


def delivered(game: bytes, slot: str, taker: str, public: bytes, text: bytes, secret: bytes) -> bytes:
    """A box for one other seat."""
    padded = text + b"\x80" + bytes(-(len(text) + 1) % 128)
    context = ("delivery", game.hex(), slot)
    entropy = K(secret, "deliver", game, slot, taker)
    once = X25519PrivateKey.from_private_bytes(K(entropy, "one-time key", public, padded, *context))
    head = once.public_key().public_bytes_raw()
    shared = once.exchange(X25519PublicKey.from_public_bytes(public))
    key = HKDF(hashes.SHA256(), 32, None, enc("box", head, public, *context)).derive(shared)
    sealed = ChaCha20Poly1305(key).encrypt(bytes(12), padded, None)
    return head + K(key, "box key commitment", head, *context) + sealed
