"""Advice on state rules about several things at once: a new word for the one thing that they concern."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warchest.diagnostics.articles import with_article
from warchest.ir.parts import nodes_in
from warchest.resolve.sides import relative_said
from warchest.resolve.text_reader import TextReader
from warchest.syntax import ast
from warchest.syntax.parse import declaring

_WORDS = ("affected", "concerned", "meant")
"""Words without a meaning of their own; help advises the first that a game does not have."""
_ZONE = re.compile(r"([a-z]+(?: [a-z]+)*?)(?: if able)?[.,;]")


def by_a_word(reader: TextReader, node: ast.HookSentence) -> str:
    """Return help for `when all spaces adjacent to a unit are …, …`, as text to copy; empty if no help is known."""
    event = node.event
    if not isinstance(event, ast.Turns) or not isinstance(event.subject, ast.Phrase):
        return ""
    about = next((one for one in _plainly_any(event.subject) if _can_be_so(reader, one.head.text)), None)
    word = next((one for one in _WORDS if one not in reader.model.adjectives), "")
    if about is None or not word:
        return ""
    noun, subject, source = about.head.text, event.subject.span, event.span.source
    value = _from_its_side(reader, event, f"that {noun}")
    if not value or any(one.text in relative_said(reader) for one in event.subject.adjectives):
        return ""
    said = (
        source.text[subject.start : about.span.start]
        + f"that {noun}"
        + source.text[about.span.end : subject.end]
        + source.text[subject.end : event.value.span.start]
        + value
    )
    one = with_article(noun)
    steps = _keeping_tokens(reader, node.step.span.text, noun)
    written = f"{one} is {word} when {said}. when {one} is {word}, {steps}."
    declared, written = declaring(word, f"adjectives: [{word}]"), " ".join(written.split())
    return f"say it of {one}, by a word of your own: {declared}, and write `{written}`"


def _plainly_any(subject: ast.Phrase) -> Iterator[ast.Phrase]:
    """Yield the phrases within another one that mean any thing of a noun: `a unit`."""
    for part in nodes_in(subject.modifiers):
        is_any = isinstance(part, ast.Phrase) and part.determiner in ("a", "any")
        if is_any and not part.adjectives and not part.modifiers and isinstance(part.head, ast.Word):
            yield part


def _can_be_so(reader: TextReader, noun: str) -> bool:
    """Whether things that a noun names can have adjectives."""
    known = reader.model.thing(noun)
    return known is not None and known.base in ("piece", "space", "player", "team")


def _from_its_side(reader: TextReader, event: ast.Turns, who: str) -> str:
    """Return a state of things in words, with sides named by owners; empty if that is impossible."""
    relative, value, text = relative_said(reader), event.value, event.value.span.text
    if isinstance(value, ast.Adjective) and value.word.text in relative:
        assert isinstance(event.subject, ast.Phrase)
        head = event.subject.head.span.text
        said = head if event.subject.determiner == "all" else with_article(head)
        return f"{said} {_owned(reader, value.word.text, who)}"
    for part in nodes_in(value):
        words = [one for one in part.adjectives if one.text in relative] if isinstance(part, ast.Phrase) else []
        if words and isinstance(part, ast.Phrase):
            if len(words) > 1 or part.modifiers:
                return ""
            rest = " ".join(part.span.text.replace(words[0].span.text, "", 1).split())
            rest = with_article(rest.split(" ", 1)[1]) if rest.startswith(("a ", "an ")) else rest
            text = text.replace(part.span.text, f"{rest} {_owned(reader, words[0].text, who)}")
    return text


def _owned(reader: TextReader, word: str, who: str) -> str:
    """Return a word for a side in terms of owners: `whose owner is not the owner of that unit`."""
    told = [one.sentence for one in reader.model.adjectives.get(word, ()) if one.carrier < 0]
    negated = any(isinstance(part, ast.Is) and part.negated for one in told for part in nodes_in(one))
    return f"whose owner is {'not ' if negated else ''}the owner of {who}"


def _keeping_tokens(reader: TextReader, steps: str, noun: str) -> str:
    """Return steps that put all tokens of a piece to where the game puts a single one of them, and remove none.

    A piece that is removed takes everything in it out of the game.
    """
    kinds = [reader.model.ruleset.kinds[kind] for kind in reader.model.kinds(noun)]
    removed = f"remove that {noun}"
    if not steps.startswith(removed) or len(kinds) != 1 or not kinds[0].holds:
        return steps
    token = f"put {with_article(kinds[0].holds)} in this into your "
    sources = {
        id(one.sentence.span.source): one.sentence.span.source.text
        for texts in reader.model.adjectives.values()
        for one in texts
        if one.carrier < 0
    }
    zone = next((_ZONE.match(text, text.index(token) + len(token)) for text in sources.values() if token in text), None)
    if zone is None:
        return steps
    put = f"put all {kinds[0].holds}s in that {noun} into the {zone[1]} of its owner"
    return put + steps.removeprefix(removed)
