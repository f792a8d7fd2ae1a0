"""What happens to mail on its way: the twelve usual damages, each in several flavours.

A damage takes a `Letter` (the text and files a person sent) or its raw message and gives the raw message
that arrives. `rng` picks the flavour, so that 200 letters see all of them.
"""

from __future__ import annotations

import base64
import html
import quopri
import random
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace

LABEL = "こちらの手番は終わりました。\n> 前回の手紙より\nFrom now on it is your turn.\n"


@dataclass(frozen=True)
class Letter:
    """A mail as its sender sees it."""

    text: str
    file: bytes | None
    name: str = "kawagoe-0037.pbem"
    kind: str = "application/octet-stream"

    def raw(self, text_part: bytes | None = None, file_part: bytes | None = None) -> bytes:
        """As a message with LF; either part may be given as it is to arrive."""
        text_part = self.text_part() if text_part is None else text_part
        file_part = self.file_part() if file_part is None else file_part
        if not file_part:
            return b"From: a@example.org\nSubject: =?utf-8?b?5omL55Wq?=\nMIME-Version: 1.0\n" + text_part
        return (
            b"From: a@example.org\nTo: b@example.org\nMIME-Version: 1.0\n"
            b'Content-Type: multipart/mixed; boundary="=_limit"\n\nnot for people\n--=_limit\n'
            + text_part
            + b"\n--=_limit\n"
            + file_part
            + b"\n--=_limit--\n"
        )

    def text_part(self, charset: str = "utf-8", label: str | None = None) -> bytes:
        head = f'Content-Type: text/plain; charset="{label or charset}"\nContent-Transfer-Encoding: 8bit\n\n'
        return head.encode() + self.text.encode(charset, "replace")

    def file_part(self, width: int = 76, indent: bytes = b"") -> bytes:
        if self.file is None:
            return b""
        head = (
            f"Content-Type: {self.kind}\nContent-Transfer-Encoding: base64\n"
            f'Content-Disposition: attachment; filename="{self.name}"\n\n'
        )
        text = base64.b64encode(self.file)
        lines = [indent + text[i : i + width] for i in range(0, len(text), width)]
        return head.encode() + b"\n".join(lines) + b"\n"


def crlf(letter: Letter, rng: random.Random) -> bytes:
    ends = rng.choice([b"\r\n", b"\r\r\n", b"\n"])
    return letter.raw().replace(b"\n", ends)


def quoted_printable(letter: Letter, rng: random.Random) -> bytes:
    """By the book; with the text as one long line; or with the label lost."""
    text = letter.text if rng.random() < 0.5 else letter.text.replace("\n", "  ")
    body = quopri.encodestring(text.encode(), quotetabs=rng.random() < 0.5)
    label = rng.choice([b"quoted-printable", b"Quoted-Printable ", b"7bit"])
    return letter.raw(b"Content-Type: text/plain\nContent-Transfer-Encoding: " + label + b"\n\n" + body)


def format_flowed(letter: Letter, rng: random.Random) -> bytes:
    """RFC 3676: long lines broken with a space before the break, awkward ones stuffed with a space."""
    width = rng.choice([20, 40, 66, 72])
    lines: list[str] = []
    for line in letter.text.split("\n"):
        lines += [line[i : i + width] + " " for i in range(0, len(line), width)] or [""]
    stuffed = "\n".join(" " + line if re.match(r"[ >]|From", line) else line for line in lines)
    head = b"Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n\n"
    return letter.raw(head + stuffed.encode())


def quoting(letter: Letter, rng: random.Random) -> bytes:
    mark = rng.choice(["> ", ">", "> > ", ">>> ", "| ", "TK> ", "  > | > "])
    quoted = re.sub("(?m)^", mark, letter.text)
    if mark != "TK> " and rng.random() < 0.3:  # hard, wherever it falls
        quoted = "\n".join(quoted[i : i + 50] for i in range(0, len(quoted), 50))
    return replace(letter, text="On Monday T. K. wrote:\n" + quoted + "\n\nありがとう\n").raw()


def from_munging(letter: Letter, rng: random.Random) -> bytes:
    """mboxo, mboxrd, and a zealous filter that does not wait for the space."""
    pattern = rng.choice([rb"(?m)^(From )", rb"(?m)^(>*From )", rb"(?m)^(From)"])
    return re.sub(pattern, rb">\1", letter.raw())


def base64_rewrap(letter: Letter, rng: random.Random) -> bytes:
    """The attachment and the block in lines of another length, with spaces before, as gateways do."""
    width = rng.choice([4, 19, 60, 998, 100_000])
    text = "\n".join(textwrap.wrap(letter.text, max(width, 20), break_on_hyphens=False))
    return replace(letter, text=text).raw(file_part=letter.file_part(width, rng.choice([b"", b" ", b"\t"])))


def html_only(letter: Letter, rng: random.Random) -> bytes:
    """The text as a page, the attachment gone."""
    line = rng.choice(["<div>{}</div>", "{}<br>", "<p class=3D>{}</p>", "&gt;&nbsp;<span>{}</span><br/>"])
    page = "\n".join(
        line.format(html.escape(x).replace("  ", "&nbsp; ") or "<br>") for x in letter.text.split("\n")
    )
    if rng.random() < 0.5:
        page = page.replace("BEGIN PBEM", "BEGIN <b>PBEM</b>").replace("\n", "")
    page = f"<!DOCTYPE html><html><head><style>p > a {{ }}</style></head><body>{page}</body></html>"
    head = b"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: "
    if rng.random() < 0.5:
        return letter.raw(head + b"base64\n\n" + base64.encodebytes(page.encode()), b"")
    return letter.raw(head + b"quoted-printable\n\n" + quopri.encodestring(page.encode()), b"")


def forwarded(letter: Letter, rng: random.Random) -> bytes:
    """Inline without the attachment; or the whole message attached, labelled or not, base64 or not."""
    way = rng.choice(["inline", "rfc822", "eml", "rfc822-base64"])
    if way == "inline":
        old = (
            "---------- Forwarded message ---------\nFrom: A <a@example.org>\nSubject: 手番\n\n" + letter.text
        )
        return replace(letter, text="見てください\n\n" + old, file=None).raw()
    raw = replace(letter, text=LABEL).text_part()
    if way == "eml":
        inner = Letter(LABEL, letter.raw(), "forwarded.eml").file_part()
    elif way == "rfc822":
        inner = b"Content-Type: message/rfc822\n\n" + letter.raw()
    else:
        inner = Letter(LABEL, letter.raw(), "f.eml", "message/rfc822").file_part()
    return letter.raw(raw, inner)


def footer(letter: Letter, rng: random.Random) -> bytes:
    """By a list or a virus scanner: to the text, to the end of the message, or to the attachment itself."""
    words = "\n_______\nlist mailing list = list@example.org\nhttps://example.org/unsubscribe?a=b#c\n"
    where = rng.randrange(3)
    if where == 0:
        return replace(letter, text=letter.text + words).raw()
    if where == 1:
        return letter.raw() + words.encode()
    return letter.raw(file_part=letter.file_part() + words.encode() if letter.file else b"")


def charset(letter: Letter, rng: random.Random) -> bytes:
    real = rng.choice(
        ["iso-2022-jp", "shift_jis", "gb18030", "utf-16", "utf-16-le", "latin-1", "big5", "utf-8"]
    )
    label = rng.choice([real, "us-ascii", "utf-8", "utf-7", "x-unknown", "iso-8859-1"])
    if letter.file is not None and letter.name.endswith(".toml") and rng.random() < 0.5:
        text = letter.file.decode().encode(real, "replace")
        letter = replace(letter, file=text, kind=f"text/plain; charset={label}")
    return letter.raw(letter.text_part(real, label))


def renamed(letter: Letter, rng: random.Random) -> bytes:
    name = rng.choice(["ATT00001.bin", "winmail.dat", "=?utf-8?b?5omL?=.txt", "x.pdf", "", "a/../../b"])
    kind = rng.choice(
        ["application/pdf", "text/plain; charset=utf-8", "image/png", "message/rfc822", "x/y; a=b"]
    )
    return replace(letter, name=name, kind=kind).raw()


def truncated(letter: Letter, rng: random.Random) -> bytes:
    raw = letter.raw()
    return raw[: rng.randrange(len(raw) // 4, len(raw))]


DAMAGES: dict[str, Callable[[Letter, random.Random], bytes]] = {
    "CRLF": crlf,
    "quoted-printable": quoted_printable,
    "format=flowed": format_flowed,
    "> quoting": quoting,
    "From-munging": from_munging,
    "base64 re-wrap": base64_rewrap,
    "HTML-only": html_only,
    "forwarded": forwarded,
    "footer added": footer,
    "charset changed": charset,
    "attachment renamed": renamed,
    "truncated": truncated,
}
