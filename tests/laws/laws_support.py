"""The material of the laws: the sentences of all that is shipped, and sentences put together from their parts."""

from __future__ import annotations

import dataclasses
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

from docs_support import examples
from hypothesis import settings

from warchest.documents.layers import choices, layered, of_board
from warchest.documents.library import Library
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.paraphrase.reading import RULES, STEPS, Reading, Study, study
from warchest.resolve.announce import Carrier
from warchest.resolve.desk import Meaning
from warchest.resolve.resolve import texts_of
from warchest.resolve.types import Flaw
from warchest.source.text import Source, Span
from warchest.syntax import ast
from warchest.syntax.agreement import read_block
from warchest.syntax.lexer import scan
from warchest.syntax.words import Vocabulary

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GAMES = ("war-chest", "unigames")
FOLDERS = {
    "war-chest": ("war-chest", ROOT / "cards" / "war-chest"),
    "unigames": ("unigames", ROOT / "cards" / "unigames"),
    "borderlands": ("war-chest", ROOT / "cards" / "war-chest", DOCS / "examples" / "borderlands"),
}
"""The game, and the folders that hold its documents."""
CHUNKS = 8
GENERATED = CHUNKS * settings().max_examples * 3 // 4
"""How many generated sentences the laws are tried on, of both games together: more where the profile asks for more."""


@dataclass(frozen=True)
class Text:
    """Sentences that are read together: one rule, or a block of steps, and their carrier."""

    game: str
    meaning: str
    carrier: Carrier
    sentences: tuple[ast.Sentence, ...]

    def __str__(self) -> str:
        return " ".join(study_of(self.game).printed(one) for one in self.sentences)


@lru_cache
def library_of(game: str) -> Library:
    _, *folders = FOLDERS[game]
    files = [one for folder in folders for one in sorted(folder.iterdir())]
    found = load([one for one in files if one.name not in ("rulings", "questions", "README.md")], read_schemas())
    assert not found.findings
    return found


@lru_cache
def study_of(game: str) -> Study:
    """The study of a game as it is usually played."""
    library = library_of(game)
    usual = {name: values[0] for name, values in choices(library).items()}
    return study(library, FOLDERS[game][0], library.of_kind("board")[0], usual)


@lru_cache
def shipped(game: str) -> tuple[Text, ...]:
    """All texts of a game: as it is usually played, and those that each option puts in their place."""
    library, found = library_of(game), {}
    offered = choices(library)
    usual = {name: values[0] for name, values in offered.items()}
    ways = [usual, *({**usual, name: value} for name, values in offered.items() for value in values[1:])]
    # An option may be about what another one has put in place.
    ways.append({name: values[-1] for name, values in offered.items()})
    reader = study_of(game).desk.reader
    for board in library.of_kind("board"):
        for options in ways:
            there, _ = layered(of_board(library, board.name), options)
            document = next(one for one in there.of_kind("game") if one.name == FOLDERS[game][0])
            for text in texts_of(reader, there, document):
                for unit in units(study_of(game), text.sentences, text.meaning, text.carrier):
                    found[unit[0].span, len(unit)] = Text(game, text.meaning, text.carrier, tuple(unit))
    return tuple(found.values())


def documented() -> list[Text]:
    """The sentences of the pages, and the texts of the cards that are examples."""
    folder = str(DOCS / "examples")
    found = [text for text in shipped("borderlands") if str(text.sentences[0].span.source.path).startswith(folder)]
    known = study_of("war-chest")
    for page in sorted(DOCS.glob("*.md")):
        for example in examples(page.name):
            if example.kind == "sentence":
                meaning, *of = example.words
                carrier = known.nobody if of == ["game"] else known.bearer()
                sentences = parsed("war-chest", example.text) or []
                found += (Text("war-chest", meaning, carrier, tuple(unit))
                          for unit in units(known, sentences, meaning, carrier))  # fmt: skip
    return found


def super_card() -> list[Text]:
    """The sentences of the card with every production of the grammar, as far as they make sense in War Chest."""
    known, found = study_of("war-chest"), []
    for line in (ROOT / "tests" / "syntax" / "super_card.txt").read_text(encoding="utf-8").splitlines():
        sentences = None if line.startswith("#") else parsed("war-chest", line)
        for meaning in (STEPS, RULES) if sentences else ():
            for carrier in (known.bearer(), known.nobody):
                text = Text("war-chest", meaning, carrier, tuple(sentences or ()))
                found += [text] if understood(text) is not None else []
    return found


def units(
    known: Study, sentences: Sequence[ast.Sentence], meaning: str, carrier: Carrier
) -> Iterator[list[ast.Sentence]]:
    """Rules one by one, each with its `otherwise`; steps as a whole."""
    if meaning == STEPS:
        yield list(sentences)
    else:
        for sentence, _ in known.desk.reader.rules(sentences, carrier):
            yield [sentence]


def parsed(game: str, text: str) -> list[ast.Sentence] | None:
    """The sentences of a text; None where they do not parse."""
    sentences, findings = read_block(Span(Source("law", text), 0, len(text)), study_of(game).vocabulary)
    return None if findings or not sentences else sentences


def understood(text: Text, written: str | None = None) -> tuple[Meaning, ...] | None:
    """Return the rules of a text, or of another one in its place; None where it is refused."""
    sentences: Sequence[ast.Sentence] | None = text.sentences
    known = study_of(text.game)
    try:
        if written is not None:
            sentences = parsed(text.game, written)
            if sentences is None:
                return None
            sentences = [one for unit in units(known, sentences, text.meaning, text.carrier) for one in unit]
        return known.understood(sentences or (), text.meaning, text.carrier)
    except (Flaw, RecursionError):
        return None


def reading(text: Text) -> Reading:
    """The reading of a text that is understood."""
    found = study_of(text.game).sentences(text.sentences, text.meaning, text.carrier, "law")
    assert isinstance(found, Reading), found
    return found


# ---- sentences that are put together


class Parts:
    """The parts of all shipped sentences of a game, by their kind."""

    def __init__(self, game: str) -> None:
        self.game, self.texts = game, [text for text in shipped(game) if len(str(text)) < 300]
        self.parts: dict[object, list[ast.SyntaxNode]] = defaultdict(list)
        for text in self.texts:
            for sentence in text.sentences:
                for part in nodes(sentence):
                    self.parts[_kind(part)].append(part)
        words = study_of(game).vocabulary.entries.values()
        self.words = {
            terminal: sorted({kinds[terminal] for kinds in words if terminal in kinds})
            for terminal in ("NOUN", "ADJ", "VERB", "NAME")
        }

    def changed(self, text: Text, rng: random.Random) -> str:
        """Another text: the same with some of its parts replaced by parts of others."""
        sentences = list(text.sentences)
        for _ in range(rng.randint(1, 3)):
            index = rng.randrange(len(sentences))
            places = list(nodes(sentences[index]))
            old = rng.choice(places[1:] or places)
            sentences[index] = _replaced(sentences[index], old, self._instead(old, rng))
        known = study_of(self.game)
        return " ".join(known.printed(one) for one in sentences)

    def _instead(self, old: ast.SyntaxNode, rng: random.Random) -> ast.SyntaxNode:
        if isinstance(old, ast.Word) and rng.random() < 0.5:
            kinds = [kind for kind in ("NOUN", "ADJ", "VERB") if old.text in self.words[kind]]
            if kinds:
                return replace(old, text=rng.choice(self.words[rng.choice(kinds)]))
        return rng.choice(self.parts[_kind(old)])


def nodes(node: ast.SyntaxNode) -> Iterator[ast.SyntaxNode]:
    """A node and all nodes in it."""
    yield node
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, ast.SyntaxNode):
                yield from nodes(one)


def _kind(node: ast.SyntaxNode) -> object:
    """Words that can stand in one another's place."""
    if isinstance(node, ast.Word):
        return "word"
    for group in (ast.NounPhrase, ast.Modifier, ast.Proposition, ast.EventPhrase):
        if isinstance(node, group):
            return str(group)
    return "step" if isinstance(node, ast.Statement) else type(node)


def _replaced(node: ast.SyntaxNode, old: ast.SyntaxNode, new: ast.SyntaxNode) -> ast.SyntaxNode:
    if node is old:
        return new
    changes = {}
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if isinstance(value, tuple):
            changes[field.name] = tuple(
                _replaced(one, old, new) if isinstance(one, ast.SyntaxNode) else one for one in value
            )
        elif isinstance(value, ast.SyntaxNode):
            changes[field.name] = _replaced(value, old, new)
    return replace(node, **changes)


@lru_cache
def parts_of(game: str) -> Parts:
    return Parts(game)


def generated(game: str, seed: int, count: int) -> list[Text]:
    """So many sentences that are understood and that nobody has written; the same for the same seed."""
    parts, rng = parts_of(game), random.Random(f"{game} {seed}")
    found: dict[str, Text] = {}
    while len(found) < count:
        text = rng.choice(parts.texts)
        try:
            written = parts.changed(text, rng)
        except (AssertionError, AttributeError, TypeError, ValueError):
            continue  # a part that cannot stand there, so that it cannot be printed either
        sentences = parsed(game, written)
        if sentences is None or written == str(text):
            continue
        try:
            made = [list(unit) for unit in units(study_of(game), sentences, text.meaning, text.carrier)]
        except Flaw:
            continue
        for unit in made[:1] if text.meaning == STEPS else made:
            one = Text(game, text.meaning, text.carrier, tuple(unit))
            if understood(one) is not None:
                found.setdefault(written, one)
    return list(found.values())[:count]


# ---- words


def variants(text: Text) -> Iterator[tuple[str, str, str]]:
    """The text with one of its words left out, or another of its kind put in its place: the word, the other, the text.

    All that is no function word counts, and so do determiners, numbers, prepositions and words such as `only`.
    """
    written = str(text)
    raw = scan(written, 0, len(written))
    position = 0
    while position < len(raw):
        length, others = _others([one.text for one in raw], position, text.game)
        old = " ".join(one.text for one in raw[position : position + length])
        for new in others:
            front, back = written[: raw[position].start], written[raw[position + length - 1].end :]
            yield old, new, f"{front}{new}{back}".replace("  ", " ")
        position += length


_GROUPS = (
    ("a", "another", "the", "that", "each", "all", "any", "no"),
    ("exactly", "within", ""),
    ("of", "on", "in", "with", "without", "through", "adjacent to"),
    ("to", "from", "into", "onto", "using", "for", "against", "as", "by"),
    ("at least", "at most", "more than", "less than"),
    ("before", "when", "after"),
    ("while", "unless"),
    ("if able", ""), ("instead", ""), ("not", ""), ("only", ""), ("random", ""), ("normally ,", ""),
    ("its", "your"), ("this", "it", "you"), ("in any order", ""), ("in turn order", ""),
    ("in a straight line", ""), ("in that direction", ""), ("increases", "decreases"), ("may", "cannot"),
    ("forever", ""), ("away", ""),
)  # fmt: skip


def _others(raw: list[str], position: int, game: str) -> tuple[int, list[str]]:
    """Return how many raw words the word at a place has, and the words for its place; "" leaves it out."""
    best: tuple[int, list[str]] = (1, [])
    for group in _GROUPS:
        for one in group:
            parts = one.split()
            if parts and raw[position : position + len(parts)] == parts and len(parts) >= best[0]:
                others = [other for other in group if other != one]
                known = best[1] if len(parts) == best[0] else []
                best = (len(parts), [*known, *others])
    first = raw[position]
    if first[0].isdigit():
        return 1, ([str(int(first) + 1)] if first.isdigit() else [f"{first[:-1]}{int(first[-1]) + 1}"])
    for spelling in study_of(game).vocabulary.by_first.get(first, ()):
        if tuple(raw[position : position + len(spelling)]) == spelling and len(spelling) >= best[0]:
            return len(spelling), ["", *_alike(spelling, game)]
    return best[0], sorted(set(best[1]))


@cache
def _alike(spelling: tuple[str, ...], game: str) -> list[str]:
    """A few words of the same kind and form."""
    vocabulary, found = study_of(game).vocabulary, []
    for kind, lexeme in vocabulary.entries[spelling].items():
        plural = _is_plural(" ".join(spelling), lexeme, vocabulary)
        others = sorted(
            " ".join(one) for one, known in vocabulary.entries.items()
            if kind in known and one != spelling and _is_plural(" ".join(one), known[kind], vocabulary) == plural
        )  # fmt: skip
        rng = random.Random(" ".join(spelling) + kind)
        found += rng.sample(others, min(3, len(others)))
    return found


def _is_plural(spelling: str, lexeme: str, vocabulary: Vocabulary) -> bool:
    return spelling != lexeme and vocabulary.form("PLURAL", lexeme) == spelling


__all__ = [
    "CHUNKS", "GAMES", "GENERATED", "RULES", "STEPS", "Text", "generated", "reading", "shipped", "understood",
    "variants",
]  # fmt: skip
