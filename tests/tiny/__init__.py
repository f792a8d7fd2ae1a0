"""Tiny: the engine's test bed, and the shortest complete example of a rule module."""

from tests.tiny.rules import TINY

__all__ = ["TINY"]
