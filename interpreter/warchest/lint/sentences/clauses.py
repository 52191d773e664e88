"""Relative clauses about acts in words that the language does not have: `that has moved`, `which moves`."""

from __future__ import annotations

import re
from dataclasses import replace

from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.lint.sentences.phrasing import act_of, behind, text_before, who_does
from warchest.source.text import Span
from warchest.syntax.words import Vocabulary, present_participle

_NOW = re.compile(
    r"(?P<that>that|which|who)(?: (?:has|have|had|is|are|was|were|ha(?:s|ve) been|may|would|will))? (?P<verb>[a-z-]+)"
)
"""A relative clause with another form of the verb, or with another word in place of `that`."""
_BEGUN = re.compile(r"\b(?:that|which|who)(?: (?:has|have|had|is|are|was|were)(?: been)?)?$")
_DENIED = re.compile(r"that (?P<what>do(?:es)? not (?P<verb>[a-z-]+))")
_DOES = re.compile(r"\bthat (?P<verb>[a-z-]+) [^,.]*$")
_BEING = re.compile(r"\b(?:is|are|was|were|be)$")


def of_clauses(found: Diagnostic, span: Span, vocabulary: Vocabulary) -> Diagnostic | None:
    """Return a finding on a whole relative clause about an act, with the right words; otherwise None."""
    before = text_before(span)
    if help := _denied(span, vocabulary) or _joined(before, span, vocabulary) or _of_done(before, span, vocabulary):
        return replace(found, help=help)
    begun = _BEGUN.search(before)
    start = begun.start() if begun is not None else span.start
    place = _NOW.match(span.source.text, start)
    if place is None or place.end() < span.end:
        return _of_participle(found, span, vocabulary)
    word = place["verb"]
    if re.search(r"\b(?:is|are|was|were)\b", place[0]) and "VERBED" in vocabulary.kinds(word):
        return _of_passive(found, span.source.span(*place.span()), vocabulary)
    verb = _verb_of(word, vocabulary)
    is_right = place["that"] == "that" and place[0] == f"that {word}" and "VERBED" not in vocabulary.kinds(word)
    if not verb or is_right:
        return None
    is_several = _is_several(span.source.text[:start], vocabulary)
    said = f"that {verb if is_several else vocabulary.form('VERBS', verb)}"
    whole = span.source.span(*place.span())
    return replace(
        found,
        message=f"{quoted(whole.one_line)} does not fit here",
        span=whole,
        help=f"say `{said}`, which holds while the act is under way",
    )


def _denied(span: Span, vocabulary: Vocabulary) -> str:
    """Return help on `that does not move`; otherwise empty."""
    place = _DENIED.match(span.source.text, span.start - len("that "))
    verb = _verb_of(place["verb"], vocabulary) if place is not None else ""
    return f"put the condition last: `… unless that … {vocabulary.form('VERBS', verb)} …`" if verb else ""


def _of_done(before: str, span: Span, vocabulary: Vocabulary) -> str:
    """Return help on a participle after a noun, `a unit attacked by this`; otherwise empty."""
    noun, verb = before.split()[-1:], vocabulary.kinds(span.text).get("VERBED", "")
    who = who_does(behind(span), vocabulary)
    if not verb or not who or not noun or "NOUN" not in vocabulary.kinds(noun[0]):
        return ""
    act = act_of(who, verb, vocabulary)
    if verb in vocabulary.facts:
        return f"say `{noun[0]} {act}`"
    return f"put the act last, as a condition: `… while {act} that {noun[0]}`"


def _joined(before: str, span: Span, vocabulary: Vocabulary) -> str:
    """Return help on `that attacks this or moves` and `that attacks this and is bolstered`; otherwise empty."""
    first, second = _DOES.search(before), behind(span).split()[:1]
    kinds = [vocabulary.kinds(one) for one in (first["verb"], *second)] if first is not None and second else []
    if span.text == "and" and second == ["is"] and {"VERB", "VERBS"} & kinds[0].keys():
        return "put an adjective before the noun, and what else must hold into a condition: `… while that … is …`"
    if span.text != "or" or first is None or not all({"VERB", "VERBS"} & one.keys() for one in kinds):
        return ""
    return f"say all verbs first: `that {first['verb']} or {second[0]} …`"


def _of_participle(found: Diagnostic, span: Span, vocabulary: Vocabulary) -> Diagnostic | None:
    """Return a finding on `a unit moving` or `it is moving`; otherwise None."""
    verb, before = _verb_of(span.text, vocabulary), text_before(span)
    if not span.text.endswith("ing") or not verb or not before.split():
        return None
    does = vocabulary.form("VERBS", verb)
    being = _BEING.search(before)
    if being is not None:
        place = span.source.span(being.start() - len(before) + _end_before(span), span.end)
        return replace(found, message=f"{quoted(place.one_line)} does not fit here", span=place, help=f"say `{does}`")
    if "NOUN" not in vocabulary.kinds(before.split()[-1]):
        return None
    is_several = _is_several(before + " ", vocabulary)
    return replace(found, help=f"say `that {verb if is_several else does}`")


def _of_passive(found: Diagnostic, place: Span, vocabulary: Vocabulary) -> Diagnostic:
    """Return a finding on `that is attacked`: the text has to name the attacker."""
    verb = vocabulary.kinds(place.text.split()[-1])["VERBED"]
    act = act_of(who_does(behind(place), vocabulary) or "a …", verb, vocabulary)
    return replace(
        found,
        message=f"{quoted(place.one_line)} does not say who does it",
        span=place,
        help=f"name who does it, in a condition: `… while {act} that …`",
    )


def _end_before(span: Span) -> int:
    """Return the end of the text before a span, without white space."""
    return len(span.source.text[: span.start].rstrip())


def _is_several(before: str, vocabulary: Vocabulary) -> bool:
    """Whether the noun at the end of a text is in the plural."""
    last = before.split()[-1:]
    noun = vocabulary.kinds(last[0]).get("NOUN", "") if last else ""
    return bool(noun) and noun != last[0]


def _verb_of(word: str, vocabulary: Vocabulary) -> str:
    """Return the verb that a word is a form of; empty if there is none."""
    kinds = vocabulary.kinds(word)
    verb = kinds.get("VERBS") or kinds.get("VERB") or kinds.get("VERBED")
    if verb:
        return verb
    verbs = {kinds["VERB"] for words, kinds in vocabulary.entries.items() if "VERB" in kinds and len(words) == 1}
    return next((one for one in sorted(verbs) if word in present_participle(one)), "")
