"""The words that can come next in a sentence, the likeliest first."""

from warchest.words.expected import NextWord
from warchest.words.following import words_at

__all__ = ["NextWord", "words_at"]
