"""19.1 ASSAULT: one castle stormed, round by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from random import Random

from games.kit.families import Seldom
from games.sanada.losses import FaceDown, Losses, suffer
from games.sanada.moves import Bear, CallOff, Lose, PressOn
from games.sanada.position import SanadaPosition
from games.sanada.refusals import Question
from games.sanada.retreat import Rout
from games.sanada.strength import Blow, counted, fighters, rating, strength, strike
from games.sanada.terms import ENEMY, INSIDE
from games.sanada.victory import castle_taken, eliminate, sudden
from pbem.engine.events import Event, Fact
from pbem.engine.options import Among, Family, Options, Refusal, View
from pbem.engine.procedure import Dice, Finish, Goto, Perform, Procedure, chooses, rolls, rule

WALLS = "walls"
"""A hit on the castle's durability (19.1.8)."""
BARE = 1
"""19.1.4: the strength of the castle itself."""


class AssaultBegan(Event):
    says = "assault on {castle}, round {round}: {own}; castle {bare}, and {garrison}"
    castle: str
    round: int
    own: Fact
    bare: int
    garrison: Fact
    attack: int
    defence: int
    walls: int


class AssaultBlow(Blow):
    says = "{who} (rating {rating} to {other} {better:+}, castle {bonus:+}): " + Blow.says
    place: str
    who: str
    rating: int
    other: int
    better: int
    bonus: int


class WallsBroken(Event):
    says = "durability of {castle} is {walls} now"
    castle: str
    walls: int


@dataclass(slots=True)
class Storm(Procedure):
    """19.1: an assault on one castle by everybody outside it (19.1.2)."""

    seat: str
    castle: str
    place: str
    """Its hex."""
    round: int = 0
    attack_hits: int = 0
    """Hits that the attacker has yet to take …"""
    castle_hits: int = 0
    """… and the castle."""

    @rule("19.1.3")
    def begin_round(self, pos: SanadaPosition) -> None:
        """Everybody in the hex takes part; the castle counts one and its garrison (19.1.4)."""
        self.round += 1
        own, garrison = fighters(pos, self.place), pos.at(self.place + INSIDE)
        pos.say(
            AssaultBegan(
                castle=self.castle,
                round=self.round,
                own=counted(pos, own),
                bare=BARE,
                garrison=counted(pos, garrison),
                attack=strength(pos, own),
                defence=strength(pos, garrison) + BARE,
                walls=pos.walls(self.castle),
            )
        )

    @rolls("19.1.3", Dice(4, 6))
    def exchange(self, pos: SanadaPosition, dice: tuple[int, ...]) -> None:
        """The castle's strength against the attacker and for the defender, one for the better commander."""
        own, garrison = fighters(pos, self.place), pos.at(self.place + INSIDE)
        attack, defence = rating(pos, own), rating(pos, garrison)
        better = (attack > defence) - (attack < defence)
        walls = pos.strength(self.castle)
        points = strength(pos, own), strength(pos, garrison) + BARE
        self.castle_hits = strike(
            pos,
            partial(
                AssaultBlow,
                place=self.place,
                who=self.seat,
                rating=attack,
                other=defence,
                better=better,
                bonus=-walls,
            ),
            points[0],
            (dice[0], dice[1]),
            better - walls,
            "19.1.3",
        )
        self.attack_hits = strike(
            pos,
            partial(
                AssaultBlow,
                place=self.place + INSIDE,
                who=self.castle,
                rating=defence,
                other=attack,
                better=-better,
                bonus=walls,
            ),
            points[1],
            (dice[2], dice[3]),
            walls - better,
            "19.1.3",
        )

    def wounds(self, pos: SanadaPosition) -> Options | None:
        if not self.attack_hits:
            return None
        losses = Losses(pos, fighters(pos, self.place), self.attack_hits)
        return Question(self.seat, (losses,), "loss", f"{self.attack_hits} hits: {losses.words()}")

    @chooses("18.3.5", wounds)
    def lose(self, pos: SanadaPosition, move: Lose) -> None:
        """The attacker suffers as in a battle."""
        suffer(pos, fighters(pos, self.place), self.attack_hits, move, "18.3.5")

    def burden(self, pos: SanadaPosition) -> Options | None:
        if not self.castle_hits:
            return None
        family = Burdens(pos, self.castle, self.castle_hits)
        ask = f"{self.castle} suffers {family.count} hits: name who bears them, units or {WALLS}"
        return Question(ENEMY[self.seat], (family,), "bear", ask)

    @chooses("19.1.8", burden)
    def bear(self, pos: SanadaPosition, move: Bear) -> None:
        """The defender splits the hits between garrison and walls, point by point."""
        for hit in move.hits:
            if hit == WALLS:
                pos.hold(self.castle, lost=pos.castles[self.castle].lost + 1)
            elif not pos.units[hit].down:
                pos.turn_over(hit, True)
                pos.say(FaceDown((hit,)))
            else:
                eliminate(pos, hit, "19.1.8")
        if WALLS in move.hits:
            left = pos.walls(self.castle)
            pos.say(WallsBroken(self.castle, left, rule="19.1.9"))

    @rule("19.1.9")
    def fall(self, pos: SanadaPosition) -> Finish | None:
        """Without durability the castle falls, whoever is left inside or outside (19.1.9-a, -b)."""
        self.attack_hits = self.castle_hits = 0
        fallen = pos.walls(self.castle) <= 0
        if fallen:
            castle_taken(pos, self.castle, "19.1.9")
        return Finish() if sudden(pos) or fallen else None

    @rule("19.1.6")
    def beaten(self, pos: SanadaPosition) -> Perform | Finish | None:
        """Attackers who are all face-down are beaten and leave; a garrison may pursue (19.1.6-a)."""
        own = fighters(pos, self.place)
        if not own:
            return Finish()
        if not pos.spent(own):
            return None
        if pos.option("spent_assault") == "call-off":
            return Finish()
        inside = self.place + INSIDE
        pursuers = (inside,) if pos.at(inside) else ()
        return Perform(Rout(self.seat, self.place, (inside,), pursuers, battle=False), then="over")

    def choice(self, pos: SanadaPosition) -> Options:
        families = (Among(PressOn, [PressOn()], "19.1.6"), Seldom(CallOff(), "19.1.6", 0.4))
        return Question(self.seat, families, "assault", f"press on against {self.castle}, or call it off")

    @chooses("19.1.6", choice)
    def press(self, pos: SanadaPosition, move: PressOn | CallOff) -> Goto | None:
        """After any round the attacker may call it off; he does not retreat and is not pursued."""
        return Goto("begin_round") if isinstance(move, PressOn) else None

    @rule("19.1.6")
    def over(self, pos: SanadaPosition) -> Finish:
        """The castle has held."""
        return Finish()


class Burdens(Family[Bear]):
    """Every way to share so many hits between a garrison and its walls; units first, in order, then walls."""

    kind = Bear

    def __init__(self, pos: SanadaPosition, castle: str, hits: int) -> None:
        units = pos.at(pos.stronghold(castle).hex + INSIDE)
        self.castle = castle
        self.limits = {u: 1 if pos.units[u].down else 2 for u in units} | {WALLS: pos.walls(castle)}
        self.count = min(hits, sum(self.limits.values()))

    def moves(self, view: View) -> Iterator[Bear]:
        return (Bear(hits) for hits in self._share(tuple(self.limits), self.count))

    def _share(self, names: tuple[str, ...], count: int) -> Iterator[tuple[str, ...]]:
        if not names:
            if not count:
                yield ()
            return
        beyond = sum(self.limits[n] for n in names[1:])
        for taken in range(max(0, count - beyond), min(count, self.limits[names[0]]) + 1):
            for rest in self._share(names[1:], count - taken):
                yield (*(names[0],) * taken, *rest)

    def sample(self, rng: Random, view: View) -> Bear:
        pool = [name for name, limit in self.limits.items() for _ in range(limit)]
        chosen = Counter(rng.sample(pool, self.count))
        return Bear(tuple(name for name in self.limits for _ in range(chosen[name])))

    def why_not(self, move: Bear, view: View) -> Refusal | None:
        given = Counter(move.hits)
        for name, times in given.items():
            if name not in self.limits:
                return Refusal("19.1.8", f"{name} is not in {self.castle} castle")
            if times > self.limits[name]:
                return Refusal("19.1.8", f"{name} bears no more than {self.limits[name]} hits")
        if len(move.hits) != self.count:
            return Refusal("19.1.8", f"{self.count} hits are to be borne, not {len(move.hits)}")
        return None
