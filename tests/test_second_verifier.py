"""A verifier written from `pbem help protocol` alone agrees about the finished games, changed or not."""

from __future__ import annotations

import random
import re
import zipfile
from collections.abc import Callable
from functools import lru_cache

import pytest

from pbem.engine import registry
from pbem.engine.codec import hints
from pbem.filing import commit_of, first_commit
from pbem.protocol.log.ledger import Ledger
from pbem.protocol.papers.acceptance import Accept
from pbem.protocol.papers.bodies import KINDS
from pbem.protocol.papers.contract import Signing, read_contract
from pbem.protocol.papers.entry import Head
from pbem.protocol.papers.invitation import Clocks, Invite
from pbem.protocol.rounds.state import SeatState, State
from pbem.protocol.rounds.state import Verdict as StateVerdict
from pbem.verify import verify_moves
from tests import second_commits, second_state
from tests import second_verifier as second
from tests.cheats.pieces import without
from tests.cli import ROOT
from tests.scenes import table_of
from tests.second_contract import Bad
from tests.table import same_everywhere, settle

EXAMPLES = sorted(path.stem for path in (ROOT / "examples" / "games").glob("*.zip"))
Files = dict[str, bytes]
AUDITED = {
    "chuhan": (48, 132),
    "kawagoe": (154, 284),
    "redcoats": (39, 57),
    "sanada": (655, 685),
    "suikoden": (66, 358),
}
"""Of each finished game: what the audit made again from published secrets, and its entries."""


@lru_cache(maxsize=8)
def example(name: str) -> Files:
    """A finished game: the contract and the moves."""
    with zipfile.ZipFile(ROOT / "examples" / "games" / f"{name}.zip") as archive:
        return {path: archive.read(path) for path in archive.namelist() if path != "verdict.txt"}


@lru_cache(maxsize=8)
def line(name: str) -> tuple[list[tuple[Files, str, str, int]], str]:
    """Its commits, as pbem makes them, and the fingerprint."""
    files = example(name)
    contract = read_contract(files["game.toml"])
    rules = registry.load(contract.invite.rules)
    found = verify_moves(files)
    assert found.ok
    first = first_commit(Ledger.start(contract, rules, rules.load_pack(), lambda number: ""))
    commits = [first, *map(commit_of, found.logged)]
    return [(dict(c.files), c.message, c.author, c.when) for c in commits], found.fingerprint


@pytest.mark.parametrize("name", EXAMPLES)
def test_both_verifiers_find_the_game_in_order(name: str) -> None:
    replay = second.check(example(name))
    assert len(replay.entries) == len(example(name)) - 1
    assert (replay.audit(), len(replay.entries)) == AUDITED[name], "seals and chains were looked at"


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_number_and_every_commit_is_the_same(name: str) -> None:
    commits, fingerprint = line(name)
    files = {path: data for written, *_ in commits for path, data in written.items()}
    replay = second.check(files)
    fell = sum(len(re.findall(rb"values = \[", data)) for path, data in files.items() if "log/" in path)
    assert replay.numbers >= fell - 1 > 10
    assert second_commits.commit_ids(commits)[-1] == fingerprint
    positions = [written["position.toml"].decode() for written, *_ in commits]
    digests = {second.H("position", text.encode()).hex() for text in positions}
    assert all(entry.head["pos"] in digests for entry in replay.entries)
    raws = [entry.raw for entry in replay.entries]
    assert second_state.check(replay.contract, raws, positions) > 20


# --- changed games


def flipped(files: Files, rng: random.Random) -> None:
    path = rng.choice(sorted(files))
    raw = bytearray(files[path])
    raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    files[path] = bytes(raw)


def dropped(files: Files, rng: random.Random) -> None:
    del files[rng.choice([path for path in sorted(files) if path != "game.toml"][:-1])]


def renumbered(files: Files, rng: random.Random) -> None:
    one, two = rng.sample([path for path in sorted(files) if path != "game.toml"], 2)
    files[one], files[two] = files[two], files[one]


def repeated(files: Files, rng: random.Random) -> None:
    moves = [path for path in sorted(files) if path != "game.toml"]
    files[rng.choice(moves)] = files[rng.choice(moves[:3])]


def other_secret(files: Files, rng: random.Random) -> None:
    path = next(p for p in sorted(files, reverse=True) if b'kind = "audit"' in files[p])
    secret = rng.randbytes(32).hex().encode()
    files[path] = re.sub(rb'secret = "[0-9a-f]{64}"', b'secret = "' + secret + b'"', files[path])


def other_field(files: Files, rng: random.Random) -> None:
    path = rng.choice([path for path in sorted(files) if path != "game.toml"])
    raw = re.sub(rb'"[0-9a-f]{64}"', lambda m: b'"' + bytes(m[0][1:-1][::-1]) + b'"', files[path], count=1)
    files[path] = raw


CHANGES: list[Callable[[Files, random.Random], None]] = [
    flipped,
    flipped,
    dropped,
    renumbered,
    repeated,
    other_secret,
    other_field,
]


@pytest.mark.parametrize("name", EXAMPLES[:1])
def test_both_verifiers_refuse_every_changed_game(name: str) -> None:
    """The second one alone for all of them; for some, pbem itself, which must say the same."""
    for number in range(40):
        rng = random.Random(f"{name} {number}")
        files = dict(example(name))
        CHANGES[number % len(CHANGES)](files, rng)
        if files == example(name):
            continue
        with pytest.raises(Bad):
            second.check(files).audit()
        if number % 8 == 0:
            assert not verify_moves(files).ok


@pytest.mark.parametrize("name", EXAMPLES[:1])
def test_a_missing_or_changed_entry_is_named_where_it_stands(name: str) -> None:
    moves = sorted(path for path in example(name) if path != "game.toml")
    for number in (1, len(moves) // 2, len(moves) - 1):
        path = moves[number - 1]
        files = {p: data for p, data in example(name).items() if p != path}
        problem = verify_moves(files).problem
        assert problem is not None and problem.entry == number and "missing" in problem.cause
        raw = bytearray(example(name)[path])
        raw[raw.index(b"sent = ") + 12] ^= 1
        problem = verify_moves(files | {path: bytes(raw)}).problem
        assert problem is not None and problem.entry == number


@pytest.mark.parametrize("name", EXAMPLES[:1])
def test_a_log_in_which_another_number_fell_is_refused(name: str) -> None:
    commits, _ = line(name)
    files = {path: data for written, *_ in commits for path, data in written.items()}
    path = next(p for p in sorted(files) if b"bounds = [6" in files[p])
    old = re.search(rb"values = \[(\d)", files[path])
    assert old
    files[path] = files[path].replace(old[0], b"values = [%d" % (5 - int(old[1])), 1)
    with pytest.raises(Bad, match="did not fall"):
        second.check(files)


# --- the text from which it was written


def test_the_protocol_page_names_everything_that_is_signed_or_kept() -> None:
    """A field that it does not name could not be read by who has the page alone."""
    text = (ROOT / "pbem" / "help" / "protocol.md").read_text(encoding="utf-8")
    words = set(re.findall(r"[a-z_0-9-]+", text))
    records = [*KINDS.values(), State, SeatState, StateVerdict, Invite, Accept, Signing, Clocks, Head]
    unnamed = [f"{one.__name__}.{name}" for one in records for name in hints(one) if name not in words]
    assert not unnamed and KINDS.keys() <= words


# --- a seat that vanished


def vanished_game() -> tuple[Files, dict[str, bytes]]:
    """The contract and the entries of a game of four, up to where one of them plays in the open."""
    table = table_of(4)
    rest = without(table, "a")
    settle(rest)
    one = same_everywhere(rest)
    files = {"game.toml": one.contract.text().encode()}
    for number, logged in enumerate(one.log, 1):
        files[f"moves/0001/{number:06d}-{logged.entry.seat}.toml"] = logged.entry.raw
    return files, {seat: player.secrets.secret for seat, player in table.items()}


def test_both_put_the_same_secret_together_and_deal_the_same_pieces() -> None:
    files, secrets = vanished_game()
    replay = second.check(files)
    assert replay.audit() >= 1 + 3
    assert replay.contract.seats["a"].secret == secrets["a"]
    for name, secret in secrets.items():
        replay.contract.seats[name].secret = secret
        assert replay._dealt(replay.contract.seats[name]) == 3


def test_a_piece_dealt_otherwise_and_one_given_otherwise_are_found() -> None:
    files, secrets = vanished_game()
    replay = second.check(files)
    seat = replay.contract.seats["b"]
    seat.secret = secrets["b"]
    seat.pieces["c"]["masked"] = "5a" * 32
    with pytest.raises(Bad, match="another piece to c"):
        replay._dealt(seat)
    given = next(entry for entry in replay.entries if entry.body.get("pieces"))
    given.body["pieces"][0]["piece"] = "5a" * 32
    with pytest.raises(Bad, match="a false piece"):
        replay.audit()
