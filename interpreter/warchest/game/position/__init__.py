"""Positions: states as mappings that people and other programs read and write."""
