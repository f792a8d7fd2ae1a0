"""The catalogue of cheats in the browser's Python.

That each succeeds without its check is shown elsewhere; here the checks must stop it as they do there. The
forger uses libsodium's own names, which lead here to the door that the site itself uses. Rooms about folders
run git or other processes, which no browser has: they are left out by name.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

from pbem.protocol.crypto import primitives

NO_BROWSER = ("folders", "files")
"""What somebody does to a folder, or by git: a browser has neither."""
_SODIUM = {
    "core_ed25519_add": primitives.add,
    "core_ed25519_sub": primitives.subtract,
    "core_ed25519_is_valid_point": primitives.is_point,
    "core_ed25519_from_uniform": primitives.from_uniform,
    "core_ed25519_scalar_add": primitives.scalar_add,
    "core_ed25519_scalar_sub": primitives.scalar_subtract,
    "core_ed25519_scalar_mul": primitives.scalar_multiply,
    "core_ed25519_scalar_reduce": primitives.scalar_reduce,
    "scalarmult_ed25519_noclamp": primitives.multiply,
    "scalarmult_ed25519_base_noclamp": primitives.multiply_base,
}


def stand_in() -> None:
    """Modules that cannot be loaded here, as far as the cheats use them."""
    sodium: Any = ModuleType("nacl.bindings")
    for name, work in _SODIUM.items():
        setattr(sodium, f"crypto_{name}", work)
    package: Any = ModuleType("nacl")
    package.bindings = sodium
    sys.modules |= {"nacl": package, "nacl.bindings": sodium}
    for name in ("hypothesis", "hypothesis.strategies", "cryptography_vectors"):
        sys.modules[name] = mock.MagicMock()


def run() -> str:
    """How each cheat ends, one line each: as it says, or what else."""
    from tests.cheats import CHEATS

    rooms = sorted(path.stem for path in (Path(__file__).parent / "cheats").glob("*.py"))
    for room in rooms:
        if room not in ("__init__", "kit", *NO_BROWSER):
            import_module(f"tests.cheats.{room}")
    lines = []
    for name, one in CHEATS.items():
        try:
            lines.append(f"{name}: {'as it says' if one.with_checks() is one.ends else 'other'}")
        except Exception as error:
            lines.append(f"{name}: {type(error).__name__} {error}"[:200].replace("\n", " "))
    return "\n".join(lines)
