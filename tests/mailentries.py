"""Signed entries as transports see them: with Japanese and Chinese in them, of many lengths."""

from __future__ import annotations

import random

from pbem.errors import VerificationError
from pbem.protocol.crypto import sshsig
from pbem.protocol.crypto.keys import SigningKey

KEY = SigningKey.from_seed(b"mail" * 8)
_TEXT = """川越夜戦 上杉憲政 河越城に籠る 北条氏康、援軍を率いて来る 「夜討」 楚漢 項羽 刘邦 垓下之围 韓信
水滸傳 梁山泊 真田丸 出丸を守る ～ ①② ｱｲｳ 髙﨑 𠮷野 attack 1213 with a b c = == =3D &gt; &amp; <b> > | # ..
naïve Ünïcode – — “quotes” 'single'"""
_WORDS = _TEXT.split()


def entry(number: int) -> bytes:
    """The same number gives the same bytes. Some lines begin with From, a dot or a dash, as mail dislikes."""
    rng = random.Random(number)
    awkward = [
        "From here on we wait",
        "From: me",
        ".",
        "..",
        "-- ",
        "> quoted",
        "=20",
        "   indented",
        "end  ",
    ]
    lines = [rng.choice(awkward) for _ in range(rng.randrange(4))]
    for _ in range(rng.randrange(1, 40)):
        lines.append(" ".join(rng.choice(_WORDS) for _ in range(rng.randrange(1, 9))))
    rng.shuffle(lines)
    comment = "\n".join(lines)
    links = "\n".join(f'link{i} = "{rng.randbytes(32).hex()}"' for i in range(rng.randrange(1, 20)))
    head = f'v = 2\ngame = "{rng.randbytes(32).hex()}"\nseq = {number}\n'
    return signed(f'{head}\n[body]\n{links}\ncomment = """\n{comment}\n"""\n')


def signed(text: str) -> bytes:
    """Any text as an entry: what is signed, then the signature."""
    return f'{text}\n[signature]\nsshsig = """\n{sshsig.sign(KEY, (text + chr(10)).encode())}"""\n'.encode()


def verifies(raw: bytes) -> bool:
    """What whoever takes an entry in does first."""
    content, line, signature = raw.rpartition(b"\n[signature]\n")
    armour = signature.decode().removeprefix('sshsig = """\n').removesuffix('"""\n')
    try:
        sshsig.verify(armour, content + b"\n", KEY.public)
    except VerificationError:
        return False
    return bool(line)
