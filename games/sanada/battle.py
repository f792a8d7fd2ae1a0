"""18 BATTLES: one battle, round by round, from the first dice to the advance.

A battle is a graph: places that attack each other, an edge for every attack (18.9). All edges of a round are
rolled at once; then the attacking side names its flips and says for each of its places stand or give up, then
the defending side; then the beaten places are dealt with one by one. Where a place is forced out while others
fight on, it goes first, and who is left decides after that (18.3.6-b). Defeat is a matter of a place, not of
a side (18.3.6-a).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from games.kit.families import Listed, Seldom
from games.kit.hexes import HexId
from games.sanada.allot import Allotments, Share, shares_of
from games.sanada.losses import Losses, suffer
from games.sanada.moves import Advance, Allot, GiveUp, Lose, Stand, Stay
from games.sanada.position import SanadaPosition
from games.sanada.refusals import Question, not_leading
from games.sanada.retreat import Rout
from games.sanada.strength import REASON, Blow, Edge, clash, counted, fighters, place_strength, strike
from games.sanada.terms import ENEMY, hex_of, is_inside
from games.sanada.victory import commanders, sudden
from pbem.engine.codec import Record
from pbem.engine.events import Event, Fact
from pbem.engine.options import Options, Refusal
from pbem.engine.procedure import Dice, Finish, Goto, Perform, Procedure, chooses, rolls, rule


@dataclass(frozen=True, slots=True)
class Hits(Record):
    """Damage that a place has yet to take."""

    place: str
    hits: int


@dataclass(frozen=True, slots=True)
class Slain(Record):
    """A unit that was eliminated while it led a Force in a place."""

    place: str
    unit: str


class RoundBegan(Event):
    says = "round {round}: {parties:*{key} {value}}"
    round: int
    strengths: dict[str, int]
    parties: dict[str, Fact]


class BattleBlow(Blow):
    says = (
        "{place} against {against}, rating {attack} to {defence}{reasons:? ({reasons:*" + REASON + "})|}: "
    ) + Blow.says
    place: str
    against: str
    attack: int
    defence: int
    reasons: dict[str, int]


class Advanced(Event):
    says = "{force} advances to {hex}"
    force: str
    hex: HexId


@dataclass(slots=True)
class Battle(Procedure):
    """18: one battle."""

    seat: str
    """The side that decides first: the attacker (18.3.5-b)."""
    edges: tuple[Edge, ...]
    """Every attack that was declared or marked."""
    own: tuple[str, ...]
    """The places of that side."""
    round: int = 0
    out: tuple[str, ...] = ()
    """Places that have been beaten."""
    shares: tuple[Share, ...] = ()
    """18.9: how divided places spread their strength in this round."""
    hits: tuple[Hits, ...] = ()
    slain: tuple[Slain, ...] = ()
    """Leaders eliminated in this round: beaten with their place, if it is beaten now (26.2.1(9)-b)."""
    spent: tuple[str, ...] = ()
    """Places that must retreat at the end of this round, until they have (18.3.6(1), (2))."""
    part: str = ""
    """Whose flips and decisions are being taken."""
    decided: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()
    """Places that have given up in this round (18.3.6(3))."""
    routs: tuple[str, ...] = ()
    """Beaten places still to be dealt with, in order."""
    asked: tuple[str, ...] = ()
    """Winners who have had their chance to advance."""

    # --- who is in it

    def side(self, place: str) -> str:
        return self.seat if place in self.own else ENEMY[self.seat]

    def places(self) -> tuple[str, ...]:
        """Every place of the battle: attackers first, in the order of their attacks."""
        return tuple(dict.fromkeys((*(e.attacker for e in self.edges), *(e.defender for e in self.edges))))

    def live(self) -> tuple[Edge, ...]:
        """Attacks between places that are still in it."""
        return tuple(e for e in self.edges if e.attacker not in self.out and e.defender not in self.out)

    def foes(self, place: str, edges: tuple[Edge, ...]) -> tuple[str, ...]:
        """The places that fight a place."""
        return tuple(
            e.defender if e.attacker == place else e.attacker
            for e in edges
            if place in (e.attacker, e.defender)
        )

    def defends(self, place: str) -> bool:
        return any(e.defender == place for e in self.live())

    # --- 18.3.1, 18.9: strengths

    @rule("18.3.1")
    def begin_round(self, pos: SanadaPosition) -> None:
        """Strengths as they are at the start of the round; all rounds of a battle together (18.9.3)."""
        self.round += 1
        self.shares, self.hits, self.decided, self.leaving, self.spent = (), (), (), (), ()
        self.slain = ()
        self.part = self.seat
        live = self.live()
        strengths = {p: self._strength(pos, p) for p in self.places() if self.foes(p, live)}
        parties = {place: counted(pos, fighters(pos, place)) for place in strengths}
        pos.say(RoundBegan(self.round, strengths, parties))

    def _strength(self, pos: SanadaPosition, place: str) -> int:
        return place_strength(pos, place, self.defends(place))

    def divided(self, pos: SanadaPosition) -> str | None:
        """18.9.5: the next place that has to divide its strength, attackers first."""
        live = self.live()
        done = {share.place for share in self.shares}
        order = [p for p in self.places() if p not in done and len(self.foes(p, live)) > 1]
        attacking = {e.attacker for e in live}
        return next(iter(sorted(order, key=lambda p: p not in attacking)), None)

    def division(self, pos: SanadaPosition) -> Options | None:
        place = self.divided(pos)
        if place is None:
            return None
        live = self.live()
        attacked = tuple(e.defender for e in live if e.attacker == place)
        foes = self.foes(place, live)
        family = Allotments(place, foes, attacked, self._strength(pos, place))
        ask = f"divide the strength of {place} ({family.total}) among {', '.join(foes)}"
        return Question(self.side(place), (family,), "allot", ask)

    @chooses("18.9.4", division)
    def allot(self, pos: SanadaPosition, move: Allot) -> Goto:
        """Whole points, anew in every round; a defender may leave an attacker unanswered (18.9-b)."""
        self.shares = (*self.shares, *shares_of(move))
        return Goto("allot")

    def share(self, pos: SanadaPosition, place: str, foe: str) -> int:
        """What a place brings to bear on one enemy place."""
        found = [s.points for s in self.shares if s.place == place and s.foe == foe]
        return found[0] if found else self._strength(pos, place)

    def blows(self, pos: SanadaPosition) -> tuple[tuple[Edge, bool], ...]:
        """Who rolls: on every edge the attacker, and the defender if he answers."""
        found = []
        for edge in self.live():
            if self.share(pos, edge.attacker, edge.defender):
                found.append((edge, True))
            if self.share(pos, edge.defender, edge.attacker):
                found.append((edge, False))
        return tuple(found)

    def battle_dice(self, pos: SanadaPosition) -> Dice:
        return Dice(2 * len(self.blows(pos)), 6)

    @rolls("18.3.2", battle_dice)
    def exchange(self, pos: SanadaPosition, dice: tuple[int, ...]) -> None:
        """Two dice for each, attack by attack, the attacker's first; damage is simultaneous (18.3.4)."""
        taken: dict[str, int] = {}
        left = list(dice)
        for edge, attacks in self.blows(pos):
            found = clash(pos, edge, fighters(pos, edge.attacker), fighters(pos, edge.defender))
            own, foe = (edge.attacker, edge.defender) if attacks else (edge.defender, edge.attacker)
            plus = found.for_attacker if attacks else found.for_defender
            pair, left = (left[0], left[1]), left[2:]
            points = self.share(pos, own, foe)
            made = partial(
                BattleBlow,
                place=own,
                against=foe,
                attack=found.attack,
                defence=found.defence,
                reasons=found.reasons,
            )
            hits = strike(pos, made, points, pair, plus, "18.3.3")
            taken[foe] = taken.get(foe, 0) + hits
        self.hits = tuple(Hits(p, taken[p]) for p in self.places() if taken.get(p))
        self.spent = tuple(p for p in self.places() if self.foes(p, self.live()) and self._falls(pos, p))

    def _falls(self, pos: SanadaPosition, place: str) -> bool:
        """18.3.6(1), (2), 18.4.1: whether nobody there is face-up once the hits are taken."""
        up = sum(not pos.units[u].down for u in fighters(pos, place))
        return sum(h.hits for h in self.hits if h.place == place) >= up

    # --- 18.3.5, 18.3.6: flips and decisions, the attacker's first

    def wounded(self, pos: SanadaPosition) -> Hits | None:
        return next((h for h in self.hits if self.side(h.place) == self.part), None)

    def wounds(self, pos: SanadaPosition) -> Options | None:
        struck = self.wounded(pos)
        if struck is None:
            return None
        losses = Losses(pos, fighters(pos, struck.place), struck.hits)
        return Question(
            self.part, (losses,), "loss", f"{struck.hits} hits in {struck.place}: {losses.words()}"
        )

    @chooses("18.3.5", wounds)
    def lose(self, pos: SanadaPosition, move: Lose) -> Goto:
        """The owner chooses who suffers."""
        struck = self.wounded(pos)
        assert struck is not None
        self.hits = tuple(h for h in self.hits if h is not struck)
        led = commanders(pos, fighters(pos, struck.place))
        suffer(pos, fighters(pos, struck.place), struck.hits, move, "18.3.5")
        dead = (Slain(struck.place, unit) for unit in led if unit not in pos.units)
        self.slain = (*self.slain, *dead)
        return Goto("lose")

    def free(self, pos: SanadaPosition) -> str | None:
        """The next place of the side that may stand or give up, as long as an enemy is left to it."""
        if self.spent:
            return None  # they go first
        for place in self.places():
            if self.side(place) != self.part or place in (*self.leaving, *self.decided):
                continue
            if fighters(pos, place) and any(f not in self.leaving for f in self.foes(place, self.live())):
                return place
        return None

    def resolve(self, pos: SanadaPosition) -> Options | None:
        place = self.free(pos)
        if place is None:
            return None

        def why(named: str) -> Refusal | None:
            return None if named == place else Refusal("18.3.6", f"the question is about {place}")

        families = (
            Listed(Stand, lambda: iter((Stand(place),)), lambda m: why(m.place)),
            Listed(GiveUp, lambda: iter((GiveUp(place),)), lambda m: why(m.place), 0.3),
        )
        return Question(self.part, families, "stand", f"fight on in {place}, or give up")

    @chooses("18.3.6", resolve)
    def stand(self, pos: SanadaPosition, move: Stand | GiveUp) -> Goto:
        """A place gives up as a whole, after a completed round only, and when the spent have gone."""
        if isinstance(move, GiveUp):
            self.leaving = (*self.leaving, move.place)
        else:
            self.decided = (*self.decided, move.place)
        return Goto("stand")

    @rule("18.3.4")
    def next_part(self, pos: SanadaPosition) -> Goto | None:
        """After the attacker the defender; then both sides' losses count at once (27.2)."""
        if self.part == self.seat:
            self.part = ENEMY[self.seat]
            return Goto("lose")
        if sudden(pos):
            return None
        self.routs = tuple(sorted(self.spent or self.leaving, key=lambda p: self.side(p) != self.seat))
        return None

    # --- 18.5 to 18.7: the beaten, attackers first

    @rule("18.5")
    def rout(self, pos: SanadaPosition) -> Perform | Goto | None:
        """Who retreats himself does not pursue, nor who still has an enemy of this battle beside him."""
        if not self.routs:
            return self._ask_the_rest(pos)
        place, self.routs = self.routs[0], self.routs[1:]
        foes = self.foes(place, self.edges)
        live = self.foes(place, self.live())
        self.out = (*self.out, place)
        gone = (*self.out, *self.spent)
        winners = tuple(w for w in live if w not in gone and not self._threatened(pos, w))
        slain = tuple(s.unit for s in self.slain if s.place == place)
        return Perform(Rout(self.side(place), place, foes, winners, slain=slain), then="rout")

    def _ask_the_rest(self, pos: SanadaPosition) -> Goto | None:
        """18.3.6-b: when the spent have gone, those who still have an enemy stand or give up."""
        if sudden(pos):
            return None
        if self._bereft(pos):
            return Goto("rout")
        if not self.spent:
            return None
        self.spent, self.part = (), self.seat
        return Goto("stand")

    def _bereft(self, pos: SanadaPosition) -> bool:
        """18.3.6(1), (2): who is left alone, or only face-down, because others went home is beaten too."""
        self.out = (*self.out, *(p for p in self.places() if p not in self.out and not fighters(pos, p)))
        live = self.live()
        self.routs = tuple(p for p in self.places() if self.foes(p, live) and pos.spent(fighters(pos, p)))
        self.spent = (*self.spent, *self.routs)
        return bool(self.routs)

    def _threatened(self, pos: SanadaPosition, place: str) -> bool:
        """18.9.6: whether an enemy of this battle is adjacent and still in place."""
        near = pos.data.map.near[hex_of(place)]
        fought = self.foes(place, self.edges)
        return any(
            p in fought or (p in near and not is_inside(place))
            for p in self.places()
            if p not in self.out and self.side(p) != self.side(place)
        )

    # --- 18.8: advance

    def winner(self, pos: SanadaPosition) -> str | None:
        """The next place that may advance: beaten enemies behind it, none before it, not asked yet."""
        for place in self.places():
            if place in self.out or place in self.asked or self._threatened(pos, place):
                continue
            if any(True for _ in self._advances(pos, place)):
                return place
        return None

    def _vacated(self, pos: SanadaPosition, place: str) -> tuple[str, ...]:
        """Hexes of beaten enemies of a place that no enemy stands in now."""
        enemy = ENEMY[self.side(place)]
        goals = dict.fromkeys(
            hex_of(p) for p in self.foes(place, self.edges) if p in self.out and not is_inside(p)
        )
        return tuple(goal for goal in goals if pos.holder(goal) != enemy)

    def _advances(self, pos: SanadaPosition, place: str) -> Iterator[Advance]:
        for leader in pos.leaders(place):
            if leader not in pos.routed:
                for goal in self._vacated(pos, place):
                    yield Advance(leader, goal)

    def advances(self, pos: SanadaPosition) -> Options | None:
        place = self.winner(pos)
        if place is None:
            return None
        seat = self.side(place)
        family = Listed(Advance, lambda: self._advances(pos, place), lambda m: self._why_not(pos, place, m))
        ask = f"advance from {place} to {', '.join(self._vacated(pos, place))}, or stay"
        return Question(seat, (family, Seldom(Stay(), "18.8.3")), "advance", ask)

    def _why_not(self, pos: SanadaPosition, place: str, move: Advance) -> Refusal | None:
        refusal = not_leading(pos, move.force, self.side(place), "18.8.2")
        if refusal:
            return refusal
        if pos.place(move.force) != place or move.force in pos.routed:
            return Refusal("18.8.2", f"{move.force} is not one of the winners in {place}")
        if move.hex not in self._vacated(pos, place):
            return Refusal("18.8.1", f"an advance goes into the hex of the beaten, not to {move.hex}")
        return None

    @chooses("18.8", advances)
    def advance(self, pos: SanadaPosition, move: Advance | Stay) -> Goto:
        """Any of the winners may enter the hex, no farther; points and zones do not matter."""
        place = self.winner(pos)
        assert place is not None
        if isinstance(move, Stay):
            self.asked = (*self.asked, place)
        else:
            pos.go(move.force, move.hex)
            pos.say(Advanced(move.force, move.hex))
        return Goto("advance")

    @rule("18.3.6")
    def again(self, pos: SanadaPosition) -> Goto | Finish:
        """The battle goes on until no attack has both its ends."""
        return Goto("begin_round") if self.live() else Finish()
