"""`pbem case` runs rule cases.

A case that fails is a difference of opinion about a rule, so it is reported with its rule, never as a
fault of the program.
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
    from pbem.rulebook import cited

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
    from pbem.doing.history import position_after
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
