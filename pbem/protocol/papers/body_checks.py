"""The shape of a body beyond its types: lengths, hex, base64, bounds. Nothing here depends on a game.

What is refused here is no entry at all, on every machine alike, and is nobody's breach. What is well
shaped but wrong where it stands is judged there.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.errors import MalformedError
from pbem.protocol.papers.bodies import (
    Absence,
    Answers,
    Ask,
    Audit,
    Body,
    Complaint,
    Have,
    Late,
    Opening,
    Orders,
    Rekey,
    Resign,
    Revoke,
    Say,
    Seal,
    SealedChoice,
    Standing,
    TakeBack,
    Terms,
)
from pbem.protocol.papers.invitation import LONGEST
from pbem.protocol.papers.times import check_time

BOX_LINE = 64
BOX_LIMIT = 32 * 1024
MANY = 256
"""No list of openings, seals, deliveries or seats is longer."""
LINES = 32
"""No standing order has more lines."""
ANSWER = 400
"""None of its lines has more characters."""
ORDER_LINES = 1000
SAID = 400
"""No word to the others has more characters."""
_HEX = re.compile(r"[0-9a-f]{64}")
_VERSION = re.compile(r"[A-Za-z0-9.-]{0,32}")
_DECISION = re.compile(r"[a-z0-9][a-z0-9 _-]{0,31}")


def pack_box(box: bytes) -> tuple[str, ...]:
    """A box as short lines of base64."""
    text = base64.b64encode(box).decode()
    return tuple(text[i : i + BOX_LINE] for i in range(0, len(text), BOX_LINE))


def unpack_box(lines: Sequence[str]) -> bytes:
    """The reverse of `pack_box`."""
    return base64.b64decode("".join(lines), validate=True)


def check(body: Body) -> None:
    """Raise MalformedError, naming the field, if a body is out of shape."""
    _CHECKS.get(type(body), _nothing)(body)


def _nothing(body: Any) -> None:
    """Types alone say everything about this kind."""


def _refuse(name: str, wanted: str) -> None:
    raise MalformedError(f"body.{name}: expected {wanted}")


def _hex(name: str, text: str, empty: bool = False) -> None:
    if not (_HEX.fullmatch(text) or (empty and not text)):
        _refuse(name, "64 hex digits")


def _few(name: str, items: Sequence[object], least: int = 0) -> None:
    if not least <= len(items) <= MANY:
        _refuse(name, f"from {least} to {MANY} of them")


def _box(name: str, lines: Sequence[str]) -> None:
    try:
        raw = unpack_box(lines)
    except (binascii.Error, ValueError):
        raw = b""
    if not 16 <= len(raw) <= BOX_LIMIT or pack_box(raw) != tuple(lines):
        _refuse(name, f"base64 of 16 to {BOX_LIMIT} bytes in lines of {BOX_LINE}")


def _seal(name: str, seal: Seal) -> None:
    _hex(f"{name}.commit", seal.commit)
    _box(f"{name}.box", seal.box)


def _seals(name: str, seals: Sequence[Seal], least: int = 0) -> None:
    _few(name, seals, least)
    for number, seal in enumerate(seals):
        _seal(f"{name}[{number}]", seal)


def _openings(name: str, openings: Sequence[Opening]) -> None:
    _few(name, openings)
    for number, one in enumerate(openings):
        _hex(f"{name}[{number}].nonce", one.nonce, empty=True)
        if bool(one.nonce) == bool(one.share):
            _refuse(f"{name}[{number}]", "a nonce or a share")
    if len({one.slot for one in openings}) != len(openings):
        _refuse(name, "every slot once")


def _orders(body: Orders) -> None:
    _hex("link", body.link)
    _hex("tip", body.tip, empty=True)
    check_orders("orders", body.orders)
    _openings("opens", body.opens)
    _seals("tail", body.tail)


def check_orders(name: str, text: str) -> None:
    """A list of orders, or a part of one."""
    if not text.strip() or text.count("\n") > ORDER_LINES:
        _refuse(name, f"from one to {ORDER_LINES} lines")


def _sealed(body: SealedChoice) -> None:
    _hex("link", body.link)
    _hex("tip", body.tip, empty=True)
    _seals("seals", body.seals, least=1)


def _answers(body: Answers) -> None:
    _hex("link", body.link, empty=True)
    _hex("tip", body.tip, empty=True)
    if body.tip and not body.link:
        _refuse("tip", "a link with it")
    _openings("opens", body.opens)
    if body.tail is not None:
        _hex("tail.nonce", body.tail.nonce)
        check_orders("tail.text", body.tail.text)
        _openings("tail.opens", body.tail.opens)
    for number, commit in enumerate(body.commits):
        _hex(f"commits[{number}]", commit)
    if body.box or body.commits:
        _box("box", body.box)
    _few("deliver", body.deliver)
    for number, one in enumerate(body.deliver):
        _box(f"deliver[{number}].box", one.box)
    if len(body.standing) > 1 or any(not one.nonce for one in body.standing):
        _refuse("standing", "at most one opening, with its nonce")
    _openings("standing", body.standing)
    for opening in body.standing:
        check_lines("standing", opening.value.split("\n"))
    _few("pieces", body.pieces)
    for number, given in enumerate(body.pieces):
        _hex(f"pieces[{number}].of", given.of)
        _hex(f"pieces[{number}].piece", given.piece, empty=True)
        if bool(given.piece) == bool(given.shown):
            _refuse(f"pieces[{number}]", "a piece, or what its box shows")
        if given.shown:
            _box(f"pieces[{number}].shown", given.shown)


def _standing(body: Standing) -> None:
    _decision(body)
    if bool(body.lines) == (body.seal is not None):
        _refuse("lines", "lines or a seal, not both")
    check_lines("lines", body.lines)
    if body.seal is not None:
        _seal("seal", body.seal)


def check_lines(name: str, lines: Sequence[str]) -> None:
    """The lines of a standing order, public or sealed."""
    if len(lines) > LINES or any(not one.strip() or "\n" in one or len(one) > ANSWER for one in lines):
        _refuse(name, f"at most {LINES} answers, each on a line of its own of at most {ANSWER} characters")


def _decision(body: Standing | Revoke) -> None:
    if not _DECISION.fullmatch(body.decision):
        _refuse("decision", "the kind of a decision, at most 32 letters")


def _resign(body: Resign) -> None:
    _hex("secret", body.secret, empty=True)
    _hex("box", body.box, empty=True)
    _former(body.former)


def _former(secrets: Sequence[str]) -> None:
    _few("former", secrets)
    for number, one in enumerate(secrets):
        _hex(f"former[{number}]", one)


def _take_back(body: TakeBack) -> None:
    if body.to < 0:
        _refuse("to", "the number of an entry")


def _late(body: Late) -> None:
    _few("seats", body.seats, least=1)
    if tuple(sorted(set(body.seats))) != body.seats:
        _refuse("seats", "every seat once, in alphabetical order")


def _terms(body: Terms) -> None:
    if not _VERSION.fullmatch(body.version):
        _refuse("version", "a version of the rules")
    hours = (body.move, body.grace, body.audit, body.absence)
    if not all(0 <= one <= LONGEST for one in hours):
        _refuse("move", f"hours from 0 to {LONGEST}")
    if not body.version and not any(hours):
        _refuse("version", "something that changes")


def _say(body: Say) -> None:
    if not body.text.strip() or len(body.text) > SAID or "\n" in body.text:
        _refuse("text", f"one line of at most {SAID} characters")


def _absence(body: Absence) -> None:
    check_time("body.until", body.until)


def _rekey(body: Rekey) -> None:
    if len(body.paper) > 8192:
        _refuse("paper", "at most 8192 characters")
    if body.piece is not None:
        for name in ("commit", "once", "masked"):
            _hex(f"piece.{name}", getattr(body.piece, name))


def _audit(body: Audit) -> None:
    _hex("secret", body.secret)
    _former(body.former)


_CHECKS: Mapping[type[Any], Callable[[Any], None]] = {
    Orders: _orders,
    SealedChoice: _sealed,
    Answers: _answers,
    Standing: _standing,
    Revoke: _decision,
    Resign: _resign,
    TakeBack: _take_back,
    Late: _late,
    Terms: _terms,
    Ask: lambda body: _hex("nonce", body.nonce),
    Have: lambda body: _hex("asked", body.asked),
    Say: _say,
    Absence: _absence,
    Rekey: _rekey,
    Complaint: lambda body: _hex("key", body.key),
    Audit: _audit,
}
