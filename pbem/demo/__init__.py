"""A whole game between bots: every seat is a process with a home of its own, and only bundles cross."""
