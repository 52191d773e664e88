"""Fixes of findings: proposing them, trying them in memory, and applying them to files."""
