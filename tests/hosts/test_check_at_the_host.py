"""The check that a host runs before it takes anything."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pbem.errors import TransportError, VerificationError
from pbem.protocol.papers.entry import entry_id
from pbem.repository import MAIN, Repository
from pbem.transport.git import (
    check_incoming,
    outbox_ref,
    push_main,
    push_outbox,
)
from tests.cli import ROOT
from tests.hosts.outboxes import GOOD, plant, signed
from tests.plain_git import entry as game_commit
from tests.plain_git import raw_git

HOOK = """#!{python}
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from pbem.errors import PbemError, VerificationError
from pbem.repository import Repository
from pbem.transport.git import check_incoming

def verify(entry):
    if b"forged" in entry:
        raise VerificationError("the signature does not verify")

try:
    repo = Repository.hosted(Path(".").absolute())
    verify_main = lambda head: len(repo.history(head))
    check_incoming(repo, sys.stdin, verify, verify_main, seats=["hojo", "uesugi"])
except PbemError as error:
    sys.exit(f"pbem: error: {{error.message}}")
"""


@pytest.fixture
def guarded(bare: Path) -> Path:
    hook = bare / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(HOOK.format(python=sys.executable, root=str(ROOT)))
    hook.chmod(0o755)
    raw_git(bare, "config", "core.hooksPath", str(hook.parent))  # not those of the user who pushes
    return bare


def test_the_host_takes_what_verifies_and_says_why_not(guarded: Path, repo: Repository) -> None:
    push_outbox(repo, str(guarded), "hojo", [signed("hojo", 0), signed("hojo", 0, "answer")])
    push_outbox(repo, str(guarded), "hojo", [signed("hojo", 1)])
    repo.append([game_commit(1), game_commit(2)], parent=None)
    push_main(repo, str(guarded))
    repo.append([game_commit(3)], parent=repo.head())
    push_main(repo, str(guarded))
    before = raw_git(guarded, "for-each-ref")
    with pytest.raises(TransportError, match="refused refs/heads/pbem/outbox/hojo") as caught:
        push_outbox(repo, str(guarded), "hojo", [signed("hojo", 2, text="forged")])
    assert "the signature does not verify" in (caught.value.hint or "")
    with pytest.raises(TransportError) as caught:
        push_outbox(repo, str(guarded), "takeda", [signed("takeda", 0)])
    assert "takeda has no seat" in (caught.value.hint or "")
    assert raw_git(guarded, "for-each-ref") == before


def incoming(repo: Repository, bare: Path, *lines: str, forged: bytes = b"forged") -> list[bytes]:
    """The check on objects that are already there; the entries that were shown to `verify`."""
    shown: list[bytes] = []

    def verify(entry: bytes) -> None:
        shown.append(entry)
        if forged in entry:
            raise VerificationError("the signature does not verify")

    hosted = Repository.hosted(bare)
    check_incoming(hosted, [f"{line}\n" for line in lines], verify, lambda head: len(hosted.tree(head)))
    return shown


def test_only_new_entries_are_verified_and_lines_only_grow(bare: Path, repo: Repository) -> None:
    none, ref = "0" * 40, outbox_ref("hojo")
    push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    first = raw_git(bare, "rev-parse", ref)
    push_outbox(repo, str(bare), "hojo", [signed("hojo", 1)])
    second = raw_git(bare, "rev-parse", ref)
    assert incoming(repo, bare, f"{none} {second} {ref}") == [signed("hojo", 0), signed("hojo", 1)]
    assert incoming(repo, bare, f"{first} {second} {ref}") == [signed("hojo", 1)]
    refusals = {
        f"{second} {first} {ref}": "would be rewritten",
        f"{second} {none} {ref}": "cannot be deleted",
        f"{none} {second} {outbox_ref('uesugi')}": "is not by uesugi",
        f"{none} {second} {MAIN}": "is a folder",
        f"{none} {second} refs/heads/other": "is refused",
        f"{none} {second} refs/tags/v1": "is refused",
        f"{none} {second} refs/heads/--force": "is refused",
        f"{none} {second} refs/heads/pbem/outbox/../../main": "no name for a seat",
        f"{none} {'1' * 40} {ref}": "has no commit",
        f"{none} --all {ref}": "not a full commit id",
        "nonsense": "not a line",
    }
    for line, said in refusals.items():
        with pytest.raises(VerificationError, match=said):
            incoming(repo, bare, line)
    raw_git(bare, "tag", "-a", "-m", "x", "v1", second)
    with pytest.raises(VerificationError, match="has no commit"):
        incoming(repo, bare, f"{none} {raw_git(bare, 'rev-parse', 'refs/tags/v1')} {ref}")


def test_outbox_commits_must_follow_from_their_entries(bare: Path, repo: Repository) -> None:
    none, ref = "0" * 40, outbox_ref("hojo")
    for files, said in (
        ([("100644", GOOD, signed("hojo", 0))], "does not add one entry"),
        ([("100755", GOOD, signed("hojo", 0))], "is executable"),
        ([("100644", GOOD, bytes(70_000))], "does not add one entry"),
    ):
        with pytest.raises(VerificationError, match=said):
            incoming(repo, bare, f"{none} {plant(bare, 'hojo', *files)} {ref}")
    raw_git(bare, "update-ref", "-d", ref)
    push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    tip = raw_git(bare, "rev-parse", ref)
    tree = raw_git(bare, "rev-parse", f"{tip}^{{tree}}")
    for message in (f"hojo: orders {entry_id(signed('hojo', 0))}\n", f"hojo: orders {'7' * 64}\n", "hello\n"):
        extra = raw_git(bare, "commit-tree", tree, "-p", tip, "-m", message)
        with pytest.raises(VerificationError, match=r"do not make|does not add one entry"):
            incoming(repo, bare, f"{tip} {extra} {ref}")


def test_main_is_verified_as_a_whole_and_gives_way_only_to_what_verifies(
    bare: Path, repo: Repository
) -> None:
    """Here a line verifies if it is one of those known; real games are pushed in test_cli_judge.py."""
    ids = repo.append([game_commit(n) for n in range(1, 4)], parent=None)
    push_main(repo, str(bare))
    raw_git(bare, "update-ref", "refs/heads/x", ids[1])
    other = raw_git(bare, "commit-tree", f"{ids[1]}^{{tree}}", "-p", ids[1], "-m", "no entry")
    lengths = {name: number for number, name in enumerate(ids)}

    def verify_main(head: str) -> int:
        if head not in lengths:
            raise VerificationError("this is no game")
        return lengths[head]

    def check(old: str, new: str) -> None:
        check_incoming(Repository.hosted(bare), [f"{old} {new} {MAIN}\n"], lambda raw: None, verify_main)

    for old in ("0" * 40, ids[0], ids[2]):
        check(old, ids[2])
    check(other, ids[2])  # somebody pushed it before there was a hook: a player puts it right
    for old, new, said in (
        (ids[1], other, "no game"),
        ("0" * 40, other, "no game"),
        (ids[2], ids[1], "shorter line"),
        (ids[2], other, "no game"),
    ):
        with pytest.raises(VerificationError, match=said):
            check(old, new)


def test_a_refused_push_leaves_no_object_at_the_host(guarded: Path, repo: Repository) -> None:
    with pytest.raises(TransportError):
        push_outbox(repo, str(guarded), "hojo", [signed("hojo", 0, text="forged")])
    assert raw_git(guarded, "count-objects") == "0 objects, 0 kilobytes"
