"""Whole games of suikoden: what is hidden stays hidden, claims are checked, bots win, tables agree."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.suikoden.rules import SUIKODEN
from pbem.engine.croupier import Croupier, random_player
from pbem.engine.machine import Machine
from pbem.engine.notation import Handle
from pbem.engine.options import View
from pbem.engine.waits import Ask, AskSealed, Chance, Shuffle
from pbem.playtest.local import Start, begin, is_over
from pbem.protocol.papers.bodies import Draw
from pbem.protocol.rounds.own_secrets import Secrets
from tests.scenes import agree, call_late, verified
from tests.table import Player, give, players, same_everywhere, settle

PACK = SUIKODEN.load_pack()
USUAL = {name: values[0] for name, values in SUIKODEN.options(PACK).items()}
MODES = [("deck-building", 2), ("shared-deck", 2), ("multiplayer", 4)]
every_mode = pytest.mark.parametrize(("scenario", "seats"), MODES)


class Recorded(Croupier):
    """A croupier that deals as it is told, or remembers how it dealt."""

    def __init__(self, machine: Machine, rng: random.Random, told: list[Any] | None = None) -> None:
        super().__init__(machine, rng)
        self.told, self.made = told, []
        self.moved: dict[Handle, str] = {}

    def numbers(self, wait: Chance) -> tuple[int, ...]:
        found = super().numbers(wait) if self.told is None else self.told[len(self.made)]
        self.made.append(found)
        return tuple(found)

    def order(self, wait: Shuffle, size: int) -> Any:
        found = super().order(wait, size) if self.told is None else self.told[len(self.made)]
        self.made.append(found)
        return found


def opening(machine: Machine, croupier: Croupier, scenario: str, seats: int) -> Any:
    return begin(croupier, Start(scenario, USUAL, SUIKODEN.seat_names(PACK, scenario, seats)))


@every_mode
@pytest.mark.parametrize("seed", range(2))
def test_games_that_differ_in_unplayed_cards_look_the_same(scenario: str, seats: int, seed: int) -> None:
    """The same decisions by slot, other cards in every slot that stayed closed: the same public positions.

    Cards handed over unseen and cards returned to the deck unseen are among them.
    """
    machine = Machine(SUIKODEN, PACK)
    first = Recorded(machine, random.Random(seed))
    pos = opening(machine, first, scenario, seats)
    rng = random.Random(seed)
    decided, texts = [], [pos.text()]
    for _ in range(120):
        if is_over(machine, pos):
            break
        wait = machine.waits_for(pos)
        asked = (wait.options,) if isinstance(wait, Ask) else wait.options  # type: ignore[union-attr]
        moves = {o.seat: o.sample(rng, first.view(pos, o.seat, o)) for o in asked}
        decided.append(moves)
        sealed = isinstance(wait, AskSealed)
        result = first.seal(pos, wait, moves) if sealed else first.decide(pos, *[*moves.values()], *moves)  # type: ignore[arg-type]
        pos = result.position
        texts.append(pos.text())
    closed = [h for h in pos.hidden if h in first.truth and first.truth[h] in PACK.people]
    assert len(closed) > 20
    kept = first.truth.copy()
    other = Recorded(machine, random.Random(seed), first.made)
    swapped = dict(zip(closed, rng.sample(closed, len(closed)), strict=True))

    class Swapped(dict[Handle, str]):
        """The truth, but for the slots that nobody opened."""

        def __getitem__(self, handle: Handle) -> str:
            return kept[swapped[handle]] if handle in swapped else super().__getitem__(handle)

    other.truth = Swapped()
    again = opening(machine, other, scenario, seats)
    assert again.text() == texts[0]
    for moves, text in zip(decided, texts[1:], strict=True):
        wait = machine.waits_for(again)
        sealed = isinstance(wait, AskSealed)
        result = other.seal(again, wait, moves) if sealed else other.decide(again, *[*moves.values()], *moves)  # type: ignore[arg-type]
        again = result.position
        assert again.text() == text


def test_claims_are_checked_against_the_truth() -> None:
    pos = SUIKODEN.blank(PACK, USUAL, ("east", "south"))
    claims = SUIKODEN.claims
    cheap = [p.id for p in PACK.people.values() if p.cheap][:10]
    dear = [p.id for p in PACK.people.values() if not p.cheap][:30]
    truth = {Handle(f"h{n}"): card for n, card in enumerate(cheap + dear)}
    lands = {Handle(f"l{n}"): land for n, land in enumerate(["fort-3", "fort-3", "town-3", "fort-1"])}
    whole = truth | lands
    assert claims["a lawful deck"](pos, whole, people=list(truth), lands=list(lands))
    assert not claims["a lawful deck"](pos, whole, people=list(truth)[1:], lands=list(lands))
    assert not claims["a lawful deck"](pos, whole, people=list(truth), lands=list(lands)[1:])
    assert claims["fewer than ten cheap people"](pos, whole, half=list(truth)[1:])
    assert not claims["fewer than ten cheap people"](pos, whole, half=list(truth))
    assert claims["nobody in hand"](pos, whole, hand=list(lands))
    assert not claims["nobody in hand"](pos, whole, hand=["h0"])
    assert not claims["nobody in hand"](pos, whole, hand=["suochao"])
    seal = Handle("s1.east.0")
    assert claims["a person"](pos, whole | {seal: "h0"}, slot=seal)
    assert claims["a person"](pos, whole | {seal: "suochao"}, slot=seal)
    assert not claims["a person"](pos, whole | {seal: "l0"}, slot=seal)


@pytest.mark.parametrize(
    ("scenario", "seats"), [("deck-building", 2), ("shared-deck", 2), ("multiplayer", 2)]
)
def test_the_bot_beats_random_play(scenario: str, seats: int) -> None:
    """95 of 100 by `pbem arena --against random`; here a few."""
    machine, won = Machine(SUIKODEN, PACK), 0
    for number in range(6):
        croupier = Croupier(machine, random.Random(f"{scenario} {number}"))
        pos = opening(machine, croupier, scenario, seats)
        mine = pos.seats[number % 2]
        seated = {seat: random_player(random.Random(number)) for seat in pos.seats}
        seated[mine] = SUIKODEN.bot(mine, number)
        while not is_over(machine, pos):
            pos = croupier.play(pos, seated).position
        won += pos.outcome is not None and pos.outcome.winners == (mine,)
    assert won >= 5


def test_a_routine_answer_is_always_legal() -> None:
    """`auto` plays it without a person."""
    machine = Machine(SUIKODEN, PACK)
    advised = 0
    for scenario, seats in MODES:
        croupier = Croupier(machine, random.Random(5))
        pos, rng = opening(machine, croupier, scenario, seats), random.Random(5)
        players_ = {seat: random_player(rng) for seat in pos.seats}
        for _ in range(150):
            if is_over(machine, pos):
                break
            wait = machine.waits_for(pos)
            if isinstance(wait, Ask):
                move = SUIKODEN.advice(pos, wait.options)
                if move is not None:
                    advised += 1
                    assert wait.options.contains(move, View(wait.options.seat)), move
            pos = croupier.play(pos, players_).position
    assert advised > 20


# --- over the protocol


def played(table: dict[str, Player], rng: random.Random, decisions: int) -> None:
    """Random decisions, everything delivered at once."""
    settle(table)
    for _ in range(decisions):
        raw = next((r for p in table.values() if (r := p.decide(rng)) is not None), None)
        if raw is None:
            return
        give(table, raw)
        settle(table)


@every_mode
def test_every_machine_holds_the_same_game(scenario: str, seats: int) -> None:
    table = players(seats, scenario=scenario, rules=SUIKODEN)
    played(table, random.Random(1), 25)
    one = same_everywhere(table)
    assert one.ledger.state.number > 20


def test_a_seat_that_resigns_stops_nobody() -> None:
    """Six players; one leaves at some moment, and its seat plays the plainest answer in the open."""
    table = players(6, scenario="multiplayer", rules=SUIKODEN)
    rng = random.Random(2)
    played(table, rng, 8)
    while table["west"].owed() is None:
        played(table, rng, 1)
    leaver = table.pop("west")
    raw = leaver.entry("resign", leaver.secrets.resign())
    give(table, raw)
    before = next(iter(table.values())).ledger.position.turn
    played(table, rng, 60)
    one = same_everywhere(table)
    assert one.ledger.position.turn > before + 6, "nobody waits for the seat that left"


def test_a_seat_that_vanishes_from_a_game_of_six_stops_nothing_and_shows_only_its_own() -> None:
    """Sixty decisions more without it, verified and audited; its hand is open from one place on."""
    rng = random.Random(20)
    table = players(6, scenario="multiplayer", rules=SUIKODEN)
    played(table, rng, rng.randint(5, 12))
    gone = rng.choice(list(table))
    secrets = {seat: player.secrets.secret.hex() for seat, player in table.items()}
    rest = {seat: player for seat, player in table.items() if seat != gone}
    first = next(iter(rest.values()))
    while set(first.ledger.missing()) != {gone}:
        played(rest, rng, 1)
    hand = table[gone].secrets.view().known
    assert hand, "it holds cards that nobody has seen"
    call_late(rest, gone)
    settle(rest)
    state = same_everywhere(rest).ledger.state
    assert state.opened == {gone: secrets[gone]}
    box = bytes.fromhex(state.opened_boxes[gone])
    seen = Secrets(first.ledger, gone, bytes.fromhex(state.opened[gone]), box).view().known
    assert set(seen) & set(hand) and all(seen[handle] == hand[handle] for handle in seen if handle in hand)
    before = len(first.log)
    played(rest, rng, 60)
    assert len(first.log) > before + 60 and set(same_everywhere(rest).ledger.state.gone) == {gone}
    place = next(n for n, logged in enumerate(first.log) if secrets[gone] in logged.text())
    for number, logged in enumerate(first.log):
        whole = logged.text() + logged.position + logged.entry.raw.decode()
        assert number >= place or secrets[gone] not in whole
        assert not any(secrets[seat] in whole for seat in rest)
    end_in_a_draw(rest)
    found = verified(same_everywhere(rest))
    assert found.ok and all(found.audited.values())


def end_in_a_draw(table: dict[str, Player]) -> None:
    """All offer it, and who decides notes it; then the secrets."""
    agree(table, "draw", Draw())
    for player in table.values():
        raw = player.audit()
        assert raw is not None
        give(table, raw)
