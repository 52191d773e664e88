"""Pairs of states that look alike to a player, and what that player is told of them."""
