"""Suggestions of the word that a misspelt one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_MAX_DISTANCE = 2
_SHORT = 6
# Nothing longer is a slip of the finger, and both measures are quadratic in the length.
_MAX_LENGTH = 64


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return "did you mean `x`?" for the candidate nearest to `word`, or "" if none is near."""
    found = nearest(word, candidates)
    return f"did you mean `{found}`?" if found else ""


def nearest(word: str, candidates: Iterable[str]) -> str:
    """Return the candidate nearest to `word`, ignoring case in the first try, or "" if none is near enough."""
    return next(iter(alternatives(word, candidates)), "")


def alternatives(word: str, candidates: Iterable[str]) -> list[str]:
    """Return the nearest candidates by the number of slips, the likeliest first; none if no candidate is near."""
    if not word or len(word) > _MAX_LENGTH:
        return []
    folded: dict[str, str] = {}
    known = (one for one in set(candidates) - {word} if not _are_opposite(word, one))
    for candidate in sorted(known, key=lambda one: (one[:1].isupper() != word[:1].isupper(), one)):
        if len(candidate) <= _MAX_LENGTH:
            folded.setdefault(candidate.casefold(), candidate)
    wanted = word.casefold()
    if wanted in folded:
        return [folded[wanted]]
    # Two slips change a short word too much: `at` is not a misspelt `to`, and `token` not a misspelt `open`.
    allowed = min(1 if len(wanted) <= _SHORT else _MAX_DISTANCE, len(wanted) // 2)
    distances = {candidate: damerau(wanted, candidate, allowed) for candidate in folded}
    near = [(distance, _unlikely(wanted, one), one) for one, distance in distances.items() if distance <= allowed]
    if near:
        return [folded[one] for distance, _, one in sorted(near) if distance == min(near)[0]]
    close = get_close_matches(wanted, folded, n=1, cutoff=0.75) if len(wanted) > _SHORT else ()
    return [folded[one] for one in close]


def _are_opposite(word: str, candidate: str) -> bool:
    """Whether one of two words is the other with `un` or `non` before it, and so means the contrary."""
    one, other = word.casefold(), candidate.casefold()
    return any(f"{prefix}{one}" == other or f"{prefix}{other}" == one for prefix in ("un", "non", "non-", "not-"))


def _unlikely(word: str, candidate: str) -> int:
    """Return the rank of a slip among slips of the same size: swapped letters are likeliest, then a missing letter."""
    if sorted(word) == sorted(candidate):
        return 0
    if len(candidate) > len(word):
        return 1
    return 2 if len(candidate) < len(word) and set(candidate) == set(word) else 3


def damerau(left: str, right: str, limit: int = _MAX_DISTANCE) -> int:
    """Count the insertions, deletions, replacements and swaps of neighbours between two words.

    Anything above `limit` is returned as `limit + 1`.
    """
    # None of these brings in more than one letter, nor takes away more than one.
    if abs(len(left) - len(right)) > limit or len(set(left) ^ set(right)) > 2 * limit:
        return limit + 1
    before: list[int] = []
    last = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
        if min(before) > limit and min(last) > limit:
            return limit + 1
    return min(last[-1], limit + 1)
