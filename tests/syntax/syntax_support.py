"""The shipped game's words and sentences, and walks over trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

from loaded import documents
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.resolve.model import declare
from warchest.source.nodes import Mapping, Node, Scalar
from warchest.source.text import Source, Span
from warchest.syntax import ast
from warchest.syntax.lexer import scan, with_genitives
from warchest.syntax.parse import _Parser, parse_block
from warchest.syntax.words import Vocabulary

ROOT = Path(__file__).parents[2]
GRAMMAR = ROOT / "grammar" / "sentence.lark"
GAMES = sorted(folder for folder in (ROOT / "cards").iterdir() if (folder / "game.yaml").exists())
WORD_TERMINALS = ("NOUN", "ADJ", "VERB", "VERBS", "VERBED", "ADV", "NAME", "NAMES")
NOWHERE = Source("made", "").span(0, 0)


@lru_cache(maxsize=4)
def vocabulary(folder: Path = GAMES[0]) -> Vocabulary:
    cards = documents(folder.name)
    boards = cards.of_kind("board")
    return declare(cards, cards.of_kind("game")[0], boards[0] if boards else None).vocabulary


def war_chest() -> Vocabulary:
    """The words of War Chest, and a letter, which it does not need."""
    words = vocabulary(next(folder for folder in GAMES if folder.name == "war-chest"))
    words.add_parameter("X")
    return words


def parse_text(text: str, words: Vocabulary | None = None) -> tuple[list[ast.Sentence], list[Diagnostic]]:
    source = Source("text", text)
    return parse_block(source.span(0, len(text)), words or war_chest())


def parsed(text: str, words: Vocabulary | None = None) -> ast.Sentence:
    """The one sentence of a text that must be without findings."""
    sentences, findings = parse_text(text, words)
    assert findings == [], (text, findings)
    assert len(sentences) == 1, text
    return sentences[0]


@dataclass(frozen=True)
class Shipped:
    """A sentence of a shipped document."""

    game: Path
    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text[:40]}"


@lru_cache(maxsize=1)
def shipped() -> tuple[Shipped, ...]:
    found = []
    for game in GAMES:
        for document in documents(game.name).documents:
            for block in blocks(document.node):
                sentences, findings = parse_block(block, vocabulary(game))
                assert findings == [], findings
                name = f"{document.kind}/{document.name}"
                found.extend(Shipped(game, name, sentence.span.text + ".") for sentence in sentences)
    return tuple(dict.fromkeys(found))


def blocks(node: Node) -> Iterator[Span]:
    """All literal blocks of a document that hold sentences."""
    if isinstance(node, Scalar):
        if node.block is not None:
            yield node.block
        return
    of_keys = [entry.value for entry in node.entries if entry.key.text != "script"] if isinstance(node, Mapping) else []
    children = of_keys if isinstance(node, Mapping) else list(node.items)
    for child in children:
        yield from blocks(child)


def nodes(value: object) -> Iterator[ast.SyntaxNode]:
    """A node and all nodes in it, in the order of their fields."""
    if isinstance(value, ast.SyntaxNode):
        yield value
        for one in fields(value):
            if one.name != "span":
                yield from nodes(getattr(value, one.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from nodes(item)


def node_classes() -> set[type[ast.SyntaxNode]]:
    found = {one for one in vars(ast).values() if isinstance(one, type) and issubclass(one, ast.SyntaxNode)}
    return found - {ast.SyntaxNode}


def words_of(text: str) -> str:
    """A text without its layout and comments."""
    return " ".join(raw.text for raw in with_genitives(scan(text, 0, len(text)), Vocabulary()))


def fresh_parser() -> _Parser:
    """A parser of its own, which a test may change."""
    return _Parser(GRAMMAR)
