"""A place in a game: how it stands after a round, and what an entry signed there counts for.

Nothing here changes anything. What does not answer what its seat is asked, is not legal there, or lists
what is not here, is nothing: its author still owes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from pbem.engine.machine import Machine
from pbem.engine.position import Position
from pbem.protocol.papers.bodies import ASIDE, IN_TURN, Late
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.entry import SEEN, Entry
from pbem.protocol.papers.invitation import WITNESS
from pbem.protocol.rounds import agreements
from pbem.protocol.rounds.carry_out import After, Before, Round, carry_out
from pbem.protocol.rounds.due import Due, due, present
from pbem.protocol.rounds.key_papers import in_use
from pbem.protocol.rounds.runner import Runner
from pbem.protocol.rounds.state import State, join, position_digest

Known = Mapping[str, Entry]
"""Entries by id."""
Tip = tuple[str, ...]
Earlier = Callable[[int], str]
"""position.toml after an earlier entry of the same line."""


class Place:
    """The game after a round."""

    def __init__(
        self,
        contract: Contract,
        machine: Machine,
        position: Position,
        state: State,
        text: str = "",
        runner: type[Runner] = Runner,
    ) -> None:
        self.contract = contract
        self.runner = runner
        """What carries the next round out."""
        self.machine = machine
        self.position = position
        self.state = state
        self.text = text or join(position, state)
        """position.toml as it stands."""

    @property
    def tip(self) -> Tip:
        """What entries after this round name."""
        return self.state.tip

    @cached_property
    def digest(self) -> str:
        """What entries call `pos`."""
        return position_digest(self.text)

    @cached_property
    def present(self) -> tuple[str, ...]:
        """The seats that are in."""
        return present(self.position, self.state)

    @cached_property
    def wanted(self) -> dict[str, Due]:
        """What every seat owes, those whose secret is open included."""
        return due(self.position, self.machine.waits_for(self.position), self.state)

    @cached_property
    def asked(self) -> dict[str, Due]:
        """What the game waits for here, by seat, in seat order."""
        return {seat: owed for seat, owed in self.wanted.items() if seat not in self.state.opened}

    def key(self, seat: str, lane: str = "decide") -> bytes:
        """The public key that signs for a seat, or for the witness, here."""
        if seat == WITNESS:
            return self.contract.invite.witness_key
        if lane == "decide":
            return bytes.fromhex(in_use(self.contract, self.state, seat))
        replaced = self.state.seats[seat].answer_key
        return bytes.fromhex(replaced) if replaced else self.contract.seats[seat].answer

    # --- what entries count for here

    def listed(self, entry: Entry, known: Known) -> list[Entry] | None:
        """What a decision takes in, each after what its author signed before it; None: not all is here."""
        found: dict[str, Entry] = {}
        for name in entry.head.seen:
            chain: list[Entry] = []
            while name not in found:
                one = known.get(name)
                if one is None or one.head.kind not in ASIDE or one.seat not in self.present:
                    return None
                chain.append(one)
                name = one.head.prev
                if name == self.state.seats[one.seat].spoken:
                    break
            found.update((one.id, one) for one in reversed(chain))
        return list(found.values()) if len(found) <= SEEN else None

    def answers(self, entry: Entry, known: Known) -> bool:
        """Whether an entry may be its seat's part of the round that follows."""
        owed, head = self.asked.get(entry.seat), entry.head
        if owed is None or head.kind not in IN_TURN or head.after != self.tip or head.pos != self.digest:
            return False
        listed = self.listed(entry, known)
        if listed is None:
            return False
        if head.kind == "note":
            return self._notes(entry, listed)
        if entry.key != self.key(entry.seat, head.lane):
            return False
        return head.kind == owed.kind or (owed.kind != "audit" and head.kind in ("resign", "complaint"))

    def _notes(self, entry: Entry, listed: list[Entry]) -> bool:
        """Whether a note may end the round: it lists an agreement, and its author is the first to decide."""
        if not agreements.may_agree(self.asked) or entry.seat != next(iter(self.asked)):
            return False
        offers = agreements.agreed(self.contract, self.position, self.state, listed)
        if not offers:
            return False
        fresh = agreements.new_key(self.contract, offers, entry.seat)
        return entry.key == (bytes.fromhex(fresh) if fresh else self.key(entry.seat))

    def calls(self, entry: Entry) -> tuple[str, ...] | None:
        """The seats that an entry calls late here, if it may; None if it is no such call."""
        if not isinstance(entry.body, Late) or entry.head.after != self.tip or entry.head.pos != self.digest:
            return None
        late, voters = entry.body.seats, self.voters(entry.body.seats)
        if entry.seat not in voters or entry.key != self.key(entry.seat):
            return None
        lawful = set(late) <= set(self.present) and set(late) & set(self.asked) and len(voters) > len(late)
        return late if lawful else None

    def voters(self, late: tuple[str, ...]) -> tuple[str, ...]:
        """All that must sign a call: those that are in and not named, and the witness."""
        witness = (WITNESS,) if self.contract.invite.witness else ()
        return tuple(seat for seat in (*self.present, *witness) if seat not in late)

    def go_on(self, members: tuple[Entry, ...], known: Known, earlier: Earlier) -> Step:
        """The place after a complete round."""
        listed: dict[str, Entry] = {}
        kind = members[0].head.kind
        for entry in members if kind != "late" else ():
            listed.update((one.id, one) for one in self.listed(entry, known) or ())
        by = kind if kind in ("note", "late") else "answers"
        before = Before(
            self.contract, self.machine, self.position, self.state, self.wanted, earlier, self.runner
        )
        after = carry_out(before, Round(by, members, tuple(listed.values())))
        done = after.runner
        return Step(after, Place(self.contract, self.machine, done.pos, done.state, runner=self.runner))


class Step:
    """A round that was carried out, and the place that it leads to."""

    __slots__ = ("after", "place")

    def __init__(self, after: After, place: Place) -> None:
        self.after = after
        self.place = place
