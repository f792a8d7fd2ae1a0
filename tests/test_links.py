"""A move as a link: the same bytes come out, and nothing that was cut or blown up is taken for one."""

from __future__ import annotations

import base64
import zlib

import pytest

from pbem.errors import MalformedError
from pbem.transport import links
from pbem.transport.bundle import pack
from pbem.transport.mail_in import find

PAPER = b'rules = "tiny"\ntable = "x"\n'


def test_a_link_in_any_text_brings_its_bundle() -> None:
    link = links.write(pack([PAPER]))
    for text in (
        link,
        f"https://example.org/pbem/{link}",
        f"Hello,\nmy move: <pbem:{link}>\nbye",
        f'"{link}".',
    ):
        assert find(text.encode()).entries == (PAPER,), text


@pytest.mark.parametrize("cut", [1, 9, 20])
def test_a_link_that_was_cut_is_named(cut: int) -> None:
    link = links.write(pack([PAPER]))
    found = find(f"see {link[:-cut]}".encode())
    assert found.entries == () and found.problems


def test_a_link_is_not_inflated_beyond_a_bundle() -> None:
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = packed.compress(b"\0" * 30_000_000) + packed.flush()
    letters = base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
    (found,) = links.find(f"#pbem={letters}")
    assert isinstance(found, MalformedError)


def test_only_some_links_of_one_text_are_read() -> None:
    link = links.write(pack([PAPER]))
    assert len(list(links.find(link * 50))) == links.MOST
