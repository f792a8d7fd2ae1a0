"""No honest harm: honest seats with real clocks, one adversary that may sign, send and withhold anything.

After a while the adversary falls silent (or goes on to disturb). Then all honest machines must hold the
same log, none of them is named, each can do what is asked of it, and whoever waits for the adversary past
the clock can claim and win.
"""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass

from pbem.verify import verify_moves
from tests.adversary.forge import Forger
from tests.adversary.installed import played_by
from tests.adversary.memory import in_memory
from tests.adversary.world import DAY, HOUR, PLAYED, Desk, Harm, World, scene

BY_HAND = "-by-hand"
"""At the end of a game's name: the adversary gives every answer itself that a machine gives at once."""
GAMES = (*PLAYED, *(f"{game}{BY_HAND}" for game in ("own", "shared", "thieves")))
STEPS = (8, 16, 40)
"""Short courses come to more beginnings and ends, long ones further from them."""


@dataclass(frozen=True)
class Found:
    """A schedule that harmed somebody: run it again with the same three numbers."""

    game: str
    seats: int
    schedule: int
    what: str
    trace: tuple[str, ...] = ()


class Schedule:
    """One random course of events."""

    def __init__(self, world: World, steps: int) -> None:
        self.world = world
        self.rng = world.rng
        self.steps = steps
        self.cheat = world.desks[world.cheat]
        self.forger = Forger(self.cheat)
        self.boldness = self.rng.choice((0.15, 0.4, 0.8))
        self.busy = self.rng.random() < 0.4
        """Whether the adversary goes on to disturb when it is waited for."""
        away = len(world.desks) > 2 and self.rng.random() < 0.4
        self.leaves = self.rng.randrange(steps) if away else steps
        """With which step an honest seat vanishes: the adversary is then one that holds its pieces."""

    def run(self) -> None:
        """The course, and what must hold after it."""
        for number in range(self.steps):
            if number == self.leaves:
                self.world.gone = self.rng.choice(self.world.honest).seat
                self.world.note(f"{self.world.gone} vanishes")
            self.step()
            self.world.check()
        self.world.note("the adversary falls silent")
        self.settle_down()
        self.claims()
        self.world.decided()
        self.verified()

    # --- one step

    def step(self) -> None:
        """Somebody does something, or time goes by."""
        roll = self.rng.random()
        self.world.now += self.rng.randint(1, 20) * 60
        if roll < 0.45:
            self.honest_step(self.rng.choice(self.world.honest))
        elif roll < 0.88:
            self.cheat_step()
        elif roll < 0.94:
            self.world.now += self.rng.randint(1, 10) * HOUR
        elif roll < 0.97:
            self.world.note("days go by")
            self.world.pass_time(self.rng.choice((1, 2, 5)) * DAY)
        else:
            self.new_keys()

    def honest_step(self, desk: Desk) -> None:
        rng = self.rng
        if rng.random() < 0.25:
            desk.guard("open", desk.open)
        desk.read(rng.randint(1, 3))
        if rng.random() < 0.8:
            desk.decide()
        if rng.random() < 0.06 and desk.table.ledger.state.verdict is None:
            desk.aside()
        if rng.random() < 0.1:
            desk.claim()
        desk.post()

    def cheat_step(self) -> None:
        rng, desk = self.rng, self.cheat
        with suppress(Harm, Exception):
            if rng.random() < 0.3:
                desk.open()
            desk.read(rng.randint(0, 3))
        if rng.random() > self.boldness:
            with suppress(Harm, Exception):
                desk.decide()
            if rng.random() < 0.7:
                with suppress(Harm, Exception):
                    desk.post()
            return
        self.forge()

    def forge(self) -> None:
        """Something dishonest for some of the others, once or many times."""
        rng = self.rng
        to = [d for d in self.world.honest if rng.random() < 0.7] or self.world.honest[:1]
        for _ in range(rng.choice((1, 1, 1, 1, 2, 3)) if rng.random() < 0.98 else 70):
            raw = self.forger.foreign() if rng.random() < 0.12 else self.forger.entry()
            if raw is None:
                continue
            self.world.note(f"to {' '.join(d.seat for d in to)}: {_title(raw)}")
            for desk in to:
                desk.inbox.append([raw])
            if rng.random() < 0.8:
                with suppress(Harm, Exception):
                    self.cheat.table.receive([raw], answer=rng.random() < 0.7)

    def new_keys(self) -> None:
        """The adversary asks for a new key, by voice too: the others agree, or some of them."""
        paper = self.forger.paper(self.world.cheat)
        self.world.note("asks for new keys")
        for desk in self.world.honest:
            if self.rng.random() < 0.8 and desk.table.ledger.state.verdict is None:
                desk.guard("rekey", lambda desk=desk: desk.sign("rekey", lambda own: own.consent(paper)))
                if self.rng.random() < 0.7:
                    desk.post()

    # --- what must hold

    def settle_down(self) -> None:
        """Honest mail arrives, waiting times pass: one log, and nobody honest is waited for."""
        world = self.world
        for span in (HOUR, DAY, 2 * DAY):
            world.pass_time(span)
            world.check()
        world.agree()
        self.nobody_waits_for_the_honest()

    def nobody_waits_for_the_honest(self) -> None:
        """Neither in the game nor, after its end or a verdict, in the audit."""
        for desk in self.world.honest:
            silent = (self.world.cheat, self.world.gone)
            stuck = [s for s in desk.table.ledger.missing() if s not in silent]
            if stuck:
                raise Harm(f"{desk.seat} waits for {', '.join(stuck)}, who gave all they can: locked out")

    def claims(self) -> None:
        """If the game waits for the adversary, its clock runs out and the forfeit counts."""
        world, clocks = self.world, self.world.scene.contract.invite.clocks
        one = world.honest[0]
        for _ in range(8):
            if not any(desk.table.ledger.missing() for desk in world.honest):
                return
            stood = [one.table.ledger.state.clock]
            for span in (clocks.move + clocks.absence + clocks.audit + 1, clocks.grace + 1):
                self.wait(span * HOUR)
                stood.append(one.table.ledger.state.clock)
                self.everybody_claims()
            self.wait(2 * DAY)
            world.agree()
            self.nobody_waits_for_the_honest()
            silent = {world.cheat, world.gone}
            gave = not any(silent & set(desk.table.ledger.missing()) for desk in world.honest)
            ends = [desk.table.ledger.state.verdict for desk in world.honest]
            if gave or all(end is not None and not end.slot for end in ends):
                return
            if {one.table.ledger.state.clock} == set(stood):  # else a double took a decision back
                raise Harm(f"{world.cheat} is late, and a claim and a forfeit change nothing")
            self.busy = False
        raise Harm("the adversary has fallen silent, and the game does not end")

    def wait(self, span: int) -> None:
        """Time passes; an adversary that disturbs does so meanwhile, but does not decide."""
        world = self.world
        if not self.busy:
            world.now += span
        else:
            for _ in range(4):
                world.now += span // 4
                for _ in range(self.rng.choice((0, 1, 3)) if self.rng.random() < 0.95 else 20):
                    self.forge()
                world.exchange()
                world.check()
        world.exchange()
        world.check()

    def everybody_claims(self) -> None:
        desks = list(self.world.honest)
        self.rng.shuffle(desks)
        for desk in desks:
            desk.claim()
            if self.rng.random() < 0.6:
                self.world.exchange()
        self.world.exchange()
        self.world.check()

    def verified(self) -> None:
        """Whatever an honest machine holds verifies, or what is wrong in it is the adversary's."""
        repo = self.world.honest[0].table.repo
        with played_by(self.world.scene.rules):
            found = verify_moves(repo.files("game.toml") | repo.files("moves/"))
        if not found.ok and found.problem is not None and found.problem.seat != self.world.cheat:
            raise Harm(
                f"verify: entry {found.problem.entry} of {found.problem.seat!r}: {found.problem.cause}"
            )


def _title(raw: bytes) -> str:
    fields = {b"kind", b"seat", b"seq", b"sent", b"game"}
    lines = [line for line in raw.split(b"\n")[:14] if line.split(b" ")[0] in fields]
    return b", ".join(lines).decode("utf-8", "replace").replace('"', "")[:200]


def _end(desk: Desk) -> list[str]:
    """Where a machine stands: its last entries, its verdict, what waits."""
    ledger = desk.table.ledger
    last = [commit.message.strip() for _, commit in desk.table.repo.line[-12:]]
    waits = [f"  waits: {_title(e.raw)} {e.id[:6]} head {e.head.head[:6]}" for e in ledger.pool.values()]
    known = f"missing {list(ledger.missing())}, verdict {ledger.state.verdict}, head {ledger.state.head[:6]}"
    return [f"{desk.seat}: {', '.join(last)}; {known}", *waits[:8]]


def run_one(game: str, seats: int, seed: int, number: int) -> Found | None:
    """One schedule, by its numbers."""
    rng = random.Random(f"harm {game} {seats} {seed} {number}")
    with in_memory() as folder:
        played = scene(game.removesuffix(BY_HAND), seats, rng.randrange(3))
        world = World(played, folder, rng, rng.randrange(1000))
        world.desks[world.cheat].by_hand = game.endswith(BY_HAND)
        schedule = Schedule(world, rng.choice(STEPS))
        try:
            schedule.run()
        except Harm as harm:
            ends = [line for desk in world.honest for line in _end(desk)]
            return Found(game, seats, number, str(harm), (*world.trace[-30:], *ends))
    return None
