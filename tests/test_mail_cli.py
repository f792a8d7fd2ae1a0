"""`pbem mail`: every way to send and read works against real parts, and nothing secret is kept."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path
from urllib.parse import unquote

import pytest

from pbem.doing import ways
from pbem.doing.handover import is_handed, mail
from pbem.errors import PartlySentError
from pbem.home import Home
from pbem.outgoing import outgoing
from pbem.page.terminal import show
from pbem.transport import mail_out
from pbem.transport.mail_in import find
from tests.cli import Desk, begin, table_of
from tests.commandline import pbem
from tests.mailservers import PASSWORD, Post, post_office
from tests.sides import Side, sides


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    with post_office(tmp_path / "post", ["a", "b"]) as servers:
        yield servers


@pytest.fixture
def side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Side:
    """A player with a game in which there is something to hand over."""
    a, _ = sides(tmp_path / "game", "tiny")
    a.table().receive([])
    monkeypatch.setenv("PBEM_HOME", str(a.home.path))
    monkeypatch.chdir(a.folder)
    return a


def entries(side: Side) -> list[bytes]:
    """What every mail must carry now: the papers of the contract and the first answer."""
    table = side.table()
    papers = table.contract.papers
    rest = [raw for name, raw in papers.items() if name != "invite"]
    return [papers["invite"], *rest, *outgoing(table, "b")]


def same(message: bytes, side: Side) -> bool:
    return sorted(find(message).entries) == sorted(entries(side))


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def test_nothing_is_set_at_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    assert pbem("mail").out.count("not set") == 4
    assert pbem("mail", "test").code == 2


def test_by_a_program_like_sendmail(side: Side, tmp_path: Path) -> None:
    sent = tmp_path / "sent"
    script = tmp_path / "sendmail.py"
    script.write_text(f"import sys; open({str(sent)!r}, 'wb').write(sys.stdin.buffer.read())")
    assert pbem("mail", "send", "program", f"{sys.executable} {script} -t").code == 0
    ran = pbem("send")
    assert ran.code == 0 and "given to" in ran.out
    assert same(sent.read_bytes(), side)
    first = sent.read_bytes()
    pbem("send")
    assert sent.read_bytes() == first, "sending again sends the same bytes"


def test_by_smtp_and_back_by_imap(side: Side, post: Post) -> None:
    ran = pbem("mail", "send", "smtp", f"127.0.0.1:{post.smtp_port}", "--security", "none")
    assert ran.code == 0 and "smtp" in ran.out
    where = f"127.0.0.1:{post.imap_port}"
    password = f'echo "{PASSWORD}"'
    ran = pbem(
        "mail", "read", "imap", where, "--user", "a", "--security", "none", "--password-command", password
    )
    assert ran.code == 0, ran.err
    assert pbem("send").code == 0
    (arrived,) = (post.maildir("b") / "new").iterdir()
    assert same(arrived.read_bytes(), side)
    ran = pbem("mail", "test")
    assert ran.code == 0 and "mail can be read" in ran.out
    notes = [path for path in post.maildir("a").rglob("*") if b"a test of pbem" in _bytes(path)]
    assert len(notes) == 1, "the note to oneself"


def test_as_a_file_for_a_mail_program(side: Side, tmp_path: Path) -> None:
    assert pbem("mail", "send", "save", tmp_path / "drafts").code == 0
    assert "written" in pbem("send").out
    (saved,) = (tmp_path / "drafts").iterdir()
    assert saved.suffix == ".eml" and same(saved.read_bytes(), side)


def test_a_mail_says_whose_move_it_is_and_shows_the_board_to_who_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = sides(tmp_path / "game", "tiny")
    made = [raw for side in (a, b, a, b) for raw in side.table().receive(handed(a, b)).answered]
    assert made
    table = a.table()
    decides = [seat for seat, due in table.ledger.missing().items() if due.lane == "decide"]
    board = show(table.ledger.machine.rules, table.ledger.position).splitlines()
    for side, reader in ((a, "b"), (b, "a")):
        message = message_from_bytes(mail(side.table(), [reader], []), policy=SMTP)
        body = message.get_body(("plain",))
        assert f"{', '.join(decides)} to move" in message["Subject"] and body is not None
        assert (board[0] in body.get_content().splitlines()) == (reader in decides)


def handed(*both: Side) -> list[bytes]:
    """What the two have for each other."""
    return [raw for side in both for raw in outgoing(side.table(), "ab".replace(side.seat, ""))]


def test_as_a_link_if_it_fits(side: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pbem("mail", "send", "mailto").code == 0
    ran = pbem("send")
    assert ran.code == 0 and "mailto:b@example.org?" in ran.out
    assert same(unquote(ran.out.partition("body=")[2]).encode(), side)
    monkeypatch.setattr(mail_out, "MAX_MAILTO", 1000)
    ran = pbem("send")
    assert ran.code == 5 and "too long for a mailto link" in ran.err and "pbem send" in ran.err


def test_a_server_that_is_away_loses_nothing(side: Side, post: Post) -> None:
    pbem("mail", "send", "smtp", "127.0.0.1:1", "--security", "none")
    ran = pbem("send")
    assert ran.code == 5 and "signed and kept" in ran.err and "pbem send" in ran.err
    pbem("mail", "send", "smtp", f"127.0.0.1:{post.smtp_port}", "--security", "none")
    assert pbem("send").code == 0


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("send", "smtp", "mail.example.org", "--security", "none", "--user", "me"), "without encryption"),
        (("send", "smtp", "mail.example.org:many"), "HOST:PORT"),
        (("send", "smtp", "mail.example.org:²"), "HOST:PORT"),
        (("send", "program", "sendmail 'x"), "not closed"),
        (("send", "program", ""), "empty"),
        (("send", "mailto", "--address", "nobody"), "not a mail address"),
        (("read", "imap", "mail.example.org"), "--user"),
        (("read", "maildir", "/nowhere/at/all"), "does not exist"),
        (("tell", "command", ""), "empty"),
    ],
)
def test_what_cannot_work_is_refused_and_not_kept(side: Side, args: tuple[str, ...], words: str) -> None:
    before = side.home.config()
    ran = pbem("mail", *args)
    assert ran.code == 2 and words in ran.err
    assert side.home.config() == before


def test_a_way_can_be_taken_back(side: Side, tmp_path: Path) -> None:
    (tmp_path / "Maildir").mkdir()
    pbem("mail", "send", "mailto", "--address", "Me <me@example.org>")
    pbem("mail", "read", "maildir", tmp_path / "Maildir")
    pbem("mail", "tell", "mail")
    shown = pbem("mail").out
    assert "mailto" in shown and "Maildir" in shown and "Me <me@example.org>" in shown
    for what in ("send", "read", "tell"):
        assert pbem("mail", what, "none").code == 0
    assert pbem("mail").out.count("not set") == 3


def test_settings_are_private_and_hold_no_password(side: Side) -> None:
    pbem("mail", "send", "smtp", "mail.example.org", "--user", "me", "--password-command", "pass show me")
    path = side.home.path / "config.toml"
    assert path.stat().st_mode & 0o777 == 0o600
    assert Home(side.home.path).config()["mail"]["send"]["password_command"] == ["pass", "show", "me"]


def test_a_mail_that_one_address_refused_is_not_sent_to_the_others_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else `pbem watch` would repeat it at every look, for as long as somebody likes to have no mailbox."""
    desk = Desk(tmp_path, monkeypatch)
    begin(desk)
    desk.ok("ann", "mail", "send", "save", "post")

    def partly(*_: object) -> str:
        raise PartlySentError("the server refused the recipient b@example.org", "check the address")

    with monkeypatch.context() as patch:
        patch.setattr(ways, "post", partly)
        told = desk.run("ann", "play", "-m", "put act act", "--yes")
    assert told.code == 5 and "sent to the others, but the server refused the recipient" in told.err
    assert is_handed(table_of(desk, "ann"))
