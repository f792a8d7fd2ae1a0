"""Talking to a git host: which addresses are spoken to, and what its refusals mean.

Invariants: an address is checked here before git sees it, and git is told the same list of
protocols, so that no rewriting of addresses leads elsewhere. Only named refs are asked for, into
refs of our own choice. What a host says is printed as plain ASCII, without passwords.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from pbem.errors import BusyError, TransportError
from pbem.repository import Repository, plumbing
from pbem.repository.layout import check_id, shown
from pbem.repository.plumbing import PROTOCOLS, Output, complaint

_HELPER = re.compile(r"([A-Za-z0-9][A-Za-z0-9+.-]*)::")
_SCHEME = re.compile(r"([A-Za-z0-9][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
_SCP = re.compile(r"(?:([^/:@]*)@)?([^/:@]+|\[[^/\]]*\]):(.+)")
_PASSWORD = re.compile(r"://[^/@\s]*@")
_ALLOWED = f"give an address of {', '.join(PROTOCOLS)} or the folder of a bare repository"


class SentTooMuchOrBad(TransportError):
    """The host answered, and git refused what it sent."""


def check_address(remote: str) -> str:
    """The address as git may see it; refuses anything that could make git run a program."""
    if not remote or any(ord(c) < 32 or ord(c) == 127 for c in remote):
        raise TransportError(f"{shown(remote)} is not an address", _ALLOWED)
    if remote.startswith("-"):
        raise TransportError(f"the address {shown(remote)} looks like an option", _ALLOWED)
    helper = _HELPER.match(remote)
    if helper:
        raise TransportError(
            f"addresses of the kind {shown(helper[1] + '::')} are refused: they run programs", _ALLOWED
        )
    url = _SCHEME.fullmatch(remote)
    if url:
        if url[1] not in PROTOCOLS:
            raise TransportError(f"the protocol {shown(url[1])} is refused", _ALLOWED)
        place = unquote(url[2].split("/", 1)[0])
        _check_words(remote, place, place.rsplit("@", 1)[-1])
        return remote
    scp = _SCP.fullmatch(remote)
    if scp and not Path(remote).exists():
        _check_words(remote, scp[1] or "", scp[2], scp[3])
        return remote
    folder = Path(remote).expanduser().absolute()
    if not folder.is_dir():
        raise TransportError(f"there is no folder {shown(str(folder))}", _ALLOWED)
    return str(folder)


def _check_words(remote: str, *words: str) -> None:
    """A host, user or path that ssh would read as an option."""
    if any(word.startswith("-") for word in words):
        raise TransportError(f"the address {shown(remote)} hides an option", _ALLOWED)


def without_password(text: str) -> str:
    """Text to print, with the user part of addresses left out."""
    return _PASSWORD.sub("://", text)


def fetch(repo: Repository, url: str, refs: Mapping[str, str]) -> dict[str, str]:
    """Fetches remote ref -> own ref; returns remote ref -> commit for those that exist.

    The list comes first: left to itself, git would take refs/heads/refs/heads/x for a missing
    refs/heads/x. When nothing is new, it is also the only connection.
    """
    listed = repo.git.run("ls-remote", "--quiet", "--refs", "--", url, *refs, network=True)
    if listed.status != 0:
        raise explain(url, listed)
    rows = (line.partition("\t") for line in listed.out.decode("utf-8", "replace").splitlines())
    found = {ref: check_id(commit) for commit, _, ref in rows if ref in refs}
    here = {ref: repo.head(refs[ref]) for ref in refs}
    new = [ref for ref in found if found[ref] != here[ref]]
    if new:
        answer = _fetch(repo, url, [f"+{ref}:{refs[ref]}" for ref in new])
        if answer.status != 0:
            raise _flood(repo, url) or explain(url, answer)
    for ref in refs:
        if ref not in found and here[ref] is not None:
            with repo.lock():
                repo.git.must("update-ref", "--no-deref", "-d", refs[ref])
    heads = {ref: repo.head(refs[ref]) if ref in new else here[ref] for ref in found}
    return {ref: commit for ref, commit in heads.items() if commit is not None}


def _fetch(repo: Repository, url: str, wanted: Sequence[str]) -> Output:
    """git's own fetch. A lock on one of our refs that is still there the second time is a dead one's."""
    for is_first in (True, False):
        answer = repo.git.run(
            *("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"),
            *("--no-auto-gc", "--no-prune", "--no-write-commit-graph", "--refmap=", "--", url, *wanted),
            network=True,
        )
        if answer.status == 0 or not _LOCKED.search(answer.err):
            return answer
        if not is_first:
            for lock in (repo.git.git_dir / "refs/pbem").rglob("*.lock"):
                lock.unlink(missing_ok=True)
    return _fetch(repo, url, wanted)


_LOCKED = re.compile(r"Unable to create '[^']*\.lock': File exists")
_MOVED = re.compile(
    r"fetch first|non-fast-forward|failed to update ref|cannot lock ref|incorrect old value|"
    r"reference already exists|stale info|failed to lock"
)


def push(repo: Repository, url: str, commit: str, ref: str, instead: str | None = None) -> bool:
    """Pushes; False when the remote ref is somewhere that we do not continue, unless that is `instead`."""
    lease = (f"--force-with-lease={ref}:{instead}",) if instead is not None else ()
    answer = repo.git.run(
        *("push", "--porcelain", "--verbose", "--no-verify", "--no-signed", "--no-follow-tags"),
        *("--recurse-submodules=no", *lease, "--", url, f"{commit}:{ref}"),
        network=True,
    )
    rows = [line.split("\t", 2) for line in answer.out.decode("utf-8", "replace").splitlines()]
    for flag, refspec, said in (row for row in rows if len(row) == 3):
        there = refspec.partition(":")[2]
        if there != ref:
            raise TransportError(
                f"{name(url)} holds the ref {shown(there)}, which hides {ref}", "its owner should delete it"
            )
        if flag != "!":
            return True
        if _MOVED.search(said):
            return False
        raise _refusal(url, ref, said, answer.err)
    raise explain(url, answer)


def _refusal(url: str, ref: str, said: str, err: str) -> TransportError:
    """The host, or its hook, said no."""
    remarks = [line.removeprefix("remote:") for line in err.splitlines() if line.startswith("remote:")]
    words = " ".join(" ".join(remarks).split())
    hint = f"it said: {shown(words, 300)}" if words else "ask whoever keeps the repository"
    if "checked out" in said:
        hint = "push to a bare repository (git init --bare)"
    return TransportError(f"{name(url)} refused {ref}: {shown(said)}", hint)


def _flood(repo: Repository, url: str) -> TransportError | None:
    """Clears what a cut-off fetch left, and says whether it was cut off for its size."""
    left = list((repo.git.git_dir / "objects/pack").glob("tmp_*"))
    limit = plumbing.NETWORK_BYTES
    full = any(path.stat().st_size >= limit for path in left if path.exists())
    with suppress(BusyError), repo.lock():  # under the lock no import of ours is writing there
        for path in left:
            path.unlink(missing_ok=True)
    if not full:
        return None
    return SentTooMuchOrBad(
        f"{name(url)} sent more than {limit} bytes and was cut off",
        "a whole game is a few megabytes; nothing was kept",
    )


def name(url: str) -> str:
    """An address in a message."""
    return shown(without_password(url)).strip("'\"")


_CAUSES = (
    (r"dubious ownership",
     "it belongs to another user; if you trust it: git config --global --add safe.directory PATH"),
    (r"permission denied|authentication failed|could not read (username|password)|access denied|\b40[13]\b",
     "check your ssh key or credential helper: `git ls-remote` on this address must work by itself"),
    (r"host key verification failed", "connect once with ssh and compare the host's key"),
    (r"does not appear to be a git repo|not a git repo|not found|no such", "check the address"),
    (r"resolve host|unable to connect|connection|timed out|no answer within|unable to access",
     "try again later"),
    (r"transport '.*' not allowed", _ALLOWED),
    (r"matches more than one", "the host holds a branch named refs/heads/...; its owner should delete it"),
)  # fmt: skip
_BAD_CONTENT = re.compile(
    r"fsck error|index-pack|unpack-objects|bad object|invalid object|corrupt|"
    r"did not send all necessary objects",
    re.IGNORECASE,
)


def explain(url: str, answer: Output) -> TransportError:
    """Git's complaint about a remote, by cause."""
    said = without_password(answer.err)
    if _BAD_CONTENT.search(said):
        return SentTooMuchOrBad(
            f"git refused what {name(url)} sent: {complaint(said)}",
            "nothing of it was taken; ask who pushed it",
        )
    for pattern, hint in _CAUSES:
        if re.search(pattern, said, re.IGNORECASE):
            return TransportError(f"{name(url)}: {complaint(said)}", hint)
    return TransportError(f"{name(url)}: {complaint(said)}", "try `git ls-remote` on this address")
