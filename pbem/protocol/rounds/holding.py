"""Who holds which piece of whose secret, and what a holder gives when a seat has vanished.

Pieces stand in the contract. New keys of a dealer bring new pieces with their paper, new keys of a holder
the same pieces, sealed anew by the others with their consent.
"""

from __future__ import annotations

from pbem.errors import VerificationError
from pbem.protocol.papers import pieces
from pbem.protocol.papers.bodies import Given
from pbem.protocol.papers.body_checks import pack_box, unpack_box
from pbem.protocol.papers.contract import Contract
from pbem.protocol.papers.pieces import Dealt
from pbem.protocol.rounds.breach import Culprit, PieceDenied, PieceFalse, PiecesKept
from pbem.protocol.rounds.sight import Sight
from pbem.protocol.rounds.state import State


def secrets_of(contract: Contract, state: State, seat: str) -> tuple[str, ...]:
    """The commitments to the secrets that a seat's play needs: the one in use, and the first, which the
    keys of shared decks come from."""
    first, now = contract.seats[seat].commitment, state.seats[seat].commitment
    return (first, now) if now else (first,)


def hold_of(contract: Contract, state: State, seat: str) -> str:
    """The point that pieces for a seat are sealed to."""
    return state.seats[seat].hold or contract.seats[seat].hold


def piece_name(of: str, hold: str) -> str:
    """Under which name a piece dealt since the contract is kept."""
    return f"{of[:32]} {hold[:32]}"


def piece_for(contract: Contract, state: State, seat: str, of: str, holder: str) -> Dealt | None:
    """The piece of a seat's secret that a holder can open; None if none was sealed to the key it has now."""
    kept = state.dealt.get(piece_name(of, hold_of(contract, state, holder)))
    if kept is None and of == contract.seats[seat].commitment and not state.seats[holder].hold:
        return contract.seats[seat].pieces.get(holder)
    return kept


def given_pieces(ledger: Sight, holder: str, gone: tuple[str, ...], answering: bytes) -> tuple[Given, ...]:
    """What a holder gives of the secrets of seats that have vanished."""
    contract, state = ledger.contract, ledger.state
    x = pieces.hold_scalar(answering, contract.invite.table, holder)
    found = []
    for seat in gone:
        for of in secrets_of(contract, state, seat):
            dealt = piece_for(contract, state, seat, of, holder)
            if dealt is None:
                continue
            piece = pieces.open_piece(contract.listed, of, holder, dealt, x)
            if piece is not None:
                found.append(Given(of, piece.hex()))
            else:
                shown = pieces.show_box(contract.listed, of, holder, dealt, x)
                found.append(Given(of, shown=pack_box(shown)))
    return tuple(found)


def check_given(
    contract: Contract, state: State, holder: str, gone: tuple[str, ...], given: tuple[Given, ...]
) -> dict[str, bytes]:
    """The good pieces that a holder gives, by the commitment to their secret; a false one is its breach."""
    asked = [(seat, of) for seat in gone for of in secrets_of(contract, state, seat)]
    boxes = {of: piece_for(contract, state, seat, of, holder) for seat, of in asked}
    if [one.of for one in given] != [of for _, of in asked if boxes[of] is not None]:
        raise Culprit(holder, PiecesKept())
    good, hold = {}, bytes.fromhex(hold_of(contract, state, holder))
    for one in given:
        dealt = boxes[one.of]
        assert dealt is not None
        if one.piece:
            piece = bytes.fromhex(one.piece)
            if pieces.piece_commitment(contract.listed, one.of, holder, piece) != dealt.commit:
                raise Culprit(holder, PieceFalse())
            good[one.of] = piece
            continue
        try:
            shown = unpack_box(one.shown)
            bad = pieces.box_is_bad(contract.listed, one.of, holder, dealt, hold, shown)
        except VerificationError:
            bad = False
        if not bad:
            raise Culprit(holder, PieceDenied())
    return good
