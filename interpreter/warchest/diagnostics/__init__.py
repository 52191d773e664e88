"""Findings as values: what they are, the table of their codes, and pure renderers."""
