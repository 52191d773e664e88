"""Pairs of states that look alike to a player, and the lines that this player is told."""
