"""Published vectors through pbem's door to cryptography: each check runs here and in the browser's Python.

A check raises an AssertionError. Nothing here needs pytest: under WebAssembly these modules are all there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pbem.errors import PbemError, VerificationError
from pbem.protocol.crypto import primitives as p
from pbem.protocol.crypto.keys import SigningKey, check_public, load_private, parse_public_line
from pbem.protocol.crypto.sshsig import verify_raw

ORDER = 2**252 + 27742317777372353535851937790883648493
ORDER_8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")


def refused(work: Callable[[], object], error: type[Exception] = ValueError) -> bool:
    """True if it is refused with this error."""
    try:
        work()
    except error:
        return True
    return False


def verifies(public: bytes, signature: bytes, message: bytes) -> bool:
    """What pbem's one verification says."""
    return not refused(lambda: verify_raw(public, signature, message), VerificationError)


def records(text: str, first: str) -> Iterator[dict[str, bytes]]:
    """Blocks of lines `name = hex` or `name = "text"`; a block begins with the line named `first`."""
    found: dict[str, bytes] = {}
    for line in text.splitlines():
        name, mark, value = line.partition("=")
        if not mark or line.startswith("#"):
            continue
        name, value = name.strip().lower(), value.strip()
        if name == first and found:
            yield found
            found = {}
        hexadecimal = all(digit in "0123456789abcdefABCDEF" for digit in value) and len(value) % 2 == 0
        found[name] = bytes.fromhex(value) if hexadecimal else value.strip('"').encode()
    yield found


def check_rfc_8032(vectors: Path, every: int) -> None:
    """Signing and verifying; the public half of every seed."""
    lines = (vectors / "asymmetric/Ed25519/sign.input").read_text("ascii").splitlines()
    assert len(lines) == 1024
    for private, public, message, signed, _ in (line.split(":") for line in lines[::every]):
        key = SigningKey.from_seed(bytes.fromhex(private)[:32])
        signature, content = bytes.fromhex(signed)[:64], bytes.fromhex(message)
        assert key.public.hex() == public
        assert key.sign(content) == signature
        assert verifies(key.public, signature, content)
        assert not verifies(key.public, signature, content + b"x")


def check_wycheproof(ours: Path) -> None:
    """Forged, cut, malleable and non-canonical signatures, as others collected them."""
    counted = {"valid": 0, "invalid": 0}
    for line in (ours / "ed25519.txt").read_text("ascii").splitlines()[2:]:
        _, public, signature, message, result = line.split(":")
        parts = bytes.fromhex(public), bytes.fromhex(signature), bytes.fromhex(message)
        assert verifies(*parts) == (result == "valid"), line
        counted[result] += 1
    assert counted == {"valid": 88, "invalid": 63}


def check_no_cofactor() -> None:
    """Programs disagree where R has a part of small order (the kinds that CCTV collects): here it is refused.

    The signer is honest but for that part, so a verification that multiplies by eight would accept it.
    """
    secret, nonce = (p.scalar_reduce(bytes([n]) * 64) for n in (1, 2))
    public, clean = p.multiply_base(secret), p.multiply_base(nonce)
    small = ORDER_8
    for order in range(8):
        r = clean if order == 0 else p.add(clean, small)
        h = p.scalar_reduce(p.sha512(r + public + b"m"))
        signature = r + p.scalar_add(nonce, p.scalar_multiply(h, secret))
        assert p.ed25519_verify(public, signature, b"m") == (order == 0)
        if order:
            small = p.add(small, ORDER_8)
            if order < 7:
                mixed = p.add(public, small)
                assert refused(lambda mixed=mixed: check_public(mixed), VerificationError)
    zero = (1).to_bytes(32, "little")
    h = p.scalar_reduce(p.sha512(zero + public + b"m"))
    assert p.ed25519_verify(public, zero + p.scalar_multiply(h, secret), b"m"), "R = 0 is silly, not forged"
    again = (2**255 - 18).to_bytes(32, "little")
    h = p.scalar_reduce(p.sha512(again + public + b"m"))
    assert not p.ed25519_verify(public, again + p.scalar_multiply(h, secret), b"m"), (
        "another spelling of R = 0"
    )


def check_rfc_7748(vectors: Path) -> None:
    """X25519, and the points of low order that it refuses."""
    cases = list(records((vectors / "asymmetric/X25519/rfc7748.txt").read_text("ascii"), "count"))
    assert len(cases) == 3
    for case in cases:
        assert p.x25519(case["input_scalar"], case["input_u"]) == case["output_u"]
    top = "ff" * 30 + "7f"
    low = ["00" * 32, "01" + "00" * 31, "ec" + top, "ed" + top, "ee" + top]
    low += ["e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"]
    low += ["5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"]
    for point in low:
        assert refused(lambda point=point: p.x25519(bytes([7]) * 32, bytes.fromhex(point)))
    assert refused(lambda: p.x25519(bytes([7]) * 32, bytes(31)))


def check_rfc_5869(vectors: Path) -> None:
    """HKDF."""
    cases = list(records((vectors / "KDF/rfc-5869-HKDF-SHA256.txt").read_text("ascii"), "count"))
    assert len(cases) == 3
    for case in cases:
        made = p.hkdf_sha256(case["ikm"], case["salt"], case["info"], len(case["okm"]))
        assert made == case["okm"]


def check_rfc_4231(vectors: Path) -> None:
    """HMAC."""
    cases = list(records((vectors / "HMAC/rfc-4231-sha256.txt").read_text("ascii"), "len"))
    assert len(cases) >= 6
    for case in cases:
        assert p.hmac_sha256(case["key"], case["msg"]) == case["md"]


def check_chacha20poly1305(vectors: Path) -> None:
    """The vectors of BoringSSL, and a changed tag of each."""
    count = 0
    for case in records((vectors / "ciphers/ChaCha20Poly1305/boringssl.txt").read_text("ascii"), "count"):
        key, nonce, known, sealed = case["key"], case["nonce"], case["ad"], case["ct"] + case["tag"]
        if len(case["tag"]) != 16:
            continue
        assert p.chacha20poly1305_encrypt(key, nonce, case["in"], known) == sealed
        assert p.chacha20poly1305_decrypt(key, nonce, sealed, known) == case["in"]
        wrong = sealed[:-1] + bytes([sealed[-1] ^ 1])
        for parts in ((key, nonce, wrong, known), (key, nonce, sealed, known + b"x")):
            assert refused(lambda parts=parts: p.chacha20poly1305_decrypt(*parts))
        count += 1
    assert count > 10
    assert refused(lambda: p.chacha20poly1305_decrypt(bytes(32), bytes(12), b"short"))


def check_rfc_7914() -> None:
    """scrypt, the second vector of the RFC."""
    made = p.scrypt(b"password", b"NaCl", 1024, 8, 16, 64)
    assert made.hex().startswith("fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162")


def check_key_files(vectors: Path) -> None:
    """Key files that ssh-keygen wrote, plain and with a passphrase, and what is refused about them."""
    folder = vectors / "asymmetric/OpenSSH"
    for name in ("ed25519-nopsw.key", "ed25519-psw.key", "ed25519-aesgcm-psw.key"):
        raw = (folder / name).read_bytes()
        public = parse_public_line((folder / f"{name}.pub").read_text("ascii"))
        assert load_private(raw, lambda: b"password").public == public
        if "-psw" in name:
            assert refused(lambda raw=raw: load_private(raw, lambda: b"Password"), PbemError)


def check_group() -> None:
    """The group, against numbers that libsodium gave: bad points, zero results, the map to the curve."""
    scalar = p.scalar_reduce(bytes(range(64)))
    point = p.multiply_base(scalar)
    assert scalar.hex() == SCALAR
    assert point.hex() == POINT
    assert p.multiply(scalar, point).hex() == SQUARE
    assert p.subtract(p.add(point, ORDER_8), ORDER_8) == point
    one = (1).to_bytes(32, "little")
    assert p.scalar_add(p.scalar_subtract(scalar, one), one) == scalar
    for number in (0, ORDER):
        assert refused(lambda number=number: p.multiply_base(number.to_bytes(32, "little")))
        assert refused(lambda number=number: p.multiply(number.to_bytes(32, "little"), point))
    bad = [one, bytes(32), ORDER_8, p.add(point, ORDER_8), (2).to_bytes(32, "little"), b"\xff" * 32]
    bad += [(2**255 - 19 + n).to_bytes(32, "little") for n in (0, 1)]
    for data in bad:
        assert not p.is_point(data)
        assert refused(lambda data=data: p.multiply(scalar, data))
    assert p.is_point(point)
    mapped = one
    for number in range(64):
        mapped = p.add(mapped, p.from_uniform(p.sha256(bytes([number]))))
    assert mapped.hex() == MAPPED
    assert p.from_uniform(b"\xff" * 32).hex() == MAPPED_TOP


SCALAR = "7a3c6282f02d37a05023b60d5428e6cc5961d4c31221937adae0b574e4d07205"
POINT = "f9302fcb3a2937cff4950e4c6272340e171b0a65ed680d8fca72087ab4da078d"
SQUARE = "fb8802466f063b0d914aee271c973feea8c2c8465b4025a0ce58f46f1ffdfba5"
MAPPED = "80785e0f3c78b396b1b9ef0a417e92d234c2dcb08a2e7168597b3425e53ccb5b"
MAPPED_TOP = "a154a939b79807aa59969afafe4e544a11a06eb2142b9adb249caec9c98250f6"


def run_all(vectors: Path, ours: Path, every: int) -> None:
    """All of them; of the thousand of RFC 8032 one in so many."""
    check_rfc_8032(vectors, every)
    check_wycheproof(ours)
    check_no_cofactor()
    check_rfc_7748(vectors)
    check_rfc_5869(vectors)
    check_rfc_4231(vectors)
    check_chacha20poly1305(vectors)
    check_rfc_7914()
    check_key_files(vectors)
    check_group()
