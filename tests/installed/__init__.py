"""Packages that look installed to pbem while the tests run: the tiny game always, others where asked for.

Each folder here holds what an installer would write (a .dist-info with entry points) and is put on the
path of this process and of those it starts.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PATH = os.pathsep.join([str(ROOT), str(Path(__file__).parent / "tiny")])
"""PYTHONPATH of a process that knows our games and the tiny one."""


def install(patch: pytest.MonkeyPatch, name: str) -> None:
    """Another package of this folder is installed."""
    folder = str(Path(__file__).parent / name)
    patch.syspath_prepend(folder)
    patch.setenv("PYTHONPATH", os.pathsep.join([PATH, folder]))
