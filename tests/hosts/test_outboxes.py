"""Entries through a git host: each reaches the others once and in order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.errors import TransportError, VerificationError
from pbem.protocol.papers.entry import entry_id
from pbem.repository import MAIN, Repository
from pbem.transport import git as transport
from pbem.transport import git_remote
from pbem.transport.git import (
    fetch_outboxes,
    note_taken,
    outbox_ref,
    push_main,
    push_outbox,
    taken,
)
from tests.hosts.outboxes import fetch_entries, signed
from tests.plain_git import entry as game_commit
from tests.plain_git import raw_git


def test_entries_reach_the_other_seat_once(bare: Path, new_game: Callable[[str], Repository]) -> None:
    hojo, uesugi = new_game("hojo"), new_game("uesugi")
    assert fetch_entries(uesugi, str(bare), ["hojo", "uesugi"]) == []
    mine = [signed("hojo", 0), signed("hojo", 1), signed("hojo", 0, "answer"), signed("hojo", 100)]
    assert push_outbox(hojo, str(bare), "hojo", mine[:2]) == 2
    assert push_outbox(hojo, str(bare), "hojo", mine) == 2
    assert push_outbox(hojo, str(bare), "hojo", mine) == 0
    push_outbox(uesugi, f"file://{bare}", "uesugi", [signed("uesugi", 0)])
    assert sorted(fetch_entries(uesugi, f"file://{bare}", ["hojo"])) == sorted(mine)
    assert fetch_entries(hojo, str(bare), ["uesugi", "absent"]) == [signed("uesugi", 0)]
    assert raw_git(bare, "for-each-ref", "--format=%(refname)").split() == [
        outbox_ref("hojo"),
        outbox_ref("uesugi"),
    ]
    raw_git(bare, "update-ref", "-d", outbox_ref("hojo"))
    assert fetch_entries(uesugi, str(bare), ["hojo"]) == []


def test_the_outbox_has_the_same_commits_however_it_was_filled(
    bare: Path, tmp_path: Path, new_game: Callable[[str], Repository]
) -> None:
    raw_git(tmp_path, "init", "-q", "--bare", "second.git")
    mine = sorted((signed("hojo", n) for n in range(3)), key=entry_id)
    push_outbox(new_game("a"), str(bare), "hojo", mine)
    for n in range(3):
        push_outbox(new_game(f"b{n}"), str(tmp_path / "second.git"), "hojo", mine[: n + 1])
    tips = {raw_git(host, "rev-parse", outbox_ref("hojo")) for host in (bare, tmp_path / "second.git")}
    assert len(tips) == 1


def test_what_was_taken_is_not_read_again(bare: Path, new_game: Callable[[str], Repository]) -> None:
    hojo, uesugi = new_game("hojo"), new_game("uesugi")
    push_outbox(hojo, str(bare), "hojo", [signed("hojo", n) for n in range(98)])
    ((_, tip, _),) = fetch_outboxes(uesugi, str(bare), ["hojo"], {}, lambda seat, error: None)
    note_taken(uesugi, {"hojo": tip})
    since = taken(uesugi, ["hojo", "uesugi"])
    assert since == {"hojo": tip}
    assert fetch_entries(uesugi, str(bare), ["hojo"], since) == []
    more = [signed("hojo", n) for n in range(98, 103)]
    push_outbox(hojo, str(bare), "hojo", more)
    read: list[str] = []
    blobs = uesugi.blobs
    uesugi.blobs = lambda ids: read.extend(ids) or blobs(ids)  # type: ignore[method-assign,func-returns-value]
    assert sorted(fetch_entries(uesugi, str(bare), ["hojo"], since)) == sorted(more)
    assert len(read) < 20, "the outbox was read from its beginning"


def test_what_is_added_later_is_looked_at_as_strictly(bare: Path, repo: Repository) -> None:
    push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    tip = raw_git(bare, "rev-parse", outbox_ref("hojo"))
    blob = raw_git(bare, "hash-object", "-w", "--stdin", data=b"/etc/passwd")
    name = entry_id(signed("hojo", 0))[:2]
    folder = raw_git(bare, "rev-parse", f"{tip}:{name}")
    listed = raw_git(bare, "ls-tree", folder) + f"\n120000 blob {blob}\t{'0' * 62}.toml"
    inner = raw_git(bare, "mktree", data=listed.encode())
    tree = raw_git(bare, "mktree", data=f"040000 tree {inner}\t{name}".encode())
    commit = raw_git(bare, "commit-tree", tree, "-p", tip, "-m", "x")
    raw_git(bare, "update-ref", outbox_ref("hojo"), commit)
    with pytest.raises(TransportError, match="is a link"):
        fetch_entries(repo, str(bare), ["hojo"], {"hojo": tip})


def test_two_devices_of_one_player_share_an_outbox(
    bare: Path, new_game: Callable[[str], Repository], monkeypatch: pytest.MonkeyPatch
) -> None:
    laptop, watch = new_game("laptop"), new_game("watch")
    push = git_remote.push

    def push_second(*args: object) -> bool:
        """The watching machine is faster, once."""
        monkeypatch.setattr(transport, "push", push)
        push_outbox(watch, str(bare), "hojo", [signed("hojo", 0, "answer")])
        return push(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(transport, "push", push_second)
    assert push_outbox(laptop, str(bare), "hojo", [signed("hojo", 0)]) == 1
    both = sorted([signed("hojo", 0, "answer"), signed("hojo", 0)])
    assert sorted(fetch_entries(watch, str(bare), ["hojo"])) == both
    assert sorted(fetch_entries(laptop, str(bare), ["hojo"])) == both


def test_a_run_that_ends_before_its_push_is_made_up_for(
    bare: Path, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(transport, "push", lambda *a: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    assert push_outbox(repo, str(bare), "hojo", [signed("hojo", 0), signed("hojo", 1)]) == 2
    assert sorted(fetch_entries(repo, str(bare), ["hojo"])) == [signed("hojo", 0), signed("hojo", 1)]


def test_the_main_line_never_conflicts_unless_it_is_another_game(
    bare: Path, new_game: Callable[[str], Repository]
) -> None:
    hojo, uesugi, cheat = new_game("hojo"), new_game("uesugi"), new_game("cheat")
    push_main(hojo, str(bare))
    commits = [game_commit(n) for n in range(1, 5)]
    hojo.append(commits[:3], parent=None)
    uesugi.append(commits, parent=None)
    for repo in (hojo, hojo, uesugi, hojo):
        push_main(repo, str(bare))
    assert raw_git(bare, "rev-parse", MAIN) == uesugi.head()
    ids = cheat.append([*commits[:2], game_commit(3, seat="cheat")], parent=None)
    with pytest.raises(
        TransportError, match=f"commit 3 on: {ids[2][:12]} here, {hojo.history()[2][:12]} there"
    ):
        push_main(cheat, str(bare))
    assert raw_git(bare, "rev-parse", MAIN) == uesugi.head()


def test_only_ones_own_entries_go_into_ones_outbox(bare: Path, repo: Repository) -> None:
    for bad in (
        signed("uesugi", 0),
        signed("hojo", 0, "Orders"),
        signed("hojo", 0, ""),
        signed("hojo", 0, "../orders"),
        signed("hojo", 0, "a" * 17),
        signed("hojo", 0, text="x" * (64 << 10)),
        b'seat = "hojo"\nkind = 7\n',
        b'kind = "orders"\n',
        b"\xff",
    ):
        with pytest.raises(VerificationError):
            push_outbox(repo, str(bare), "hojo", [bad])
    for seat in ("../hojo", "", "--all", "a*", "Hojo", "x.lock", "a" * 17):
        with pytest.raises(VerificationError, match="no name for a seat"):
            push_outbox(repo, str(bare), seat, [])
        with pytest.raises(VerificationError, match="no name for a seat"):
            fetch_entries(repo, str(bare), [seat])
    assert raw_git(bare, "for-each-ref") == ""
