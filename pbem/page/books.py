"""What the page's panels read: rules by number or word, tables, primer, glossary, score, options."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pbem.engine.options import PUBLIC
from pbem.page.answers import Refused
from pbem.table import Table

MOST = 60


def look(table: Table, what: str, words: str) -> Any:
    """One panel's text."""
    machine = table.ledger.machine
    rules, pack, pos = machine.rules, machine.pack, table.ledger.position
    match what:
        case "rules":
            return {"rules": find_rules(rules, words)}
        case "tables":
            return {"sheets": [asdict(sheet) for sheet in rules.tables(pack)]}
        case "primer":
            return {"text": rules.primer()}
        case "glossary":
            return {"terms": [[t.term, t.reading, t.english, t.means] for t in rules.glossary()]}
        case "score":
            return {"score": [[t.seat, t.what, t.points, t.rule] for t in rules.score(pos)]}
        case "options":
            chosen = dict(table.contract.invite.options)
            return {
                "options": [{**asdict(c), "now": chosen.get(c.id, c.values[0])} for c in rules.choices(pack)]
            }
        case "board":
            from pbem.page.plain import Way
            from pbem.page.terminal import show

            view = table.secrets.view() if table.secrets is not None else PUBLIC
            return {"text": show(rules, pos, view, Way(stacks=True))}
        case "place":
            return {"text": rules.explain(pos, words)}
    raise Refused(400, "there is no such page in the book")


def find_rules(rules: Any, words: str) -> list[list[str]]:
    """Rules by number (and what is under it), or those that hold every word."""
    wanted = words.lower().split()
    found = []
    for rule in rules.summaries():
        number, title = str(rule["id"]), str(rule.get("title", ""))
        text = str(rule.get("summary", ""))
        ruling = rule.get("ruling", "")
        ruling = ruling if isinstance(ruling, str) else "\n".join(map(str, ruling))
        whole = f"{number} {title} {text} {ruling}".lower()
        exact = len(wanted) == 1 and number.lower().startswith(wanted[0])
        if exact or all(word in whole for word in wanted):
            found.append([number, title, text, ruling.strip(), str(rule.get("status", ""))])
    numbered = [row for row in found if wanted and row[0].lower() == wanted[0]]
    return [*numbered, *(row for row in found if row not in numbered)][:MOST]


def available() -> list[dict[str, Any]]:
    """Every installed game by name and title; one that cannot be loaded is left out."""
    from pbem.engine import registry
    from pbem.errors import PbemError

    found = []
    for name in registry.names():
        try:
            found.append({"name": name, "title": registry.load(name).title})
        except PbemError:
            continue
    return found
