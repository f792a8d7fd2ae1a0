"""Header lines of a mail: addresses, text in any script, folding. Written here, read back by the library.

Invariants:
- A header is ASCII, its lines at most 76 characters where words allow; other scripts are encoded words
  (RFC 2047) that never split a character. The library's own folding does split them (a long name
  with umlauts comes out as another name).
- What could end a line is refused before anything is written, so no value can add a header.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.errors import UsageError

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ADDRESS = re.compile(r"(?:(?P<name>[^<>]*)<(?P<in>[^<>\s]+)>|(?P<bare>[^<>\s]+))")
_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\]")
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{3,200}>")
_ATOM = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*")
_WIDTH = 76
_PIECE = 45
"""Bytes in one encoded word, so that it has at most 75 characters."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A person's name, which may be empty, and address."""

    name: str
    address: str

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]


def one_line(text: str, what: str) -> str:
    """The text with single spaces; refused if it could be more than one line."""
    if _CONTROL.search(text):
        raise UsageError(f"the {what} holds a line end or control character", "write it on one line")
    return " ".join(text.split())


def parse_mailbox(text: str, what: str) -> Mailbox:
    """`Name <local@domain>` or `local@domain`; a domain in another script is written as IDNA."""
    hint = "write it as name@example.org or Name <name@example.org>"
    bad = UsageError(f"the {what} is not a mail address", hint)
    found = _ADDRESS.fullmatch(one_line(text, what))
    if found is None:
        raise bad
    local, _, domain = (found["in"] or found["bare"]).rpartition("@")
    try:
        domain = domain if domain.isascii() else domain.encode("idna").decode("ascii")
    except UnicodeError:
        raise bad from None
    if len(local) > 64 or not _LOCAL.fullmatch(local) or not is_domain(domain):
        raise bad
    name = (found["name"] or "").strip()
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = name[1:-1].strip()
    return Mailbox(name, f"{local}@{domain}")


def is_domain(text: str) -> bool:
    return _DOMAIN.fullmatch(text) is not None


def check_message_id(text: str) -> str:
    if not _MESSAGE_ID.fullmatch(text):
        raise UsageError("a message id to refer to is not one", "it looks like <letters@example.org>")
    return text


def text_header(name: str, text: str) -> str:
    """Words as they are as far as they are ASCII, so that a server's search finds the mark; then encoded."""
    words = text.split(" ")
    plain = next((i for i, word in enumerate(words) if not _is_plain(word)), len(words))
    return _fold(name, [*words[:plain], *_encoded(" ".join(words[plain:]))])


def id_header(name: str, ids: Sequence[str]) -> str:
    """Message ids are never encoded, however long."""
    return _fold(name, ids)


def mailbox_header(name: str, mailboxes: Sequence[Mailbox]) -> str:
    tokens: list[str] = []
    for mailbox in mailboxes:
        address = f"<{mailbox.address}>" if mailbox.name else mailbox.address
        tokens += [*_phrase(mailbox.name), address + ","]
    tokens[-1] = tokens[-1].rstrip(",")
    return _fold(name, tokens)


def _phrase(name: str) -> list[str]:
    """A display name: plain, quoted, or in encoded words."""
    if not all(map(_is_plain, name.split(" "))):
        return list(_encoded(name))
    if not _ATOM.fullmatch(name):
        name = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return name.split(" ") if name else []


def _is_plain(word: str) -> bool:
    return word.isascii() and "=?" not in word and len(word) < 60


def _encoded(text: str) -> Iterator[str]:
    """Encoded words, each of whole characters; readers drop the white space between them."""
    piece = b""
    for raw in (character.encode("utf-8") for character in text):
        if len(piece) + len(raw) > _PIECE:
            yield _word(piece)
            piece = b""
        piece += raw
    if piece:
        yield _word(piece)


def _word(piece: bytes) -> str:
    return f"=?utf-8?b?{base64.b64encode(piece).decode('ascii')}?="


def _fold(name: str, tokens: Sequence[str]) -> str:
    """One header with its line ends, broken between tokens."""
    lines = [f"{name}:"]
    for token in tokens:
        if len(lines[-1]) + 1 + len(token) > _WIDTH and lines[-1] != f"{name}:":
            lines.append("")
        lines[-1] += " " + token
    return "\r\n".join(lines) + "\r\n"
