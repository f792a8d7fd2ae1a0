"""How long `pbem --version` takes, against a bare `python -c "import click"`. At most 1.6 times is wanted.

Run: python benchmarks/startup.py [runs]
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

WANTED = 1.6


def seconds(code: str) -> float:
    """One run of a fresh interpreter."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    return time.perf_counter() - start


def main(runs: int) -> int:
    version = "import sys; sys.argv = ['pbem', '--version']; from pbem.cli.main import main; main()"
    pairs = [(seconds("import click"), seconds(version)) for _ in range(runs)]
    bare, full = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"import click {bare * 1000:.0f} ms, pbem --version {full * 1000:.0f} ms, ratio {full / bare:.2f}")
    print(f"wanted: at most {WANTED}")
    return 0 if full <= WANTED * bare else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 15))
