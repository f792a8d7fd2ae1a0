"""What keeps the git directory of a game whole and small, whoever was killed in it and whenever.

Under the lock of the folder: what the record tells and the folder lacks is written again, locks of git that
nobody holds are taken away, small packs are put together, and now and then git packs everything.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pbem.errors import PbemError, VerificationError
from pbem.repository.database import Place
from pbem.repository.disk import Disk
from pbem.repository.record import Record
from pbem.repository.refs import Refs

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.repository.plumbing import Plumbing

MAIN = "refs/heads/main"
NO_COMMIT = "0" * 40
FILES_MARK = "pbem.files"
"""In .git: the commit whose plain files were last in place."""
MANY_OBJECTS = 1000
"""So many objects that stand whole in packs are worth a call of git: some hundred entries."""
MANY_PACKS = 60


class Upkeep:
    """The care for one git directory, `top` being its path on the disk with a slash, or nothing."""

    def __init__(self, disk: Disk, top: str, place: Place, refs: Refs) -> None:
        self._disk, self._top, self._place, self._refs = disk, top, place, refs
        self.record = Record(disk, f"{top}pbem/added")

    def clear_locks(self) -> None:
        """git's own locks on what is only written under ours: whoever made them is dead."""
        for folder in (self._top.rstrip("/"), f"{self._top}refs/heads"):
            for name in self._disk.names(folder):
                if name.endswith(".lock") and name != "pbem.lock":
                    self._disk.remove(f"{folder}/{name}")

    def is_cut_off(self) -> bool:
        """True if the record may tell of something that is not in the folder."""
        return self._wanted_head() is not None or self._is_other_boot()

    def finish(self) -> bool:
        """What the record tells and the folder lacks is written; true if plain files may be wrong, too."""
        if not self.is_cut_off():
            return False
        other_boot = self._is_other_boot()
        if other_boot:
            for stem, is_sound in self._place.sound().items():
                if not is_sound:
                    self._place.set_aside(stem)
        self._place.list_packs()
        told = {name: data for piece in self.record.pieces for name, data in piece.each()}
        self._place.keep({name: data for name, data in told.items() if not any(self._place.packed(name))})
        if head := self._wanted_head():
            self._refs.move(MAIN, head)
        return other_boot

    def pack(self, head: str, git: Callable[[], Plumbing]) -> None:
        """Has git pack everything if there is much to gain. If it fails, nothing is lost: it is tried again.

        Without git, packs stay as they are; then they are only put on disk, so that the record begins anew.
        """
        if self.record.objects < MANY_OBJECTS and len(self._place.paths()) < 2 * MANY_PACKS:
            return
        with suppress(PbemError, OSError):
            if len(self._place.paths()) >= 2 * MANY_PACKS:
                git().must("repack", "-a", "-d", "-k", "-l", "-q")
            else:
                self._pack_added(head, git())
        self._place.forget_packs()
        self._disk.sync(*self._place.paths(), f"{self._top}objects/pack")
        self.record.begin_anew(MAIN, head)

    def _pack_added(self, head: str, git: Plumbing) -> None:
        """What was added to the main line becomes one pack with differences, in place of the whole ones."""
        olds = [piece.old for piece in self.record.pieces if piece.ref == MAIN and piece.old != NO_COMMIT]
        is_first = any(piece.old == NO_COMMIT for piece in self.record.pieces if piece.ref == MAIN)
        wanted = f"{head}\n" + (f"^{olds[0]}\n" if olds and not is_first else "")
        to = str(git.git_dir / "objects/pack/pack")
        out = git.must(
            *("pack-objects", "--revs", "--no-reuse-delta", "--delta-base-offset", "-q", to),
            data=wanted.encode(),
        )
        self._place.drop_within(f"pack-{out.decode().strip()}")

    def _is_other_boot(self) -> bool:
        return bool(self.record.boot) and self.record.boot != self._disk.boot()

    def _wanted_head(self) -> str | None:
        """Where the main line should end by the record, if it does not; one that git has moved is left."""
        pieces = [piece for piece in self.record.pieces if piece.ref == MAIN]
        known = {one for piece in pieces for one in (piece.old, piece.new)} | {NO_COMMIT}
        head = NO_COMMIT
        with suppress(VerificationError):
            head = self._refs.read(MAIN) or NO_COMMIT
        return pieces[-1].new if pieces and head in known - {pieces[-1].new} else None
