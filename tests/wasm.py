"""Python code in the Python of the site (WebAssembly), run under node."""

from __future__ import annotations

import subprocess
from pathlib import Path

import cryptography_vectors

from pbem.site import runtime
from tests.cli import ROOT

VECTORS = Path(cryptography_vectors.__file__).parent


def run(code: str, folder: Path) -> str:
    """What the last expression gives, as text.

    /project is the checkout, /vectors has the published vectors, /packages what is installed beside pbem.
    """
    for name, content in runtime.javascript().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / "package.json").write_text('{"type": "module"}')
    program = ["node", str(ROOT / "tests" / "wasm.mjs"), str(runtime.packages() / "pyodide")]
    program += [str(folder / "noble.js"), str(ROOT), str(VECTORS), str(VECTORS.parent), code]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()
