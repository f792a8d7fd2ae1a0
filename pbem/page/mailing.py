"""Mail set up and tried on the page: an account's names and numbers, never a command and never a password.

A command is set in the terminal alone (`pbem mail`), for it runs on this machine. One that prints a password
is forgotten as soon as the page names another server or another user: it would be handed to a stranger.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.doing import ways
from pbem.errors import UsageError
from pbem.home import Home
from pbem.page.answers import Refused
from pbem.page.beginning import text
from pbem.transport import account
from pbem.transport.mail_headers import parse_mailbox

PORTS = {"send": {"tls": 465}, "read": {"tls": 993, "starttls": 143, "none": 143}}
SERVERS = {"send": "smtp", "read": "imap"}


class Mailing:
    """How mail leaves and arrives."""

    def __init__(self, home: Home) -> None:
        self._home = home

    def mail(self, data: Mapping[str, Any]) -> Any:
        """What is set; with `what`, after setting how mail is sent or read."""
        what = text(data, "what", 10)
        if what:
            self._set(what, data)
        told: dict[str, Any] = {"address": str(self._home.config().get("address", ""))}
        for name in SERVERS:
            found = ways.setting(self._home, name) or {"way": "none"}
            told[name] = {
                key: value for key, value in found.items() if key not in ("command", "password_command")
            }
        return told

    def _set(self, what: str, data: Mapping[str, Any]) -> None:
        if what not in SERVERS:
            raise Refused(400, "what is to be set?")
        way = text(data, "way", 20)
        table = dict(self._home.config().get("mail", {}))
        old = table.pop(what, {})
        if way == SERVERS[what]:
            table[what] = self._server(what, data, old if isinstance(old, dict) else {})
        elif way == "mailto" and what == "send":
            table[what] = {"way": "mailto"}
        elif way != "none":
            raise UsageError("this way is set in the terminal", "`pbem mail --help` shows it")
        changes: dict[str, Any] = {"mail": table or None}
        if "address" in data:
            address = text(data, "address", 200).strip()
            if address:
                parse_mailbox(address, "address")
            changes["address"] = address or None
        self._home.set_config(**changes)

    def _server(self, what: str, data: Mapping[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
        host, security = text(data, "host", 200).strip(), text(data, "security", 20) or "tls"
        user = text(data, "user", 200).strip() or None
        account.check(security, host, user)
        port = data.get("port") or PORTS[what].get(security, 587)
        if not isinstance(port, int) or isinstance(port, bool) or not 0 < port < 65536:
            raise Refused(400, "port: expected a number up to 65535")
        chosen: dict[str, Any] = {"way": SERVERS[what], "host": host, "port": port, "security": security}
        if user is not None:
            chosen["user"] = user
        if what == "read":
            if user is None:
                raise Refused(400, "who logs in there?")
            chosen["folder"] = text(data, "folder", 200).strip() or "INBOX"
        same = all(old.get(name) == chosen.get(name) for name in ("host", "port", "security", "user"))
        if same and "password_command" in old:
            chosen["password_command"] = old["password_command"]
        return chosen

    def attempt(self, data: Mapping[str, Any]) -> Any:
        """Send a mail to oneself by the way that is set."""
        mail = ways.note(
            self._home, "pbem can send mail", "This mail was sent to try how your moves leave.\n"
        )
        return {"said": [ways.post(self._home, mail, "try")], "files": []}
