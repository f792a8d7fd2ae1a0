"""Rebels & Redcoats III: seven battles of the American War of Independence, on hexes, with one d10."""
