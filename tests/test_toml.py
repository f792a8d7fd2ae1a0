"""Our own TOML reads back as it was; a stranger's TOML is refused for its own reason, before tomllib."""

from __future__ import annotations

import re
import tomllib
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem import toml
from pbem.errors import MalformedError
from pbem.toml import dumps, inline, line, read_foreign

# --- emitter -------------------------------------------------------------------------------------

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
HOSTILE_TEXT = st.text(st.sampled_from('"\\\n\t \r\x00\x7f\u202e\u200ba=#'), max_size=12)
KEYS = st.one_of(st.text(st.sampled_from("ab.-_ 1"), max_size=4), TEXT)
SCALARS = st.one_of(TEXT, HOSTILE_TEXT, st.integers(1 - 10**18, 10**18 - 1), st.booleans())
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=6)


@given(DOCUMENTS)
def test_what_is_written_reads_back(doc: dict[str, Any]) -> None:
    assert tomllib.loads(dumps(doc)) == doc


@given(DOCUMENTS)
def test_the_order_of_insertion_leaves_no_trace(doc: dict[str, Any]) -> None:
    assert dumps(dict(reversed(doc.items()))) == dumps(doc)


SAFE = st.text(st.sampled_from("ab 川越城ß😀\n\t\"'\\=#[{<>&"), max_size=12)


@given(
    st.dictionaries(
        SAFE, st.one_of(SAFE, st.lists(SAFE), st.dictionaries(SAFE, SAFE, max_size=3)), max_size=5
    )
)
def test_every_reader_takes_what_we_write(doc: dict[str, Any]) -> None:
    assert read_foreign(dumps(doc).encode()) == doc


@given(st.one_of(HOSTILE_TEXT, TEXT))
def test_no_line_break_control_or_bidi_character_leaves_the_emitter_raw(text: str) -> None:
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]", inline(text))
    written = dumps({"a": text + "\n"})
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]| \n", written)


def test_the_layout_is_fixed() -> None:
    doc = {
        "units": {"b 2": {"hex": "0102", "at": [1, -2]}, "a1": {}},
        "v": 1,
        "log": [{"who": "red", "die": 6}, {}],
        "orders": 'move "a"\nsay ""x""\n',
        "Name": "川越 \u202e\ttab",
        "done": (True, "x\ny"),
        "empty": [],
        "nothing": {},
    }
    assert dumps(doc) == (
        'Name = "川越 \\u202E\\ttab"\n'
        'done = [true, "x\\ny"]\n'
        "empty = []\n"
        'log = [\n    {die = 6, who = "red"},\n    {},\n]\n'
        'orders = """\nmove "a"\nsay \\""x\\""\n"""\n'
        "v = 1\n"
        "\n[nothing]\n"
        "\n[units]\n"
        "a1 = {}\n"
        '"b 2" = {at = [1, -2], hex = "0102"}\n'
    )
    assert line("a1", {"hex": "0102"}) == 'a1 = {hex = "0102"}'
    assert dumps({}) == ""
    assert (
        dumps({"s": {"rows": [{"a": 1}], "text": "x\n"}})
        == '[s]\nrows = [\n    {a = 1},\n]\ntext = """\nx\n"""\n'
    )


class Side(StrEnum):
    RED = "red"


@pytest.mark.parametrize("value", [None, 1.5, b"x", {"a": None}, [None], {1, 2}, Side.RED, {1: 2}])
def test_what_toml_cannot_say_is_a_type_error(value: object) -> None:
    with pytest.raises(TypeError):
        dumps({"a": value})


@pytest.mark.parametrize("value", [10**18, -(10**18), "\ud800", "x\n\udfff"])
def test_what_readers_would_not_agree_on_is_a_value_error(value: object) -> None:
    with pytest.raises(ValueError, match=r"digits|surrogate"):
        dumps({"a": value})


# --- reader --------------------------------------------------------------------------------------

REFUSED = [
    (b"a = '" + b"x" * 65536 + b"'", "larger than 65536 bytes"),
    (b"\xef\xbb\xbfa = 1\n", "byte order mark (BOM) (line 1)"),
    ("a = 1\n".encode("utf-16"), "is UTF-16, not UTF-8"),
    ("a = 1\nb = 'ü'\n".encode("latin-1"), "not UTF-8 (line 2)"),
    (b"a = 1\nb = '\0'\n", "NUL character (line 2)"),
    (b"a = 1\r\nb = 2\r\n", "damaged by mail: line ends became CRLF (line 1)"),
    (b"a = 1\rb = 2\n", "damaged by mail: there is a carriage return (CR) (line 1)"),
    (b"a = '\x1b[2J'\n", "control character, U+001B (line 1)"),
    (b"# \x7f\n", "control character, U+007F (line 1)"),
    ("a = '\x85'\n".encode(), "control character, U+0085 (line 1)"),
    ("a = '\u202e'\n".encode(), "invisible or direction-changing character, U+202E (line 1)"),
    ("# \u2066\n".encode(), "invisible or direction-changing character, U+2066 (line 1)"),
    ("a\u200b = 1\n".encode(), "invisible or direction-changing character, U+200B (line 1)"),
    ("a = 1\n\ufeffb = 2".encode(), "invisible or direction-changing character, U+FEFF (line 2)"),
    (b'a = "\\u202E"\n', "U+202E, written as an escape (line 1)"),
    (b'a = "\\U000E0041"\n', "U+E0041, written as an escape (line 1)"),
    (b'a = "\\u0000"\n', "NUL character, written as an escape (line 1)"),
    (b'a = "\\u000D"\n', "carriage return (CR), written as an escape (line 1)"),
    (b'a = "\\r"\n', "escape \\r, which stands for a control character (line 1)"),
    (b'a = "\\uD800"\n', "escape that stands for no character (line 1)"),
    (b'a = "\\UFFFFFFFF"\n', "escape that stands for no character (line 1)"),
    (b'a = "\\q"\n', "escape that TOML does not know (line 1)"),
    (b"a = 1\nb = '" + b"x" * 4096 + b"'\n", "a line has more than 4096 characters (line 2)"),
    (b"a = " + b"[" * 30000, "nested more than 16 deep (line 1)"),
    (b"a = " + b"{b = " * 10000, "nested more than 16 deep (line 1)"),
    (b"a = " + b"[{b=" * 9 + b"1" + b"}]" * 9, "nested more than 16 deep (line 1)"),
    (b"[" * 30000, "nested more than 16 deep (line 1)"),
    (b"a" + b".a" * 16000 + b" = 1\n", "a dotted key has more than 8 parts (line 1)"),
    (b"[a" + b".a" * 16000 + b"]\n", "a dotted key has more than 8 parts (line 1)"),
    (b"x = 1\na = {" + b"'b' . " * 8 + b"c = 1}\n", "a dotted key has more than 8 parts (line 2)"),
    (b"a = " + b"9" * 5000 + b"\n", "more than 18 digits (line 1)"),
    (b"a = [1, -1000000000000000000]\n", "more than 18 digits (line 1)"),
    (b"a = [" + b"0," * 30000 + b"]\n", "too many keys, values and comments (line 1)"),
    (b"#\n" * 30000, "too many keys, values and comments (line 8193)"),
    (b"a = 1.5\n", "floating-point numbers are not allowed (line 1)"),
    (b"a = [1e5]\n", "floating-point numbers are not allowed (line 1)"),
    (b"a = -.5E+3\n", "floating-point numbers are not allowed (line 1)"),
    (b"a = 1979-05-27T07:32:00Z\n", "dates and times are not allowed (line 1)"),
    (b"a = 1979-05-27 07:32:00\n", "dates and times are not allowed (line 1)"),
    (b"a = {b = 07:32}\n", "dates and times are not allowed (line 1)"),
    (b"a = inf\n", "inf and nan are not allowed (line 1)"),
    (b"a = -nan\n", "inf and nan are not allowed (line 1)"),
    (b"a = 0xff\n", "hexadecimal, octal and binary integers are not allowed (line 1)"),
    (b"a = 0o17\n", "hexadecimal, octal and binary integers are not allowed (line 1)"),
    (b"a = 0b11\n", "hexadecimal, octal and binary integers are not allowed (line 1)"),
    (b"a = 1_000\n", "underscores in numbers are not allowed (line 1)"),
    (b"a = 1e5_0\n", "underscores in numbers are not allowed (line 1)"),
    (b"a = " + b"1_" * 30000 + b"x", "underscores in numbers are not allowed (line 1)"),
    (b"a = red\n", "a value is not quoted (line 1)"),
    (b"a = {b = 1,}\n", "comma at the end of an inline table, which only TOML 1.1 allows (line 1)"),
    (b"a = {b = 1,\n c = 2}\n", "line break inside an inline table, which only TOML 1.1 allows (line 1)"),
    (
        b"a = {b = 1, # why\n c = 2}\n",
        "line break inside an inline table, which only TOML 1.1 allows (line 1)",
    ),
    (b'a = "\\e[0m"\n', "escape \\e, which only TOML 1.1 knows (line 1)"),
    (b'a = """\n\\x41"""\n', "escape \\x, which only TOML 1.1 knows (line 2)"),
    (b"a = 1\na = 2\n", "a key or table is given twice (line 2)"),
    (b"[a]\n[a]\n", "a key or table is given twice (line 2)"),
    (b"a = {b = 1, b = 2}\n", "a key or table is given twice (line 1)"),
    (b"a = {b = 1}\na.c = 2\n", "a key or table is given twice (line 2)"),
    (b"a =3D 1\n", "damaged by mail: '=' became '=3D' (quoted-printable) (line 1)"),
    (b'a = 1\nb = "one long =\nline"\n', "damaged by mail: a line ends in '=' (quoted-printable) (line 2)"),
    (b"a = 12=\n3\n", "damaged by mail: a line ends in '=' (quoted-printable) (line 1)"),
    (b'a = "wrapped\nline"\n', "not closed on its line, perhaps because mail wrapped the line (line 1)"),
    (b"> a = 1\n> b = 2\n", "damaged by mail: lines are quoted with '>' (line 1)"),
    (b"a = [\n  >1,\n]\n", "damaged by mail: lines are quoted with '>' (line 2)"),
    (b"<html><body>a = 1", "damaged by mail: there is HTML outside the quotes (line 1)"),
    (b"a = 1<br>\n", "damaged by mail: there is HTML outside the quotes (line 1)"),
    (b"a = &quot;red&quot;\n", "damaged by mail: there is HTML outside the quotes (line 1)"),
    ("a = “red”\n".encode(), "damaged by mail: plain quotes became typographic ones (line 1)"),
    ("a\u00a0= 1\n".encode(), "damaged by mail: a space became a no-break space (line 1)"),
    ("城 = 1\n".encode(), "outside the quotes that cannot stand there, U+57CE (line 1)"),
    (b"a = ]\n", "a bracket is closed that was not opened (line 1)"),
    (b"a = {b = [1}]\n", "a bracket is closed that was not opened (line 1)"),
    (b"[a\n]\n", "a table header is not closed on its line (line 1)"),
    (b'a = """\nb = 1\n', "a string of several lines is never closed (line 1)"),
    (b"a = [1,,2]\n", "a key or a value is missing (line 1)"),
    (b"a = 1\nb = 01\n", "this is not valid TOML (line 2)"),
    (b"a = 1 2\n", "this is not valid TOML (line 1)"),
    (b"a = [1\n", "this is not valid TOML (line 2)"),
]


@pytest.mark.parametrize(("raw", "reason"), REFUSED, ids=[reason[:40] for _, reason in REFUSED])
def test_each_foreign_document_is_refused_for_its_own_reason(raw: bytes, reason: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read_foreign(raw)
    assert reason in caught.value.message
    assert caught.value.hint


def test_what_could_cost_time_never_reaches_tomllib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toml.tomllib, "loads", lambda text: pytest.fail("tomllib saw it"))
    refused_by_grammar = ("given twice", "not valid TOML (")
    for raw, reason in REFUSED:
        if not any(words in reason for words in refused_by_grammar):
            with pytest.raises(MalformedError):
                read_foreign(raw)


@pytest.mark.parametrize("error", [RecursionError("deep"), ValueError("digits")])
def test_whatever_tomllib_raises_is_a_refusal(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(text: str) -> None:
        raise error

    monkeypatch.setattr(toml.tomllib, "loads", fail)
    with pytest.raises(MalformedError, match="not valid TOML"):
        read_foreign(b"a = 1\n")


def test_nothing_of_the_content_is_repeated() -> None:
    for raw in (
        b"[secret.words]\n[secret.words]\n",
        b"a = secret\n",
        b"secret secret\n",
        b'a = "\\q secret"\n',
    ):
        with pytest.raises(MalformedError) as caught:
            read_foreign(raw)
        assert "secret" not in str(caught.value)


def test_lawful_text_is_not_mistaken_for_damage() -> None:
    text = """
# 上杉憲政 =3D > <html> 1e5 [[[[[[[[[[[[[[[[[[[[[[
orders = ["1e5", "0xff", 'inf', "1979-05-27", "a =3D b", "<b>", "> x", "“q”", "a\\tb\\n\\u5DDD"]
"quoted.key.with.many.dots.in.it.and.more" = "邊\U000e0102葛"
1e5 = 1
1979-05-27 = -999999999999999999
a . b.'c'.d.e.f.g.h = { i = [ { j = {} }, [ ], # why
  "x,]}" , ], k = true }
armour = \"\"\"
-----BEGIN-----
U1NIU0lHAAAAAQ==
> quoted =
\\
  joined ""quotes"" \"\"\"\"
literal = '''
C:\\x ''two'' =3D'''''
[table."x]y"]
[[list]]
"""
    doc = read_foreign(text.encode())
    assert doc == tomllib.loads(text)
    assert doc["orders"][-1] == "a\tb\n川"
    assert doc["literal"] == "C:\\x ''two'' =3D''"
    assert doc["armour"].endswith('joined ""quotes"" "')


def test_the_limit_is_the_callers() -> None:
    raw = b"a = 1\n" * 2
    with pytest.raises(MalformedError, match="larger than 11 bytes"):
        read_foreign(raw, limit=11)
    lines = "".join(f"k{n} = {n}\n" for n in range(20000)).encode()
    assert len(read_foreign(lines, limit=400_000)) == 20000


PIECES = [
    "a",
    "b.c",
    " ",
    "=",
    " = ",
    "1",
    "-7",
    "1.5",
    "1e5",
    "inf",
    "0x1",
    "1_0",
    "12:30",
    "1979-05-27",
    "true",
]
MARKS = ['"', "'", '"""', "'''", '"x"', "'y'", "[", "]", "{", "}", ",", ".", "#", "\n", "\\", "\\n", "\\e"]
LINES = ["\\u0041", "\\u202e", ">", "<", "&", "=3D", '"s" = {a = 1}\n', "[t]\n", "[[u]]\n", "v = [\n1,\n]\n"]
FRAGMENTS = st.sampled_from([*PIECES, *MARKS, *LINES])


@settings(max_examples=2000)
@given(st.lists(FRAGMENTS, max_size=14).map("".join))
def test_no_soup_of_fragments_gets_past_the_scan(text: str) -> None:
    try:
        doc = read_foreign(text.encode())
    except MalformedError:
        return
    pending: list[object] = [doc]
    while pending:
        value = pending.pop()
        assert type(value) in (dict, list, str, int, bool)
        if isinstance(value, dict):
            pending += [*value, *value.values()]
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, str):
            assert "\u202e" not in value


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_reader(raw: bytes) -> None:
    try:
        read_foreign(raw)
    except MalformedError as error:
        assert error.message


def test_words_in_quotes_are_the_same_on_every_python() -> None:
    """`repr` would write U+0378 otherwise once Unicode knows it, and U+1E4F1 otherwise since Python 3.12."""
    for text in ("bid 1", "", "it is", "梁山泊"):
        assert toml.quoted(text) == repr(text)
    assert toml.quoted("\u0378\U0001e4f1\xa0") == "'\u0378\U0001e4f1\xa0'"
    assert toml.quoted("a'b\n\\\u202e\U000e0001\udc80") == r"'a\'b\n\\\u202E\U000E0001\uDC80'"
