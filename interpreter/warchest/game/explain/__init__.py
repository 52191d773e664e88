"""Explanations: reasons why an option is not on offer, and the words and measures of states."""
