"""Mail that pbem writes: readable, exact, the same each time, and with nothing smuggled in."""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import MalformedError, PbemError, TransportError, UsageError
from pbem.transport import mail_out
from pbem.transport.account import keyring_command, password
from pbem.transport.bundle import find_armoured, pack, unpack
from pbem.transport.mail_in import Found, find
from tests.mailentries import entry

ENTRIES = [entry(1), entry(2)]
DEFAULTS: dict[str, Any] = {
    "sender": "川越 太郎 <taro@example.org>",
    "recipients": ["Müller, Jörg <joerg@example.net>", "kate@example.com"],
    "subject": "第三ターン: 北条方の手番",
    "body": "北条方の番です。\n\n  o o .   盤面  \nFrom here: 援軍が来る\n.\n",
    "entries": ENTRIES,
    "game_short": "kawagoe",
    "attachment_name": "kawagoe-0037.pbem",
    "date": datetime(2026, 1, 31, 12, 0, 0, tzinfo=UTC),
}


def compose(**changes: Any) -> bytes:
    return mail_out.compose(**(DEFAULTS | changes))


def parsed(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_a_mail_as_a_stranger_s_program_reads_it() -> None:
    message = parsed(compose())
    assert message["Subject"] == "[pbem kawagoe] 第三ターン: 北条方の手番"
    assert message["From"].addresses[0].display_name == "川越 太郎"
    assert [a.addr_spec for a in message["To"].addresses] == ["joerg@example.net", "kate@example.com"]
    assert message["To"].addresses[0].display_name == "Müller, Jörg"
    assert message["Date"].datetime == DEFAULTS["date"]
    body = message.get_body(("plain",))
    assert body is not None
    text = body.get_content().replace("\r\n", "\n")
    assert text.startswith("北条方の番です。\n\n  o o .   盤面  \nFrom here: 援軍が来る\n.\n")
    (bundle,) = find_armoured(text)
    (attachment,) = message.iter_attachments()
    assert attachment.get_filename() == "kawagoe-0037.pbem"
    assert attachment.get_content_type() == "application/octet-stream"
    assert attachment.get_content() == bundle == pack(ENTRIES)
    assert unpack(bundle) == ENTRIES
    assert not message.defects


def test_the_bytes_are_plain_and_portable() -> None:
    raw = compose()
    assert raw.isascii()
    assert raw.count(b"\n") == raw.count(b"\r\n") == raw.count(b"\r")
    assert max(map(len, raw.split(b"\r\n"))) <= 78
    assert find(raw) == Found(tuple(ENTRIES))


def test_same_arguments_same_bytes_and_any_change_another_id() -> None:
    raw = compose()
    assert compose() == raw
    ids = {parsed(raw)["Message-ID"]}
    for change in (
        {"entries": ENTRIES[:1]},
        {"body": "x"},
        {"subject": "x"},
        {"recipients": ["kate@example.com"]},
        {"date": DEFAULTS["date"] + timedelta(seconds=1)},
        {"in_reply_to": "<a@b>"},
        {"sender": "taro@example.org"},
        {"game_short": "sanada", "subject": "[pbem kawagoe] 第三ターン: 北条方の手番"},
        {"domain": "example.com"},
    ):
        ids.add(parsed(compose(**change))["Message-ID"])
    assert len(ids) == 10


def test_threads_and_domain() -> None:
    message = parsed(compose(in_reply_to="<b@x>", references=["<a@x>", "<b@x>"], domain="games.example"))
    assert message["In-Reply-To"] == "<b@x>"
    assert message["References"] == "<a@x> <b@x>"
    long = [f"<{n}{'x' * 90}@example.org>" for n in range(5)]
    assert parsed(compose(references=long))["References"] == " ".join(long)
    assert re.fullmatch(r"<[0-9a-f]{40}@games\.example>", message["Message-ID"])
    assert parsed(compose())["Message-ID"].endswith("@example.org>")


def test_a_reply_is_not_marked_twice() -> None:
    assert parsed(compose(subject="Re: [pbem kawagoe] x"))["Subject"] == "Re: [pbem kawagoe] x"


def test_a_note_without_entries_has_no_attachment() -> None:
    message = parsed(compose(entries=[]))
    assert not message.is_multipart()
    assert "PBEM-" not in message.get_content()
    assert find(compose(entries=[])) == Found()


INJECTED = "x\r\nBcc: victim@example.org"


@pytest.mark.parametrize(
    "change",
    [
        {"subject": INJECTED},
        {"subject": "x\nBcc: victim@example.org"},
        {"subject": "x\u2028Bcc: victim@example.org"},
        {"subject": "x\x00"},
        {"sender": f"{INJECTED} <a@b.c>"},
        {"sender": "a@b.c\r\nBcc: d@e.f"},
        {"sender": "a@b.c, d@e.f"},
        {"sender": "A <a@b.c>, B <d@e.f>"},
        {"sender": "no address"},
        {"sender": "ä@example.org"},
        {"sender": ""},
        {"recipients": []},
        {"recipients": ["a@b.c", "d@e.f\nX: y"]},
        {"recipients": ["a b@c.d"]},
        {"recipients": ["a@-b"]},
        {"recipients": ["<>"]},
        {"in_reply_to": "<a@b>\r\nX: y"},
        {"references": ["not an id"]},
        {"references": ["<a@b>", "<c d@e>"]},
        {"game_short": "a\nb"},
        {"game_short": ""},
        {"attachment_name": '../"x".pbem'},
        {"attachment_name": "川越.pbem"},
        {"domain": "x\r\ny"},
        {"domain": ""},
        {"date": datetime(2026, 1, 31)},
        {"body": "bell \x07"},
        {"body": "surrogate \ud800"},
        {"body": "x" * 3_000_000},
    ],
    ids=lambda change: next(iter(change)),
)
def test_header_injection_and_other_nonsense_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        compose(**change)
    assert caught.value.hint
    assert "\n" not in caught.value.message


def test_what_is_no_entry_is_not_sent() -> None:
    with pytest.raises(MalformedError):
        compose(entries=[b"v = 2\n"])


def test_foreign_domains_and_quoted_names() -> None:
    message = parsed(compose(recipients=['"Li, 小龙" <li@例え.jp>'], sender="O'Brien <o'b+x@example.org>"))
    assert message["To"].addresses[0].addr_spec == "li@xn--r8jz45g.jp"
    assert message["To"].addresses[0].display_name == "Li, 小龙"
    assert message["From"].addresses[0].addr_spec == "o'b+x@example.org"


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=80)


@settings(max_examples=150, deadline=None)
@given(name=NAMES, subject=NAMES, body=NAMES)
def test_any_name_subject_and_text_survives_or_is_refused(name: str, subject: str, body: str) -> None:
    try:
        raw = compose(sender=f"{name} <a@example.org>", subject=subject, body=body, entries=ENTRIES[:1])
    except UsageError:
        return
    message = parsed(raw)
    assert message.keys() == parsed(compose()).keys()
    assert message["Subject"] == " ".join(mail_out.subject_line("kawagoe", subject).split())
    assert message["From"].addresses[0].addr_spec == "a@example.org"
    assert find(raw).entries == (ENTRIES[0],)


LONG = "河越城包囲軍の総大将・関東管領上杉憲政殿および古河公方足利晴氏殿に宛てて" * 4


@pytest.mark.parametrize(
    "name", ['Jörg, "der Alte" Müller', LONG, "A" * 200, "a (b) <c", "=?utf-8?q?x?=", "x\\"]
)
def test_awkward_names_never_become_other_addresses(name: str) -> None:
    try:
        raw = compose(recipients=[f"{name} <a@example.org>"], subject=name)
    except UsageError:
        return
    (to,) = parsed(raw)["To"].addresses  # this reader leaves spaces between encoded words
    assert (to.display_name.replace(" ", ""), to.addr_spec) == (name.replace(" ", ""), "a@example.org")


@pytest.mark.parametrize("name", [LONG, "Müller, " + "Jörg der Ältere " * 6, "wort " * 40 + "ß", "𠮷" * 60])
def test_long_foreign_names_and_subjects_are_written(name: str) -> None:
    """Read by the older of the library's two readers, which joins encoded words as RFC 2047 says."""
    name = name.strip()
    raw = compose(recipients=[f"{name} <a@example.org>"], subject=name)
    assert max(map(len, raw.split(b"\r\n"))) <= 78
    message = message_from_bytes(raw)
    subject, to = (str(make_header(decode_header(message[header]))) for header in ("Subject", "To"))
    assert subject == f"[pbem kawagoe] {name}"
    assert to == f"{name} <a@example.org>"


def test_mailto_opens_with_everything_filled_in() -> None:
    text = mail_out.body_text("番です & more\n", ENTRIES[:1])
    link = mail_out.mailto("[pbem kawagoe] 手番?", ["Jörg <a+b@example.org>", "c@example.net"], text)
    parts = urlsplit(link)
    assert parts.scheme == "mailto"
    assert unquote(parts.path) == "a+b@example.org,c@example.net"
    assert "+" not in link and " " not in link and link.isascii()
    fields = parse_qs(parts.query)
    assert fields["subject"] == ["[pbem kawagoe] 手番?"]
    assert fields["body"][0].replace("\r\n", "\n") == text
    assert find(fields["body"][0].encode()) == Found((ENTRIES[0],))


def test_mailto_refuses_what_browsers_cut_and_what_would_inject() -> None:
    with pytest.raises(TransportError, match="too long for a mailto link"):
        mail_out.mailto("x", ["a@b.c"], mail_out.body_text("x", [entry(n) for n in range(30)]))
    with pytest.raises(UsageError):
        mail_out.mailto("x\r\nBcc: a@b.c", ["a@b.c"], "x")
    with pytest.raises(UsageError):
        mail_out.mailto("x", ["a@b.c?bcc=d@e.f&x=<"], "x")
    assert mail_out.mailto("x", ["a&cc=d?bcc=e@b.c"], "x").startswith(
        "mailto:a%26cc%3Dd%3Fbcc%3De@b.c?subject=x&"
    )


def test_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    raw = compose()
    target = tmp_path / "move.eml"
    mail_out.save(raw, target)
    mail_out.save(raw, target)
    assert target.read_bytes() == raw
    assert find(target.read_bytes()) == Found(tuple(ENTRIES))
    with pytest.raises(TransportError, match="cannot write"):
        mail_out.save(raw, tmp_path / "no" / "move.eml")
    (tmp_path / "folder").mkdir()
    with pytest.raises(TransportError, match="cannot write"):
        mail_out.save(raw, tmp_path / "folder")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder", "move.eml"]


SENDMAIL = """
import json, sys
raw = sys.stdin.buffer.read()
open(sys.argv[1], "wb").write(raw)
open(sys.argv[1] + ".args", "w").write(json.dumps(sys.argv[2:]))
"""


def test_a_program_gets_the_message_on_its_standard_input_and_no_shell_sees_it(tmp_path: Path) -> None:
    raw = compose()
    out = tmp_path / "out"
    mail_out.hand_to_program(raw, [sys.executable, "-c", SENDMAIL, str(out), "-t", "$(touch x); `touch y`"])
    assert out.read_bytes() == raw.replace(b"\r\n", b"\n")
    assert json.loads((tmp_path / "out.args").read_text()) == ["-t", "$(touch x); `touch y`"]
    assert find(out.read_bytes()) == Found(tuple(ENTRIES))


@pytest.mark.parametrize(
    ("argv", "error", "why"),
    [
        ([], UsageError, "no program"),
        (["no-such-sendmail", "-t"], TransportError, "cannot be run"),
        (
            [sys.executable, "-c", "import sys; sys.exit('\\x1b[31m queue\\nfull')"],
            TransportError,
            r"\(1\): \[31m queue full",
        ),
        ([sys.executable, "-c", "raise SystemExit(75)"], TransportError, r"\(75\): it says nothing"),
    ],
)
def test_a_program_that_fails_is_named(argv: list[str], error: type[PbemError], why: str) -> None:
    with pytest.raises(error, match=why) as caught:
        mail_out.hand_to_program(compose(), argv)
    assert caught.value.hint


def prints(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_the_password_is_the_first_line_of_a_command() -> None:
    assert password("h", "u", prints("print('pass wörd\\nsecond')")) == "pass wörd"
    assert password("h", "u", prints("import sys; sys.stdout.write('x\\r\\n')")) == "x"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["no-such-pass"], "cannot be run"),
        (prints("raise SystemExit(3)"), r"failed \(3\)"),
        (prints("pass"), "printed no password"),
        (prints("import sys; sys.stdout.buffer.write(b'\\xff')"), "no UTF-8"),
        (prints("print('secret'); raise SystemExit(1)"), "failed"),
    ],
)
def test_a_password_command_that_fails_is_named_without_its_output(command: list[str], why: str) -> None:
    with pytest.raises(TransportError, match=why) as caught:
        password("h", "u", command)
    assert "secret" not in f"{caught.value.message} {caught.value.hint}"


def test_the_system_keyring_is_asked_when_no_command_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert keyring_command("h", "u") is None
    with pytest.raises(TransportError, match="no password for u at h"):
        password("h", "u", None)
    tool = tmp_path / "secret-tool"
    tool.write_text('#!/bin/sh\necho "$*"\n')
    tool.chmod(0o755)
    assert password("h", "u", None) == "lookup server h user u"
