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


def check_line(repo: Repository, commits: Iterable[Commit]) -> None:
    """Refuses a repository that is not, object for object, the line that these commits make."""
    _check_disguises(repo)
    ids, expected = Ids(), []
    makers: dict[str, dict[str, int]] = {"commit": {}, "tree": {}, "blob": {}}
    for number, commit in enumerate(commits):
        expected.append(ids.add(commit))
        for kind, made in ids.made:
            makers[kind].setdefault(made, number)
    if repo.head() != expected[-1]:
        _name_difference(repo, expected)
    for kind, wanted in makers.items():
        _check_objects(repo, kind, wanted)


def _check_disguises(repo: Repository) -> None:
    """Verification goes by the objects themselves; whoever looks with git must see the same ones."""
    git_dir = repo.git.git_dir
    listed = repo.git.must("for-each-ref", "--count=1", "--format=%(refname)", "refs/replace/").decode()
    grafts = git_dir / "info/grafts"
    if listed.strip():
        raise WrongLine(
            0,
            "an object is replaced (refs/replace): git itself would show another game",
            "look at it with: git replace -l; remove it with: git replace -d",
        )
    if grafts.exists() and grafts.stat().st_size:
        raise WrongLine(
            0,
            "a graft (.git/info/grafts) hides commits: git itself would show another game",
            "remove .git/info/grafts",
        )


def _name_difference(repo: Repository, expected: list[str]) -> None:
    found: list[str] = []
    with suppress(PbemError):  # a line that git cannot follow differs, too
        found = repo.history()
    for number, (want, have) in enumerate(zip(expected, found, strict=False)):
        if want != have:
            raise WrongLine(number, f"the commit of entry {number} is not the one that the entries make")
    raise WrongLine(min(len(expected), len(found)), "there are more commits than entries, or fewer")


def _check_objects(repo: Repository, kind: str, wanted: dict[str, int]) -> None:
    """Reads each object; its id is recomputed from its bytes."""
    names = list(wanted)
    done = 0
    try:
        for _ in repo.git.as_git_has_it(kind, names):
            done += 1
    except PbemError:
        name = names[done]
        raise WrongLine(
            wanted[name],
            f"the {kind} {name[:12]} of entry {wanted[name]} is missing in .git, or is not what its id says",
            "fetch the game again",
        ) from None
