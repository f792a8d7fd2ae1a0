"""`pbem case` runs rule cases; `pbem rules` says a rule in our own words.

A case that fails is a difference of opinion about a rule, so it is reported with its rule, never as a
fault of the program. Both commands only read.
"""

from __future__ import annotations

import re
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
        inside = [path]
        if path.is_dir():  # a name with `_` in front is what several cases share
            inside = sorted(one for one in path.rglob("*.toml") if not one.name.startswith("_"))
        if not inside:
            raise UsageError(f"there is no case in {path}", "cases are .toml files; see `pbem help cases`")
        found += inside
    return found


def cited(path: Path) -> list[str]:
    """The rules that a case says it is about; none if it cannot be read."""
    try:
        case = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError):
        return []
    variants = case.get("variant", [])
    parts = (
        [case, *(one for one in variants if isinstance(one, dict))] if isinstance(variants, list) else [case]
    )
    named = [rule for part in parts for rule in (part.get("rule"), *_list(part.get("rules")))]
    return [rule for rule in dict.fromkeys(named) if isinstance(rule, str)]


def _list(value: Any) -> list[Any]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


@click.command("case")
@click.argument("files", metavar="FILE…", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--from", "source", metavar="GAME[@N]", help="Write the position of a game (after entry N) as a case."
)
@json_option
def case_command(files: tuple[Path, ...], source: str | None, as_json: bool) -> None:
    """Run rule cases: a position, orders, the dice that fall, and what must come of it.

    A folder stands for every case in it. Ends with 1 if one fails. `pbem help cases` has the format.
    --from writes a case to go on from, with what you know of the hidden cards.

    Example: pbem case tests/cases/kawagoe
    """
    if source is not None and not files:
        click.echo(_written(source), nl=False)
        return
    if source is not None or not files:
        raise UsageError("name cases to run, or a game to write one from", "`pbem help cases`")
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


def _written(source: str) -> str:
    """The position of a game as a case."""
    from pbem.cli.common import open_table
    from pbem.cli.history import position_after
    from pbem.engine.case_writer import Origin, case_of
    from pbem.packs import pack_path

    name, _, number = source.rpartition("@") if re.fullmatch(r".*@[0-9]{1,9}", source) else (source, "", "")
    table = open_table(name or None)
    invite, machine = table.contract.invite, table.ledger.machine
    at = int(number) if number else table.ledger.state.number
    pos = position_after(table, at)
    known = table.secrets.view().known if table.secrets is not None else {}
    files: dict[str, Mapping[str, Any]] = {}
    folder = pack_path(table.home, invite.data)
    if folder is not None and invite.data != machine.rules.load_pack().digest:
        files = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.toml"))}
    origin = Origin(
        invite.scenario, dict(invite.options), tuple(table.contract.seats), table.seat, known, files
    )
    return case_of(machine.rules, pos, origin, f"the position after entry {at}")


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
