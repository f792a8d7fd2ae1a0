"""A second reading of suikoden's battle (D33 to D46, Q06 to Q45), from the book and not from the program.

It reads position.toml and the pack's files as plain tables and knows nothing of games/suikoden. `watch`
plays random games, stops at every clash before the comparison and after the spoils, and compares what the
program made of it with what the book says. The long run: `python -m tests.suikoden_book 10000`.
"""

from __future__ import annotations

import random
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "games" / "suikoden" / "data"
Table = dict[str, Any]


def _pack() -> tuple[dict[str, Table], dict[str, Table]]:
    people = tomllib.loads((DATA / "people.toml").read_text("utf-8"))["person"]
    lands = tomllib.loads((DATA / "lands.toml").read_text("utf-8"))["land"]
    return {p["id"]: p for p in people}, {land["id"]: land for land in lands}


PEOPLE, LANDS = _pack()
COLUMN = {"攻": "attack", "防": "defence", "智": "wit"}


class Reading:
    """One clash as position.toml has it."""

    def __init__(self, position: Table) -> None:
        self.pos = position
        self.battle: Table = position["battle"]
        self.clash: Table = position["clash"]
        self.field: dict[str, Table] = position["field"]
        self.shared = position.get("mode") == "shared-deck"
        self.attack: str = self.clash["attack"]
        self.defence: str = self.clash["defence"]
        self.siege = bool(self.clash.get("siege"))

    # --- cards

    def side(self, seat: str) -> Table:
        return self.pos["sides"].get(seat, {})  # type: ignore[no-any-return]

    def seat(self, card: str) -> str:
        return str(self.battle["attacker" if card == self.attack else "defender"])

    def land_of(self, seat: str) -> str:
        return str(self.pos.get("land", "") if self.shared else self.side(seat).get("land", ""))

    def printed(self, card: str) -> Table:
        if not card.startswith("grove:"):
            return PEOPLE[card]
        attack, defence, wit = LANDS[self.land_of(card.removeprefix("grove:"))]["body"]
        return {"attack": attack, "defence": defence, "wit": wit, "keywords": [], "abilities": [],
                "name": "", "attribute": "", "cost": ""}  # fmt: skip

    def marks(self, card: str) -> list[Table]:
        return [m for m in self.pos.get("marks", []) if m.get("card") == card]

    def has(self, card: str, keyword: str) -> bool:
        """Of what was gained and lost the newest counts (Q34)."""
        found = any(k.rstrip("0123456789") == keyword for k in self.printed(card)["keywords"])
        for mark in self.marks(card):
            if mark.get("keyword") == keyword:
                found = mark["kind"] == "grant"
        return found

    def texts(self, card: str) -> list[str]:
        """The abilities that work: none in S (S04)."""
        lost = any(m["kind"] == "lose" and m.get("word") == "abilities" for m in self.marks(card))
        return [] if self.shared or lost else list(self.printed(card)["abilities"])

    def battle_land(self) -> Table:
        """The land that is attacked; none while it fights itself."""
        groves = self.battle.get("groves", [])
        if self.battle["defender"] in groves or (self.shared and groves):
            return {}
        return LANDS.get(self.land_of(self.battle["defender"]), {})

    # --- conditions

    def true(self, card: str, condition: str) -> bool:
        other = self.defence if card == self.attack else self.attack
        fights = card in (self.attack, self.defence)
        if condition.startswith("opp has"):
            return fights and self.has(other, condition.split()[2])
        if condition.startswith("opp is"):
            return fights and self.printed(other)["attribute"] == condition.split()[2]
        if condition.startswith("role"):
            role = "attack" if card == self.attack else "siege" if self.siege else "intercept"
            return fights and role == condition.split()[1]
        if condition.startswith("land"):
            return bool(self.battle_land().get("name") == condition.split()[1])
        if condition == "hand=0":
            return not self.side(self.field[card]["seat"]).get("hand")
        side, inner, least = re.fullmatch(r"(own|any)\.field\[(.*)\]>=(\d+)", condition).groups()  # type: ignore[union-attr]
        there = [
            c for c, one in self.field.items() if side == "any" or one["seat"] == self.field[card]["seat"]
        ]
        if inner.startswith("name:"):
            names = inner.removeprefix("name:").split("|")
            return sum(self.printed(c)["name"] in names for c in there) >= int(least)
        return sum(self.has(c, inner) for c in there) >= int(least)

    # --- values (Q18)

    def value(self, card: str, stat: str) -> int:
        column = COLUMN[stat]
        printed = int(self.printed(card)[column])
        marks = [m for m in self.marks(card) if column in m]
        if any(m["kind"] == "fix" for m in marks):
            return printed  # Q39
        changed = [m[column] for m in marks if m["kind"] == "set"]
        value = changed[-1] if changed else printed
        value += sum(m[column] for m in marks if m["kind"] == "add")
        for text in self.texts(card):
            if text.startswith("always: -> count self"):
                if f" {stat}+" in text:
                    value += len(self.side(self.field[card]["seat"]).get("wander", []))  # Q28
            elif text.startswith("always: -> add self"):
                condition = re.search(r"\(if (.*)\)", text)
                if condition is None or self.true(card, condition.group(1)):
                    value += sum(int(n) for n in re.findall(rf"{stat}([+-]\d+)", text))
        return max(0, value + self.ground(card, stat))

    def ground(self, card: str, stat: str) -> int:
        """D31: what the land does in a siege."""
        land = self.battle_land()
        if not self.siege or not land:
            return 0
        found = 0
        if card == self.defence and stat == "防":
            found += land.get("wall", 0)
            found += 1 if land.get("current") and self.has(card, "水軍") else 0
        if card == self.attack and stat == "攻":
            if not self.has(card, "水軍") and not self.has(card, "操舵"):
                found -= land.get("current", 0)
            if self.has(card, "騎馬"):
                found -= land.get("slope", 0)
        return found

    def declared(self, card: str) -> str:
        """The stratagem of a fighter, "" if it was made void."""
        said = str(self.clash.get("method" if card == self.attack else "answer", ""))
        return "" if self.seat(card) in self.clash.get("void", []) else said

    def compared(self, card: str) -> int:
        """6-1: 智 by a stratagem, 防 in a siege, else 攻."""
        if self.declared(card):
            return self.value(card, "智")
        return self.value(card, "防" if card == self.defence and self.siege else "攻")

    def method(self, card: str) -> str:
        """A stratagem that has effect: 妖術 against 妖術 cancels out."""
        mine = self.declared(card)
        other = self.declared(self.defence if card == self.attack else self.attack)
        return "" if mine == other == "妖術" else mine

    # --- what follows

    def result(self) -> tuple[str, str, int]:
        """Winner, loser ("" for a draw) and the difference."""
        mine, theirs = self.compared(self.attack), self.compared(self.defence)
        if mine == theirs:
            return "", "", 0
        if mine > theirs:
            return self.attack, self.defence, mine - theirs
        return self.defence, self.attack, theirs - mine

    def retreat_cost(self) -> int:
        """D44: the difference, twice against 妖術, what cards and the land say, at least 1."""
        winner, loser, cost = self.result()
        if not loser:
            return 0
        if self.method(winner) == "妖術":
            cost *= 2
        for card, who in ((loser, "self"), (winner, "opp")):
            for text in self.texts(card):
                found = re.match(rf"retreats: -> retreat {who} (x?)([+-]?\d+)", text)
                if found:
                    cost = cost * int(found.group(2)) if found.group(1) else cost + int(found.group(2))
        if self.siege and loser == self.defence:
            cost -= self.battle_land().get("refuge", 0)
        return max(1, cost)

    def refuge(self) -> str:
        """Where a retreat leads: wander, hand (水計), or what a card says."""
        winner, loser, _ = self.result()
        for mark in self.marks(loser):
            if mark["kind"] == "retreat":
                return str(mark["word"])
        for text in self.texts(loser):
            found = re.match(r"retreats: -> retreat self to (\w+)", text)
            if found:
                return found.group(1)
        return "hand" if self.method(winner) == "水計" else "wander"

    def end_of(self, *, retreated: bool, keep_land: bool) -> tuple[dict[str, str], bool]:
        """Where both fighters are when all is done, and whether the defender's land has fallen."""
        winner, loser, _ = self.result()
        where = {}
        for card in (self.attack, self.defence):
            if card == loser:
                continue
            inside = self.siege and winner == self.defence == card
            where[card] = "ready" if inside and self.field[card].get("state", "ready") == "ready" else "acted"
            again = any(t.startswith("won: -> ready self") for t in self.texts(card))
            if card == winner and again and card not in self.battle.get("used", []):
                where[card] = "ready"
            if (
                self.method(card) == "妖術"
                and self.pos.get("options", {}).get("sorcerer-wanders") != "battle"
            ):
                where[card] = "wander"
        inside_lost = self.siege and loser == self.defence
        fallen = inside_lost and not (retreated and keep_land)
        if not loser:
            return where, False
        if loser.startswith("grove:"):  # a grove that retreats lies on top again
            where[loser] = "acted" if retreated else "gone"
            fallen = not retreated and loser == self.defence
        elif retreated:
            where[loser] = "acted" if self.refuge() == "field" else self.refuge()
        elif self.siege or self.method(winner) in ("火計", "水計"):
            where[loser] = "discard"
        else:
            where[loser] = "trophy"
        taken = self.shared and (fallen or (loser.startswith("grove:") and not retreated))
        return {c: "gone" if taken and c.startswith("grove:") else p for c, p in where.items()}, fallen


def place_of(position: Table, card: str) -> str:
    """Where a card is, in the words of `Reading.end_of`."""
    if card in position.get("field", {}):
        return str(position["field"][card].get("state", "ready"))
    for side in position["sides"].values():
        for pile, word in (
            ("wander", "wander"),
            ("hand", "hand"),
            ("discard", "discard"),
            ("trophies", "trophy"),
        ):
            if card in side.get(pile, []):
                return word
    return "discard" if card in position.get("discards", []) else "gone"


def lands_of(position: Table, seat: str) -> list[str]:
    """What lies open before a seat, or in the middle."""
    side = position["sides"].get(seat, {})
    return [str(position.get("land", "")), str(side.get("land", "")), *side.get("ruins", [])]


# --- watching the program


def differences(before: Table, after: Table, frame: Table) -> Iterator[str]:
    """What the program made of a clash, where the book says something else."""
    book = Reading(before)
    winner, loser, margin = book.result()
    said = (frame["winner"], frame["loser"], frame["margin"])
    if said != (winner, loser, margin):
        numbers = f"{book.compared(book.attack)} : {book.compared(book.defence)}"
        yield f"{book.attack} {numbers} {book.defence}, not {said}"
        return
    if "outcome" in after:
        return  # the game ended in the middle of it
    keep = before.get("options", {}).get("siege-retreat") == "saves-land"
    where, fallen = book.end_of(retreated=frame["retreated"], keep_land=keep)
    for card, place in where.items():
        found = place_of(after, card)
        if found != place:
            yield f"{card} is {found}, not {place}"
    if fallen != bool(after["battle"].get("razed")):
        yield f"the land has{'' if fallen else ' not'} fallen by the book"


def watch(clashes: int, scenario: str, seed: int = 0) -> list[str]:
    """So many clashes of random games: what differs, each with its game."""
    from games.suikoden.aftermath import Aftermath
    from games.suikoden.rules import SUIKODEN
    from pbem.engine.croupier import Croupier, random_player
    from pbem.engine.machine import Machine
    from pbem.playtest.local import any_start, begin, is_over

    found: list[str] = []
    seen: list[Table] = []
    done = 0
    steps = Aftermath.steps

    def before(frame: Any, pos: Any) -> Any:
        both = all(card in pos.field for card in (pos.clash.attack, pos.clash.defence))
        seen[:] = [tomllib.loads(pos.text())] if both else []
        return steps["compare"].run(frame, pos)

    def cost(frame: Any, pos: Any, move: Any) -> Any:
        said = next(e for e in [*pos.events[::-1], None] if e is None or "order" in e.data)
        result = steps["retreat"].run(frame, pos, move)
        costs = [e.data["cost"] for e in pos.events if "cost" in e.data and e.rule == "D44"]
        if costs and seen and costs[-1] != Reading(seen[0]).retreat_cost():
            found.append(
                f"{seed}: a retreat costs {costs[-1]}, not {Reading(seen[0]).retreat_cost()} ({said})"
            )
        return result

    def after(frame: Any, pos: Any) -> Any:
        nonlocal done
        done += 1
        if seen:
            fields = {n: getattr(frame, n) for n in ("winner", "loser", "margin", "retreated")}
            found.extend(f"{seed}: {one}" for one in differences(seen[0], tomllib.loads(pos.text()), fields))
        seen.clear()
        return steps["close"].run(frame, pos)

    patched = {"compare": before, "retreat": cost, "close": after}
    Aftermath.steps = {n: replace(s, run=patched.get(n, s.run)) for n, s in steps.items()}
    try:
        machine = Machine(SUIKODEN, SUIKODEN.load_pack())
        while done < clashes:
            rng = random.Random(f"book {scenario} {seed}")
            croupier = Croupier(machine, rng)
            pos = begin(croupier, any_start(SUIKODEN, machine.pack, scenario, rng))
            players = {seat: random_player(rng) for seat in pos.seats}
            while not is_over(machine, pos):
                pos = croupier.play(pos, players).position
            seed += 1
    finally:
        Aftermath.steps = steps
    return found


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    problems = watch(wanted // 2, "deck-building") + watch(wanted // 2, "shared-deck")
    print("\n".join(problems) or f"no difference in {wanted} clashes")
    sys.exit(bool(problems))
