"""How entries travel: mail and git."""
