"""An evening alone, as somebody spends it who has just installed pbem and owns none of the games."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import Desk

BEFORE = """
ann$ pbem primer kawagoe
# 河越合戦 (Kawagoe, 1546): one page to begin with
...
Who you are
...
How you win: points after turn 6 (`pbem score` shows them, `pbem tables kawagoe points` lists them)
...
Your first orders
...
try it alone with `pbem practice kawagoe`.

ann$ pbem rules kawagoe 9.74
9.74 Further links (連鎖の連続) [enforced]
...
    Ruling 9.74-a: a chain may have any length, one hex for each member, because no number is set.
...

ann$ pbem rules kawagoe chain_two_hexes
chain_two_hexes: an option of the contract, rule 9.73
    May a retreat of two hexes push comrades out of the way?
    one-push-each (usual): Yes: different units, each of them one hex.
    forbidden: No: only a retreat of one hex pushes.

ann$ pbem rules kawagoe disorder
...
6.4 Disorder (混乱) [enforced]
...

ann$ pbem tables kawagoe crt
Combat results (戦闘結果表) (crt, rule 9.2)
die  1:3  1:2    1:1    2:1    3:1    4:1    5:1    6:1    8:1    10:1
...

ann$ pbem glossary kawagoe
term …
北条方        Hōjō-gata          the Hojo               seat hojo
...

ann$ pbem status
pbem: error: you have no game yet
hint: `pbem practice GAME` plays against the bot, `pbem new GAME` invites someone, … accepts an invitation
(exit 2)

ann$ pbem practice kawagoe --as hojo
pbem: error: you have no key yet
hint: make one with `pbem key new`
(exit 2)

ann$ pbem key new
your key: …/ann/key (keep a copy in a safe place; only you may read it)
...

ann$ pbem practice kawagoe --as hojo --name Ann
kawagoe: you are hojo, the bot is anti
folder: …
asked of you: where the garrison stands (rule 4.1)
next: `pbem primer kawagoe` explains it, `pbem legal` lists your answers

ann$ pbem status
kawagoe: kawagoe, kawagoe; you are hojo
...
asked of you: where the garrison stands (rule 4.1)
...
next: `pbem legal` lists your answers, `pbem play -m "ORDER"` plays one

ann$ pbem play -m "deploy garison"
pbem: error: …: now garrison may be placed, not garison (rule 4.1)
hint: did you mean garrison instead of garison?
(exit 3)

ann$ pbem play -m "deploy garrison"
...
entry 2, anti: orders
...
asked of you: in secret: 2 chits for the cup (rule 5.11)
fingerprint after entry 2: …

ann$ pbem standing loss auto
...
ann$ pbem standing retreat auto
...
ann$ pbem standing advance auto
...
ann$ pbem say good evening
signed; it goes with your next move (`pbem send` hands it over now)

ann$ pbem play -m "put hojo hojo"
...
  sealed: put hojo hojo
only you can read it until the rules open it; it is binding
...
         hojo says: good evening
...
asked of you: where the units of ujiyasu-army come onto the map (rule 4.3)
...

ann$ pbem play -m "deploy ujiyasu-army"
...
the list leaves unanswered, and you will be asked: move or charge, or be done
...
asked of you: move or charge, or be done (rule 6.11)
...
"""

PLANNING = """
ann$ pbem draft -m "done moving"
done moving
# then you are asked: attack, or be done
ann$ pbem draft -m "done fighting"
done moving
done fighting
# then…
ann$ pbem undo
taken away: done fighting
left:
done moving
ann$ pbem legal --draft
# attack, or be done (rule 9.11); written: done fighting; attack {hex} with {units*}
done fighting
...
ann$ pbem legal --after plan.txt
# attack, or be done (rule 9.11); written: done fighting; attack {hex} with {units*}
...
ann$ pbem check --draft
1 order is legal
ann$ pbem score
hojo: … points so far
...
anti: … points so far
...
ann$ pbem next
kawagoe: asked of you until …: move or charge, or be done
next: `pbem status -g kawagoe`; it is in …
"""

AFTERWARDS = """
ann$ pbem draft
there is no draft
ann$ pbem history ujiyasu-army
turn 1
…hojo: deploy ujiyasu-army
...
ann$ pbem history nobody-of-this-name
nothing in the log names that
ann$ pbem resign
...
ann$ pbem audit
...
"""


def test_an_evening_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Primer, book, practice, a plan on a draft, odds, chat, score, history; signed and audited like any."""
    desk = Desk(tmp_path, monkeypatch)
    desk.play(BEFORE)
    (desk.folder / "plan.txt").write_text("done moving\n")
    desk.play(PLANNING)
    assert desk.ok("ann", "board", "--draft").out.startswith("turn 1, 北条方／手番, combat")
    orders = desk.ok("ann", "legal", "--draft", "--json").json["orders"]
    for attack in [order for order in orders if order.startswith("attack")][:1]:
        odds = desk.ok("ann", "odds", "--draft", attack).out
        assert "column: " in odds and "result: " in odds
    played = desk.ok("ann", "play", "--draft", "-m", "done fighting", "--say", "your move", "--yes").out
    assert "hojo says: your move" in played and "hojo: done fighting" in played
    assert played.rindex("\nasked of you") > played.rindex("\nentry "), (
        "the question is the last thing to read"
    )
    assert "everybody can read your standing order for loss: auto" in desk.ok("ann", "status").out
    forth, back = (desk.ok("ann", "replay", "--no-board", *more).out for more in ((), ("--back",)))
    assert forth != back and sorted(forth.splitlines()) == sorted(back.splitlines())
    desk.play(AFTERWARDS)
    (folder,) = tmp_path.glob("kawagoe-*")
    verified = desk.ok("ann", "verify", str(folder), "--json").json
    assert verified["ok"] and all(verified["audited"].values())
