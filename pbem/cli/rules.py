"""`pbem case` runs rule cases; `pbem rules` says a rule in our own words.

A case that fails is a difference of opinion about a rule, so it is reported with its rule, never as a
fault of the program. Both commands only read.
"""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from pbem.cli.common import json_option, print_json
from pbem.errors import UsageError

WIDTH = 100


def case_files(paths: Iterable[Path]) -> list[Path]:
    """The cases meant: files as they are, folders with everything below them, in order of name."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
        if not inside:
            raise UsageError(f"there is no case in {path}", "cases are .toml files; see `pbem help cases`")
        found += inside
    return found


def cited(path: Path) -> list[str]:
    """The rules that a case says it is about; none if it cannot be read."""
    try:
        case = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return []
    named = [case.get("rule"), *(case["rules"] if isinstance(case.get("rules"), list) else [])]
    return [rule for rule in named if isinstance(rule, str)]


@click.command("case")
@click.argument(
    "files", metavar="FILE…", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path)
)
@json_option
def case_command(files: tuple[Path, ...], as_json: bool) -> None:
    """Run rule cases: a position, orders, the dice that fall, and what must come of it.

    A folder stands for every case in it. Ends with 1 if one fails. `pbem help cases` has the format.

    Example: pbem case tests/cases/kawagoe
    """
    from pbem.engine.cases import run

    found = case_files(files)
    failures = []
    for path in found:
        problems = run(path)
        if problems:
            failures.append({"file": str(path), "rule": ", ".join(cited(path)), "problems": problems})
    if as_json:
        print_json({"passed": len(found) - len(failures), "failed": len(failures), "failures": failures})
    else:
        _print_failures(failures)
        click.echo(f"{len(found) - len(failures)} passed, {len(failures)} failed")
    if failures:
        raise SystemExit(1)


def _print_failures(failures: Sequence[Mapping[str, Any]]) -> None:
    for failure in failures:
        click.echo(f"{failure['file']}: rule {failure['rule'] or 'unknown'}")
        for problem in failure["problems"]:
            click.echo(textwrap.fill(problem, WIDTH, initial_indent="    ", subsequent_indent="      "))


def _complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from pbem.engine import registry

    return [name for name in registry.names() if name.startswith(incomplete)]


@click.command("rules")
@click.argument("game", shell_complete=_complete_game)
@click.argument("rule", required=False)
@json_option
def rules_command(game: str, rule: str | None, as_json: bool) -> None:
    """Every rule of a game in our own words, with its status; or one rule, with rulings and reasons.

    enforced: the program does it or refuses. explains: there is nothing to enforce. reconstructed:
    the book points to something printed elsewhere, which was made anew.

    Example: pbem rules kawagoe 9.54
    """
    from pbem.engine import registry

    listed = list(registry.load(game).summaries())
    if not listed:
        raise UsageError(f"{game} has no rulebook", "its author writes rulebook.toml")
    if rule is not None:
        listed = _one(listed, game, rule)
    if as_json:
        print_json([{key: one[key] for key in ("id", "title", "summary", "status")} for one in listed])
    elif rule is not None:
        click.echo(_whole(listed[0]))
    else:
        for one in listed:
            click.echo(f"{one['id']:<9} {one['status']:<14} {one['title']}")


def _one(listed: Sequence[Mapping[str, Any]], game: str, rule: str) -> list[Mapping[str, Any]]:
    found = [one for one in listed if one["id"] == rule]
    if not found:
        import difflib

        near = difflib.get_close_matches(rule, [one["id"] for one in listed], n=3)
        hint = f"did you mean {', '.join(near)}?" if near else f"`pbem rules {game}` lists them"
        raise UsageError(f"{game} has no rule {rule!r}", hint)
    return found


def _whole(rule: Mapping[str, Any]) -> str:
    """One rule with everything that is known of it."""
    parts = [f"{rule['id']} {rule['title']} [{rule['status']}]", _wrapped(rule["summary"])]
    if "reason" in rule:
        parts.append(_wrapped(f"Why nothing is enforced: {rule['reason']}"))
    for line in str(rule.get("ruling", "")).strip().splitlines():
        parts.append(_wrapped(f"Ruling {line}"))
    return "\n".join(parts)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="    ", subsequent_indent="    ")
