"""From SVG to PNG, by whatever converter the machine has."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from pbem.errors import UsageError

WIDTH = 2000


def to_png(svg: str, out: Path, width: int = WIDTH) -> None:
    """Write a picture as PNG; refused where there is no converter."""
    for name, arguments in (
        ("rsvg-convert", ["-w", str(width), "-o", str(out)]),
        ("inkscape", ["--pipe", f"--export-width={width}", f"--export-filename={out}"]),
        ("magick", ["svg:-", "-resize", str(width), str(out)]),
    ):
        program = shutil.which(name)
        if program is None:
            continue
        done = subprocess.run([program, *arguments], input=svg.encode(), capture_output=True, check=False)
        if done.returncode == 0 and out.exists():
            return
        problem = done.stderr.decode(errors="replace").strip().splitlines()
        raise UsageError(f"{name} could not make {out}: {problem[-1] if problem else 'it failed'}")
    raise UsageError(
        "this machine has no converter from SVG to PNG",
        "install librsvg (rsvg-convert) or Inkscape, or use --svg: every browser shows it",
    )
