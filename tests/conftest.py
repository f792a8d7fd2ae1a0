"""Settings for all tests: property tests are not judged by the clock, and nothing waits for the disk."""

from __future__ import annotations

import os
import sys
import tomllib

import pytest
from hypothesis import settings

from pbem.engine import registry
from tests.disk import do_not_wait, write_in_memory
from tests.installed import PATH, ROOT

settings.register_profile("pbem", deadline=None, print_blob=True)
settings.load_profile("pbem")
do_not_wait()
write_in_memory()
sys.path += [part for part in PATH.split(os.pathsep) if part not in sys.path]
os.environ["PYTHONPATH"] = PATH
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # what many tests start is compiled once for all of them


def pytest_sessionstart() -> None:
    """Games are found by what the installer wrote: say so at once when it is older than pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    missing = set(project["entry-points"]["pbem.games"]) - set(registry.names())
    if missing:
        pytest.exit(f"not installed yet: {', '.join(sorted(missing))}; run `pip install -e .` again", 3)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line where the browser's tests were left out."""
    from tests.browser import LEFT_OUT, MISSING

    if MISSING:
        terminalreporter.write_line(LEFT_OUT)
