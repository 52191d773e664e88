"""Board games as text: cards are sentences of a small language, and this package checks and plays them."""
