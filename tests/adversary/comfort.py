"""No false comfort: whatever the adversary hid, `verify` calls lawful only what published secrets make again.

The adversary plays a whole game and lies where nobody can see it at once: it seals, shuffles, hands over,
declines and swears as it likes, with secrets of its own choosing. It may change its key in the middle and
lose the old secret, or publish less than it owes. Who lied is never called lawful; who did not is never
called a liar, lost keys or not.
"""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from pbem.engine.croupier import slot_values
from pbem.engine.notation import write
from pbem.engine.waits import AskSealed
from pbem.errors import PbemError
from pbem.filing import move_path
from pbem.protocol.deck import shuffling, wire
from pbem.protocol.papers.bodies import Answers, SealedChoice
from pbem.protocol.papers.body_checks import pack_box, unpack_box
from pbem.protocol.rounds.own_secrets import Secrets
from pbem.protocol.rounds.state import slot_place, standing_place
from pbem.verify import Verification, verify_moves
from tests.adversary.harm import Found
from tests.adversary.installed import played_by
from tests.scenes import Weather, table_of
from tests.table import Player, entry_of, give, key_of, paper_of, players
from tests.test_ledger_keys import with_new_key

GAMES: dict[str, Any] = {
    "own": lambda n, salt: players(n, options={"deck": "own"}, salt=salt),
    "shared": lambda n, salt: players(n, options={"deck": "shared"}, salt=salt),
    "weather": lambda n, salt: table_of(n, Weather(), salt=salt),
}


def verified(player: Player) -> Verification:
    """What `pbem verify` makes of a player's log."""
    files = {"game.toml": player.contract.text().encode()}
    files |= {move_path(one.number, one.entry.seat): one.entry.raw for one in player.log}
    with played_by(player.rules):
        return verify_moves(files)


@dataclass
class Liar:
    """A seat that lies about what it hides, with some other secret or some other cards."""

    player: Player
    rng: random.Random
    lies: dict[str, str] = field(default_factory=dict)
    """What was a lie, by the id of its entry."""
    published: str = "all"

    def __post_init__(self) -> None:
        self.other = self.rng.randbytes(32)

    def machine(self) -> Secrets:
        """The seat's machine with another secret; links still come from the true one."""
        lying = copy.copy(self.player.secrets)
        lying.secret = self.other
        return lying

    def body(self, owed: Any) -> tuple[Any, str]:
        """What it gives instead of an honest answer, and what the lie is; no words if it is none."""
        try:
            honest = self.player.secrets.answer(owed)
        except PbemError:
            if owed.standing:
                return Answers(), "declines a standing order that it cannot open"
            raise
        ways = []
        if owed.shuffle is not None:
            stacked = replace(owed.shuffle, cards=("gold",) * len(owed.shuffle.cards))
            ways.append((self.player.secrets._shuffle(stacked), "stacks its own deck"))
            ways.append((self.machine()._shuffle(owed.shuffle), "shuffles with another secret"))
        if owed.deliver is not None:
            box = pack_box(unpack_box(honest.deliver[0].box)[::-1])
            ways.append(
                (replace(honest, deliver=(replace(honest.deliver[0], box=box),)), "hands over rubbish")
            )
        if owed.standing and honest.standing:
            ways.append((Answers(), "declines a standing order that covers the question"))
        if owed.deck:
            ways += self._deck(honest)
        return self.rng.choice(ways) if ways else (honest, "")

    def _deck(self, honest: Answers) -> list[tuple[Any, str]]:
        """A shuffle of a shared deck that doubles a card."""
        (message, *more) = wire.unpack(honest.deck)
        if more or not isinstance(message, wire.ShuffleStep):
            return []
        deck = next(iter(self.player.ledger.state.decks))
        loaded = self._load(deck)
        twice = (loaded.masked[0], *loaded.masked[:-1])
        step = shuffling.make_shuffle(replace(loaded, masked=twice), self.player.seat, self._first())
        return [(Answers(deck=tuple(wire.pack([step]))), "doubles a card of the shared deck")]

    def _load(self, name: str) -> Any:
        from pbem.protocol.rounds import deck_duties

        return deck_duties.load(self.player.ledger.state, name)

    def _first(self) -> bytes:
        return self.player.secrets._deck_secret

    def sealed(self, owed: Any) -> tuple[SealedChoice, str]:
        """A sealed choice that is none, or that another secret made."""
        player = self.player
        wait = player.ledger.machine.waits_for(player.ledger.position)
        assert isinstance(wait, AskSealed)
        move = owed.options.sample(self.rng, player.secrets.view(owed.options))
        honest = player.secrets.sealed_choice(owed.options, move, wait.fills)
        serial = player.ledger.position.serial + 1
        places = [slot_place(f"s{serial}.{player.seat}.{n}") for n in range(len(honest.seals))]
        if self.rng.random() < 0.5:
            values = slot_values(move) if wait.fills else (write(move),)
            seals = tuple(self.machine().seal(p, v) for p, v in zip(places, values, strict=True))
            return replace(honest, seals=seals), "seals with another secret"
        seals = tuple(player.secrets.seal(place, "bid 77") for place in places)
        return replace(honest, seals=seals), "seals what is no choice"

    def standing(self) -> bytes:
        """A sealed standing order, perhaps under another secret."""
        seq = self.player.head("standing").seq
        own = self.player.secrets if self.rng.random() < 0.7 else self.machine()
        body = own.standing("loss", ["lose face"], False, seq)
        seal = own.seal(standing_place(seq), "lose face")
        return self.player.entry("standing", replace(body, lines=(), seal=seal), self.player.unseen())


class Game:
    """One game with one liar, to its end if it comes to one."""

    def __init__(self, game: str, seats: int, rng: random.Random, salt: str) -> None:
        self.rng = rng
        self.table: dict[str, Player] = GAMES[game](seats, salt)
        self.cheat = rng.choice(list(self.table))
        self.liar = Liar(self.table[self.cheat], rng)
        self.boldness = rng.choice((0.0, 0.15, 0.5))
        self.rekeyed: dict[str, bool] = {}
        """Seats that changed their key, and whether they lost the old secret."""
        self.asked: dict[str, Any] = {}
        self.trace: list[str] = []

    def play(self, steps: int = 400) -> None:
        """Until nothing more is owed, or a verdict ends it."""
        for _ in range(steps):
            raw = self._aside() or self._step()
            if raw is None:
                return
            give(self.table, raw)
            self._take_into_use()
            if any(p.ledger.state.verdict is not None for p in self.table.values()):
                return

    def _step(self) -> bytes | None:
        order = list(self.table.values())
        self.rng.shuffle(order)
        for answers in (True, False):
            for player in order:
                raw = self._give(player, answers)
                if raw is not None:
                    return raw
        return None

    def _give(self, player: Player, answers: bool) -> bytes | None:
        owed = player.owed()
        if owed is None or (owed.kind == "answers") != answers:
            return None
        lies = player.seat == self.cheat and self.rng.random() < self.boldness
        if owed.kind == "answers":
            return self._answer(player, owed, lies)
        if owed.kind == "sealed" and lies:
            body, what = self.liar.sealed(owed)
            return self._told(player, "sealed", body, what)
        if owed.kind == "audit":
            return player.audit()
        if lies and owed.options.kind == "deed" and not isinstance(player.rules, Weather):
            plain = player.secrets.orders("swear")
            hand = player.ledger.position.players[player.seat].hand
            false = any(player.secrets.value(h) == "gold" for h in hand)
            return self._told(player, "orders", plain, "swears falsely" if false else "")
        return player.decide(self.rng, self._ahead(player, owed.options))

    def _ahead(self, player: Player, options: Any) -> str:
        """Now and then what could be done now is ordered for later, too, where it is legal."""
        if self.rng.random() < 0.6:
            return ""
        listed = list(islice(options.list(player.secrets.view(options)), 20))
        chosen = self.rng.choices(listed, k=self.rng.randint(1, 3))
        machine, pos = player.ledger.machine, player.ledger.position
        return "\n".join(f"? {machine.write_move(pos, m, player.secrets.view(options))}" for m in chosen)

    def _answer(self, player: Player, owed: Any, lies: bool) -> bytes | None:
        if not lies:
            try:
                return player.entry("answers", player.secrets.answer(owed))
            except PbemError:
                return None  # what a lost or false secret closed cannot be opened: it stays silent
        try:
            body, what = self.liar.body(owed)
        except PbemError:
            return None
        return self._told(player, "answers", body, what)

    def _told(self, player: Player, kind: str, body: Any, what: str) -> bytes:
        raw = player.entry(kind, body, player.unseen() if kind != "answers" else ())
        if what:
            self.liar.lies[entry_of(raw).id] = what
            self.trace.append(what)
        return raw

    def _aside(self) -> bytes | None:
        """Now and then a standing order of the liar, or a new key for somebody."""
        roll = self.rng.random()
        if roll < 0.03 and self.boldness and not self.table[self.cheat].over:
            return self.liar.standing()
        if roll > 0.985 and len(self.rekeyed) < 2:
            self._new_key(self.rng.choice(list(self.table)))
        return None

    def _new_key(self, seat: str) -> None:
        """All others agree. An honest seat loses its old secret only where it has nothing to open with it."""
        old = self.table[seat]
        if seat in self.rekeyed or old.over:
            return
        key = key_of(seat, f"new {self.rng.random()}")
        nonce = self.rng.randbytes(32)
        paper = paper_of(old, key, nonce)
        for other, player in self.table.items():
            if other != seat:
                give(self.table, player.entry("rekey", player.secrets.consent(paper), player.unseen()))
        lost = self.rng.random() < 0.6 if seat == self.cheat or isinstance(old.rules, Weather) else False
        self.rekeyed[seat] = lost
        self.asked[seat] = (key, nonce)
        self._take_into_use()

    def _take_into_use(self) -> None:
        """A new key that the log knows by now."""
        for seat, (key, nonce) in list(self.asked.items()):
            old = self.table[seat]
            if old.ledger.keys()[seat, "decide"] != key.public:
                continue
            del self.asked[seat]
            new = with_new_key(old, key, keep_old=True, nonce=nonce)
            self.table[seat] = new
            lost = self.rekeyed[seat]
            self.trace.append(f"{seat} has a new key{', the old secret is said to be lost' if lost else ''}")
            if seat == self.cheat:
                self.liar.player = new
            if lost:
                new.audit = lambda new=new: _publish_the_new_alone(new)  # type: ignore[method-assign]

    # --- what must hold

    def judge(self) -> str | None:
        """What is wrong with the verdict of `verify`, in words."""
        one = next(p for p in self.table.values() if p.seat != self.cheat)
        found = verified(one)
        logged = {o.entry.id for o in one.log}
        lies = [what for name, what in self.liar.lies.items() if name in logged]
        blamed = {found.problem.seat} if found.problem is not None else set()
        verdict = one.ledger.state.verdict
        named = blamed | set(verdict.culprits if verdict is not None else ())
        honest = named & {s for s in self.table if s != self.cheat}
        if honest:
            cause = found.problem.cause if found.problem else verdict.reason.event if verdict else ""
            return f"{', '.join(sorted(honest))} is named, and did nothing: {cause}"
        if named and not self.liar.lies and not self.rekeyed.get(self.cheat):
            return f"{self.cheat} is named, and did nothing: {found.problem or verdict}"
        if lies and not named and covered(found, self.cheat):
            return f"called lawful, but {self.cheat} {lies[0]}"
        for seat, lost in self.rekeyed.items():
            changed = seat not in self.asked  # else the game was over before the others' consent counted
            if lost and changed and covered(found, seat) and not blamed:
                return f"{seat} did not publish its old secret, and is called audited"
        return None


def _publish_the_new_alone(player: Player) -> bytes | None:
    owed = player.owed()
    if owed is None or owed.kind != "audit":
        return None
    return player.entry("audit", replace(player.secrets.audit(), former=()))


def covered(found: Verification, seat: str) -> bool:
    """Whether `verify` says that everything this seat hid was looked at and lawful."""
    return found.ok and found.audited[seat] is True


def run_one(game: str, seats: int, seed: int, number: int) -> Found | None:
    """One game, by its numbers."""
    rng = random.Random(f"comfort {game} {seats} {seed} {number}")
    one = Game(game, seats, rng, f"comfort {number % 5}")
    one.play()
    what = one.judge()
    return None if what is None else Found(game, seats, number, what, tuple(one.trace[-20:]))
