"""What [protocol] must say after each round, from `pbem help protocol` alone: it imports nothing of pbem.

It knows no rules of any game: whom a round asked, and whether it had an effect, is seen in what came of it.
Numbers, times, keys, links, decisions, seeds, offers, votes, openings and verdicts are made again.
"""

from __future__ import annotations

import base64
import copy
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from cryptography.exceptions import InvalidSignature

from tests import second_clocks
from tests.second_contract import Bad, Contract
from tests.second_links import Shown, check_opened, lawful_steps
from tests.second_rounds import IN_TURN, SEAT, Round, Signed, read, rounds
from tests.second_signatures import H, check_signature, signed_part, strings


def check(contract: Contract, raws: Sequence[bytes], positions: Sequence[str]) -> int:
    """Every round of a game; how many there were."""
    entries = [read(number, raw) for number, raw in enumerate(raws, 1)]
    voided = settled(contract, entries)
    done = 0
    for one in rounds(entries, positions):
        taken_out = [set(), voided & {e.id for e in one.entries}]
        found = [
            _wrong(Check(contract, one, void, entries, *way)) for way in one.ways() for void in taken_out
        ]
        if all(found):
            raise next(wrong for wrong in found if wrong)
        done += 1
    return done


def _wrong(one: Check) -> Bad | None:
    """What is wrong with a round, if it came about like this."""
    try:
        one.all()
    except Bad as error:
        return error
    except (KeyError, ValueError, TypeError, InvalidSignature) as error:
        return Bad(one.round.number, repr(error))
    return None


def settled(contract: Contract, entries: Sequence[Signed]) -> set[str]:
    """What all but its author agreed to take out, if it is a breach: a replay reads all `settle` first."""
    votes: dict[tuple[str, str, str], set[str]] = {}
    for entry in entries:
        if entry.kind == "settle":
            body = entry.body
            votes.setdefault((body["void"], body["culprit"], body.get("counts", "")), set()).add(entry.seat)
    found = set()
    for (void, culprit, _), voters in votes.items():
        if voters >= {seat for seat in contract.seats if seat not in culprit.split(", ")}:
            found.add(void)
    return found


class Check:
    """One round, made again on a copy of what [protocol] said before it."""

    def __init__(
        self,
        contract: Contract,
        one: Round,
        voided: set[str],
        log: Sequence[Signed],
        way: str,
        given: dict[str, Signed],
    ) -> None:
        self.contract, self.round, self.voided, self.log = contract, one, voided, log
        self.way, self.given = way, given
        self.now = copy.deepcopy(one.before)
        self.changed = False
        """Whether an entry out of turn changed the position, so that the round has no effect."""
        self.replaced: set[str] = set()

    def fail(self, why: str) -> None:
        raise Bad(self.round.number, why)

    def same(self, name: str, mine: object, theirs: object) -> None:
        if mine != theirs:
            self.fail(f"{name} is {theirs!r}, and should be {mine!r}")

    def all(self) -> None:
        for entry in self.round.entries:
            self._signed(entry)
            self._number(entry)
        after, answers = self.round.after, self.given
        self.same("number", self.round.number, after["number"])
        self.same("head", self.round.entries[-1].id, after["head"])
        self.same("since", self.now["since"], after["since"])
        if self.round.verdict is not None:
            self._verdict(self.round.verdict)
        if not self.round.undone:
            second_clocks.confirm(self.now, [e for e in answers.values() if e.kind in IN_TURN])
            for entry in self.round.entries:
                if answers.get(entry.seat) is not entry and entry.id not in self.voided:
                    self._aside(entry)
            if self.way == "complete":
                self._answers()
                self._openings()
        self._links()
        self._compare()

    # --- what holds of every entry

    def _signed(self, entry: Signed) -> None:
        if entry.head["game"] != self.contract.game.hex() or entry.head["sent"] < self.contract.begin:
            self.fail("an entry of another game, or dated before it began")
        seat, text = self.round.before["seats"][entry.seat], signed_part(entry.raw, entry.head)
        key = seat["key"] if entry.lane == "decide" else seat["answer_key"]
        public = bytes.fromhex(key) if key else self.contract.seats[entry.seat].keys[entry.lane]
        check_signature(public, text[1], text[0], "pbem-entry-v1")

    def _number(self, entry: Signed) -> None:
        """The next of its author in its lane, not dated before the last; only half of a double is not."""
        seat, head = self.now["seats"][entry.seat], entry.head
        names = ("decided", "decision") if entry.lane == "decide" else ("answered", "answer")
        told = self.round.verdict
        if (head["seq"], head["prev"]) != (seat[names[0]] + 1, seat[names[1]]):
            if told is None or not told.get("first") or entry.id != told["entry"]:
                self.fail(f"entry {entry.number} does not follow its author's last one")
        else:
            seat[names[0]], seat[names[1]] = head["seq"], entry.id
        if entry.lane == "decide":
            if head["sent"] < seat["dated"] and (told is None or not told.get("first")):
                self.fail(f"entry {entry.number} is dated before its author's last one")
            seat["dated"] = head["sent"] if seat["decision"] == entry.id else seat["dated"]
            self.now["since"] = max(self.now["since"], head["sent"])

    def _compare(self) -> None:
        after = self.round.after
        for name, seat in self.now["seats"].items():
            for one in SEAT.keys() - {"links", "skip", "then", "chain", "used_former", "idle"}:
                self.same(f"{one} of {name}", seat[one], after["seats"][name][one])
        asked_anew = (after["clock"], after["question"]) == (after["since"], after["head"])
        if not asked_anew:
            self.same("clock", self.now["clock"], after["clock"])
            self.same("question", self.now["question"], after["question"])
        if not asked_anew or after["claims"]:
            late = {s: sent for s, sent in after["claims"].items() if self.now["claims"].get(s) != sent}
            self.same("claims", {}, late)
        for name in ("offers", "rekeys", "settles", "absences"):
            if not (name == "offers" and self.round.after["opened_boxes"]):
                self.same(name, self.now[name], after[name])
        for seat, secret in after["opened"].items():
            of = after["seats"][seat]["commitment"] or self.contract.seats[seat].commitment
            self.same("commitment", H("secret", self.contract.listed, seat, bytes.fromhex(secret)).hex(), of)
        if not after["opened_boxes"]:
            for name in ("event", "seed", "decisions", "fresh"):
                self.same(name, self.now[name], after[name])

    # --- entries out of turn

    def _aside(self, entry: Signed) -> None:
        over = "outcome" in self.round.game or self.now["verdict"] is not None
        if entry.seat in self.now["opened_boxes"] or (over and entry.kind in ("resign", "draw", "take-back")):
            return
        match entry.kind:
            case "draw" | "take-back":
                self._offer(entry)
            case "resign":
                left = [s for s in self.contract.seats if s not in self.now["opened"] and s != entry.seat]
                self.changed = self.changed or len(left) == 1
                if len(left) > 1:
                    self.now["opened"][entry.seat] = self.now["opened_boxes"][entry.seat] = entry.body["box"]
            case "absence":
                second_clocks.announce(self.contract.invite["clocks"], self.now, entry.head, entry.body)
            case "claim":
                if second_clocks.is_lawful(self.contract.invite["clocks"], self.now, entry.head, entry.body):
                    self.now["claims"][entry.seat] = entry.head["sent"]
            case "settle":
                mine = [one for one in self.now["settles"] if one.endswith(f" {entry.seat}")]
                key = f"{entry.body['void']} {entry.seat}"
                if key in mine or len(mine) < 16:
                    self.now["settles"][key] = f"{entry.body['culprit']} {entry.body.get('counts', '')}"
            case "rekey":
                self._consent(entry)

    def _offer(self, entry: Signed) -> None:
        what = entry.kind if entry.kind == "draw" else f"take-back {entry.body['to']}"
        self.now["offers"][entry.seat] = what
        if any(self.now["offers"].get(s) != what for s in self.contract.seats if s not in self.now["opened"]):
            return
        if entry.kind == "draw":
            self.changed = True
            return
        self.now["offers"] = {}
        if self.now.get("barrier", 0) <= entry.body["to"] < entry.number:
            self.changed = True
            self._new_links(entry)

    def _new_links(self, entry: Signed) -> None:
        self.now["seed"], self.now["fresh"] = "", {}
        self.now["decisions"] = [*self.now["decisions"], entry.id]

    def _consent(self, entry: Signed) -> None:
        """One seat agrees to a paper; with the last of all others the new keys count."""
        try:
            paper = tomllib.loads(entry.body["paper"])
            seat, mine = paper["seat"], self.now["seats"][paper["seat"]]
            if (
                seat == entry.seat
                or seat in self.now["opened"]
                or not self._in_order(entry.body["paper"], paper)
            ):
                return
        except (KeyError, ValueError):
            return  # a paper that is none has no effect
        if self.contract.invite.get("threshold", 0) and "piece" not in entry.body:
            return
        self.now["rekeys"][entry.seat] = entry.body["paper"]
        others = [s for s in self.contract.seats if s != seat and s not in self.now["opened"]]
        if any(self.now["rekeys"].get(s) != entry.body["paper"] for s in others):
            return
        self.now["rekeys"] = {}
        self.replaced.add(seat)
        self._new_links(entry)
        known = mine["commitment"] or self.contract.seats[seat].commitment
        key = strings(base64.b64decode(paper["key"].split(" ")[1]))[1]
        mine |= {"key": key.hex(), "answer_key": paper["answer"], "box": paper["box"], "link": paper["tip"]}
        mine |= {"links": 0, "skip": 0, "chain": 0, "commitment": paper["commitment"]}
        mine |= {
            "former": [*mine["former"], known],
            "hold": paper.get("hold", ""),
            "seed": paper.get("seed", []),
        }

    def _in_order(self, text: str, paper: Mapping[str, Any]) -> bool:
        """A new key, signed for by the seat itself, with the key in use or with its spare one."""
        seat = self.contract.seats[paper["seat"]]
        used = self.now["seats"][paper["seat"]]["key"] or seat.keys["decide"].hex()
        if paper["old"] != used or paper["game"] != self.contract.game.hex():
            return False
        known = {key.hex() for one in self.contract.seats.values() for key in one.keys.values()}
        known |= {used, *(one.spare for one in self.contract.seats.values())}
        if strings(base64.b64decode(paper["key"].split(" ")[1]))[1].hex() in known:
            return False
        signed, armour = signed_part(text.encode(), paper)
        for public in (used, seat.spare):
            try:
                check_signature(bytes.fromhex(public), armour, signed, "pbem-contract-v1")
                return True
            except (ValueError, InvalidSignature):
                continue
        return False

    # --- the round itself

    def _answers(self) -> None:
        given, leaves = self.given, self.round.before["leaving"] != self.round.after["leaving"]
        ended = self.changed or self.replaced & given.keys() or self.round.verdict is not None
        if ended or (leaves and not any(e.body.get("gone") or e.body.get("pieces") for e in given.values())):
            return
        deciders = [given[s] for s in self.contract.seats if s in given and given[s].kind in IN_TURN]
        if deciders:
            self.now["seed"], self.now["fresh"] = "", {}
            self.now["decisions"] = [*self.now["decisions"], *(e.id for e in deciders)]
            self.now["offers"] = {}
        for entry in given.values():
            self._dated(entry)
            if entry.body.get("link") and (entry.kind == "answers" or len(deciders) == 1):
                self.now["fresh"][entry.seat] = entry.body["link"]
        for entry in given.values():
            if entry.body.get("commits") or _fixes_a_deck(entry.body.get("deck", ())):
                self._new_links(entry)
        if self.round.after["event"] == self.now["event"] + 1:
            self._seed()

    def _dated(self, entry: Signed) -> None:
        since = self.round.before["since"]
        if entry.head["sent"] < since or (entry.kind == "answers" and entry.head["sent"] != since):
            self.fail(f"entry {entry.number} is dated {entry.head['sent']}, what it answers {since}")

    def _seed(self) -> None:
        if self.now["fresh"].keys() != self.contract.seats.keys():
            return  # `_compare` says what is missing, unless a secret that is out gives it
        ids = [bytes.fromhex(one) for one in self.now["decisions"]]
        links = [bytes.fromhex(self.now["fresh"][seat]) for seat in self.contract.seats]
        event = self.now["event"] + 1
        seed = H("event", self.contract.game, event, len(ids), *ids, len(links), *links)
        self.now |= {"event": event, "seed": seed.hex(), "decisions": [], "fresh": {}}

    def _openings(self) -> None:
        """What is opened was closed, is its opener's to open, and fits what its owner committed to."""
        hidden = self.round.game.get("hidden", {})
        for entry in self.given.values():
            tail = entry.body.get("tail")
            more = tail.get("opens", ()) if isinstance(tail, dict) else ()
            for one in (*entry.body.get("opens", ()), *more):
                slot = hidden[one["slot"]]
                if (slot.get("holder") or slot["owner"]) != entry.seat:
                    self.fail(f"{one['slot']} is not its opener's")
                if not slot["owner"]:
                    continue
                parts = (slot["owner"], f"slot {one['slot']}", one["value"], bytes.fromhex(one["nonce"]))
                self.same(one["slot"], H("commit", self.contract.game, *parts).hex(), slot["commitment"])

    def _links(self) -> None:
        """Every link follows, and the chains stand where they must."""
        for name in self.contract.seats:
            was, now = self.now["seats"][name], self.round.after["seats"][name]
            if name in self.round.after["opened_boxes"]:
                check_opened(self.contract, self.round, name)
                continue
            mine = [] if self.round.undone else [e for e in self.round.entries if e.seat == name]
            shown = [
                Shown(e.body["link"], e.body.get("tip", ""), self.given.get(name) is e)
                for e in mine
                if e.body.get("link")
                and e.id not in self.voided
                and (e.lane == "decide" or self.given.get(name) is e)
            ]
            must = self.way == "complete" and not self.changed
            if not lawful_steps(self.contract, name, was, now, shown, self._passes(name), must):
                self.fail(f"the chain of {name} does not stand where its links lead")

    def _passes(self, name: str) -> list[tuple[int, int, int]]:
        """What may be passed over: before the answers' links, after them, and after the next one."""
        before, after = self.round.before["leaving"], self.round.after["leaving"]
        if self.round.undone:
            return [(0, 0, 0)]
        waited = self.replaced & self.given.keys()
        asked = [4] if waited else [0, 4] if self.replaced and self.way != "complete" else [0]
        ends = [(0, 0)]
        if before is None and after is not None:
            ends = [(4, 0), (0, 4)] if name not in after["seats"] else [(0, 0)]
        elif self.way == "ended" and before == after:
            ends = [(4, 0)]
        return [(first, *rest) for first in asked for rest in ends]

    # --- ends

    def _verdict(self, told: Mapping[str, Any]) -> None:
        ids = {e.id: e for e in self.log[: self.round.number]}
        entry = ids[told["entry"]]
        if told.get("late"):
            late = entry if entry in self.round.entries else None
            if late is not None:
                state = copy.deepcopy(self.round.before)
                for one in self.round.entries[: self.round.entries.index(late)]:
                    if one.kind == "absence":
                        second_clocks.announce(self.contract.invite["clocks"], state, one.head, one.body)
                    if one.kind == "claim" and one.seat == late.seat:
                        state["claims"][one.seat] = one.head["sent"]
                clocks = self.contract.invite["clocks"]
                if not second_clocks.is_lawful(clocks, state, late.head, late.body):
                    self.fail("a forfeit ends the line that is not lawful")
            elif told["culprit"]:
                self.fail("what surfaced after a forfeit names nobody")
            return
        if told.get("first"):
            first = ids[told["first"]]
            number = ("seat", "lane", "seq")
            if first.id == entry.id or [first.head[n] for n in number] != [entry.head[n] for n in number]:
                self.fail("these two are no double")
            self.same("culprit", entry.seat, told["culprit"])
        elif entry not in self.round.entries:
            self.fail("the breach is not among what was logged")
        self.same("before", self.round.before["number"], told.get("before", 0))


def _fixes_a_deck(lines: Sequence[str]) -> bool:
    """Keys, a carry or a shuffle of a shared deck."""
    return bool(lines) and base64.b64decode(lines[0])[:1] in (b"K", b"C", b"S")
