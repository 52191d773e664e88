"""Generated sentences: those of a game, with parts exchanged for others of their kind.

They are well typed, because only those are kept that the game understands.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from warchest.paraphrase.reading import STEPS, Study
from warchest.resolve.announce import Carrier
from warchest.resolve.rules import numbered_rules
from warchest.resolve.single_sentences import Meaning
from warchest.resolve.types import Flaw
from warchest.source.text import Source, Span
from warchest.syntax import ast
from warchest.syntax.agreement import read_block
from warchest.testing.draws import Draws, one_of, seldom

LONGEST = 300
"""The most characters of a text whose parts are used."""
CHANGES = 3
"""The most parts of a text that are replaced."""
_TERMINALS = ("NOUN", "ADJ", "VERB")


@dataclass(frozen=True)
class Excerpt:
    """Sentences that are read together: one rule, or a block of steps, and their carrier."""

    meaning: str
    carrier: Carrier
    sentences: tuple[ast.Sentence, ...]


class TextMixer:
    """Makes texts of a game from the parts of those that it has."""

    def __init__(self, study: Study, excerpts: Sequence[Excerpt]) -> None:
        """Take up all texts that are not too long; the shortest come first, and so do the smallest parts."""
        self.study = study
        written = {one: self.printed(one) for one in excerpts}
        fitting = [one for one in excerpts if len(written[one]) < LONGEST]
        self.excerpts = sorted(fitting, key=lambda one: len(written[one]))
        parts: dict[object, list[ast.SyntaxNode]] = defaultdict(list)
        for one in self.excerpts:
            for sentence in one.sentences:
                for part in nodes(sentence):
                    parts[_kind(part)].append(part)
        self._parts = {kind: sorted(found, key=_size) for kind, found in parts.items()}
        entries = study.vocabulary.entries.values()
        self._words = {
            terminal: sorted({kinds[terminal] for kinds in entries if terminal in kinds}) for terminal in _TERMINALS
        }

    def printed(self, excerpt: Excerpt) -> str:
        """Return the text in its canonical form."""
        return " ".join(self.study.printed(one) for one in excerpt.sentences)

    def changed(self, excerpt: Excerpt, draws: Draws) -> tuple[str, list[Excerpt]]:
        """Return a text with some of its parts replaced, and its rules; none if it is not understood."""
        try:
            written = self._changed(excerpt, draws)
        except (AssertionError, AttributeError, TypeError, ValueError):
            return "", []  # a part that does not fit there, so that it cannot be printed either
        sentences = parsed(self.study, written)
        if not sentences or written == self.printed(excerpt):
            return written, []
        try:
            made = [
                replace(excerpt, sentences=tuple(unit))
                for unit in units(self.study, sentences, excerpt.meaning, excerpt.carrier)
            ]
        except Flaw:
            return written, []
        return written, [one for one in made if understood(self.study, one) is not None]

    def _changed(self, excerpt: Excerpt, draws: Draws) -> str:
        sentences: list[Any] = list(excerpt.sentences)
        for _ in range(draws.number(1, CHANGES)):
            index = draws.number(0, len(sentences) - 1)
            places = list(nodes(sentences[index]))
            old = one_of(draws, places[1:] or places)
            sentences[index] = _replaced(sentences[index], old, self._instead(old, draws))
        return " ".join(self.study.printed(one) for one in sentences)

    def _instead(self, old: ast.SyntaxNode, draws: Draws) -> ast.SyntaxNode:
        if isinstance(old, ast.Word) and not seldom(draws, 2):
            kinds = [kind for kind in _TERMINALS if old.text in self._words[kind]]
            if kinds:
                return replace(old, text=one_of(draws, self._words[one_of(draws, kinds)]))
        return one_of(draws, self._parts[_kind(old)])


# ---- reading


def parsed(study: Study, text: str) -> list[ast.Sentence] | None:
    """Return the sentences of a text; None where they do not parse."""
    sentences, findings = read_block(Span(Source("made", text), 0, len(text)), study.vocabulary)
    return None if findings or not sentences else sentences


def units(
    study: Study, sentences: Sequence[ast.Sentence], meaning: str, carrier: Carrier
) -> Iterator[list[ast.Sentence]]:
    """Yield rules one by one, each with its `otherwise`; steps as a whole. Raises Flaw."""
    if meaning == STEPS:
        yield list(sentences)
    else:
        for sentence, _ in numbered_rules(study.desk.reader, sentences, carrier):
            yield [sentence]


def understood(study: Study, excerpt: Excerpt, written: str | None = None) -> tuple[Meaning, ...] | None:
    """Return the rules of an excerpt, or of another text in its place; None if it is refused."""
    sentences: Sequence[ast.Sentence] = excerpt.sentences
    try:
        if written is not None:
            read = parsed(study, written)
            if read is None:
                return None
            sentences = [one for unit in units(study, read, excerpt.meaning, excerpt.carrier) for one in unit]
        return study.understood(sentences, excerpt.meaning, excerpt.carrier)
    except (Flaw, RecursionError):
        return None


# ---- trees


def nodes(node: ast.SyntaxNode) -> Iterator[ast.SyntaxNode]:
    """Yield a node and all nodes in it."""
    yield node
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, ast.SyntaxNode):
                yield from nodes(one)


def _size(node: ast.SyntaxNode) -> int:
    return sum(1 for _ in nodes(node))


def _kind(node: ast.SyntaxNode) -> object:
    """Return the kind of a node; nodes of one kind are interchangeable."""
    if isinstance(node, ast.Word):
        return "word"
    for group in (ast.NounPhrase, ast.Modifier, ast.Proposition, ast.EventPhrase):
        if isinstance(node, group):
            return str(group)
    if isinstance(node, ast.Sections):
        return ast.Sections
    return "step" if isinstance(node, ast.Statement) else type(node)


def _replaced(node: ast.SyntaxNode, old: ast.SyntaxNode, new: ast.SyntaxNode) -> ast.SyntaxNode:
    if node is old:
        return new
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if isinstance(value, tuple):
            changes[field.name] = tuple(
                _replaced(one, old, new) if isinstance(one, ast.SyntaxNode) else one for one in value
            )
        elif isinstance(value, ast.SyntaxNode):
            changes[field.name] = _replaced(value, old, new)
    return replace(node, **changes)
