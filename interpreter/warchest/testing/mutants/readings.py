"""Changes that a reader could make: those of writers, and other things that a word could refer to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warchest.syntax import ast
from warchest.testing.mutants.changes import Changed, SentenceChanges
from warchest.testing.mutants.habits import Habits

_SPOKEN = ("this", "it")
_THAT = "that"
_SILLY = ("repeat",)


class ReadingChanges(SentenceChanges):
    """Makes the changes of a writer, and further ones: for example `this` for `that piece`, and more words added."""

    most = 24

    def __init__(self, habits: Habits) -> None:
        super().__init__(habits)
        self._nouns: Sequence[ast.Word] = ()

    def of(self, sentence: ast.SyntaxNode, nouns: Sequence[ast.Word] = ()) -> Iterator[Changed]:
        """Yield all changes of a sentence except implausible ones, such as repeated orders."""
        self._nouns = nouns
        yield from (one for one in super().of(sentence, nouns) if one[0] not in _SILLY)

    def _own(self, node: object) -> Iterator[Changed]:
        yield from super()._own(node)
        match node:
            case ast.Pronoun(word) if word in _SPOKEN:
                for noun in self._nouns:
                    yield "word", ast.Phrase(_THAT, None, (), noun, (), span=node.span)
            case ast.Phrase("that", None, (), ast.Word(), ()):
                yield from (("word", ast.Pronoun(one, span=node.span)) for one in _SPOKEN)
