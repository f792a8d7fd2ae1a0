"""A table for any game: provable dice, hidden hands and sealed orders, and no other rules."""
