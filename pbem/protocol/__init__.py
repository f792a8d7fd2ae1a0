"""Everything between bytes from a stranger and an admitted entry."""
