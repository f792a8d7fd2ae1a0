"""The ways that a player has chosen: how mail leaves and comes in, and how the owner hears of news.

A password is never kept here, only the command that prints it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.errors import PbemError, TransportError, UsageError

if TYPE_CHECKING:
    from pbem.home import Home
    from pbem.transport.mailbox import Imap, Maildir

FIELDS: dict[str, dict[str, dict[str, Any]]] = {
    "send": {
        "program": {"command": list},
        "smtp": {"host": str, "port": int, "security": str, "user": str, "password_command": list},
        "save": {"folder": str},
        "mailto": {},
    },
    "read": {
        "maildir": {"folder": str},
        "imap": {
            "host": str,
            "port": int,
            "security": str,
            "user": str,
            "password_command": list,
            "folder": str,
            "everything": bool,
        },
    },
    "tell": {"command": {"command": list}, "mail": {}},
}
"""Every way to send, to read and to be told, and the settings it may have."""


def setting(home: Home, what: str) -> dict[str, Any] | None:
    """How mail is sent or read or the owner told, None if that is not set. What does not fit is named."""
    table = home.config().get("mail", {})
    found = table.get(what) if isinstance(table, Mapping) else None
    if found is None:
        return None
    where = f"[mail.{what}] in {home.path / 'config.toml'}"
    ways = FIELDS[what]
    way = found.get("way") if isinstance(found, Mapping) else None
    if way not in ways:
        raise UsageError(f"{where}: way must be one of {', '.join(ways)}", "`pbem mail` sets it")
    for key, value in found.items():
        if key != "way" and not isinstance(value, ways[way].get(key, ())):
            raise UsageError(f"{where}: {key} does not fit", "`pbem mail` sets it")
    return dict(found)


# --- mail out


def post(home: Home, message: bytes, name: str) -> str:
    """Hand one message over as configured; returns what was done, in words."""
    from pbem.transport import mail_out

    chosen = setting(home, "send")
    if chosen is None:
        raise UsageError("it is not set how mail is sent", "`pbem mail send --help` shows the ways")
    match chosen["way"]:
        case "program":
            mail_out.hand_to_program(message, chosen["command"])
            return f"given to {chosen['command'][0]}"
        case "smtp":
            port = chosen.get("port", 465)
            mail_out.hand_to_smtp(
                message,
                chosen["host"],
                port,
                security=chosen.get("security", "tls"),
                user=chosen.get("user"),
                password_command=chosen.get("password_command"),
            )
            return f"sent by {chosen['host']}"
        case "save":
            folder = Path(chosen["folder"]).expanduser()
            folder.mkdir(parents=True, exist_ok=True)
            mail_out.save(message, folder / f"{name}.eml")
            return f"written: {folder / name}.eml; open it with your mail program and send it"
        case _:
            return f"open this link to send it: {_link(message)}"


def _link(message: bytes) -> str:
    """The message as a mailto link, its text with the block that pbem reads."""
    from email import message_from_bytes
    from email.policy import SMTP

    from pbem.transport.mail_out import mailto

    mail = message_from_bytes(message, policy=SMTP)
    body = mail.get_body(("plain",))
    text = body.get_content() if body is not None else ""
    return mailto(mail["Subject"], [a.addr_spec for a in mail["To"].addresses], text)


# --- mail in


def source(home: Home, cursor: str | None) -> Maildir | Imap | None:
    """Where mail is read, from where it was read last; None if that is not set."""
    from pbem.transport import mailbox

    chosen = setting(home, "read")
    if chosen is None:
        return None
    if chosen["way"] == "maildir":
        return mailbox.Maildir(Path(chosen["folder"]).expanduser(), cursor)
    return mailbox.Imap(
        chosen["host"],
        chosen.get("port", 993),
        chosen["user"],
        chosen.get("password_command"),
        chosen.get("folder", "INBOX"),
        chosen.get("security", "tls"),
        cursor=cursor,
        everything=chosen.get("everything", False),
    )


# --- telling the owner


def tell(home: Home, subject: str, text: str, facts: Mapping[str, str]) -> None:
    """Tell the owner of this home something: by a command of their choice, or by a mail to themselves.

    The command gets the text on standard input and the facts in its environment (PBEM_GAME and so on).
    """
    chosen = setting(home, "tell")
    if chosen is None:
        return
    if chosen["way"] == "command":
        _run(chosen["command"], f"{subject}\n\n{text}", facts)
    else:
        post(home, note(home, subject, text), "note")


def _run(command: Sequence[str], text: str, facts: Mapping[str, str]) -> None:
    import os

    extra = {f"PBEM_{name.upper()}": value for name, value in facts.items()}
    try:
        done = subprocess.run(list(command), input=text.encode(), env={**os.environ, **extra}, check=False)
    except (OSError, ValueError):
        raise TransportError(f"{command[0]!r} cannot be run", "`pbem mail tell` sets another") from None
    if done.returncode:
        raise TransportError(f"{command[0]!r} failed ({done.returncode})", "run it by hand")


def note(home: Home, subject: str, text: str) -> bytes:
    """A mail to oneself."""
    from datetime import UTC, datetime

    from pbem.transport.mail_out import compose

    address = home.config().get("address")
    if not isinstance(address, str):
        raise UsageError("your own address is not known", "`pbem mail send --address` sets it")
    return compose(
        sender=address,
        recipients=[address],
        subject=subject,
        body=text,
        entries=[],
        game_short="note",
        attachment_name="none",
        date=datetime.now(UTC),
    )


def quietly(error: PbemError) -> str:
    """An error as one line of a log."""
    return f"{error.message} ({error.hint})" if error.hint else error.message
