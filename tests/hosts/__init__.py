"""Moves through git hosts, real ones, and hosts that mean ill."""
