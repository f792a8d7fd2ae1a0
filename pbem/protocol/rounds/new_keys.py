"""A lost or stolen key: by consent of all others a seat goes on with new keys and a new chain.

The seat writes a paper, signed with the key that is replaced or with the spare key of its acceptance;
every other seat signs a `rekey` entry with that same paper. So nobody is given new keys who did not ask
for them, whatever all others agree on, and a thief of the old key alone gains nothing.
If the game waits for that very seat, the consents of all others end the round; else they count when they
are seen. Entries of the old key that are not in the log by then never will be. What
the old secret sealed only the old secret opens; a new chain and new seals come from the new one.
A die that was waited for is thrown anew, and every other seat passes over the link it may have shown
for it: else the new chain could be fitted to links that are known.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.errors import PbemError
from pbem.protocol.crypto.keys import (
    parse_public_line,
)
from pbem.protocol.papers import pieces
from pbem.protocol.papers.paper import read_paper
from pbem.protocol.papers.pieces import Dealt
from pbem.protocol.rounds import events
from pbem.protocol.rounds.holding import hold_of, piece_for, piece_name
from pbem.protocol.rounds.key_papers import NewKeys, in_use, read_new_keys, signed_with
from pbem.protocol.rounds.state import RESERVE
from pbem.protocol.rounds.stretch import Stretch

PASSED = 4
"""So many links are passed over: a line that goes back to the consents may have shown several."""


def pass_over_links(runner: Stretch, seats: Iterable[str]) -> None:
    """The round is asked anew: links that these seats may have shown for it are used up."""
    for seat in seats:
        mine = runner.state.seats[seat]
        runner.state.change(seat, skip=min(mine.skip + PASSED, RESERVE))


def take_rekey(runner: Stretch, seat: str, text: str, piece: Dealt | None) -> None:
    """One seat's consent; with the last one, the new keys count."""
    try:
        told = read_new_keys(runner.contract, text)
    except PbemError as error:
        runner.say(events.PaperRefused(seat, aside=error.message))
        return
    state = runner.state
    replaced = told.old != in_use(runner.contract, state, told.seat)
    if told.seat == seat or told.seat in state.opened or replaced:
        runner.say(events.ConsentVain(seat, told.seat))
        return
    if runner.contract.invite.threshold and not _keep_piece(runner, seat, told, piece):
        runner.say(events.ConsentWithoutPiece(seat, told.seat))
        return
    state.rekeys[seat] = text
    runner.say(events.Consented(seat, told.seat))
    others = [s for s in runner.pos.seats if s != told.seat and s not in state.opened]
    if any(state.rekeys.get(s) != text for s in others):
        return
    mine = state.seats[told.seat]
    known = mine.commitment or runner.contract.seats[told.seat].commitment
    state.rekeys.clear()
    runner.progress = True
    runner.committed()  # the new chain is fixed now: no link that is already out may meet one of it
    state.change(
        told.seat,
        key=parse_public_line(told.key).hex(),
        answer_key=told.answer,
        box=told.box,
        link=told.tip,
        links=0,
        skip=0,
        chain=0,
        commitment=told.commitment,
        former=(*mine.former, known),
        hold=told.hold,
        seed=told.seed,
    )
    for holder, dealt in told.pieces.items():
        name = piece_name(told.commitment, hold_of(runner.contract, state, holder))
        state.dealt[name] = dealt
    by = signed_with(runner.contract, told, read_paper(text.encode()))
    runner.say(events.KeysReplaced(told.seat, by))


def _keep_piece(runner: Stretch, seat: str, told: NewKeys, piece: Dealt | None) -> bool:
    """The same piece as before, for the new key; False if it is missing or another one."""
    contract, state = runner.contract, runner.state
    of = state.seats[seat].commitment or contract.seats[seat].commitment
    before = piece_for(contract, state, seat, of, told.seat)
    try:
        if piece is not None:
            pieces.check_dealt(piece)
    except PbemError:
        return False
    if piece is None or (before is not None and before.commit != piece.commit):
        return False
    state.dealt[piece_name(of, told.hold)] = piece
    return True
