"""`pbem mail`: how your mail is sent and read, and how you are told that a decision is due.

No password is ever kept: a command of the player's choice (or the system's keyring) prints it when it
is needed.
"""

from __future__ import annotations

import shlex
from typing import Any

import click

from pbem.cli.common import complete_seats, game_option, home, open_table
from pbem.errors import UsageError


@click.group("mail", invoke_without_command=True)
@click.pass_context
def mail_command(ctx: click.Context) -> None:
    """How your mail is sent and read; without a command: what is set.

    Nothing of this is needed to play: `pbem play` writes a file that you attach to a mail yourself.

    Example: pbem mail send program "sendmail -t"
    """
    if ctx.invoked_subcommand is None:
        show()


def show() -> None:
    """What is set, without any secret: there is none to show."""
    from pbem.doing.ways import setting

    here = home()
    click.echo(f"address: {here.config().get('address', 'not set')}")
    for what in ("send", "read", "tell"):
        found = setting(here, what)
        shown = sorted((found or {}).items(), key=lambda one: one[0] != "way")
        words = " ".join(_word(key, value) for key, value in shown) or "not set"
        click.echo(f"{what}: {words}")


def _word(key: str, value: Any) -> str:
    if key == "way":
        return str(value)
    return f"{key}={shlex.join(value) if isinstance(value, list) else value}"


def _set(what: str, chosen: dict[str, Any] | None, address: str | None = None) -> None:
    from pbem.doing.ways import setting

    here = home()
    table = dict(here.config().get("mail", {}))
    table.pop(what, None)
    if chosen is not None:
        table[what] = {key: value for key, value in chosen.items() if value not in (None, [], False)}
    changes: dict[str, Any] = {"mail": table or None}
    if address is not None:
        changes["address"] = _checked(address)
    here.set_config(**changes)
    setting(here, what)
    show()


def _checked(address: str) -> str:
    from pbem.transport.mail_headers import parse_mailbox

    parse_mailbox(address, "address")
    return address


def _command(text: str | None) -> list[str] | None:
    """A command as words; no shell will see it."""
    if text is None:
        return None
    try:
        words = shlex.split(text)
    except ValueError:
        raise UsageError(f"{text!r} is no command: a quotation mark is not closed") from None
    if not words:
        raise UsageError("the command is empty")
    return words


def _place(text: str, usual: int) -> tuple[str, int]:
    """HOST or HOST:PORT."""
    host, colon, port = text.rpartition(":")
    if not colon:
        return text, usual
    if not (port.isascii() and port.isdecimal() and host):
        raise UsageError(f"{text!r} is no HOST:PORT")
    return host, int(port)


_security = click.option(
    "--security",
    type=click.Choice(["tls", "starttls", "none"]),
    default="tls",
    help="none: this machine only.",
)
_password = click.option(
    "--password-command", metavar="CMD", help="A command whose first line of output is the password."
)


@mail_command.command("address")
@click.argument("seat", shell_complete=complete_seats)
@click.argument("address")
@game_option
def address_command(seat: str, address: str, game: str | None) -> None:
    """Say where the player of a seat reads mail, in a game that is under way; the contract stays as it is.

    Example: pbem mail address anti ben@example.org
    """
    from pbem.doing.handover import set_address

    table = open_table(game)
    set_address(table, seat, address)
    click.echo(f"mail for {seat} goes to {address} from now on; `pbem send` sends what is due")


# --- out


@mail_command.group("send")
def send_group() -> None:
    """Set how mail leaves.

    Example: pbem mail send smtp smtp.example.org --user me --password-command "pass show mail/me"
    """


_own = click.option("--address", metavar="ADDRESS", help="Your own address.")


@send_group.command("program")
@click.argument("command", metavar="COMMAND")
@_own
def send_program(command: str, address: str | None) -> None:
    """By a program that takes a message like `sendmail -t` does (msmtp, postfix, exim).

    Example: pbem mail send program "msmtp -t"
    """
    _set("send", {"way": "program", "command": _command(command)}, address)


@send_group.command("smtp")
@click.argument("host", metavar="HOST[:PORT]")
@_security
@click.option("--user", help="The login, if the server wants one.")
@_password
@_own
def send_smtp(
    host: str, security: str, user: str | None, password_command: str | None, address: str | None
) -> None:
    """By an SMTP server.

    Example: pbem mail send smtp smtp.example.org:465 --user me
    """
    from pbem.transport import account

    name, port = _place(host, 465 if security == "tls" else 587)
    account.check(security, name, user)
    chosen = {"way": "smtp", "host": name, "port": port, "security": security, "user": user}
    _set("send", {**chosen, "password_command": _command(password_command)}, address)


@send_group.command("save")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@_own
def send_save(folder: str, address: str | None) -> None:
    """As .eml files in a folder, for a mail program to open.

    Example: pbem mail send save ~/Outbox
    """
    _set("send", {"way": "save", "folder": folder}, address)


@send_group.command("mailto")
@_own
def send_mailto(address: str | None) -> None:
    """As a link that opens your mail program or webmail with everything filled in.

    Example: pbem mail send mailto
    """
    _set("send", {"way": "mailto"}, address)


@send_group.command("none")
def send_none() -> None:
    """Not at all: `pbem play` writes a file, and you send it yourself.

    Example: pbem mail send none
    """
    _set("send", None)


# --- in


@mail_command.group("read")
def read_group() -> None:
    """Set where `pbem watch` looks for mail.

    Example: pbem mail read maildir ~/Maildir
    """


@read_group.command("maildir")
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False))
def read_maildir(folder: str) -> None:
    """A Maildir on this machine. Nothing in it is deleted or moved away.

    Example: pbem mail read maildir ~/Maildir/pbem
    """
    _set("read", {"way": "maildir", "folder": folder})


@read_group.command("imap")
@click.argument("host", metavar="HOST[:PORT]")
@click.option("--user", required=True, help="The login.")
@_password
@click.option("--folder", default="INBOX", help="The folder that moves arrive in.")
@_security
@click.option("--everything", is_flag=True, help="Look at all new mail, where the server's search is poor.")
def read_imap(
    host: str, user: str, password_command: str | None, folder: str, security: str, everything: bool
) -> None:
    """A folder of an IMAP server. Mail is fetched, and marked as seen once its entries are taken in.

    Example: pbem mail read imap imap.example.org --user me --folder games
    """
    from pbem.transport import account

    name, port = _place(host, 993 if security == "tls" else 143)
    account.check(security, name, user)
    chosen = {"way": "imap", "host": name, "port": port, "user": user, "folder": folder}
    more = {"security": security, "everything": everything, "password_command": _command(password_command)}
    _set("read", {**chosen, **more})


@read_group.command("none")
def read_none() -> None:
    """Nowhere: `pbem receive FILE` takes in what you saved.

    Example: pbem mail read none
    """
    _set("read", None)


# --- telling


@mail_command.group("tell")
def tell_group() -> None:
    """Set how `pbem watch` tells you that a decision is due.

    Example: pbem mail tell command "notify-send pbem"
    """


@tell_group.command("command")
@click.argument("command", metavar="COMMAND")
def tell_command(command: str) -> None:
    """By a command: the text comes on its standard input, PBEM_GAME and PBEM_WHAT in its environment.

    Example: pbem mail tell command "notify-send pbem"
    """
    _set("tell", {"way": "command", "command": _command(command)})


@tell_group.command("mail")
def tell_mail() -> None:
    """By a mail to yourself, sent as your moves are.

    Example: pbem mail tell mail
    """
    _set("tell", {"way": "mail"})


@tell_group.command("none")
def tell_none() -> None:
    """Not at all.

    Example: pbem mail tell none
    """
    _set("tell", None)


@mail_command.command("test")
def test_mail() -> None:
    """Send a note to yourself and open the place where mail is read.

    Example: pbem mail test
    """
    from pbem.doing.ways import note, post, setting, source

    here = home()
    if setting(here, "send") is not None:
        text = "This is a test of pbem: your mail can be sent as it is set.\n"
        click.echo(post(here, note(here, "a test of pbem", text), "test"))
    place = source(here, None)
    if place is not None:
        click.echo(f"mail can be read: {sum(1 for _ in place)} messages may be of pbem")
    if place is None and setting(here, "send") is None:
        raise UsageError(
            "nothing is set", "`pbem mail send --help` and `pbem mail read --help` show the ways"
        )
