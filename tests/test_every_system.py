"""pbem starts and plays where there are no POSIX modules, no descriptors of folders and no process groups.

A Windows machine cannot be had in a test, so a child process is made as poor as one: the modules are
blocked, the flags and functions taken away, the platform renamed for pbem.system alone.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.repository.disk import FileDisk
from tests.installed import PATH

ROOT = Path(__file__).parent.parent
ONLY_POSIX = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "readline"}

POOR = """
import os, sys, types, pathlib
blocked = {blocked!r}
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name in blocked:
            raise ModuleNotFoundError(f"no {{name}} here")
import subprocess, tempfile, signal, socket, shutil, random
for name in blocked:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Blocked())
locks = types.ModuleType("msvcrt")
locks.LK_NBLCK = 2
def locking(fd, mode, size):
    locks.calls += 1
locks.calls = 0
locks.locking = locking
sys.modules["msvcrt"] = locks
for name in ("O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC", "O_NONBLOCK"):
    delattr(os, name)
for name in ("killpg", "getpgid", "fork", "mkfifo", "getuid", "geteuid", "fchmod"):
    if hasattr(os, name):
        delattr(os, name)
os.supports_dir_fd = set()
platform = sys.platform
sys.platform = "win32"
import pbem.system
sys.platform = platform
pbem.system.sys = types.SimpleNamespace(platform="win32")
"""

GAME = """
from pbem.demo.together import join_all, play_by_files, table_of
from pbem.home import Home
from pbem.verify import verify_folder
folder = pathlib.Path({folder!r})
seats = join_all(folder, "tiny", 5, domain="example.org")
play_by_files(seats)
found = verify_folder(table_of(next(iter(seats.values()))).folder, Home(folder / "nobody"))
assert found.ok, found
assert locks.calls > 10
print("played and verified")
"""


def test_a_game_is_played_and_verified_without_posix(tmp_path: Path) -> None:
    program = POOR.format(blocked=sorted(ONLY_POSIX)) + GAME.format(folder=str(tmp_path))
    env = {"PYTHONPATH": PATH, "PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PBEM_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    assert "played and verified" in done.stdout


def test_no_link_is_followed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "file").write_text("theirs")
    (inside / "file").symlink_to(outside / "file")
    (inside / "folder").symlink_to(outside)
    disk = FileDisk(inside)
    with pytest.raises(OSError, match="link"):
        disk.read("file", 100)
    for act in (disk.read, disk.write_at):
        with pytest.raises(OSError, match="link"):
            act("folder/file", 100, *([b""] if act == disk.write_at else []))
    assert (outside / "file").read_text() == "theirs"


def test_only_one_module_knows_that_systems_differ() -> None:
    """Nothing but pbem/system.py imports what only some systems have."""
    for path in [*ROOT.glob("pbem/**/*.py"), *ROOT.glob("games/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            found = ONLY_POSIX & set(names)
            assert not found or path == ROOT / "pbem" / "system.py", f"{path} imports {found}"
