"""A seat that is out plays on in the open, so that no die and no deck has to wait for it.

Its secrets are public. Everybody works out from them what its machine would have answered, and
where it is asked, the first answer that its own view of the rules lists. Nothing of this is an entry.
"""

from __future__ import annotations

from pbem.engine.waits import AskSealed, Over
from pbem.errors import PbemError
from pbem.protocol.papers.bodies import Body
from pbem.protocol.rounds.breach import Culprit, SecretUseless
from pbem.protocol.rounds.due import Due, due
from pbem.protocol.rounds.in_turn import take_in_turn
from pbem.protocol.rounds.own_secrets import Secrets
from pbem.protocol.rounds.stretch import Stretch


def play_for(runner: Stretch) -> bool:
    """Take what seats that are out owe, if the position waits for nobody else; False if it still waits."""
    opened = runner.state.opened
    wait = runner.machine.waits_for(runner.pos)
    if not opened or isinstance(wait, Over):
        return False
    wanted = due(runner.pos, wait, runner.state)
    if not wanted or any(seat not in opened for seat in wanted):
        return False
    take_in_turn(runner, wanted, {seat: body_of(runner, owed) for seat, owed in wanted.items()}, {})
    return True


def body_of(runner: Stretch, owed: Due) -> Body:
    """What a seat that is out gives to a round."""
    seat, state = owed.seat, runner.state
    secret, box = bytes.fromhex(state.opened[seat]), bytes.fromhex(state.opened_boxes.get(seat, ""))
    former = tuple((bytes.fromhex(one), b"") for one in state.opened_former.get(seat, ()))
    secrets = Secrets(runner, seat, secret, box, former)
    try:
        if owed.lane == "answer":
            return secrets.answer(owed)
        assert owed.options is not None
        view = secrets.view(owed.options)
        move = next(iter(owed.options.list(view)))
        if owed.kind == "sealed":
            wait = runner.machine.waits_for(runner.pos)
            assert isinstance(wait, AskSealed)
            return secrets.sealed_choice(owed.options, move, wait.fills)
        return secrets.orders_of(move)
    except PbemError as error:
        raise Culprit(seat, SecretUseless()) from error
