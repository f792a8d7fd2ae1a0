"""A game folder as a git repository, kept in plain Python: bytes and paths, nothing of rules or protocol.

`disk` is the one door to the machine. `layout` says which paths may exist, `objects` what a commit is and
which id follows from it. `database` reads and keeps objects, `packs` and `packing` read and write the files
they stand in; `refs`, `record` and `index` are the other files of a git directory, `files` the plain ones.
`walking` lists what a commit holds, `line` checks a whole line, `upkeep` heals and packs, `store` puts them
together. `git_dir` looks at what came from elsewhere, and `plumbing` runs git for what is its business:
fetching, pushing, packing.
"""

from pbem.repository.layout import BLOB_LIMIT, GAME, Layout, check_seat
from pbem.repository.objects import Commit, Ids, expected_ids
from pbem.repository.store import Repository
from pbem.repository.upkeep import MAIN
from pbem.repository.walking import Blob

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
