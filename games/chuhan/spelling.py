"""One name in the scripts in which players write it: traditional, simplified and Japanese characters.

The data files spell a name once. Whoever types 项羽 or 范増 means the same man, so every spelling that these
characters allow leads to the same id.
"""

from __future__ import annotations

from functools import cache
from itertools import product

_SAME = """
項项 劉刘 鍾钟鐘 離离 眛昧眜 龍龙竜 蕭萧 參参 嬰婴 張张 陳陈 韓韩 榮荣栄 趙赵 橫横 漢汉 陽阳 櫟栎 關关関 滎荥
國国 鉅钜巨 薊蓟 臨临 壽寿 增増 噲哙 間间 諜谍 贈赠 計计 謀谋 東东 糧粮 庫库 陣阵 無无 双雙 倉仓 現现 覇霸
断斷 囊嚢
"""
"""Characters that stand for each other; a name's own spelling is always one of them."""

_VARIANTS = {char: group for group in _SAME.split() for char in group}


@cache
def spellings(name: str) -> tuple[str, ...]:
    """Every way to write a name, its own first."""
    choices = [char + _VARIANTS.get(char, "").replace(char, "") for char in name]
    return tuple("".join(chosen) for chosen in product(*choices))
