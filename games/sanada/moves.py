"""The orders of sanada, each with its notation. A Force is named by its leader, a castle by hex or name."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.notation import Move


@dataclass(frozen=True, slots=True)
class Muster(Move):
    """24.1.1: the units that begin at Osaka Castle, Force by Force: leader+unit+unit, /in for inside;
    nothing named: the usual choice."""

    notation = "muster {forces*}"
    forces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deploy(Move):
    """17.1.3: how the Kanto Forces begin, leader+unit@hex or @hex/in; the others stand as usual."""

    notation = "deploy {forces*}"
    forces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mobilize(Move):
    """24.2.2: a unit of the box comes to Osaka Castle, outside or inside."""

    notation = "mobilize {unit} to {place}"
    unit: str
    place: str


@dataclass(frozen=True, slots=True)
class Enter(Move):
    """23.1.1: a reinforcement enters the map."""

    notation = "enter {unit} at {place}"
    unit: str
    place: str


@dataclass(frozen=True, slots=True)
class DoneEntering(Move):
    """23.2.2: nobody else enters this turn."""

    notation = "done entering"


@dataclass(frozen=True, slots=True)
class Restore(Move):
    """13.1.2: a face-down unit is turned face-up for a point."""

    notation = "restore {unit}"
    unit: str


@dataclass(frozen=True, slots=True)
class DoneRestoring(Move):
    """13.2.2: the points that are left are lost."""

    notation = "done restoring"


@dataclass(frozen=True, slots=True)
class Act(Move):
    """14.2.1: a Force begins to act."""

    notation = "act {force}"
    force: str


@dataclass(frozen=True, slots=True)
class Check(Move):
    """15.1.1: a Force tries to act out of turn."""

    notation = "check {force}"
    force: str


@dataclass(frozen=True, slots=True)
class EndMoves(Move):
    """14.2.4: nobody moves any more in this phase."""

    notation = "done moving"


@dataclass(frozen=True, slots=True)
class Join(Move):
    """16: a unit joins the Force of a commander in its place."""

    notation = "join {unit} to {leader}"
    unit: str
    leader: str


@dataclass(frozen=True, slots=True)
class Detach(Move):
    """16: a unit leaves its Force and becomes one of its own."""

    notation = "detach {unit}"
    unit: str


@dataclass(frozen=True, slots=True)
class March(Move):
    """14.2.3: the Force goes to a hex, by the cheapest way; it may go on."""

    notation = "move {force} to {hex}"
    force: str
    hex: str


@dataclass(frozen=True, slots=True)
class Overrun(Move):
    """20: the Force attacks an adjacent hex in the middle of its move."""

    notation = "overrun {hex} with {force}"
    hex: str
    force: str


@dataclass(frozen=True, slots=True)
class Engage(Move):
    """21.1.1: an engaged marker is placed between the Force and an adjacent enemy Force."""

    notation = "engage {target} with {force}"
    target: str
    force: str


@dataclass(frozen=True, slots=True)
class Garrison(Move):
    """17.1.1: the Force goes into the castle of its hex."""

    notation = "garrison {force}"
    force: str


@dataclass(frozen=True, slots=True)
class Leave(Move):
    """17.1.2: the Force comes out of the castle and stays in the hex."""

    notation = "leave {force}"
    force: str


@dataclass(frozen=True, slots=True)
class Fort(Move):
    """22.1: the Force builds a fort instead of moving."""

    notation = "fort {force}"
    force: str


@dataclass(frozen=True, slots=True)
class Invest(Move):
    """19.2.1: the castle of that hex is put under siege."""

    notation = "invest {hex}"
    hex: str


@dataclass(frozen=True, slots=True)
class Halt(Move):
    """14.2.1: the Force has done what it does in this phase."""

    notation = "halt {force}"
    force: str


@dataclass(frozen=True, slots=True)
class Attack(Move):
    """18.1: the Forces of a place (a hex, or hex/in for a garrison) will attack that hex."""

    notation = "attack {hex} from {place}"
    hex: str
    place: str


@dataclass(frozen=True, slots=True)
class EndAttacks(Move):
    """18.1: all battles are declared."""

    notation = "done declaring"


@dataclass(frozen=True, slots=True)
class Fight(Move):
    """18.1: the battle around that hex is fought next."""

    notation = "fight {hex}"
    hex: str


@dataclass(frozen=True, slots=True)
class Allot(Move):
    """18.9.4: how a place divides its strength, written hex=points."""

    notation = "allot {place} {shares*}"
    place: str
    shares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lose(Move):
    """18.3.5: the units that suffer: those that are flipped, or, if all are, those that are removed."""

    notation = "lose {units*}"
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bear(Move):
    """19.1.8: who bears the hits of an assault, a name for each: units, and `walls`."""

    notation = "bear {hits*}"
    hits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stand(Move):
    """18.3.6: the Forces of a place fight on."""

    notation = "stand {place}"
    place: str


@dataclass(frozen=True, slots=True)
class GiveUp(Move):
    """18.3.6: the Forces of a place retreat."""

    notation = "give up {place}"
    place: str


@dataclass(frozen=True, slots=True)
class Pursue(Move):
    """18.6: the Forces of a place pursue."""

    notation = "pursue with {place}"
    place: str


@dataclass(frozen=True, slots=True)
class Hold(Move):
    """18.6: the Forces of a place do not pursue."""

    notation = "hold {place}"
    place: str


@dataclass(frozen=True, slots=True)
class Retreat(Move):
    """18.7.6: a Force falls back, hex by hex; `in` at the end: into the castle there."""

    notation = "retreat {force} {path*}"
    ordered = ("path",)
    force: str
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Advance(Move):
    """18.8.1: a winner enters the hex of the beaten."""

    notation = "advance {force} to {hex}"
    force: str
    hex: str


@dataclass(frozen=True, slots=True)
class Stay(Move):
    """18.8.3: nobody (else) advances."""

    notation = "stay"


@dataclass(frozen=True, slots=True)
class Assault(Move):
    """19.1.2: the castle of that hex is assaulted."""

    notation = "assault {hex}"
    hex: str


@dataclass(frozen=True, slots=True)
class EndAssaults(Move):
    """19.1.1: no more assaults."""

    notation = "done assaulting"


@dataclass(frozen=True, slots=True)
class PressOn(Move):
    """19.1.6: the assault goes on."""

    notation = "press on"


@dataclass(frozen=True, slots=True)
class CallOff(Move):
    """19.1.6: the assault is called off."""

    notation = "call off"


@dataclass(frozen=True, slots=True)
class EndInvesting(Move):
    """19.1.7: no more sieges are begun."""

    notation = "done investing"


MOVES: tuple[type[Move], ...] = (
    Muster,
    Deploy,
    Mobilize,
    Enter,
    DoneEntering,
    Restore,
    DoneRestoring,
    Act,
    Check,
    EndMoves,
    Join,
    Detach,
    March,
    Overrun,
    Engage,
    Garrison,
    Leave,
    Fort,
    Invest,
    Halt,
    Attack,
    EndAttacks,
    Fight,
    Allot,
    Lose,
    Bear,
    Stand,
    GiveUp,
    Pursue,
    Hold,
    Retreat,
    Advance,
    Stay,
    Assault,
    EndAssaults,
    PressOn,
    CallOff,
    EndInvesting,
)
