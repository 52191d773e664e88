"""Making mutants: each is an edit of the text of one file, so that it can be shown, linted and written down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from warchest.documents.editions import edition
from warchest.documents.layers import LAYER
from warchest.documents.library import Document
from warchest.game.game import Game
from warchest.resolve.resolve import Parsed, parse_blocks, read_all
from warchest.source.nodes import Mapping as Keys
from warchest.source.nodes import Scalar
from warchest.source.records import record
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.agreement import nodes_in
from warchest.syntax.lexer import Raw, scan
from warchest.syntax.printer import print_sentence
from warchest.testing.mutants.changes import ChangeKind, SentenceChanges
from warchest.testing.mutants.habits import Habits
from warchest.testing.mutants.near import NearWords

STEPS = "steps"
NOTHING = "do nothing."
"""The sentence that replaces steps if none is left."""
_PARTS = ("replace", "add")
_OF_GAME = {"play": STEPS, "rules": "rules"}
_OF_SETUP = {"steps": STEPS}


@record()
class Mutant:
    """One change of a sentence of a document: the changed part of its file, and the new words there."""

    document: Document
    kind: ChangeKind
    sentence: Span
    """The original sentence, with its full stop."""
    span: Span
    new: str

    @property
    def old(self) -> str:
        """The original words."""
        return self.span.text

    @property
    def path(self) -> str:
        """The path of the file."""
        return self.span.path

    @property
    def place(self) -> str:
        """The file and the line of the change."""
        return f"{self.span.path}:{self.span.line}"

    @property
    def change(self) -> str:
        """The replaced words and the new ones, on one line."""
        old, new = (" ".join(words.split()) for words in (self.old, self.new))
        return f"`{old}` -> `{new}`" if new else f"without `{old}`"

    @property
    def text(self) -> str:
        """The whole text of the file, with the change."""
        whole = self.span.source.text
        return whole[: self.span.start] + self.new + whole[self.span.end :]

    @property
    def before(self) -> str:
        """The sentence in its old words, on one line."""
        return self.sentence.one_line

    @property
    def after(self) -> str:
        """The sentence in its new words, on one line; empty if it is left out."""
        first, last = max(self.sentence.start, self.span.start), self.sentence.end
        if self.span.start < self.sentence.start or self.span.end > last:
            return self.new.strip()
        whole = self.span.source.text
        return " ".join((whole[self.sentence.start : first] + self.new + whole[self.span.end : last]).split())


class Mutants:
    """Makes the mutants of the documents of a game, by the changes of writers or by others."""

    def __init__(self, game: Game, changes: Callable[[Habits], SentenceChanges] = SentenceChanges) -> None:
        self.game = game.document
        there = edition(game.library, game.name, game.boards.usual.name, game.options(None))
        reader, _ = read_all(there.library, there.game, there.board)
        self.vocabulary, self.blocks = reader.model.vocabulary, reader.model.blocks
        self._parsed: Parsed = {}
        said = (
            one
            for document in game.library.documents
            for _, block, _ in self._texts(document)
            for _, one in self._read(block)
        )
        self.changes = changes(Habits(NearWords(reader.model), said))

    def of(self, document: Document) -> Iterator[Mutant]:
        """Yield all mutants of a document, in the order of the text; no two of them give the same text."""
        for key, block, meaning in self._texts(document):
            seen, sentences = {block.source.text}, self._read(block)
            for number, (place, sentence) in enumerate(sentences):
                left = Mutant(document, "sentence", place, place, "")
                if len(sentences) == 1:
                    left = _without_any(left, key, block, meaning)
                around = sentences[: number + 1] if meaning == STEPS else sentences[number : number + 1]
                nouns = _nouns(one for _, one in around)
                for mutant in (*self._changed(document, place, sentence, nouns), left):
                    if mutant.text not in seen:
                        seen.add(mutant.text)
                        yield mutant

    def _read(self, block: Span) -> list[tuple[Span, ast.Sentence]]:
        """Return the sentences of a block, each with its place."""
        parse_blocks((block,), self.vocabulary, self._parsed)
        return [(_trimmed(piece), one) for piece, read, _ in self._parsed[block] for one in read]

    def _texts(self, document: Document) -> Iterator[tuple[Scalar, Span, str]]:
        """Yield the blocks of a document, each with its key and its meaning."""
        if document.kind == LAYER:
            shape = self._shape(str(document.values["amends"]["kind"]))
            holders = [node for part in _PARTS if isinstance(node := document.node.get(part), Keys)]
        else:
            shape, holders = self._shape(document.kind), [document.node]
        for entry in (entry for holder in holders for entry in holder.entries):
            if isinstance(entry.value, Scalar) and entry.value.block is not None and entry.key.text in shape:
                yield entry.key, entry.value.block, shape[entry.key.text]

    def _shape(self, kind: str) -> Mapping[str, str]:
        if kind == self.game.kind:
            return _OF_GAME
        return _OF_SETUP if kind == "setup" else self.blocks.get(kind, {})

    def _changed(
        self, document: Document, place: Span, sentence: ast.Sentence, nouns: Sequence[ast.Word]
    ) -> Iterator[Mutant]:
        words = print_sentence(sentence, self.vocabulary)
        for kind, other in self.changes.of(sentence, nouns):
            span, new = edit(place, words, print_sentence(other, self.vocabulary))
            yield Mutant(document, kind, place, span, new)


def edit(place: Span, old: str, new: str) -> tuple[Span, str]:
    """Return the smallest part of a sentence to replace, and the new words there.

    `place` is the sentence in the file; `old` and `new` are canonical forms of it. If the words of the file are not
    those of the old form, the whole sentence is replaced.
    """
    written = scan(place.source.text, place.start, place.end)
    were, are = scan(old, 0, len(old)), scan(new, 0, len(new))
    if [one.text for one in written[1:]] != [one.text for one in were[1:]]:
        return place, new
    first = _common(were, are)
    last = _common(were[first:][::-1], are[first:][::-1])
    # At least one word is replaced by at least one, and none by a sign without a blank before it.
    if min(len(were), len(are)) == first + last or _is_close(were, first) != _is_close(are, first):
        first, last = (first - 1, last) if first else (first, last - 1)
    if _is_close(were, len(were) - last) != _is_close(are, len(are) - last):
        last -= 1
    span = Span(place.source, written[first].start, written[len(were) - last - 1].end)
    return span, new[are[first].start : are[len(are) - last - 1].end]


def _nouns(sentences: Iterable[ast.Sentence]) -> list[ast.Word]:
    """Return the nouns of the phrases in some sentences, each once."""
    nodes = (node for sentence in sentences for node, _ in nodes_in(sentence))
    heads = (one.head for one in nodes if isinstance(one, ast.Phrase))
    return list({one.text: one for one in heads if isinstance(one, ast.Word)}.values())


def _is_close(words: Sequence[Raw], number: int) -> bool:
    """Whether a word of a sentence follows without a blank."""
    return 0 < number < len(words) and words[number - 1].end == words[number].start


def _common(first: Iterable[Raw], second: Iterable[Raw]) -> int:
    """Return the number of words that two sentences have in common at the beginning."""
    found = 0
    for one, other in zip(first, second, strict=False):
        if one.text != other.text:
            break
        found += 1
    return found


def _trimmed(piece: Span) -> Span:
    """Return the place of a sentence without the blanks and the notes before it."""
    return Span(piece.source, scan(piece.source.text, piece.start, piece.end)[0].start, piece.end)


def _without_any(mutant: Mutant, key: Scalar, block: Span, meaning: str) -> Mutant:
    """Return the mutant of a block without its only sentence: steps then do nothing, and rules have no key."""
    if meaning == STEPS:
        return replace(mutant, new=NOTHING)
    line = block.source.text.rfind("\n", 0, key.span.start) + 1
    return replace(mutant, span=Span(block.source, line, block.end))
