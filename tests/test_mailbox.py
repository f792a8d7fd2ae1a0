"""Files, pipes, mboxes and Maildirs as sources: everything is read, nothing is lost, moved or deleted."""

from __future__ import annotations

import contextlib
import io
import mailbox
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.errors import TransportError
from pbem.transport.bundle import armour, pack
from pbem.transport.mail_in import MAX_MESSAGE, find
from pbem.transport.mailbox import Maildir, read_file, read_mbox
from tests.maildamage import LABEL, Letter
from tests.mailentries import entry


def letter(number: int) -> bytes:
    return Letter(LABEL + armour(pack([entry(number)])), pack([entry(number)])).raw()


def mbox(*messages: bytes, ends: bytes = b"\n") -> bytes:
    """As mail programs write it: a From line before each, From lines within munged, an empty line after."""
    text = b"".join(
        b"From a@example.org Sat Jan 31 12:00:00 2026\n" + m.replace(b"\nFrom ", b"\n>From ") + b"\n"
        for m in messages
    )
    return text.replace(b"\n", ends)


@pytest.mark.parametrize(
    "content", [letter(1), pack([entry(1)]), entry(1), armour(pack([entry(1)])).encode()]
)
def test_a_saved_file_is_one_message(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "saved"
    path.write_bytes(content)
    (message,) = read_file(path)
    message.mark()
    assert message.raw == content == path.read_bytes()
    assert find(message.raw).entries == (entry(1),)


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_every_message_of_an_mbox(ends: bytes, tmp_path: Path) -> None:
    path = tmp_path / "mbox"
    content = mbox(*(letter(n) for n in range(20)), ends=ends)
    path.write_bytes(content)
    for read in (read_mbox, read_file):
        assert [find(m.raw).entries for m in read(path)] == [(entry(n),) for n in range(20)]
    assert path.read_bytes() == content


def test_an_mbox_is_split_as_the_standard_library_does(tmp_path: Path) -> None:
    path = tmp_path / "mbox"
    path.write_bytes(mbox(*(letter(n) for n in range(9))))
    with contextlib.closing(mailbox.mbox(path, create=False)) as box:
        theirs = [box.get_bytes(key).rstrip() for key in box.iterkeys()]
    assert [m.raw.rstrip() for m in read_mbox(path)] == theirs


def test_a_large_mbox_and_a_large_message_in_it(tmp_path: Path) -> None:
    """The start of a file is read at once, and its border falls into a line: nothing changes there."""
    path = tmp_path / "mbox"
    filler = b"Subject: x\n\n" + b"holiday " * 10_000 + b"\n"
    messages = [m for n in range(40) for m in (filler, letter(n))] + [b"Subject: y\n\n" + b"z" * 3_000_000]
    path.write_bytes(mbox(*messages))
    assert path.stat().st_size > 2 * MAX_MESSAGE
    found = list(read_file(path))
    assert [m.raw for m in found] == [m.raw for m in read_mbox(path)]
    assert [e for m in found for e in find(m.raw).entries] == [entry(n) for n in range(40)]
    assert len(found[-1].raw) == MAX_MESSAGE + 1


PROGRAM = """
import sys
from pbem.transport.mail_in import find
from pbem.transport.mailbox import read_stdin
for message in read_stdin():
    for one in find(message.raw).entries:
        sys.stdout.buffer.write(one)
"""


@pytest.mark.parametrize("content", [letter(1) + b"\n" + letter(2), mbox(letter(1), letter(2)), b""])
def test_what_a_mail_program_pipes_in(content: bytes) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=content, capture_output=True, check=True)
    assert done.stdout == (entry(1) + entry(2) if content else b"")


def test_unreadable_paths_are_named(tmp_path: Path) -> None:
    for read in (read_file, read_mbox):
        with pytest.raises(TransportError, match="cannot read"):
            list(read(tmp_path / "missing"))
        with pytest.raises(TransportError, match="is a folder"):
            list(read(tmp_path))
    with pytest.raises(TransportError, match="is not a Maildir"):
        list(Maildir(tmp_path))


@pytest.fixture
def box(tmp_path: Path) -> mailbox.Maildir:
    return mailbox.Maildir(tmp_path / "Maildir", create=True)


def put(box: mailbox.Maildir, raw: bytes, flags: str | None = None) -> str:
    """A message in new/, or in cur/ with these flags; its name without flags."""
    message = mailbox.MaildirMessage(io.BytesIO(raw))
    if flags is not None:
        message.set_subdir("cur")
        message.set_flags(flags)
    return box.add(message)


def tree(box: mailbox.Maildir) -> dict[str, bytes]:
    root = Path(box._path)
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def source(box: mailbox.Maildir, cursor: str | None = None) -> Maildir:
    return Maildir(Path(box._path), cursor)


def test_new_and_read_mail_is_found_and_only_what_was_taken_in_is_marked(box: mailbox.Maildir) -> None:
    """A mail that its owner has read in another program first counts all the same."""
    fresh, read, stranger = (
        put(box, letter(1)),
        put(box, letter(2), "RS"),
        put(box, b"Subject: lunch\n\nnoon\n"),
    )
    flagged = put(box, letter(3), "F")
    before = tree(box)
    found = []
    for message in source(box):
        entries = find(message.raw).entries
        found += entries
        if entries:
            message.mark()
    assert sorted(found) == sorted(entry(n) for n in (1, 2, 3))
    after = tree(box)
    assert set(after) == {f"cur/{fresh}:2,S", f"cur/{read}:2,RS", f"new/{stranger}", f"cur/{flagged}:2,FS"}
    assert sorted(after.values()) == sorted(before.values())


def test_each_message_once_whatever_its_name_becomes(box: mailbox.Maildir) -> None:
    first = put(box, letter(1))
    done = source(box)
    assert len(list(done)) == 1
    (Path(box._path) / "new" / first).rename(Path(box._path) / "cur" / f"{first}:2,RS")
    put(box, letter(2))
    again = source(box, done.cursor)
    assert [find(m.raw).entries for m in again] == [(entry(2),)]
    assert list(source(box, again.cursor)) == []
    assert list(again) == []


def test_the_cursor_forgets_what_is_gone(box: mailbox.Maildir) -> None:
    for number in range(50):
        put(box, letter(number))
    done = source(box)
    assert len(list(done)) == 50
    box.clear()
    again = source(box, done.cursor)
    assert list(again) == []
    assert again.cursor == ""


def test_a_reader_that_dies_gets_the_message_again(box: mailbox.Maildir) -> None:
    for number in range(3):
        put(box, letter(number))
    dying = source(box)
    messages = iter(dying)
    taken = find(next(messages).raw).entries
    next(messages)
    rest = [e for m in source(box, dying.cursor) for e in find(m.raw).entries]
    assert sorted([*taken, *rest]) == sorted(entry(n) for n in range(3))


def test_another_program_may_move_and_delete_meanwhile(box: mailbox.Maildir) -> None:
    names = [put(box, letter(number)) for number in range(4)]
    root = Path(box._path)
    found = []
    for number, message in enumerate(source(box)):
        found += find(message.raw).entries
        if number == 0:
            waiting = sorted(n for n in names if n != min(names))
            (root / "new" / waiting[0]).rename(root / "cur" / f"{waiting[0]}:2,S")
            (root / "new" / waiting[1]).unlink()
            (root / "new" / min(names)).unlink()
        message.mark()
    assert len(found) == len(set(found)) == 3


def test_a_large_message_is_cut_not_skipped(box: mailbox.Maildir) -> None:
    put(box, letter(1) + b"x" * 3_000_000)
    (message,) = source(box)
    assert len(message.raw) == MAX_MESSAGE + 1
    assert find(message.raw).entries == (entry(1),)


def test_what_is_no_message_is_passed_over(box: mailbox.Maildir) -> None:
    root = Path(box._path)
    (root / "new" / "folder").mkdir()
    (root / "cur" / ".hidden").write_bytes(letter(1))
    (root / "tmp" / "unfinished").write_bytes(letter(2))
    (root / "new" / "dangling").symlink_to(root / "nowhere")
    put(box, letter(3))
    assert [find(m.raw).entries for m in source(box)] == [(entry(3),)]


def test_a_cursor_that_makes_no_sense_starts_over(box: mailbox.Maildir) -> None:
    put(box, letter(1))
    assert len(list(source(box, "no such names \x00 ff"))) == 1
