"""Findings about sentences: slips, and those that make no sense, never end or never apply."""
