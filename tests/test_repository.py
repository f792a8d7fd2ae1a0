"""A game folder: the same commit ids everywhere, before or after a crash, and no trust in .git."""

from __future__ import annotations

import fcntl
import io
import os
import signal
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import IO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import BusyError, UsageError, VerificationError
from pbem.repository import BLOB_LIMIT, MAIN, Commit, Ids, Repository, expected_ids
from pbem.repository.objects import object_id


def entry(number: int, seat: str = "hojo", **more: bytes) -> Commit:
    files = {
        f"moves/{(number - 1) // 100 + 1:04}/{number:06}-{seat}.toml": b"orders = %d\n" % number,
        f"log/{(number - 1) // 100 + 1:04}/{number:06}.toml": b"dice = %d\n" % number,
        "position.toml": b"turn = %d\n" % number,
    }
    if number == 1:
        files["game.toml"] = b'rules = "tiny"\n'
    return Commit({**files, **more}, f"{seat}: entry {number}\n", seat, 1_700_000_000 + number)


def raw_git(folder: Path, *args: str, data: bytes = b"") -> str:
    """Plain git, as an outsider would run it."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment["GIT_CONFIG_GLOBAL"] = os.devnull
    done = subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-c", "safe.directory=*", *args],
        cwd=folder,
        input=data,
        capture_output=True,
        check=True,
        env=environment,
    )
    return done.stdout.decode().strip()


@pytest.fixture
def game(tmp_path: Path) -> Repository:
    repo = Repository.create(tmp_path / "game")
    repo.append([entry(1), entry(2)], parent=None)
    repo.write_files()
    return repo


# --- the same ids everywhere -------------------------------------------------------------------

_seats = st.from_regex(r"[a-z][a-z0-9-]{0,15}", fullmatch=True)
_paths = st.one_of(
    st.sampled_from(["game.toml", "position.toml", "contract/list.toml", "evidence/double-1.toml"]),
    st.builds(lambda n, s: f"moves/{n // 100 + 1:04}/{n:06}-{s}.toml", st.integers(0, 320), _seats),
    st.builds(lambda n: f"log/{n // 100 + 1:04}/{n:06}.toml", st.integers(0, 320)),
    st.builds(lambda s: f"audit/{s}.toml", _seats),
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
    assert repo.write_files() and repo.compare_files() == []
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
        "audit/seat_.toml",
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


# --- the ref, the lock, and crashes --------------------------------------------------------------


def test_the_line_grows_only_from_its_end(game: Repository) -> None:
    first, head = game.history()
    for parent in (None, first):
        with pytest.raises(BusyError, match="moved meanwhile"):
            game.append([entry(3)], parent=parent)
    assert game.head() == head
    assert len(game.append([entry(3)], parent=head)) == 1
    assert game.append([], parent=first) == ()


def test_one_writer_at_a_time(game: Repository) -> None:
    other = Repository.open(game.path)
    with game.lock(), game.lock():
        with pytest.raises(BusyError, match="another pbem"), other.lock():
            pass
        with pytest.raises(BusyError):
            other.append([entry(3)], parent=other.head())
        game.append([entry(3)], parent=game.head())
    with other.lock():
        assert other.head() == game.head()


def test_stale_locks_of_a_killed_run_are_cleared(game: Repository) -> None:
    for name in ("index.lock", "HEAD.lock", "packed-refs.lock", "config.lock", f"{MAIN}.lock"):
        (game.git.git_dir / name).write_text("")
    game.append([entry(3)], parent=game.head())
    assert sorted(p.name for p in game.git.git_dir.rglob("*.lock")) == ["pbem.lock"]


CHILD = """
import os, signal, sys
from pathlib import Path
from typing import IO
from pbem.repository import Repository, files, store
from pbem.repository.plumbing import Plumbing
sys.path.insert(0, {tests!r})
from tests.test_repository import entry

def die(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

point = {point!r}
run = Plumbing.run
def stop_at(name, after, cut=False):
    def patched(self, *args, **kwargs):
        if args[0] != name:
            return run(self, *args, **kwargs)
        if cut:
            kwargs["data"] = kwargs["data"][: len(kwargs["data"]) // 2]
        if after:
            run(self, *args, **kwargs)
        die()
    Plumbing.run = patched

def after_calls(owner, name, count):
    original, calls = getattr(owner, name), []
    def patched(*args, **kwargs):
        calls.append(name)
        if len(calls) > count:
            die()
        return original(*args, **kwargs)
    setattr(owner, name, patched)

{{
    "before import": lambda: stop_at("fast-import", False),
    "import cut": lambda: stop_at("fast-import", True, cut=True),
    "after import": lambda: stop_at("fast-import", True),
    "before ref": lambda: stop_at("update-ref", False),
    "after ref": lambda: stop_at("update-ref", True),
    "before files": lambda: after_calls(files.PlainFiles, "write", 0),
    "between files": lambda: after_calls(files.PlainFiles, "write", 2),
    "before rename": lambda: after_calls(files.os, "replace", 1),
    "before mark": lambda: after_calls(store, "write_whole", 0),
}}[point]()
repo = Repository.open(Path({folder!r}))
repo.append([entry(n) for n in range(3, 8)], parent=repo.head())
repo.write_files()
"""


def killed(program: str) -> None:
    """Runs a program that must die by its own SIGKILL."""
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.parametrize(
    ("point", "moved"),
    [
        ("before import", False),
        ("import cut", False),
        ("after import", False),
        ("before ref", False),
        ("after ref", True),
        ("before files", True),
        ("between files", True),
        ("before rename", True),
        ("before mark", True),
    ],
)
def test_killed_anywhere_it_is_before_or_after(game: Repository, point: str, moved: bool) -> None:
    commits = [entry(n) for n in range(1, 9)]
    expected = expected_ids(commits)
    killed(CHILD.format(tests=str(Path(__file__).parent.parent), point=point, folder=str(game.path)))
    repo = Repository.open(game.path)
    assert repo.head() == expected[6 if moved else 1]
    assert (repo.compare_files() != []) == (moved and point != "before mark")
    repo.write_files()
    assert repo.compare_files() == []
    repo.append(commits[7 if moved else 2 :], parent=repo.head())
    repo.write_files()
    assert repo.history() == list(expected) and repo.compare_files() == []


def test_killed_while_creating_leaves_no_half_repository(tmp_path: Path) -> None:
    killed(
        "import os, signal\nfrom pathlib import Path\nfrom pbem.repository import Repository, store\n"
        "store.os.rename = lambda *a: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"Repository.create(Path({str(tmp_path / 'game')!r}))"
    )
    with pytest.raises(UsageError, match="not a game folder"):
        Repository.open(tmp_path / "game")
    repo = Repository.create(tmp_path / "game")
    assert len(repo.append([entry(1)], parent=None)) == 1
    with pytest.raises(UsageError, match="already holds"):
        Repository.create(tmp_path / "game")


def test_the_lock_outlives_a_killed_run_while_its_git_still_writes(game: Repository, tmp_path: Path) -> None:
    """Clearing the ref lock of a git that is still alive would let it rename ours."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = (
        "import sys\nfrom pathlib import Path\nfrom pbem.repository import Repository\n"
        "repo = Repository.open(Path(sys.argv[1]))\n"
        "with repo.lock():\n    repo.git.run('hash-object', '--no-filters', sys.argv[2])\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program, str(game.path), str(pipe)])
    with open(pipe, "wb"):  # opens once the child's git reads, and holds it there
        child.kill()
        child.wait()
        with pytest.raises(BusyError), game.lock():
            pass
    with open(game.git.git_dir / "pbem.lock", "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # returns when that git has ended
    game.append([entry(3)], parent=game.head())


def test_the_line_goes_back_only_to_a_commit_of_its_own(game: Repository) -> None:
    first = game.history()[1]
    game.append([entry(3)], parent=game.head())
    game.write_files()
    assert game.rewind(first) == first == game.head()
    game.write_files()
    assert game.compare_files() == [] and not (game.path / "moves/0001/000003-hojo.toml").exists()
    with pytest.raises(UsageError):
        game.rewind("0" * 40)


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


# --- foreign content and a foreign .git -----------------------------------------------------------


def tree_of(folder: Path, *lines: tuple[str, str, str]) -> str:
    text = "".join(f"{mode} {kind} {name}\n" for mode, kind, name in lines)
    return raw_git(folder, "mktree", "--missing", data=text.encode())


def commit_of(folder: Path, tree: str) -> str:
    return raw_git(folder, "commit-tree", tree, "-m", "foreign")


@pytest.mark.parametrize(
    ("mode", "path", "said"),
    [
        ("120000", "game.toml", "game.toml' is a link"),
        ("160000", "moves", "moves' is a submodule"),
        ("100755", "game.toml", "game.toml' is executable"),
        ("100644", "hooks", "cannot hold the path 'hooks'"),
        ("100644", ".gitmodules", "cannot hold the path '.gitmodules'"),
        ("100644", ".gitattributes", "cannot hold the path '.gitattributes'"),
        ("040000", "hooks", "hooks' is a folder"),
        ("040000", "game.toml", "game.toml' is a folder"),
        ("100644", "-rf", "cannot hold the path '-rf'"),
        ("100644", "\x1b[2J.toml", "cannot hold the path '.x1b"),
    ],
)
def test_foreign_trees_are_refused_by_name(game: Repository, mode: str, path: str, said: str) -> None:
    blob = raw_git(game.path, "hash-object", "-w", "--stdin", data=b"../../etc/passwd")
    inner = tree_of(game.path, ("100644", "blob", f"{blob}\tpre-receive"))
    target = {"160000": ("commit", "1" * 40), "040000": ("tree", inner)}.get(mode, ("blob", blob))
    tree = tree_of(game.path, (mode, target[0], f"{target[1]}\t{path}"))
    with pytest.raises(VerificationError, match=said.replace("[", r"\[")):
        game.tree(commit_of(game.path, tree))


def test_a_tree_bomb_has_nothing_to_unfold_in(game: Repository) -> None:
    tree = tree_of(game.path)
    for _ in range(12):
        tree = tree_of(game.path, *(("040000", "tree", f"{tree}\t{n:04}") for n in range(100)))
    bomb = tree_of(game.path, ("040000", "tree", f"{tree}\tmoves"))
    with pytest.raises(VerificationError, match="is a folder"):
        game.tree(commit_of(game.path, bomb))


def test_sizes_are_looked_at_before_reading(game: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    blob = raw_git(game.path, "hash-object", "-w", "--stdin", data=bytes(BLOB_LIMIT + 1))
    commit = commit_of(game.path, tree_of(game.path, ("100644", "blob", f"{blob}\tgame.toml")))
    assert game.tree(commit)["game.toml"].size == BLOB_LIMIT + 1
    content = game.git._content

    def only_the_first_line(kind: str, name: str, answers: IO[bytes]) -> bytes:
        return content(kind, name, io.BytesIO(answers.readline()))

    monkeypatch.setattr(game.git, "_content", only_the_first_line)
    with pytest.raises(VerificationError, match="was not read"):
        game.read("game.toml", commit)


def test_an_object_altered_inside_git_is_noticed(game: Repository) -> None:
    blob = object_id("blob", b"orders = 2\n")
    path = game.git.git_dir / "objects" / blob[:2] / blob[2:]
    path.chmod(0o644)
    path.write_bytes(zlib.compress(b"blob 11\0orders = 3\n"))
    with pytest.raises(VerificationError, match=r"altered inside \.git"):
        game.read("moves/0001/000002-hojo.toml")


def test_replacements_and_commit_graphs_do_not_speak_for_the_game(game: Repository) -> None:
    head = game.head()
    other = raw_git(game.path, "hash-object", "-w", "--stdin", data=b"turn = 99\n")
    raw_git(game.path, "replace", object_id("blob", b"turn = 2\n"), other)
    (game.git.git_dir / "info").mkdir(exist_ok=True)
    (game.git.git_dir / "info/grafts").write_text(f"{head}\n")
    (game.git.git_dir / "objects/info").mkdir(exist_ok=True)
    (game.git.git_dir / "objects/info/commit-graph").write_bytes(b"CGPH nonsense")
    assert game.read("position.toml") == b"turn = 2\n"
    assert len(game.history()) == 2


def test_merges_and_damaged_refs_are_not_a_line(game: Repository) -> None:
    first, head = game.history()
    tree = raw_git(game.path, "rev-parse", f"{head}^{{tree}}")
    merge = raw_git(game.path, "commit-tree", tree, "-p", head, "-p", first, "-m", "merge")
    raw_git(game.path, "update-ref", MAIN, merge)
    with pytest.raises(VerificationError, match="is a merge"):
        game.history()
    (game.git.git_dir / MAIN).write_bytes(b"")
    with pytest.raises(VerificationError, match="damaged"):
        game.head()


def test_a_clone_is_a_game_folder_and_other_folders_are_not(game: Repository, tmp_path: Path) -> None:
    raw_git(tmp_path, "clone", "-q", str(game.path), "clone")
    clone = Repository.open(tmp_path / "clone")
    assert clone.history() == game.history() and clone.compare_files() == []
    raw_git(game.path, "remote", "add", "origin", "ssh://host/game.git")
    assert Repository.open(game.path).head() == game.head()
    raw_git(tmp_path, "clone", "-q", "--depth=1", f"file://{game.path}", "shallow")
    raw_git(tmp_path, "clone", "-q", "--shared", str(game.path), "shared")
    raw_git(tmp_path, "init", "-q", "other")
    (tmp_path / "empty").mkdir()
    (tmp_path / "gitfile").mkdir()
    (tmp_path / "gitfile/.git").write_text(f"gitdir: {game.path}/.git\n")
    said = {
        "shallow": "beginning of the game",
        "shared": "borrows its objects",
        "other": "not a game",
        "empty": "not a game folder",
        "gitfile": "not a game folder",
        "missing": "not a game folder",
    }
    for name, words in said.items():
        with pytest.raises(UsageError, match=words):
            Repository.open(tmp_path / name)


@pytest.mark.parametrize(
    "setting",
    [
        "core.sshCommand=touch ran",
        "core.hooksPath=hooks",
        "core.fsmonitor=touch ran",
        "core.alternateRefsCommand=touch ran",
        "core.worktree=/",
        "core.bare=true",
        "include.path=/tmp/other",
        "includeIf.gitdir:/.path=/tmp/other",
        "extensions.partialClone=origin",
        "remote.origin.uploadpack=touch ran",
        "remote.origin.promisor=true",
        "remote.origin.vcs=ext",
        "credential.helper=!touch ran",
        "url.ext::touch ran.insteadOf=https://",
        "filter.evil.clean=touch ran",
        "alias.cat-file=!touch ran",
    ],
)
def test_settings_that_came_with_the_folder_cannot_act(game: Repository, setting: str) -> None:
    key, _, value = setting.partition("=")
    raw_git(game.path, "config", "--file", ".git/config", "--add", key, value)
    with pytest.raises(UsageError, match="does not let git use"):
        Repository.open(game.path)
    assert not (game.path / "ran").exists()


@pytest.mark.parametrize(
    "name", ["objects", "refs", "logs", "refs/heads", "objects/pack", "HEAD", "pbem.lock"]
)
def test_links_inside_git_are_refused(game: Repository, tmp_path: Path, name: str) -> None:
    path, moved = game.git.git_dir / name, tmp_path / "moved"
    if path.exists():
        path.rename(moved)
    else:
        moved.mkdir()
    path.symlink_to(moved)
    with pytest.raises(UsageError, match="is a link"):
        Repository.open(game.path)
