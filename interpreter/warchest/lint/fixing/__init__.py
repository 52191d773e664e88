"""Fixes of findings: they are proposed, tried on the texts in memory, and carried out in files."""
