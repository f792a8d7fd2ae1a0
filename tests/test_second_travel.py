"""What travels is read by a second program that was written from `pbem help protocol` alone."""

from __future__ import annotations

import zipfile
import zlib

import pytest

from pbem.protocol.papers.entry import read
from pbem.repository import expected_ids
from pbem.transport.bundle import armour, pack
from pbem.transport.git import OUTBOX, _entry_commit
from tests import second_commits, second_travel
from tests.cli import ROOT

EXAMPLES = sorted((ROOT / "examples" / "games").glob("*.zip"))


def moves(path: object) -> list[bytes]:
    with zipfile.ZipFile(str(path)) as archive:
        return [archive.read(name) for name in sorted(archive.namelist()) if name.startswith("moves/")]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_bundle_and_its_armour_give_the_entries_back(path: object) -> None:
    raws = moves(path)[:60]
    for some in (raws, raws[:1]):
        bundle = pack(some)
        assert second_travel.entries(second_travel.unarmoured(armour(bundle))) == some
    assert b" lean " in pack(raws).partition(b"\n")[0]


@pytest.mark.parametrize("at", [20, 200, -99])
def test_a_changed_bundle_is_refused(at: int) -> None:
    bundle = bytearray(pack(moves(EXAMPLES[0])[:9]))
    bundle[at] ^= 1
    with pytest.raises((ValueError, IndexError, zlib.error)):
        second_travel.entries(bytes(bundle))


def test_the_commits_of_an_outbox_follow_from_its_entries() -> None:
    raws = moves(EXAMPLES[0])
    seat = read(raws[0]).head.seat
    mine = [raw for raw in raws if read(raw).head.seat == seat]
    line = []
    for raw in mine:
        head = read(raw).head
        path = f"{head.seq // 100 + 1:04d}/{head.seq:06d}-{head.lane}.toml"
        line.append(({path: raw}, f"{seat}: {head.lane} {head.seq}\n", seat, 0))
    made = expected_ids([_entry_commit(seat, raw) for raw in mine], OUTBOX)
    assert second_commits.commit_ids(line) == list(made) and len(made) > 10
