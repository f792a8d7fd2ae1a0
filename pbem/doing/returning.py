"""Coming back to a game that one sits in already, on another machine or after a loss.

Nothing is needed but the key: the contract says which seat it took, and every secret follows from it.
What was signed on the other machine is not all known here: this home asks the others what they have of its
seat, and decides nothing until they have answered.
"""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass
from pathlib import Path

from pbem import dispute
from pbem.doing.handover import hand_over
from pbem.doing.incoming import name_of
from pbem.doing.key import Key
from pbem.doing.receiving import News, Progress, receive_all
from pbem.errors import UsageError, VerificationError
from pbem.home import Home
from pbem.lobby import Lobby, game_folder, return_to
from pbem.packs import rules_for
from pbem.protocol.papers.bodies import Ask
from pbem.protocol.papers.contract import Contract, read_contract
from pbem.protocol.papers.entry import entry_id
from pbem.repository import Repository
from pbem.table import Table
from pbem.verify import verify_folder


def is_game(file: str) -> bool:
    """Whether this is a game folder or a dispute file, not an invitation."""
    return Path(file).is_dir() or (file != "-" and Path(file).is_file() and zipfile.is_zipfile(file))


@dataclass(frozen=True, slots=True)
class Rebuilding:
    """A game that a dispute file holds, and the folder that it would get."""

    contract: Contract
    files: dict[str, bytes]
    folder: Path


def rebuilding(place: Path, into: Path) -> Rebuilding:
    """What a dispute file holds; refused where it would stand in the way of another game."""
    files = dispute.read_file(place)
    if "game.toml" not in files:
        raise VerificationError(f"{place} holds no contract", "ask for the file again")
    contract = read_contract(files["game.toml"])
    folder = game_folder(into, contract).absolute()
    if (folder / "game.toml").exists():
        raise UsageError(f"{folder} exists already", "`pbem join FOLDER` takes the seat again in it")
    return Rebuilding(contract, files, folder)


def rebuild(home: Home, plan: Rebuilding, key: Key) -> None:
    """The game in a folder of its own, every entry verified again."""
    rules, pack = rules_for(plan.contract.invite, home)
    table = Table.create(plan.folder, plan.contract, rules, pack, None)
    raws = [plan.files[name] for name in sorted(plan.files) if name.startswith(("moves/", "waiting/"))]
    refused = receive_all(table, raws, answer=False).refused
    if refused:
        raise refused[0]


def come_back(home: Home, folder: Path, key: Key, step: Progress = lambda done, of: None) -> tuple[str, News]:
    """Take one's seat again in a game folder: from now on this home decides there."""
    check(home, folder, step)
    table = Table.open(folder, home)
    journal = home.journal(table.contract.game.hex())
    restored = not journal.decides_here()
    seat = return_to(home, table, key())
    table = Table.open(folder, home)
    if restored and len(table.ledger.place.present) > 1 and not table.ledger.position.outcome:
        raw, _ = table.play("ask", lambda own: Ask(os.urandom(32).hex()), key())
        journal.take_pen(folder, asked=entry_id(raw), at=table.clock())
    result = table.receive([])
    return seat, News(table, result, handed=hand_over(table, name_of(home, table)) if restored else None)


def check(home: Home, folder: Path, step: Progress) -> None:
    """A folder may come from anybody: a position that its entries do not make could ask for a whole hand."""
    repo = Repository.open(folder)
    repo.write_files(everything=True)
    found = verify_folder(folder, home, step)
    if not found.whole:
        cause = found.problem.cause if found.problem is not None else "it cannot be read"
        raise VerificationError(
            f"{folder} is not what its entries make: {cause}",
            "nothing was signed; ask another player for a dispute file (`pbem dispute`) and join with that",
        )


def adopted(lobby: Lobby, key: Key) -> bool:
    """Whether one's own key has taken a seat at this table already; then that seat is this home's."""
    return lobby.own_seat is None and lobby.adopt(key()) is not None
