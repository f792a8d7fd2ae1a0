"""The table in words: headline, what lies where, the charts and cards of a kit, the score, the chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from games.table.dice import Wish, read
from games.table.kit import Chart, Deck, Kit, KitPack, Throw
from games.table.moves import Roll
from games.table.position import TablePosition, deck_and_card
from pbem.engine.notation import Move
from pbem.engine.shown import Sheet, Tally

MANY = 20_000
"""So many combinations of totals are counted at most."""


def headline(pos: TablePosition) -> str:
    """Turn, phase, and who has the word."""
    if not pos.stack:
        return "the game is over"
    if not pos.turn:
        return "the decks are shuffled"
    phase = pos.present_phase
    return f"turn {pos.turn}" + (f", {phase.title}" if phase else "") + f", {pos.word} has the word"


def explain(pos: TablePosition, place: str) -> str:
    """What is known of a seat, a deck, a cup, a track, a chart, a die or a card."""
    kit = pos.box
    if place in pos.around:
        lies = pos.around[place]
        role = kit.roles.get(place)
        open_cards = ", ".join(card for _, card in map(deck_and_card, lies.front)) or "nothing"
        said = f"{place}: {len(lies.hand)} in hand, {len(lies.aside)} set aside, open: {open_cards}"
        return f"{said}\n{role.title}: {role.note}".rstrip(": ") if role else said
    if place in pos.piles:
        return _deck_now(pos, place)
    if place in pos.cups:
        cup = pos.cups[place]
        return f"{place}: {_listed(cup.chits)} inside; out: {_listed(cup.out)}"
    if place in pos.tracks:
        track = kit.tracks_for(pos.seats)[place]
        return f"{place}: {track.shown(pos.tracks[place].value)} (from {track.low} to {track.high})"
    if place in kit.charts:
        return _chart_text(kit.charts[place])
    if place in kit.dice:
        return f"{place}: a die with {', '.join(kit.dice[place])}"
    if place in kit.deck_of_card:
        deck = kit.deck_of_card[place]
        text = deck.text.get(place, "nothing is printed on it")
        return f"{place}, of {deck.id} ({deck.cards.count(place)} there): {text}"
    return f"nothing is known of {place}"


def _deck_now(pos: TablePosition, name: str) -> str:
    pile = pos.piles[name]
    parts = [f"{name}: {pos.size(name)} cards", f"discards: {_listed(pile.discard)}"]
    if pile.closed:
        parts.append(f"{len(pile.closed)} discarded face down")
    if pile.removed:
        parts.append(f"out of the game: {_listed(pile.removed)}")
    return "; ".join(parts)


def _listed(things: tuple[str, ...]) -> str:
    found = Counter(things)
    return ", ".join(f"{n} {thing}" if n > 1 else thing for thing, n in found.items()) or "nothing"


def _chart_text(chart: Chart) -> str:
    lines = [f"{chart.title}: roll {_thrown(chart.roll)}"]
    for row in chart.rows:
        span = str(row.low) if row.low == row.high else f"{row.low}-{row.high}"
        lines.append(f"  {span}: {'  '.join(row.results)}")
    return "\n".join(lines)


def _thrown(throw: Throw) -> str:
    return f"{throw.count}d{throw.sides}" + (f"{throw.plus:+d}" if throw.plus else "")


# --- sheets


def tables(pack: KitPack) -> tuple[Sheet, ...]:
    """Charts, dice, cups, decks, tracks and phases of every kit; with several, each under its kit's name."""
    found: list[Sheet] = []
    for kit in pack.kits.values():
        before = f"{kit.id}-" if len(pack.kits) > 1 else ""
        found += [
            Sheet(f"{before}{one.id}", f"{kit.title}: {one.title}", one.columns, one.rows, one.rule, one.note)
            for one in _sheets(kit)
        ]
    return tuple(found)


def _sheets(kit: Kit) -> Iterator[Sheet]:
    for chart in kit.charts.values():
        rows = [(_span(row.low, row.high), *row.results) for row in chart.rows]
        columns = (_thrown(chart.roll), *(chart.columns or ("result",)))
        yield Sheet(chart.id, chart.title, columns, tuple(rows), "3.5")
    for name, faces in kit.dice.items():
        yield Sheet(name, f"the die {name}", ("face", "shows"), tuple(enumerated(faces)), "3.4")
    for cup in kit.cups.values():
        yield Sheet(cup.id, cup.title, ("chit", "in the cup"), _counted(cup.chits), "4.1")
    for deck in kit.decks.values():
        yield Sheet(deck.id, deck.title, ("card", "copies", "text"), _cards(deck), "5.1", _habits(deck))
    if kit.phases:
        phases = tuple((p.title, p.reminder or "–") for p in kit.phases)
        yield Sheet("phases", "a turn", ("phase", "reminder"), phases, "1.5")


def enumerated(faces: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The faces of a die with their numbers."""
    return ((str(number), face) for number, face in enumerate(faces, 1))


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"


def _counted(things: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple((thing, str(n)) for thing, n in Counter(things).items())


def _cards(deck: Deck) -> tuple[tuple[str, ...], ...]:
    return tuple((card, str(n), deck.text.get(card, "")) for card, n in Counter(deck.cards).items())


def _habits(deck: Deck) -> str:
    whose = {"": "one deck for all", "each": "every seat has one"}.get(deck.owner, f"{deck.owner}'s deck")
    renews = {"empty": "made anew when empty", "order": "shuffled by order", "never": "never made anew"}
    return f"{whose}; {deck.discards} discards; {renews[deck.reshuffle]}"


# --- score and chances


def score(pos: TablePosition) -> tuple[Tally, ...]:
    """The tracks that the kit calls the score."""
    found = []
    for name, track in pos.box.tracks_for(pos.seats).items():
        if track.scores and name in pos.tracks:
            owner = next((seat for seat in pos.seats if track.each and name.endswith(f"-{seat}")), "")
            found.append(Tally(owner, track.title, pos.tracks[name].value, "7.1"))
    return tuple(found)


def odds(pos: TablePosition, move: Move) -> str | None:
    """The chances of each result of the first throw, before it is made."""
    wishes = read(pos.box, move.what) if isinstance(move, Roll) else ""
    if isinstance(wishes, str) or not wishes:
        return None
    chances = _chances(wishes[0])
    if chances is None:
        return None
    whole = sum(chances.values())
    return "  ".join(f"{result} {100 * ways / whole:.0f} %" for result, ways in chances.items())


def _chances(wish: Wish) -> dict[str, int] | None:
    """How many ways lead to each result; None for more than can be counted quickly."""
    throw = wish.throw
    if wish.faces:
        return dict(Counter(wish.faces)) if throw.count == 1 else None
    if throw.count * throw.sides > MANY // throw.sides:
        return None
    if throw.least is not None:
        hits = sum(die + throw.plus >= throw.least for die in range(1, throw.sides + 1))
        ways = _sums({0: throw.sides - hits, 1: hits}, throw.count)
        return {str(n): w for n, w in ways.items() if w}
    ways = _sums(dict.fromkeys(range(1, throw.sides + 1), 1), throw.count)
    found: dict[str, int] = {}
    for total, n in ways.items():
        shown = total + throw.plus
        result = wish.chart.result(shown, wish.column) if wish.chart else str(shown)
        found[result] = found.get(result, 0) + n
    return found


def _sums(one: dict[int, int], count: int) -> dict[int, int]:
    found = {0: 1}
    for _ in range(count):
        more: dict[int, int] = {}
        for total, ways in found.items():
            for value, n in one.items():
                more[total + value] = more.get(total + value, 0) + ways * n
        found = more
    return dict(sorted(found.items()))
