"""The contract as the second verifier reads it: papers, signatures, keys, one form."""

from __future__ import annotations

import base64
import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.exceptions import InvalidSignature

from tests import second_emitter
from tests.second_signatures import H, check_point, check_signature, lp, signed_part, strings


class Bad(Exception):
    """What is wrong, and at which entry (0: the contract)."""

    def __init__(self, entry: int, why: str) -> None:
        super().__init__(f"entry {entry}: {why}")
        self.entry = entry


@dataclass
class Seat:
    name: str
    keys: dict[str, bytes]
    tip: bytes
    commitment: str
    last: dict[str, tuple[int, str]]
    link: bytes = b""
    links: int = 0
    chain: int = 0
    secret: bytes = b""
    passes: int = 0
    """How many times four links may be passed over."""
    hold: str = ""
    pieces: dict[str, Any] = field(default_factory=dict)
    spare: str = ""
    box: str = ""
    sent: str = ""
    """When it signed."""


@dataclass
class Contract:
    invite: dict[str, Any]
    listed: bytes
    game: bytes
    seats: dict[str, Seat]

    @property
    def begin(self) -> str:
        """No entry is dated before it."""
        return max(seat.sent for seat in self.seats.values())


def contract(raw: bytes) -> Contract:
    try:
        return _contract(raw)
    except (ValueError, KeyError, TypeError, InvalidSignature) as error:
        raise Bad(0, f"game.toml: {error!r}") from None


def _contract(raw: bytes) -> Contract:
    table = tomllib.loads(raw.decode())
    papers = {name: text.encode() for name, text in table["papers"].items()}
    invite = tomllib.loads(papers["invite"].decode())
    seats = invite["seats"]
    accepts = [papers[f"accept-{seat}"] for seat in seats]
    signs = [papers[f"sign-{seat}"] for seat in seats]
    if set(papers) != {"invite", *(f"{step}-{seat}" for step in ("accept", "sign") for seat in seats)}:
        raise ValueError("other papers than those of its seats")
    if second_emitter.dumps(invite) != papers["invite"].decode():
        raise ValueError("the invitation is not in its one form")
    listed = H("list", papers["invite"], len(seats), *accepts)
    found = {}
    for seat, one, two in zip(seats, accepts, signs, strict=True):
        found[seat] = _seat(seat, one, two, papers["invite"], listed)
    game = H("game", listed, *signs)
    if len({s.keys["decide"] for s in found.values()}) != len(seats):
        raise ValueError("one key on two seats")
    if _game_toml(game, table, found) != raw.decode():
        raise ValueError("it is not what its papers make")
    for seat in found.values():
        seat.last = {"decide": (0, game.hex()), "answer": (0, game.hex())}
    return Contract(invite, listed, game, found)


def _game_toml(game: bytes, table: Mapping[str, Any], seats: Mapping[str, Seat]) -> str:
    papers = table["papers"]
    players = []
    for name, seat in seats.items():
        accept = tomllib.loads(papers[f"accept-{name}"])
        blob = lp(b"ssh-ed25519") + lp(seat.keys["decide"])
        digest = base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")
        players.append(
            {
                "address": accept.get("address", ""),
                "fingerprint": f"SHA256:{digest}",
                "player": accept["name"],
                "seat": name,
            }
        )
    invite = tomllib.loads(papers["invite"])
    return second_emitter.dumps({"game": game.hex(), "invite": invite, "players": players, "papers": papers})


def _seat(name: str, accept: bytes, sign: bytes, invite: bytes, listed: bytes) -> Seat:
    one, two = tomllib.loads(accept.decode()), tomllib.loads(sign.decode())
    kind, blob = one["key"].split(" ")[:2]
    kind_again, public = strings(base64.b64decode(blob, validate=True))
    if (kind, kind_again) != ("ssh-ed25519", b"ssh-ed25519"):
        raise ValueError("another kind of key")
    for raw, table in ((accept, one), (sign, two)):
        text, armour = signed_part(raw, table)
        check_signature(public, armour, text, "pbem-contract-v1")
        plain = {key: value for key, value in table.items() if key != "signature"}
        if second_emitter.dumps(plain) + "\n" != text.decode():
            raise ValueError("a paper is not in its one form")
    if one["invite"] != H("invite", invite).hex() or two["list"] != listed.hex():
        raise ValueError("a paper belongs to another list")
    if (one["seat"], two["seat"]) != (name, name):
        raise ValueError("a paper stands in another seat's place")
    answer = bytes.fromhex(one["answer"])
    check_point(answer)
    keys, tip = {"decide": public, "answer": answer}, bytes.fromhex(two["tip"])
    hold, dealt = one.get("hold", ""), two.get("pieces", {})
    others = {s for s in tomllib.loads(invite.decode())["seats"] if s != name}
    if hold and set(dealt) != others:
        raise ValueError("a seat without a piece")
    found = Seat(name, keys, tip, two["commitment"], {}, tip, hold=hold, pieces=dealt)
    found.spare, found.box, found.sent = one.get("spare", ""), one["box"], two["sent"]
    return found
