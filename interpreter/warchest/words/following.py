"""The words that can come next at a place in a text of documents, the likeliest first."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import pairwise

from warchest.documents.library import Library
from warchest.game.game import Game, model_of
from warchest.source.nodes import blocks
from warchest.source.text import Source, Span
from warchest.source.yaml import parse
from warchest.syntax.lexer import scan
from warchest.syntax.words import Vocabulary
from warchest.words.expected import NextWord, begin_of_word, expected_words


def words_at(text: str, offset: int, game: Game) -> list[NextWord] | None:
    """Return the words that can come next at an offset of a text of documents, or that complete the word begun there.

    The grammar and the words of the game allow these words there. The likeliest word is first: it most often follows
    the word before the offset in the texts of the game. The list is empty after an error in the sentence. Return None
    if the offset is in no block of sentences.
    """
    block = block_at(Source("", text), offset)
    return None if block is None else _ranking(game).words(text, block.start, offset)


class WordRanking:
    """The words of a game, and which of them follow which in its texts."""

    def __init__(self, vocabulary: Vocabulary, library: Library) -> None:
        self.vocabulary, self._pairs = vocabulary, pairs_of_words(library)

    def words(self, text: str, start: int, offset: int) -> list[NextWord]:
        """Return the words that can come next at an offset in a block that begins at `start`, the likeliest first."""
        begin = begin_of_word(text, start, offset)
        begun, before = text[begin:offset].lower(), scan(text, start, begin)
        last = before[-1].text if before else ""
        found = [
            one for one in expected_words(text, start, offset, self.vocabulary) if one.text.lower().startswith(begun)
        ]
        return sorted(found, key=lambda one: (-self._pairs[last, one.text.split()[0]], one.text))


@lru_cache(maxsize=4)
def _ranking(game: Game) -> WordRanking:
    return WordRanking(model_of(game, game.variant()).vocabulary, game.library)


def block_at(source: Source, offset: int) -> Span | None:
    """Return the block of sentences around an offset; None if there is none."""
    roots, _ = parse(source)
    found = next((one for root in roots for one in blocks(root) if one.start <= offset <= one.end), None)
    return found or _block_by_marks(source, offset)


def _block_by_marks(source: Source, offset: int) -> Span | None:
    """Return the block from the last `|` to an offset, in a text that is not valid YAML at the moment."""
    text = source.text
    head = max(text.rfind("|\n", 0, offset), text.rfind("|-\n", 0, offset))
    start = text.find("\n", head) + 1
    if head < 0 or not start or start > offset:
        return None
    for line in text[start:offset].split("\n"):
        if line.strip() and not line.startswith((" ", "\t")):
            return None
    return source.span(start, offset)


def pairs_of_words(library: Library) -> Counter[tuple[str, str]]:
    """Return the number of times that each pair of words is in the texts of a game, to rank next words."""
    counted: Counter[tuple[str, str]] = Counter()
    for document in library.documents:
        for entry in document.node.entries:
            for block in document.blocks(entry.key.text):
                words = ["", *(one.text for one in scan(block.source.text, block.start, block.end))]
                counted.update(pairwise(words))
    return counted
