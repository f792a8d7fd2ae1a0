"""Cheats with bytes from a stranger: bombs for the parser, tricks for the terminal, foreign signatures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from pbem import toml
from pbem.engine.notation import Handle
from pbem.protocol.crypto import sshsig
from pbem.protocol.log import ledger
from pbem.protocol.papers import body_checks, entry
from pbem.protocol.papers.bodies import Answers, Opening, TailOpening
from pbem.protocol.papers.entry import compose
from tests.cheats.kit import End, cheat, nothing
from tests.scenes import orders, table_of
from tests.table import entry_of

HEX = "5a" * 32
NOTHING_AT_ALL = re.compile(r"(?!)")


def _read(text: str) -> bool:
    """Whether a file is read as if it were nothing special."""
    return bool(toml.read_foreign(text.encode()))


# --- bombs


@cheat(End.REFUSED, (toml, "MAX_NESTING", 10**6))
def a_file_nests_deeper_than_anybody_can_read() -> bool:
    """Brackets within brackets, until the parser runs out of room."""
    return _read(f"a = {'[' * 200}{']' * 200}\n")


@cheat(End.REFUSED, (toml, "MAX_DIGITS", 10**6))
def a_number_takes_longer_to_read_than_to_send() -> bool:
    """A number of thousands of digits: turning it into an integer costs the square of that."""
    return _read(f"a = {'9' * 4000}\n")


@cheat(End.REFUSED, (toml, "MAX_KEY_PARTS", 10**6))
def a_key_builds_a_tower_of_tables() -> bool:
    """One line that makes a hundred tables."""
    return _read(f"{'.'.join('a' * 100)} = 1\n")


@cheat(End.REFUSED, (toml, "MAX_LINE", 10**6))
def a_line_is_as_long_as_the_file() -> bool:
    """No mail program would carry it unharmed, and no terminal shows it."""
    return _read(f'a = "{"x" * 5000}"\n')


@cheat(End.REFUSED, (toml, "_text", lambda raw, limit: raw.decode()))
def a_file_is_larger_than_any_entry() -> bool:
    """A megabyte where sixty-four kilobytes are allowed."""
    return _read('a = """\n' + ("x" * 70 + "\n") * 1000 + '"""\n')


def _opened(body: Answers) -> bool:
    """Whether an answer that opens this is an entry."""
    player = table_of(2)["a"]
    return entry.read(player.entry("answers", body)).body == body


@cheat(End.REFUSED, (body_checks, "LINES", 10**6))
def a_sealed_standing_order_never_comes_to_an_end() -> bool:
    """Opened, each of its lines would be held against all legal orders, at each question."""
    lines = "\n".join(["swear if hit *"] * 2000)
    return _opened(Answers(standing=(Opening(Handle("deed"), lines, HEX),)))


@cheat(End.REFUSED, (body_checks, "ANSWER", 10**6))
def a_line_of_a_standing_order_is_nothing_but_stars() -> bool:
    """Each star is looked for in each legal order, at each question."""
    return _opened(Answers(standing=(Opening(Handle("deed"), f"swear if {'*' * 3000}", HEX),)))


@cheat(End.REFUSED, (body_checks, "ORDER_LINES", 10**6))
def a_sealed_part_of_a_list_never_comes_to_an_end() -> bool:
    """Ten thousand orders that may be skipped: each is looked at."""
    return _opened(Answers(tail=TailOpening("? swear\n" * 6000, HEX)))


# --- the terminal


@cheat(End.REFUSED, (toml, "_UNSAFE", NOTHING_AT_ALL))
def a_character_turns_the_line_around() -> bool:
    """A direction mark makes a name read as another one."""
    return _read('name = "\u202eneB"\n')


@cheat(End.REFUSED, (toml, "_UNSAFE", NOTHING_AT_ALL))
def a_character_commands_the_terminal() -> bool:
    """U+009B begins a control sequence: what was printed before can be written over."""
    return _read('name = "\u009b2JBen"\n')


@cheat(End.REFUSED, (toml, "_NOT_ON_A_LINE", NOTHING_AT_ALL))
def a_name_writes_a_line_of_its_own() -> bool:
    """A line end in a name forges the next line of what others read."""
    toml.check_line("Ben\nverdict: nobody", "name", 60)
    return True


# --- signatures


def _believes(claim: entry.Unverified, keys: Mapping[tuple[str, str], bytes]) -> entry.Entry:
    """As if nobody looked whose signature it is."""
    return replace(entry.as_entry(claim), key=keys[claim.head.seat, claim.head.lane])


UNSIGNED = (ledger, "verify", _believes)


def _taken(change: object) -> bool:
    table = table_of(2)
    a, b = table["a"], table["b"]
    raw = orders(a, "swear")
    b.receive(change(a, b, raw))  # type: ignore[operator]
    return b.ledger.state.number == 1


@cheat(End.REFUSED, UNSIGNED)
def a_player_moves_for_another() -> bool:
    """b signs an order in a's name, with its own key."""
    return _taken(lambda a, b, raw: compose(entry_of(raw).head, entry_of(raw).body, b.key))


@cheat(End.REFUSED, UNSIGNED)
def the_machine_that_only_answers_moves() -> bool:
    """Whoever has the answering key of a seat signs an order with it."""
    return _taken(lambda a, b, raw: compose(entry_of(raw).head, entry_of(raw).body, a.answering))


@cheat(End.REFUSED, UNSIGNED)
def an_entry_is_changed_on_its_way() -> bool:
    """A host turns `swear` into `hit b`, and keeps the signature."""
    return _taken(lambda a, b, raw: raw.replace(b"\nswear\n", b"\nhit b\n"))


@cheat(End.REFUSED, (sshsig, "check_public", nothing))
def one_signature_fits_every_message() -> bool:
    """Under a public key of small order: whoever joined with it could deny and forge everything."""
    key = (1).to_bytes(32, "little")  # the neutral element
    signature = key + bytes(32)
    for message in (b"I move to 0101", b"I move to 0202"):
        sshsig.verify_raw(key, signature, message)
    return True
