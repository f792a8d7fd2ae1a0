"""The rulebooks, one package each, and the kit they share."""
