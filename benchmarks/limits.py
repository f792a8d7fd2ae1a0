"""What the most hostile file, folder or remote of each kind costs, against an honest one: seconds and MB.

    python benchmarks/limits.py

Each is given to the command that would read it, in a process of its own; what it costs more than the honest
one must stay below two seconds and 100 MB. Peak memory is that of the command's largest single process.
"""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from hashlib import sha1
from pathlib import Path
from time import perf_counter

from pbem.repository.plumbing import CONFIG

ROOT = Path(__file__).parent.parent
GAME = ROOT / "examples/games/chuhan.zip"
MIB = 1 << 20
_END = b'\n[signature]\nsshsig = """\n-----END SSH SIGNATURE-----\n"""\n'
_CHILD = "import runpy, sys; sys.argv[0] = 'pbem'; runpy.run_module('pbem', run_name='__main__')"


def cost(folder: Path, *args: str) -> tuple[float, float, int]:
    """Seconds, MB, exit code of a command, measured by a process that does nothing else."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        os.environ["PBEM_HOME"] = str(folder / "home")
        begun = perf_counter()
        code = subprocess.run(
            [sys.executable, "-c", _CHILD, *args], cwd=folder, capture_output=True, check=False
        ).returncode
        spent = perf_counter() - begun
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        os.write(into, f"{spent} {peak} {code}".encode())
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as report:
        spent_, peak_, code_ = report.read().split()
    os.waitpid(child, 0)
    return float(spent_), float(peak_), int(code_)


def _loose(folder: Path, kind: str, data: bytes) -> str:
    head = f"{kind} {len(data)}\0".encode()
    name = sha1(head + data, usedforsecurity=False).hexdigest()
    path = folder / ".git/objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_bytes(zlib.compress(head + data, 1))
    return name


def _row(mode: str, name: str, found: str) -> bytes:
    return f"{mode} {name}\0".encode() + bytes.fromhex(found)


def _commit(folder: Path, tree: str, more: str = "") -> None:
    who = "a <a@pbem.invalid> 1700000000 +0000"
    name = _loose(folder, "commit", f"tree {tree}\nauthor {who}\ncommitter {who}\n\nx{more}\n".encode())
    (folder / ".git/refs/heads/main").write_text(f"{name}\n")


def _folder(place: Path) -> Path:
    subprocess.run(["git", "init", "-q", "-b", "main", str(place)], check=True)
    (place / ".git/config").write_text(CONFIG)
    return place


def same_blob(place: Path) -> list[str]:
    """One megabyte under 40,000 names."""
    folder = _folder(place / "game")
    blob = _loose(folder, "blob", bytes(MIB))
    names = b"".join(_row("100644", f"{n:06d}-a.toml", blob) for n in range(20_000))
    below = _loose(folder, "tree", names)
    both = _loose(folder, "tree", _row("40000", "0000", below) + _row("40000", "0001", below))
    _commit(folder, _loose(folder, "tree", _row("40000", "moves", both)))
    return ["verify", "-g", "game"]


def large_folders(place: Path) -> list[str]:
    """A hundred folders of nearly a megabyte of names each."""
    folder = _folder(place / "game")
    blob = _loose(folder, "blob", b"x\n")
    rows = b""
    for number in range(100):
        names = b"".join(_row("100644", f"{n:06d}-s{number}.toml", blob) for n in range(20_000))
        rows += _row("40000", f"{number:04d}", _loose(folder, "tree", names))
    _commit(folder, _loose(folder, "tree", _row("40000", "moves", _loose(folder, "tree", rows))))
    return ["verify", "-g", "game"]


def large_commit(place: Path) -> list[str]:
    """A commit that inflates to 500 MB."""
    folder = _folder(place / "game")
    _commit(folder, _loose(folder, "tree", b""), "." * (500 * MIB))
    return ["verify", "-g", "game"]


def large_blob(place: Path) -> list[str]:
    """A position that inflates to 500 MB."""
    folder = _folder(place / "game")
    blob = _loose(folder, "blob", bytes(500 * MIB))
    _commit(folder, _loose(folder, "tree", _row("100644", "position.toml", blob)))
    return ["verify", "-g", "game"]


def _zip(place: Path, members: dict[str, bytes]) -> list[str]:
    with zipfile.ZipFile(place / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return ["dispute", "x.zip"]


def bomb(place: Path) -> list[str]:
    """Five hundred members that inflate to a megabyte each."""
    return _zip(place, {f"moves/0000/{n:06d}-a.toml": bytes(MIB) for n in range(500)})


def full(place: Path) -> list[str]:
    """As much as a dispute file may hold, and no game."""
    return _zip(place, {f"moves/0000/{n:06d}-a.toml": bytes(MIB - 1) for n in range(64)})


def many_members(place: Path) -> list[str]:
    """A list of a million members, all of them the same empty one."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("game.toml", b"")
    raw = out.getvalue()
    at, end = raw.index(b"PK\x01\x02"), raw.index(b"PK\x05\x06")
    listed = raw[at:end] * 1_000_000
    tail = bytearray(raw[end:])
    tail[12:16] = len(listed).to_bytes(4, "little")
    (place / "x.zip").write_bytes(raw[:at] + listed + bytes(tail))
    return ["dispute", "x.zip"]


def _file(place: Path, data: bytes) -> list[str]:
    (place / "x.pbem").write_bytes(data)
    return ["receive", "x.pbem"]


def huge_file(place: Path) -> list[str]:
    """A gigabyte of nothing (a hole on the disk)."""
    with (place / "x.pbem").open("wb") as file:
        file.truncate(1 << 30)
    return ["receive", "x.pbem"]


def armour(place: Path) -> list[str]:
    """Two megabytes of beginnings of bundles."""
    return _file(place, b"-----BEGIN PBEM-----\n" * 100_000)


def quoted(place: Path) -> list[str]:
    """Two megabytes of marks of quotation."""
    return _file(place, b"> " * MIB)


def parts(place: Path) -> list[str]:
    """A mail of a hundred thousand parts."""
    head = b"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n"
    return _file(place, head + b"--q\r\n\r\nx\r\n" * 100_000)


def nested(place: Path) -> list[str]:
    """An entry of tables within tables."""
    return _file(place, b"v = 1\nx = " + b"[" * 60_000 + _END)


def toml_keys(place: Path) -> list[str]:
    """An entry of dotted keys."""
    return _file(place, b"v = 1\n" + b"".join(b"a%d.b.c = 1\n" % n for n in range(4500)) + _END)


def honest_file(place: Path) -> list[str]:
    """A mail without anything of ours."""
    return _file(place, b"Subject: hello\r\n\r\nnothing\r\n")


def honest_zip(place: Path) -> list[str]:
    """A finished game."""
    (place / "x.zip").write_bytes(GAME.read_bytes())
    return ["dispute", "x.zip"]


def no_game(place: Path) -> list[str]:
    """A folder with an empty commit."""
    folder = _folder(place / "game")
    _commit(folder, _loose(folder, "tree", b""))
    return ["verify", "-g", "game"]


Maker = Callable[[Path], list[str]]
KINDS: dict[str, tuple[Maker, list[Maker]]] = {
    "file": (honest_file, [huge_file, armour, quoted, parts, nested, toml_keys]),
    "folder": (no_game, [same_blob, large_folders, large_commit, large_blob]),
    "dispute file": (honest_zip, [bomb, full, many_members]),
}


def main() -> int:
    """Print the table; 1 if something costs too much."""
    worst = 0
    print("| what | seconds | more | MB | more | exit |\n|---|---|---|---|---|---|")
    for kind, (honest, hostile) in KINDS.items():
        base = (0.0, 0.0)
        for maker in (honest, *hostile):
            with tempfile.TemporaryDirectory() as name:
                spent, peak, code = cost(Path(name), *maker(Path(name)))
            base = (spent, peak) if maker is honest else base
            more = (spent - base[0], peak - base[1])
            worst = max(worst, int(more[0] > 2 or more[1] > 100))
            words = (maker.__doc__ or "").rstrip(".")
            print(
                f"| {kind}: {words} | {spent:.1f} | {more[0]:+.1f} | {peak:.0f} | {more[1]:+.0f} | {code} |"
            )
            sys.stdout.flush()
    return worst


if __name__ == "__main__":
    sys.exit(main())
