"""Antecedents of `it`, `that …` and `the …`, found by the words that the sentence used for them.

If two things fit, that is a finding, never a silent choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import Label, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.resolve.model import ORDINALS
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Flaw, Mention, Scope, Typed, flaw
from warchest.source.text import Span
from warchest.syntax import ast

PronounTest: TypeAlias = Callable[[Typed], bool]
"""A test whether a pronoun can refer to a thing at its place."""


def anything(thing: Typed) -> bool:
    """Return true: the text does not restrict the thing."""
    return True


def understood(read: Callable[[], object]) -> bool:
    """Whether a phrase can be read in a certain way."""
    try:
        read()
    except Flaw:
        return False
    return True


def antecedent_of_it(reader: TextReader, node: ast.Pronoun, scope: Scope, fits: PronounTest) -> Typed:
    """Return the antecedent of `it`: the one mentioned thing that fits; raises Flaw.

    If nothing was mentioned, a text is about its carrier.
    """
    told = [mention for mention in scope.mentions if mention.told]
    for asked in scope.asked:
        if fits(asked.thing):
            message = f"{quoted(node.span.text)} could be the {asked.called[0]} that the condition asks for"
            one = with_article(asked.called[0])
            help = f"name the other thing, as `this`; or choose one first: `choose {one} …`"
            labels = (Label(asked.span, "here"),) if asked.span is not None else ()
            raise flaw("ambiguous-it", message, node.span, help=help, labels=labels)
    for perhaps in scope.perhaps:
        if fits(perhaps.thing):
            raise _only_under_condition(node.span, perhaps)
    fitting = [mention for mention in told if fits(mention.thing)] if len(told) > 1 else told
    if len(fitting) > 1:
        raise _ambiguous(reader, node.span, fitting, scope)
    if not told and scope.this is not None:
        _take_up(reader, node.span, "this")
        return scope.this
    if not told:
        message = f"nothing was spoken of that {quoted(node.span.text)} could take up"
        raise flaw("no-antecedent", message, node.span, help="name the thing first, as in `choose a …`")
    # If nothing fits, the finding is about the thing that was mentioned last.
    found = (fitting or told)[-1]
    _take_up(reader, node.span, reference(reader, found, scope))
    return found.thing


def apart_from_own(reader: TextReader, node: ast.Becomes, scope: Scope) -> Scope:
    """Return the scope for the place in `you become its controller`: it excludes `this`, which you control already."""
    subject, place, decides = node.subject, node.value, reader.model.ruleset.decides
    controller = reader.model.ruleset.fields[decides].name if decides >= 0 else "owner"
    is_yours = isinstance(subject, ast.Pronoun) and subject.word == "you" and scope.you is not None
    if not is_yours or not isinstance(place, ast.Phrase) or place.determiner != "its" or scope.this is None:
        return scope
    if not isinstance(place.head, ast.Word) or place.head.text != controller:
        return scope
    return replace(scope, mentions=tuple(one for one in scope.mentions if one.thing.value != scope.this.value))


def _take_up(reader: TextReader, span: Span, words: str) -> None:
    reader.taken_up[span] = words


def antecedent_of(reader: TextReader, noun: str, node: ast.Phrase, scope: Scope) -> Typed:
    """Return the one thing that was mentioned with a noun or a name, and with these adjectives; raises Flaw."""
    called = scope.mentions_of(noun, reader.model.narrows)
    said = [word.text for word in node.adjectives]
    ordinal = next((word for word in said if word in ORDINALS), "")
    fitting = [one for one in called if set(said) - {ordinal} <= set(one.adjectives)]
    if not fitting:
        raise no_antecedent(reader, noun, node, scope)
    if said and len(called) == 1:
        message = f"{quoted(said[0])} tells nothing apart: only one {noun} was spoken of"
        raise flaw("says-nothing", message, node.adjectives[0].span, help=f"leave it out: `{node.determiner} {noun}`")
    if ordinal and len(fitting) > ORDINALS.index(ordinal):
        return _found(reader, node, fitting[ORDINALS.index(ordinal)])
    if len(fitting) > 1 or ordinal:
        raise _ambiguous(reader, node.span, fitting, scope)
    return _found(reader, node, fitting[0])


def _found(reader: TextReader, node: ast.Phrase, mention: Mention) -> Typed:
    """Return the antecedent of a phrase, and record the words of the mention."""
    if mention.span is not None and mention.span != node.span:
        _take_up(reader, node.span, mention.span.one_line)
    return mention.thing


def _ambiguous(reader: TextReader, span: Span, fitting: Sequence[Mention], scope: Scope) -> Flaw:
    """Return the finding that a phrase could mean several things, with their places and unambiguous words."""
    words = [f"`{reference(reader, one, scope)}`" for one in fitting]
    labels = tuple(Label(one.span, word) for one, word in zip(fitting, words, strict=True) if one.span)
    message = f"{quoted(span.text)} could be {' or '.join(words)}"
    return flaw("ambiguous-it", message, span, help=f"say which: {', or '.join(words)}", labels=labels)


def reference(reader: TextReader, mention: Mention, scope: Scope) -> str:
    """Return the shortest words that refer to one thing, and to no other mentioned thing."""
    adjective, noun = words_for(reader, mention, scope)
    determiner = "the" if adjective in ORDINALS else "that"
    return " ".join(word for word in (determiner, adjective, noun) if word) if noun else "this"


def words_for(reader: TextReader, mention: Mention, scope: Scope) -> tuple[str, str]:
    """Return the adjective (or none) and the noun that refer to one thing, and to no other; no noun for `this`."""
    rows = [(noun, scope.mentions_of(noun, reader.model.narrows)) for noun in mention.called]
    rows = [(noun, same) for noun, same in rows if mention in same]
    for noun, same in rows:
        if len(same) == 1:
            return "", noun
    for noun, same in rows:
        for word in mention.adjectives:
            if sum(word in one.adjectives for one in same) == 1:
                return word, noun
    for noun, same in rows:
        if same.index(mention) < len(ORDINALS):
            return ORDINALS[same.index(mention)], noun
    return "", ""


def _only_under_condition(span: Span, mention: Mention) -> Flaw:
    """Return the finding for a phrase that could refer to a thing from a conditional step."""
    called = mention.called[0] if mention.called else mention.thing.noun
    labels = (Label(mention.span, "here"),) if mention.span is not None else ()
    if mention.in_window:
        return flaw(
            "ambiguous-it",
            f"{quoted(span.text)} could be a {called} of the offer before",
            span,
            help="that offer may be accepted several times, or never, so nothing in it can be referred to; "
            "name the other thing, as `this`",
            labels=labels,
        )
    return flaw(
        "ambiguous-it",
        f"{quoted(span.text)} could be the {called} of the step that has a condition",
        span,
        help=f"put the condition in front of both steps, `if …, …, then …`, to speak of that {called}; or "
        "name the other thing, as `this`",
        labels=labels,
    )


def no_antecedent(reader: TextReader, noun: str, node: ast.Phrase, scope: Scope) -> Flaw:
    """Return the finding that nothing was mentioned by these words, with the nearest mention."""
    heard = [word for mention in scope.mentions for word in mention.called]
    near = [
        one for one in scope.mentions if _may_be(reader, one.thing, noun) or reader.model.akin(one.thing.noun, noun)
    ]
    help = did_you_mean(noun, heard) or "name it first, as in `choose a …`"
    if near:
        words = dict.fromkeys(f"`{reference(reader, one, scope)}`" for one in near[::-1])
        other = _one_of(noun, _said_before(node.span).replace(",", " ").split())
        help = f"say {' or '.join(words)}"
        if other and [*words] == ["`this`"]:
            help = f"{quoted(other)} is not one certain {noun}: describe it here, as in `a {noun} within 1 space`"
    elif scope.this is not None and reader.model.narrows(scope.this.noun, noun):
        help = f"say `this`, or name another {noun} first, as in `choose a …`"
    elif f"each {noun} " in _said_before(node.span):
        order = " in turn order" if noun == "player" else ""
        help = f"say it of each of them: `for each {noun}{order}, it …, then it …`"
    perhaps = next((one for one in scope.perhaps if noun in one.called), None)
    if perhaps is not None:
        return _only_under_condition(node.span, perhaps)
    message = f"no {noun} was spoken of before {quoted(node.span.text)}"
    if scope.mentions_of(noun, reader.model.narrows):
        message = f"nothing was called so that {quoted(node.span.text)} could take it up"
    return flaw("no-antecedent", message, node.span, help=help)


def _may_be(reader: TextReader, thing: Typed, noun: str) -> bool:
    """Whether a noun can name a thing that was mentioned by another noun."""
    wanted = reader.model.thing(noun)
    if wanted is None or wanted.base != thing.base or thing.base in ("number", "flag", "document"):
        return False
    kinds = reader.model.kinds(noun)
    return not kinds or not set(kinds).isdisjoint(reader.model.kinds(thing.noun) or kinds)


def nothing_more(node: ast.Phrase, adjectives: Sequence[ast.Word], rest: Sequence[ast.Modifier]) -> None:
    """Raise Flaw for words about one certain thing that do not help to identify it."""
    if node.count is not None:
        message = f"{quoted(node.span.text)} is one thing and not counted"
        raise flaw("number-of-things", message, node.count.span, help="leave out the number")
    for word in (*adjectives, *rest):
        message = f"{quoted(word.span.text)} does not change what {quoted(node.span.text)} is"
        help = "leave it out, or ask for it first: `if it is …, …`"
        if isinstance(word, ast.ThatDoes):  # it may well be another thing
            help = f"speak of it first, as in `when a … {word.verbs[0].span.text} …, … that …`"
        raise flaw("says-nothing", message, word.span, help=help)


def _one_of(noun: str, words: Sequence[str]) -> str:
    """Return the words that speak of any one thing by a noun, such as `an enemy unit`; empty if there are none."""
    for place in (one for one, word in enumerate(words) if word == noun):
        for start in range(max(0, place - 2), place):
            if words[start] in ("a", "an", "another", "any"):
                return " ".join(words[start : place + 1])
    return ""


def _said_before(span: Span) -> str:
    """Return the words of the sentence before a phrase, starting some words earlier."""
    said = span.source.text[max(0, span.start - 200) : span.start].rpartition(".")[2]
    return " ".join(said.split()).lower()
