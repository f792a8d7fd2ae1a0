"""`pbem help`: topics as text, and the help of any command."""

from __future__ import annotations

from importlib import resources

import click

from pbem.errors import UsageError
from pbem.words import did_you_mean


def topics() -> dict[str, str]:
    """Every topic and its first line."""
    found = {}
    folder = resources.files("pbem") / "help"
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".md"):
            first = file.read_text(encoding="utf-8").split("\n", 1)[0]
            found[file.name.removesuffix(".md")] = first.lstrip("# ")
    return found


def _complete_topic(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from pbem.cli.main import COMMANDS

    return [name for name in (*topics(), *COMMANDS) if name.startswith(incomplete)]


@click.command("help")
@click.argument("topic", required=False, shell_complete=_complete_topic)
@click.pass_context
def help_command(ctx: click.Context, topic: str | None) -> None:
    """Explain a command, or a topic (keys, mail, orders, table, page, site, cases, games, protocol, …).

    Example: pbem help mail
    """
    from pbem.cli.main import COMMANDS

    known = topics()
    if topic is None:
        click.echo("pbem help TOPIC explains:")
        for name, title in known.items():
            click.echo(f"  {name:<11} {title}")
        click.echo("`pbem --help` lists the commands; `pbem COMMAND --help` explains one.")
    elif topic in known:
        text = (resources.files("pbem") / "help" / f"{topic}.md").read_text(encoding="utf-8")
        click.echo_via_pager(text) if _long(text) else click.echo(text, nl=False)
    elif topic in COMMANDS:
        assert ctx.parent is not None and isinstance(ctx.parent.command, click.Group)
        command = ctx.parent.command.get_command(ctx, topic)
        assert command is not None
        with click.Context(command, info_name=topic, parent=ctx.parent) as inner:
            click.echo(command.get_help(inner))
    else:
        hint = did_you_mean(topic, [*known, *COMMANDS], "the topics are")
        raise UsageError(f"there is no topic {topic!r}", hint)


def _long(text: str) -> bool:
    """Only a terminal gets a pager, and only when the text does not fit."""
    import shutil
    import sys

    return sys.stdout.isatty() and text.count("\n") > shutil.get_terminal_size().lines - 2
