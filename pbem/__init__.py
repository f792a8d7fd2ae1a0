"""pbem: a play-by-email adjudicator."""

__version__ = "0.1.0"
