"""項羽與劉邦 (Xiang Yu and Liu Bang): the printed rules 1 to 6-10, and a reconstruction of the rest."""
