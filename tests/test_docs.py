"""What the documentation says is so: README's commands run as shown, the protocol page computes."""

from __future__ import annotations

import hashlib
import hmac
import os
import pty
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pbem.cli.main import COMMANDS
from pbem.cli.topics import topics
from tests.cli import ROOT, Desk, matches, steps, tidy

HELP = ROOT / "pbem" / "help"


# --- README


def shell(command: str, who: str, folder: Path) -> str:
    """Run a line as a person would, at a terminal, answering every question with yes."""
    environment = {
        **os.environ,
        "PBEM_HOME": str(folder / who),
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    master, slave = pty.openpty()
    os.write(master, b"y\ny\n")
    try:
        done = subprocess.run(
            ["sh", "-c", f"{command} 2>&1"],
            stdin=slave,
            capture_output=True,
            text=True,
            cwd=folder,
            env=environment,
            check=False,
        )
    finally:
        os.close(master)
        os.close(slave)
    return tidy(done.stdout) + (f"(exit {done.returncode})\n" if done.returncode else "")


def test_every_line_of_the_game_in_ten_minutes_runs_as_shown(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "pbem"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pbem "$@"\n')
    program.chmod(0o755)
    blocks = re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    ran = 0
    for who, command, wanted in steps("".join(blocks)):
        shown = shell(command, who, tmp_path)
        assert matches(wanted, shown), f"{who}$ {command}\n--- wanted\n{wanted}\n--- shown\n{shown}"
        ran += 1
    assert ran > 15


def test_the_two_commands_name_what_there_is() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/pbem demo" in text
    tests = (
        "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' && .venv/bin/python -m pytest -n 2"
    )
    assert tests in text
    assert "pbem" in project["scripts"] and "test" in project["optional-dependencies"]


def documents() -> list[Path]:
    return [ROOT / "README.md", *sorted(HELP.glob("*.md"))]


@pytest.mark.parametrize("file", documents(), ids=lambda file: file.name)
def test_every_command_that_is_named_exists(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for name in re.findall(r"(?:`|\$ |^    )pbem ([a-z]+)", text, re.MULTILINE):
        assert name in COMMANDS, f"{file.name} names pbem {name}"
    for topic in re.findall(r"`pbem help ([a-z]+)`", text):
        assert topic in topics(), f"{file.name} names the topic {topic}"


@pytest.mark.parametrize("name", [*topics(), "play", "key"])
def test_help_tells_every_topic_and_every_command(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path, monkeypatch)
    assert len(desk.ok("ann", "help", name).out) > 200
    assert name in desk.ok("ann", "help").out or name in COMMANDS
    assert desk.run("ann", "help", f"{name}x").code == 2


def test_the_topics_are_all_there() -> None:
    assert {"keys", "mail", "orders", "cases", "protocol", "threats", "completion"} <= set(topics())


# --- cases


def test_the_example_of_a_case_passes_and_every_key_is_explained(tmp_path: Path) -> None:
    from pbem.engine import case_checks, case_files, case_plays, cases

    text = (HELP / "cases.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert cases.run(tmp_path, tomllib.loads(example)) == []
    for key in {*case_files.CASE_KEYS, *case_plays.PLAY_KEYS, *case_checks.EXPECT_KEYS}:
        assert re.search(rf"\b{key}\b", text.split("## The whole format")[1]), f"{key} is not explained"


# --- the protocol page, by a second implementation that knows nothing but the page


def lp(x: bytes) -> bytes:
    return len(x).to_bytes(4, "big") + x


def told(label: str, *parts: bytes | str | int) -> bytes:
    raw = [p if isinstance(p, bytes) else str(p).encode() for p in parts]
    return b"".join(map(lp, [f"pbem/v2/{label}".encode(), *raw]))


def big_h(label: str, *parts: bytes | str | int) -> bytes:
    return hashlib.sha256(told(label, *parts)).digest()


def big_k(secret: bytes, label: str, *parts: bytes | str | int) -> bytes:
    return hmac.digest(secret, told(label, *parts), "sha256")


def hkdf(secret: bytes, label: str, *parts: bytes | str | int) -> bytes:
    """RFC 5869, one block."""
    extracted = hmac.digest(bytes(32), secret, "sha256")
    return hmac.digest(extracted, told(label, *parts) + b"\x01", "sha256")


def page() -> str:
    return (HELP / "protocol.md").read_text(encoding="utf-8")


def example() -> bytes:
    found, _ = re.findall(r"```toml\n(.*?)```", page(), re.DOTALL)
    return str(found).encode()


def test_every_kind_has_its_lane_and_an_example_that_is_one() -> None:
    from pbem.engine.codec import decode
    from pbem.protocol.papers import body_checks
    from pbem.protocol.papers.bodies import ANSWERING, KINDS

    _, text = re.findall(r"```toml\n(.*?)```", page(), re.DOTALL)
    bodies = tomllib.loads(text)
    assert set(bodies) == set(KINDS)
    for kind, body in bodies.items():
        body_checks.check(decode(body, KINDS[kind]))
        lane = "answer" if kind in ANSWERING else "decide"
        assert re.search(rf"^    (?:[a-z]+ · )?{kind} +{lane}\b|\b{kind}: nothing", page(), re.MULTILINE), (
            kind
        )


def test_the_example_entry_is_one_and_has_its_id() -> None:
    from pbem.protocol.crypto.keys import parse_public_line
    from pbem.protocol.papers.entry import read, verify

    raw = example()
    identity = re.search(r'H\("entry", all bytes of the file\)\n +([0-9a-f]{64})', page())
    line = re.search(r"(ssh-ed25519 [A-Za-z0-9+/=]+)", page())
    assert identity and line and big_h("entry", raw).hex() == identity[1]
    assert verify(read(raw), [parse_public_line(line[1])]).id == identity[1]


def test_stock_openssh_checks_the_example(tmp_path: Path) -> None:
    """As `pbem help keys` says."""
    raw = example()
    cut = raw.rindex(b"\n[signature]\n") + 1
    armour = tomllib.loads(raw.decode())["signature"]["sshsig"]
    line = re.search(r"(ssh-ed25519 [A-Za-z0-9+/=]+)", page())
    assert line
    (tmp_path / "move.sig").write_text(armour)
    (tmp_path / "allowed_signers").write_text(f"ben {line[1]}\n")
    command = ["ssh-keygen", "-Y", "verify", "-f", "allowed_signers", "-I", "ben", "-n", "pbem-entry-v2"]
    for content, code in ((raw[:cut], 0), (raw[: cut - 1], 255)):
        done = subprocess.run(
            [*command, "-s", "move.sig"], cwd=tmp_path, input=content, capture_output=True, check=False
        )
        assert done.returncode == code, done.stderr


def test_stock_openssh_checks_an_answer(tmp_path: Path) -> None:
    """As `pbem help keys` says: the answering key from the contract, as a line of allowed_signers."""
    from tests.scenes import orders, table_of
    from tests.table import give

    table = table_of(2)
    give(table, orders(table["a"], "hit b"))
    raw = table["b"].answer()
    assert raw is not None
    accept = tomllib.loads(table["a"].contract.papers["accept-b"].decode())
    text = (HELP / "keys.md").read_text(encoding="utf-8")
    found = re.search(r"        (\(printf 'ann.*?> allowed_signers)", text, re.DOTALL)
    assert found
    subprocess.run(["sh", "-c", found[1].replace("HEX", accept["answer"])], cwd=tmp_path, check=True)
    cut = raw.rindex(b"\n[signature]\n") + 1
    (tmp_path / "move.sig").write_text(tomllib.loads(raw.decode())["signature"]["sshsig"])
    command = ["ssh-keygen", "-Y", "verify", "-f", "allowed_signers", "-I", "ann", "-n", "pbem-entry-v2"]
    done = subprocess.run(
        [*command, "-s", "move.sig"], cwd=tmp_path, input=raw[:cut], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_formulas_of_the_contract_are_those_of_the_program() -> None:
    from tests.table import make_contract

    contract, keys = make_contract(2)
    papers, invite = contract.papers, contract.invite
    listed = big_h("list", papers["invite"], 2, papers["accept-a"], papers["accept-b"])
    assert listed == contract.listed
    assert big_h("game", listed, papers["sign-a"], papers["sign-b"]) == contract.game
    for seat in invite.seats:
        accept, sign = (tomllib.loads(papers[f"{step}-{seat}"].decode()) for step in ("accept", "sign"))
        assert accept["invite"] == big_h("invite", papers["invite"]).hex()
        private = keys[seat].seed
        secret = big_k(
            hkdf(private, "table", invite.table, seat, bytes.fromhex(accept["nonce"])), "list", listed
        )
        assert sign["commitment"] == big_h("secret", listed, seat, secret).hex()
        link = big_k(secret, "chain", listed)
        for _ in range(invite.chain):
            link = big_h("chain", listed, seat, link)
        assert sign["tip"] == link.hex()


def test_the_formulas_of_chance_and_seals_are_those_of_the_program() -> None:
    from pbem.protocol.crypto import chance, sealing

    game, links = bytes(range(32)), [b"a" * 32, b"b" * 32]
    seed = big_h("event", game, 7, 1, b"d" * 32, 2, *links)
    assert chance.seed(game, 7, [b"d" * 32], links) == seed
    for bound in (2, 6, 10, 52):
        width = (bound - 1).bit_length()
        bits = "".join(f"{byte:08b}" for byte in big_k(seed, "integer", 3, 1, 0))
        groups = [int(bits[i : i + width], 2) for i in range(0, 256 - width + 1, width)]
        first = next(value for value in groups if value < bound)
        assert chance.integer(seed, 3, 1, bound) == first
    nonce = big_k(b"s" * 32, "nonce", game, "slot s1.a.0", "act")
    assert sealing.nonce(b"s" * 32, game, "slot s1.a.0", "act") == nonce
    made = big_h("commit", game, "a", "slot s1.a.0", b"act", nonce)
    assert sealing.commitment(game, "a", "slot s1.a.0", b"act", nonce) == made


def test_the_page_names_every_field_of_the_protocols_part_of_a_position() -> None:
    from dataclasses import fields

    from pbem.engine.orders import Order
    from pbem.protocol.rounds import state

    files = page().split("**position.toml**")[1].split("**Commits.**")[0]
    for kind, text in (
        *((kind, files) for kind in (state.State, state.SeatState, state.Queue, state.StandingOrder, Order)),
        *((kind, files) for kind in (state.Boxed, state.Away, state.SharedDeck)),
        *((kind, files) for kind in (state.Gone, state.Agreed)),
    ):
        for one in fields(kind):
            assert re.search(rf"\b{one.name}\b", text), f"{one.name} of {kind.__name__} is not named"


def test_the_page_names_every_kind_and_the_limits_that_hold() -> None:
    from pbem import toml
    from pbem.protocol.log import ledger
    from pbem.protocol.papers import body_checks, entry, invitation, paper
    from pbem.protocol.papers.bodies import KINDS
    from pbem.protocol.rounds import out_of_turn
    from pbem.transport import bundle, mail_in

    kinds = page().split("## Kinds")[1].split("##")[0]
    assert all(re.search(rf"\b{kind}\b", kinds) for kind in KINDS)
    limits = page().split("## Limits")[1].split("##")[0]
    for text, value in (
        ("entry 65,536 bytes", entry.LIMIT),
        ("paper 262,144", paper.PAPER_LIMIT),
        ("texts of a paper 1,000", paper.MAX_WORDS),
        ("line 4,096", toml.MAX_LINE),
        ("nesting 16", toml.MAX_NESTING),
        ("key parts 8", toml.MAX_KEY_PARTS),
        ("integers 18", toml.MAX_DIGITS),
        ("boxes 32,768", body_checks.BOX_LIMIT),
        ("seals 256", body_checks.MANY),
        ("standing orders 16", out_of_turn.STANDING),
        ("8,192 items", entry.LIMIT // 8),
        ("of 32 lines", body_checks.LINES),
        ("orders 1,000 lines", body_checks.ORDER_LINES),
        ("bundle 1,000 entries", bundle.MAX_ENTRIES),
        ("entries, 524,288 bytes", bundle.MAX_TOTAL),
        ("mail 2 MiB", mail_in.MAX_MESSAGE >> 20),
        ("game.toml 1,048,576", 4 * paper.PAPER_LIMIT),
        ("256 entries of a seat", ledger.ROOM),
        ("seen 64", entry.SEEN),
        ("after 7", entry.ROUND),
    ):
        assert text in limits and re.sub(r"\D", "", text) == str(value), text
    assert f"chain = {invitation.CHAIN_LENGTH}" in page()
