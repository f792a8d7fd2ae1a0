"""What several games share: hex maps, zones of control, paths, odds tables, stacks."""
