"""D16 to D24, S15, S16: what may be done at home: recruiting, land effects, keywords and abilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.suikoden.ability import When
from games.suikoden.deeds import raise_land
from games.suikoden.effects import Arrive
from games.suikoden.hands import both, no_abilities, taken, unknown
from games.suikoden.moves import (
    Discard,
    DiscardOpen,
    Done,
    Hunt,
    Pay,
    Play,
    PlayOpen,
    Recruit,
    RecruitOpen,
    Repair,
    Scout,
    Trade,
    Use,
)
from games.suikoden.payments import can_pay, gives, payable, unaffordable
from games.suikoden.piles import Draw, Peek
from games.suikoden.position import SuikodenPosition
from games.suikoden.sets import Sums, idle
from games.suikoden.targets import without_object
from games.suikoden.terms import CardId, Keyword, Mode, Stat, State, Symbol
from games.suikoden.using import Using
from games.suikoden.values import abilities, has, sum_of
from pbem.engine.events import Event, Named
from pbem.engine.options import Among, Family, Options, Refusal
from pbem.engine.procedure import Finish, Goto, Perform, Procedure, chooses, rule


class Recruited(Event):
    says = "{seat} recruits {card}"
    seat: str
    card: Named


class WitsSummed(Event):
    says = "wits {total}"
    total: int
    people: tuple[Named, ...]


class EnoughForCard(Event):
    says = "{trade:?商業|狩猟}: {total} is enough for a card"
    trade: bool
    total: int
    people: tuple[Named, ...]


class PaidByDiscard(Event):
    says = "{card} is discarded for {symbol}"
    card: Named
    symbol: str


class PaidByActing(Event):
    says = "{card} acts for {symbol}"
    card: Named
    symbol: str


class PaidByWandering(Event):
    says = "{card} wanders for {symbol}"
    card: Named
    symbol: str


@dataclass(slots=True)
class Domestic(Procedure):
    """D16: recruiting, land effects, keywords and abilities, in any order, as often as can be paid."""

    seat: str

    def actions(self, pos: SuikodenPosition) -> Options:
        side = pos.sides[self.seat]
        families: list[Family[Any]] = [Among(Done, [Done()], "D16")]
        ready = pos.on_field(self.seat, State.READY)
        families += both((Recruit, RecruitOpen), pos, side.hand, "D17", self._recruitable(pos))
        families += self._land_effects(pos, ready)
        families.append(self._scouts(pos, ready))
        if pos.mode is Mode.DECK:
            families.append(self._uses(pos, ready))
            families += both((Play, PlayOpen), pos, side.hand, "D24", self._playable(pos))
        else:
            families += no_abilities(Use, Play, PlayOpen)
        return Options(
            self.seat, tuple(families), "domestic", "what to do at home", hidden=unknown(pos, side.hand)
        )

    def _recruitable(self, pos: SuikodenPosition) -> Any:
        spare = len(pos.sides[self.seat].hand) - 1

        def check(card: CardId) -> Refusal | None:
            if payable(pos, self.seat, pos.person(card).cost, spare):
                return None
            cost = "".join(s.value for s in pos.person(card).cost)
            return Refusal("D17", f"{pos.call(card)} costs {cost}, which you cannot pay")

        return check

    def _land_effects(self, pos: SuikodenPosition, ready: list[CardId]) -> list[Family[Any]]:
        found: list[Family[Any]] = []
        land = pos.data.lands.get(pos.current_land(self.seat))
        if land is not None and ready and pos.deck_size(self.seat):
            trade = land.trade - _discount(pos, self.seat, "商業")
            hunt = land.hunt - _discount(pos, self.seat, "狩猟")
            found.append(Sums(Trade, pos, ready, "D21", Stat.WIT, trade))
            found.append(Sums(Hunt, pos, ready, "D22", Stat.ATTACK, hunt))
        elif ready:
            found += [Among(kind, [], "Q11", lambda m: "there is no card to draw") for kind in (Trade, Hunt)]
        else:
            found += [Among(kind, [], "G05", lambda m: "nobody is ready") for kind in (Trade, Hunt)]
        if pos.mode is Mode.DECK and pos.sides[self.seat].ruins:
            found.append(Repairs(pos, self.seat, ready))
        else:
            number = "D20" if pos.mode is Mode.DECK else "S15"
            found.append(Among(Repair, [], number, lambda m: "no land of yours is destroyed"))
        return found

    def _scouts(self, pos: SuikodenPosition, ready: list[CardId]) -> Among[Scout]:
        able = [c for c in ready if has(pos, c, Keyword.SCOUTING)] if pos.deck_size(self.seat) else []
        return Among(Scout, [Scout(c) for c in able], "D23", lambda m: self._why_not_scout(pos, m.person))

    def _why_not_scout(self, pos: SuikodenPosition, card: CardId) -> Refusal | str:
        if card not in pos.on_field(self.seat) or not has(pos, card, Keyword.SCOUTING):
            return "that takes somebody of yours with 情報"
        return idle(pos, card) or Refusal("Q11", "there is no card to look at")

    def _uses(self, pos: SuikodenPosition, ready: list[CardId]) -> Among[Use]:
        able = [Use(card) for card in ready if self._why_not_use(pos, card) is None]
        return Among(Use, able, "D24", lambda m: self._why_not_use(pos, m.person))

    def _why_not_use(self, pos: SuikodenPosition, card: CardId) -> Refusal | None:
        if card not in pos.field or pos.field[card].seat != self.seat:
            return Refusal("D24", f"{pos.call(card)} is not on your field")
        if pos.field[card].state is not State.READY:
            return idle(pos, card)
        number_of = domestic_ability(pos, card)
        if number_of is None:
            return Refusal("D24", f"{pos.call(card)} has no ability for this phase")
        ability = abilities(pos, card)[number_of]
        return unaffordable(pos, self.seat, card, ability) or without_object(pos, self.seat, card, ability)

    def _playable(self, pos: SuikodenPosition) -> Any:
        def check(card: CardId) -> Refusal | None:
            for ability in pos.person(card).abilities if card in pos.data.people else ():
                if ability.when is When.HAND_DOMESTIC:
                    if card in pos.used:
                        return Refusal("D24", f"{pos.call(card)} has been used in this turn")
                    return unaffordable(
                        pos, self.seat, card, ability, in_hand=card in pos.data.people
                    ) or without_object(pos, self.seat, card, ability)
            return Refusal("D24", f"{pos.call(card)} has no ability from the hand for this phase")

        return check

    @chooses("D16", actions)
    def action(self, pos: SuikodenPosition, move: Any) -> Goto | Perform | Finish:
        """One thing after the other."""
        match move:
            case Done():
                return Finish()
            case Recruit(card) | RecruitOpen(card):
                who = taken(pos, self.seat, card)
                pos.say(Recruited(self.seat, who, rule="D17"))
                return Perform(Recruiting(self.seat, who, pos.person(who).cost), then="action")
            case Trade(people) | Hunt(people):
                return self._land_card(pos, people, isinstance(move, Trade))
            case Repair(land, people):
                total = sum_of(pos, people, Stat.WIT)
                for card in people:
                    pos.to_wander(card)
                pos.say(WitsSummed(total, people, rule="D20"))
                raise_land(pos, self.seat, land)
            case Scout(person):
                pos.act(person)
                return Perform(Peek(self.seat, 3), then="action")
            case Use(person):
                number = domestic_ability(pos, person)
                assert number is not None
                return Perform(Using(self.seat, person, number), then="action")
            case Play(card) | PlayOpen(card):
                who = taken(pos, self.seat, card)
                pos.used = (*pos.used, who)
                found = pos.person(who).abilities
                number = next(n for n, a in enumerate(found) if a.when is When.HAND_DOMESTIC)
                return Perform(Using(self.seat, who, number, in_hand=True), then="action")
        return Goto("action")

    def _land_card(self, pos: SuikodenPosition, people: tuple[CardId, ...], trade: bool) -> Perform:
        total = sum_of(pos, people, Stat.WIT if trade else Stat.ATTACK)
        for card in people:
            pos.act(card)
        pos.say(EnoughForCard(trade, total, people, rule="D21" if trade else "D22"))
        return Perform(Draw(self.seat, 1), then="action")


def domestic_ability(pos: SuikodenPosition, card: CardId) -> int | None:
    """The number of somebody's ability for the domestic phase; 'gain' is used while paying (D17)."""
    for number, ability in enumerate(abilities(pos, card)):
        if ability.when is When.DOMESTIC and ability.do[0].verb != "gain":
            return number
    return None


def _discount(pos: SuikodenPosition, seat: str, what: str) -> int:
    return sum(m.number for m in pos.marks if m.kind == "land" and m.seat == seat and m.word == what)


class Repairs(Family[Repair]):
    """D20: people wander whose wits together reach the destroyed land's number."""

    kind = Repair

    def __init__(self, pos: SuikodenPosition, seat: str, ready: list[CardId]) -> None:
        self.pos = pos
        self.ruins = tuple(dict.fromkeys(pos.sides[seat].ruins))
        self.ready = [card for card in ready if card in pos.data.people]

    def _sums(self, land: str) -> Sums:
        wanted = self.pos.data.lands[land].repair
        return Sums(Repair, self.pos, self.ready, "D20", Stat.WIT, wanted, (land,))

    def moves(self, view: Any) -> Any:
        for land in self.ruins:
            if self.pos.data.lands[land].repair:
                yield from self._sums(land).moves(view)

    def why_not(self, move: Repair, view: Any) -> Refusal | None:
        if move.land not in self.ruins:
            return Refusal("D20", f"{self.pos.call(move.land)} is not a destroyed land of yours")
        if not self.pos.data.lands[move.land].repair:
            return Refusal("D20", f"{self.pos.call(move.land)} cannot be repaired")
        for card in move.people:
            if card in self.pos.field and self.pos.field[card].state is State.ACTED:
                return Refusal("D14", f"{self.pos.call(card)} has acted and cannot wander for this")
        return self._sums(move.land).why_not(move, view)

    def sample(self, rng: Any, view: Any) -> Any:
        land = rng.choice(self.ruins)
        return self._sums(land).sample(rng, view) if self.pos.data.lands[land].repair else None


@dataclass(slots=True)
class Recruiting(Procedure):
    """D17: the cost is paid symbol by symbol, then the person comes."""

    seat: str
    card: CardId
    rest: tuple[Symbol, ...]

    def payers(self, pos: SuikodenPosition) -> Options | None:
        if not self.rest:
            return None
        symbol, later = self.rest[0], self.rest[1:]
        cards = len(pos.sides[self.seat].hand)
        people = [
            card
            for card in pos.on_field(self.seat)
            if can_pay(pos, card, symbol) and payable(pos, self.seat, later, cards, card)
        ]
        why = f"the next symbol is {symbol.value}"
        families: list[Family[Any]] = [
            Among(Pay, [Pay(c) for c in people], "D17", lambda m: self._why(pos, m, why))
        ]
        hidden = False
        if symbol is Symbol.WHITE and cards and payable(pos, self.seat, later, cards - 1):
            families += both((Discard, DiscardOpen), pos, pos.sides[self.seat].hand, "D17")
            hidden = True
        return Options(self.seat, tuple(families), "pay", f"who or what pays {symbol.value}", hidden=hidden)

    def _why(self, pos: SuikodenPosition, move: Pay, why: str) -> Refusal:
        one = pos.field.get(move.person)
        if one is None or one.seat != self.seat:
            return Refusal("D17", f"{pos.call(move.person)} is not on your field")
        if one.state is State.PREPARING:
            return Refusal("D18", f"{pos.call(move.person)} came in this turn and cannot pay")
        if one.state is State.ACTED:
            symbol = self.rest[0]
            number = "G05" if symbol is Symbol.WHITE else "D17" if symbol.kills else "D14"
            return Refusal(number, f"{pos.call(move.person)} has acted and cannot pay")
        return Refusal("D17", why)

    @chooses("D17", payers)
    def pay(self, pos: SuikodenPosition, move: Pay | Discard | DiscardOpen) -> Goto:
        """One symbol."""
        symbol = self.rest[0]
        self.rest = self.rest[1:]
        if not isinstance(move, Pay):
            pos.to_discard(self.seat, taken(pos, self.seat, move.card))
            return Goto("pay")
        card = move.person
        if symbol.kills:
            pos.to_discard(pos.leave_field(card), card)
            pos.say(PaidByDiscard(card, symbol.value))
        elif symbol is Symbol.WHITE or gives(pos, card) == symbol.value:
            pos.act(card)
            pos.say(PaidByActing(card, symbol.value))
        else:
            pos.to_wander(card)
            pos.say(PaidByWandering(card, symbol.value, rule="D14"))
        return Goto("pay")

    @rule("D17")
    def arrive(self, pos: SuikodenPosition) -> Perform | None:
        """Paid in full."""
        return Perform(Arrive(self.seat, self.card))
