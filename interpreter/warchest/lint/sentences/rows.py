"""Help on several things in a row, which `when` cannot express: a new verb, as text to copy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from warchest.diagnostics.articles import with_article
from warchest.lint.sentences.phrasing import number_of
from warchest.syntax.parse import declaring
from warchest.syntax.words import Vocabulary, third_person

_ROW = re.compile(r"(?:when|once|whenever|if) (?P<count>[a-z]+|[0-9]+) (?P<said>[^,]*), (?P<then>.+)")
_IN_LINE = re.compile(r"\b(?:in|form|make) (?:a |one )?(?:straight )?(?:line|row)\b")
_OF_ONE = re.compile(r"(?:of|belonging to) (?:a|an|one|any|each|the same) (?P<whose>team|player|side|owner)\b")
_PLACE = re.compile(r"\bon (?:an? |the )?(?:[a-z]+ )*?(?P<noun>[a-z]+)\b")
_THOSE = re.compile(r"\b(?:those|these|they|them|their|each of)\b")
_VERB = "form a row"
_MOST = 5
"""The most things in a row for which a text is given."""


def in_a_row(said: str, vocabulary: Vocabulary, movers: Sequence[str]) -> str:
    """Return help for `when three … stand in a straight line, …`; empty for any other sentence.

    `movers` are the verbs for acts that move the acting piece to another space.
    """
    found = _ROW.fullmatch(said)
    count = number_of(found["count"]) if found is not None else 0
    if found is None or not _IN_LINE.search(found["said"]) or not 2 <= count <= _MOST or not movers:
        return ""
    yours = found["said"].startswith("of your ")
    words = found["said"].removeprefix("of your ").split()
    number = next((place for place, one in enumerate(words) if "ADJ" not in vocabulary.kinds(one)), 0)
    noun = vocabulary.kinds(words[number]).get("NOUN", "")
    then = _ending(found["then"])
    if not noun or not then:
        return ""
    one = _one(words[:number], noun, _OF_ONE.search(found["said"]), vocabulary)
    one = f"one of your {' '.join(words[: number + 1])}" if yours else one
    ways = " ".join(f"to {_VERB}: {steps}, then {then}." for steps in _ways(one, count))
    moves = " or ".join(vocabulary.form("VERBS", verb) for verb in movers)
    hook = f"after {with_article(noun)} {moves}, that {noun} {third_person(_VERB)} if able."
    declared = declaring("row", f"verbs: {{{_VERB}: {{by: {noun}}}}}")
    return f"a row needs a verb of your own: {declared}, and write `{ways} {hook}`{_left_out(found['said'])}"


def _left_out(said: str) -> str:
    """Return the note that the text leaves out the spaces of the things; empty if none are named."""
    place = _PLACE.search(said)
    return f", which leaves out `{place[0]}`: say it after each noun, if it is to matter" if place else ""


def _one(adjectives: Sequence[str], noun: str, of_one: re.Match[str] | None, vocabulary: Vocabulary) -> str:
    """Return the phrase for another one of the things in a row."""
    if adjectives:
        return with_article(" ".join((*adjectives, noun)))
    allied = vocabulary.instead.get("ally", ("",))[0].split()
    if of_one is not None and of_one["whose"] in ("team", "side") and allied[-1:] == [noun]:
        return with_article(" ".join(allied))
    return f"one of your {vocabulary.form('PLURAL', noun)}" if of_one is not None else with_article(f"other {noun}")


def _ways(one: str, count: int) -> Iterator[str]:
    """Yield the steps that find the others of a row, from its end and from within it."""
    for behind in range((count + 1) // 2):
        ahead = [_at(one, far, "in that direction") for far in range(1, count - behind)]
        back = [_at(one, far, "in the opposite of that direction") for far in range(1, behind + 1)]
        yield ", then ".join(("choose a direction", *ahead, *back))


def _at(one: str, far: int, where: str) -> str:
    return f"choose {one} exactly {far} {'space' if far == 1 else 'spaces'} away {where}"


def _ending(then: str) -> str:
    """Return the end of a sentence, about the agent that makes the row; empty if it is about the things in the row."""
    if _THOSE.search(then):
        return ""
    then = re.sub(r"\b(?:that|the|their|its) (?:team|side)\b", "your team", then.rstrip("."))
    return re.sub(r"\b(?:that|the) (?:player|owner)\b", "the owner of this", then)
