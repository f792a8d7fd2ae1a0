"""Flaws that the program once had, put back, so that a search that was not written for them can find them.

A flaw is put back by taking out every check that stops it today, one behind the other. Where a search found
it is kept as a course: the same numbers find it again, and find nothing in the program as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pbem.engine.orders import choose
from pbem.errors import VerificationError
from pbem.protocol.crypto import sealing
from pbem.protocol.log import consents
from pbem.protocol.log.audit import Auditor
from pbem.protocol.log.ledger import AHEAD, Ledger
from pbem.protocol.papers import times
from pbem.protocol.papers.entry import Entry, Unverified, verify
from pbem.protocol.rounds import runner
from tests.adversary.memory import forget
from tests.cheats.kit import CHEATS, Removed, never, nothing

BEYOND_THE_SEARCHES = {
    "one mail that stops the next": "one_mail_stops_the_next",
    "a folder that redirects a remote": "a_folder_sends_its_owner_elsewhere",
    "a mail that costs minutes": "a_small_mail_brings_a_hundred_megabytes",
}
"""Flaws of mailboxes and folders, which the searches do not have: each has a cheat."""
Course = tuple[str, int, int, int]
"""A game, how many seats, a seed, a number."""
ANY_YEAR = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
SHARED_KEY = sealing.shared_key
CHECK_FORM = sealing.check_form


@dataclass(frozen=True)
class Flaw:
    """What is taken out, and which search finds it where."""

    removed: tuple[Removed, ...]
    search: str
    course: Course


def of(cheat: str) -> tuple[Removed, ...]:
    """The checks that stop a cheat of the catalogue."""
    for path in sorted((Path(__file__).parent.parent / "cheats").glob("*.py")):
        import_module(f"tests.cheats.{path.stem}")
    return CHEATS[cheat].removed


@contextmanager
def without(removed: tuple[Removed, ...]) -> Iterator[None]:
    """The program without these checks, and without what it remembers of them."""
    with ExitStack() as stack:
        stack.callback(forget)
        for owner, name, substitute in removed:
            stack.enter_context(patch.object(owner, name, substitute))
        forget()
        yield


def _of_any_time(self: Ledger, told: Unverified) -> Entry:
    """As if it did not matter when an entry says it was signed."""
    head = told.head
    if head.game != self.contract.game.hex() or head.seq > self._last(head) + AHEAD:
        raise VerificationError("no entry of this game")
    return verify(told, self.keys() | self._former_key(told))


def _named_for_a_loss(self: Auditor, seat: str, what: str) -> None:
    """As if what only a lost secret can open were a breach."""
    self._blame(0, seat, what)


def _of_a_whole_box(private: Any, box: bytes, context: tuple[str, ...]) -> bytes:
    """As if only a box of the right form had a key that a complaint can disclose."""
    CHECK_FORM(box)
    return SHARED_KEY(private, box, context)


def _at_any_time(*args: Any, ahead: bool) -> Any:
    """As if a claim for the audit might be signed before its question."""
    return choose(*args, ahead=False)


FLAWS = {
    "a standing order for the very question": Flaw(
        of("the_asked_seat_foresees_by_a_standing_order"), "foresight", ("weather", 2, 1, 3)
    ),
    "a claim and a forfeit from the future": Flaw(
        of("a_claim_and_a_forfeit_come_from_the_future"), "harm", ("shared", 2, 31, 53)
    ),
    "an entry of another game": Flaw(
        of("an_entry_of_another_game_numbers_the_next_move"), "harm", ("own", 2, 5, 24)
    ),
    "a stacked deck called lawful": Flaw(((Auditor, "_gap", nothing),), "comfort", ("shared", 2, 1, 336)),
    "a move dated 1969 or 9999": Flaw(
        (
            (times, "_FORM", ANY_YEAR),
            (Ledger, "admit", _of_any_time),
            (Ledger, "_is_early", never),
            (Ledger, "_misdated", never),
        ),
        "harm",
        ("deeds", 2, 1, 37),
    ),
    "notes push a claim out of memory": Flaw(
        of("notes_push_a_claim_out_of_memory"), "harm", ("own", 2, 1, 0)
    ),
    "consents and a move of the old key cross": Flaw(
        ((consents, "go_back", never),), "harm", ("deeds", 3, 1, 19)
    ),
    "two signatures of the same bytes": Flaw(
        of("the_same_text_is_signed_twice"), "harm", ("weather", 3, 1, 150)
    ),
    "a secret before its time": Flaw(
        of("a_secret_is_published_before_an_answer"), "harm", ("thieves", 2, 1, 448)
    ),
    "a false complaint": Flaw(
        of("a_card_is_complained_of_with_a_key_that_opens_nothing"), "harm", ("thieves", 2, 1, 86)
    ),
    "a box of the wrong form": Flaw(
        (
            *of("a_box_is_handed_over_that_nobody_can_open_or_complain_of"),
            (sealing, "shared_key", _of_a_whole_box),
        ),
        "harm",
        ("thieves-by-hand", 2, 1, 14),
    ),
    "a lost key called a breach": Flaw(
        ((Auditor, "_gap", _named_for_a_loss),), "comfort", ("weather", 2, 1, 9)
    ),
    "an oath before the card came": Flaw(((runner, "choose", _at_any_time),), "comfort", ("own", 2, 1, 4)),
}
"""Each with the checks that stop it today, and where a search finds it without them."""
