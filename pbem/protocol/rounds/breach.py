"""A breach of the protocol, where it is found."""

from __future__ import annotations

from pbem.engine.events import Event


class Culprit(Exception):
    """Something signed that cannot be lawful: the line ends with a verdict against its author."""

    def __init__(self, seat: str, reason: Event) -> None:
        super().__init__(seat, reason)
        self.seat, self.reason = seat, reason
