"""Playing a game on one machine, to test its rules and to measure it: fuzz, arena, local play."""
