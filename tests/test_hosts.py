"""The examples for git hosts do what they say, on real bare repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed import ROOT
from tests.sides import Side, sides

HOSTS = ROOT / "examples" / "hosts"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    """A bare repository with the hook in place."""
    path = tmp_path / "host.git"
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", path], check=True)
    shutil.copy(HOSTS / "pre-receive", path / "hooks" / "pre-receive")
    (path / "hooks" / "pre-receive").chmod(0o755)
    return path


@pytest.fixture
def both(tmp_path: Path, remote: Path) -> list[Side]:
    """A game on that host, a few moves old."""
    found = sides(tmp_path / "git", "tiny")
    for side in found:
        side.home.set_config(remotes={side.table().contract.game.hex(): str(remote)})
    for side in found * 2:
        side.look()
        side.play()
    return found


def check(remote: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", HOSTS / "check.sh", remote], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def test_a_host_with_the_hook_takes_a_lawful_game(both: list[Side], remote: Path) -> None:
    head = subprocess.run(["git", "-C", remote, "rev-parse", "main"], capture_output=True, text=True)
    assert head.stdout.strip() in {side.fingerprint for side in both}
    done = check(remote)
    assert done.returncode == 0 and "in order" in done.stdout


def test_the_hook_refuses_what_nobody_signed(both: list[Side], remote: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", remote, clone], check=True)
    move = sorted(clone.glob("moves/*/*.toml"))[-1]
    move.write_bytes(move.read_bytes().replace(b'sent = "20', b'sent = "19'))
    git = ["git", "-C", clone, "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "commit", "--quiet", "--all", "--message", "better"], check=True)
    for ref in ("main", "pbem/outbox/a", "elsewhere"):
        done = subprocess.run(
            [*git, "push", "--force", "origin", f"HEAD:refs/heads/{ref}"], capture_output=True
        )
        assert done.returncode != 0 and b"pre-receive hook declined" in done.stderr, ref
    assert check(remote).returncode == 0


def test_a_changed_game_does_not_pass_the_check(both: list[Side], remote: Path, tmp_path: Path) -> None:
    """A host without the hook took it: whoever looks, sees it; the players go on, and it gives way."""
    before = both[0].table().ledger.state.number
    (remote / "hooks" / "pre-receive").unlink()
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", remote, clone], check=True)
    (clone / "position.toml").write_text("turn = 99\n")
    git = ["git", "-C", clone, "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "commit", "--quiet", "--all", "--message", "better"], check=True)
    subprocess.run([*git, "push", "--quiet", "origin", "HEAD:main"], check=True)
    done = check(remote)
    assert done.returncode == 1 and "position.toml" in done.stderr
    for side in both * 3:
        side.look()
        side.play()
    assert both[0].table().ledger.state.number > before, "the game goes on through the outboxes"
    assert check(remote).returncode == 0, "and the line of all takes the place of the other"


def test_every_example_is_explained() -> None:
    told = (HOSTS / "README.md").read_text("utf-8")
    for path in HOSTS.iterdir():
        assert path.name == "README.md" or f"`{path.name}`" in told
    for name in ("github.yml", "forgejo.yml", "gitlab-ci.yml"):
        assert "check.sh" in (HOSTS / name).read_text("utf-8")
