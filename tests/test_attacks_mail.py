"""Mails, files and papers from strangers, at the command line: they stop nothing and forge nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem import packs, toml
from pbem.doing import inviting
from pbem.doing.watching import Watcher
from pbem.protocol.papers import invitation
from pbem.protocol.papers.bodies import Say
from pbem.protocol.papers.invitation import Invite, read_invite
from pbem.protocol.papers.paper import write_paper
from pbem.repository import Repository
from pbem.shelf import Places
from pbem.transport import bundle, mail_in
from tests.attack_kit import copies, works_only_without
from tests.circle import circle
from tests.cli import Desk
from tests.table import key_of
from tests.test_limits import flood, letters, unknown

TOO_MUCH = "message holds more entries than two bundles may: the rest was not read"
NOTHING_AT_ALL = re.compile(r"(?!)")


def nothing(*_: Any, **__: Any) -> None:
    """A check that does not look."""


def _adds(search: Any, entry: bytes) -> None:
    search.entries[entry] = None


def test_a_strangers_mail_keeps_watch_from_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More entries of unknown games than one bundle may hold; after it a mail that matters."""
    raws = [unknown(number) for number in range(1, 1401)]
    strange = "".join(bundle.armour(bundle.pack(raws[n : n + 700])) for n in (0, 700)).encode()
    last = bundle.pack([unknown(9999)])
    homes = iter("ab")

    def attack() -> bool:
        who = next(homes)
        desk = Desk(tmp_path, monkeypatch)
        desk.ok(who, "mail", "read", "maildir", str(letters(tmp_path / f"mail-{who}", strange, last)))
        told = [desk.run(who, "watch", "--once") for _ in range(2)]
        if last not in [path.read_bytes() for path in (tmp_path / who).glob("inbox/*.pbem")]:
            return True
        assert [one.code for one in told] == [0, 0] and "kept for you: " in told[0].both
        return False

    removed = [(Watcher, "_take_safely", Watcher._take), (bundle, "portions", lambda raws: [raws])]
    works_only_without(monkeypatch, attack, *removed)


def test_a_small_mail_does_not_bring_a_hundred_megabytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bundles a thousand times shorter than what they announce; after them a mail that matters."""
    start = circle(tmp_path / "start", monkeypatch, 2)
    start.ok("a", "play", "-m", "swear", "--out", str(tmp_path / "start" / "move"), "--yes")
    again, strange, opened = copies(start, tmp_path, monkeypatch), flood(12), list[bytes]()
    unpack = mail_in.unpack
    monkeypatch.setattr(mail_in, "unpack", lambda raw: opened.extend(found := unpack(raw)) or found)
    assert len(strange) < 30_000

    def attack() -> bool:
        here = again()
        move = (here.desk.folder / "move").read_bytes()
        here.ok("b", "mail", "read", "maildir", str(letters(here.desk.folder / "mail", strange, move)))
        opened.clear()
        told = here.run("b", "watch", "--once")
        assert here.status("b")["entries"] == 1
        if sum(map(len, opened)) > 5 * bundle.MAX_TOTAL:
            return True
        assert told.code == 0 and f"mail: {TOO_MUCH}" in told.out and "tiny: 1 entry logged" in told.out
        return False

    removed = [(mail_in._Search, "add", _adds), (mail_in, "MAX_BUNDLES", 1_000_000)]
    works_only_without(monkeypatch, attack, *removed)
    here = again()
    (here.desk.folder / "strange.eml").write_bytes(strange)
    told = here.run("b", "receive", "strange.eml", "move")
    assert told.code == 1 and f"pbem: error: {TOO_MUCH}\nhint: whoever sent it should send fewer" in told.err
    assert "refused 17 times: a line has more than 4096 characters" in told.err and "a: swear" in told.out


def test_old_entries_are_not_looked_up_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything of a game once more, in one file: its files are listed a few times, not for each entry."""
    table = circle(tmp_path, monkeypatch, 2)
    for _ in range(24):
        table.table("a").play("say", lambda own: Say("well met"), key_of("a"))
    table.table("a").orders("swear", key_of("a"))
    opened = table.table("a")
    raws = [entry.raw for entry in opened.entries(range(1, opened.ledger.state.number + 1))]
    assert len(raws) > 24
    lists, each, holds = list[int](), Repository.listed, Places.holds

    def stale(places: Places, raw: bytes) -> bool:
        places._head = "?"
        return holds(places, raw)

    def counted(*args: Any, **more: Any) -> Any:
        lists.append(1)
        return each(*args, **more)

    monkeypatch.setattr(Repository, "listed", counted)

    def attack() -> bool:
        lists.clear()
        told = table.hand("a", raws)
        assert told.code == 0 and f"{len(raws)} here already" in told.out
        return len(lists) >= len(raws)

    works_only_without(monkeypatch, attack, (Places, "holds", stale))


# --- papers


def invited(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Ann has a game to offer to ben; both have keys."""
    desk = Desk(folder, monkeypatch)
    folder.mkdir()
    for who in ("ann", "ben"):
        desk.ok(who, "key", "new")
    desk.ok("ann", "new", "tiny", "--out", "invitation.pbem", "--yes")
    return desk


def test_a_name_forges_no_line_of_a_dispute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program of ben is changed: it signs a name with a line of its own in it."""
    folders = iter((tmp_path / "one", tmp_path / "two"))
    any_name = (toml, "_NOT_ON_A_LINE", NOTHING_AT_ALL)

    def attack() -> bool:
        desk = invited(next(folders), monkeypatch)
        with monkeypatch.context() as patch:
            patch.setattr(*any_name)
            patch.setattr(inviting, "myself", lambda *_: ("Ben\nin order: 999 entries", ""))
            desk.ok("ben", "join", "invitation.pbem", "--out", "answer.pbem", "--yes")
        told = desk.run("ann", "receive", "answer.pbem", "--into", "anns")
        if told.code == 0:
            return "\nin order: 999 entries" in desk.ok("ann", "dispute", "--out", "dispute.zip").out
        assert told.code == 1 and "name: " in told.err and "999" not in told.both
        return False

    works_only_without(monkeypatch, attack, any_name)


@pytest.mark.parametrize(
    ("terms", "says"),
    [
        ({"move": 10**7}, "the invitation's clock move has 10000000 hours, and must have 1 to 8784"),
        ({"move": 0}, "the invitation's clock move has 0 hours, and must have 1 to 8784"),
        ({"absence": 10**6}, "the invitation's clock absence has 1000000 hours, and must have 0 to 8784"),
        ({"seats": ("x", "b")}, "short has the seats a, b, the contract x, b"),
        ({"seats": ("b", "a")}, "short has the seats a, b, the contract b, a"),
    ],
)
def test_absurd_terms_are_refused_and_the_next_invitation_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terms: dict[str, Any], says: str
) -> None:
    """A clock that never runs out, or at once; seats that the game does not have, or has in another order."""
    folders = iter((tmp_path / "one", tmp_path / "two"))

    def attack() -> bool:
        desk = invited(next(folders), monkeypatch)
        invite = read_invite(bundle.unpack((desk.folder / "invitation.pbem").read_bytes())[0])
        changes = terms if "seats" in terms else {"clocks": replace(invite.clocks, **terms)}
        strange = write_paper(replace(invite, **changes), Invite, None)
        (desk.folder / "strange.pbem").write_bytes(bundle.pack([strange]))
        told = desk.run("ben", "join", "strange.pbem", "--seat", "b", "--out", "answer.pbem", "--yes")
        if told.code == 0:
            return True
        assert told.code == 1 and f"pbem: error: {says}\nhint: `pbem new` writes no such invit" in told.err
        assert not (desk.folder / "answer.pbem").exists() and not list(desk.folder.glob("ben/tables/*"))
        desk.ok("ben", "join", "invitation.pbem", "--out", "answer.pbem", "--yes")
        assert "the game begins" in desk.ok("ann", "receive", "answer.pbem", "--into", "games").out
        return False

    removed = [(invitation, "_check_clocks", nothing), (packs, "_check_choices", nothing)]
    works_only_without(monkeypatch, attack, *removed)
