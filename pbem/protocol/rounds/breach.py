"""A breach of the protocol, where it is found."""

from __future__ import annotations


class Culprit(Exception):
    """Something signed that cannot be lawful: the line ends with a verdict against its author."""

    def __init__(self, seat: str, reason: str) -> None:
        super().__init__(reason)
        self.seat, self.reason = seat, reason
