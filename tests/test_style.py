"""The tools that read the code: types, lint, and what must not be written down here."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_types_are_strict() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "pbem"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_lint_is_clean() -> None:
    for arguments in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *arguments, "."], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout


def test_nothing_is_left_unfinished() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX)\b|pytest\.(skip|xfail)|mark\.(skip|xfail)")
    waits = re.compile(r"\bsleep\(")
    for folder in ("pbem", "games", "tests", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.name in ("test_style.py", "browser.py"):  # a machine may have no browser; CI has one
                continue
            text = path.read_text(encoding="utf-8")
            found = marks.search(text) or (folder == "tests" and waits.search(text)) or None
            assert found is None, f"{path.relative_to(ROOT)}: {found}"
