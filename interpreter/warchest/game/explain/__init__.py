"""Explanations: reasons why something is not on offer, and the words and measures of states."""
