"""Help on whole sentences about several things at once, or about a denied act, with a sentence that the language has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from warchest.diagnostics.articles import with_article
from warchest.lint.sentences.phrasing import number_of, sentence_around
from warchest.lint.sentences.rows import in_a_row
from warchest.source.text import Span
from warchest.syntax.lexer import small
from warchest.syntax.words import Vocabulary

OF_ONE = "a rule is said of one of them"
"""The beginning of advice to write about one thing."""
RULE = re.compile(r" (?:may|cannot|can|is|has) ")
"""The words after the subject of a rule."""
_DENIED = re.compile(
    r"\A((?:(?!\b(?:if|unless|when|while|that)\b).)*?) (?:do(?:es)?(?: not|n't)|(?:may|must) not)(?= [a-z])"
)
"""Words for an act that is not done; in conditions and relative clauses `cannot` would mean another thing."""
_WATCHED = re.compile(r"(?:when|once|whenever) (?:all|each|every|both|two|three|four|five|six|[0-9]+) ")
_UNTIL = re.compile(r"until (?:the )?[a-z ]+, ")
_FAR = re.compile(r"(may|cannot) ([a-z]+) (?:up to )?([0-9]+|[a-z]+) ([a-z]+)(?: instead(?: of [a-z0-9 ]+)?)?")


def of_several(span: Span, vocabulary: Vocabulary, movers: Sequence[str] = ()) -> str:
    """Return help for the sentence at a span, if it is about several things or denies an act; otherwise empty."""
    said, denials = _DENIED.subn(r"\1 cannot", small(sentence_around(span, ".;|").one_line))
    if row := in_a_row(said, vocabulary, movers):
        return row
    if _WATCHED.match(said):
        return (
            "`when` is about a change of one thing; for several, ask after an event: "
            "`after a … …, if no … is …, …`, or `…, if the number of … is at least 2, …`"
        )
    until = _UNTIL.match(said)
    help = _permitted(said[until.end() :], vocabulary, until[0]) if until else _permitted(said, vocabulary)
    return help or (f"a forbidden act has `cannot`: `{said}.`" if denials else "")


def _of_one(words: Sequence[str], vocabulary: Vocabulary) -> list[str]:
    """Return the words after a plural noun, with the verbs of a relative clause in the singular."""
    of_clause = takewhile(lambda word: word == "or" or "VERB" in vocabulary.kinds(word), words[1:])
    verbs = list(of_clause) if words[:1] == ["that"] else []
    singular = [one if one == "or" else vocabulary.form("VERBS", one) for one in verbs]
    return [*words[:1], *singular, *words[1 + len(verbs) :]]


def _permitted(said: str, vocabulary: Vocabulary, until: str = "") -> str:
    """Return help for `friendly units may move 2 spaces`: a rule is about one of them, and about the space."""
    words = said.split()
    number = next((place for place, word in enumerate(words) if "ADJ" not in vocabulary.kinds(word)), len(words))
    word = words[number] if number < len(words) else ""
    noun = vocabulary.kinds(word).get("NOUN", "")
    if not noun or "VERBS" in vocabulary.kinds(word) or noun == word or vocabulary.form("PLURAL", noun) != word:
        return ""
    one = " ".join((*words[:number], noun, *_of_one(words[number + 1 :], vocabulary)))
    if not RULE.search(one) and until:
        return f"an order has no time before it: leave out `{until.strip(' ,')}`, or write a prohibition, `… cannot …`"
    if not RULE.search(one):
        act = next((place for place in range(number + 1, len(words)) if "VERB" in vocabulary.kinds(words[place])), 0)
        ordered = (*words[:number], noun, *words[number + 1 : act], vocabulary.form("VERBS", words[act]))
        return f"say `each {' '.join((*ordered, *words[act + 1 :]))}`" if act else ""
    far = _FAR.search(one)
    if far is not None and vocabulary.kinds(far[4]).get("NOUN") == "space" and "VERB" in vocabulary.kinds(far[2]):
        count = str(number_of(far[3]) or far[3])
        spaces = "space" if count == "1" else "spaces"
        one = f"{one[: far.start()]}{far[1]} {far[2]} to a space exactly {count} {spaces} away{one[far.end() :]}"
    return f"{OF_ONE}, and holds for each: `{until}{with_article(one)}.`"
