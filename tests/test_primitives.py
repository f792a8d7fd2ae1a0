"""The door to cryptography: published vectors pass on both sides of it, and both give the same bytes."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests import primitive_vectors, wasm
from tests.cli import ROOT
from tests.wasm_games import begun

OURS = ROOT / "tests" / "vectors"


def test_the_published_vectors_pass_here() -> None:
    primitive_vectors.run_all(wasm.VECTORS, OURS, every=1)


def test_the_published_vectors_pass_in_the_browsers_python(tmp_path: Path) -> None:
    code = "from pathlib import Path; from tests import primitive_vectors as v\n"
    code += "v.run_all(Path('/vectors'), Path('/project/tests/vectors'), every=8); v.p.add.__module__"
    assert wasm.run(code, tmp_path) == "pbem.protocol.crypto.primitives.noble"


def test_nothing_else_in_pbem_knows_a_library_of_cryptography() -> None:
    libraries = {"cryptography", "nacl", "bcrypt", "pbem_noble"}
    behind = ROOT / "pbem" / "protocol" / "crypto" / "primitives"
    for path in (ROOT / "pbem").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert path.parent == behind or not {name.split(".")[0] for name in names} & libraries, path


@pytest.mark.parametrize("backend", ["native", "noble"])
def test_both_backends_have_the_same_functions(backend: str) -> None:
    from pbem.protocol.crypto import primitives

    path = ROOT / "pbem" / "protocol" / "crypto" / "primitives" / f"{backend}.py"
    functions = [
        node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)
    ]
    public = {node.name for node in functions if not node.name.startswith("_")}
    assert public == {*primitives.__all__} - {"hmac_sha256", "sha256", "sha512"}


GAMES = ("chuhan", "kawagoe", "redcoats", "sanada", "suikoden")


def test_signed_games_have_the_same_commits_in_the_browsers_python(tmp_path: Path) -> None:
    code = f"from tests.wasm_games import begun\n'\\n'.join([begun(game) for game in {GAMES!r}])"
    assert wasm.run(code, tmp_path).split("\n") == [begun(game) for game in GAMES]
