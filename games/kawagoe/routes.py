"""9.62: the enemy's question where a unit falls back to, and why a route is refused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from games.kawagoe.chain import Piece, Step, push
from games.kawagoe.moves import Drive
from games.kawagoe.position import KawagoePosition
from games.kawagoe.printed import HOJO
from games.kawagoe.retreat import Flight, Route
from games.kit.hexes import HexId
from games.kit.refusals import hexes
from pbem.engine.options import Family, Refusal, View


def write_route(route: Route) -> tuple[str, ...]:
    """A route as words of an order: 1213>1214 pushes whoever is in 1213 on to 1214."""
    return tuple(">".join(step) for step in route)


def read_route(words: tuple[str, ...]) -> Route:
    """The route that words of an order mean."""
    return tuple(tuple(word.split(">")) for word in words)


class Drives(Family[Drive]):
    """Every best route of every unit that still has to fall back."""

    kind = Drive

    def __init__(self, pos: KawagoePosition, flight: Flight) -> None:
        self.pos, self.flight = pos, flight

    def moves(self, view: View) -> Iterator[Drive]:
        for piece, routes in self.flight.choices.items():
            for route in routes:
                yield Drive(piece[0], write_route(route))

    def why_not(self, move: Drive, view: View) -> Refusal | None:
        piece = next((p for p in self.flight.pieces if move.unit in p), None)
        if piece is None:
            return Refusal("9.62", f"{move.unit} does not have to fall back")
        if move.unit != piece[0]:
            return Refusal("9.62", f"the stack falls back as one: name {piece[0]}")
        route = read_route(move.path)
        best = self.flight.choices.get(piece, ())
        return None if route in best else self._fault(piece, route, best)

    def _fault(self, piece: Piece, route: Route, best: tuple[Route, ...]) -> Refusal:
        """Which rule a route breaks first."""
        if not best:
            return Refusal("9.61", f"{piece[0]} can only go after others have")
        if not route:
            return Refusal("9.61", f"{piece[0]} has to go {hexes(self.flight.number)}")
        if route in self.flight.alone(piece):
            return Refusal("9.61", "after that somebody else who fought could not fall back")
        here = self.pos.units[piece[0]].hex
        standing = dict(self.pos.held(self.flight.side))
        standing[here] = tuple(u for u in standing[here] if u not in piece)
        for number, step in enumerate(route):
            allowed = [r[number] for r in best if r[:number] == route[:number] and len(r) > number]
            if step not in allowed:
                return self._bad_step(standing, piece, here, step, allowed)
            standing, _ = push(standing, step)
            here = step[0]
        return Refusal("9.61", f"{piece[0]} has to go further: {hexes(self.flight.number)}")

    def _bad_step(
        self, standing: dict[HexId, Piece], piece: Piece, here: HexId, step: Step, allowed: list[Step]
    ) -> Refusal:
        flight, ground, to = self.flight, self.flight.ground, step[0]
        if not allowed:
            if ground.field.bailey[here] != ground.field.bailey[self.pos.units[piece[0]].hex]:
                return Refusal("9.54", "one hex out of the bailey is enough")
            return Refusal("9.61", f"{hexes(flight.number)} is the whole way")
        if to not in ground.field.terrain:
            return Refusal("9.61", f"{to} is no hex of the map: after the unit come only hexes, one by one")
        if to not in ground.field.neighbours[here]:
            return Refusal("9.61", f"{to} is not adjacent to {here}")
        if to in ground.held:
            return Refusal("9.63", f"the enemy is in {to}")
        if ground.field.lake[here][to]:
            return Refusal("9.63", f"the lake lies between {here} and {to}")
        if to not in ground.away(here):
            return Refusal("9.63", f"{to} does not lead away from every enemy that fought")
        open_ = flight.ordinary({h: u for h, u in standing.items() if u}, piece, here)
        if len(step) > 1:
            return self._bad_chain(standing, here, step, bool(open_))
        if to in open_:
            best = min((open_[s[0]] for s in allowed if s[0] in open_), default=(False, False))
            if open_[to] > best:
                return Refusal("9.64", f"there is a better hex than {to}")
            if open_[to] < best or not flight.chains:
                return Refusal("9.62", f"the way ends in {to}, and another leads on")
            return Refusal("9.77", f"from {to} somebody would have to be pushed, or the way ends there")
        if len(standing.get(to, ())) + len(piece) > flight.limit:
            if open_:
                return Refusal("9.64", f"{to} is full and others are open")
            return Refusal("9.65", f"{to} is full: write where its unit goes, as in 1213>1214")
        return Refusal("9.64", f"{to} is in an enemy zone of control")

    def _bad_chain(self, standing: dict[HexId, Piece], here: HexId, step: Step, open_: bool) -> Refusal:
        flight, ground = self.flight, self.flight.ground
        if flight.side == HOJO:
            return Refusal("9.78", "Hojo units push nobody")
        if open_:
            return Refusal("9.65", "nobody is pushed while another hex is open")
        way = (here, *step)
        for at, to in pairwise(step):
            units = standing.get(at, ())
            if any(u in ground.fighting for u in units):
                return Refusal("9.77b", f"the unit in {at} fights in this combat and cannot be pushed")
            if any(u in flight.pushed for u in units):
                return Refusal("9.73", f"the unit in {at} has been pushed once")
            if to not in ground.field.terrain or to not in ground.field.neighbours[at]:
                return Refusal("9.74", f"{to} is not adjacent to {at}, or off the map")
            if to in ground.held or to in ground.zone:
                return Refusal("9.72", f"{to} is in an enemy zone of control or held by the enemy")
            if way.count(to) > 1 or ground.field.lake[at][to]:
                return Refusal("9.72", f"nobody can be pushed from {at} to {to}")
        if standing.get(step[-1]):
            return Refusal("9.74", f"{step[-1]} is held: say where its unit goes")
        return Refusal("9.77", "fewer units can be pushed")
