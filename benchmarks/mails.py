"""How many mails a game turn takes, and how often a person is needed: as a table for the README.

    python benchmarks/mails.py [GAME …] [--scenario S] [--seats N] [--seeds N]

Bots play real signed games, as in `pbem demo`, which says what is counted as a mail. A touch is a mail
that a person must send: without `pbem watch` every one, with it only those that carry a decision, which
are never more than the decisions that the rulebook asks for and the papers of the contract.
With standing orders, both sides have given the answers below before they were asked.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pbem.demo.post import Demo, run
from pbem.engine import registry
from pbem.playtest.local import usual_start

STANDING: dict[str, dict[str, list[str]]] = {
    "kawagoe": {"loss": ["retreat"], "advance": ["stay"]},
    "chuhan": {
        "muster": [f"muster {royal}" for royal in ("zangtu", "zhaoxie", "weibao", "tianheng")],
        "risk": [f"risk {who}" for who in ("caocan", "fankuai", "xiahouying", "jibu", "longju", "zhonglimo")],
    },
    "redcoats": {"advance": ["stay"]},
    "sanada": {"advance": ["stay"]},
    "suikoden": {"window": ["pass"], "support": ["pass-battle"], "capture": ["capture"]},
}
"""Answers that a player might well give beforehand, by game and kind of decision."""
AUTO = {
    "kawagoe": ("deploy", "loss", "retreat", "advance"),
    "chuhan": (
        *("recruit", "place", "risk", "muster", "control", "attack", "begin"),
        *("event", "gift", "slander", "dismiss", "levy", "crown", "target"),
    ),
    "sanada": ("loss", "attrition", "surplus", "bear", "retreat", "pursuit", "replenish", "advance", "order"),
    "redcoats": ("retreat", "follow", "escape", "resolve", "advance"),
    "suikoden": ("window", "support", "capture", "supply", "income", "return", "plunder"),
}
"""Kinds of decision that the game's own advice answers."""
COLUMNS = ("human_mails", "mails", "decision_mails", "decisions", "bytes")


def play(
    game: str, seed: int, standing: dict[str, list[str]], scenario: str | None = None, count: int = 0
) -> dict[str, float]:
    """Mails of one game, by turn. Besides decisions a person sends papers of the contract, two at most."""
    rules = registry.load(game)
    pack = rules.load_pack()
    start = usual_start(rules, pack, scenario or next(iter(rules.scenarios(pack))), count or None)
    with tempfile.TemporaryDirectory() as place:
        demo = Demo(game, start.scenario, start.options, start.seats, seed, Path(place), standing)
        found = run(demo)
    papers = 2 * len(start.seats)
    assert found["decision_mails"] <= found["decisions"] + papers, "more mails by persons than decisions"
    return {name: found[name] / max(found["turns"], 1) for name in COLUMNS}


def mean(games: Sequence[dict[str, float]]) -> dict[str, float]:
    """The mean of several games."""
    return {name: sum(one[name] for one in games) / len(games) for name in COLUMNS}


def row(game: str, standing: str, found: dict[str, float]) -> str:
    """One line of the table."""
    plain, watched, touched, decisions, size = (found[name] for name in COLUMNS)
    counts = f"{plain:.1f} | {plain:.1f} | {watched:.1f} | {touched:.1f} | {decisions:.1f}"
    return f"| {game} | {standing} | {counts} | {size / plain / 1000:.1f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*", default=registry.names())
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--scenario", help="without it the game's first")
    parser.add_argument("--seats", type=int, default=0, help="without it as few as can play")
    args = parser.parse_args()
    heads = ("game", "standing orders", "mails a turn", "touches a turn", "with watch: mails", "touches")
    print(f"| {' | '.join((*heads, 'decisions a turn', 'kB a mail'))} |")
    print("|---" * (len(heads) + 2) + "|")
    for game in args.games:
        which = (args.scenario, args.seats)
        plain = mean([play(game, seed, {}, *which) for seed in range(args.seeds)])
        print(row(game, "none", plain), flush=True)
        if game in STANDING:
            words = ", ".join(f"`{kind}`" for kind in STANDING[game])
            found = mean([play(game, seed, STANDING[game], *which) for seed in range(args.seeds)])
            print(row(game, words, found), flush=True)
        if game in AUTO:
            standing = {kind: ["auto"] for kind in AUTO[game]}
            found = mean([play(game, seed, standing, *which) for seed in range(args.seeds)])
            print(row(game, "`auto`", found), flush=True)


if __name__ == "__main__":
    main()
