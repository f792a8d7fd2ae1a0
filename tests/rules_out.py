"""Rules whose code is taken out: of the cases that cite such a rule at least one must fail.

    python -m tests.rules_out RULES [SEED]

Rules are drawn at random over all games, among those whose number code bears: a step of a procedure, a
function whose docstring begins with it, a refusal. Then steps do nothing, functions say nothing (or yes, if
they say yes or no), and refusals are not made. Where nothing works without the rule, that is said apart.
"""

from __future__ import annotations

import ast
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import Any

from pbem.engine import registry
from pbem.engine.cases import run
from pbem.rulebook import case_folder, cited
from tests.cli import ROOT

GAMES = ("chuhan", "kawagoe", "redcoats", "sanada", "suikoden")
STEPS = (
    "rule",
    "chooses",
    "rolls",
    "draws",
    "opens",
    "deals",
    "shuffles",
    "chooses_secretly",
    "fills_secretly",
)
NUMBER = re.compile(r"[A-Z]{0,2}-?[0-9]+(?:[.-][0-9]+)*|[DQSMGP][0-9]{2}")
NOTHING = {
    "int": "0",
    "str": "''",
    "tuple": "()",
    "list": "[]",
    "dict": "{}",
    "Mapping": "{}",
    "set": "set()",
}
BREAKS = "the rules cannot cope"


def numbers(node: ast.FunctionDef) -> set[str]:
    """The rules that a function carries out: of its decorator, or at the head of its docstring."""
    found = set()
    for one in node.decorator_list:
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in STEPS:
            found |= {arg.value for arg in one.args[:1] if isinstance(arg, ast.Constant)}
    head, colon, _ = (ast.get_docstring(node) or "").partition(":")
    return found | (set(NUMBER.findall(head)) if colon and len(head) < 40 else set())


def refuses(node: ast.AST) -> str | None:
    """The rule of a refusal."""
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal"
    first = node.args[0] if named and node.args else None  # type: ignore[attr-defined]
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


class Without(ast.NodeTransformer):
    """Takes the code of one rule out of a module."""

    def __init__(self, rule: str, yes: bool) -> None:
        self.rule, self.yes = rule, yes

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        nothing = self.nothing(node) if self.rule in numbers(node) else None
        if nothing is not None:
            node.body = ast.parse(nothing).body
        return node

    def nothing(self, node: ast.FunctionDef) -> str | None:
        """The body of a function that does and says nothing; None if there is no such body."""
        said = ast.unparse(node.returns) if node.returns is not None else "None"
        if node.decorator_list or "None" in said:
            return "return None"
        if said == "bool":
            return f"return {self.yes}"
        if said.startswith(("Iterator", "Iterable")):
            return "return\nyield"
        kind = said.partition("[")[0]
        return f"return {NOTHING[kind]}" if kind in NOTHING else None

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.Constant(None) if refuses(node) == self.rule else node


class Finder(MetaPathFinder):
    """Loads a game's modules without the code of one rule."""

    def __init__(self, game: str, rule: str, yes: bool) -> None:
        self.prefix, self.rule, self.yes = f"games.{game}.", rule, yes

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path)
        if spec is not None and name.startswith(self.prefix) and spec.origin:
            spec.loader = Loader(name, spec.origin, self)
        return spec


class Loader(SourceFileLoader):
    """Reads a module, and leaves a rule out."""

    def __init__(self, name: str, path: str, finder: Finder) -> None:
        super().__init__(name, path)
        self.finder = finder

    def get_code(self, fullname: str) -> Any:
        tree = ast.parse(Path(self.path).read_text("utf-8"))
        left = Without(self.finder.rule, self.finder.yes).visit(tree)
        return compile(ast.fix_missing_locations(left), self.path, "exec")


def tried(game: str, rule: str, yes: bool) -> dict[str, int]:
    """In this process, which has loaded no game: how many cases that cite a rule fail without it."""
    sys.meta_path.insert(0, Finder(game, rule, yes))
    folder = case_folder(registry.load(game))
    assert folder is not None
    count = {"cases": 0, "failed": 0, "broke": 0}
    for path in sorted(folder.glob("[!_]*.toml")):
        if rule in cited(path):
            problems = run(path)
            broke = any(BREAKS in one for one in problems)
            count["cases"] += 1
            count["broke" if broke else "failed"] += bool(problems)
    return count


def bearing(game: str) -> set[str]:
    """The rules that a game's code bears the number of and its rulebook calls enforced."""
    rules = registry.load(game)
    enforced = {str(one["id"]) for one in rules.summaries() if one["status"] == "enforced"}
    found: set[str] = set()
    for path in sorted((ROOT / "games" / game).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and Without("", False).nothing(node) is not None:
                found |= numbers(node)
            found.add(refuses(node) or "")
    return found & enforced


def without(game: str, rule: str) -> Iterator[dict[str, int]]:
    """What becomes of the cases when predicates of the rule say no, and when they say yes."""
    for yes in ("", "yes"):
        command = [sys.executable, "-m", "tests.rules_out", "--without", game, rule, yes]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        yield json.loads(done.stdout)


def drawn(count: int, seed: int) -> list[tuple[str, str]]:
    """So many rules, any as likely as any other."""
    every = [(game, rule) for game in GAMES for rule in sorted(bearing(game))]
    return random.Random(seed).sample(every, count)


def shown(game: str, rule: str) -> str:
    """What is found of one rule; a text that begins with "missed" if no case misses it."""
    tries = []
    for found in without(game, rule):
        if found["failed"]:
            return f"{found['failed']} of {found['cases']} cases fail"
        tries.append(found)
    if any(found["broke"] for found in tries):
        return f"{tries[0]['broke']} of {tries[0]['cases']} cases break down"
    return f"missed: {tries[0]['cases']} cases pass without it"


def main() -> None:
    """Take out so many rules, one at a time."""
    if sys.argv[1] == "--without":
        game, rule, yes = sys.argv[2:]
        print(json.dumps(tried(game, rule, bool(yes))))
        return
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    missed = 0
    for game, rule in drawn(count, seed):
        found = shown(game, rule)
        missed += found.startswith("missed")
        print(f"{game} {rule}: {found}", flush=True)
    print(f"without {count - missed} of {count} rules a case that cites them fails")
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
