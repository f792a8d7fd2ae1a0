"""Cheats with a game folder, its history and its settings, and with the mail."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem import verify
from pbem.doing import returning, watching
from pbem.doing.returning import come_back
from pbem.doing.watching import Watcher
from pbem.errors import UsageError, VerificationError
from pbem.home import Home
from pbem.protocol.crypto.keys import dump_private
from pbem.repository import Commit, Repository, git_dir, line, plumbing
from pbem.table import Table
from pbem.transport import bundle, git, mail_in
from pbem.transport.git_remote import push
from pbem.verify import verify_folder
from tests.cheats.kit import End, always, cheat, nothing
from tests.cli import Desk, begin
from tests.homes import Party, party
from tests.plain_git import unpacked
from tests.stopping import waits_at
from tests.test_limits import flood, maildir, unknown
from tests.test_verify_breach import asked, collude


@contextmanager
def game() -> Iterator[Party]:
    """A game of some moves, in folders of its own."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        found = party(Path(folder), patch)
        found.exchange()
        for _ in range(3):
            found.decide()
            found.exchange()
        yield found


def _passes(folder: Path) -> bool:
    return verify_folder(folder).ok


@cheat(End.REFUSED, (line, "_check_disguises", nothing))
def a_replaced_object_shows_another_game() -> bool:
    """`git log` would show something else than what was verified."""
    with game() as found:
        table = found.tables["a"]
        old, other = table.repo.history()[3], table.repo.history()[2]
        subprocess.run(["git", "replace", "-f", old, other], cwd=table.folder, check=True)
        return _passes(table.folder)


@cheat(End.REFUSED, (line, "_check_objects", nothing))
def an_old_position_is_rewritten() -> bool:
    """The position of an old commit, as somebody would like it to have been."""
    with game() as found:
        table = found.tables["a"]
        unpacked(table.folder)
        name = table.repo.tree(table.repo.history()[3])["position.toml"].id
        path = table.folder / ".git/objects" / name[:2] / name[2:]
        data = zlib.decompress(path.read_bytes()).partition(b"\0")[2] + b"# added\n"
        path.chmod(0o644)
        path.write_bytes(zlib.compress(f"blob {len(data)}\0".encode() + data))
        return _passes(table.folder)


@cheat(End.REFUSED, (verify, "_plain_files", nothing))
def a_file_of_the_folder_is_edited() -> bool:
    """What a reader sees in the folder is not what was committed."""
    with game() as found:
        folder = found.tables["a"].folder
        path = next(p for p in sorted(folder.glob("log/*/*.toml")) if b"text = " in p.read_bytes())
        path.write_bytes(path.read_bytes().replace(b'text = "', b'text = "not '))
        return _passes(folder)


@cheat(End.NAMED, (verify, "_breach", lambda replay: []))
def all_programs_of_a_table_overlook_a_made_up_link() -> bool:
    """They go on as if it followed, and write a log and positions that fit it."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        found = party(Path(folder), patch, scenario="long")
        found.rng = random.Random(3)
        seat, _ = collude(found, patch)
        problem = verify_folder(found.tables["a"].folder).problem
        return problem is None or problem.seat != seat


@cheat(End.REFUSED, (verify, "_same_files", nothing), (verify, "_same_commits", nothing))
def a_log_tells_another_story() -> bool:
    """A history made anew with the same moves, whose log says that something else happened."""
    with game() as found:
        table = found.tables["a"]
        with pytest.MonkeyPatch.context() as patch:
            real = verify.commit_of
            replay = []
            patch.setattr(verify, "commit_of", lambda one: replay.append(real(one)) or replay[-1])
            assert _passes(table.folder)
        first = verify.first_commit(_start(table))
        told = [
            type(c)(
                {
                    p: d.replace(b'text = "', b'text = "not ') if p.startswith("log/") else d
                    for p, d in c.files.items()
                },
                c.message,
                c.author,
                c.when,
            )
            for c in replay
        ]
        forged = Repository.create(table.folder.parent / "forged")
        forged.append([first, *told], parent=None)
        forged.write_files()
        return _passes(forged.path)


def _start(table: object) -> object:
    from pbem.protocol.log.ledger import Ledger

    ledger = table.ledger  # type: ignore[attr-defined]
    return Ledger.start(table.contract, ledger.machine.rules, ledger.machine.pack, lambda n: "")  # type: ignore[attr-defined]


@cheat(End.REFUSED, (git_dir, "_HARMLESS_KEY", re.compile("core.*|remote.*", re.DOTALL)))
def a_folder_sends_its_owner_elsewhere() -> bool:
    """A folder from elsewhere has a remote with the name of the players' own address; a hook waits there."""
    with game() as found:
        table = found.tables["a"]
        top = table.folder.parent
        for name in ("ours", "theirs"):
            subprocess.run(["git", "init", "-q", "--bare", str(top / name)], check=True)
        hook = top / "theirs/hooks/pre-receive"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {top}/ran\n")
        hook.chmod(0o755)
        subprocess.run(
            ["git", "-C", str(top / "theirs"), "config", "core.hooksPath", str(hook.parent)], check=True
        )
        with (table.folder / ".git/config").open("a") as config:
            config.write(f'[remote "file://{top}/ours"]\n\turl = {top}/theirs\n')
        try:
            again = found.reopen("a")
            push(again.repo, f"file://{top}/ours", again.fingerprint, "refs/heads/main")
        except UsageError:
            return False
        return (top / "ran").exists()


@cheat(End.REFUSED, (git_dir, "_strange_settings", lambda git_dir: ()))
def a_folder_has_a_link_to_your_home() -> bool:
    """What waits in a game folder and is no entry is deleted: here it would be files of the victim."""
    with game() as found:
        folder, home = found.tables["a"].folder, found.homes["b"].path
        pool = folder / ".git/pbem/pool"
        shutil.rmtree(pool, ignore_errors=True)
        pool.parent.mkdir(exist_ok=True)
        pool.symlink_to(home)
        try:
            Table.open(folder, found.homes["b"]).receive([])
        except UsageError:
            return False
        return not (home / "games.toml").exists()


@cheat(End.REFUSED, (plumbing, "check_objects", nothing))
def a_folder_has_a_pipe_at_which_git_waits() -> bool:
    """Whoever sends or fetches from such a folder would wait until somebody writes into it."""
    with game() as found:
        folder = found.tables["a"].folder
        head = found.tables["a"].fingerprint
        unpacked(folder)
        at = folder / f".git/objects/{head[:2]}/{head[2:]}"
        return waits_at(at, lambda: Repository.open(folder).git.run("cat-file", "-p", head))


def _signs_for(seat: str, found: Party, forged: Path) -> bool:
    """Whether somebody who comes back to a forged folder opens a card of its hand there."""
    home = Home(forged.parent / "again")
    home.path.mkdir()
    (home.path / "key").write_bytes(dump_private(found.keys[seat], None))
    try:
        come_back(home, forged, lambda: found.keys[seat])
    except VerificationError:
        return False
    signed = home.journal(found.contract.game.hex())
    last = signed.signed("answer", signed.last("answer"))
    return last is not None and b'slot = "deck-' in last


@cheat(End.REFUSED, (returning, "check", nothing))
def a_folder_asks_your_machine_for_your_hand() -> bool:
    """Who lost its own gets a copy of the game in which the position waits for a card of its hand."""
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        found = party(Path(place), patch, scenario="long")
        found.rng = random.Random(3)
        seat = asked(found, lambda owed: owed.opens and owed.opens[0].startswith("s"))
        victim = found.tables[seat]
        slot, card = victim.due().opens[0], victim.ledger.position.players[seat].hand[0]  # type: ignore[union-attr]
        forged = Path(place) / "forged"
        shutil.copytree(next(table.folder for one, table in found.tables.items() if one != seat), forged)
        repo = Repository.open(forged)
        lines = repo.read("position.toml").decode().split("\n")
        text = "\n".join(line.replace(slot, card) if line.startswith("pending") else line for line in lines)
        with repo.lock():
            repo.append([Commit({"position.toml": text.encode()}, "x\n", seat, 0)], parent=repo.head())
        return _signs_for(seat, found, forged)


@cheat(End.HEALED, (git, "_stands", always))
def somebody_else_fills_the_outbox() -> bool:
    """ben pushes rubbish under the next numbers of ann: her moves would find no place, and never leave."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        desk = Desk(Path(folder), patch)
        begin(desk)
        host, clone = desk.folder / "host.git", desk.folder / "clone"
        subprocess.run(["git", "init", "-q", "--bare", "--initial-branch=main", str(host)], check=True)
        for who in ("ann", "ben"):
            desk.ok(who, "sync", str(host))
        subprocess.run(["git", "clone", "-q", "-b", "pbem/outbox/a", str(host), str(clone)], check=True)
        for number in range(1, 4):
            (clone / f"0001/{number:06}-decide.toml").write_text("rubbish\n")
        who_says = ["-c", "user.name=ben", "-c", "user.email=ben@example.org"]
        for step in (["add", "-A"], [*who_says, "commit", "-qm", "x"], ["push", "-q"]):
            subprocess.run(["git", *step], cwd=clone, check=True)
        desk.run("ann", "sync")
        desk.run("ann", "play", "-m", "put act act", "--yes")
        for who in ("ann", "ben"):
            desk.run(who, "sync")
        return "a" in [one["seat"] for one in desk.ok("ben", "status", "--json").json["asked"]]


# --- mail


def _adds(search: object, entry: bytes) -> None:
    search.entries[entry] = None  # type: ignore[attr-defined]


@cheat(End.REFUSED, (mail_in._Search, "add", _adds), (mail_in, "MAX_BUNDLES", 1_000_000))
def a_small_mail_brings_a_hundred_megabytes() -> bool:
    """Bundles that are a thousand times shorter than what they hold."""
    return sum(map(len, mail_in.find(flood(16)).entries)) > 5 * bundle.MAX_TOTAL


@cheat(End.HEALED, (watching, "MOST_KEPT", 10**6))
def strangers_fill_the_disk() -> bool:
    """One mail after the other with a game that nobody here knows: each would be kept for the owner."""
    with tempfile.TemporaryDirectory() as folder:
        mails = [bundle.pack([unknown(number)]) for number in range(1, 106)]
        home = maildir(Path(folder), *mails)
        Watcher(home).look()
        return len(list((home.path / "inbox").glob("*.pbem"))) == len(mails)


@cheat(End.HEALED, (Watcher, "_take_safely", Watcher._take), (bundle, "portions", lambda raws: [raws]))
def one_mail_stops_the_next() -> bool:
    """A stranger's mail with more entries of unknown games than one bundle may hold."""
    raws = [unknown(n) for n in range(1, 1401)]
    body = "".join(bundle.armour(bundle.pack(raws[n : n + 700])) for n in (0, 700))
    last = bundle.pack([unknown(9999)])
    with tempfile.TemporaryDirectory() as folder:
        home = maildir(Path(folder), body.encode(), last)
        for _ in range(2):
            Watcher(home).look()
        kept = (home.path / "inbox").glob("*.pbem") if (home.path / "inbox").exists() else ()
        return last not in [path.read_bytes() for path in kept]
