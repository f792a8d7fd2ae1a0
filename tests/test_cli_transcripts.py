"""What people see at the terminal, from the first key to the verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import Desk, matches

FOLDER = Path(__file__).parent / "transcripts"


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.stem)
def test_transcript(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Desk(tmp_path, monkeypatch).play(file.read_text(encoding="utf-8"))


def test_a_transcript_notices_a_difference() -> None:
    assert matches("a … c\n...\nz\n", "a b c\nd\ne\nz\n")
    assert not matches("a … c\nz\n", "a b c\nd\nz\n")
    assert not matches("a\n", "a\nb\n")
