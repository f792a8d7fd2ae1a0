"""From invitation to contract: the papers of one table on their way between players.

A player's papers of an unfinished table stand in the home. One acceptance serves one list: which list
an acceptance was signed for is on disk before the signature leaves.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.errors import MalformedError, PbemError, UsageError, VerificationError
from pbem.home import Home, TableSecrets
from pbem.packs import rules_for
from pbem.protocol.crypto import sshsig
from pbem.protocol.crypto.keys import SigningKey, answering_key, parse_public_line
from pbem.protocol.papers.acceptance import Accept, box_secret, make_accept, read_accept, table_secret
from pbem.protocol.papers.bodies import Rekey
from pbem.protocol.papers.contract import Contract, conclude, game_secret, list_digest, make_signing
from pbem.protocol.papers.invitation import Clocks, Invite, read_invite
from pbem.protocol.papers.paper import NAMESPACE, read_paper, write_paper
from pbem.protocol.papers.pieces import usual_threshold
from pbem.protocol.papers.times import DAY, now, seconds
from pbem.protocol.rounds.key_papers import in_order, in_use
from pbem.table import Table

_STEPS = ("invite", "accept", "sign")
"""Each step of the contract rests on the one before."""


fresh = os.urandom
"""Where nonces and table ids come from."""


@dataclass
class Lobby:
    """The papers of one table, as far as they have come."""

    home: Home
    table: str
    papers: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def load(cls, home: Home, table: str) -> Lobby:
        """What this home has of a table."""
        kept = home.read_table(f"lobby-{table}.toml").get("papers", {})
        return cls(home, table, {name: text.encode() for name, text in kept.items()})

    def save(self, **more: Any) -> None:
        """Keep the papers, and what else is known of the table."""
        name = f"lobby-{self.table}.toml"
        old = self.home.read_table(name)
        papers = {paper: raw.decode() for paper, raw in self.papers.items()}
        self.home.write_table(name, old | more | {"papers": papers})

    def note(self, name: str) -> Any:
        """Something kept beside the papers."""
        return self.home.read_table(f"lobby-{self.table}.toml").get(name)

    @property
    def invite(self) -> Invite:
        """The invitation."""
        return read_invite(self._raw("invite"))

    def accepts(self) -> dict[str, Accept]:
        """The seats taken so far."""
        found, invite = {}, self.invite
        for seat in invite.seats:
            raw = self.papers.get(f"accept-{seat}")
            if raw is not None:
                found[seat] = read_accept(raw, self.papers["invite"], invite)
        return found

    @property
    def own_seat(self) -> str | None:
        """The seat that this home has taken."""
        seat = self.note("seat")
        return str(seat) if seat else None

    def adopt(self, key: SigningKey) -> str | None:
        """The seat that this key has taken, on another machine perhaps; it is this home's from now on."""
        for seat, accept in self.accepts().items():
            if parse_public_line(accept.key) == key.public:
                self.save(seat=seat, adopted=True)
                return seat
        return None

    def free_seats(self) -> list[str]:
        """The seats that nobody has taken."""
        taken = self.accepts()
        return [s for s in self.invite.seats if s not in taken]

    # --- the three steps

    def add(self, raw: bytes) -> str:
        """Take a paper of this table in; returns its name. A different paper in its place is refused."""
        name = paper_name(read_paper(raw).table)
        old = self.papers.get(name)
        if old == raw:
            return name
        if old is not None:
            raise VerificationError(f"there already is another {name} for this table", "start a new table")
        if name.startswith("accept-"):
            read_accept(raw, self._raw("invite"))
        elif name.startswith("sign-"):
            self._check_signing(name.removeprefix("sign-"), raw)
        self.papers[name] = raw
        return name

    def _raw(self, name: str) -> bytes:
        if name not in self.papers:
            raise UsageError(f"the paper {name!r} is missing here", "ask for the whole file again")
        return self.papers[name]

    def _check_signing(self, seat: str, raw: bytes) -> None:
        """A signature without its seat's key behind it, or from the future, must not take its place.

        No entry is dated before the last signature: from the future it would stop every machine at the table.
        """
        accept = read_accept(self._raw(f"accept-{seat}"), self._raw("invite"))
        paper = read_paper(raw)
        sshsig.verify(paper.armour, paper.signed, parse_public_line(accept.key), NAMESPACE)
        sent = str(paper.table.get("sent"))
        if seconds(sent) > seconds(now()) + DAY:
            raise VerificationError(
                f"{seat} signed the contract at {sent}, which is in the future: the game would begin then",
                "if your own clock is right, take it in again when that time has come, or start a new table",
            )

    def is_handed(self) -> bool:
        """Whether the others could see all that this home has signed: it was written or sent since."""
        return bool(self.note("handed") == self._signed())

    def note_handed(self) -> None:
        """What this home has signed has left, or stands in a file."""
        self.save(handed=self._signed())

    def _signed(self) -> str:
        seat = self.own_seat
        own = [self.papers.get(f"{step}-{seat}", b"") for step in ("accept", "sign")]
        return hashlib.sha256(b"".join(own)).hexdigest()

    def accept(
        self, key: SigningKey, seat: str, name: str, address: str = "", into: Path | None = None
    ) -> None:
        """Take a seat; `into` is where the game's folder shall go."""
        if self.own_seat is not None:
            raise UsageError(f"you already sit at {self.own_seat}")
        if seat not in self.free_seats():
            raise UsageError(f"seat {seat!r} is not free", f"free: {', '.join(self.free_seats()) or 'none'}")
        invite = self.papers["invite"]
        self.papers[f"accept-{seat}"] = make_accept(
            key, invite, seat, name, fresh(32), address, self.home.spare()
        )
        self.save(seat=seat, **({"into": str(into.absolute())} if into is not None else {}))

    def sign(self, key: SigningKey, decks: Sequence[str], when: str | None = None) -> bool:
        """Sign the whole list, if it is complete; True if that was possible."""
        seat = self.own_seat
        if seat is None or self.free_seats() or f"sign-{seat}" in self.papers:
            return False
        raws = [self.papers[f"accept-{s}"] for s in self.invite.seats]
        listed = list_digest(self.papers["invite"], raws).hex()
        bound = self.note("list")
        if bound is not None and bound != listed:
            raise VerificationError("this acceptance already served another list", "start a new table")
        self.save(list=listed)
        invite = self.papers["invite"]
        self.papers[f"sign-{seat}"] = make_signing(key, invite, raws, seat, when or now(), decks)
        self.save()
        return True

    def contract(self) -> Contract | None:
        """The contract, if every paper is there."""
        seats = self.invite.seats
        if any(f"{step}-{seat}" not in self.papers for step in ("accept", "sign") for seat in seats):
            return None
        return conclude(self.papers)

    def bundle(self) -> list[bytes]:
        """Every paper, the invitation first, for whoever is at the table."""
        return [self.papers[name] for name in sorted(self.papers, key=lambda n: (n != "invite", n))]


def withdraw(lobby: Lobby) -> None:
    """Forget a table whose list this home has not signed; what was signed for it can begin no game."""
    if f"sign-{lobby.own_seat}" in lobby.papers:
        raise UsageError(
            "you have signed this contract already", "when the others have, too, `pbem resign` ends the game"
        )
    lobby.home.table_file(f"lobby-{lobby.table}.toml").unlink(missing_ok=True)


def paper_name(table: Mapping[str, Any]) -> str:
    """What a paper is, by its fields."""
    if "rules" in table:
        return "invite"
    if "nonce" in table and "invite" in table:
        return f"accept-{table.get('seat')}"
    if "commitment" in table and "list" in table:
        return f"sign-{table.get('seat')}"
    raise UsageError("this is no paper of a contract")


def new_table(
    home: Home,
    rules: str,
    version: str,
    data: str,
    provenance: str,
    scenario: str,
    seats: tuple[str, ...],
    options: Mapping[str, str],
    clocks: Clocks,
    comment: str = "",
    threshold: int | None = None,
) -> Lobby:
    """A new invitation; it is kept when a seat is taken with it."""
    invite = Invite(
        table=fresh(16).hex(),
        rules=rules,
        version=version,
        data=data,
        provenance=provenance,
        scenario=scenario,
        seats=seats,
        options=dict(options),
        clocks=clocks,
        threshold=usual_threshold(len(seats)) if threshold is None else threshold,
        made=now(),
        comment=comment,
    )
    raw = write_paper(invite, Invite, None)
    read_invite(raw)
    return Lobby(home, invite.table, {"invite": raw})


def open_lobbies(home: Home, papers: Sequence[bytes]) -> list[Lobby]:
    """The tables that papers belong to, with all of the papers taken in."""
    lobbies, refused = take_papers(home, papers)
    if refused:
        raise refused[0]
    return lobbies


def take_papers(home: Home, papers: Sequence[bytes]) -> tuple[list[Lobby], list[PbemError]]:
    """The tables that papers belong to, with those papers taken in that are good, and what the others lack.

    They are kept only where this home has a seat: a stranger's paper must not stand in the way of others.
    """
    lobbies: dict[str, Lobby] = {}
    refused: list[PbemError] = []
    named = [(raw, name) for raw in papers if (name := _name(raw, refused))]
    lists: dict[str, str] | None = None
    for raw, name in sorted(named, key=lambda one: _STEPS.index(one[1].split("-")[0])):
        if name.startswith("sign-") and lists is None:
            lists = _lists(home, lobbies)
        try:
            key = _table_of(raw, name, lists or {})
            lobby = lobbies.get(key) or Lobby.load(home, key)
            lobby.add(raw)
            lobbies[key] = lobby
        except PbemError as error:
            refused.append(error)
    for lobby in lobbies.values():
        if lobby.own_seat is not None:
            lobby.save()
    return list(lobbies.values()), refused


def _name(raw: bytes, refused: list[PbemError]) -> str:
    """What a paper is; "" for what is none."""
    try:
        return paper_name(read_paper(raw).table)
    except PbemError as error:
        refused.append(error)
        return ""


def _table_of(raw: bytes, name: str, lists: Mapping[str, str]) -> str:
    """The table that a paper belongs to; it names a file here, so it must be an id."""
    if name == "invite":
        return read_invite(raw).table
    table = read_paper(raw).table
    if name.startswith("sign-"):
        if str(table["list"]) not in lists:
            raise UsageError(
                "this signature belongs to no table that is known here", "receive the whole file"
            )
        return lists[str(table["list"])]
    if not re.fullmatch(r"[0-9a-f]{32}", str(table.get("table"))):
        raise MalformedError("the table id of an acceptance must be 32 hex digits")
    return str(table["table"])


def _lists(home: Home, lobbies: Mapping[str, Lobby]) -> dict[str, str]:
    """Every list that is complete here, by its digest, and its table: a signature names the list alone."""
    known = dict(lobbies)
    folder = home.path / "tables"
    for path in sorted(folder.glob("lobby-*.toml")) if folder.exists() else []:
        table = path.stem.removeprefix("lobby-")
        known.setdefault(table, Lobby.load(home, table))
    found = {}
    for table, lobby in known.items():
        with suppress(KeyError, PbemError):
            raws = [lobby.papers[f"accept-{s}"] for s in lobby.invite.seats]
            found[list_digest(lobby.papers["invite"], raws).hex()] = table
    return found


def keep_secrets(home: Home, contract: Contract, key: SigningKey, seat: str) -> None:
    """Derive and keep what answering needs in the game that the contract begins."""
    accept = read_accept(contract.papers[f"accept-{seat}"], contract.papers["invite"])
    table = contract.invite.table
    secret = game_secret(table_secret(key, table, seat, accept.nonce), contract.listed)
    answering = answering_key(key, table, seat)
    if answering.public != contract.seats[seat].answer:
        raise UsageError("this is not the key that took the seat", "`pbem key use` the right one")
    box = box_secret(key, table, seat, accept.nonce)
    home.keep_secrets(contract.game.hex(), TableSecrets(seat, secret, box, answering.seed))


def begin(lobby: Lobby, contract: Contract, key: SigningKey, parent: Path) -> Table:
    """The game that a complete contract begins, in a new folder under `parent`."""
    home = lobby.home
    rules, pack = rules_for(contract.invite, home)
    if lobby.own_seat is not None:
        keep_secrets(home, contract, key, lobby.own_seat)
    noted = lobby.note("folder")
    folder = Path(noted) if noted is not None else game_folder(parent, contract).absolute()
    table = Table.create(folder, contract, rules, pack, home)
    play_in(home, table, decides=not lobby.note("adopted"))
    lobby.save(folder=str(folder), game=contract.game.hex())
    return table


def play_in(home: Home, table: Table, decides: bool = True) -> None:
    """This folder is the home's own."""
    journal = home.journal(table.contract.game.hex())
    pen = journal.pen()
    home.add_game(table.contract.invite.rules, table.folder, pen.folder if pen is not None else None)
    journal.take_pen(table.folder, decides)


def return_to(home: Home, table: Table, key: SigningKey) -> str:
    """Take one's seat again in a game that exists: all it needs follows from the key, contract and log."""
    contract = table.contract
    for seat, mine in table.ledger.state.seats.items():
        if in_use(contract, table.ledger.state, seat) != key.public.hex():
            continue
        if mine.key:
            keep_new_secrets(home, contract, key, seat, _nonce_of(table, seat, mine.commitment))
        else:
            keep_secrets(home, contract, key, seat)
        play_in(home, table)
        return seat
    raise UsageError("your key has no seat in this game", "`pbem key use` the one that took it")


def keep_new_secrets(home: Home, contract: Contract, key: SigningKey, seat: str, nonce: str) -> None:
    """What answering needs with new keys; what this home had before opens what was closed with it."""
    name, game = contract.invite.table, contract.game.hex()
    secret = game_secret(table_secret(key, name, seat, nonce), contract.listed)
    old, former = home.secrets(game), tuple[tuple[bytes, bytes], ...]()
    if old is not None and old.seat == seat:
        former = old.former if old.secret == secret else (*old.former, (old.secret, old.box))
    box, answering = box_secret(key, name, seat, nonce), answering_key(key, name, seat)
    home.keep_secrets(game, TableSecrets(seat, secret, box, answering.seed, former))


def _nonce_of(table: Table, seat: str, commitment: str) -> str:
    """The nonce of the paper with which a seat got the keys that it has."""
    bodies = (entry.body for entry in table.entries(range(1, table.ledger.state.number + 1)))
    papers = (in_order(table.contract, body.paper) for body in bodies if isinstance(body, Rekey))
    return next(told.nonce for told in papers if told and (told.seat, told.commitment) == (seat, commitment))


def game_folder(parent: Path, contract: Contract) -> Path:
    """Where a new game goes: named after the rules and the game's id."""
    return parent / f"{contract.invite.rules}-{contract.game.hex()[:8]}"
