"""`pbem site`: everything that a browser needs, as a folder of static files for any host and any path.

The same commit makes the same folder, byte for byte: nothing in it depends on time, machine or order.
`versions.json` has the SHA-256 of every file and one digest over them all; the page shows it, and every part
is checked against it before it is used.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pbem import __version__
from pbem.errors import UsageError
from pbem.page.books import available
from pbem.page.server import PAGES
from pbem.page.shipped import static
from pbem.site import runtime

STATIC = runtime.HERE / "static"
ROOT = runtime.HERE.parent.parent
VERSIONS = "versions.json"
SERVICE = "service.js"
TRANSPORT = "app/server.js"
"""The one module of the page that differs: it talks to a worker instead of a server."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
_HERE = ("worker.js", "keeping.js", "site.css", "manifest.webmanifest")
_LEFT_OUT = (
    "pbem/__main__.py",
    "pbem/cli/",
    "pbem/site/static/",
    "pbem/page/static/app/",
    "pbem/page/static/app.",
)
"""What no browser runs as Python, or gets as a file of its own."""
_UNUSED = (
    "_pydatetime.py", "_pydecimal.py", "_pyio.py", "_pyrepl", "cProfile.py", "ctypes", "curses", "dbm",
    "doctest.py", "ensurepip", "ftplib.py", "idlelib", "lib2to3", "multiprocessing", "optparse.py", "pdb.py",
    "pickletools.py", "poplib.py", "profile.py", "pstats.py", "pyclbr.py", "pydoc.py", "pydoc_data",
    "sqlite3", "tabnanny.py", "tkinter", "trace.py", "turtle.py", "unittest", "venv", "webbrowser.py",
    "wsgiref", "xml", "xmlrpc",
)  # fmt: skip
"""Parts of Python's library that pbem does not import, not even by way of others."""
_LINK = re.compile(r'<(link|script)\b([^>]*?)\b(href|src)="/([^"]+)"')
_EPOCH = (1980, 1, 1, 0, 0, 0)


def build(folder: Path) -> str:
    """Write a site into a new or empty folder, or over an older site; returns its digest."""
    known = folder / VERSIONS
    if folder.exists() and not known.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} holds something else than a site", "name a new folder, or an empty one")
    made = files()
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for name, content in made.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        fresh.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        os.rename(fresh, folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return str(json.loads(made[VERSIONS])["digest"])


def files() -> dict[str, bytes]:
    """Every file of a site by its path."""
    made = {**_page(), **runtime.javascript(), **_python(), **_archives()}
    made |= {name: (STATIC / name).read_bytes() for name in _HERE}
    made["index.html"] = _index(made)
    made["_headers"] = f"/*\n  Content-Security-Policy: {POLICY}; frame-ancestors 'none'\n".encode()
    made = dict(sorted(made.items()))
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in made.items()}
    digest = hashlib.sha256("".join(f"{sums[name]}  {name}\n" for name in made).encode()).hexdigest()
    listed = {name: {"sha256": sums[name], "size": len(made[name])} for name in made}
    told = {"pbem": __version__, "digest": digest, "games": _listed(), "files": listed}
    made[VERSIONS] = (json.dumps(told, indent=1) + "\n").encode()
    service = (STATIC / SERVICE).read_text(encoding="utf-8")
    made[SERVICE] = service.replace("@digest@", digest).encode()
    return made


# --- the page


def _page() -> dict[str, bytes]:
    """The page's own files, with the other transport."""
    made = {path[1:]: static(name).encode() for path, (_, name) in PAGES.items() if path != "/"}
    made[TRANSPORT] = (STATIC / "server.js").read_bytes()
    return made


def _index(made: Mapping[str, bytes]) -> bytes:
    """The page itself: relative addresses, a policy, and the checksum of everything that it loads."""

    def local(match: re.Match[str]) -> str:
        tag, between, attribute, name = match.groups()
        checked = tag == "script" or "stylesheet" in between
        mark = f' integrity="{_integrity(made[name])}"' if checked else ""
        return f'<{tag}{between}{attribute}="./{name}"{mark}'

    text = _LINK.sub(local, static("app.html"))
    modules = [name for name in made if name.endswith(".js") and name.startswith("app/")] + ["keeping.js"]
    head = [f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">']
    head += ['<link rel="manifest" href="./manifest.webmanifest">']
    head += [f'<link rel="stylesheet" href="./site.css" integrity="{_integrity(made["site.css"])}">']
    head += [
        f'<link rel="modulepreload" href="./{name}" integrity="{_integrity(made[name])}">' for name in modules
    ]
    policy, *rest = head
    text = text.replace('<meta charset="utf-8">\n', f'<meta charset="utf-8">\n{policy}\n', 1)
    return text.replace("</head>", "\n".join(rest) + "\n</head>", 1).encode()


def _integrity(content: bytes) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()


# --- Python and the games


def _python() -> dict[str, bytes]:
    """Python as WebAssembly; the large files are compressed here, since not every host does it."""
    made = {f"python/{name}": runtime.pyodide(name) for name in ("pyodide.mjs", "pyodide.asm.mjs")}
    made["python/pyodide.asm.wasm.gz"] = _squeezed(runtime.pyodide("pyodide.asm.wasm"))
    made["python/python_stdlib.zip.gz"] = _squeezed(_library(runtime.pyodide("python_stdlib.zip")))
    lock = json.loads(runtime.pyodide("pyodide-lock.json"))
    made["python/pyodide-lock.json"] = (json.dumps({"info": lock["info"], "packages": {}}) + "\n").encode()
    return made


def _library(raw: bytes) -> bytes:
    """Python's library without what pbem never imports, stored as it is: importing then inflates nothing."""
    with zipfile.ZipFile(io.BytesIO(raw)) as given:
        names = [
            one for one in given.namelist() if one.split("/")[0] not in _UNUSED and not one.endswith("/")
        ]
        return _archive(((name, given.read(name)) for name in names), zipfile.ZIP_STORED)


def _archives() -> dict[str, bytes]:
    """pbem with the kit of the games, and one archive for each game."""
    core = [(name, raw) for name, raw in _sources("pbem") if not name.startswith(_LEFT_OUT)]
    core += [("games/__init__.py", (ROOT / "games/__init__.py").read_bytes()), *_sources("games/kit")]
    points = "".join(f"{name} = {point}\n" for name, point in sorted(_games().items()))
    place = f"pbem-{__version__}.dist-info"
    core += [(f"{place}/METADATA", f"Metadata-Version: 2.1\nName: pbem\nVersion: {__version__}\n".encode())]
    core += [(f"{place}/entry_points.txt", f"[pbem.games]\n{points}".encode())]
    made = {"code/pbem.zip": _archive(core)}
    for name, point in _games().items():
        made[f"code/{name}.zip"] = _archive(_sources("/".join(point.split(".")[:2])))
    return made


def _games() -> dict[str, str]:
    """The games that pbem brings along, and where their rules are."""
    from importlib.metadata import distribution

    points = distribution("pbem").entry_points.select(group="pbem.games")
    return {point.name: point.value for point in points}


def _listed() -> list[dict[str, Any]]:
    """Their scenarios and seats, so that a browser lists them without loading one."""
    return [game for game in available() if game["name"] in _games()]


def _sources(top: str) -> Iterable[tuple[str, bytes]]:
    for path in sorted((ROOT / top).rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(ROOT).as_posix(), path.read_bytes()


def _archive(contents: Iterable[tuple[str, bytes]], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip file that depends on nothing but names and contents."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how, compresslevel=9) as archive:
        for name, content in sorted(contents):
            one = zipfile.ZipInfo(name, _EPOCH)
            one.compress_type, one.external_attr, one.create_system = how, 0o644 << 16, 3
            archive.writestr(one, content)
    return out.getvalue()


def _squeezed(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)
