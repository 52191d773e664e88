"""Help on offers that go round until all have passed, in other words than the language has."""

from __future__ import annotations

import re

from warchest.lint.sentences.phrasing import sentence_around
from warchest.source.text import Span
from warchest.syntax.words import Vocabulary

_BEHIND = re.compile(
    r"(?P<offer>\beach [^.;,]{1,60} may [^.;,]{1,80}?),? (?!until all (?:pass|have passed|decline|have declined)\b)"
    r"until (?:all|both|each|every|no|neither|nobody|everyone|everybody|none|they all|the others)\b[^.,;:]{0,60}"
)
"""An offer with the end of its rounds behind it."""
_BEFORE = re.compile(
    r"\buntil (?:all|both|each|every|no|neither|nobody|everyone|everybody|none|they all|the others)\b[^.,;:]{0,60}, "
    r"(?P<offer>each [^.;,]{1,60} may [^.;,]{1,80})"
)
_FIRST = re.compile(
    r"(?P<offer>\beach [^.;,]{1,60} may [^.;,]{1,80} until all (?:pass|have passed|decline|have declined)), "
    r"(?:(?:starting|begins?|from) (?:with )?)?(?P<who>you|(?:your|its|that) [a-z ]{1,40}?)(?: first)?(?=[.,;]|$)"
)
"""An offer with the players who come first behind it."""


def of_windows(span: Span, vocabulary: Vocabulary) -> str:
    """Return help where a sentence offers something until all have passed in other words; empty elsewhere."""
    said = " ".join(sentence_around(span, ".|:").text.split())
    word = "decline" if "VERB" in vocabulary.kinds("pass") else "pass"
    first = _FIRST.search(said)
    found = first or _BEFORE.search(said) or _BEHIND.search(said)
    if found is None:
        return ""
    end = f", beginning with {first['who']}" if first is not None else f" until all {word}"
    return f"say `{said[: found.start()]}{found['offer']}{end}{said[found.end() :]}`"
