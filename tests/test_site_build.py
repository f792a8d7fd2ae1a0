"""The folder of a site: the same bytes each time, nothing missing, nothing from elsewhere."""

from __future__ import annotations

import ast
import base64
import hashlib
import io
import json
import re
import zipfile
from functools import cache
from pathlib import Path

import pytest

from pbem.errors import TransportError, UsageError
from pbem.page.shipped import static
from pbem.site import build, runtime


@cache
def made() -> dict[str, bytes]:
    return build.files()


def test_the_same_release_makes_the_same_bytes(tmp_path: Path) -> None:
    digest = build.build(tmp_path / "site")
    again = build.files()
    assert again == made()
    assert json.loads(again["versions.json"])["digest"] == digest
    written = {
        path.relative_to(tmp_path / "site").as_posix(): path.read_bytes()
        for path in (tmp_path / "site").rglob("*")
        if path.is_file()
    }
    assert written == again


def test_every_file_is_listed_with_its_digest() -> None:
    versions = json.loads(made()["versions.json"])
    assert {*versions["files"], "versions.json", "service.js"} == {*made()}
    for name, told in versions["files"].items():
        assert told == {"sha256": hashlib.sha256(made()[name]).hexdigest(), "size": len(made()[name])}
    assert versions["digest"].encode() in made()["service.js"], "a new site is a new service worker"


def test_the_page_names_only_files_of_the_folder_and_their_checksums() -> None:
    index = made()["index.html"].decode()
    assert "'unsafe-inline'" not in index and "'unsafe-eval'" not in index and "'wasm-unsafe-eval'" in index
    assert not re.search(r"<script(?![^>]*\bsrc=)|\bon[a-z]+=|\bstyle=", index), "nothing inline"
    for tag, name in re.findall(r'<(link|script)\b[^>]*?(?:href|src)="([^"]*)"', index):
        assert name.startswith("./") and name[2:] in made(), (tag, name)
    for name, mark in re.findall(r'(?:href|src)="./([^"]+)" integrity="sha256-([^"]+)"', index):
        assert base64.b64encode(hashlib.sha256(made()[name]).digest()).decode() == mark
    modules = {name for name in made() if name.startswith("app/")} | {"keeping.js"}
    assert modules <= set(re.findall(r'href="./([^"]+)" integrity', index))


def test_no_module_imports_from_elsewhere() -> None:
    for name, content in made().items():
        if name.endswith(".js") and not name.startswith("python/"):
            for wanted in re.findall(
                r"""^(?:import|export)\b[^'";]*?\bfrom\s*["']([^"']+)["']""", content.decode(), re.M
            ):
                assert wanted.startswith("."), (name, wanted)


def test_the_transport_offers_what_the_pages_own_one_offers() -> None:
    def offered(text: str) -> set[str]:
        return set(re.findall(r"^export (?:async )?function (\w+)", text, re.MULTILINE))

    assert offered(made()["app/server.js"].decode()) == offered(static("app/server.js"))


def archived(name: str) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(made()[name])) as archive:
        return {one: archive.read(one) for one in archive.namelist()}


def test_what_pbem_imports_is_in_the_archive() -> None:
    """Whatever a function imports when it runs is there: only what a command line does is not."""
    core = archived("code/pbem.zip")
    modules = {
        name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for name in core
        if name.endswith(".py")
    }
    for name, content in core.items():
        if name.endswith(".py"):
            for node in ast.walk(ast.parse(content)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("pbem", "games.")):
                    assert node.module in modules, (name, node.module)


def test_each_game_is_an_archive_of_its_own() -> None:
    for game in json.loads(made()["versions.json"])["games"]:
        names = archived(f"code/{game['name']}.zip")
        assert f"games/{game['name']}/rules.py" in names
        assert not [name for name in archived("code/pbem.zip") if name.startswith(f"games/{game['name']}/")]


def test_the_first_load_is_small() -> None:
    late = {f"code/{game['name']}.zip" for game in json.loads(made()["versions.json"])["games"]}
    size = sum(len(content) for name, content in made().items() if name not in late)
    assert size < 8_000_000, "as it stands, on a host that compresses nothing"


def test_the_lock_file_has_a_checksum_for_each_package_and_names_no_host() -> None:
    text = (runtime.HERE / "package-lock.json").read_text(encoding="utf-8")
    assert "://" not in text and "resolved" not in text
    packages = {name: facts for name, facts in json.loads(text)["packages"].items() if name}
    assert all(facts["integrity"].startswith("sha512-") for facts in packages.values())
    wanted = json.loads((runtime.HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert all(packages[f"node_modules/{name}"]["version"] == version for name, version in wanted.items())


def test_another_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("all my work")
    with pytest.raises(UsageError, match="holds something else than a site"):
        build.build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_without_npm_or_its_registry_the_reason_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="npm is not there"):
        runtime.packages()
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'npm error network is unreachable' >&2; exit 1\n")
    npm.chmod(0o755)
    with pytest.raises(TransportError, match="cannot be fetched: npm error network is unreachable"):
        runtime.packages()
    assert not list((tmp_path / "cache" / "pbem").iterdir()), "nothing half fetched is left"
