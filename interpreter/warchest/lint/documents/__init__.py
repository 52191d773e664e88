"""Findings about documents: names and declarations."""
