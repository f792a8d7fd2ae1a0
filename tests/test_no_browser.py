"""Without a browser the suite passes, and one line says what was left out; CI never leaves it out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.browser import LEFT_OUT
from tests.cli import ROOT

ONE = "tests/test_open_page.py::test_practice_against_the_bot_from_an_empty_home"


def suite(folder: Path, ci: str) -> subprocess.CompletedProcess[str]:
    """One of the browser's tests where no browser can be found."""
    environment = {**os.environ, "PATH": str(folder), "CI": ci}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", ONE]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_without_a_browser_its_tests_are_left_out_and_one_line_says_so(tmp_path: Path) -> None:
    run = suite(tmp_path, "")
    assert run.returncode == 0, run.stdout
    assert [line for line in run.stdout.splitlines() if line == LEFT_OUT] == [LEFT_OUT]
    assert "1 skipped" in run.stdout or run.stdout.lstrip().startswith("s")


def test_where_ci_is_true_a_missing_browser_fails(tmp_path: Path) -> None:
    run = suite(tmp_path, "true")
    assert run.returncode == 1 and "install chromium" in run.stdout
