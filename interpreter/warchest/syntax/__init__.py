"""Sentences of the card language: words, tokens, the typed tree, and the way back to text."""
