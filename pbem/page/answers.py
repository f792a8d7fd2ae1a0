"""Refusals of the local page: a status by cause, what is wrong, and what to do next."""

from __future__ import annotations

from pbem.errors import (
    BusyError,
    NotYourTurnError,
    PbemError,
    RulesError,
    TransportError,
    UsageError,
)
from pbem.page.keeper import Locked

CAUSES: tuple[tuple[type[PbemError], int], ...] = (
    (Locked, 428),
    (NotYourTurnError, 409),
    (RulesError, 422),
    (BusyError, 423),
    (TransportError, 502),
    (UsageError, 400),
)


class Refused(Exception):
    """A request that is not answered."""

    def __init__(self, status: int, message: str, hint: str = "", rule: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.hint, self.rule = status, message, hint, rule


def refusal_of(error: PbemError) -> Refused:
    """What pbem refuses, as the page gets it."""
    status = next((code for kind, code in CAUSES if isinstance(error, kind)), 422)
    return Refused(status, error.message, error.hint or "", str(getattr(error, "rule", None) or ""))
