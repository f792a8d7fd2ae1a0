"""The shared deck: masked cards, shuffles, shares and their proofs; it knows no log."""
