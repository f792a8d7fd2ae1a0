"""Every cheat of the catalogue works once its check is taken out, and comes to the end it says with it.

`pbem help threats` names for every line the cheats that show it; each cheat stands in some line.
"""

from __future__ import annotations

import re
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


def shown() -> dict[str, list[str]]:
    """Every line of the page about what somebody might try, and the cheats under it."""
    text = THREATS.read_text(encoding="utf-8").split("## What nobody can guarantee")[0]
    found: dict[str, list[str]] = {}
    line = ""
    for row in text.split("\n"):
        if row.startswith("- "):
            line = row
            found[line] = []
        elif row.startswith("    "):
            found[line] += re.findall(r"[a-z_]+", row)
    return found


def test_every_threat_names_the_cheats_that_show_it_and_every_cheat_is_named() -> None:
    lines = shown()
    named = [name for names in lines.values() for name in names]
    assert sorted(named) == sorted(CHEATS), "each cheat once, and no other"
    assert len(CHEATS) >= 60
    without = [line for line, names in lines.items() if not names]
    assert [line.split(":")[0] for line in without] == ["- Read, drop, delay, repeat, reorder on the way"]
