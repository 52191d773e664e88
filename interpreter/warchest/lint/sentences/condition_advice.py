"""Help on conditions at a place, or in a form, that the language does not have: the whole sentence to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warchest.lint.sentences.phrasing import number_of, sentence_around
from warchest.source.text import Span

_MOST = 200
"""The most letters of a sentence for which there is help."""
_BRANCH = re.compile(r"(?P<head>.{0,80}?)either (?P<one>[^,;.]{1,80}), or (?P<other>[^,;.]{1,80})")
_BEHIND = re.compile(r"(?P<done>[^,;.]{1,80}) (?:only )?if (?P<asked>[^,;.]{1,100})")
_OTHERWISE = re.compile(
    r"(?P<head>.{0,80}, then )?(?P<done>[^,;.]{1,80}) if (?P<asked>[^,;.]{1,100}),? (?:otherwise|else|or else),? "
    r"(?P<other>[^;.]{1,80})"
)
_IN_FRONT = re.compile(
    r"(?P<head>if [^,;.]{1,100}, [^;.]{1,80}?)(?:,? (?:otherwise|else|or else|if not)|; (?:else|or else|if not)),? "
    r"(?P<other>[^;.]{1,80})"
)
_CAN_ONLY = re.compile(
    r"(?P<who>[^,;.]{1,60}) (?:can|may) (?P<what>[^,;.]{1,60}) only (?P<word>if|when|while) (?P<asked>[^,;.]{1,100})"
)
_DOES_ONLY = re.compile(r"(?P<done>[^,;.]{1,80}) only (?:if|when) (?P<asked>[^,;.]{1,100})")
_IS_IF = re.compile(r"(?P<said>[^,;.]{1,60} (?:is|are) [^,;.]{1,40}) if (?P<asked>[^,;.]{1,100})")
_OR = re.compile(
    r"(?P<word>if|while|unless|until) (?P<one>[^,;.]{1,100}) or (?P<other>[^,;.]{1,100})(?P<rest>,.{1,120})?"
)
_INSTEAD = re.compile(
    r"(?P<event>(?:when|if) [^,;.]{1,80} would [^,;.]{1,60}), (?P<done>[^;.]{1,80}) instead (?P<word>if|when|unless) "
    r"(?P<asked>[^,;.]{1,100})"
)
_COUNT = re.compile(
    r"(?P<head>.{0,100}?\b(?:if|while|unless|until|when) )(?P<who>you|it|this|that [a-z]+|your [a-z]+) "
    r"(?P<verb>[a-z]+) (?P<how>at least|at most|more than|less than|fewer than|exactly) (?P<number>[0-9]+|[a-z]+) "
    r"(?P<what>[a-z]+(?: [a-z]+)?)(?P<rest>,.{1,120})?"
)
_ABLE = re.compile(r"(?P<done>.{1,120}?),? (?:if|when|where) (?:possible|(?:you|it|they|that [a-z]+) can(?: do so)?)")
_ABLE_IN_FRONT = re.compile(r"if (?:able|possible|(?:you|it|they) can(?: do so)?),? (?P<done>.{1,120})")
_EITHER = re.compile(
    r"(?!.*\bmay\b)(?P<head>.{0,80}, then )?(?P<one>[^,;.]{1,60}),? or (?:else )?(?P<other>[^,;.]{1,60})"
)
_AND_THEN = re.compile(r"(?P<first>[^;.]{1,80}?),? and then (?P<rest>[^;.]{1,120})")


def conditional(span: Span) -> Iterator[str]:
    """Yield helps, each with a whole sentence in place of the one at a span; the best first."""
    around = span.source.span(span.start - 1, span.start) if span.text == "." and span.start else span
    said = " ".join(sentence_around(around, ".|:").text.split())
    if len(said) <= _MOST:
        for reason, sentence in _tries(said):
            yield f"{reason}: `{sentence}.`"


def _tries(said: str) -> Iterator[tuple[str, str]]:
    yield from _of_branches(said)
    if found := _OTHERWISE.fullmatch(said):
        yield (
            "`otherwise` begins another part",
            (f"{found['head'] or ''}if {found['asked']}, {found['done']}; otherwise, {found['other']}"),
        )
    if found := _IN_FRONT.fullmatch(said):
        yield "`otherwise` begins another part", f"{found['head']}; otherwise, {found['other']}"
    if found := _CAN_ONLY.fullmatch(said):
        yield (
            "a permission is worded by the prohibition of the rest",
            (f"{found['who']} cannot {found['what']} unless {found['asked']}"),
        )
    if found := _IS_IF.fullmatch(said):
        yield "a word is defined by `when`", f"{found['said']} when {found['asked']}"
    if found := _DOES_ONLY.fullmatch(said):
        yield "a step has its condition in front", f"if {found['asked']}, {found['done']}"
        yield "a rule holds while its condition does", f"{found['done']} only while {found['asked']}"
    if found := _OR.fullmatch(said):
        yield (
            "write a comma before `or`",
            (f"{found['word']} {found['one']}, or {found['other']}{found['rest'] or ''}"),
        )
    if found := _INSTEAD.fullmatch(said):
        word = "unless" if found["word"] == "unless" else "while"
        event = re.sub(r"\Aif\b", "when", found["event"])
        yield "the condition follows the event", f"{event} {word} {found['asked']}, {found['done']} instead"
    yield from _of_numbers(said)
    if found := _ABLE.fullmatch(said) or _ABLE_IN_FRONT.fullmatch(said):
        yield "`if able` leaves out an act that is impossible", f"{found['done']} if able"
    if found := _EITHER.fullmatch(said):
        yield "a choice begins with `either`", f"{found['head'] or ''}either {found['one']}, or {found['other']}"
    if found := _AND_THEN.fullmatch(said):
        yield "steps are joined by `, then`", f"{found['first']}, then {found['rest']}"


def _of_branches(said: str) -> Iterator[tuple[str, str]]:
    """Yield the sentence for an `either` with a condition on one branch."""
    found = _BRANCH.fullmatch(said)
    if found is None:
        return
    for name, other in (("one", "other"), ("other", "one")):
        inner = _BEHIND.fullmatch(found[name])
        if inner is not None:
            both = [inner["done"] if branch == name else found[other] for branch in ("one", "other")]
            yield (
                "a branch has no condition of its own",
                (f"{found['head']}if {inner['asked']}, either {both[0]}, or {both[1]}; otherwise, {found[other]}"),
            )


def _of_numbers(said: str) -> Iterator[tuple[str, str]]:
    """Yield the sentence that counts: `the number of units you control is at least 3`."""
    found = _COUNT.fullmatch(said)
    number = number_of(found["number"]) if found is not None else 0
    if found is not None and number:
        how = {"fewer than": "less than ", "exactly": ""}.get(found["how"], f"{found['how']} ")
        yield (
            "a number of things is counted",
            (
                f"{found['head']}the number of {found['what']} {found['who']} {found['verb']} is {how}{number}"
                f"{found['rest'] or ''}"
            ),
        )
