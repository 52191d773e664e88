"""Games and states that do not fit the native machine; the reference machine plays them instead."""

from __future__ import annotations


class Unfit(Exception):
    """Native code has no room for some rules, a board or numbers; the text names them."""
