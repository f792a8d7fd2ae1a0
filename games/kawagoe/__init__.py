"""Kawagoe: the night battle of 1546, by the rulebook of "河越合戦〜北条氏康の賭け〜".

`data/` is the pack, read by `pack.py`; `rulebook.toml` lists every rule, in our own words.
"""
