"""Procedures, positions and options: what a rule module is made of."""
