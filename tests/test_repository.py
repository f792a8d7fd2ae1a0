"""A game folder: the same commit ids everywhere, and plain files that follow the line."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import UsageError, VerificationError
from pbem.repository import BLOB_LIMIT, Commit, Ids, Repository, expected_ids
from tests.plain_git import begun, entry, raw_git


@pytest.fixture
def game(tmp_path: Path) -> Repository:
    return begun(tmp_path / "game")


# --- the same ids everywhere -------------------------------------------------------------------

_seats = st.from_regex(r"[a-z][a-z0-9-]{0,15}", fullmatch=True)
_paths = st.one_of(
    st.sampled_from(["game.toml", "position.toml"]),
    st.builds(lambda n, s: f"moves/{n // 100 + 1:04}/{n:06}-{s}.toml", st.integers(0, 320), _seats),
    st.builds(lambda n: f"log/{n // 100 + 1:04}/{n:06}.toml", st.integers(0, 320)),
)
_commits = st.builds(
    Commit,
    st.dictionaries(_paths, st.binary(max_size=60), min_size=1, max_size=4),
    st.text(st.characters(blacklist_categories=["Cc", "Cs"], whitelist_characters="\n"), min_size=1),
    _seats,
    st.integers(0, 253_402_300_799),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(_commits, min_size=1, max_size=6), st.data())
def test_batches_do_not_matter_and_ids_follow_from_the_commits_alone(
    commits: list[Commit], data: st.DataObject
) -> None:
    expected = expected_ids(commits)
    with tempfile.TemporaryDirectory() as folder:
        whole = Repository.create(Path(folder, "whole"))
        assert whole.append(commits, parent=None) == expected
        single = Repository.create(Path(folder, "single"))
        head = None
        for commit in commits:
            (head,) = single.append([commit], parent=head)
        assert single.history() == whole.history() == list(expected)
        split = Repository.create(Path(folder, "split"))
        cut = data.draw(st.integers(0, len(commits)))
        first = split.append(commits[:cut], parent=None)
        split.append(commits[cut:], parent=first[-1] if first else None)
        assert split.head() == expected[-1]
        raw_git(single.path, "fsck", "--strict")


def test_a_long_game_has_the_computed_ids(tmp_path: Path) -> None:
    commits = [entry(n, seat=("hojo", "uesugi")[n % 2]) for n in range(1, 351)]
    repo = Repository.create(tmp_path / "game")
    assert repo.append(commits, parent=None) == expected_ids(commits) == repo.expected_ids(commits)
    line = Ids()
    assert [line.add(commit) for commit in commits] == repo.history()
    assert repo.read("moves/0003/000250-hojo.toml") == b"orders = 250\n"
    raw = repo.commit_bytes(repo.history()[-1:])[0]
    assert raw.endswith(
        b"author hojo <hojo@pbem.invalid> 1700000350 +0000\n"
        b"committer hojo <hojo@pbem.invalid> 1700000350 +0000\n\nhojo: entry 350\n"
    )


ODD_CONFIG = """
[user]
	useConfigOnly = true
[init]
	defaultBranch = trunk
	defaultObjectFormat = sha256
	templateDir = {home}/template
[core]
	autocrlf = true
	eol = crlf
	hooksPath = {home}/hooks
	attributesFile = {home}/attributes
	fsmonitor = {home}/hooks/fsmonitor
	ignoreCase = true
[commit]
	gpgsign = true
[i18n]
	commitEncoding = latin-1
[filter "evil"]
	clean = touch {home}/ran
	smudge = touch {home}/ran
[safe]
	directory =
[fastimport]
	unpackLimit = 1
[core]
	abbrev = 4
"""


def test_odd_settings_and_environment_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    for folder in ("hooks", "template/hooks", "elsewhere"):
        (home / folder).mkdir(parents=True)
    hooks = ("reference-transaction", "post-commit", "pre-commit", "update", "post-update", "fsmonitor")
    for where in ("hooks", "template/hooks"):
        for name in hooks:
            (home / where / name).write_text(f"#!/bin/sh\ntouch {home}/ran\n")
            (home / where / name).chmod(0o755)
    (home / "attributes").write_text("* filter=evil text eol=crlf\n")
    (home / ".gitconfig").write_text(ODD_CONFIG.format(home=home))
    odd = {
        "HOME": str(home),
        "GIT_DIR": str(home / "elsewhere"),
        "GIT_WORK_TREE": str(home / "elsewhere"),
        "GIT_OBJECT_DIRECTORY": str(home / "elsewhere"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(home / "elsewhere"),
        "GIT_COMMON_DIR": str(home / "elsewhere"),
        "GIT_INDEX_FILE": str(home / "elsewhere/index"),
        "GIT_NAMESPACE": "odd",
        "GIT_DEFAULT_HASH": "sha256",
        "GIT_TEMPLATE_DIR": str(home / "template"),
        "GIT_AUTHOR_NAME": "someone",
        "GIT_COMMITTER_DATE": "2001-01-01T00:00:00 +0900",
        "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": str(home / "hooks"),
        "GIT_CONFIG_PARAMETERS": f"'core.hooksPath'='{home}/hooks'",
        "TZ": "Asia/Tokyo",
        "LC_ALL": "ja_JP.UTF-8",
    }
    for name, value in odd.items():
        monkeypatch.setenv(name, value)
    commits = [
        Commit({"game.toml": b"a\r\nb\n", "position.toml": b"\xe6\x88\xa6\n"}, "戦\n", "hojo", 5),
        entry(2),
    ]
    repo = Repository.create(tmp_path / "game")
    assert repo.append(commits, parent=None) == expected_ids(commits)
    repo = Repository.open(tmp_path / "game")
    assert repo.compare_files() == [] and repo.write_files() == []
    assert (repo.path / "game.toml").read_bytes() == b"a\r\nb\n"
    assert list((home / "elsewhere").iterdir()) == []
    assert not (home / "ran").exists()


# --- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "../game.toml",
        "/etc/passwd",
        ".git/config",
        ".gitmodules",
        ".gitattributes",
        "moves/1/000001-a.toml",
        "moves/0001/000001-A.toml",
        "moves/0001/000001-a.toml\nD game.toml",
        "moves/0001/../../game.toml",
        "moves/٠٠٠١/000001-a.toml",
        "log/0001/000001-a.toml",
        "audit/a.toml",
        "evidence/double-1.toml",
        "game.toml\n",
        "-game.toml",
    ],
)
def test_paths_outside_the_pattern_are_neither_written_nor_read(game: Repository, path: str) -> None:
    before = game.head()
    with pytest.raises(VerificationError, match="cannot hold the path"):
        game.append([Commit({path: b""}, "m", "hojo", 0)], parent=before)
    with pytest.raises(VerificationError, match="cannot hold the path"):
        game.read(path)
    with pytest.raises(VerificationError, match="cannot hold the path"):
        expected_ids([Commit({path: b""}, "m", "hojo", 0)])
    assert game.head() == before


@pytest.mark.parametrize(
    "commit",
    [
        Commit({}, "m", "hojo", 0),
        Commit({"game.toml": bytes(BLOB_LIMIT + 1)}, "m", "hojo", 0),
        Commit({"game.toml": b""}, "", "hojo", 0),
        Commit({"game.toml": b""}, "a\0b", "hojo", 0),
        Commit({"game.toml": b""}, "a\r\n", "hojo", 0),
        Commit({"game.toml": b""}, "\ud800", "hojo", 0),
        Commit({"game.toml": b""}, "m", "ho jo", 0),
        Commit({"game.toml": b""}, "m", "a> 0 +0000\nfrom x", 0),
        Commit({"game.toml": b""}, "m", "hojo", -1),
        Commit({"game.toml": b""}, "m", "hojo", 10**12),
    ],
)
def test_commits_that_would_not_be_the_same_everywhere_are_refused(game: Repository, commit: Commit) -> None:
    before = game.head()
    with pytest.raises(UsageError):
        game.append([entry(3), commit], parent=before)
    assert game.head() == before


def test_revisions_are_full_ids_only(game: Repository) -> None:
    for rev in ("HEAD", "main", "--help", "", (game.head() or "")[:12], "0" * 39 + "\n"):
        with pytest.raises(VerificationError, match="not a full commit id"):
            game.read("game.toml", rev)


def test_what_is_not_there_is_named(game: Repository) -> None:
    with pytest.raises(VerificationError, match=r"moves/0009/000801-hojo\.toml"):
        game.read("moves/0009/000801-hojo.toml")
    with pytest.raises(VerificationError, match="0" * 40):
        game.commit_bytes(["0" * 40])


# --- plain files -------------------------------------------------------------------------------


def test_plain_files_follow_the_line_and_are_repaired(game: Repository) -> None:
    move = "moves/0001/000002-hojo.toml"
    assert game.compare_files() == [] and game.write_files() == []
    (game.path / move).write_bytes(b"orders = 3\n")
    (game.path / "game.toml").unlink()
    (game.path / "log/0001/000077.toml").write_bytes(b"")
    (game.path / "notes.txt").write_text("mine")
    assert game.compare_files() == ["game.toml", "log/0001/000077.toml", move]
    assert game.write_files(everything=True) == ["game.toml", move]
    assert game.compare_files() == ["log/0001/000077.toml"]
    game.append([entry(3)], parent=game.head())
    assert game.write_files() == ["log/0001/000003.toml", "moves/0001/000003-hojo.toml", "position.toml"]
    assert (game.path / "notes.txt").read_text() == "mine"
    Repository.open(game.path).append([entry(4)], parent=game.head())
    game.append([entry(5)], parent=game.head())
    assert len(game.write_files()) == 5  # two moves, two logs, one position
    (game.git.git_dir / "pbem.files").write_text("nonsense")
    (game.path / "game.toml").unlink()
    assert game.write_files() == ["game.toml"]


def test_a_repository_without_commits_has_no_files(tmp_path: Path) -> None:
    repo = Repository.create(tmp_path / "game")
    assert (repo.head(), repo.history(), repo.write_files(), repo.compare_files()) == (None, [], [], [])


def test_nothing_is_written_through_links(game: Repository, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "0001").mkdir(parents=True)
    (outside / "target").write_text("precious")
    (game.path / "game.toml").unlink()
    (game.path / "game.toml").symlink_to(outside / "target")
    assert game.write_files(everything=True) == ["game.toml"]
    assert not (game.path / "game.toml").is_symlink() and (outside / "target").read_text() == "precious"
    subprocess.run(["rm", "-r", game.path / "moves"], check=True)
    (game.path / "moves").symlink_to(outside)
    assert len(game.compare_files()) == 2
    with pytest.raises(VerificationError, match="cannot be written"):
        game.write_files(everything=True)
    assert list((outside / "0001").iterdir()) == []
