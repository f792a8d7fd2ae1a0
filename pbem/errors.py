"""Errors by cause, carrying the facts; the text a user reads is made at the edge (pbem/cli).

Every refusal is a `PbemError`. Its class says the cause and so the exit code; `message` says what
and where, lower case and without a full stop; `hint` says what to do next.
"""

from __future__ import annotations

import errno


class PbemError(Exception):
    """Base of everything pbem refuses on purpose. Anything else that escapes is a bug."""

    exit_code = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(PbemError):
    """The command, its options or a local file are not what they should be."""

    exit_code = 2


class VerificationError(PbemError):
    """Bytes, a signature, a link, an opening or a position does not verify."""

    exit_code = 1


class MalformedError(VerificationError):
    """Foreign bytes that are not even well formed; `where` is a line or a path within them."""

    def __init__(self, message: str, hint: str | None = None, *, where: str | None = None) -> None:
        super().__init__(message if where is None else f"{message} ({where})", hint)
        self.where = where


class RulesError(PbemError):
    """An order that the rulebook does not allow now, by `rule`; `also` are other rules that say the same."""

    exit_code = 3

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        rule: str | None = None,
        also: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, hint)
        self.rule, self.also = rule, also


class NotYourTurnError(PbemError):
    """Nothing is asked of this seat at present."""

    exit_code = 4


class TransportError(PbemError):
    """Mail or a git remote could not be reached, or answered no."""

    exit_code = 5


class PartlySentError(TransportError):
    """A mail server took a message, but not for all: sent again, it would come to the others once more."""


class DiskError(PbemError):
    """The disk is full or read-only, a quota is used up, or a file is not ours to read or write."""

    exit_code = 7


_DISK = {
    errno.ENOSPC: ("the disk is full", "make room"),
    errno.EDQUOT: ("your quota of the disk is used up", "make room"),
    errno.EROFS: ("the disk is read-only", "make it writable, or copy the folder to one that is"),
    errno.EACCES: ("you have no permission", "make the file and its folder yours to read and write"),
    errno.EPERM: ("you have no permission", "make the file and its folder yours to read and write"),
    errno.EIO: ("the disk does not answer as it should", "look after the disk"),
}


def disk_error(error: OSError) -> DiskError | None:
    """What the system says of the disk, in words; None if it is something else."""
    if error.errno not in _DISK:
        return None
    what, mend = _DISK[error.errno]
    where = f": {error.filename}" if error.filename else ""
    hint = f"{mend}, then run it again: nothing was written by halves, and what was signed is kept"
    return DiskError(f"{what}{where}", hint)


class BusyError(PbemError):
    """Another pbem holds the lock of this game, or the branch moved meanwhile."""

    exit_code = 6
