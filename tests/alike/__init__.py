"""Pairs of states that look alike to a player, and the lines of the log that this player reads."""
