"""The catalogue: one small dishonest player per cheat, named after what it tries (`pbem help threats`)."""

from tests.cheats.kit import CHEATS, End

__all__ = ["CHEATS", "End"]
