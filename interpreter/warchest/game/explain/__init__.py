"""Explanations: why something is not on offer, and what a state can be asked for."""
