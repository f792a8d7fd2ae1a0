"""Entries through real SMTP and IMAP servers: exact, each once, none lost, flags left alone."""

from __future__ import annotations

import contextlib
import imaplib
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.errors import PartlySentError, PbemError, TransportError, UsageError
from pbem.transport import mail_out, mailbox
from pbem.transport.account import Security
from pbem.transport.mail_in import find
from pbem.transport.mail_out import compose, hand_to_smtp
from pbem.transport.mailbox import Imap, Maildir
from tests.attack_kit import works_only_without
from tests.mailentries import entry
from tests.mailservers import HOST, PASSWORD, Post, make_certificate, password_command, post_office

STRANGER = b"From: x@example.org\r\nSubject: lunch\r\n\r\nAt noon?\r\n"


def mail(*numbers: int, to: tuple[str, ...] = ("b@example.org",)) -> bytes:
    return compose(
        sender="川越 太郎 <a@example.org>",
        recipients=to,
        subject=f"手番 {numbers}",
        body="北条方の番です。\n.\n..\nFrom here\n",
        entries=[entry(n) for n in numbers],
        game_short="kawagoe",
        attachment_name="kawagoe-0037.pbem",
        date=datetime(2026, 1, 31, tzinfo=UTC),
    )


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Post]:
    with post_office(tmp_path / "post", ["a", "b"]) as running:
        yield running


def inbox(post: Post, cursor: str | None = None, **more: bool) -> Imap:
    return Imap(HOST, post.imap_port, "b", password_command(), security="none", cursor=cursor, **more)


def texts(source: Imap) -> list[bytes]:
    """What comes from there, sorted: this server keeps line ends as LF, and numbers mail that it finds
    together in no certain order."""
    return sorted(message.raw.replace(b"\n", b"\r\n") for message in source)


def some(*messages: bytes) -> list[bytes]:
    return sorted(messages)


def flags(post: Post) -> list[str]:
    """The flags of b's messages, in order of arrival, as they stand on the server's disk."""
    places = [p for folder in ("new", "cur") for p in (post.maildir("b") / folder).iterdir()]
    return [p.name.partition(":2,")[2] for p in sorted(places, key=lambda p: p.name)]


@pytest.mark.parametrize("security", ["tls", "starttls", "none"])
def test_entries_arrive_byte_for_byte(
    security: Security, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.path))
    mails = [mail(*range(start, start + 4)) for start in range(0, 40, 4)]
    with post_office(tmp_path / "post", ["a", "b"], security=security, certificate=certificate) as post:
        for message in mails:
            hand_to_smtp(
                message,
                HOST,
                post.smtp_port,
                security=security,
                user="a",
                password_command=password_command(),
            )
        source = Imap(HOST, post.imap_port, "b", password_command(), security=security)
        received = texts(source)
        assert received == some(*mails)
        assert {e for raw in received for e in find(raw).entries} == {entry(n) for n in range(40)}
        assert list(source) == []


def test_only_what_was_taken_in_is_marked_and_strangers_mail_is_left_alone(post: Post) -> None:
    for message in (mail(1), STRANGER, mail(2), STRANGER, mail(3)):
        post.deliver("b", message)
    source = inbox(post)
    for message in source:
        if find(message.raw).entries != (entry(2),):
            message.mark()
    assert flags(post) == ["S", "", "", "", "S"]
    assert list(inbox(post, source.cursor)) == []
    assert len(flags(post)) == 5


def test_the_cursor_goes_on_where_the_last_run_stopped(post: Post) -> None:
    post.deliver("b", mail(1))
    first = inbox(post)
    assert texts(first) == [mail(1)]
    post.deliver("b", STRANGER)
    post.deliver("b", mail(2))
    second = inbox(post, first.cursor)
    assert texts(second) == [mail(2)]
    assert texts(inbox(post, second.cursor)) == []
    assert texts(inbox(post, first.cursor)) == [mail(2)]
    assert texts(inbox(post)) == some(mail(1), mail(2))


def test_a_reader_that_dies_gets_the_message_again(post: Post) -> None:
    for number in (1, 2, 3):
        post.deliver("b", mail(number))
    source = inbox(post)
    taken: list[bytes] = []
    with pytest.raises(ZeroDivisionError):
        for message in source:
            if taken:
                raise ZeroDivisionError
            taken += find(message.raw).entries
    again = [e for message in inbox(post, source.cursor) for e in find(message.raw).entries]
    assert len(taken) == 1 and len(again) == 2
    assert {*taken, *again} == {entry(1), entry(2), entry(3)}


def test_mail_that_comes_while_reading_is_not_lost(post: Post) -> None:
    post.deliver("b", mail(1))
    source = inbox(post)
    seen = []
    for message in source:
        post.deliver("b", mail(2))
        seen.append(find(message.raw).entries)
    assert seen == [(entry(1),)]
    assert texts(source) == [mail(2)]


def test_a_renumbered_folder_is_read_from_the_start(tmp_path: Path) -> None:
    with post_office(tmp_path / "post", ["b"]) as post:
        post.deliver("b", mail(1))
        source = inbox(post)
        assert len(list(source)) == 1
    (tmp_path / "post" / "b" / "dovecot-uidlist").unlink()
    with post_office(tmp_path / "post", ["b"]) as post:
        again = Imap(HOST, post.imap_port, "b", password_command(), security="none", cursor=source.cursor)
        assert texts(again) == [mail(1)]


def test_a_cursor_of_another_folder_or_nonsense_starts_over(post: Post) -> None:
    post.deliver("b", mail(1))
    done = inbox(post)
    assert len(list(done)) == 1
    digest, validity, uid = done.cursor.split()
    for cursor in (
        f"{'0' * 16} {validity} {uid}",
        f"{digest} {int(validity) + 1} {uid}",
        "",
        "x",
        "1 2 3",
        "-1",
    ):
        assert len(list(inbox(post, cursor))) == 1
    assert list(inbox(post, done.cursor)) == []


@pytest.mark.parametrize("refused", [[], [b"TEXT"], [b"HEADER", b"TEXT", b"SUBJECT"]])
def test_all_new_mail_is_read_where_the_server_cannot_search(refused: list[bytes], tmp_path: Path) -> None:
    with post_office(tmp_path / "post", ["b"], unsearchable=refused) as post:
        post.deliver("b", STRANGER)
        post.deliver("b", mail(1))
        assert texts(inbox(post)) == (some(STRANGER, mail(1)) if refused else [mail(1)])
        assert texts(inbox(post, everything=True)) == some(STRANGER, mail(1))


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.replace(b"[pbem kawagoe]", b"x").replace(b"X-PBEM", b"X-Y"),
        lambda raw: raw.replace(b"BEGIN PBEM", b"x").replace(b"X-PBEM", b"X-Y").replace(b".pbem", b".bin"),
        lambda raw: (
            raw.replace(b"[pbem kawagoe]", b"x").replace(b"BEGIN PBEM", b"x").replace(b".pbem", b".bin")
        ),
        lambda raw: (
            raw.replace(b"[pbem kawagoe]", b"x").replace(b"BEGIN PBEM", b"x").replace(b"X-PBEM", b"X-Y")
        ),
    ],
)
def test_one_mark_is_enough_for_the_search(change: Callable[[bytes], bytes], post: Post) -> None:
    post.deliver("b", change(mail(1)))
    assert [find(m.raw).entries for m in inbox(post)] == [(entry(1),)]


def test_a_message_deleted_meanwhile_is_passed_over(post: Post) -> None:
    for number in (1, 2, 3):
        post.deliver("b", mail(number))
    source = inbox(post)
    seen: list[bytes] = []
    for message in source:
        seen += find(message.raw).entries
        if len(seen) == 1:
            other = imaplib.IMAP4(HOST, post.imap_port)
            other.login("b", PASSWORD)
            other.select()
            other.store("2", "+FLAGS", r"(\Deleted)")
            other.expunge()
            other.logout()
    assert len(seen) == len(set(seen)) == 2
    assert list(source) == []


def test_a_folder_with_a_japanese_name(post: Post) -> None:
    client = imaplib.IMAP4(HOST, post.imap_port)
    client.login("b", PASSWORD)
    client.create('"&MLIw,DDg- &- x"')
    assert client.append('"&MLIw,DDg- &- x"', "", "", mail(1))[0] == "OK"
    client.logout()
    source = Imap(HOST, post.imap_port, "b", password_command(), "ゲーム & x", "none")
    assert texts(source) == [mail(1)]


def test_more_than_two_megabytes_are_not_fetched(post: Post) -> None:
    post.deliver("b", mail(1) + b"x" * 3_000_000)
    (message,) = inbox(post)
    assert len(message.raw) == 2 * 1024 * 1024 + 1
    assert find(message.raw).entries == (entry(1),)


def test_a_server_that_goes_away_is_named_and_nothing_is_lost(tmp_path: Path) -> None:
    with post_office(tmp_path / "post", ["b"]) as post:
        post.deliver("b", mail(1))
        post.deliver("b", mail(2))
        source = inbox(post)
        messages = iter(source)
        first = find(next(messages).raw).entries
    with pytest.raises(TransportError, match=r"hung up|broke|refused"):
        next(messages)
    with post_office(tmp_path / "post", ["b"]) as post:
        rest = [e for message in inbox(post, source.cursor) for e in find(message.raw).entries]
    assert sorted([*first, *rest]) == sorted([entry(1), entry(2)])


def test_sent_again_it_is_the_same_mail_for_every_recipient(post: Post) -> None:
    message = mail(1, to=("a@example.org", "B <b@example.org>"))
    for _ in range(2):
        hand_to_smtp(message, HOST, post.smtp_port, security="none")
    for user in ("a", "b"):
        assert [m.raw for m in Maildir(post.maildir(user))] == [message, message]


def test_line_ends_cannot_smuggle_in_a_second_mail(post: Post) -> None:
    smuggled = mail(1) + b"\n.\nMAIL FROM:<x@y.z>\r.\rRCPT TO:<a@example.org>\r\n.\n"
    hand_to_smtp(smuggled, HOST, post.smtp_port, security="none")
    assert list(Maildir(post.maildir("a"))) == []
    (message,) = Maildir(post.maildir("b"))
    assert b"MAIL FROM" in message.raw


def refusal(action: Callable[[], object], error: type[PbemError] = TransportError) -> str:
    """The words of a refusal, which never hold the password and always say what to do."""
    with pytest.raises(error) as caught:
        action()
    assert caught.value.hint
    assert PASSWORD not in f"{caught.value.message} {caught.value.hint}"
    return caught.value.message


def test_refused_recipients_are_named_and_the_others_have_it(post: Post) -> None:
    post.refuse.add("a@example.org")
    both = mail(1, to=("a@example.org", "b@example.org"))
    send: Callable[[bytes], None] = lambda raw: hand_to_smtp(raw, HOST, post.smtp_port, security="none")  # noqa: E731
    said = refusal(lambda: send(both), PartlySentError)
    assert "refused the recipient a@example.org (550 no such user here)" in said
    assert len(list(Maildir(post.maildir("b")))) == 1
    assert "refused the recipient a@example.org" in refusal(lambda: send(mail(1, to=("a@example.org",))))


def test_a_mail_too_large_for_the_server_is_named(tmp_path: Path) -> None:
    with post_office(tmp_path / "post", ["b"], size_limit=1000) as post:
        words = refusal(lambda: hand_to_smtp(mail(1), HOST, post.smtp_port, security="none"))
        assert "552" in words


def test_wrong_passwords_and_folders_are_named(post: Post) -> None:
    wrong = password_command("wrong")
    assert "refused the login of b" in refusal(
        lambda: list(Imap(HOST, post.imap_port, "b", wrong, security="none"))
    )
    assert "refused the login" in refusal(
        lambda: hand_to_smtp(mail(1), HOST, post.smtp_port, security="none", user="a", password_command=wrong)
    )
    assert "no folder 'Games'" in refusal(
        lambda: list(Imap(HOST, post.imap_port, "b", password_command(), "Games", "none"))
    )


def test_a_password_that_smtp_cannot_carry_is_named(post: Post) -> None:
    command = password_command("pässword")
    words = refusal(
        lambda: hand_to_smtp(
            mail(1), HOST, post.smtp_port, security="none", user="a", password_command=command
        )
    )
    assert "must be ASCII" in words
    assert list(Maildir(post.maildir("b"))) == []


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def test_unreachable_servers_are_named() -> None:
    port = unused_port()
    assert "refuses connections" in refusal(lambda: hand_to_smtp(mail(1), HOST, port, security="none"))
    assert "refuses connections" in refusal(lambda: list(Imap(HOST, port, "b", password_command())))
    assert "no such host" in refusal(lambda: hand_to_smtp(mail(1), "no-such-host.invalid", 465))


def test_encryption_is_never_silently_dropped(
    tmp_path: Path, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server without TLS, one with an unknown certificate, one with another's name: all refused."""

    def both(office: Post, security: Security, host: str = HOST) -> list[str]:
        command = password_command()
        return [
            refusal(lambda: hand_to_smtp(mail(1), host, office.smtp_port, security=security)),
            refusal(lambda: list(Imap(host, office.imap_port, "b", command, security=security))),
        ]

    assert all("no TLS with" in words for words in both(post, "tls"))
    smtp, imap = both(post, "starttls")
    assert "STARTTLS" in smtp and "STARTTLS" in imap
    certificate = make_certificate(tmp_path)
    other = make_certificate(tmp_path, "elsewhere.example")
    with post_office(tmp_path / "tls", ["a", "b"], security="tls", certificate=certificate) as office:
        assert all("does not verify (self" in words for words in both(office, "tls"))
    monkeypatch.setenv("SSL_CERT_FILE", str(other.path))
    with post_office(tmp_path / "other", ["a", "b"], security="tls", certificate=other) as office:
        assert all("Hostname mismatch" in words for words in both(office, "tls"))
    assert list(Maildir(tmp_path / "other" / "b")) == []


@pytest.mark.parametrize("host", ["mail.example.org", "192.0.2.1", "127.0.0.1.example.org"])
def test_a_password_is_never_sent_in_the_clear(host: str) -> None:
    command = password_command()
    assert "without encryption" in refusal(
        lambda: hand_to_smtp(mail(1), host, 25, security="none", user="a", password_command=command),
        UsageError,
    )
    assert "without encryption" in refusal(lambda: Imap(host, 143, "a", command, security="none"), UsageError)


def test_account_names_cannot_carry_commands() -> None:
    for user in ("b\r\nA1 LOGOUT", "", "b\0"):
        assert "control characters" in refusal(lambda user=user: Imap(HOST, 993, user), UsageError)


IMAP_HELLO = b"* OK [CAPABILITY IMAP4rev1] ready\r\n"


@contextlib.contextmanager
def talkative(hello: bytes, again: bytes, times: int, end: bytes = b"") -> Iterator[int]:
    """A host that says one line over and over before it listens, and then refuses all; its port."""
    with socket.create_server((HOST, 0)) as listening:

        def serve() -> None:
            with contextlib.suppress(OSError):
                other, _ = listening.accept()
                with other, other.makefile("rb") as heard:
                    other.sendall(hello + again * times + end)
                    for line in heard:
                        other.sendall(line.split()[0] + b" NO no\r\n")

        threading.Thread(target=serve, daemon=True).start()
        yield listening.getsockname()[1]


def test_a_host_that_never_stops_talking_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "_ANSWER", 50_000)

    def attack() -> bool:
        """Whether all of it is listened to."""
        with talkative(IMAP_HELLO, b"* 1 EXISTS\r\n", 30_000) as port, pytest.raises(TransportError) as error:
            list(Imap(HOST, port, "b", password_command(), security="none"))
        return "never comes to an end" not in error.value.message

    works_only_without(monkeypatch, attack, (mailbox._Server, "_hear", lambda server, size: None))


def test_a_host_that_takes_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "_PATIENCE", -1.0)
    with talkative(IMAP_HELLO, b"", 0) as port, pytest.raises(TransportError, match="never comes to an end"):
        list(Imap(HOST, port, "b", password_command(), security="none"))


def test_a_mail_host_whose_reply_never_ends_has_hung_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def attack() -> bool:
        """Whether all of it is listened to, and then its refusal."""
        with (
            talkative(b"", b"554-no\r\n", 5000, b"554 no\r\n") as port,
            pytest.raises(TransportError) as error,
        ):
            hand_to_smtp(mail(1), HOST, port, security="none")
        return "hung up" not in error.value.message

    works_only_without(monkeypatch, attack, (mail_out, "_REPLY", 10**9))
