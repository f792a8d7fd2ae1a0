"""What a host that means ill may hold: refused by name, and the others still arrive."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.errors import PbemError, TransportError
from pbem.repository import MAIN, Repository
from pbem.repository import plumbing as plumbing_module
from pbem.transport.git import (
    outbox_ref,
    push_main,
    push_outbox,
)
from tests.hosts.outboxes import GOOD, fetch_entries, plant, signed
from tests.plain_git import entry as game_commit
from tests.plain_git import raw_git


@pytest.mark.parametrize(
    ("mode", "path", "content", "said"),
    [
        ("120000", GOOD, b"../../../etc/passwd", "is a link"),
        ("160000", GOOD, "1" * 40, "is a submodule"),
        ("160000", "sub", "1" * 40, "is a submodule"),
        ("100755", GOOD, b"#!/bin/sh\n", "is executable"),
        ("100755", "hooks/pre-push", b"#!/bin/sh\n", "is a folder"),
        ("100644", ".gitmodules", b'[submodule "x"]\n\tpath = x\n\turl = ./x\n', "cannot hold the path"),
        ("100644", ".gitattributes", b"* filter=evil\n", "cannot hold the path"),
        ("100644", "--upload-pack=touch", b"", "cannot hold the path"),
        ("100644", f"ab/x/{'0' * 62}.toml", b"", "is a folder"),
        ("100644", GOOD, bytes(64 * 1024 + 1), "65537 bytes and was not read"),
        ("100644", GOOD, bytes(8 << 20), "8388608 bytes and was not read"),
    ],
)
def test_bad_outboxes_are_refused_by_name_and_the_others_still_arrive(
    bare: Path, repo: Repository, mode: str, path: str, content: bytes | str, said: str
) -> None:
    push_outbox(repo, str(bare), "uesugi", [signed("uesugi", 0)])
    plant(bare, "hojo", (mode, path, content))
    told: list[tuple[str, PbemError]] = []
    found = fetch_entries(repo, str(bare), ["hojo", "uesugi"], refused=lambda s, e: told.append((s, e)))
    assert found == [signed("uesugi", 0)]
    ((seat, error),) = told
    assert seat == "hojo" and said in error.message and isinstance(error, TransportError) and error.hint
    with pytest.raises(TransportError, match="the outbox of hojo"):
        fetch_entries(repo, str(bare), ["uesugi", "hojo"])
    with pytest.raises(TransportError, match="the outbox of hojo"):
        push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    assert [p.name for p in repo.path.iterdir()] == [".git"]


def plant_object(bare: Path, kind: str, data: bytes) -> str:
    return raw_git(bare, "hash-object", "-w", "--literally", "-t", kind, "--stdin", data=data)


@pytest.mark.parametrize("path", [b".git", b"..", b".GIT", b".git\xe2\x80\x8c"])
def test_trees_that_git_itself_refuses_do_not_keep_others_away(
    bare: Path, repo: Repository, path: bytes
) -> None:
    push_outbox(repo, str(bare), "uesugi", [signed("uesugi", 0)])
    blob = bytes.fromhex(plant_object(bare, "blob", b"#!/bin/sh\n"))
    hooks = plant_object(bare, "tree", b"100755 post-checkout\0" + blob)
    tree = plant_object(bare, "tree", b"40000 " + path + b"\0" + bytes.fromhex(hooks))
    commit = f"tree {tree}\nauthor x <x@x> 0 +0000\ncommitter x <x@x> 0 +0000\n\n"
    raw_git(bare, "update-ref", outbox_ref("hojo"), plant_object(bare, "commit", commit.encode()))
    told: list[str] = []
    found = fetch_entries(repo, str(bare), ["hojo", "uesugi"], refused=lambda s, e: told.append(e.message))
    assert found == [signed("uesugi", 0)] and len(told) == 1
    assert "refuse" in told[0] and repo.head("refs/pbem/remote/hojo") is None


def test_a_flood_is_cut_off_and_leaves_nothing(
    bare: Path, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plumbing_module, "NETWORK_BYTES", 1 << 20)
    push_outbox(repo, str(bare), "uesugi", [signed("uesugi", 0)])
    plant(bare, "hojo", *(("100644", f"ab/{n:062x}.toml", os.urandom(60_000)) for n in range(120)))
    told: list[str] = []
    found = fetch_entries(repo, str(bare), ["hojo", "uesugi"], refused=lambda s, e: told.append(e.message))
    assert found == [signed("uesugi", 0)] and len(told) == 1 and "was cut off" in told[0]
    assert list((repo.git.git_dir / "objects").rglob("tmp_*")) == []


def test_a_hundred_thousand_refs_and_refs_like_options_do_not_matter(bare: Path, repo: Repository) -> None:
    push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    tip = raw_git(bare, "rev-parse", outbox_ref("hojo"))
    names = [f"refs/heads/pbem/outbox/hojo{n:06}" for n in range(50_000)]
    names += [f"refs/heads/r{n:06}" for n in range(50_000)]
    names += ["refs/heads/--upload-pack=touch", "refs/tags/-c", "refs/heads/refs/heads/pbem/outbox/uesugi"]
    lines = "".join(f"{tip} {name}\n" for name in sorted(names))
    (bare / "packed-refs").write_text("# pack-refs with: peeled fully-peeled sorted \n" + lines)
    assert fetch_entries(repo, str(bare), ["hojo", "uesugi"]) == [signed("hojo", 0)]
    assert push_outbox(repo, str(bare), "hojo", [signed("hojo", 1)]) == 1
    refs = raw_git(repo.path, "for-each-ref", "--format=%(refname)").split()
    assert refs == ["refs/pbem/remote/hojo", "refs/pbem/taken/hojo"]
    with pytest.raises(TransportError, match="refs/heads/refs/heads/pbem/outbox/uesugi', which hides"):
        push_outbox(repo, str(bare), "uesugi", [signed("uesugi", 0)])
    raw_git(bare, "update-ref", outbox_ref("uesugi"), tip)
    with pytest.raises(TransportError, match="matches more than one"):
        push_outbox(repo, str(bare), "uesugi", [signed("uesugi", 1)])


def test_hooks_and_settings_of_a_remote_do_not_run_on_fetch(
    bare: Path, tmp_path: Path, repo: Repository
) -> None:
    push_outbox(repo, str(bare), "hojo", [signed("hojo", 0)])
    raw_git(bare, "config", "uploadpack.packObjectsHook", f"touch {tmp_path}/ran; exec git pack-objects")
    raw_git(bare, "config", "core.fsmonitor", f"touch {tmp_path}/ran")
    for name in ("post-checkout", "reference-transaction", "pre-auto-gc", "post-index-change"):
        (bare / "hooks").mkdir(exist_ok=True)
        (bare / "hooks" / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        (bare / "hooks" / name).chmod(0o755)
    repo.git.must("update-ref", "-d", "refs/pbem/remote/hojo")
    assert fetch_entries(repo, str(bare), ["hojo"]) == [signed("hojo", 0)]


def test_a_main_line_that_is_not_one_is_refused(bare: Path, repo: Repository) -> None:
    repo.append([game_commit(1), game_commit(2)], parent=None)
    push_main(repo, str(bare))
    head = repo.head()
    raw_git(bare, "update-ref", MAIN, raw_git(bare, "commit-tree", f"{head}^{{tree}}", "-p", f"{head}", "-p",
                                              f"{head}^", "-m", "merge"))  # fmt: skip
    repo.append([game_commit(3)], parent=head)
    with pytest.raises(TransportError, match=r"is not a game: commit [0-9a-f]{12} is a merge"):
        push_main(repo, str(bare))
