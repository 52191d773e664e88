"""Help on "if you do" and "if you do not": the answer to an offer, which the language says in one sentence with it.

What follows where an offer is taken is joined to it by `, then`; what is done in its place is the other branch of an
`either`.
"""

from __future__ import annotations

import re

from warchest.lint.sentences.phrasing import begin_of, sentence_around
from warchest.source.text import Span
from warchest.syntax.words import Vocabulary

_DONE = re.compile(
    r"(?:and |but )?(?:(?P<not>(?:if|when|where) (?:you|it|they|he|she|this|(?:that|the|each) [a-z]+) "
    r"(?:(?:do|does|did) not|don't|doesn't|didn't)(?: do)?(?: so| that)?,"
    r"|unless (?:you|it|they|he|she|this|(?:that|the|each) [a-z]+) (?:do|does|did)(?: so| that)?,"
    r"|if not,|(?:or )?else,?|otherwise,?)"
    r"|(?:if|when|whenever|where) (?:you|it|they|he|she|this|(?:that|the|each) [a-z]+) (?:do|does|did)(?: so| that)?,"
    r"|if so,|in that case,) "
)
"""The words that ask for the answer to an offer, at the beginning of a part of a sentence."""
_UNLESS_BEHIND = re.compile(
    r"(?P<done>(?:(?!\bcannot\b|\bmay\b).)+?),? unless (?P<who>you|it|they|this|(?:that|the|its) [a-z]+) "
    r"(?P<do>(?!(?:[a-z]+ )?(?:is|are|was|has|have|can|cannot|may|do|does|did)\b)[a-z][^,]*)"
)
_UNLESS_IN_FRONT = re.compile(
    r"unless (?P<who>you|it|they|this|(?:that|the|its) [a-z]+) "
    r"(?P<do>(?!(?:[a-z]+ )?(?:is|are|was|has|have|can|cannot|may|do|does|did)\b)[a-z][^,]*), (?P<done>.+)"
)
"""An order with another act behind `unless`."""
_SO_BEHIND = re.compile(
    r"(?P<done>(?:after|before|when) [^,]+, (?:(?!\bcannot\b|\btwice\b).)+?"
    r"|(?:(?!\bcannot\b|\bmay\b|\btwice\b).)+?),? unless [^,]+ (?:is|are) [^,]+"
)
_SO_IN_FRONT = re.compile(r"unless [^,]+ (?:is|are) [^,]+, (?P<done>(?:(?!\bcannot\b|\bmay\b|\btwice\b).)+)")
"""An order with a condition behind `unless`."""
_HEAD = re.compile(r"(?:after|before|when|whenever|if|for|at|once|until|then) ")
_OTHER = "an order in place of another one is the other branch"
OTHER_BRANCH = f"{_OTHER}: `either …, or …`"
"""The advice on the other branch where it cannot be given in full."""
_MOST = 160
"""The most letters of an advice that is given in full."""


def answered(span: Span, vocabulary: Vocabulary) -> str:
    """Return help where the sentence at a span asks whether an offer was taken; empty where it does not."""
    text, said = span.source.text, sentence_around(span, ".;|:")
    part, last = _plain(said.text), max(said.start - 1, 0)
    before = _plain(text[begin_of(text, last, ".|:") : said.start - 1])
    unless = _UNLESS_BEHIND.fullmatch(part) or _UNLESS_IN_FRONT.fullmatch(part)
    if unless is not None:
        head, order = _split(unless["done"])
        return _either(f"{head}{unless['who']} may {unless['do']}", order, vocabulary)
    unless = _SO_BEHIND.fullmatch(part) or _SO_IN_FRONT.fullmatch(part)
    if unless is not None:
        head, order = _split(unless["done"])
        return f"a step has its condition in front: `{head}if … is not …, {order}`"
    found = _DONE.match(part)
    if found is None:
        places = (one for one in re.finditer(r", | (?=or else )", part) if _DONE.match(part, one.end()))
        within = next(places, None)
        found = _DONE.match(part, within.end()) if within is not None else None
        if within is None or found is None:
            return ""
        before = part[: within.start()]
    following = part[found.end() :]
    return _joined(before, following) if found["not"] is None else _either(before, following, vocabulary)


def _split(done: str) -> tuple[str, str]:
    """Return the beginning of a part that says when, with its comma, and the order behind it."""
    head, comma, order = done.rpartition(", ") if _HEAD.match(done) else ("", "", done)
    return f"{head}{comma}", order


def _plain(text: str) -> str:
    """Return a text without comments, on one line, and with its first letter small."""
    line = " ".join(" ".join(line.split("#", 1)[0] for line in text.split("\n")).split())
    return line[:1].lower() + line[1:]


def _joined(before: str, following: str) -> str:
    said = f"{before}, then {following}."
    example = f"`{said}`" if before and following and len(said) <= _MOST else "`… may …, then …`"
    return f"what follows from an offer is joined to it by `, then`: {example}"


def _either(before: str, following: str, vocabulary: Vocabulary) -> str:
    first, _, done = before.partition(" may ")
    head, comma, who = first.rpartition(", ")
    if done and following:
        said = f"{head}{comma}either {_order(who, done, vocabulary)}, or {_as_branch(following)}."
        if len(said) <= _MOST:
            return f"{_OTHER}: `{said}`"
    return OTHER_BRANCH


def _order(who: str, done: str, vocabulary: Vocabulary) -> str:
    """Return an offer as an order to the same one."""
    if who == "you":
        return _as_branch(done)
    words = done.replace(",", " ,").split()
    for length in range(len(words), 0, -1):
        kinds = vocabulary.entries.get(tuple(words[:length]), {})
        if "VERB" in kinds or "VERBS" in kinds:
            verb = vocabulary.form("VERBS", kinds.get("VERB") or kinds["VERBS"])
            return _as_branch(" ".join((who, verb, *words[length:])).replace(" ,", ","))
    return f"{who} …"


def _as_branch(text: str) -> str:
    return text.replace(", then ", " and then ")
