"""Colours: ink that can be read on one, and shades of one for those who share it."""

from __future__ import annotations

_BRIGHT = 140_000
"""From this brightness on (of 255 000) black is read more easily than white."""

_LIGHTER, _DARKER = 0.5, 0.62
"""The share of a dark colour, and of a light one, that is left in its next shade."""


def ink(colour: str) -> str:
    """Return black or white, whichever is read more easily on a colour."""
    red, green, blue = _parts(colour)
    return "#000000" if 299 * red + 587 * green + 114 * blue > _BRIGHT else "#ffffff"


def shade(colour: str, number: int) -> str:
    """Return the shade of a colour with some number; 0 is the colour itself.

    A dark colour becomes lighter and a light one darker, so that also the ink upon it changes.
    """
    dark = ink(colour) == "#ffffff"
    kept = (_LIGHTER if dark else _DARKER) ** number
    aim = 255 * (1 - kept) if dark else 0.0
    return "#" + "".join(f"{round(part * kept + aim):02x}" for part in _parts(colour))


def _parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return red, green, blue
