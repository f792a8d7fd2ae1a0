"""Orders as people write them, turned into the notation of moves.py.

Other verbs (`pass`, `play`, the book's own 移動 and 外交), clauses in another order, names of two words,
filler words, `all`, and a start that a general's place tells. Nothing is guessed: what is still unclear
stays as it is and is refused with the notation. All of it rests on the public position alone, so that a
line means the same on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.chuhan.board import legions_in, on_board
from games.chuhan.position import ChuhanPosition
from games.chuhan.reach import ready_generals
from games.chuhan.terms import AreaId
from games.chuhan.words import acting, aliases
from pbem.engine.notation import NotationError, words

_VERBS = {
    **dict.fromkeys(("pass", "待機", "待机"), "wait"),
    **dict.fromkeys(("play", "事件"), "event"),
    **dict.fromkeys(("march", "移動", "移动"), "move"),
    **dict.fromkeys(("戰鬥", "战斗", "繼續戰鬥", "继续战斗"), "fight"),
    **dict.fromkeys(("補充", "补充"), "reinforce"),
    "外交": "diplomacy",
}
"""6-3 to 6-8: what else the actions are called."""

_CLAUSES = {
    **dict.fromkeys(("from", "從", "从", "自"), "from"),
    **dict.fromkeys(("to", "到", "至"), "to"),
    **dict.fromkeys(("in", "at", "在", "於"), "in"),
    **dict.fromkeys(("paying", "using", "with", "用"), "paying"),
}
_ORDER = {
    "wait": (),
    "event": (),
    "move": ("from", "to", "paying"),
    "fight": ("in", "paying"),
    "reinforce": ("paying",),
    "diplomacy": ("paying",),
}
"""The clauses of each action, in the order of its notation."""

_FILLERS = ("and", "legion", "legions", "軍團", "军团", "with", "+")


def rewrite(text: str, pos: ChuhanPosition) -> list[str] | None:
    """The order that a line means, or None if it is written as it should be, or is no action (6)."""
    try:
        line = [word.text for word in words(text)]
    except NotationError:
        return None
    verb = _VERBS.get(line[0].lower(), line[0].lower()) if line else ""
    if verb not in _ORDER:
        return None
    known = aliases(pos)
    units, clauses = _parts(_names(line[1:], known), verb, known, pos)
    if verb in ("move", "fight"):
        _complete(pos, verb, units, clauses, known)
    found = [verb, *units]
    for clause in _ORDER[verb]:
        found += [clause, clauses[clause]] if clause in clauses else []
    return None if found == line else [" ".join(f'"{word}"' if " " in word else word for word in found)]


def _names(line: Sequence[str], known: Mapping[str, str]) -> list[str]:
    """Names of several words, or with other capitals, as ids; the longest name first."""
    ids = set(known.values())
    spoken = {name.lower(): ident for name, ident in known.items()} | {ident: ident for ident in ids}
    longest = max(name.count(" ") for name in known) + 1
    found: list[str] = []
    at = 0
    while at < len(line):
        for size in range(min(longest, len(line) - at), 0, -1):
            name = " ".join(line[at : at + size]).rstrip(",，、")
            if name in known or name in ids:
                found.append(known[name] if " " in name else name)
            elif name.lower() in spoken:
                found.append(spoken[name.lower()])
            elif size > 1:
                continue
            else:
                found.append(name)
            at += size
            break
    return found


def _parts(
    line: Sequence[str], verb: str, known: Mapping[str, str], pos: ChuhanPosition
) -> tuple[list[str], dict[str, str]]:
    """The units (or the one name) of an order, and its clauses."""
    units: list[str] = []
    clauses: dict[str, str] = {}
    rest = list(line)
    while rest:
        word = rest.pop(0)
        clause = _CLAUSES.get(word.lower())
        if word.lower() == "with" and not (rest and known.get(rest[0], rest[0]) in pos.pack.cards):
            clause = None
        if clause in _ORDER[verb] and rest and clause not in clauses:
            clauses[str(clause)] = rest.pop(0)
        elif verb not in ("move", "fight") or word.lower() not in _FILLERS:
            units.append(word.removeprefix("+") or word)
    return units, clauses


def _complete(
    pos: ChuhanPosition,
    verb: str,
    units: list[str],
    clauses: dict[str, str],
    known: Mapping[str, str],
) -> None:
    """Where the generals stand is where they start; `all` are the un-acted legions, or alone all units."""
    where = "from" if verb == "move" else "in"
    generals = [known.get(word, word) for word in units if known.get(word, word) in pos.pack.generals]
    generals = [g for g in generals if on_board(pos, g)]
    if where not in clauses and generals:
        clauses[where] = pos.generals[generals[0]].place
    area: AreaId = known.get(clauses.get(where, ""), clauses.get(where, ""))
    if "all" not in units or area not in pos.pack.areas:
        return
    force = pos.generals[generals[0]].force if generals else acting(pos).value
    legions = legions_in(pos, area, force).ready
    others = () if generals else ready_generals(pos, area, force)
    at = units.index("all")
    units[at : at + 1] = [*others, *([str(legions)] if legions else [])]
