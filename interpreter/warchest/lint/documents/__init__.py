"""Findings about documents: the names in them, and what they declare."""
