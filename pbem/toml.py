"""TOML in both directions: our own byte-stable emitter, and the pre-scan of foreign bytes.

Emitter: keys sorted by code point, one record per line, so that a diff reads like the move and no
library release changes a byte. Every file it writes means the same under TOML 1.0 and 1.1.

Reader: before tomllib sees a stranger's bytes, one linear scan holds them to size, line, nesting,
key and digit caps and refuses whatever the two versions of TOML, or two readers, could disagree about.
Each refusal has its own message and a line number; damage done by mail is named as such. No message
repeats anything of the content, which nobody has verified yet.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NoReturn

from pbem.errors import MalformedError

LINE = 70
MAX_LINE = 4096
MAX_NESTING = 16
MAX_KEY_PARTS = 8
MAX_DIGITS = 18

# The characters are listed, not looked up: Unicode tables differ between Python versions.
_CONTROL = r"\x00-\x08\x0b-\x1f\x7f-\x9f"
_FORMAT = r"\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
_SURROGATE = r"\ud800-\udfff"


# --- emitter -------------------------------------------------------------------------------------

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED = re.compile(rf'[\t\n"\\{_CONTROL}{_FORMAT}{_SURROGATE}]')
_ESCAPED_MULTILINE = re.compile(rf'"(?="|\Z)| (?=\n)|[\t\\{_CONTROL}{_FORMAT}{_SURROGATE}]')
_IN_QUOTES = re.compile(rf"['\t\n\\{_CONTROL}{_FORMAT}{_SURROGATE}]")
_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def dumps(doc: Mapping[str, Any], *, wrap: bool = False) -> str:
    """A whole document: plain values first, then one `[section]` for each value that is a table.

    With `wrap`, long texts and lists inside a record are broken into lines that mail can carry.
    """
    plain = {key: value for key, value in doc.items() if not isinstance(value, Mapping)}
    blocks = ["".join(_items(plain, wrap))] if plain else []
    for key in sorted([key for key in doc if key not in plain]):
        blocks.append(f"[{key_text(key)}]\n" + "".join(_items(doc[key], wrap)))
    return "\n".join(blocks)


def line(key: str, value: object) -> str:
    """`key = value` on one line, without the newline."""
    return f"{key_text(key)} = {inline(value)}"


def inline(value: object) -> str:
    """A value on one line. None, floats, dates and subclasses such as enums are a TypeError."""
    if type(value) is str:
        return f'"{_ESCAPED.sub(_escape, value)}"'
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is int:
        if abs(value) >= 10**MAX_DIGITS:
            raise ValueError(
                f"an integer of more than {MAX_DIGITS} digits does not survive every TOML reader"
            )
        return str(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join([inline(item) for item in value])}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join([line(key, value[key]) for key in sorted(value)])}}}"
    raise TypeError(f"TOML has no place for {type(value).__name__}")


def quoted(text: str) -> str:
    """Somebody's words in quotes on one line, for a message that may be logged: the same on every machine.

    `repr` is not: it hangs on which characters the Unicode tables of this Python know.
    """
    return f"'{_IN_QUOTES.sub(_escape_any, text)}'"


def _items(table: Mapping[str, Any], wrap: bool) -> list[str]:
    return [_item(key, table[key], wrap) + "\n" for key in sorted(table)]


def _item(key: str, value: object, wrap: bool) -> str:
    """An item at top level or of a section: records one per line, long text as it reads."""
    if type(value) is str and "\n" in value:
        return f"{key_text(key)} = {_long_text(value)}"
    if isinstance(value, (list, tuple)) and value and _one_a_line(value):
        write = _wrapped if wrap else inline
        records = "".join([f"    {write(item)},\n" for item in value])
        return f"{key_text(key)} = [\n{records}]"
    return f"{key_text(key)} = {_wrapped(value)}" if wrap else line(key, value)


def _long_text(value: str) -> str:
    return f'"""\n{_ESCAPED_MULTILINE.sub(_escape, value)}"""'


def _wrapped(value: object) -> str:
    """A value inside a record: on one line if it is short, else broken where TOML 1.0 allows it."""
    text = inline(value)
    if len(text) <= LINE:
        return text
    if type(value) is str and "\n" in value:
        return _long_text(value)
    if isinstance(value, (list, tuple)):
        return "[\n" + "".join([f"        {_wrapped(item)},\n" for item in value]) + "    ]"
    if isinstance(value, Mapping):
        return f"{{{', '.join([f'{key_text(key)} = {_wrapped(value[key])}' for key in sorted(value)])}}}"
    return text


def _one_a_line(items: Sequence[object]) -> bool:
    """Records, and strings that together would not fit a line of mail, stand one on a line."""
    if all(isinstance(item, Mapping) for item in items):
        return True
    return all(type(item) is str for item in items) and sum(len(str(item)) + 4 for item in items) > LINE


@lru_cache(maxsize=4096)
def key_text(key: str) -> str:
    """A key as it stands before `=` or in a header: bare if it can be, else quoted."""
    if type(key) is not str:
        raise TypeError(f"a TOML key is str, not {type(key).__name__}")
    return key if _BARE.fullmatch(key) else inline(key)


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    if "\ud800" <= char <= "\udfff":
        raise ValueError("a lone surrogate is not text")
    return _escape_any(match)


def _escape_any(match: re.Match[str]) -> str:
    char = match.group()
    code = ord(char)
    number = f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
    return "\\'" if char == "'" else _SHORT.get(char, number)


# --- reader --------------------------------------------------------------------------------------

_UNCHANGED = "ask for the same file again, as an attachment that no mail program rewrites"
_REWRITE = "pbem writes no such thing: the file was made or changed by something else"

_UNSAFE = re.compile(rf"[{_CONTROL}{_FORMAT}]")
_UNSAFE_CONTROL = re.compile(rf"[{_CONTROL}]")
_NOT_ON_A_LINE = re.compile(rf"[\t\n{_CONTROL}{_FORMAT}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]")
"""Besides what may stand nowhere: line ends, and letters that look like nothing."""

_REST = r"""
    | (?P<space>[ \t]++) | (?P<newline>\n[ \t\n]*+) | (?P<comment>\#[^\n]*+)
    | (?P<quote>["']) | (?P<mark>[=,.\[\]{}])
"""
_IN_KEY = re.compile(r"(?P<word>[A-Za-z0-9_-]++)" + _REST, re.VERBOSE)
_IN_VALUE = re.compile(r"(?P<word>[A-Za-z0-9_+:.-]++)" + _REST, re.VERBOSE)

_STRINGS = {
    '"""': re.compile(r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}', re.DOTALL),
    "'''": re.compile(r"'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"),
    '"': re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+"'),
    "'": re.compile(r"'[^'\n]*+'"),
}
_BACKSLASH = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[ \t]*+\n|(.))", re.DOTALL)

_STRAY = {
    "<": "damaged by mail: there is HTML outside the quotes",
    "&": "damaged by mail: there is HTML outside the quotes",
    "\u00a0": "damaged by mail: a space became a no-break space",
    **dict.fromkeys("“”„«»‘’‚", "damaged by mail: plain quotes became typographic ones"),
}

_OPENED_BY = {"}": ("{",), "]": ("[", "h")}

_UNQUOTED = [
    (re.compile(r"[+-]?(inf|nan)\Z"), "inf and nan are not allowed"),
    (re.compile(r"[+-]?0[xob]", re.IGNORECASE), "hexadecimal, octal and binary integers are not allowed"),
    (re.compile(r"[0-9]+[-:]"), "dates and times are not allowed"),
    (re.compile(r"[+-]?[0-9][0-9.eE+-]*_[0-9_.eE+-]*\Z"), "underscores in numbers are not allowed"),
    (re.compile(r"[+-]?[0-9.][0-9.eE+-]*\Z"), "floating-point numbers are not allowed"),
]


def read_foreign(raw: bytes, *, limit: int = 65536) -> dict[str, Any]:
    """Parse a stranger's TOML, or raise MalformedError saying what is wrong and in which line."""
    text = _text(raw, limit)
    _Scan(text, limit // 8).run()
    for number, content in enumerate(text.split("\n"), 1):
        if len(content) > MAX_LINE:
            _refuse(f"a line has more than {MAX_LINE} characters", _REWRITE, number)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        said = str(error)
        found = re.search(r"at line ([0-9]+)", said)
        number = int(found[1]) if found else text.count("\n") + 1
        if said.startswith(("Cannot ", "Duplicate ")):
            _refuse("a key or table is given twice", _REWRITE, number)
        _refuse("this is not valid TOML", _REWRITE, number)


def check_line(text: str, name: str, most: int) -> None:
    """A stranger's words that are shown on a line: they must not end it, hide in it or fill the screen."""
    if len(text) > most:
        raise MalformedError(f"{name}: more than {most} characters")
    if found := _NOT_ON_A_LINE.search(text):
        raise MalformedError(f"{name}: a line end or an invisible character, U+{ord(found.group()):04X}")


def _text(raw: bytes, limit: int) -> str:
    """The checks that need no syntax: size, encoding, and characters that may stand nowhere."""
    if len(raw) > limit:
        raise MalformedError(f"the file is larger than {limit} bytes", _REWRITE)
    if raw.startswith(b"\xef\xbb\xbf"):
        _refuse("the file begins with a byte order mark (BOM)", "save it as UTF-8 without BOM", 1)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        _refuse("the file is UTF-16, not UTF-8 (it begins with a byte order mark)", _UNCHANGED, 1)
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        _refuse("the file is not UTF-8", _UNCHANGED, raw.count(b"\n", 0, error.start) + 1)
    if found := _UNSAFE.search(text):
        _refuse(*_unsafe(found.group(), text.count("\r\n")), text.count("\n", 0, found.start()) + 1)
    return text


def _unsafe(char: str, crlf: int = 0) -> tuple[str, str]:
    if char == "\0":
        return "there is a NUL character", _REWRITE
    if char == "\r":
        ends = "line ends became CRLF" if crlf else "there is a carriage return (CR)"
        return f"damaged by mail: {ends}", _UNCHANGED
    if _UNSAFE_CONTROL.match(char):
        return f"there is a control character, U+{ord(char):04X}", _REWRITE
    return f"there is an invisible or direction-changing character, U+{ord(char):04X}", _REWRITE


def _refuse(message: str, hint: str, number: int) -> NoReturn:
    raise MalformedError(message, hint, where=f"line {number}")


class _Scan:
    """One pass over the tokens. It knows strings, comments, and whether a key or a value comes next.

    Grammar is left to tomllib. Up to the first error that tomllib would find, both cut the text into
    the same tokens, so nothing reaches tomllib that was not seen here.
    """

    def __init__(self, text: str, max_items: int) -> None:
        self.text = text
        self.at = 0
        self.items_left = max_items
        """Keys, values, brackets and comments still allowed: what the time of a scan grows with."""
        self.open: list[str] = []
        """What is open: "[" an array, "{" an inline table, "h" one bracket of a table header."""
        self.in_value = False
        self.key_parts = 1
        self.last_mark = ""
        """The last mark, if no key or value came after it: a comma before "}" is TOML 1.1 only."""

    def run(self) -> None:
        length = len(self.text)
        while self.at < length:
            found = (_IN_VALUE if self.in_value else _IN_KEY).match(self.text, self.at)
            if found is None:
                self.stray()
            kind, token = found.lastgroup, found.group()
            if kind == "mark":
                self.mark(token)
            elif kind == "newline":
                self.newline()
            elif kind == "comment":
                self.count()
            elif kind != "space":
                self.count()
                if kind == "quote":
                    token = self.string()
                elif self.in_value:
                    self.word(token)
                self.last_mark = ""
            self.at += len(token)

    def refuse(self, message: str, hint: str = _REWRITE) -> NoReturn:
        _refuse(message, hint, self.text.count("\n", 0, self.at) + 1)

    def count(self) -> None:
        self.items_left -= 1
        if self.items_left < 0:
            self.refuse("there are too many keys, values and comments")

    def stray(self) -> NoReturn:
        char = self.text[self.at]
        begin = self.text.rfind("\n", 0, self.at) + 1
        if char == ">" and not self.text[begin : self.at].strip():
            self.refuse("damaged by mail: lines are quoted with '>'", _UNCHANGED)
        if char in _STRAY:
            self.refuse(_STRAY[char], _UNCHANGED)
        self.refuse(f"there is a character outside the quotes that cannot stand there, U+{ord(char):04X}")

    def newline(self) -> None:
        if not self.open:
            self.in_value, self.key_parts = False, 1
        elif self.open[-1] == "{":
            self.refuse("there is a line break inside an inline table, which only TOML 1.1 allows")
        elif self.open[-1] == "h":
            self.refuse("a table header is not closed on its line")

    def mark(self, char: str) -> None:
        if char in "=,." and self.last_mark and self.last_mark in "=,.":
            self.refuse("this is not valid TOML: a key or a value is missing")
        if char == "=":
            self.equals()
        elif char == ".":
            self.key_parts += 1
            if self.key_parts > MAX_KEY_PARTS:
                self.refuse(f"a dotted key has more than {MAX_KEY_PARTS} parts")
        elif char == ",":
            if self.open and self.open[-1] == "{":
                self.in_value, self.key_parts = False, 1
        elif char in "[{":
            self.opens(char)
        else:
            self.closes(char)
        self.last_mark = char

    def equals(self) -> None:
        if self.text.startswith("3D", self.at + 1):
            self.refuse("damaged by mail: '=' became '=3D' (quoted-printable)", _UNCHANGED)
        if self.text[self.at + 1 : self.at + 2] in ("", "\n"):
            self.refuse("damaged by mail: a line ends in '=' (quoted-printable)", _UNCHANGED)
        self.in_value = True

    def opens(self, char: str) -> None:
        self.count()
        header = char == "[" and not self.in_value and all(bracket == "h" for bracket in self.open)
        self.open.append("h" if header else char)
        if len(self.open) > MAX_NESTING:
            self.refuse(f"brackets are nested more than {MAX_NESTING} deep")
        if char == "{":
            self.in_value, self.key_parts = False, 1

    def closes(self, char: str) -> None:
        bracket = self.open.pop() if self.open else ""
        if bracket not in _OPENED_BY[char]:
            self.refuse("a bracket is closed that was not opened")
        if char == "}" and self.last_mark == ",":
            self.refuse("there is a comma at the end of an inline table, which only TOML 1.1 allows")
        self.in_value = bracket != "h"

    def string(self) -> str:
        quote = self.text[self.at]
        kind = quote * 3 if self.text.startswith(quote * 3, self.at) else quote
        found = _STRINGS[kind].match(self.text, self.at)
        if found is None:
            self.unclosed(kind)
        token = found.group()
        if quote == '"' and "\\" in token:
            self.escapes(token)
        return token

    def unclosed(self, kind: str) -> NoReturn:
        if len(kind) == 3:
            self.refuse("a string of several lines is never closed", _UNCHANGED)
        end = self.text.find("\n", self.at)
        if end > 0 and self.text[end - 1] == "=":
            self.refuse("damaged by mail: a line ends in '=' (quoted-printable)", _UNCHANGED)
        self.refuse("a string is not closed on its line, perhaps because mail wrapped the line", _UNCHANGED)

    def escapes(self, token: str) -> None:
        begin = self.at
        for found in _BACKSLASH.finditer(token):
            self.at = begin + found.start()
            short, long, other = found.groups()
            if short or long:
                self.code_point(int(short or long, 16))
            elif other in ("e", "x"):
                self.refuse(f"there is the escape \\{other}, which only TOML 1.1 knows")
            elif other in ("b", "f", "r"):
                self.refuse(f"there is the escape \\{other}, which stands for a control character")
            elif other is not None and other not in 'tn"\\':
                self.refuse("there is an escape that TOML does not know")
        self.at = begin

    def code_point(self, code: int) -> None:
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            self.refuse("there is an escape that stands for no character")
        if _UNSAFE.match(chr(code)):
            self.refuse(_unsafe(chr(code))[0].replace("damaged by mail: ", "") + ", written as an escape")

    def word(self, token: str) -> None:
        if token in ("true", "false"):
            return
        digits = token[1:] if token[0] in "+-" else token
        if digits.isdecimal():
            if len(digits) > MAX_DIGITS:
                self.refuse(f"an integer has more than {MAX_DIGITS} digits")
            return
        start = token[:40]
        for pattern, message in _UNQUOTED:
            if pattern.match(start):
                self.refuse(message)
        self.refuse("a value is not quoted")
