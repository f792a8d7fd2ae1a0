"""The line of a game against what its entries make: every commit, tree and blob, not only the last.

Invariants: an id says nothing until the bytes behind it are read, so each object is read and its id
recomputed; nothing that would make git itself show another game (a replaced object, a graft) passes.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from pbem.errors import PbemError, VerificationError
from pbem.repository.objects import Commit, Ids
from pbem.repository.store import Repository


class WrongLine(VerificationError):
    """The commits are not those of the entries; `number` is the first entry that is concerned."""

    def __init__(self, number: int, message: str, hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.number = number


def check_line(repo: Repository, commits: Iterable[Commit], head: str | None = None) -> None:
    """Refuses a line that is not, object for object, the one that these commits make.

    It ends with `head`, or else where the main line ends.
    """
    _check_disguises(repo)
    ids, expected = Ids(), []
    makers: dict[str, dict[str, int]] = {"commit": {}, "tree": {}, "blob": {}}
    for number, commit in enumerate(commits):
        expected.append(ids.add(commit))
        for made in ids.made:
            makers[made.kind].setdefault(made.id, number)
    end = head or repo.head()
    if end != expected[-1]:
        _name_difference(repo, expected, end)
    for kind, wanted in makers.items():
        _check_objects(repo, kind, wanted)


def _check_disguises(repo: Repository) -> None:
    """Verification goes by the objects themselves; whoever looks with git must see the same ones."""
    if repo.refs.is_any("refs/replace"):
        raise WrongLine(
            0,
            "an object is replaced (refs/replace): git itself would show another game",
            "look at it with: git replace -l; remove it with: git replace -d",
        )
    if repo.has_grafts():
        raise WrongLine(
            0,
            "a graft (.git/info/grafts) hides commits: git itself would show another game",
            "remove .git/info/grafts",
        )


def _name_difference(repo: Repository, expected: list[str], end: str | None) -> None:
    found: list[str] = []
    with suppress(PbemError):  # a line that cannot be followed differs, too
        found = repo.history(end) if end else []
    for number, (want, have) in enumerate(zip(expected, found, strict=False)):
        if want != have:
            raise WrongLine(number, f"the commit of entry {number} is not the one that the entries make")
    raise WrongLine(min(len(expected), len(found)), "there are more commits than entries, or fewer")


def _check_objects(repo: Repository, kind: str, wanted: dict[str, int]) -> None:
    """Reads every copy of each object: git may look at another one than we do."""
    for name, number in wanted.items():
        try:
            repo.objects.check_copies(kind, name)
        except PbemError:
            raise WrongLine(
                number,
                f"the {kind} {name[:12]} of entry {number} is missing in .git, or is not what its id says",
                "fetch the game again",
            ) from None
