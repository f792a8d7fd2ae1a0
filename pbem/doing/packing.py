"""Data packs of a player's own: kept in the home under their digest, and small ones on their way to others.

A contract pins the digest of a pack. A game may say that its packs go with the invitation (`Rules.enclosed`):
such a pack is one file that begins with `game = "NAME"`, so that whoever gets it knows which rules read it.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.errors import PbemError, UsageError
from pbem.home import Home
from pbem.packs import pack_path
from pbem.protocol.papers.invitation import Invite, read_invite

if TYPE_CHECKING:
    from pbem.engine.rules import AnyRules

_FIRST = re.compile(rb'game = "([a-z][a-z0-9-]{0,30})"\n')


def files_in(path: Path) -> list[Path]:
    """The files of a pack: those of a folder, or the one that it is."""
    return sorted(path.glob("*.toml")) if path.is_dir() else [path]


def load(rules: AnyRules, path: Path) -> Any:
    """The pack in a folder or file, if it can be played: every scenario must begin."""
    from pbem.engine.machine import Machine
    from pbem.playtest.local import usual_start

    pack = rules.load_pack(path)
    machine = Machine(rules, pack)
    for scenario in rules.scenarios(pack):
        start = usual_start(rules, pack, scenario)
        try:
            machine.start(start.scenario, start.options, start.seats)
        except (AssertionError, LookupError, ValueError) as error:
            raise UsageError(
                f"{path}: scenario {scenario!r} cannot begin: {error}",
                "compare it with the pack that ships with the game",
            ) from None
    return pack


def keep(home: Home, rules: AnyRules, path: Path) -> Any:
    """Copy a sound pack into the home and note its digest; the pack itself is returned."""
    pack = load(rules, path)
    place = home.path / "packs" / pack.digest[:16]
    if not place.exists():
        fresh = place.with_name(f".{place.name}.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True, mode=0o700)
        for file in files_in(path):
            shutil.copyfile(file, fresh / file.with_suffix(".toml").name)
        fresh.rename(place)
    if rules.load_pack(place).digest != pack.digest:
        raise UsageError(f"{place} is not the pack with its name", "remove it, then try again")
    home.set_config(packs={**home.config().get("packs", {}), pack.digest: str(place)})
    return pack


# --- on the way


def enclosed(home: Home, invite: Invite) -> list[bytes]:
    """The pack that goes with the papers of a table, if it is one of a player's own that travels."""
    from pbem.engine import registry

    path = pack_path(home, invite.data)
    if path is None:
        return []
    rules = registry.load(invite.rules)
    raw = rules.enclosed(rules.load_pack(path))
    return [] if raw is None else [raw]


def take(home: Home, raws: Sequence[bytes]) -> tuple[list[bytes], list[PbemError]]:
    """Keep the packs that came with invitations to their games; the papers that are left, and refusals."""
    papers = [raw for raw in raws if game_of(raw) is None]
    wanted = {invite.data for invite in _invites(papers)}
    refused: list[PbemError] = []
    for raw in raws:
        game = game_of(raw)
        if game is not None:
            try:
                _take_one(home, game, raw, wanted)
            except PbemError as error:
                refused.append(error)
    return papers, refused


def game_of(raw: bytes) -> str | None:
    """The game that a pack of one file says it is for; None for a paper."""
    first = _FIRST.match(raw)
    return first[1].decode() if first else None


def _invites(papers: Sequence[bytes]) -> list[Invite]:
    found = []
    for raw in papers:
        try:
            found.append(read_invite(raw))
        except PbemError:
            continue
    return found


def _take_one(home: Home, game: str, raw: bytes, wanted: set[str]) -> None:
    """A stranger's file: kept only if it is a pack that an invitation names, byte for byte."""
    from pbem.engine import registry

    rules = registry.load(game)
    with tempfile.TemporaryDirectory() as folder:
        came = Path(folder) / f"{game}.toml"
        came.write_bytes(raw)
        pack = load(rules, came)
        if pack.digest in wanted and rules.enclosed(pack) == raw:
            keep(home, rules, came)
