"""A second verifier, written from `pbem help protocol` alone: it imports nothing of pbem.

It knows no rules of any game. From game.toml and moves/ it checks the contract, every signature, number and
link, every commitment and opening, and with published secrets every chain, seal and box. With the log it
checks every number that fell, and with all files of the line the commit ids.
"""

from __future__ import annotations

import base64
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from tests.second_contract import Bad, Contract, Seat, contract
from tests.second_pieces import dealt, put_together
from tests.second_signatures import H, K, check_signature, signed_part

DECIDING = ("orders", "sealed")


@dataclass
class Entry:
    number: int
    raw: bytes
    head: dict[str, Any]
    body: dict[str, Any]
    id: str


@dataclass
class Replay:
    """What is known after each entry, without any rule of the game."""

    contract: Contract
    entries: list[Entry] = field(default_factory=list)
    serial: int = 0
    commits: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By slot: whose, and the commitment."""
    tails: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    standing: dict[str, tuple[int, str]] = field(default_factory=dict)
    decisions: list[str] = field(default_factory=list)
    fresh: dict[str, bytes] = field(default_factory=dict)
    event: int = 0
    seed: bytes = b""
    numbers: int = 0
    seals: list[tuple[int, str, str, str, bytes]] = field(default_factory=list)
    """Entry, seat, place, commitment, box."""

    def entry(self, number: int, path: str, raw: bytes) -> Entry:
        """Form, signature, game, number in its lane, and that it follows an entry of the log."""
        try:
            table = tomllib.loads(raw.decode())
            text, armour = signed_part(raw, table)
            seat = self.contract.seats[table["seat"]]
            lane = "answer" if table["kind"] in ("answers", "audit") else "decide"
            if table["lane"] != lane or table["v"] != 1 or table["game"] != self.contract.game.hex():
                raise ValueError("another version, game or lane")
            check_signature(seat.keys[lane], armour, text, "pbem-entry-v1")
            seq, last = seat.last[lane]
            if (table["seq"], table["prev"]) != (seq + 1, last):
                raise ValueError("it does not follow its author's last entry")
            known = {self.contract.game.hex(), *(e.id for e in self.entries)}
            if table["head"] not in known:
                raise ValueError("it answers an entry that is not in the log")
            if not path.endswith(f"{number:06d}-{seat.name}.toml"):
                raise ValueError("it stands under another name")
        except (ValueError, KeyError, TypeError, InvalidSignature) as error:
            raise Bad(number, repr(error)) from None
        one = Entry(number, raw, table, table.get("body", {}), H("entry", raw).hex())
        seat.last[lane] = (one.head["seq"], one.id)
        self.entries.append(one)
        return one

    def link(self, entry: Entry) -> None:
        """A link follows from the one before it; towards the end of a chain comes the tip of the next."""
        link, tip = entry.body.get("link", ""), entry.body.get("tip", "")
        if not link:
            return
        seat = self.contract.seats[entry.head["seat"]]
        value = bytes.fromhex(link)
        steps = self._steps(seat, value)
        if not steps:
            raise Bad(entry.number, "the link does not follow from the last one")
        seat.link, seat.links = value, seat.links + steps
        if bool(tip) != (seat.links >= self.contract.invite.get("chain", 4096) - 16):
            raise Bad(entry.number, "a tip where there should be none, or none where there should be one")
        if tip:
            seat.link, seat.links, seat.chain = bytes.fromhex(tip), 0, seat.chain + 1

    def _steps(self, seat: Seat, value: bytes) -> int:
        """How far a link lies behind the last one: one step, or after a forfeit once five; 0: nowhere.

        Whether the links are passed over before the next or after it depends on what the rules asked for.
        """
        for steps in range(1, 6):
            value = H("chain", self.contract.listed, seat.name, value)
            if value == seat.link and steps in (1, 5):
                if steps == 5 and not seat.passes:
                    return 0
                seat.passes -= steps == 5
                return steps
        return 0

    def round(self, entries: Sequence[Entry]) -> None:
        """What a round does to links, decisions, seals and openings."""
        gone = next((e.body["gone"] for e in entries if e.body.get("gone")), [])
        for seat in self.contract.seats.values():
            seat.passes += bool(gone) and seat.name not in gone
        deciders = [e for e in entries if e.head["kind"] in DECIDING]
        if deciders:
            self.seed, self.fresh = b"", {}
            order = list(self.contract.seats)
            self.decisions += [e.id for e in sorted(deciders, key=lambda e: order.index(e.head["seat"]))]
        for entry in entries:
            self.link(entry)
            link = entry.body.get("link", "")
            if link and (len(deciders) == 1 or entry.head["kind"] not in DECIDING):
                self.fresh[entry.head["seat"]] = bytes.fromhex(link)
        if any(e.head["kind"] == "sealed" for e in entries):
            self.serial += 1
        for entry in entries:
            self._hidden(entry)

    def _hidden(self, entry: Entry) -> None:
        seat, body, seq = entry.head["seat"], entry.body, entry.head["seq"]
        for n, seal in enumerate(body.get("seals", ())):
            self._seal(entry, f"slot s{self.serial}.{seat}.{n}", seal)
            self.commits[f"s{self.serial}.{seat}.{n}"] = (seat, seal["commit"])
        if entry.head["kind"] == "orders":
            self.tails[seat] = (seq, [seal["commit"] for seal in body.get("tail", ())])
            for part, seal in enumerate(body.get("tail", ())):
                self._seal(entry, f"tail {seq} {part}", seal)
        if entry.head["kind"] == "standing" and "seal" in body:
            self._seal(entry, f"standing {seq}", body["seal"])
        for opening in (*body.get("opens", ()), *body.get("tail_opens", ())):
            self._opening(entry, opening)
        tail = body.get("tail")
        if isinstance(tail, dict):
            first, commits = self.tails[seat]
            sealed = next((c for c in commits if c), None)
            part = commits.index(sealed) if sealed else 0
            self._fits(entry, seat, f"tail {first} {part}", tail["text"], tail["nonce"], sealed or "")
            commits[part] = ""
            for opening in tail.get("opens", ()):
                self._opening(entry, opening)

    def _seal(self, entry: Entry, place: str, seal: Mapping[str, Any]) -> None:
        box = base64.b64decode("".join(seal["box"]), validate=True)
        self.seals.append((entry.number, entry.head["seat"], place, seal["commit"], box))

    def _opening(self, entry: Entry, opening: Mapping[str, Any]) -> None:
        known = self.commits.get(opening["slot"])
        if opening.get("nonce") and known is not None:
            owner, commit = known
            self._fits(entry, owner, f"slot {opening['slot']}", opening["value"], opening["nonce"], commit)

    def _fits(self, entry: Entry, seat: str, place: str, text: str, nonce: str, commit: str) -> None:
        made = H("commit", self.contract.game, seat, place, text.encode(), bytes.fromhex(nonce))
        if made.hex() != commit:
            raise Bad(entry.number, f"{place} does not hold what was committed to")

    # --- numbers, with the log

    def log(self, entry: Entry, raw: bytes, alone: bool) -> None:
        """The log file of an entry: whose it is, and every number that fell with it."""
        told = tomllib.loads(raw.decode())
        if (told["number"], told["entry"], told["kind"]) != (entry.number, entry.id, entry.head["kind"]):
            raise Bad(entry.number, "the log tells of another entry")
        for event in told.get("events", ()):
            if event.get("rule") == "" and "bounds" in event:
                self._number(entry, event)
            if "epoch" in event and "deck" in event and entry.body.get("commits"):
                self._deck(entry, event)

    def _deck(self, entry: Entry, event: Mapping[str, Any]) -> None:
        """A shuffle of an own deck: its commitments bind the slots, and the seed ends."""
        name, seat = f"{event['deck']}-{event['epoch']}", entry.head["seat"]
        for n, commit in enumerate(entry.body["commits"]):
            self.commits[f"{name}.{n}"] = (seat, commit)

    def _number(self, entry: Entry, event: Mapping[str, Any]) -> None:
        if event["seed"] == self.event + 1:
            self.event += 1
            seats = self.contract.seats
            if set(self.fresh) != set(seats):
                raise Bad(entry.number, "a die fell without a link of every seat")
            links = [self.fresh[seat] for seat in seats]
            ids = [bytes.fromhex(d) for d in self.decisions]
            self.seed = H("event", self.contract.game, self.event, len(ids), *ids, len(links), *links)
            self.decisions, self.fresh = [], {}
        if event["seed"] != self.event or not self.seed:
            raise Bad(entry.number, "a number of an event that is not the present one")
        values = [integer(self.seed, event["request"], i, n) for i, n in enumerate(event["bounds"])]
        if values != event["values"]:
            raise Bad(entry.number, "the numbers in the log did not fall")
        self.numbers += len(values)

    def committed(self, entry: Entry) -> None:
        """A shuffle ends the seed; its entry counts as a decision."""
        self.seed, self.fresh = b"", {}
        self.decisions.append(entry.id)

    # --- secrets

    def audit(self) -> int:
        """With the secrets that were published: chains and seals again. How many things were looked at."""
        done = 0
        for entry in self.entries:
            if entry.head["kind"] == "audit":
                seat = self.contract.seats[entry.head["seat"]]
                seat.secret = bytes.fromhex(entry.body["secret"])
                if H("secret", self.contract.listed, seat.name, seat.secret).hex() != seat.commitment:
                    raise Bad(entry.number, "the published secret is not the one committed to")
                done += self._chain(seat)
        done += self._put_together() + sum(self._dealt(seat) for seat in self.contract.seats.values())
        for number, name, place, commit, box in self.seals:
            secret = self.contract.seats[name].secret
            if secret:
                text = own_box(secret, self.contract.game, name, place, box, number)
                nonce = K(secret, "nonce", self.contract.game, place, text)
                if H("commit", self.contract.game, name, place, text, nonce).hex() != commit:
                    raise Bad(number, f"the seal at {place} does not hold what was committed to")
                done += 1
        return done

    def _put_together(self) -> int:
        """Pieces that were given fit their commitments, and make the secret of a seat that vanished."""
        given: dict[str, dict[str, bytes]] = {}
        of_seat = {seat.commitment: seat for seat in self.contract.seats.values()}
        for entry in self.entries:
            for one in entry.body.get("pieces", ()) if entry.head["kind"] == "answers" else ():
                holder, piece = entry.head["seat"], bytes.fromhex(one.get("piece", ""))
                commit = H("piece", self.contract.listed, bytes.fromhex(one["of"]), holder, piece).hex()
                if piece and commit != of_seat[one["of"]].pieces[holder]["commit"]:
                    raise Bad(entry.number, "a false piece")
                given.setdefault(one["of"], {})[holder] = piece
        seats, threshold = self.contract.invite["seats"], self.contract.invite.get("threshold", 0)
        for of, some in given.items():
            seat = of_seat[of]
            secret = put_together(self.contract.listed, seats, seat.name, of, threshold, some)
            if secret is None:
                raise Bad(self.entries[-1].number, f"{seat.name} dealt pieces that make no secret")
            seat.secret = secret
        return len(given)

    def _dealt(self, seat: Seat) -> int:
        """With its secret, every piece in the contract is dealt again."""
        seats, threshold = self.contract.invite["seats"], self.contract.invite.get("threshold", 0)
        if not seat.secret or not threshold:
            return 0
        for number, holder in enumerate(seats, 1):
            if holder == seat.name:
                continue
            hold = self.contract.seats[holder].hold
            made = dealt(self.contract.listed, seat.secret, seat.commitment, threshold, number, holder, hold)
            if made != seat.pieces[holder]:
                raise Bad(0, f"{seat.name} dealt another piece to {holder} than its secret makes")
        return len(seats) - 1

    def _chain(self, seat: Seat) -> int:
        """The tip in the contract comes from the secret."""
        length = self.contract.invite.get("chain", 4096)
        value = K(seat.secret, "chain", self.contract.listed)
        for _ in range(length):
            value = H("chain", self.contract.listed, seat.name, value)
        if value != seat.tip:
            raise Bad(0, f"the chain of {seat.name} does not come from its secret")
        return 1


def integer(seed: bytes, request: int, index: int, bound: int) -> int:
    if bound == 1:
        return 0
    width, block = (bound - 1).bit_length(), 0
    while True:
        bits = "".join(f"{byte:08b}" for byte in K(seed, "integer", request, index, block))
        for at in range(0, 256 - width + 1, width):
            if int(bits[at : at + width], 2) < bound:
                return int(bits[at : at + width], 2)
        block += 1


def own_box(secret: bytes, game: bytes, seat: str, place: str, box: bytes, number: int) -> bytes:
    key = K(secret, "own box key", game, seat, place, box[:16])
    try:
        padded = ChaCha20Poly1305(key).decrypt(bytes(12), box[16:], None)
    except (InvalidTag, ValueError):
        raise Bad(number, f"the box at {place} does not open with the published secret") from None
    return padded[: padded.rindex(b"\x80")]


# --- the whole


def check(files: Mapping[str, bytes]) -> Replay:
    """A game from its files: game.toml and moves/, and log/ where it is there."""
    replay = Replay(contract(files["game.toml"]))
    paths = sorted(path for path in files if path.startswith("moves/"))
    waiting: list[Entry] = []
    for number, path in enumerate(paths, 1):
        if not re.fullmatch(rf"moves/{number // 100 + 1:04d}/{number:06d}-[a-z0-9-]+\.toml", path):
            raise Bad(number, "a move is missing or in the wrong place")
        waiting.append(replay.entry(number, path, files[path]))
        log = files.get(f"log/{number // 100 + 1:04d}/{number:06d}.toml")
        last = number == len(paths) or _head_of(files[paths[number]]) == waiting[-1].id
        if not last:
            continue
        replay.round(waiting)
        for entry in waiting:
            if entry.body.get("commits") or _shuffles(entry):
                replay.committed(entry)
        if log is not None:
            for entry in waiting:
                text = files[f"log/{entry.number // 100 + 1:04d}/{entry.number:06d}.toml"]
                replay.log(entry, text, len(waiting) == 1)
        waiting = []
    return replay


def _shuffles(entry: Entry) -> bool:
    """A message of a shared deck that is a shuffle, a carry or keys: something that fixes the deck."""
    lines = entry.body.get("deck", ())
    return bool(lines) and base64.b64decode(lines[0])[:1] in (b"S", b"C", b"K")


def _head_of(raw: bytes) -> str:
    found = re.search(rb'^head = "([0-9a-f]{64})"$', raw, re.MULTILINE)
    return found[1].decode() if found else ""
