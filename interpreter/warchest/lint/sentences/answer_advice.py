"""Help on "if you do" and "if you do not": the answer to an offer, which the language puts into the same sentence.

Steps after an accepted offer are joined to it by `, then`; steps after a declined one are the other branch of `either`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from warchest.diagnostics.articles import with_article
from warchest.lint.sentences.phrasing import begin_of, sentence_around
from warchest.resolve.reach import OTHER_BRANCH
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
_UNLESS_BEHIND = re.compile(r"(?P<done>(?:(?!\bcannot\b|\btwice\b).)+?),? unless (?P<so>[^,]+)")
_UNLESS_IN_FRONT = re.compile(r"unless (?P<so>[^,]+), (?P<done>(?:(?!\bcannot\b|\btwice\b).)+)")
"""An order with a condition, or with another act, after `unless`."""
_NOT_SO = re.compile(
    r"(?P<head>[^,]+, (?:then )?)?if (?P<who>[a-z']+(?: [a-z']+){0,3}) (?P<do>do not|don't|does not|doesn't) "
    r"(?P<verb>[a-z]+)\b(?P<what>[^,]*), (?P<done>.+)"
)
"""An order with a denied fact or act before it."""
_ACT = re.compile(
    r"(?P<who>you|it|they|this|(?:that|the|its) [a-z]+) "
    r"(?P<do>(?P<verb>(?!(?:is|are|was|has|have|can|cannot|may|do|does|did)\b)[a-z]+)(?![a-z]).*)"
)
_DOES = re.compile(r" (?:do|does|did)(?: so| that)?\Z")
_IS_SO = re.compile(r"(?P<who>(?P<first>[a-z]+) .*?|it|this) (?P<is>is|are) (?P<not>not )?(?P<what>.+)")
_THIS_THING = re.compile(r"\bthis (?P<noun>[a-z]+)\b")
_HEAD = re.compile(r"(?:after|before|when|whenever|if|for|at|once|until|then) ")
_IN_FRONT = "a step has its condition in front"
EITHER = f"{OTHER_BRANCH}: `either …, or …`"
"""The advice on the other branch, if it cannot be given in full."""
_MOST = 160
"""The most letters of advice that is given in full."""


def answered(span: Span, vocabulary: Vocabulary, is_fact: Callable[[str], bool] = lambda _: False) -> list[str]:
    """Return helps, the best first, if the sentence at a span asks for the answer to an offer, or has an `unless`.

    `is_fact`: whether a verb can state a fact. For any other sentence there is no help.
    """
    text, said = span.source.text, sentence_around(span, ".;|:")
    part, last = _plain(said.text), max(said.start - 1, 0)
    before = _plain(text[begin_of(text, last, ".|:") : said.start - 1])
    unless = _UNLESS_BEHIND.fullmatch(part) or _UNLESS_IN_FRONT.fullmatch(part)
    if unless is not None and not _DOES.search(unless["so"]):
        return _unless_done(unless["done"], unless["so"], vocabulary, is_fact) or []
    denied = _NOT_SO.fullmatch(part)
    if denied is not None and " cannot " not in denied["done"]:
        verb = denied["verb"] if denied["do"].startswith("do ") else vocabulary.form("VERBS", denied["verb"])
        so, done = f"{denied['who']} {verb}{denied['what']}", f"{denied['head'] or ''}{denied['done']}"
        helps = _unless_done(done, so, vocabulary, is_fact)
        return _unless(done, so, vocabulary) if helps is None else helps
    found = _DONE.match(part)
    if found is None:
        places = (one for one in re.finditer(r", | (?=or else )", part) if _DONE.match(part, one.end()))
        within = next(places, None)
        found = _DONE.match(part, within.end()) if within is not None else None
        if within is None or found is None:
            return []
        before = part[: within.start()]
    following = part[found.end() :]
    if found["not"] is not None and before.startswith("if ") and " may " not in before:
        # The other case of a condition is not an answer to an offer.
        return (
            []
            if found[0].startswith("otherwise, ")
            else [f"`otherwise` begins another part: `otherwise, {following}.`"]
        )
    return [_joined(before, following) if found["not"] is None else _either(before, following, vocabulary)]


def _unless_done(done: str, so: str, vocabulary: Vocabulary, is_fact: Callable[[str], bool]) -> list[str] | None:
    """Return helps on an order that is given unless another act happens; None if no such act exists."""
    head, order = _split(done)
    act = _ACT.fullmatch(so)
    if act is None or _IS_SO.fullmatch(so) or is_fact(vocabulary.kinds(act["verb"]).get("VERBS", act["verb"])):
        return None
    return [] if " may " in f" {order}" else [_either(f"{head}{act['who']} may {act['do']}", order, vocabulary)]


def _unless(done: str, so: str, vocabulary: Vocabulary) -> list[str]:
    """Return helps on an order with an `unless`: the condition moves to the front, negated."""
    head, order = _split(done)
    so = _THIS_THING.sub(lambda this: _of_this(this, vocabulary), so)
    first, then, last = order.rpartition(", then ")
    start = f"{head}{first}{then}"
    said = [f"{start}if {so}, do nothing; otherwise, {last}."]
    if first and not head:
        said.append(f"{first}. if {so}, do nothing. otherwise, {last}.")
    other = _opposite(so)
    if other:
        said.insert(0, f"{start}if {other}, {last}.")
    return [
        *(f"{_IN_FRONT}: `{one}`" for one in said if len(one) <= _MOST),
        f"{_IN_FRONT}: `{head}if …, do nothing; otherwise, …`",
    ]


def _of_this(this: re.Match[str], vocabulary: Vocabulary) -> str:
    """Return `the space of this` for `this space`."""
    is_noun = "NOUN" in vocabulary.kinds(this["noun"]) and not {"VERBS", "VERBED"} & set(vocabulary.kinds(this["noun"]))
    return f"the {this['noun']} of this" if is_noun else this[0]


def _opposite(so: str) -> str:
    """Return the condition that holds where another does not; empty if its words leave it open."""
    found = _IS_SO.fullmatch(so)
    if found is None or re.search(r"\b(?:and|or|if|while)\b", so):
        return ""
    who, first = found["who"], found["first"]
    if first in ("a", "an", "no"):
        if found["not"]:
            return ""
        noun = who.split(" ", 1)[1]
        return f"{with_article(noun) if first == 'no' else f'no {noun}'} {found['is']} {found['what']}"
    if first in ("all", "each", "any", "every", "some", "at", "more", "less") or (first or "").isdigit():
        return ""
    return f"{who} {found['is']} {'' if found['not'] else 'not '}{found['what']}"


def _split(done: str) -> tuple[str, str]:
    """Return the time at the beginning of a part, with its comma, and the order after it."""
    head, comma, order = done.rpartition(", ") if _HEAD.match(done) else ("", "", done)
    return f"{head}{comma}", order


def _plain(text: str) -> str:
    """Return a text without comments, on one line, and with a small first letter."""
    line = " ".join(" ".join(line.split("#", 1)[0] for line in text.split("\n")).split())
    return line[:1].lower() + line[1:]


def _joined(before: str, following: str) -> str:
    said = f"{before}, then {following}."
    example = f"`{said}`" if before and following and len(said) <= _MOST else "`… may …, then …`"
    return f"join the consequence of an offer to it by `, then`: {example}"


def _either(before: str, following: str, vocabulary: Vocabulary) -> str:
    first, _, done = before.partition(" may ")
    head, comma, who = first.rpartition(", ")
    if done and following:
        said = f"{head}{comma}either {_order(who, done, vocabulary)}, or {_as_branch(following)}."
        if len(said) <= _MOST:
            return f"{OTHER_BRANCH}: `{said}`"
    return EITHER


def _order(who: str, done: str, vocabulary: Vocabulary) -> str:
    """Return an offer as an order to the same player."""
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
