"""Help on offers of a change that are worded differently from the language."""

from __future__ import annotations

import re

from warchest.lint.sentences.phrasing import sentence_around
from warchest.source.text import Span
from warchest.syntax.ast import OFFERED_CHANGES
from warchest.syntax.words import Vocabulary

_CHANGED = re.compile(
    r"(?P<before>(?:[^.;]{0,80}, )?(?:then )?)(?<!of )(?P<who>you|this) "
    r"(?:may|can|could|might) (?P<how>increase|decrease|double) "
    r"(?P<what>(?:(?:its|your|the|that|this) )?(?!by )[^.;,]{1,60}?)(?P<by> by [^.;,]{1,30})?(?=[.;,]|$)"
)
"""An offer to a player to change a number; the language makes the number the subject."""
_ADDED = re.compile(
    r"(?P<before>(?:[^.;]{0,80}, )?(?:then )?)(?:you|this|it) (?:may|can|could|might) "
    r"(?:(?P<more>add)|subtract|take) (?P<by>[0-9]{1,4}|X) (?:to|from) "
    r"(?P<what>(?:its|your|the|that|this) [^.;,]{1,60}?)(?=[.;,]|$)"
)
_MADE = re.compile(
    r"(?P<before>(?:[^.;]{0,80}, )?(?:then )?)you (?:may|can|could|might) (?:make|have|let) "
    r"(?P<what>this|it|that [a-z ]{1,30}?|the [a-z ]{1,40}?) (?:become |be )?(?P<how>[a-z-]{1,30})(?=[.;,]|$)"
)
"""An offer to give a thing an adjective."""
_ABLE = re.compile(
    r"(?P<what>[^.;,]{1,60}?) (?:(?:can|could|might) (?P<how>become|have|increase|decrease|double)"
    r"|may (?P<be>be)|may (?P<third>becomes|has|increases|decreases|doubles))(?= |[.;,]|$)"
)
_OFTEN = re.compile(
    r"(?P<before>(?:[^.;]{0,80}, )?(?:then )?)(?P<offer>[^.;,]{1,60}? may (?:be|become|have|increase|decrease|double)\b"
    r"[^.;,]{0,60}?),? (?P<often>(?:only )?(?:once|twice|(?:up to |at most )?[0-9]{1,4} times|(?:two|three) times)"
    r" (?:a|per|each|every) (?:turn|round|game))(?=[.;,]|$)"
)
_QUANTITY = re.compile(r"that [a-z-]{1,30}")
"""The number of an act, which a hook can offer to change."""
_BASE = {"becomes": "become", "has": "have", **OFFERED_CHANGES}
_SLIPS = 3
"""The most slips in one sentence that are corrected."""


def of_changes(span: Span, vocabulary: Vocabulary) -> str:
    """Return help if a sentence offers a change in other words; otherwise empty."""
    said = written = " ".join(sentence_around(span, ".|:").text.split())
    # A sentence can have several of these slips.
    for _ in range(_SLIPS):
        said = _reworded(said, vocabulary) or said
    return f"say `{said}`" if said != written else ""


def _reworded(said: str, vocabulary: Vocabulary) -> str:
    """Return a sentence with the first slip in its offer of a change corrected; empty if it has none."""
    if found := _OFTEN.search(said):
        often = found["often"].removeprefix("only ")
        return _instead(said, found, f"{found['before']}{often}, {found['offer']}")
    if found := _CHANGED.search(said):
        named = re.match(r"(?:its|your|the|that|this) ", found["what"])
        what = found["what"] if named else f"{'its' if found['who'] == 'this' else 'your'} {found['what']}"
        own = found["who"] == "this" and what.startswith("its ")
        return _instead(said, found, _offer(found["before"], what, found["how"], found["by"] or "", own))
    if found := _ADDED.search(said):
        how = "increase" if found["more"] else "decrease"
        return _instead(said, found, _offer(found["before"], found["what"], how, f" by {found['by']}"))
    found = _MADE.search(said)
    if found and "ADJ" in vocabulary.kinds(found["how"]):
        return _instead(said, found, _offer(found["before"], found["what"], "become", f" {found['how']}"))
    if found := _ABLE.search(said):
        how = found["how"] or _BASE.get(found["third"] or "", "become")
        return _instead(said, found, f"{found['what']} may {how}")
    return ""


def _offer(before: str, what: str, how: str, rest: str, own: bool = False) -> str:
    """Return an offer to change a thing of yours; for a thing of another player, a choice between two ways."""
    counted = how != "become" and _QUANTITY.fullmatch(what)
    if not own and not counted and re.search(r"\b(?:that|it|its|other)\b", what):
        return f"{before}either {what} {how}s{rest}, or do nothing"
    return f"{before}{what} may {how}{rest}"


def _instead(said: str, found: re.Match[str], words: str) -> str:
    """Return a sentence with other words in place of those that were found."""
    return f"{said[: found.start()]}{words}{said[found.end() :]}"
