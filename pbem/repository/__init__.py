"""A game folder as a git repository: bytes and paths, nothing of rules or protocol.

`layout` says which paths may exist, `objects` what a commit is and which id follows from it,
`plumbing` how git is run, `loose` what can be read without it, `files` how plain files are written,
`store` puts them together.
"""

from pbem.repository.layout import BLOB_LIMIT, GAME, Layout, check_seat
from pbem.repository.objects import Commit, Ids, expected_ids
from pbem.repository.store import MAIN, Blob, Repository

__all__ = [
    "BLOB_LIMIT",
    "GAME",
    "MAIN",
    "Blob",
    "Commit",
    "Ids",
    "Layout",
    "Repository",
    "check_seat",
    "expected_ids",
]
