"""`pbem replay --html`: one file with every step of a game, which makes its dice again without a network."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from pbem import __version__
from pbem.engine.options import PUBLIC
from pbem.errors import VerificationError
from pbem.home import Home
from pbem.page.beside import Manner
from pbem.page.film import Film, Reel, Step, shoot
from pbem.page.happened import told
from pbem.page.picture import definitions
from pbem.page.shipped import static
from pbem.page.svg import escape_text
from pbem.protocol.papers.contract import read_contract

Progress = Callable[[int, int], None]


def replay_page(files: Mapping[str, bytes], home: Home | None, proof: bool, progress: Progress) -> str:
    """The file for game.toml and moves/: verified first, then filmed."""
    from pbem.packs import rules_for
    from pbem.verify import verify_moves

    files = {name: raw for name, raw in files.items() if name == "game.toml" or name.startswith("moves/")}
    verdict = verify_moves(files, home, progress)
    if verdict.problem is not None:
        problem = verdict.problem
        raise VerificationError(
            f"not in order: entry {problem.entry}: {problem.cause}", "`pbem verify` says more of it"
        )
    contract = read_contract(files["game.toml"])
    rules, pack = rules_for(contract.invite, home)
    moves = [files[path] for path in sorted(files) if path.startswith("moves/")]
    film = shoot(contract, rules, pack, moves)
    return document(film_data(film, rules, verdict.fingerprint, proof), f"{rules.title}: replay")


def film_data(film: Film, rules: Any, fingerprint: str, proof: bool) -> dict[str, Any]:
    """Everything that the file holds, before it is packed."""
    reel = Reel(Manner("both"))
    frames = [_frame(reel, rules, step) for step in film.steps]
    used = {event["rule"] for frame in frames for event in frame["events"]}
    words = {str(rule["id"]): str(rule.get("summary", "")) for rule in rules.summaries()}
    contract = film.contract
    return {
        "made": f"pbem {__version__}",
        "title": rules.title,
        "scenario": contract.invite.scenario,
        "seats": [[name, contract.seats[name].player] for name in contract.invite.seats],
        "game": contract.game.hex(),
        "list": contract.listed.hex(),
        "fingerprint": fingerprint,
        "tips": {name: seat.tip.hex() for name, seat in contract.seats.items()},
        "keys": {f"{seat} {lane}": key.hex() for (seat, lane), key in contract.keys.items()},
        "defs": definitions(),
        "bases": list(reel.bases),
        "looks": list(reel.looks),
        "places": reel.places,
        "frames": frames,
        "rules": {rule: words[rule] for rule in sorted(used) if words.get(rule)},
        "log": [_logged(one, key, proof) for one, key in film.entries],
        "seeds": [[s.event, list(s.decisions), list(s.links)] for s in film.seeds],
        "rolls": [[r.event, r.request, list(r.bounds), list(r.values)] for r in film.rolls],
        "openings": [[o.entry, o.seat, o.slot, o.value, o.nonce, o.commitment] for o in film.openings],
        "shared": film.shared,
        "proof": proof,
    }


def _frame(reel: Reel, rules: Any, step: Step) -> dict[str, Any]:
    """What a step changed and what is told of it. What dice showed is left out: the page makes it again."""
    scene = rules.scene(step.position, PUBLIC)
    frame = reel.frame(scene)
    events = told(step.events, step.position, scene, rules)
    for event in events:
        if "dice" in event:
            event["dice"] = [sides for _, sides in event["dice"]]
            del event["text"]
    frame |= {"entry": step.entry, "events": events}
    if step.chance is not None:
        frame["roll"] = step.chance
    return frame


def _logged(one: Any, key: str, proof: bool) -> dict[str, Any]:
    entry = one.entry
    body = entry.body
    found = {"n": one.number, "seat": entry.seat, "kind": entry.head.kind}
    found |= {"sent": entry.head.sent, "id": entry.id}
    link, tip = getattr(body, "link", ""), getattr(body, "tip", "")
    if link:
        found["link"] = link
    if tip:
        found["tip"] = tip
    if proof:
        found["lane"], found["key"], found["raw"] = entry.head.lane, key, entry.raw.decode()
    return found


def packed(data: Any) -> str:
    """JSON, deflated, as base64."""
    raw = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(zlib.compress(raw, 9)).decode()


def document(data: dict[str, Any], title: str) -> str:
    """The HTML: nothing is fetched, nothing but its own script and style may run."""
    script = static("hash.js") + static("relief.js") + static("stage.js")
    script += static("film.js") + static("replay.js")
    style = static("board.css") + static("film.css") + static("replay.css")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="referrer" content="no-referrer"><link rel="icon" href="data:,">'
        f"<title>{escape_text(title)}</title><style>{style}</style></head>"
        f"<body>{static('replay.html')}"
        f'<script type="application/octet-stream" id="film-data">{packed(data)}</script>'
        f"<script>{script}</script></body></html>\n"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
