"""Files that go with moves: the word that is signed, the mail that carries them, and what came instead."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from games.table.rules import TABLE
from pbem import attached
from pbem.engine import attachment
from pbem.engine.attachment import Attachment
from pbem.errors import UsageError
from pbem.transport.mail_in import find
from pbem.transport.mail_out import compose
from tests.mailentries import entry

SAVE = b"PK\x03\x04 a saved game" + bytes(range(256)) * 9
WHAT = Attachment("turn-3.vsav", len(SAVE), hashlib.sha256(SAVE).hexdigest())


def test_a_word_names_a_file_by_name_size_and_digest() -> None:
    assert attachment.read(WHAT.word()) == WHAT
    text = f'attach {WHAT.word()} the board\nattach "{WHAT.word()}"\ndo 1:2:3'
    assert attachment.in_text(text) == [WHAT, WHAT]


@pytest.mark.parametrize(
    "word", ["turn3.vsav", "a/b:5:" + "0" * 64, ".x:5:" + "0" * 64, "a:5:" + "0" * 63, "a:-5:" + "0" * 64]
)
def test_what_is_no_such_word_names_nothing(word: str) -> None:
    assert attachment.read(word) is None and attachment.in_text(f"attach {word}") == []


def test_a_file_on_the_disk_becomes_the_word_in_an_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "turn 3.vsav").write_bytes(SAVE)
    game = tmp_path / "game"
    game.mkdir()
    text = 'do moves\n? attach "turn 3.vsav"  the board, after\nattach nothing.vsav\nattach turn"\n'
    wanted = f'do moves\n? attach {WHAT.word()}  the board, after\nattach nothing.vsav\nattach turn"\n'
    assert attached.spelled_out(TABLE, game, text) == wanted
    assert attached.place_of(game, WHAT).read_bytes() == SAVE
    assert attached.spelled_out(TABLE, game, wanted) == wanted
    (tmp_path / "empty.vsav").write_bytes(b"")
    with pytest.raises(UsageError, match="cannot be attached"):
        attached.spelled_out(TABLE, game, "attach empty.vsav")


def test_a_mail_carries_the_file_and_only_its_bytes_count() -> None:
    def mail(files: list[tuple[str, bytes]]) -> bytes:
        return compose(
            sender="ann@example.org",
            recipients=["ben@example.org"],
            subject="a move",
            body="My move.",
            entries=[entry(1)],
            game_short="00000000",
            attachment_name="game.pbem",
            date=datetime(2026, 1, 1, tzinfo=UTC),
            files=files,
        )

    found = find(mail([(WHAT.name, SAVE)]))
    assert found.entries == (entry(1),) and found.files == (SAVE,)
    assert mail([(WHAT.name, SAVE)]) == mail([(WHAT.name, SAVE)]) != mail([(WHAT.name, SAVE[::-1])])
