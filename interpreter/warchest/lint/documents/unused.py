"""Declarations that nothing uses: words, nouns, zones, numbers, lists of spaces, tags of a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import field
from functools import cached_property

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Fix, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document, Library
from warchest.lint.documents.declarations import under, words_of
from warchest.source.nodes import Node, Scalar, entries, items, scalars, within
from warchest.source.records import record
from warchest.source.removing import without
from warchest.syntax.words import Vocabulary, participle, third_person

_DRAWN = "picture"


@record()
class Heard:
    """The single words in all blocks, the spellings of several words there, and the verbs that a sentence defines."""

    used: set[str] = field(default_factory=set)
    defined: set[str] = field(default_factory=set)


class Unused:
    """Finds declarations of a game that no text, and no other declaration, mentions."""

    def __init__(self, library: Library, game: Document, heard: Heard, vocabulary: Vocabulary) -> None:
        self.library, self.game, self.heard, self.vocabulary = library, game, heard, vocabulary
        self.mentioned = Counter(_texts_in(game.node))
        for setup in library.of_kind("setup"):
            for key in ("fill", "army limit"):
                self.mentioned.update(_texts_in(setup.node.get(key)) * 2)

    def findings(self) -> Iterator[Diagnostic]:
        """Find all unused declarations."""
        for scalar in self._found():
            yield _unused(scalar, self._roots[scalar.span.path])
        for board in self.library.of_kind("board"):
            yield from self._tags(board)

    @cached_property
    def _roots(self) -> dict[str, list[Node]]:
        """The documents of each file."""
        found: dict[str, list[Node]] = {}
        for one in self.library.documents:
            found.setdefault(one.span.path, []).append(one.node)
        return found

    def _found(self) -> Iterator[Scalar]:
        """Yield the names of declarations that nothing uses."""
        for words in words_of(self.library, self.game):
            for key in ("adjectives", "numbers", "names"):
                yield from self._silent(scalars(under(words, key)))
            yield from self._verbs(words)
        for key in ("things", "zones"):
            yield from self._idle([entry.key for entry in entries(self.game.node.get(key))])
        for of in entries(self.game.node.get("fields")):
            for shape in entries(of.value):
                opposite = under(shape.value, "opposite")
                names = [one for one in (shape.key, opposite) if isinstance(one, Scalar)]
                if not any(self._is_used(one) for one in names):
                    yield shape.key
        for shape in entries(self.game.node.get("documents")):
            for key in ("numbers", "spaces"):
                yield from self._idle(list(scalars(under(shape.value, key))))
            yield from self._idle([entry.key for entry in entries(under(shape.value, "names"))])
            steps = [one for one in entries(under(shape.value, "blocks")) if _text(one.value) == "steps"]
            yield from self._idle([entry.key for entry in steps])
        for board in self.library.of_kind("board"):
            yield from self._idle([entry.key for entry in entries(board.node.get("numbers"))], own=0)

    def _silent(self, declared: Iterator[Scalar]) -> Iterator[Scalar]:
        """Find words that no text uses."""
        for scalar in declared:
            if not self._is_heard(scalar.text):
                yield scalar

    def _idle(self, declared: list[Scalar], own: int = 1) -> Iterator[Scalar]:
        """Find names that occur in no text, and in no declaration except their own; `own` is the number of these."""
        for scalar in declared:
            if not self._is_used(scalar, own):
                yield scalar

    def _is_used(self, scalar: Scalar, own: int = 1) -> bool:
        return self._is_heard(scalar.text) or self.mentioned[scalar.text] > own

    def _is_heard(self, word: str) -> bool:
        return not {word, self.vocabulary.form("PLURAL", word)}.isdisjoint(self.heard.used)

    def _verbs(self, words: Node) -> Iterator[Scalar]:
        verbs = [entry for node in words_of(self.library, self.game) for entry in entries(under(node, "verbs"))]
        parents = {one.text for entry in verbs for one in scalars(under(entry.value, "is"))}
        for entry in entries(under(words, "verbs")):
            verb, noun, past = entry.key.text, _text(under(entry.value, "noun")), _text(under(entry.value, "past"))
            forms = {verb, third_person(verb), past or participle(verb), noun or verb}
            if not forms & self.heard.used and verb not in parents:
                yield entry.key
            moments = list(scalars(under(entry.value, "moments")))
            yield from (one for one in moments if not {one.text, third_person(one.text)} & self.heard.used)
            # Parts of an act with moments are in use, because orders of the moments need their names.
            yield from self._silent(part.key for part in entries(under(entry.value, "parts")) if not moments)

    def _tags(self, board: Document) -> Iterator[Diagnostic]:
        """Find tags of a board that no noun refers to, and that are not drawn either."""
        nouns = {_text(under(entry.value, "tag")) for entry in entries(self.game.node.get("things"))} - {""}
        drawn = {
            _text(one.get("tag")) for picture in self.library.of_kind(_DRAWN) for one in items(picture.node.get("tags"))
        }
        for entry in entries(board.node.get("tags")):
            tag = entry.key.text
            if tag not in nouns | drawn:
                yield report(
                    "unused-word",
                    f"no noun is for spaces with the tag {quoted(tag)}",
                    entry.key.span,
                    help=did_you_mean(tag, nouns) or _as_noun(tag, nouns),
                )


def _as_noun(tag: str, nouns: Collection[str]) -> str:
    known = f"; there are nouns for {', '.join(f'`{one}`' for one in sorted(nouns))}" if nouns else ""
    return f"the game's document declares such nouns: `things: {{{tag}: {{is a: space, tag: {tag}}}}}`{known}"


def _unused(scalar: Scalar, roots: Iterable[Node]) -> Diagnostic:
    taken = next((span for root in roots if (span := without(root, scalar)) is not None), None)
    return report(
        "unused-word",
        f"no text uses {quoted(scalar.text)}",
        scalar.span,
        help="use it, or take it out",
        fix=Fix.put(taken, "") if taken is not None else None,
    )


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""


def _texts_in(node: Node | None) -> list[str]:
    """Return all single values in a node, and its keys, without the texts of rules."""
    return [one.text for one in within(node) if isinstance(one, Scalar) and one.block is None]
