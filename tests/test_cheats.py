"""Every cheat of the catalogue works once its check is taken out, and comes to the end it says with it.

`pbem help threats` names for every line the cheats that show it; each cheat stands in some line.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from tests.cheats import CHEATS, End

ROOMS = sorted(
    p.stem for p in (Path(__file__).parent / "cheats").glob("*.py") if p.stem not in ("__init__", "kit")
)
for room in ROOMS:
    import_module(f"tests.cheats.{room}")
THREATS = Path(__file__).parent.parent / "pbem" / "help" / "threats.md"


@pytest.mark.parametrize("name", list(CHEATS))
def test_a_cheat_works_only_without_its_check(name: str) -> None:
    one = CHEATS[name]
    assert one.without_checks() is End.SUCCEEDS, "with the check removed it must succeed, or it shows nothing"
    assert one.with_checks() is one.ends
