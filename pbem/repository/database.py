"""The objects of a game folder: in packs, or each in a file of its own where git has put it there.

Invariants: an object counts only if its bytes have the id under which it stands. Nothing larger than
`BLOB_LIMIT` is read. Another process may have put packs together meanwhile, so they are listed again before
anything is called missing.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from pbem.errors import VerificationError
from pbem.repository.disk import Disk
from pbem.repository.layout import BLOB_LIMIT, check_id
from pbem.repository.objects import object_id, read_commit, tree_entries
from pbem.repository.packing import pack_of, to_put_together
from pbem.repository.packs import Pack, TooLarge

_PACK = re.compile(r"(pack-[0-9a-f]{40})\.idx")
_HEADER = 32
"""Before the content: its kind and size."""
_ENOUGH = 1024
"""So many bytes of a packed object always give its header: before it stand the tables of the packing."""
_LOOSE_LIMIT = BLOB_LIMIT + (64 << 10)
"""What cannot be compressed gets a little longer."""
_TRIES = 10
"""So often packs are listed again, as long as they change, before an object is called missing."""
_PACKS = 1000
"""More packs than this are not looked into."""


class Place:
    """One folder of objects."""

    def __init__(self, disk: Disk, folder: str) -> None:
        self.disk, self.folder = disk, folder
        self._packs: dict[str, Pack | None] = {}

    def path(self, name: str) -> str:
        """Where an object has a file of its own."""
        return f"{self.folder}/{name[:2]}/{name[2:]}"

    def loose(self, name: str) -> tuple[str, bytes] | None:
        """Kind and content of an object that has a file of its own; None if it has none."""
        try:
            packed = self.disk.read(self.path(name), _LOOSE_LIMIT)
        except OSError:
            return None
        inflate = zlib.decompressobj()
        try:
            start = inflate.decompress(packed, _HEADER)
            kind, size = _read_header(start)
            if size > BLOB_LIMIT:
                raise _too_large(kind, name, size)
            content = start.partition(b"\0")[2]
            content += inflate.decompress(inflate.unconsumed_tail, size + 1)
        except (zlib.error, ValueError):
            raise _altered("object", name) from None
        if not inflate.eof or len(content) != size:
            raise _altered("object", name)
        return kind, content

    def loose_facts(self, name: str) -> tuple[str, int] | None:
        """Kind and size of an object that has a file of its own."""
        try:
            part = self.disk.part(self.path(name), 0, _ENOUGH)
            return _read_header(zlib.decompressobj().decompress(part, _HEADER))
        except (OSError, ValueError, zlib.error):
            return None

    def packed(self, name: str) -> Iterator[tuple[Pack, int]]:
        """Each pack that holds an object, and where."""
        for pack in self._packs.values():
            if pack is not None and (offset := pack.find(name)) is not None:
                yield pack, offset

    def list_packs(self) -> bool:
        """Look again which packs there are; true if there are others than before."""
        stems = [m[1] for m in map(_PACK.fullmatch, self.disk.names(f"{self.folder}/pack")) if m][:_PACKS]
        if set(stems) == self._packs.keys():
            return False
        self._packs = {stem: self._packs.get(stem) or self._opened(stem) for stem in stems}
        return True

    def forget_packs(self) -> None:
        """The packs have gone or changed: they are opened anew."""
        self._packs = {}

    def _opened(self, stem: str) -> Pack | None:
        try:
            return Pack(self.disk, f"{self.folder}/pack/{stem}")
        except (OSError, VerificationError):
            return None  # what it should hold will be missing

    def keep(self, objects: Mapping[str, bytes]) -> None:
        """Objects by id, as a pack holds them: one pack more, which appears whole or not at all."""
        if not objects:
            return
        stem, data, index = pack_of(objects)
        fresh, path = f"{self.folder}/pack/tmp_pack_pbem", f"{self.folder}/pack/{stem}"
        for ending, content in ((".pack", data), (".idx", index)):
            self.disk.write(fresh, content)
            self.disk.rename(fresh, f"{path}{ending}")
        self._packs[stem] = Pack(self.disk, path, index, data)

    def put_together(self) -> None:
        """Many small packs become one."""
        self.list_packs()
        packs = {stem: pack for stem, pack in self._packs.items() if pack is not None}
        old = to_put_together(packs)
        if not old:
            return
        objects: dict[str, bytes] = {}
        for stem in old:
            objects |= packs[stem].objects()
        self.keep(objects)
        kept = pack_of(objects)[0]
        for stem in old:
            if stem != kept:
                self._drop(stem)

    def drop_within(self, stem: str) -> None:
        """Takes away every pack of which another, this one, holds every object."""
        self.list_packs()
        kept = self._packs.get(stem)
        if kept is None:
            return
        for other, pack in list(self._packs.items()):
            names = pack.names() if pack is not None and other != stem else ("",)
            if all(name and kept.find(name) is not None for name in names):
                self._drop(other)

    def _drop(self, stem: str) -> None:
        for ending in (".idx", ".pack"):
            self.disk.remove(f"{self.folder}/pack/{stem}{ending}")
        self._packs.pop(stem, None)

    def sound(self) -> dict[str, bool]:
        """Every pack, and whether it is as it was written."""
        self.forget_packs()
        self.list_packs()
        return {stem: pack is not None and pack.is_sound() for stem, pack in self._packs.items()}

    def set_aside(self, stem: str) -> None:
        """A pack that was cut off is not looked into any more, by nobody."""
        for ending in (".idx", ".pack"):
            with suppress(FileNotFoundError):
                path = f"{self.folder}/pack/{stem}{ending}"
                self.disk.rename(path, f"{path}.damaged")
        self._packs.pop(stem, None)

    def paths(self) -> list[str]:
        """The files of all packs."""
        self.list_packs()
        return [f"{self.folder}/pack/{stem}{ending}" for stem in self._packs for ending in (".pack", ".idx")]


def _read_header(start: bytes) -> tuple[str, int]:
    """Kind and size, as an object begins."""
    header, nul, _ = start.partition(b"\0")
    kind, _, size = header.decode("ascii", "replace").partition(" ")
    if not nul or not size.isdecimal():
        raise ValueError("no header")
    return kind, int(size)


def _missing(kind: str, name: str) -> VerificationError:
    return VerificationError(f"the game has no {kind} {name}", "fetch the game again")


def _altered(kind: str, name: str) -> VerificationError:
    return VerificationError(f"the {kind} {name} was altered inside .git", "fetch the game again")


def _too_large(kind: str, name: str, size: int) -> TooLarge:
    return TooLarge(
        f"the {kind} {name} has {size} bytes and was not read",
        f"nothing in a game is larger than {BLOB_LIMIT} bytes",
    )


class Database:
    """All objects of a game, from every place where they may stand."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.places = places

    def read(self, kind: str, name: str) -> bytes:
        """The content of an object, its id recomputed."""
        wrong: VerificationError | None = None
        for _ in range(_TRIES):
            try:
                for content in self._each(kind, check_id(name)):
                    return content
                wrong = None
            except VerificationError as error:
                wrong = error
            except OSError:  # a pack has gone since its index was read
                for place in self.places:
                    place.forget_packs()
            if not self._list_packs():
                break
        raise wrong or _missing(kind, name)

    def _list_packs(self) -> bool:
        """True if there are other packs than before."""
        return any([place.list_packs() for place in self.places])  # noqa: C419 (each is looked at)

    def check_copies(self, kind: str, name: str) -> None:
        """Refuses an object that is missing, or of which any copy is not what its id says."""
        for _ in range(_TRIES):
            self._list_packs()
            try:
                if list(self._each(kind, name, every=True)):
                    return
                break
            except OSError:  # a pack has gone since its index was read
                for place in self.places:
                    place.forget_packs()
        raise _missing(kind, name)

    def _each(self, kind: str, name: str, every: bool = False) -> Iterator[bytes]:
        """The good copies of an object. One that is not is passed over if there is a good one, unless `every`
        must be."""
        wrong: VerificationError | None = None
        for place in self.places:
            for found in _copies(place, name):
                if isinstance(found, VerificationError):
                    wrong = wrong or found
                elif object_id(found[0], found[1]) != name:
                    wrong = wrong or _altered(kind, name)
                elif found[0] != kind:
                    wrong = wrong or _missing(kind, name)
                else:
                    yield found[1]
                if wrong and every:
                    raise wrong
        if wrong:
            raise wrong

    def facts(self, name: str) -> tuple[str, int] | None:
        """Kind and size of an object, which is not read; None if it is not there."""
        for _ in range(_TRIES):
            for place in self.places:
                found = place.loose_facts(name)
                if found is not None:
                    return found
                for pack, offset in place.packed(name):
                    with suppress(VerificationError):
                        try:
                            return pack.facts(offset)
                        except OSError:
                            place.forget_packs()
                            break
            if not self._list_packs():
                break
        return None

    def folder(self, tree: str) -> dict[tuple[str, str], str]:
        """(mode, name) -> id of what stands in a folder."""
        return {(mode, name): one for mode, name, one in tree_entries(self.read("tree", tree), tree[:12])}

    def find(self, commit: str, paths: Sequence[str]) -> list[str | None]:
        """The ids of plain files of a commit, None for those that it lacks. Each folder is read once."""
        root = read_commit(self.read("commit", commit), commit)[0]
        folders: dict[str, dict[tuple[str, str], str]] = {}

        def look(tree: str) -> dict[tuple[str, str], str]:
            if tree not in folders:
                folders[tree] = self.folder(tree)
            return folders[tree]

        found: list[str | None] = []
        for path in paths:
            tree: str | None = root
            *above, last = path.split("/")
            for one in above:
                tree = look(tree).get(("40000", one)) if tree else None
            found.append(look(tree).get(("100644", last)) if tree else None)
        return found


def _copies(place: Place, name: str) -> Iterator[tuple[str, bytes] | VerificationError]:
    """Kind and content of each copy, or why it cannot be read."""
    try:
        found = place.loose(name)
    except VerificationError as error:
        yield error
    else:
        if found is not None:
            yield found
    for pack, offset in place.packed(name):
        try:
            yield pack.read(offset)
        except TooLarge:
            yield _too_large("object", name, pack.facts(offset)[1])
        except VerificationError:
            yield _altered("object", name)
