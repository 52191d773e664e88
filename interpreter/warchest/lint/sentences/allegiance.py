"""Help on a piece that changes sides, which the language expresses as `you become the owner of that …`."""

from __future__ import annotations

import re

from warchest.lint.sentences.phrasing import begin_of
from warchest.source.text import Span
from warchest.syntax.words import Vocabulary

_GOES_OVER = re.compile(
    r"\b(?P<piece>this|it|(?:that|the|an?|another|one of your) (?:[A-Za-z]+ ){1,3}?) ?\b"
    r"(?P<verb>changes?|switch(?:es)?|swaps?|defects?|deserts?|joins?|goes over|becomes?)"
    r"(?P<rest>(?: its)? (?:sides?|owners?|allegiance|loyalty)| (?:to )?(?:you|your [a-z]+)\b| yours| mine| ours"
    r"|(?=[,.;]| instead\b))"
)
"""A sentence in which a piece changes sides."""
_ALONE = ("defect", "defects", "desert", "deserts")
"""Verbs that mean this without an object."""
_IS_TAKEN = re.compile(
    r"\b(?:(?P<who>you|that player|(?:the|its|your|that) [a-z]+(?: [a-z]+)?) (?P<may>may )?)?"
    r"(?P<verb>(?:take|gain|get|assume|acquire)s? (?:the )?(?:control|command|possession|ownership) of"
    r"|steals?|converts?|takes? over|wins? over) (?P<piece>[^,.;]+?)(?= instead\b|[,.;])"
)
"""A sentence gives a player a piece."""
_LASTS = re.compile(
    r"\b(?:until|till)\b|\bfor (?:an?|one|the|this|[2-9]|two|three) (?:[a-z]+ )*(?:turn|round)s?\b"
    r"|\b(?:this|next) (?:turn|round)\b|\b(?P<ever>forever|permanently|for good|for ever)\b"
)
"""The time for which a sentence gives a player a piece."""
_FOR_GOOD = "; an owner changes for good"
_INDEFINITE = re.compile(r"(?:an?|another|one of your) ")


def gone_over(span: Span, vocabulary: Vocabulary) -> str:
    """Return help if the sentence at a span says in other words that a piece gets another owner; otherwise empty."""
    text = span.source.text
    start = begin_of(text, span.start, ".;|:,")
    ends = [end for sign in ".;," if (end := text.find(sign, span.start)) >= 0]
    part = " ".join(text[start : min(ends, default=len(text)) + 1].split())
    lasts = _LASTS.search(part)
    lasting = _FOR_GOOD if lasts is not None and not lasts["ever"] else ""
    help = _on_owner(f"{part[: lasts.start()].rstrip()}." if lasts is not None else part, vocabulary)
    return f"{help}{lasting}" if help else ""


def _on_owner(part: str, vocabulary: Vocabulary) -> str:
    """Return help if a part of a sentence says in other words that a piece gets another owner; otherwise empty."""
    found = _GOES_OVER.search(part)
    if found is not None and (found["rest"] or found["verb"] in _ALONE) and not _known(found["verb"], vocabulary):
        piece = found["piece"].strip()
        if piece == "it":
            return "say who gets it: `you become the owner of it`, or `your left neighbour becomes the owner of it`"
        return _said("your left neighbour" if piece == "this" else "you", piece, False, vocabulary)
    found = _IS_TAKEN.search(part)
    if found is None or _known(found["verb"], vocabulary):
        return ""
    return _said(found["who"] or "you", found["piece"].strip(), bool(found["may"]), vocabulary)


def _known(verb: str, vocabulary: Vocabulary) -> bool:
    """Whether the game has a verb of its own with this spelling."""
    kinds = vocabulary.kinds(verb)
    return "VERB" in kinds or "VERBS" in kinds


def _said(who: str, piece: str, offered: bool, vocabulary: Vocabulary) -> str:
    """Return the sentence that gives a player a piece, as an offer or an order."""
    chosen = ""
    if _INDEFINITE.match(piece):
        nouns = [word for word in piece.split() if "NOUN" in vocabulary.kinds(word)]
        chosen, piece = f"choose {piece}, then ", f"that {nouns[0] if nouns else '…'}"
    becomes = "become" if who == "you" else "becomes"
    given = f"{who} {becomes} the owner of {piece}"
    return f"say `{chosen}either {given}, or do nothing`" if offered else f"say `{chosen}{given}`"
