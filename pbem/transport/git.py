"""Moves through any git host: each seat pushes one ref of its own, everyone reads all of them.

Invariants: a seat's outbox is refs/heads/pbem/outbox/<seat>: one commit per entry, one file per
entry, named by its id; its commits follow from the entries and their order alone. It is only ever added
to. The main line is derived, so whoever pushes it first pushes the same commits. A different one is never
merged: its entries are looked at like all others, and then it gives way to the line that all of them make.
What comes from a host is taken as objects, after paths, modes and
sizes have been checked; entries leave here as unverified bytes.

Who pushes into a bare folder runs that folder's own hooks, as git always does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from pbem.errors import PbemError, TransportError, VerificationError
from pbem.protocol.papers.entry import entry_id
from pbem.repository import MAIN, Commit, Layout, Repository, check_seat, expected_ids
from pbem.repository.layout import check_id, shown
from pbem.repository.objects import object_id
from pbem.toml import read_foreign
from pbem.transport.git_remote import SentTooMuchOrBad, check_address, fetch, name, push

ENTRY_LIMIT = 64 << 10
"""PROTOCOL: an entry has at most 64 KiB."""
_OUTBOX_LIMIT = 64 << 20
_TRIES = 5
_OUTBOX_REF = re.compile(r"refs/heads/pbem/outbox/(.+)", re.DOTALL)
_SUBJECT = re.compile(rb"[a-z0-9-]+: [a-z-]+ ([0-9a-f]{64})\n")
_THEIR_MAIN = "refs/pbem/main"
_NO_COMMIT = "0" * 40
_KIND = re.compile(r"[a-z-]{1,16}")

OUTBOX = Layout(
    "an outbox",
    re.compile(r"[0-9a-f]{2}/[0-9a-f]{62}\.toml"),
    re.compile(r"[0-9a-f]{2}"),
)


def outbox_ref(seat: str) -> str:
    """The ref at the remote that only this seat pushes."""
    return f"refs/heads/pbem/outbox/{check_seat(seat)}"


def _own_ref(seat: str) -> str:
    return f"refs/pbem/remote/{check_seat(seat)}"


def _taken_ref(seat: str) -> str:
    return f"refs/pbem/taken/{check_seat(seat)}"


def _entry_path(name: str) -> str:
    return f"{name[:2]}/{name[2:]}.toml"


def _entry_commit(seat: str, entry: bytes) -> Commit:
    """The commit that puts an entry into its author's outbox; its date is nobody's clock."""
    if len(entry) > ENTRY_LIMIT:
        raise VerificationError(f"an entry of {len(entry)} bytes", f"at most {ENTRY_LIMIT} are allowed")
    facts = read_foreign(entry, limit=ENTRY_LIMIT)
    kind, ident = str(facts.get("kind")), entry_id(entry)
    if facts.get("seat") != seat:
        raise VerificationError(f"an entry in the outbox of {seat} is not by {seat}")
    if not _KIND.fullmatch(kind):
        raise VerificationError(f"an entry of {seat} has no lawful kind")
    return Commit({_entry_path(ident): entry}, f"{seat}: {kind} {ident}\n", seat, 0)


def push_outbox(
    repo: Repository,
    remote: str,
    seat: str,
    entries: Sequence[bytes],
) -> int:
    """Adds to this seat's outbox what it does not hold yet; returns how many entries that was.

    What was seen of the outbox last is built on first. Another device of the same player, or somebody
    else, may have pushed since: then we look again.
    """
    url, ref, own = check_address(remote), outbox_ref(seat), _own_ref(seat)
    commits = [_entry_commit(seat, entry) for entry in entries]
    tip = repo.head(own)
    for _ in range(_TRIES):
        if tip is None:
            tip = fetch(repo, url, {ref: own}).get(ref)
        _check_outbox(repo, seat, url, tip)
        new: dict[str, Commit] = {}
        for commit, held in zip(commits, _blobs(repo, tip, commits), strict=True):
            ((path, entry),) = commit.files.items()
            if held != object_id("blob", entry):
                new[path] = commit
        if not new:
            return 0
        with repo.lock():
            end = repo.write([new[path] for path in sorted(new)], tip, OUTBOX)[-1]
        if push(repo, url, end, ref):
            repo.move_ref(own, end)
            note_taken(repo, {seat: end})
            return len(new)
        tip = None
    raise TransportError(f"the outbox of {seat} at {name(url)} keeps changing", "try again later")


def lacks(repo: Repository, seat: str, entries: Sequence[bytes]) -> list[bool]:
    """Which of a seat's own entries are not in its outbox, as far as that has been seen."""
    commits = [_entry_commit(seat, entry) for entry in entries]
    held = _blobs(repo, repo.head(_own_ref(seat)), commits)
    return [blob != object_id("blob", raw) for blob, raw in zip(held, entries, strict=True)]


def _blobs(repo: Repository, tip: str | None, commits: Sequence[Commit]) -> list[str | None]:
    """What an outbox holds under the path of each commit."""
    if tip is None:
        return [None] * len(commits)
    return repo.objects.find(tip, [path for commit in commits for path in commit.files])


def taken(repo: Repository, seats: Sequence[str]) -> dict[str, str]:
    """How far each outbox has been taken in here."""
    found = {seat: repo.head(_taken_ref(seat)) for seat in seats}
    return {seat: commit for seat, commit in found.items() if commit is not None}


def note_taken(repo: Repository, tips: Mapping[str, str]) -> None:
    """Everything in these outboxes, up to these commits, has been taken in."""
    known = taken(repo, list(tips))
    for seat, commit in tips.items():
        if known.get(seat) != commit:
            repo.move_ref(_taken_ref(seat), commit)


def _check_outbox(repo: Repository, seat: str, url: str, tip: str | None) -> None:
    """An outbox that somebody else may have pushed is looked at before anything is added to it."""
    if tip is not None and taken(repo, [seat]).get(seat) != tip:
        _held(repo, seat, url, tip)


def _held(repo: Repository, seat: str, url: str, tip: str, since: str | None = None) -> list[str]:
    """The entries of an outbox that was fetched, as blobs by path; only those that were added since."""
    try:
        found = repo.tree(tip, OUTBOX, since)
        for path, blob in found.items():
            if blob.size > ENTRY_LIMIT:
                raise VerificationError(f"{path} has {blob.size} bytes and was not read")
        if sum(blob.size for blob in found.values()) > _OUTBOX_LIMIT:
            raise VerificationError(f"it holds more than {_OUTBOX_LIMIT} bytes and was not read")
    except VerificationError as error:
        raise TransportError(
            f"the outbox of {seat} at {name(url)} is refused: {error.message}",
            "nothing of it was taken; the host's owner can delete that branch and its seat push again",
        ) from error
    return [found[path].id for path in sorted(found)]


def fetch_outboxes(
    repo: Repository,
    remote: str,
    seats: Sequence[str],
    since: Mapping[str, str],
    refused: Callable[[str, PbemError], None],
) -> list[tuple[str, str, list[bytes]]]:
    """For each outbox that is there and in order: the seat, its last commit, its entries after `since`.

    Entries are unverified, in no order. One seat's bad outbox is told to `refused` and
    does not keep the others' entries from us.
    """
    url = check_address(remote)
    refs = {outbox_ref(seat): _own_ref(seat) for seat in seats}
    try:
        tips = fetch(repo, url, refs)
    except SentTooMuchOrBad:
        tips = {}
        for seat in seats:
            try:
                tips |= fetch(repo, url, {outbox_ref(seat): _own_ref(seat)})
            except SentTooMuchOrBad as error:
                refused(seat, error)
    found: list[tuple[str, str, list[bytes]]] = []
    for seat in seats:
        tip, last = tips.get(outbox_ref(seat)), since.get(seat)
        if tip is None:
            continue
        try:
            blobs = _held(repo, seat, url, tip, last) if tip != last else []
            found.append((seat, tip, repo.blobs(blobs)))
        except PbemError as error:
            refused(seat, error)
    return found


class OtherLine(TransportError):
    """The main line of a host is another than ours."""

    def __init__(self, message: str, hint: str, tip: str) -> None:
        super().__init__(message, hint)
        self.tip = tip
        """The last commit there, which is here now, too."""


def moves_of(repo: Repository, tip: str) -> list[bytes]:
    """The entries of a host's main line that ours lacks, unverified, in their order there."""
    ours = repo.tree(repo.head() or "")
    theirs = {path: blob for path, blob in repo.tree(tip).items() if path.startswith("moves/")}
    new = [theirs[path] for path in sorted(theirs) if ours.get(path) != theirs[path]]
    if max((blob.size for blob in new), default=0) > ENTRY_LIMIT:
        raise VerificationError(f"it holds an entry of more than {ENTRY_LIMIT} bytes")
    return repo.blobs([blob.id for blob in new])


def push_main(repo: Repository, remote: str, instead: str | None = None) -> str | None:
    """Pushes the main line; content with a remote that has more of it, whose last commit is returned.

    Another line there is an error, unless it is the one (`instead`) whose entries have been looked at: what
    it has beyond those follows from nothing, so ours takes its place.
    """
    url, head = check_address(remote), repo.head()
    if head is None or push(repo, url, head, MAIN):
        return None
    fetch(repo, url, {MAIN: _THEIR_MAIN})
    try:
        theirs = repo.history(_THEIR_MAIN)
    except VerificationError as error:
        raise TransportError(f"main at {name(url)} is not a game: {error.message}", error.hint) from error
    ours = repo.history()
    if theirs == ours:
        return None
    if theirs[: len(ours)] == ours and theirs[-1] != instead:
        return theirs[-1]
    if ours[: len(theirs)] == theirs:
        raise TransportError(f"main at {name(url)} keeps changing", "try again later")
    if instead is not None and push(repo, url, head, MAIN, instead):
        return None
    at = next(n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b)
    raise OtherLine(
        f"main at {name(url)} differs from commit {at + 1} on: {ours[at][:12]} here, {theirs[at][:12]} there",
        "run `pbem verify` on both: the line that verifies is the game",
        theirs[-1],
    )


def check_incoming(
    repo: Repository,
    lines: Iterable[str],
    verify: Callable[[bytes], None],
    verify_main: Callable[[str], int],
    *,
    seats: Collection[str] | None = None,
) -> None:
    """A server's pre-receive hook: raises unless every ref, path, size and new entry is in order.

    `repo` is `Repository.hosted`, which sees the objects that git holds in quarantine until the
    hook agrees. `verify` raises on an entry that does not verify, `verify_main` on a main line that does
    not, and tells how many entries one has that does.
    """
    for line in lines:
        words = line.rstrip("\n").split(" ", 2)
        if len(words) != 3:
            raise VerificationError(f"{shown(line)} is not a line for a pre-receive hook")
        old, new, ref = check_id(words[0]), check_id(words[1]), words[2]
        outbox = _OUTBOX_REF.fullmatch(ref)
        if ref != MAIN and not outbox:
            raise VerificationError(
                f"the ref {shown(ref)} is refused", f"push {MAIN} or your refs/heads/pbem/outbox/<seat>"
            )
        if outbox and (check_seat(outbox[1]) not in (seats if seats is not None else [outbox[1]])):
            raise VerificationError(f"{outbox[1]} has no seat in this game")
        if new == _NO_COMMIT:
            raise VerificationError(f"{ref} cannot be deleted", "the lines of a game only grow")
        repo.commit_bytes([new])
        history = repo.history(new)
        is_longer = old == _NO_COMMIT or old in history
        if not outbox:
            _check_main(old if not is_longer else None, new, verify_main)
            continue
        if not is_longer:
            raise VerificationError(f"{ref} would be rewritten", "fetch first; the lines of a game only grow")
        known = history.index(old) + 1 if old != _NO_COMMIT else 0
        for entry in repo.blobs(_fresh_outbox(repo, outbox[1], history, known)):
            verify(entry)


def _check_main(instead_of: str | None, new: str, verify_main: Callable[[str], int]) -> None:
    """A main line verifies as a whole, and takes the place of another only if that does not or is shorter."""
    entries = verify_main(new)
    if instead_of is None:
        return
    try:
        before = verify_main(instead_of)
    except VerificationError:
        return  # somebody pushed what is no game: any player puts it right
    if before > entries:
        raise VerificationError(
            f"{MAIN} would be rewritten by a shorter line", "fetch first; the lines of a game only grow"
        )


def _fresh_outbox(repo: Repository, seat: str, history: list[str], known: int) -> list[str]:
    """Blobs of the new entries; the commits must be those that follow from the entries alone."""
    tree = repo.tree(history[-1], OUTBOX)
    blobs = []
    for commit_id, commit in zip(history, repo.commit_bytes(history), strict=True):
        subject = _SUBJECT.fullmatch(commit.partition(b"\n\n")[2])
        path = _entry_path(subject[1].decode()) if subject else ""
        if path not in tree or tree[path].size > ENTRY_LIMIT:
            raise VerificationError(f"commit {commit_id[:12]} does not add one entry of lawful size")
        blobs.append(tree[path].id)
    commits = [_entry_commit(seat, entry) for entry in repo.blobs(blobs)]
    if expected_ids(commits, OUTBOX) != tuple(history) or len(tree) != len(history):
        raise VerificationError(f"the outbox of {seat} holds commits that its entries do not make")
    return blobs[known:]
