"""What the verbs of an ability do to the position, once everything is chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.suikoden.ability import Effect as Deed
from games.suikoden.ability import Until
from games.suikoden.piles import Draw, MillCards
from games.suikoden.position import Mark, SuikodenPosition
from games.suikoden.targets import candidates
from games.suikoden.terms import CardId, Stat, State
from games.suikoden.told import BackToHand, CardCameBack, Discarded, HasActed
from games.suikoden.values import shielded, watch
from pbem.engine.events import Event, Named
from pbem.engine.notation import Handle
from pbem.engine.procedure import Perform


class AnotherTurn(Event):
    says = "{seat} will have another turn"
    seat: str


class ReadyAgain(Event):
    says = "{card} is ready again"
    card: Named


class WanderedOff(Event):
    says = "{card} wanders off"
    card: Named


class WorksOn(Event):
    says = "on {cards}"
    cards: tuple[Named, ...]
    effect: str


class ShotVoid(Event):
    says = "the shot has no effect"


class StratagemVoid(Event):
    says = "the stratagem has no effect"


class LandRepaired(Event):
    says = "{land} is repaired"
    land: Named
    seat: str


class NotHit(Event):
    says = "{card} is not hit"
    card: Named


def carry_out(
    pos: SuikodenPosition, seat: str, source: CardId, deed: Deed, picked: tuple[str, ...], named: str = ""
) -> Perform | None:
    """One effect on those chosen, or on all that it means."""
    wanted = deed.selector
    if wanted is not None and (wanted.count == 0 or wanted.side in ("self", "mine", "opp")):
        picked = tuple(candidates(pos, seat, source, wanted, named))
    foe = pos.foe(seat)
    player = seat if deed.player == "me" else foe
    match deed.verb:
        case "add" | "set" | "fix" | "grant" | "lose" | "ban" | "retreat":
            _lay(pos, seat, deed, picked, player)
        case "draw":
            return Perform(Draw(player, deed.number))
        case "mill":
            return Perform(MillCards(player, min(deed.number, pos.deck_size(player))))
        case "again":
            pos.again = True
            pos.say(AnotherTurn(seat, rule="Q46"))
        case "cancel":
            _cancel(pos, seat, deed.word)
        case "land":
            _land(pos, seat, deed)
        case "salvage":
            for card in picked:
                side = pos.sides[seat]
                pos.change(
                    seat,
                    discard=tuple(c for c in side.discard if c != card),
                    hand=(*side.hand, Handle(card)),
                )
                pos.say(BackToHand(card))
        case "act" | "ready" | "wander" | "recall" | "bounce" | "kill":
            for card in picked:
                _move(pos, deed.verb, card)
    watch(pos)
    return None


def _move(pos: SuikodenPosition, verb: str, card: CardId) -> None:
    if verb == "recall":
        seat = next(s for s in pos.seats if card in pos.sides[s].wander)
        pos.leave_wander(seat, card)
        pos.put(card, seat, State.READY)
        pos.say(CardCameBack(card))
        return
    if verb in ("act", "ready"):
        pos.set_state(card, State.ACTED if verb == "act" else State.READY)
        pos.say(HasActed(card) if verb == "act" else ReadyAgain(card))
        return
    if card not in pos.data.people:
        return  # a grove is no card that could go anywhere
    if verb == "wander":
        pos.to_wander(card)
        pos.say(WanderedOff(card))
        return
    seat = pos.leave_field(card)
    if verb == "bounce":
        pos.change(seat, hand=(*pos.sides[seat].hand, Handle(card)))
        pos.say(BackToHand(card))
    else:
        pos.to_discard(seat, card)
        pos.say(Discarded(card))


def _lay(pos: SuikodenPosition, seat: str, deed: Deed, picked: tuple[str, ...], player: str) -> None:
    """Marks on people or on a player."""
    values: dict[str, Any] = {}
    for which, number in deed.stats:
        values[{Stat.ATTACK: "attack", Stat.DEFENCE: "defence", Stat.WIT: "wit"}[which]] = number
    until = Until.CLASH if deed.verb == "retreat" else deed.until
    one = Mark(deed.verb, until, seat, keyword=deed.keyword, number=deed.number, word=deed.word, **values)
    if deed.selector is None:
        pos.mark(replace(one, seat="" if deed.player == "both" else player))
        return
    for card in picked:
        pos.mark(replace(one, card=card))
    if picked:
        pos.say(WorksOn(picked, deed.verb))


def _cancel(pos: SuikodenPosition, seat: str, what: str) -> None:
    if what == "shot":
        last = next((m for m in reversed(pos.marks) if m.word == "shot" and m.by != seat), None)
        if last is not None:
            pos.marks = tuple(m for m in pos.marks if m is not last)
            pos.say(ShotVoid(rule="Q33"))
        return
    clash = pos.clash
    if clash is not None:
        pos.clash = replace(clash, void=(*clash.void, pos.foe(seat)))
        pos.say(StratagemVoid(rule="D42"))


def _land(pos: SuikodenPosition, seat: str, deed: Deed) -> None:
    if deed.word != "repair":
        pos.mark(Mark("land", Until.TURN, seat, seat=seat, word=deed.word, number=deed.number))
        return
    raise_land(pos, seat, pos.sides[seat].ruins[-1])


def raise_land(pos: SuikodenPosition, seat: str, land: str) -> None:
    """D20: a destroyed land is the current one again; the former lies open beneath it (ruling D-11)."""
    side = pos.sides[seat]
    ruins = list(side.ruins)
    ruins.remove(land)
    under = (side.land, *side.under) if side.land else side.under
    pos.change(seat, land=land, under=under, ruins=tuple(ruins))
    pos.say(LandRepaired(land, seat, rule="D20"))


def shot_at(pos: SuikodenPosition, target: CardId, by: str, value: int) -> None:
    """D41, Q06: 攻 and 防 less until the end of the turn; shots add up."""
    if shielded(pos, target):
        pos.say(NotHit(target))
        return
    pos.mark(Mark("add", Until.TURN, by, card=target, attack=-value, defence=-value, word="shot"))
