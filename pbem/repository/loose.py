"""Objects that stand in files of their own, as the newest ones of a game do: read without starting git.

Nothing is believed: an object counts only if its bytes have the id under which it stands. Whatever is not
as it should be (packed, too large, altered, a link) is left to git, which says what is wrong with it.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from pathlib import Path

from pbem.errors import VerificationError
from pbem.repository.layout import BLOB_LIMIT, check_id
from pbem.repository.objects import object_id, tree_entries
from pbem.system import read_small

_HEADER = 32
"""Before the content: its kind and size."""


def ref(git_dir: Path, name: str) -> str:
    """The commit that a ref names in a file of its own."""
    return check_id(read_small(git_dir / name, 1024).decode("ascii", "replace").strip())


class Loose:
    """Reads such objects of one git directory; folders that were read are remembered."""

    def __init__(self, git_dir: Path) -> None:
        self._git_dir = git_dir
        self._folders: dict[str, dict[tuple[str, str], str]] = {}

    def read(self, kind: str, name: str) -> bytes | None:
        """An object by its id, or as COMMIT:PATH or REF:PATH; None: git has to be asked."""
        with suppress(OSError, KeyError, VerificationError, zlib.error):
            rev, colon, path = name.partition(":")
            return self._content(kind, self._find(rev, path) if colon else check_id(name))
        return None

    def _find(self, rev: str, path: str) -> str:
        """The id of a plain file."""
        commit = ref(self._git_dir, rev) if rev.startswith("refs/") else check_id(rev)
        tree = check_id(self._content("commit", commit)[5:45].decode("ascii", "replace"))
        *folders, last = path.split("/")
        for folder in folders:
            tree = self._folder(tree)["40000", folder]
        return self._folder(tree)["100644", last]

    def _folder(self, tree: str) -> dict[tuple[str, str], str]:
        if tree not in self._folders:
            found = tree_entries(self._content("tree", tree), tree[:12])
            self._folders[tree] = {(mode, name): one for mode, name, one in found}
        return self._folders[tree]

    def _content(self, kind: str, name: str) -> bytes:
        """The content of an object of a lawful size, its id recomputed."""
        inflate = zlib.decompressobj()
        packed = read_small(self._git_dir / "objects" / name[:2] / name[2:], BLOB_LIMIT)
        header, _, content = inflate.decompress(packed, BLOB_LIMIT + _HEADER).partition(b"\0")
        whole = inflate.eof and header == f"{kind} {len(content)}".encode()
        if not whole or len(content) > BLOB_LIMIT or object_id(kind, content) != name:
            raise VerificationError(f"the {kind} {name} is not what its name says", "fetch the game again")
        return content
