"""Who may import whom, lazily or not; and no circle of imports in the core."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.cli import ROOT

CORE = ("errors", "system", "toml", "engine", "protocol", "repository", "journal", "home", "packs", "flow")
CORE += ("filing", "shelf", "table", "verify", "timing", "luck", "dispute", "lobby", "drafts", "transport")
MAY: dict[str, set[str]] = {
    "errors": set(),
    "system": set(),
    "toml": {"errors"},
    "engine": {"errors", "toml"},
    "protocol": {"errors", "toml", "engine"},
    "playtest": {"errors", "engine"},
    "repository": {"errors", "system"},
    "transport": {"errors", "system", "toml", "repository"},
    "journal": {"errors", "system"},
    "home": {"errors", "system", "journal", "protocol"},
    "packs": {"errors", "engine", "protocol", "home"},
    "flow": {"protocol"},
    "filing": {"toml", "protocol", "repository"},
    "shelf": {"protocol", "repository"},
    "verify": {"errors", "home", "packs", "flow", "filing", "protocol", "repository"},
    "table": {
        "errors",
        "system",
        "home",
        "packs",
        "flow",
        "filing",
        "shelf",
        "engine",
        "protocol",
        "repository",
    },
    "timing": {"protocol", "table"},
    "lobby": {"errors", "home", "packs", "protocol", "table"},
    "dispute": {"errors", "home", "protocol", "table", "verify"},
}
"""Every room of the core, and the rooms that it knows. What stands above it may know them all."""


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imports(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """What a module imports when it runs, in functions too; what only types need is left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing = [n for n in ast.walk(tree) if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    left_out = {id(inner) for node in typing for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in known else str(node.module) for name in names)


@cache
def graph() -> dict[str, set[str]]:
    known = modules()
    return {name: set(imports(path, known)) - {name} for name, path in known.items()}


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


@pytest.mark.parametrize("name", sorted(MAY))
def test_a_room_knows_only_the_rooms_below_it(name: str) -> None:
    knows = defaultdict(set)
    for module, others in graph().items():
        if room(module) == name:
            for other in others:
                if room(other) not in ("", name):
                    knows[room(other)].add(module)
    assert not {other: sorted(by) for other, by in knows.items() if other not in MAY[name]}


def test_no_circle_in_the_core() -> None:
    """Modules are taken away that import nothing left; what remains would be a circle."""
    left = {m: {o for o in others if room(o) in CORE} for m, others in graph().items() if room(m) in CORE}
    while free := [module for module, others in left.items() if not others & left.keys()]:
        for module in free:
            del left[module]
    assert not left
