"""Inlay hints: after `it` and `that …` their antecedent, and after a choice the player who makes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warchest.documents.library import Document
from warchest.lsp.text_positions import position_of
from warchest.paraphrase.facts import OWNER, RuleFact
from warchest.paraphrase.reading import Reading, Study
from warchest.source.text import Source

PARAMETER, TYPE = 2, 1
"""The kinds of hints of the protocol."""
_QUOTED = re.compile(r"`([^`]+)`: (.+)", re.DOTALL)
_DECIDING = ("decides", "asked", "chance")
_WHO = re.compile(r"([^`]{1,80}?) (?:(choose|take)s|(can decline))")


def hints(study: Study, document: Document, source: Source, start: int, end: int) -> Iterator[dict[str, object]]:
    """Yield the hints for the sentences of a document that overlap a part of its text, in order."""
    found: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for one in study.document(document):
        if isinstance(one, Reading) and one.span.start <= end and start <= one.span.end:
            for _, place, words in one.taken_up:
                found.setdefault((place, TYPE), []).append((words, ""))
            for place, fact in _deciders(one):
                found.setdefault((place, PARAMETER), []).append((_who(fact), fact.text))
    for (place, kind), told in sorted(found.items()):
        if start <= place <= end:
            sign, labels = "=" if kind == TYPE else "←", dict.fromkeys(label for label, _ in told)
            tips = "\n".join(dict.fromkeys(tip for _, tip in told if tip))
            yield {
                "position": position_of(source, place),
                "kind": kind,
                "label": f"{sign} {', '.join(labels)}",
                "paddingLeft": True,
                **({"tooltip": tips} if tips else {}),
            }


def _deciders(reading: Reading) -> Iterator[tuple[int, RuleFact]]:
    """Yield the places after the phrases that leave a choice, with the fact of the player who decides."""
    for fact in reading.facts:
        parts = _QUOTED.fullmatch(fact.text) if fact.about in _DECIDING else None
        if parts is not None:
            said = r"\s+".join(map(re.escape, parts[1].split()))
            phrase = re.search(said, reading.span.text)
            if phrase is not None:
                yield reading.span.start + phrase.end(), fact


def _who(fact: RuleFact) -> str:
    """Return the player who decides, and how, in a few words."""
    parts = _QUOTED.fullmatch(fact.text)
    found = _WHO.match(parts[2]) if parts is not None else None
    if found is None:
        return fact.about
    who, verb = found[1], found[2] or found[3]
    if who == OWNER:
        return f"you {verb}"
    return f"{who} {verb}" if found[3] else f"{who} {verb}s"
