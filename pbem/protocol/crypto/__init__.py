"""Keys, signatures, seals and joint chance: mathematics that knows no game and no log."""
