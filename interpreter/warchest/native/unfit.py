"""Games and states that the native machine is not made for; the reference machine plays them then."""

from __future__ import annotations


class Unfit(Exception):
    """Rules, a board or numbers that native code has no room for; the text says which."""
