"""The command line as a whole: help and an example everywhere, one voice, no secret, a light start."""

from __future__ import annotations

import errno
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from pbem.cli.common import progress
from pbem.cli.main import COMMANDS, pbem
from tests.cli import PLAYER, ROOT, Desk, begin, exchange, table_of, until_somebody_acts


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A game just begun."""
    patch = pytest.MonkeyPatch()
    desk = Desk(tmp_path_factory.mktemp("begun"), patch)
    begin(desk)
    yield desk
    patch.undo()


@pytest.fixture
def desk(begun: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return begun.copy(tmp_path, monkeypatch)


def every_command() -> Iterator[tuple[str, click.Command]]:
    """All commands and their subcommands, by the words that run them."""
    waiting: list[tuple[str, click.Command]] = []
    with click.Context(pbem) as context:
        for name in COMMANDS:
            command = pbem.get_command(context, name)
            assert command is not None
            waiting.append((name, command))
    while waiting:
        name, command = waiting.pop(0)
        yield name, command
        if isinstance(command, click.Group):
            waiting += [(f"{name} {sub}", inner) for sub, inner in command.commands.items()]


@pytest.mark.parametrize(
    ("name", "command"), list(every_command()), ids=lambda one: one if isinstance(one, str) else ""
)
def test_every_command_has_help_and_an_example(name: str, command: click.Command) -> None:
    assert command.help, f"pbem {name} has no help"
    assert f"Example: pbem {name}" in command.help, f"pbem {name} has no example of its own"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"pbem {name} {parameter.opts[0]} has no help"


def test_every_command_has_a_test() -> None:
    """A command is run by some test: as arguments of the program, or in a transcript."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "transcripts").glob("*.txt")]
    everything = "\n".join(texts)
    for name in COMMANDS:
        ran = rf'["\']{name}["\'](?:,|\]|\)| for)|\$ pbem {name}\b|pbem {name} '
        assert re.search(ran, everything), f"no test runs pbem {name}"


def test_the_frame_lists_every_command_and_guesses_a_misspelt_one(desk: Desk) -> None:
    shown = desk.ok("ann", "--help").out
    assert all(f"\n  {name} " in shown for name in COMMANDS)
    assert desk.run("ann").code == 2 and "Commands:" in desk.run("ann").out
    missed = desk.run("ann", "plya")
    assert (
        missed.code == 2
        and missed.err == "pbem: error: no command is called 'plya'\nhint: did you mean play or replay?\n"
    )
    wrong = desk.run("ann", "play", "--bogus")
    assert wrong.code == 2 and wrong.err.endswith("hint: `pbem play --help` shows how\n")


def test_a_fault_of_the_program_is_no_traceback(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> None:
        raise ZeroDivisionError("secret words")

    monkeypatch.setattr("pbem.report.since_own_decision", broken)
    failed = desk.run("ann", "status")
    assert failed.code == 70 and "this is a fault in pbem: ZeroDivisionError" in failed.err
    assert "Traceback" not in failed.both and "secret words" not in failed.both
    monkeypatch.setenv("PBEM_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        desk.run("ann", "status")


@pytest.mark.parametrize("where", ["pbem.system.write_whole", "pbem.pool.write_whole"])
def test_a_full_disk_is_named_and_the_move_is_the_same_afterwards(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Desk(tmp_path, monkeypatch)
    begin(own)

    def full(path: object, *_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(where, full)
        failed = own.run("ann", "play", "-m", "put act act", "--yes")
    assert failed.code == 7 and "pbem: error: the disk is full" in failed.err
    assert "run it again" in failed.err
    again = own.run("ann", "play", "-m", "put act act", "--yes")
    assert again.code in (0, 2, 4), again.both
    own.ok("ann", "send", "--out", "move.pbem")
    own.ok("ben", "receive", "move.pbem")
    assert [one["seat"] for one in own.ok("ben", "status", "--json").json["asked"]] == ["b"]


def test_the_game_that_is_meant_is_found_or_asked_for(desk: Desk) -> None:
    assert desk.run("zoe", "status").err.startswith("pbem: error: you have no game yet")
    near = desk.run("ann", "status", "-g", "tinny")
    assert near.code == 2 and "did you mean tiny?" in near.err
    folder = table_of(desk, "ann").folder
    assert "you only watch" in desk.ok("zoe", "status", "-g", str(folder)).out
    assert desk.run("zoe", "play", "-g", str(folder), "-m", "put act act", "--yes").code == 4
    desk.ok("ann", "new", "tiny", "--out", "i.pbem", "--yes")
    desk.ok("ben", "join", "i.pbem", "--out", "a.pbem", "--yes")
    desk.ok("ann", "receive", "a.pbem", "--into", "more")
    two = desk.run("ann", "status")
    assert two.code == 2 and "-g NAME, one of: tiny, tiny-2" in two.err
    assert desk.ok("ann", "games").out.count("you are a") == 2


# --- secrets


def secrets_of(desk: Desk, who: str) -> list[bytes]:
    """Every secret of somebody, in the forms in which it could leak."""
    table = table_of(desk, who)
    key = (desk.folder / who / "key").read_bytes().split(b"\n")
    raw = [table.own.secret, table.own.box, table.own.answering, *(b"".join(key[1:-2])[40:80],)]
    return [form for one in raw for form in (one, one.hex().encode())]


def test_nothing_secret_leaves_the_home(desk: Desk) -> None:
    for who in ("ann", "ben"):
        desk.ok(who, "play", "-m", "put rest act", "--yes")
        desk.ok(who, "send", "--out", f"{who}.txt")
        desk.ok(who, "send", "--out", f"{who}.eml")
    exchange(desk)
    outside = [
        f
        for f in desk.folder.rglob("*")
        if f.is_file() and f.relative_to(desk.folder).parts[0] not in ("ann", "ben")
    ]
    outside += list(desk.folder.glob("*/outbox/**/*.pbem"))
    assert len(outside) > 20
    for who in ("ann", "ben"):
        for secret in secrets_of(desk, who):
            assert not [f for f in outside if secret in f.read_bytes()]


def test_what_is_in_the_home_is_for_its_owner_alone(desk: Desk) -> None:
    desk.ok("ann", "play", "-m", "put rest act", "--yes")
    for path in (desk.folder / "ann").rglob("*"):
        if "outbox" not in path.parts:
            assert path.stat().st_mode & 0o077 == 0, path


def test_no_secret_stands_in_a_traceback(desk: Desk) -> None:
    table = table_of(desk, "ann")
    shown = repr(table.own) + repr(table.secrets) + repr(table.home.key())
    assert not [one for one in secrets_of(desk, "ann") if one.decode("latin-1") in shown]


# --- files that carry moves


def test_a_mail_file_carries_the_move(desk: Desk) -> None:
    desk.ok("ann", "play", "-m", "put rest act", "--out", "move.eml", "--yes")
    raw = (desk.folder / "move.eml").read_bytes()
    assert b"To: Ben <ben@example.org>" in raw and b"[pbem " in raw
    assert "asked of you" in desk.ok("ben", "receive", "move.eml").out
    again = desk.ok("ben", "receive", "-", given=raw)
    assert "0 entries logged, 2 here already" in again.out


def test_entries_of_a_game_that_is_not_known_are_refused(desk: Desk) -> None:
    desk.ok("ann", "play", "-m", "put rest act", "--out", "move.pbem", "--yes")
    refused = desk.run("zoe", "receive", "move.pbem")
    assert refused.code == 2 and "not known here" in refused.err
    assert desk.run("zoe", "receive", "no-such-file").code == 5
    (desk.folder / "lunch.txt").write_text("lunch at noon?\n")
    assert "nothing of pbem" in desk.run("ann", "receive", "lunch.txt").err


def test_receive_tells_a_script_what_it_did(desk: Desk) -> None:
    for who, other in (("ann", "ben"), ("ben", "ann")):
        desk.ok(who, "play", "-m", "put rest act", "--out", f"{who}.pbem", "--yes")
        told = desk.ok(other, "receive", f"{who}.pbem", "--json").json
        assert set(told) == {"games", "said", "files", "refused"}
    (game,) = told["games"]
    assert game["logged"] and game["fingerprint"] == desk.ok("ann", "status", "--json").json["fingerprint"]


# --- bars


@pytest.mark.parametrize(
    ("terminal", "long", "drawn"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_a_bar_is_drawn_on_a_terminal_for_what_takes_over_a_second(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, long: bool, drawn: bool
) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return terminal

    screen, clock = Screen(), iter(range(1000) if long else [0] * 1000)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("pbem.cli.common.time.monotonic", lambda: next(clock))
    with progress("verifying") as step:
        for number in range(5):
            step(number, 5)
    assert ("verifying" in screen.getvalue()) == drawn


# --- start and completion


def test_the_version_needs_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['pbem', '--version']\n"
        "from pbem.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'cryptography', 'git', 'rich', 'nacl', 'tomli_w', 'games', 'pbem.protocol'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.startswith("pbem, version ") and done.stdout.endswith("[]\n")


def complete(words: str, home: Path, at: int | None = None) -> list[str]:
    environment = {
        **os.environ,
        "_PBEM_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1 if at is None else at),
        "PBEM_HOME": str(home),
    }
    code = "from pbem.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_the_shell_completes_commands_games_seats_and_topics(desk: Desk) -> None:
    home = desk.folder / "ann"
    assert complete("pbem re", home) == ["restore", "receive", "replay", "resign", "rekey"]
    assert complete("pbem new ti", home) == ["tiny"]
    assert complete("pbem new tiny --seat ", home) == list("abcdef")
    assert complete("pbem status -g ", home) == ["tiny"]
    assert complete("pbem send --to ", home) == ["a", "b"]
    assert complete("pbem help thr", home) == ["threats"]


def test_the_shell_completes_orders_word_by_word(desk: Desk) -> None:
    home = desk.folder / "ann"
    assert complete("pbem play -g tiny -m p", home) == ["put act", "put rest"], "a lone word would end it"
    assert complete("pbem play -g tiny -m 'put ", home, 5) == ["put act", "put rest"]
    assert complete("pbem play -g tiny -m 'put act r", home, 5) == ["put act rest"]
    assert complete("pbem odds -g tiny put re", home) == ["rest"]
    assert not any(complete("pbem play -m x", desk.folder / "nobody"))


def in_bash(line: str, home: Path, tmp_path: Path) -> list[str]:
    """What bash itself offers for the last word of a line, by the script of `pbem help completion`."""
    (tmp_path / "pbem").write_text(
        f"#!{sys.executable}\nfrom pbem.cli.main import main\nmain()\n", encoding="utf-8"
    )
    (tmp_path / "pbem").chmod(0o755)
    script = (
        'eval "$(_PBEM_COMPLETE=bash_source pbem)"\n'
        'COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _pbem_completion pbem\n'
        "printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    )
    path = os.pathsep.join((str(tmp_path), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "PBEM_HOME": str(home)}
    words = re.findall(r"'[^']*$|\S+", line) + ([""] if line.endswith(" ") else [])
    done = subprocess.run(
        ["bash", "-c", script, "bash", *words], capture_output=True, text=True, env=environment, check=True
    )
    assert not done.stderr, done.stderr
    return done.stdout.split("\n")[:-1]


def test_bash_completes_units_hexes_cards_rules_and_orders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path, monkeypatch)
    begin(desk, "kawagoe")
    home = desk.folder / "ann"
    assert in_bash("pbem board --hex 18", home, tmp_path)[:3] == ["1801", "1802", "1803"]
    assert in_bash("pbem board --legal ujiy", home, tmp_path) == ["ujiyasu"]
    assert in_bash("pbem rules kawagoe 9.5", home, tmp_path) == ["9.5", "9.51", "9.52", "9.53", "9.54"]
    assert in_bash("pbem rules nothing 9.5", home, tmp_path) == [""]
    assert "deploy garrison" in in_bash("pbem play -m 'dep", home, tmp_path)


def test_bash_completes_cards_of_the_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path, monkeypatch)
    begin(desk, "tiny", "--scenario", "long")
    until_somebody_acts(desk)
    seat = desk.ok("ann", "status", "--json").json["asked"][0]["seat"]
    hand = desk.ok(PLAYER[seat], "legal", "--json").json["orders"]
    cards = sorted({line.split()[1] for line in hand if line.startswith("play ")})
    assert cards
    assert sorted(in_bash("pbem odds play ", desk.folder / PLAYER[seat], tmp_path)) == cards
