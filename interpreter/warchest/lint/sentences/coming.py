"""Help on the number of an act that is about to happen, such as damage, if it is worded unlike the language."""

from __future__ import annotations

import re
from collections.abc import Callable

from warchest.lint.sentences.phrasing import sentence_around
from warchest.source.text import Span
from warchest.syntax.words import Vocabulary

_HEAD = re.compile(
    r"(?P<time>before|after|when) (?P<who>[^.;,]{1,40}?) (?P<would>would )?(?P<verb>[a-z-]{1,30}) "
    r"(?:(?P<bound>at least|at most|more than|less than|exactly) (?P<count>[0-9]{1,4}|X) )?(?P<noun>[a-z-]{1,30})"
    r"(?P<from> from [^.;,]{1,40})?, (?P<body>.{1,200})"
)
"""The head of a hook on an act with a number, as `before this suffers damage, …`."""
_BARE = re.compile(
    r"(?P<who>this|a [a-z ]{1,30}?) (?:(?P<cannot>cannot|may not|can not) )?(?P<verb>[a-z-]{1,30}) "
    r"(?:(?P<count>[0-9]{1,4}|X) (?P<how>less|more|fewer)|(?P<more>more than|at most) (?P<most>[0-9]{1,4}|X)) "
    r"(?P<noun>[a-z-]{1,30})"
)
"""A sentence without a hook about the number of an act, as `this suffers 1 less damage`."""
_NAMED = re.compile(
    r"(?:(?:the|any|all) )?(?P<noun>[a-z-]{1,30}) (?:that )?(?P<who>this) (?P<verb>[a-z-]{1,30}) "
    r"(?P<what>(?:increases|decreases|doubles)\b[^.;,]{0,40})"
)
_OF_ITSELF = re.compile(
    r"(?:this|it|that [a-z-]{1,30}|you) (?P<may>may |can |must )?(?P<verb>[a-z-]{1,30}) "
    r"(?P<count>[0-9]{1,4}|X) (?P<how>less|more|fewer)(?: [a-z-]{1,30})?"
)
_ORDERED = re.compile(
    r"(?:(?:this|it|you) (?P<may>may |can ))?(?P<how>increase|raise|double|decrease|reduce|lower) "
    r"(?:that [a-z-]{1,30}|it)(?P<by> by [^.;,]{1,30})?"
)
_PASSIVE = re.compile(
    r"(?:that [a-z-]{1,30}|it) (?P<may>may be|is) (?P<how>increased|raised|doubled|decreased|reduced|lowered)"
    r"(?P<by> by [^.;,]{1,30})?"
)
_LESS = re.compile(r"(?:that [a-z-]{1,30}|it) is (?P<count>[0-9]{1,4}|X) (?P<how>less|more)")
_KEPT_OFF = re.compile(
    r"(?:(?:this|it|you) )?(?P<may>may |can )?(?:ignore|prevent|negate|block|cancel|avoid)s? "
    r"(?:(?:the first )?(?P<count>[0-9]{1,4}|X)(?: points?)?(?: of)?(?: (?:that |the )?[a-z-]{1,30}?)?"
    r"(?P<often> (?:each|per|a|every) (?:turn|round|game))?"
    r"|it|(?:all )?(?:of )?(?:that|the|this) [a-z-]{1,30}|all [a-z-]{1,30})"
)
_AT_MOST = re.compile(
    r"(?:that [a-z-]{1,30}|it) (?P<may>may )?(?:becomes?|is) (?P<bound>at most|at least) "
    r"(?P<count>[0-9]{1,4}|X)"
)
_EACH = re.compile(
    r"that [a-z-]{1,30} (?P<may>may )?decreases? by (?P<count>[0-9]{1,4}|X) "
    r"(?:each|per|a|every) (?P<time>turn|round|game)"
)
_LESSENED = ("decrease", "decreased", "reduce", "reduced", "lower", "lowered", "less", "fewer")
_THIS_ACT = re.compile(r"\bthis (?P<noun>[a-z-]{1,30}) (?=(?:becomes|is|has|may become)\b)")
_OF_THIS_ACT = re.compile(
    r"\b(?P<of>of) this (?P<noun>[a-z-]{1,30}) (?=(?:becomes?|is|are|increases?|decreases?|doubles?|may)\b)"
)
_MORE_OF_ACT = re.compile(
    r"\bthis (?P<noun>[a-z-]{1,30}) (?:has|gets|does) (?P<count>[0-9]{1,4}|X) (?P<how>more|less|fewer) "
    r"(?P<value>[a-z-]{1,30})$"
)


def of_coming(span: Span, vocabulary: Vocabulary) -> str:
    """Return help with the sentence to write for one that changes or compares the number of an act; otherwise empty."""
    said = " ".join(sentence_around(span, ".;|").text.split())
    said = said[:1].lower() + said[1:]
    if help := _of_this_act(said, vocabulary):
        return help
    if found := _HEAD.fullmatch(said):
        return _hooked(found, vocabulary) if _counts(found["verb"], found["noun"], vocabulary) else ""
    found = _NAMED.fullmatch(said) or _BARE.fullmatch(said)
    if not found or not _counts(found["verb"], found["noun"], vocabulary):
        return ""
    verb, that = vocabulary.form("VERBS", _plain(found["verb"], vocabulary)), f"that {found['noun']}"
    head = f"before {found['who']} {verb} {found['noun']}"
    if "what" in found.groupdict():
        return _whole(that, f"{head}, {that} {found['what']}")
    if found["cannot"] and found["more"] == "more than":
        return _whole(that, f"{head}, if {that} is more than {found['most']}, {that} becomes {found['most']}")
    return _whole(that, f"{head}, {_changed(that, found['how'], '', found['count'])}") if found["count"] else ""


def _of_this_act(said: str, vocabulary: Vocabulary) -> str:
    """Return help on an act that a sentence calls `this`, as in `this attack becomes …`; otherwise empty."""
    found = _MORE_OF_ACT.search(said) or _OF_THIS_ACT.search(said) or _THIS_ACT.search(said)
    if not found or not {"NOUN", "VERB"} <= vocabulary.kinds(found["noun"]).keys():
        return ""
    noun, before, behind = found["noun"], said[: found.start()], said[found.end() :]
    owned = f"{'the' if ',' in said else 'its'} {noun}"
    groups = found.groupdict()
    if "value" in groups:
        change = f"{_way(found['how'])}s by {found['count']}"
        return f"say it of `{owned}`: `{before}the {found['value']} of {owned} {change}.`"
    if "of" in groups:
        return f"say it of `{owned}`: `{before}of {owned} {behind}.`"
    return f"an act under way is spoken of by `the`: `{before}the {noun} {behind}.`"


def _counts(verb: str, noun: str, vocabulary: Vocabulary) -> bool:
    """Whether a verb can have a number of that name, judging by the kinds of words."""
    kinds = vocabulary.kinds(verb)
    named = vocabulary.kinds(noun)
    return ("VERB" in kinds or "VERBS" in kinds) and "NOUN" in named and "VERBS" not in named


def _plain(verb: str, vocabulary: Vocabulary) -> str:
    return vocabulary.kinds(verb).get("VERBS") or verb


def _hooked(found: re.Match[str], vocabulary: Vocabulary) -> str:
    """Return help for a hook on an act with a number."""
    that = f"that {found['noun']}"
    body = _of_body(found["body"], that) or found["body"]
    if body == found["body"] and not found["bound"]:
        return ""
    head = f"{found['time']} {found['who']} {found['would'] or ''}{found['verb']} {found['noun']}{found['from'] or ''}"
    if not found["bound"]:
        return _whole(that, f"{head}, {body}")
    bound = f"{found['bound']} {found['count']}".removeprefix("exactly ")
    asked = f"{that} is {bound}"
    return _whole(that, f"{head} while {asked}, {body}" if found["time"] != "after" else f"{head}, if {asked}, {body}")


def _of_body(body: str, that: str) -> str:
    """Return the change that a hook makes to the number of its act, in words of the language; empty for other hooks."""
    for pattern, write in _CHANGES:
        if found := pattern.fullmatch(body):
            return write(found, that)
    return ""


def _changed(that: str, how: str, may: str, count: str) -> str:
    return f"{that} {_verb(_way(how), may)} by {count}"


def _way(how: str) -> str:
    return "double" if how.startswith("double") else "decrease" if how in _LESSENED else "increase"


def _verb(verb: str, may: str) -> str:
    return f"may {verb}" if may and may.strip() != "must" else f"{verb}s"


def _ordered(found: re.Match[str], that: str) -> str:
    way, may = _way(found["how"]), found["may"] if found["may"] != "is" else ""
    by = "" if way == "double" else found["by"] or " by 1"
    return f"{that} {_verb(way, may)}{by}"


def _kept_off(found: re.Match[str], that: str) -> str:
    if not found["count"]:
        return f"{that} {_verb('become', found['may'] or '')} 0"
    often = re.sub(r" (?:per|a|every) ", " each ", found["often"] or "")
    first = "the first " if often else ""
    return f"{that} {_verb('decrease', found['may'] or '')} by {first}{found['count']}{often}"


def _bounded(found: re.Match[str], that: str) -> str:
    over = "more than" if found["bound"] == "at most" else "less than"
    count, become = found["count"], _verb("become", found["may"] or "")
    return f"if {that} is {over} {count}, {that} {become} {count}"


def _each(found: re.Match[str], that: str) -> str:
    return f"{that} {_verb('decrease', found['may'] or '')} by the first {found['count']} each {found['time']}"


def _whole(that: str, sentence: str) -> str:
    return f"say it of `{that}`: `{sentence}.`"


_CHANGES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], str], str]], ...] = (
    (_OF_ITSELF, lambda found, that: _changed(that, found["how"], found["may"] or "", found["count"])),
    (_LESS, lambda found, that: _changed(that, found["how"], "", found["count"])),
    (_ORDERED, _ordered),
    (_PASSIVE, _ordered),
    (_KEPT_OFF, _kept_off),
    (_AT_MOST, _bounded),
    (_EACH, _each),
)
"""Other wordings of a change of the number, each with the function that words it in the language."""
