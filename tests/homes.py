"""Players with homes and game folders of their own, as on as many machines; only bytes cross."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.rules import Rules
from pbem.home import Home
from pbem.lobby import keep_secrets, new_table, open_lobbies, play_in
from pbem.outgoing import outgoing
from pbem.protocol.crypto.keys import SigningKey, dump_private
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.invitation import USUAL_CLOCKS
from pbem.protocol.papers.times import stamp
from pbem.table import Received, Table
from tests.table import START, key_of
from tests.tiny import TINY


@dataclass
class Party:
    """Everybody at one table."""

    contract: Contract
    homes: dict[str, Home]
    keys: dict[str, SigningKey]
    tables: dict[str, Table]
    rng: random.Random = field(default_factory=lambda: random.Random(0))

    def exchange(self) -> None:
        """Everybody sends everybody what is not acknowledged, until nothing moves."""
        moved = True
        while moved:
            moved = False
            for seat, table in self.tables.items():
                raws = [r for other, t in self.tables.items() if other != seat for r in outgoing(t, seat)]
                result = table.receive(raws)
                assert not result.refused, result.refused
                moved = moved or bool(result.logged or result.answered)

    def decide(self) -> str | None:
        """Whoever is asked decides at random; returns "seat kind", None at the end."""
        for seat, table in self.tables.items():
            owed = table.due()
            if owed is None:
                continue
            if owed.kind == "audit":
                table.publish()
                return f"{seat} audit"
            assert owed.options is not None and table.secrets is not None
            view = table.secrets.view(owed.options)
            move = owed.options.sample(self.rng, view)
            text = table.ledger.machine.write_move(table.ledger.position, move, view)
            table.orders(text, self.keys[seat])
            return f"{seat} {owed.kind}"
        return None

    def play_out(self) -> None:
        """The whole game."""
        self.exchange()
        while self.decide() is not None:
            self.exchange()

    def reopen(self, seat: str) -> Table:
        """The seat's table as a new process would open it."""
        self.tables[seat] = Table.open(self.tables[seat].folder, self.homes[seat])
        return self.tables[seat]

    def act(self, seat: str, kind: str, body: Any) -> tuple[bytes, Received]:
        """A decision of some kind by a seat."""
        return self.tables[seat].play(kind, lambda secrets: body, self.keys[seat])


def party(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    count: int = 2,
    options: Mapping[str, str] | None = None,
    rules: Rules = TINY,
    scenario: str = "short",
) -> Party:
    """New homes, keys, an invitation accepted and signed by all, a folder for each; every run the same."""
    fixed = random.Random(f"{count} {options}")
    clock = iter(range(START, START + 10**6, 60))
    monkeypatch.setattr("pbem.lobby.fresh", fixed.randbytes)
    monkeypatch.setattr("pbem.lobby.now", lambda: stamp(START))
    monkeypatch.setattr("pbem.table.now", lambda: stamp(next(clock)))
    pack = rules.load_pack()
    seats = rules.seat_names(pack, scenario, count)
    chosen = {name: values[0] for name, values in rules.options(pack).items()} | dict(options or {})
    homes, keys = {}, {}
    for seat in seats:
        homes[seat] = Home(folder / f"home-{seat}")
        keys[seat] = key_of(seat)
        homes[seat].path.mkdir(parents=True)
        (homes[seat].path / "key").write_bytes(dump_private(keys[seat], None))
        (homes[seat].path / "spare.pub").write_text(key_of(seat, "spare").public_line() + "\n")
    host = new_table(
        homes[seats[0]], rules.name, rules.version, pack.digest, "test", scenario, seats, chosen, USUAL_CLOCKS
    )
    papers = host.bundle()
    decks = rules.shared_decks(pack, scenario, chosen)
    for seat in seats:
        (lobby,) = open_lobbies(homes[seat], papers)
        lobby.accept(keys[seat], seat, seat.upper())
        papers = lobby.bundle()
    for seat in seats:
        (lobby,) = open_lobbies(homes[seat], papers)
        lobby.sign(keys[seat], decks)
        papers = lobby.bundle()
    tables = {}
    for seat in seats:
        (lobby,) = open_lobbies(homes[seat], papers)
        contract = lobby.contract()
        assert contract is not None
        keep_secrets(homes[seat], contract, keys[seat], seat)
        tables[seat] = Table.create(folder / f"game-{seat}", contract, rules, pack, homes[seat])
        play_in(homes[seat], tables[seat])
        lobby.save(folder=str(tables[seat].folder), game=contract.game.hex())
        lobby.note_handed()
    return Party(contract, homes, keys, tables)
