"""Changes that a reader could make: those of writers, and other things that a word could speak of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from warchest.syntax import ast
from warchest.syntax.agreement import nodes_in
from warchest.testing.mutants.changes import Changed, SentenceChanges
from warchest.testing.mutants.near import NearWords

_SPOKEN = ("this", "it")
_THAT = "that"


class ReadingChanges(SentenceChanges):
    """Makes the changes of a writer, and further ones: `this` for `that unit`, `another` for `a`, and the like."""

    def __init__(self, near: NearWords) -> None:
        super().__init__(near)
        self._nouns: tuple[ast.Word, ...] = ()

    def of(self, sentence: ast.SyntaxNode) -> Iterator[Changed]:
        """Yield all changes of a sentence."""
        heads = (one.head for one, _ in nodes_in(sentence) if isinstance(one, ast.Phrase))
        self._nouns = tuple({one.text: one for one in heads if isinstance(one, ast.Word)}.values())
        yield from super().of(sentence)

    def _own(self, node: Any) -> Iterator[Changed]:
        yield from super()._own(node)
        match node:
            case ast.Pronoun(word) if word in _SPOKEN:
                for noun in self._nouns:
                    yield "word", ast.Phrase(_THAT, None, (), noun, (), span=node.span)
            case ast.Phrase("that", None, (), ast.Word(), ()):
                yield from (("word", ast.Pronoun(one, span=node.span)) for one in _SPOKEN)
            case ast.Phrase(determiner="a"):
                yield "word", replace(node, determiner="another")


__all__ = ["ReadingChanges"]
