"""Nouns with a number, or with `a` or `an` before them, depending on the sound that follows."""

from __future__ import annotations

import re

# A silent `h`; a vowel, except as in `unit`, `use`, `one` or `euro`; eight, eleven and eighteen.
_VOWEL_SOUND = re.compile(
    r"hour|heir|honest|honou?r|8|1[18]\b|(?!u[bcfhjkqrst][aeiou]|uni[^mn]|eu|one\b|once\b)[aeiou]"
)


def article(following: str) -> str:
    """Return `a` or `an`, by the sound that the words which follow begin with."""
    return "an" if _VOWEL_SOUND.match(following.lower()) else "a"


def with_article(noun: str) -> str:
    """Return a noun with `a` or `an` before it."""
    return f"{article(noun)} {noun}"


def many(count: int, noun: str) -> str:
    """Return a number and the things that it counts, such as `1 card` and `1,200 cards`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
