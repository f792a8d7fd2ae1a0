"""One seat of a demonstration, as a process of its own: `python -m pbem.demo.seat`.

It has its own home, key and game folder. Bundles come in on stdin and go out on stdout; nothing else
is shared with the other seats. It joins, signs, plays, answers and publishes with the same functions
as the commands do. Keys, nonces and the clock follow from the seed, so that a game can be repeated.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem.demo.bot import set_clock, sit_down
from pbem.demo.frames import Frame, read_frame, write_frame
from pbem.demo.seeds import derived
from pbem.engine.rules import AnyRules
from pbem.engine.wording import tell
from pbem.errors import PbemError
from pbem.home import KEY_FILE, Home, write_private
from pbem.lobby import Lobby, begin, open_lobbies
from pbem.protocol.crypto.keys import SigningKey, dump_private
from pbem.protocol.papers.acceptance import make_accept
from pbem.protocol.papers.bodies import Standing
from pbem.protocol.papers.invitation import USUAL_CLOCKS, Invite
from pbem.protocol.papers.paper import write_paper
from pbem.protocol.papers.pieces import usual_threshold
from pbem.table import Table

BEGUN = "2026-01-01T12:00:00Z"
ENTRY = b"v = 2\n"
"""How an entry begins; a paper of the contract has no such line."""


class Seat:
    """A player of the demonstration."""

    def __init__(self, facts: dict[str, Any]) -> None:
        from pbem.engine import registry

        self.name: str = facts["seat"]
        self.seed: int = facts["seed"]
        self.address: str = facts.get("address", "")
        self.folder = Path(facts["folder"])
        self.rules: AnyRules = registry.load(facts["game"])
        self.home = Home(self.folder / "home")
        self.key = SigningKey.from_seed(derived(self.seed, "key", self.name))
        write_private(self.home.path / KEY_FILE, dump_private(self.key, None))
        self.standing: dict[str, list[str]] = facts.get("standing", {})
        """Answers to kinds of decision, given before they are asked."""
        self.table: Table | None = None
        self.sent: set[bytes] = set()

    # --- the contract

    def invite(self, facts: dict[str, Any]) -> list[bytes]:
        """The first seat writes the invitation and takes its own seat."""
        pack = self.rules.load_pack()
        invite = Invite(
            table=derived(self.seed, "table", *facts["seats"])[:16].hex(),
            rules=self.rules.name,
            version=self.rules.version,
            data=pack.digest,
            provenance="the game's own pack",
            scenario=facts["scenario"],
            seats=tuple(facts["seats"]),
            options=facts["options"],
            clocks=USUAL_CLOCKS,
            threshold=usual_threshold(len(facts["seats"])),
            made=BEGUN,
            comment="a demonstration between bots",
        )
        lobby = Lobby(self.home, invite.table, {"invite": write_paper(invite, Invite, None)})
        lobby.save()
        return self._sign(lobby)

    def join(self, papers: Sequence[bytes]) -> list[bytes]:
        """Take papers in, accept and sign as soon as that is possible; what the others have not seen yet."""
        self.sent |= set(papers)
        return [raw for lobby in open_lobbies(self.home, papers) for raw in self._sign(lobby)]

    def _sign(self, lobby: Lobby) -> list[bytes]:
        if lobby.own_seat is None:
            nonce = derived(self.seed, "nonce", self.name)
            accept = make_accept(self.key, lobby.papers["invite"], self.name, self.name, nonce, self.address)
            lobby.papers[f"accept-{self.name}"] = accept
            lobby.save(seat=self.name)
        invite = lobby.invite
        pack = self.rules.load_pack()
        lobby.sign(self.key, self.rules.shared_decks(pack, invite.scenario, invite.options), BEGUN)
        contract = lobby.contract()
        if contract is not None:
            self.table = begin(lobby, contract, self.key, self.folder)
        fresh = [raw for raw in lobby.bundle() if raw not in self.sent]
        self.sent |= set(lobby.bundle())
        return fresh

    # --- the game

    def take(self, entries: Sequence[bytes]) -> Frame:
        """What comes in, and all that this seat can do about it: the next mail, if any."""
        made = self.join([raw for raw in entries if not raw.startswith(ENTRY)])
        waiting = [raw for raw in entries if raw.startswith(ENTRY)]
        answers = decisions = 0
        if self.table is not None:
            with self.table.sitting():
                received = self.table.receive(waiting)
                if received.refused:
                    raise received.refused[0]
                played = self._play(self.table)
                published = self._publish(self.table)
            made += [*received.answered, *played, *published]
            answers, decisions = len(received.answered) + len(published), len(played)
        return Frame(tuple(made), {"answers": answers, "decisions": decisions, **self._status()})

    def _play(self, table: Table) -> list[bytes]:
        """Decide as long as this seat is asked."""
        set_clock(table)
        return self._stand(table) + sit_down(table, self.key, self.seed)

    def _publish(self, table: Table) -> list[bytes]:
        """The secret, when the game is over: no decision, `pbem watch` does it by itself."""
        owed = table.due()
        if owed is None or owed.kind != "audit":
            return []
        received = table.publish()
        known = [*(one.entry for one in received.logged), *table.ledger.pool.values()]
        return [e.raw for e in known if e.seat == self.name and e.head.kind == "audit"]

    def _stand(self, table: Table) -> list[bytes]:
        """Standing orders go out as soon as the game has begun."""
        made: list[bytes] = []
        for kind, lines in self.standing.items():
            body = Standing(kind, tuple(lines))
            raw, received = table.play("standing", lambda own, body=body: body, self.key)  # type: ignore[misc]
            made += [raw, *received.answered]
        self.standing = {}
        return made

    def _status(self) -> dict[str, Any]:
        if self.table is None:
            return {"over": False}
        ledger = self.table.ledger
        outcome = ledger.position.outcome
        return {
            "over": not ledger.due(),
            "entries": ledger.state.number,
            "turn": ledger.position.turn,
            "headline": ledger.machine.rules.headline(ledger.position),
            "winners": list(outcome.winners) if outcome else [],
            "reason": tell(outcome.reason, ledger.position) if outcome else "",
            "out": {seat: one.why.value for seat, one in ledger.state.gone.items()},
            "fingerprint": self.table.fingerprint,
            "folder": str(self.table.folder),
        }


def main() -> int:
    """The first frame says who this is; then mail by mail until the pipe is closed."""
    inbox, outbox = sys.stdin.buffer, sys.stdout.buffer
    first = read_frame(inbox)
    if first is None:
        return 2
    try:
        seat = Seat(first.facts)
        papers = seat.invite(first.facts) if first.facts["invites"] else []
        write_frame(outbox, Frame(tuple(papers), seat._status()))
        while (frame := read_frame(inbox)) is not None:
            write_frame(outbox, seat.take(frame.entries))
    except PbemError as error:
        write_frame(outbox, Frame((), {"error": error.message, "hint": error.hint}))
        return 1
    except Exception as error:
        if os.environ.get("PBEM_DEBUG"):
            raise
        hint = "run it again with PBEM_DEBUG=1 and report what it prints"
        write_frame(outbox, Frame((), {"error": f"a fault: {type(error).__name__}: {error}", "hint": hint}))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
