"""Help on offers that are repeated until all players have passed, in other words than the language has."""

from __future__ import annotations

import re

from warchest.lint.sentences.phrasing import sentence_around
from warchest.source.text import Span
from warchest.syntax.words import Vocabulary

_BEHIND = re.compile(
    r"(?P<who>\beach [^.;,]{1,60}|\b(?:any|every|all|both) players?|\bplayers|\beveryone|\beverybody)"
    r"(?P<first>, beginning with [^,.;]{1,40},)? may (?P<what>[^.;,]{1,80}?)"
    r"(?:, until all|, until| (?!until all (?:pass|have passed|decline|have declined)\b)(?:until|as long as))"
    r"(?: (?:all|both|each|every|no|neither|nobody|everyone|everybody|none|anyone|anybody|somebody|someone"
    r"|they all|the others|pass|decline)\b)[^.,;:]{0,60}"
)
"""An offer with the end of its rounds after it."""
_BEFORE = re.compile(
    r"\b(?:until|as long as) (?:all|both|each|every|no|neither|nobody|everyone|everybody|none|anyone|anybody|somebody"
    r"|someone|they all|the others)\b[^.,;:]{0,60}, "
    r"(?P<who>each [^.;,]{1,60}|(?:any|every|all|both) players?|players|everyone|everybody)"
    r"(?P<first>, beginning with [^,.;]{1,40},)? may (?P<what>[^.;,]{1,80})"
)
_FIRST = re.compile(
    r"(?P<who>\beach [^.;,]{1,60}) may (?P<what>[^.;,]{1,80}) until all (?:pass|have passed|decline|have declined), "
    r"(?:(?:starting|begins?|from) (?:with )?)?(?P<first>you|(?:your|its|that) [a-z ]{1,40}?)(?: first)?(?=[.,;]|$)"
)
"""An offer followed by the players who are asked first."""
_AMID = re.compile(
    r"(?P<who>\beach [^.;,]{1,60}) may (?P<what>[^.;,]{1,80}?),? beginning with (?P<first>[^.;,]{1,40}?),? "
    r"until all (?:pass|have passed|decline|have declined)\b"
)
_AHEAD = re.compile(
    r"\bbeginning with (?P<first>[^.;,]{1,40}), (?P<who>each [^.;,]{1,60}) may (?P<what>[^.;,]{1,80}) "
    r"until all (?:pass|have passed|decline|have declined)\b"
)


def of_windows(span: Span, vocabulary: Vocabulary) -> str:
    """Return help if a sentence repeats an offer until all have passed in other words; otherwise empty."""
    said = " ".join(sentence_around(span, ".|:").text.split())
    word = "decline" if "VERB" in vocabulary.kinds("pass") else "pass"
    tries = (pattern.search(said) for pattern in (_FIRST, _AMID, _AHEAD, _BEFORE, _BEHIND))
    found = next(filter(None, tries), None)
    if found is None:
        return ""
    who = found["who"] if found["who"].startswith("each ") else "each player"
    first = (found["first"] or "").strip(", ").removeprefix("beginning with ")
    offer = f"{who} may {found['what']} until all {word}" + (f", beginning with {first}" if first else "")
    return f"say `{said[: found.start()]}{offer}{said[found.end() :]}`"
