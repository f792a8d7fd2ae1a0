"""The emitter of `pbem help protocol`, a second time, from the page alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

ODD = (
    "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f"
    "\\ufeff\\ufff9-\\ufffb\\U000e0000-\\U000e007f"
)
SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def _escape(found: re.Match[str]) -> str:
    char = found.group()
    return SHORT.get(char) or (f"\\u{ord(char):04X}" if ord(char) < 0x10000 else f"\\U{ord(char):08X}")


def dumps(table: Mapping[str, Any]) -> str:
    """A document: plain values, then sections."""
    plain = [key for key in sorted(table) if not isinstance(table[key], Mapping)]
    blocks = ["".join(_item(key, table[key]) for key in plain)] if plain else []
    for key in sorted(k for k in table if k not in plain):
        blocks.append(f"[{_key(key)}]\n" + "".join(_item(k, table[key][k]) for k in sorted(table[key])))
    return "\n".join(blocks)


def _key(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else inline(text)


def inline(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + re.sub(f'[\\t\\n"\\\\{ODD}]', _escape, value) + '"'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {inline(value[k])}" for k in sorted(value)) + "}"
    return "[" + ", ".join(map(inline, value)) + "]"


def _item(key: str, value: Any) -> str:
    if isinstance(value, str) and "\n" in value:
        text = re.sub(f'"(?="|\\Z)| (?=\\n)|[\\t\\\\{ODD}]', _escape, value)
        return f'{_key(key)} = """\n{text}"""\n'
    if isinstance(value, list) and value and _one_a_line(value):
        return f"{_key(key)} = [\n" + "".join(f"    {inline(one)},\n" for one in value) + "]\n"
    return f"{_key(key)} = {inline(value)}\n"


def _one_a_line(items: list[Any]) -> bool:
    if all(isinstance(one, Mapping) for one in items):
        return True
    return all(isinstance(one, str) for one in items) and sum(len(one) + 4 for one in items) > 70
