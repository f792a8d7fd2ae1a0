"""`pbem pack`: data of one's own, typed from one's own copy of the printed game.

A pack is a folder of TOML files, or one file where the game reads one. Contracts pin its digest, so `use`
keeps a copy in the home: editing the folder afterwards makes another pack and harms no game under way.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import home, json_option, print_json
from pbem.doing import packing
from pbem.errors import UsageError

if TYPE_CHECKING:
    from pbem.engine.rules import AnyRules

NOTE = "PACK.txt"
"""Says which game a pack is for; not part of its digest."""
_TEXT = """game: {game}

This folder is a data pack for {title}.
It begins as a copy of the pack that ships with pbem, which was made without the printed game where the
rulebook points to something printed elsewhere. If you own the printed game, type in what your copy shows.
In each file, say where its contents come from: provenance = "rulebook" and rule = "the printed map", say.

pbem pack check .     says what is wrong, naming file, table and key
pbem pack use .       makes it known here; the others need the same files, byte for byte
pbem new {game} --pack .
"""


@click.group("pack")
def pack_command() -> None:
    """Make, check or use a data pack of your own, typed from your copy of the printed game.

    Example: pbem pack new kawagoe my-kawagoe
    """


@pack_command.command("new")
@click.argument("game")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def new_pack(game: str, folder: Path) -> None:
    """Copy the pack of a game into a new folder, to be edited.

    Example: pbem pack new kawagoe my-kawagoe
    """
    from pbem.engine import registry

    rules = registry.load(game)
    files = sorted(data_folder(rules).glob("*.toml"))
    if not files:
        raise UsageError(f"{game} has no data that could be edited")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not an empty folder", "name one that does not exist yet")
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copyfile(file, folder / file.name)
    (folder / NOTE).write_text(_TEXT.format(game=game, title=rules.title), "utf-8")
    click.echo(f"{folder} holds {', '.join(file.name for file in files)}")
    click.echo(f"edit them, then: pbem pack check {folder}")


def data_folder(rules: AnyRules) -> Path:
    """Where the pack that ships with a game is."""
    return rules.rulebook().parent / "data"


def game_of(folder: Path, game: str | None) -> AnyRules:
    """The rules that a pack is for: as told, or as its note says."""
    from pbem.engine import registry

    if game is None and folder.is_file():
        game = packing.game_of(folder.read_bytes())
        if game is None:
            raise UsageError(f'{folder} does not begin with game = "NAME"', "add that line, or --game NAME")
    if game is None:
        try:
            first = (folder / NOTE).read_text("utf-8").partition("\n")[0]
        except (OSError, UnicodeDecodeError):
            first = ""
        word, _, game = first.partition(": ")
        if word != "game" or not game:
            raise UsageError(f"{folder} does not say which game it is for", "add --game NAME")
    return registry.load(game.strip())


_game = click.option("--game", metavar="NAME", help="The game that the pack is for, if it does not say.")
_folder = click.argument("folder", metavar="DIR|FILE", type=click.Path(exists=True, path_type=Path))


@pack_command.command("check")
@_folder
@_game
@click.option("--games", default=0, help="Also play so many random games with it.")
@json_option
def check_pack(folder: Path, game: str | None, games: int, as_json: bool) -> None:
    """Read a pack strictly; what is wrong is named by file, table and key.

    Example: pbem pack check my-kawagoe --games 20
    """
    rules = game_of(folder, game)
    pack = packing.load(rules, folder)
    changed = _changed(rules, folder)
    sources = {name: (one.kind, one.source) for name, one in sorted(_provenance(pack).items())}
    failed = _try(rules, folder, games)
    if as_json:
        files = {
            name: {"provenance": kind, "source": source.strip()} for name, (kind, source) in sources.items()
        }
        print_json({"game": rules.name, "digest": pack.digest, "files": files, "changed": changed})
    else:
        click.echo(f"a sound pack for {rules.name}, digest {pack.digest}")
        for name, (kind, source) in sources.items():
            mark = "changed" if f"{name}.toml" in changed else "as shipped"
            click.echo(f"    {name}.toml: {mark}, {kind}: {source.strip().partition(chr(10))[0]}")
    if failed:
        raise UsageError(f"{failed} of {games} random games failed", "run `pbem fuzz` on the game itself too")


def _provenance(pack: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = getattr(pack, "provenance", {})
    return found


def _changed(rules: AnyRules, folder: Path) -> list[str]:
    """The files that differ from those that ship with the game."""
    own = data_folder(rules)
    return [
        file.name
        for file in packing.files_in(folder)
        if not (own / file.name).exists() or (own / file.name).read_bytes() != file.read_bytes()
    ]


def _try(rules: AnyRules, folder: Path, games: int) -> int:
    if not games:
        return 0
    from pbem.playtest import fuzz

    found = fuzz.run(rules, games=games, pack=rules.load_pack(folder))
    return int(found["games"] - found["finished"])


@pack_command.command("use")
@_folder
@_game
def use_pack(folder: Path, game: str | None) -> None:
    """Make a pack known here: games whose contract names its digest are played with it.

    Example: pbem pack use my-kawagoe
    """
    rules = game_of(folder, game)
    digest = str(packing.keep(home(), rules, folder).digest)
    click.echo(f"{rules.name} games with the data digest {digest[:16]} are now played with this pack")
    click.echo(f"`pbem new {rules.name} --pack {folder}` invites to one; the others need the same files")
