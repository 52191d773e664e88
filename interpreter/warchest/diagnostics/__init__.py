"""Findings as values: their type, the table of their codes, and pure renderers."""
