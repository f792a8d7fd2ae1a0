"""What a site takes from elsewhere, by a lock file with checksums: Python as WebAssembly, and noble.

`npm` fetches the packages once and checks each against package-lock.json; they are kept in the user's cache
under the lock file's digest. None of their install scripts runs. Of the JavaScript only what pbem imports
goes into a site, with relative imports, so that it needs neither a bundler nor an import map.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from pbem.errors import TransportError, UsageError

HERE = Path(__file__).parent
LOCK = ("package.json", "package-lock.json")
NOBLE = HERE.parent / "protocol" / "crypto" / "primitives" / "noble.js"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_IMPORT = re.compile(r"""^((?:import|export)\b[^'";]*?\bfrom\s*|import\s*)(["'])([^"']+)\2""", re.MULTILINE)
_COMMON = {
    "bcrypt-pbkdf": """import { sha512 } from "@noble/hashes/sha2.js";
const hash = (out, data, length) => out.set(sha512(data.subarray(0, length)));
const require = () => ({ lowlevel: { crypto_hash: hash } });
const module = {};
"""
}
"""Packages that are not ES modules: what stands before their code. `require` is only asked for a hash."""


def packages() -> Path:
    """The folder of the packages of the lock file, fetched if this machine has not fetched them before."""
    digest = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in LOCK)).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pbem" / f"site-{digest}"
    if not (cache / "node_modules").exists():
        _fetch(cache)
    return cache / "node_modules"


def _fetch(cache: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise UsageError(
            "npm is not there, and a site needs it once", "install Node.js, which brings npm along"
        )
    cache.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache.parent) as folder:
        for name in LOCK:
            shutil.copy(HERE / name, folder)
        done = subprocess.run(
            [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            said = next((line for line in done.stderr.splitlines() if "error" in line), "no reason given")
            raise TransportError(
                f"the packages of the site cannot be fetched: {said}",
                "npm must reach its registry once; `npm ping` says whether it does",
            )
        try:
            os.rename(folder, cache)
        except OSError:
            if not (cache / "node_modules").exists():
                raise
        Path(folder).mkdir(exist_ok=True)


def javascript() -> dict[str, bytes]:
    """noble.js, the QR codes and every module that they need, by path in a site, with relative imports."""
    found: dict[str, bytes] = {}
    todo = {"noble.js", "qr.js"}
    while todo:
        name = todo.pop()
        text = _source(name)

        def local(match: re.Match[str], name: str = name) -> str:
            wanted = _where(match[3], name)
            if wanted not in found:
                todo.add(wanted)
            relative = posixpath.relpath(wanted, posixpath.dirname(name) or ".")
            return (
                f"{match[1]}{match[2]}{relative if relative.startswith('.') else './' + relative}{match[2]}"
            )

        found[name] = b""
        found[name] = _IMPORT.sub(local, text).encode()
    return found


def _where(wanted: str, asking: str) -> str:
    """The path in a site of what a module imports."""
    if wanted.startswith("."):
        return posixpath.normpath(posixpath.join(posixpath.dirname(asking), wanted))
    return f"noble/{wanted}.js" if wanted in _COMMON else wanted.replace("@noble/", "noble/", 1)


def _source(name: str) -> str:
    """The text of a module that has this path in a site."""
    if name == "noble.js":
        return NOBLE.read_text(encoding="utf-8")
    if name == "qr.js":
        return (packages() / "qr" / "index.js").read_text(encoding="utf-8")
    package = name.removeprefix("noble/").removesuffix(".js")
    if package in _COMMON:
        text = (packages() / package / "index.js").read_text(encoding="utf-8")
        return f"{_COMMON[package]}{text}\nexport default module.exports;\n"
    return (packages() / "@noble" / name.removeprefix("noble/")).read_text(encoding="utf-8")


def pyodide(name: str) -> bytes:
    """One file of Python as WebAssembly."""
    return (packages() / "pyodide" / name).read_bytes()
