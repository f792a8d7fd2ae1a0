"""Which entries count and in which order, and what becomes of doubles, forfeits and audits."""
