"""Words of the language at a place where they cannot stand, and where to put them."""

from __future__ import annotations

import re

from warchest.source.text import Span
from warchest.syntax.words import Vocabulary

_RANGES = ("exactly", "within")
_PLACES = ("on", "in", "of", "without", "adjacent to")
_HEADS = ("after", "before", "when")


def misplaced(said: list[str], span: Span, expected: str, vocabulary: Vocabulary) -> str:
    """Return help for a word that does not fit behind the words before it; empty where nothing better is known."""
    word, last = span.text, said[-1] if said else ""
    following = span.source.text[span.end : span.end + 200].split()
    if word in ("in any order", "in turn order"):
        return f"it stands behind the noun: `for each … {word}, …`"
    if said and said[0] in _HEADS and len(said) == 1 and _is(word, "VERBS", vocabulary):
        return f"say who does it first: `{last} a … {word} …`"
    if said and last in ("cannot", "may") and word in ("unless", "while"):
        return f"put this part last: `… {last} … {word} …`"
    if _is(word, "ADJ", vocabulary) and _is(last, "NOUN", vocabulary):
        return f"put it before the noun: `{word} {last}`"
    if word == "adjacent" and following[:1] != ["to"] and _is(last, "NOUN", vocabulary):
        return f"say `adjacent {last}`, or `{last} adjacent to …`"
    if _is(last, "VERB", vocabulary) or _is(last, "VERBS", vocabulary):
        if word == "through":
            return "put it behind the noun: `a space … spaces away through …`"
        if word in _RANGES:
            return f"put how far behind the noun: `{last} a … {word} … away`"
        if word in _PLACES:
            return f"say `{last} a …` of what it is done to, and `{last} to …` or `{last} onto …` of where it goes"
    if said and said[0] == "to" and len(said) > 1 and ":" not in said[-1] and "`:`" in expected:
        return "put a colon behind what is defined: `to …: …`"
    if re.fullmatch(r"[0-9]+", last) and word == "to" and following[:1] and following[0][:1].isdigit():
        return f"write a range with a hyphen: `{last}-{following[0]}`"
    return ""


def _is(word: str, kind: str, vocabulary: Vocabulary) -> bool:
    return kind in vocabulary.entries.get((word,), {})
