"""The door: finds the command, speaks with one voice about errors, ends with an exit code by cause.

A command's module is imported only when the command is run, so that `pbem --version` costs little
more than importing click. Each command is one function in one small module of pbem/cli.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import click

from pbem import __version__
from pbem.errors import PbemError, disk_error

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS: dict[str, tuple[str, str]] = {
    "key": ("pbem.cli.key", "make, show or choose your key"),
    "save": ("pbem.cli.keep", "everything of yours in one file with a passphrase"),
    "restore": ("pbem.cli.keep", "put a saved home in the place of an empty one"),
    "new": ("pbem.cli.contract", "invite others to a game"),
    "join": ("pbem.cli.contract", "accept an invitation"),
    "games": ("pbem.cli.games", "your games, whose turn it is, what is owed"),
    "next": ("pbem.cli.games", "the next game that waits for you"),
    "withdraw": ("pbem.cli.games", "take an invitation back"),
    "status": ("pbem.cli.look", "turn, phase, what is asked of whom, the last report"),
    "board": ("pbem.cli.board", "the position in the terminal, or as a picture"),
    "open": ("pbem.cli.open", "your games in the browser: board, orders by clicking, rules"),
    "legal": ("pbem.cli.look", "what you may do now"),
    "odds": ("pbem.cli.look", "the chances of an attack before it is made"),
    "orders": ("pbem.cli.order", "a commented order file to edit"),
    "draft": ("pbem.cli.draft", "plan: add orders to your draft"),
    "undo": ("pbem.cli.draft", "take the last drafted order away"),
    "check": ("pbem.cli.check", "what of an order file would be refused, and why"),
    "play": ("pbem.cli.play", "sign orders and carry them out"),
    "standing": ("pbem.cli.standing", "give, show or revoke standing orders"),
    "receive": ("pbem.cli.exchange", "verify and apply what the others sent"),
    "send": ("pbem.cli.exchange", "hand over (again) what the others have not acknowledged"),
    "sync": ("pbem.cli.sync", "exchange entries through a git remote"),
    "watch": ("pbem.cli.watch", "poll for moves and answer what needs no decision"),
    "mail": ("pbem.cli.mail", "how your mail is sent and read"),
    "log": ("pbem.cli.history", "the whole log as one TOML document"),
    "show": ("pbem.cli.history", "an earlier entry and its position"),
    "history": ("pbem.cli.history", "what happened to a unit, at a place, in a turn; the dice"),
    "replay": ("pbem.cli.history", "the game step by step"),
    "verify": ("pbem.cli.verify", "check everything again, from the first entry"),
    "audit": ("pbem.cli.audit", "publish your secret; every die, draw and card"),
    "dispute": ("pbem.cli.dispute", "one file with all that an outsider needs, and a verdict"),
    "resign": ("pbem.cli.agree", "give up"),
    "say": ("pbem.cli.agree", "a word to the others"),
    "draw": ("pbem.cli.agree", "offer, accept or decline a draw"),
    "takeback": ("pbem.cli.agree", "offer or accept to go back"),
    "absence": ("pbem.cli.agree", "tell the others that you will be away"),
    "late": ("pbem.cli.agree", "say that someone has not answered in time"),
    "rekey": ("pbem.cli.agree", "go on with a new key, or agree to someone else's"),
    "terms": ("pbem.cli.agree", "offer other clocks, or agree to them"),
    "practice": ("pbem.cli.practice", "play against the bot, with the same commands"),
    "primer": ("pbem.cli.book", "one page for a newcomer to a game"),
    "rules": ("pbem.cli.book", "the rulebook in our own words: whole, a chapter, a rule, a search"),
    "tables": ("pbem.cli.book", "combat tables, terrain costs, rosters, chits, cards"),
    "glossary": ("pbem.cli.book", "the Japanese and Chinese terms of a game"),
    "score": ("pbem.cli.book", "points so far and what they come from"),
    "case": ("pbem.cli.cases", "run rule cases, or write one from a game"),
    "pack": ("pbem.cli.pack", "make, check or use a data pack of your own"),
    "demo": ("pbem.cli.demo", "two bots play a whole game, then it is verified and audited"),
    "fuzz": ("pbem.cli.bots", "random play, to find faults in the rules"),
    "arena": ("pbem.cli.bots", "bot against bot, to measure balance"),
    "site": ("pbem.cli.site", "pbem as static files, for any browser"),
    "help": (
        "pbem.cli.topics",
        "keys, mail, orders, page, site, cases, games, protocol, threats, completion",
    ),
}
"""Every command: its module (which has a click command of that name) and what it does."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(COMMANDS[cmd_name][0])
        command = getattr(module, f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Command names for the shell, without importing a single command."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=text)
            for name, (_, text) in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=2)
            guess = f"did you mean {' or '.join(near)}?" if near else "`pbem --help` lists the commands"
            raise _Unknown(f"no command is called {args[0]!r}", guess)
        return super().resolve_command(ctx, args)


class _Unknown(PbemError):
    exit_code = 2


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="pbem")
def pbem() -> None:
    """Play a rulebook's game by mail or git with people you never meet.

    Every move is signed, every die is fair, every rule is enforced, and anyone can check the whole
    game afterwards. `pbem help` explains how; `pbem demo` shows it.

    Exit codes: 0 done; 1 refused by verification; 2 usage; 3 refused by the rules; 4 not your turn;
    5 mail or git could not be reached; 6 another pbem is at work; 7 the disk is full, read-only or not yours.
    """


def fail(message: str, hint: str | None, code: int) -> NoReturn:
    """Say what is wrong and what to do next, and end."""
    click.echo(f"pbem: error: {message}", err=True)
    if hint:
        click.echo(f"hint: {hint}", err=True)
    sys.exit(code)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line. No traceback reaches a user unless PBEM_DEBUG is set."""
    try:
        pbem.main(args=list(args) if args is not None else None, prog_name="pbem", standalone_mode=False)
    except PbemError as error:
        fail(error.message, error.hint, error.exit_code)
    except click.exceptions.Abort:
        fail("stopped", None, 2)
    except click.ClickException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # a group without a command, from click 8.2 on
            click.echo(error.format_message())
            sys.exit(2)
        hint = None
        if isinstance(error, click.UsageError) and error.ctx is not None:
            hint = f"`{error.ctx.command_path} --help` shows how"
        message = error.format_message().rstrip(".")
        fail(message[:1].lower() + message[1:], hint, 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        told = disk_error(error) if isinstance(error, OSError) else None
        if told is not None:
            fail(told.message, told.hint, told.exit_code)
        if os.environ.get("PBEM_DEBUG"):
            raise
        fail(
            f"this is a fault in pbem: {type(error).__name__}",
            "run it again with PBEM_DEBUG=1 and report what it prints; nothing was changed half-way",
            70,
        )
    sys.exit(0)
