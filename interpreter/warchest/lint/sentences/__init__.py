"""Findings about sentences: slips, and sentences that make no sense, never end or never apply."""
