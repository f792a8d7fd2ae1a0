"""Links and chains, from `pbem help protocol` alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.second_contract import Bad, Contract
from tests.second_signatures import H, K

MOST = 16
"""So many links are passed over at most, and kept for it at the end of a chain."""


@dataclass(frozen=True)
class Shown:
    """A link in an entry, and whether the entry answers its round."""

    link: str
    tip: str
    answers: bool


def lawful_steps(
    contract: Contract,
    seat: str,
    was: Mapping[str, Any],
    now: Mapping[str, Any],
    shown: Sequence[Shown],
    passes: Sequence[tuple[int, int, int]],
    must: bool,
) -> bool:
    """Whether links lead from one state of a chain to another, in one of the ways to pass links over.

    In a round with an effect every answer's link must follow.
    """
    return any(_leads(contract, seat, dict(was), now, shown, one, must) for one in passes)


def _leads(
    contract: Contract,
    seat: str,
    state: dict[str, Any],
    now: Mapping[str, Any],
    shown: Sequence[Shown],
    passes: tuple[int, int, int],
    must: bool,
) -> bool:
    first, after, then = passes
    for one in (one for one in shown if not one.answers):
        _step(contract, seat, state, one)  # used up, if it follows
    state["skip"] = min(state["skip"] + first, MOST)
    for one in (one for one in shown if one.answers):
        if not _step(contract, seat, state, one) and must and not first:
            return False
    state["skip"] = min(state["skip"] + after, MOST)
    state["then"] = min(state["then"] + then, MOST)
    return all(state[name] == now[name] for name in ("link", "links", "skip", "then", "chain"))


def _step(contract: Contract, seat: str, state: dict[str, Any], one: Shown) -> bool:
    value = bytes.fromhex(one.link)
    for _ in range(state["skip"] + 1):
        value = H("chain", contract.listed, seat, value)
    if value.hex() != state["link"]:
        return False
    number = state["links"] + state["skip"] + 1
    if bool(one.tip) != (number >= contract.invite.get("chain", 4096) - MOST):
        return False
    if one.tip:
        state |= {"link": one.tip, "links": 0, "chain": state["chain"] + 1}
    else:
        state |= {"link": one.link, "links": number}
    state |= {"skip": state["then"], "then": 0}
    return True


def check_opened(contract: Contract, round_: Any, seat: str) -> None:
    """The links of a seat that plays in the open follow from its secret."""
    state, secret = round_.after["seats"][seat], bytes.fromhex(round_.after["opened"][seat])
    if state["chain"]:
        secret = K(secret, "further chain", contract.listed, state["chain"])
    value = K(secret, "chain", contract.listed)
    for _ in range(contract.invite.get("chain", 4096) - state["links"]):
        value = H("chain", contract.listed, seat, value)
    if value.hex() != state["link"]:
        raise Bad(round_.number, f"the link of {seat} does not come from its secret")
