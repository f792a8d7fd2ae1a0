"""Who may import whom, lazily, for types alone or not; and no circle of imports, nor in games and tests."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.cli import ROOT

CORE = ("errors", "system", "toml", "engine", "protocol", "repository", "journal", "home", "packs", "flow")
CORE += ("filing", "shelf", "pool", "table", "outgoing", "verify", "timing", "luck", "dispute", "lobby")
CORE += ("drafts", "transport")
BELOW = ("engine", "protocol", "repository")
MAY: dict[str, set[str]] = {
    "errors": set(),
    "system": set(),
    "toml": {"errors"},
    "engine": {"errors", "system", "toml"},
    "protocol": {"errors", "toml", "engine"},
    "playtest": {"errors", "engine"},
    "repository": {"errors", "system"},
    "transport": {"errors", "system", "toml", "repository", "protocol"},
    "journal": {"errors", "system", "toml", "protocol"},
    "home": {"errors", "system", "toml", "journal", "protocol"},
    "packs": {"errors", "engine", "protocol", "home"},
    "flow": {"errors", "protocol"},
    "filing": {"toml", "protocol", "repository"},
    "pool": {"system", "protocol"},
    "shelf": {"filing", "pool", "protocol", "repository"},
    "verify": {"errors", "engine", "home", "packs", "flow", "filing", "protocol", "repository"},
    "table": {"errors", "journal", "home", "packs", "flow", "filing", "shelf", "pool", *BELOW},
    "outgoing": {"protocol", "shelf", "table"},
    "timing": {"protocol", "outgoing", "table"},
    "lobby": {"errors", "home", "packs", "protocol", "table"},
    "dispute": {"errors", "system", "home", "protocol", "table", "verify"},
}
"""Every room of the core, and the rooms that it knows. What stands above it may know them all."""


@cache
def modules(*tops: str) -> dict[str, Path]:
    found = {}
    for top in tops or ("pbem",):
        for path in sorted((ROOT / top).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path
    return found


def imports(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """What a module imports: at the top, in functions, and where only types need it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in known else str(node.module) for name in names)


@cache
def graph(*tops: str) -> dict[str, set[str]]:
    """Which module imports which: of pbem, or of what is named."""
    known = modules(*tops)
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


EVERYWHERE = ("pbem", "games", "tests", "benchmarks")


def test_no_circle_of_modules() -> None:
    """Modules are taken away that import nothing left; what remains would be a circle."""
    left = dict(graph(*EVERYWHERE))
    while free := [module for module, others in left.items() if not others & left.keys()]:
        for module in free:
            del left[module]
    assert not {module: sorted(others & left.keys()) for module, others in left.items()}


def test_a_game_knows_the_engine_and_the_kit_and_nobody_knows_a_game() -> None:
    """Rules know nothing of keys, files or git; pbem knows no game by name, and the kit neither."""
    strange = []
    for module, others in graph("pbem", "games").items():
        match module.split("."):
            case ["games", game, *_]:
                own = ("pbem.engine", "pbem.errors", "pbem.toml", "games.kit", f"games.{game}")
                strange += [(module, other) for other in others if not other.startswith(own)]
            case ["pbem", *_]:
                strange += [(module, other) for other in others if other.startswith("games")]
    assert not strange


def known_by(name: str) -> set[str]:
    """The rooms that know a room."""
    return {room(module) for module, others in graph().items() if name in map(room, others)} - {name}


def test_the_table_is_laid_one_way() -> None:
    """The command line knows everything and nobody knows it; what is done with a game prints nothing."""
    assert known_by("cli") == {"__main__"}
    assert known_by("doing") == {"cli", "page", "site"}
    doing = (ROOT / "pbem" / "doing").glob("*.py")
    assert not [path.name for path in doing if "import click" in path.read_text("utf-8")]


def test_what_is_drawn_knows_nothing_of_what_is_done() -> None:
    """Reports and planning draw boards; they know only the part of the page that draws."""
    below = [m for m in graph() if room(m) in ("doing", "report", "rehearse", *CORE)]
    seen, todo = set(), {o for m in below for o in graph()[m] if room(o) == "page"}
    while todo:
        seen |= todo
        todo = {o for m in todo for o in graph()[m]} - seen
    assert not [module for module in seen if room(module) in ("doing", "cli", "transport")]


ROOMS = ("crypto", "deck", "papers", "rounds", "log")
"""The rooms of the protocol: each knows only those before it."""


def test_the_rooms_of_the_protocol_depend_one_way() -> None:
    wrong = []
    for module, others in graph().items():
        match module.split("."):
            case ["pbem", "protocol", here, _]:
                for other in others:
                    there = other.split(".")
                    if there[1] == "protocol" and ROOMS.index(there[2]) > ROOMS.index(here):
                        wrong.append((module, other))
    assert not wrong


def test_no_name_comes_from_a_module_that_does_not_own_it() -> None:
    """What a module imports is not handed on: whoever needs it asks the module that defines it."""
    known = modules(*EVERYWHERE)
    handed_on = []
    for name, path in known.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module in known:
                taken = _imported(known[str(node.module)])
                handed_on += [(name, node.module, a.name) for a in node.names if a.name in taken]
    assert not handed_on


@cache
def _imported(path: Path) -> frozenset[str]:
    """Names that a module has from elsewhere; a package's own index may hand on what its parts define."""
    if path.name == "__init__.py":
        return frozenset()
    body = ast.parse(path.read_text(encoding="utf-8")).body
    froms = [node for node in body if isinstance(node, ast.ImportFrom)]
    return frozenset(alias.asname or alias.name for node in froms for alias in node.names)
