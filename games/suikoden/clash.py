"""D28 to D46 ONE CLASH: a pair of fighters, from the sending to the spoils.

Who is sent and who meets him are sealed choices among the participants who lie face down, opened together
after the attacker has named his method (rulings B-6, I-1); where only one can be meant nothing is sealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.suikoden.ability import Until, When
from games.suikoden.aftermath import Aftermath
from games.suikoden.effects import Triggers, due
from games.suikoden.grounds import LandLost
from games.suikoden.hands import both, taken, unknown
from games.suikoden.moves import Discard, DiscardOpen, Mill
from games.suikoden.moves_battle import Advance, Conceal, Force, Hold, Intercept, Scheme, Send, Siege, Stand
from games.suikoden.piles import MillCards
from games.suikoden.position import Clash, SuikodenPosition
from games.suikoden.sets import idle
from games.suikoden.terms import STRATAGEMS, CardId, Keyword, Mode
from games.suikoden.told import FaceToFace
from games.suikoden.values import has
from games.suikoden.window import Window
from pbem.engine.events import Event
from pbem.engine.notation import Handle
from pbem.engine.options import Among, Family, Options, Refusal, View
from pbem.engine.position import OnlyChoice, Unlawful
from pbem.engine.procedure import (
    Finish,
    Goto,
    Perform,
    Procedure,
    chooses,
    fills_secretly,
    opens,
    rule,
)
from pbem.toml import quoted


def unspent(pos: SuikodenPosition, seat: str) -> list[CardId]:
    """Participants of a seat who are still there and ready."""
    battle = pos.battle
    assert battle is not None
    names = battle.sortie if seat == battle.attacker else battle.guard
    return [card for card in names if pos.ready(card)]


def face_down(pos: SuikodenPosition, seat: str) -> list[CardId]:
    """Those of them who lie face down."""
    assert pos.battle is not None
    return [card for card in unspent(pos, seat) if card not in pos.battle.shown]


def price_cards(pos: SuikodenPosition, seat: str, method: Keyword) -> int:
    """With how many cards a stratagem could be paid: hand, and for 火計 and 水計 in D the deck (D02, S04)."""
    cards = len(pos.sides[seat].hand)
    if method is not Keyword.SORCERY and pos.mode is Mode.DECK:
        cards += pos.deck_size(seat)
    return cards


def why_no_method(pos: SuikodenPosition, seat: str, method: Keyword, *, siege: bool) -> Refusal | None:
    """D02, D29, D32: whether a stratagem may be named at all."""
    if method not in STRATAGEMS:
        return Refusal("D02", f"{method.value} is no stratagem")
    if siege and method is not Keyword.SORCERY:
        return Refusal("D31", f"{method.value} cannot be used in a siege")
    if not price_cards(pos, seat, method):
        return Refusal("Q08" if method is Keyword.SORCERY else "D02", "there is no card to pay for it")
    return None


def _why_not_send(pos: SuikodenPosition, move: Send) -> Refusal | str:
    assert pos.battle is not None
    if len(move.people) != 1:
        return "one is sent"
    (card,) = move.people
    spent = idle(pos, card) if card in pos.battle.sortie and card in pos.field else None
    return spent or "one of those who attack and lie face down"


class SentFaceDown(Event):
    says = "{seat} sends somebody, face down"
    seat: str


class NobodyDefends(Event):
    says = "{seat} has nobody left to defend"
    seat: str


class Met(Event):
    says = "{seat} {siege:?is besieged|intercepts}{method:? by {method}|}"
    seat: str
    siege: bool
    method: str


class SetFaceDown(Event):
    says = "{seat} sets somebody against him, face down"
    seat: str


class WaterVoid(Event):
    says = "水計 has no effect against 水軍"
    seats: tuple[str, ...]


@dataclass(slots=True)
class Fight(Procedure):
    """③ to ⑨."""

    seat: str
    """The attacker."""
    due: Keyword | None = None
    """A stratagem that is being paid for."""

    def _defender(self, pos: SuikodenPosition) -> str:
        return pos.foe(self.seat)

    @rule("D28")
    def begin(self, pos: SuikodenPosition) -> None:
        """A new pair; if only one can be sent, everybody knows who."""
        pos.clash = Clash()
        found = unspent(pos, self.seat)
        if len(found) == 1:
            pos.clash = replace(pos.clash, attack=found[0])
            pos.say(OnlyChoice(self.seat, f"send {pos.call(found[0])}"))

    # --- ③ who attacks

    def open_ones(self, pos: SuikodenPosition) -> Options | None:
        assert pos.clash is not None
        hidden = face_down(pos, self.seat)
        shown = [card for card in unspent(pos, self.seat) if card not in hidden]
        if pos.clash.attack or not shown:
            return None
        families: list[Family[Any]] = [Among(Advance, [Advance(c) for c in shown], "D28")]
        if hidden:
            families.append(Among(Conceal, [Conceal()], "D28"))
        return Options(self.seat, tuple(families), "advance", "somebody who lies open, or one face down")

    @chooses("D28", open_ones)
    def advance(self, pos: SuikodenPosition, move: Advance | Conceal) -> None:
        """Somebody who lies open may be sent openly."""
        assert pos.clash is not None
        hidden = face_down(pos, self.seat)
        card = move.person if isinstance(move, Advance) else hidden[0] if len(hidden) == 1 else ""
        pos.clash = replace(pos.clash, attack=card)

    def sendable(self, pos: SuikodenPosition) -> list[Options] | None:
        assert pos.clash is not None
        if pos.clash.attack:
            return None
        listed = [Send((card,)) for card in face_down(pos, self.seat)]
        family = Among(Send, listed, "D28", lambda m: _why_not_send(pos, m))
        return [Options(self.seat, (family,), "send", "who is sent, face down", slots=1)]

    @fills_secretly("D28", sendable)
    def send(self, pos: SuikodenPosition, slots: Mapping[str, tuple[Handle, ...]]) -> None:
        """One of the attackers, face down."""
        assert pos.clash is not None
        pos.clash = replace(pos.clash, attack_slot=slots[self.seat][0])
        pos.say(SentFaceDown(self.seat))

    # --- ④ who meets him, and how

    @rule("D29")
    def nobody_left(self, pos: SuikodenPosition) -> Perform | None:
        """Without a defender left the land is given up (ruling B-15)."""
        foe = self._defender(pos)
        if unspent(pos, foe):
            return None
        assert pos.battle is not None
        pos.say(NobodyDefends(foe))
        pos.battle = replace(pos.battle, razed=True)
        return Perform(LandLost(foe, abandoned=True), then="close")

    def answers(self, pos: SuikodenPosition) -> Options:
        foe = self._defender(pos)
        hidden = face_down(pos, foe)
        shown = [card for card in unspent(pos, foe) if card not in hidden]
        families: list[Family[Any]] = []
        if hidden:
            families.append(Answers(Intercept, pos, foe, hidden, siege=False))
            families.append(Answers(Siege, pos, foe, hidden, siege=True))
        if shown:
            families.append(Standing(pos, foe, shown))
        return Options(foe, tuple(families), "meet", "how the attack is met")

    @chooses("D29", answers)
    def meet(self, pos: SuikodenPosition, move: Intercept | Siege | Stand) -> None:
        """迎撃 or 籠城, with a stratagem if one is named; who lies open is besieged (D47)."""
        assert pos.clash is not None
        card = move.person if isinstance(move, Stand) else ""
        siege = not isinstance(move, Intercept)
        pos.clash = replace(pos.clash, defence=card, siege=siege, answer=move.method)
        self.due = move.method
        by = move.method.value if move.method else ""
        pos.say(Met(self._defender(pos), siege, by, rule="D31" if siege else "D30"))

    def answer_price(self, pos: SuikodenPosition) -> Options | None:
        return self._price(pos, self._defender(pos))

    @chooses("D02", answer_price)
    def pay_answer(self, pos: SuikodenPosition, move: Any) -> Perform | None:
        """The defender's stratagem is paid when it is named."""
        return self._pay(pos, self._defender(pos), move)

    def holdable(self, pos: SuikodenPosition) -> list[Options] | None:
        assert pos.clash is not None
        if pos.clash.defence:
            return None
        found = self._possible(pos)
        if len(found) == 1:
            return None
        foe = self._defender(pos)
        family = Among(Hold, [Hold((card,)) for card in found], "D29")
        return [Options(foe, (family,), "hold", "who meets him, face down", slots=1)]

    def _possible(self, pos: SuikodenPosition) -> list[CardId]:
        """The defenders who lie face down and have the stratagem that was named."""
        assert pos.clash is not None
        answer = pos.clash.answer
        found = face_down(pos, self._defender(pos))
        return [card for card in found if answer is None or has(pos, card, answer)]

    @fills_secretly("D29", holdable)
    def hold(self, pos: SuikodenPosition, slots: Mapping[str, tuple[Handle, ...]]) -> None:
        """One of the defenders, face down."""
        assert pos.clash is not None
        foe = self._defender(pos)
        pos.clash = replace(pos.clash, defence_slot=slots[foe][0])
        pos.say(SetFaceDown(foe))

    @rule("D29")
    def only_one(self, pos: SuikodenPosition) -> None:
        """If only one can be meant, everybody knows who."""
        clash = pos.clash
        assert clash is not None
        if not clash.defence and not clash.defence_slot:
            (found,) = self._possible(pos)
            pos.clash = replace(clash, defence=found)
            pos.say(OnlyChoice(self._defender(pos), f"hold {pos.call(found)}"))

    # --- ⑤ the attacker's method

    def methods(self, pos: SuikodenPosition) -> Options:
        families = (Among(Force, [Force()], "D32"), Schemes(pos, self.seat))
        return Options(self.seat, families, "method", "by arms or by a stratagem")

    @chooses("D32", methods)
    def method(self, pos: SuikodenPosition, move: Force | Scheme) -> None:
        """武力, or 火計, 水計, 妖術 for a price."""
        assert pos.clash is not None
        self.due = move.method if isinstance(move, Scheme) else None
        pos.clash = replace(pos.clash, method=self.due)

    def method_price(self, pos: SuikodenPosition) -> Options | None:
        return self._price(pos, self.seat)

    @chooses("D02", method_price)
    def pay_method(self, pos: SuikodenPosition, move: Any) -> Perform | None:
        """The attacker's stratagem is paid when it is named."""
        return self._pay(pos, self.seat, move)

    def _price(self, pos: SuikodenPosition, seat: str) -> Options | None:
        if self.due is None:
            return None
        hand = pos.sides[seat].hand
        families = list(both((Discard, DiscardOpen), pos, hand, "D02"))
        if self.due is not Keyword.SORCERY and pos.mode is Mode.DECK and pos.deck_size(seat):
            families.append(Among(Mill, [Mill()], "D02"))
        else:
            number = "D02" if pos.mode is Mode.DECK else "S04"
            families.append(Among(Mill, [], number, lambda m: "a card of the hand pays for this"))
        return Options(
            seat, tuple(families), "price", f"what pays for {self.due.value}", hidden=unknown(pos, hand)
        )

    def _pay(self, pos: SuikodenPosition, seat: str, move: Any) -> Perform | None:
        self.due = None
        if isinstance(move, Mill):
            return Perform(MillCards(seat, 1))
        pos.to_discard(seat, taken(pos, seat, move.card))
        return None

    # --- open, fight, and what comes of it

    def sealed(self, pos: SuikodenPosition) -> tuple[Handle, ...] | None:
        assert pos.clash is not None
        return tuple(h for h in (pos.clash.attack_slot, pos.clash.defence_slot) if h) or None

    @opens("D33", sealed)
    def reveal(self, pos: SuikodenPosition, values: Mapping[Handle, str]) -> None:
        """Both are turned up; whoever is not what was named broke a rule."""
        clash = pos.clash
        assert clash is not None
        attack, defence = clash.attack, clash.defence
        if clash.attack_slot:
            attack = values[clash.attack_slot]
            if attack not in face_down(pos, self.seat):
                raise Unlawful(self.seat, "D28", f"{quoted(attack)} could not be sent")
        if clash.defence_slot:
            defence = values[clash.defence_slot]
            if defence not in self._possible(pos):
                raise Unlawful(self._defender(pos), "D29", f"{quoted(defence)} could not defend so")
        none = Handle("")
        pos.clash = replace(clash, attack=attack, defence=defence, attack_slot=none, defence_slot=none)

    @rule("D33")
    def face_to_face(self, pos: SuikodenPosition) -> Perform:
        """⑥ begins: 水計 is void against 水軍, 妖術 against 妖術 cancels out."""
        clash, battle = pos.clash, pos.battle
        assert clash is not None and battle is not None
        if clash.method is not None and not has(pos, clash.attack, clash.method):
            raise Unlawful(self.seat, "D32", f"{pos.call(clash.attack)} has no {clash.method.value}")
        pos.battle = replace(battle, shown=(*battle.shown, clash.attack, clash.defence))
        void = []
        if clash.method is Keyword.WATER and has(pos, clash.defence, Keyword.NAVY):
            void.append(self.seat)
        if clash.answer is Keyword.WATER and has(pos, clash.attack, Keyword.NAVY):
            void.append(self._defender(pos))
        pos.clash = replace(clash, opened=True, void=tuple(void))
        pos.say(FaceToFace(clash.attack, clash.defence))
        if void:
            pos.say(WaterVoid(tuple(void), rule="D02"))
        queue = due(pos, (clash.attack,), When.FIGHTS)
        moments = (When.FIGHTS,) if clash.siege else (When.FIGHTS, When.INTERCEPTS)
        return Perform(Triggers(queue + due(pos, (clash.defence,), *moments)))

    @rule("D42")
    def window(self, pos: SuikodenPosition) -> Perform:
        """6-2, 6-3: shots and abilities, until both pass."""
        return Perform(Window(self.seat))

    @rule("D33")
    def outcome(self, pos: SuikodenPosition) -> Perform:
        """6-1 and all that follows."""
        return Perform(Aftermath(self.seat))

    @rule("D47")
    def close(self, pos: SuikodenPosition) -> Goto | Finish | None:
        """The pair is done."""
        pos.clash = None
        pos.expire(Until.CLASH)
        return None


class Answers(Family[Any]):
    """D29: 迎撃 or 籠城, plain or by a stratagem that somebody face down has."""

    def __init__(
        self, kind: Any, pos: SuikodenPosition, seat: str, hidden: list[CardId], *, siege: bool
    ) -> None:
        self.kind, self.pos, self.seat, self.hidden, self.siege = kind, pos, seat, hidden, siege

    def moves(self, view: View) -> Iterable[Any]:
        listed = [self.kind(), *(self.kind(method) for method in STRATAGEMS)]
        return [move for move in listed if self.why_not(move, view) is None]

    def why_not(self, move: Any, view: View) -> Refusal | None:
        if move.method is None:
            return None
        bad = why_no_method(self.pos, self.seat, move.method, siege=self.siege)
        if bad is None and not any(has(self.pos, card, move.method) for card in self.hidden):
            return Refusal("D29", f"nobody who lies face down has {move.method.value}")
        return bad


class Standing(Family[Stand]):
    """D47: somebody who lies open is besieged; 妖術 may be named."""

    kind = Stand

    def __init__(self, pos: SuikodenPosition, seat: str, shown: list[CardId]) -> None:
        self.pos, self.seat, self.shown = pos, seat, shown

    def moves(self, view: View) -> Iterable[Stand]:
        listed = [Stand(card, method) for card in self.shown for method in (None, Keyword.SORCERY)]
        return [move for move in listed if self.why_not(move, view) is None]

    def why_not(self, move: Stand, view: View) -> Refusal | None:
        if move.person not in self.shown:
            return Refusal("D47", f"{self.pos.call(move.person)} does not lie open among the defenders")
        if move.method is None:
            return None
        bad = why_no_method(self.pos, self.seat, move.method, siege=True)
        if bad is None and not has(self.pos, move.person, move.method):
            return Refusal("D29", f"{self.pos.call(move.person)} has no {move.method.value}")
        return bad


class Schemes(Family[Scheme]):
    """D32: the stratagems of who was sent; others learn at the opening whether he has it."""

    kind = Scheme

    def __init__(self, pos: SuikodenPosition, seat: str) -> None:
        self.pos, self.seat = pos, seat
        assert pos.clash is not None
        self.clash = pos.clash

    def moves(self, view: View) -> Iterable[Scheme]:
        listed = [Scheme(method) for method in STRATAGEMS]
        return [move for move in listed if self.why_not(move, view) is None]

    def why_not(self, move: Scheme, view: View) -> Refusal | None:
        bad = why_no_method(self.pos, self.seat, move.method, siege=self.clash.siege)
        if bad is not None:
            return bad
        sent = self.clash.attack or view.value(self.clash.attack_slot)
        able = [sent] if sent else face_down(self.pos, self.seat)
        if not any(has(self.pos, card, move.method) for card in able):
            return Refusal("D32", f"who attacks has no {move.method.value}")
        return None
