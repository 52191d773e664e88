"""The material of the laws: the sentences of all that is shipped, and sentences put together from their parts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
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
from warchest.resolve.resolve import texts_of
from warchest.resolve.single_sentences import Meaning
from warchest.syntax import ast
from warchest.syntax.lexer import scan
from warchest.syntax.words import Vocabulary
from warchest.testing import mixing
from warchest.testing.draws import RandomDraws, one_of
from warchest.testing.mixing import Excerpt, TextMixer, units

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
GENERATED = CHUNKS * settings().max_examples * 3 // (4 if settings().max_examples > 40 else 8)
"""How many generated sentences the laws are tried on, of both games together: more where the profile asks for more."""


@dataclass(frozen=True)
class Text:
    """Sentences that are read together: one rule, or a block of steps, and their carrier."""

    game: str
    meaning: str
    carrier: Carrier
    sentences: tuple[ast.Sentence, ...]

    @property
    def excerpt(self) -> Excerpt:
        return Excerpt(self.meaning, self.carrier, self.sentences)

    def __str__(self) -> str:
        return " ".join(study_of(self.game).printed(one) for one in self.sentences)


@lru_cache
def library_of(game: str) -> Library:
    _, *folders = FOLDERS[game]
    files = [one for folder in folders for one in sorted(folder.iterdir())]
    others = ("rulings", "questions", "templates", "README.md")
    found = load([one for one in files if one.name not in others], read_schemas())
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
    # An option may depend on the effects of another one.
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


@lru_cache
def documented() -> tuple[Text, ...]:
    """The sentences of the pages, and the texts of the cards that are examples."""
    folder = str(DOCS / "examples")
    found = [text for text in shipped("borderlands") if str(text.sentences[0].span.source.path).startswith(folder)]
    known = study_of("war-chest")
    for page in sorted(DOCS.rglob("*.md")):
        for example in examples(str(page.relative_to(DOCS))):
            if example.kind == "sentence":
                meaning, *of = example.words
                carrier = known.nobody if of == ["game"] else known.bearer()
                read = parsed("war-chest", example.text) or []
                found += (
                    Text("war-chest", meaning, carrier, tuple(unit)) for unit in units(known, read, meaning, carrier)
                )
    return tuple(found)


@lru_cache
def super_card() -> tuple[Text, ...]:
    """The sentences of the card with every production of the grammar, as far as they make sense in War Chest."""
    known, found = study_of("war-chest"), []
    for line in (ROOT / "tests" / "syntax" / "super_card.txt").read_text(encoding="utf-8").splitlines():
        read = None if line.startswith("#") else parsed("war-chest", line)
        for meaning in (STEPS, RULES) if read else ():
            for carrier in (known.bearer(), known.nobody):
                text = Text("war-chest", meaning, carrier, tuple(read or ()))
                found += [text] if understood(text) is not None else []
    return tuple(found)


def parsed(game: str, text: str) -> list[ast.Sentence] | None:
    """The sentences of a text; None where they do not parse."""
    return mixing.parsed(study_of(game), text)


def understood(text: Text, written: str | None = None) -> tuple[Meaning, ...] | None:
    """Return the rules of a text, or of another one in its place; None where it is refused."""
    return mixing.understood(study_of(text.game), text.excerpt, written)


def reading(text: Text) -> Reading:
    """The reading of a text that is understood."""
    found = study_of(text.game).sentences(text.sentences, text.meaning, text.carrier, "law")
    assert isinstance(found, Reading), found
    return found


# ---- sentences that are put together


@lru_cache
def maker_of(game: str) -> TextMixer:
    return TextMixer(study_of(game), [text.excerpt for text in shipped(game)])


@lru_cache
def generated(game: str, seed: int, count: int) -> tuple[Text, ...]:
    """The given number of generated sentences that are understood; the same for the same seed."""
    maker, draws = maker_of(game), RandomDraws(random.Random(f"{game} {seed}"))
    found: dict[str, Text] = {}
    while len(found) < count:
        written, made = maker.changed(one_of(draws, maker.excerpts), draws)
        for one in made:
            found.setdefault(written, Text(game, one.meaning, one.carrier, one.sentences))
    return tuple(found.values())[:count]


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
    ("if able", ""),
    ("instead", ""),
    ("not", ""),
    ("only", ""),
    ("random", ""),
    ("normally ,", ""),
    ("its", "your"),
    ("this", "it", "you"),
    ("in any order", ""),
    ("in turn order", ""),
    ("in a straight line", ""),
    ("in that direction", ""),
    ("increases", "decreases"),
    ("may", "cannot"),
    ("increase", "decrease"),
    ("forever", ""),
    ("away", ""),
)

_BEGUN_BY: dict[str, list[tuple[list[str], list[str]]]] = {}
"""The words of the groups by the first of them, each with the others of its group."""
for _group in _GROUPS:
    for _one in filter(None, _group):
        _BEGUN_BY.setdefault(_one.split()[0], []).append((_one.split(), [other for other in _group if other != _one]))


def _others(raw: list[str], position: int, game: str) -> tuple[int, list[str]]:
    """Return how many raw words the word at a place has, and the words for its place; "" leaves it out."""
    best: tuple[int, list[str]] = (1, [])
    for parts, others in _BEGUN_BY.get(raw[position], ()):
        if raw[position : position + len(parts)] == parts and len(parts) >= best[0]:
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
            " ".join(one)
            for one, known in vocabulary.entries.items()
            if kind in known and one != spelling and _is_plural(" ".join(one), known[kind], vocabulary) == plural
        )
        rng = random.Random(" ".join(spelling) + kind)
        found += rng.sample(others, min(3, len(others)))
    return found


def _is_plural(spelling: str, lexeme: str, vocabulary: Vocabulary) -> bool:
    return spelling != lexeme and vocabulary.form("PLURAL", lexeme) == spelling


__all__ = [
    "CHUNKS",
    "GAMES",
    "GENERATED",
    "RULES",
    "STEPS",
    "Text",
    "generated",
    "reading",
    "shipped",
    "understood",
    "variants",
]
