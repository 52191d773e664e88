"""Sentences with the same meaning are not read again, and that makes no difference."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from loaded import documents
from warchest.documents.layers import layered
from warchest.documents.library import Library
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.lint.run import singly, variants
from warchest.resolve.reading_cache import Readings
from warchest.resolve.resolve import Parsed, read_all
from warchest.resolve.rules import read_rule


def compared(library: Library, orders: int = 1, readings: Readings | None = None) -> None:
    """Read a library under all its options, each once without the cache, and by earlier readings in some orders."""
    tried = list({tuple(one.items()): one for one in (*variants(library), *singly(library))}.values())
    random.Random(0).shuffle(tried)
    anew = Parsed()
    told = [_read(library, options, anew, Readings()) for options in tried]
    for seed in range(orders):
        parsed, known = Parsed(), readings or Readings()
        for options, wanted in random.Random(seed).sample(list(zip(tried, told, strict=True)), len(tried)):
            assert _read(library, options, parsed, known) == wanted, options


def _read(library: Library, options: Mapping[str, str], parsed: Parsed, readings: Readings) -> tuple[object, ...]:
    """Return all results of reading a library under some options."""
    amended, _ = layered(library, options)
    (game,) = amended.of_kind("game")
    reader, wrong = read_all(amended, game, amended.of_kind("board")[0], parsed, readings)
    return reader.model.ruleset, reader.model.uses, reader.used_in, reader.in_all, wrong


@pytest.mark.parametrize("game", ["war-chest", "unigames"])
def test_all_variants_are_read_as_if_for_the_first_time(game: str) -> None:
    compared(documents(game))


CARDS = {
    "words": "words: Mine\nadjectives: [brisk]\nnumbers: [pace]\nverbs: {glide: {by: unit}}\n",
    "rules": "action: Gliding\nsource: a test\nrules: |\n  a unit is brisk when it is bolstered.\n  to glide: move.\n",
    "rider": "unit: Rider\ncoins: 4\ntactic: |\n  if this is brisk, glide. otherwise, move.\nattribute: |\n"
    "  the pace of this is 2.\n  after this attacks, if it is brisk, it glides.\n",
    "first": "errata: First\namends: {kind: action, name: Gliding}\nset: one\nsource: a test\nreplace:\n  rules: |\n"
    "    a unit is brisk when it is wounded.\n    to glide to a space: move to the space.\n",
    "second": "errata: Second\namends: {kind: unit, name: Rider}\nset: two\nsource: a test\nadd:\n  attribute: |\n"
    "    a brisk unit may move to a space 2 spaces away.\n",
}


@pytest.mark.parametrize("wrong", ["", "wounded", "glides", "is 2", "brisk unit"])
def test_texts_whose_declarations_change_are_read_again(tmp_path: Path, wrong: str) -> None:
    """Definitions, the roles of verbs and permissions change the meaning of other sentences, or take it away."""
    for name, text in CARDS.items():
        (tmp_path / f"{name}.yaml").write_text(text.replace(wrong, f"{wrong} odd") if wrong else text, encoding="utf-8")
    library = on_top(tmp_path)
    compared(library, orders=3)


KINDS = ("game", "board", "action", "coin", "fortification")
UNITS = ("Archer", "Berserker", "Footman", "Pikeman", "Scout")


def on_top(folder: Path) -> Library:
    """The rules of the shipped game with few of its units and no errata, and the documents in a folder."""
    shipped = documents("war-chest")
    own = load([folder], shipped.schemas or read_schemas())
    kept = [one for one in shipped.documents if one.kind in KINDS or one.name in UNITS]
    return Library(documents=[*kept, *own.documents], sources=[*shipped.sources, *own.sources])


RIDERS = {
    "rider": "unit: Rider\ncoins: 4\ntactic: |\n  choose a friendly Walker. it moves, then this glides.\n"
    "attribute: |\n  a unit cannot attack a Walker.\n",
    "walker": "unit: Walker\ncoins: 4\nattribute: |\n  after a Rider moves, it glides.\n",
    "words": "words: Mine\nverbs: {glide: {by: unit}}\n",
    "rules": "action: Gliding\nsource: a test\nrules: |\n  to glide: move.\n",
}
OTHERWISE: list[dict[str, str]] = [
    # Documents with other numbers, names with other meanings, other words, and a verb that has changed.
    {},
    {"aardwolf": "unit: Aardwolf\ncoins: 4\n"},
    {"sloth": "unit: Sloth\ncoins: 4\n"},
    {"walker": "unit: Walker\ncoins: 5\n"},
    {"zwalker": RIDERS["walker"], "walker": ""},
    {"walker": RIDERS["walker"].replace("Walker", "Stroller")},
    {"walker": RIDERS["walker"].replace("unit: W", "token: W")},
    {"words": RIDERS["words"].replace("unit", "player")},
    {"words": RIDERS["words"] + "adjectives: [brisk]\n"},
    {"words": RIDERS["words"].replace("}}", ", is: maneuver}}")},
    {"rules": RIDERS["rules"].replace("glide", "glide to a space").replace("move.", "move to the space.")},
    {"rules": RIDERS["rules"] + "  a unit may glide.\n"},
    {},
]


def test_games_that_differ_are_read_as_if_there_were_no_others(tmp_path: Path) -> None:
    readings = Readings()
    for change in OTHERWISE:
        for old in tmp_path.glob("*"):
            old.unlink()
        for name, text in {**RIDERS, **change}.items():
            (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
        compared(on_top(tmp_path), readings=readings)


@pytest.mark.parametrize("game", ["war-chest", "unigames"])
def test_most_sentences_are_read_once(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    read: list[object] = []
    usual = read_rule

    def rule(reader: object, sentence: object, *rest: object) -> None:
        read.append(sentence)
        usual(reader, sentence, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("warchest.resolve.resolve.read_rule", rule)
    library, readings, parsed = documents(game), Readings(), Parsed()
    counts = []
    for options in [*variants(library)] * 2:
        amended, _ = layered(library, options)
        read_all(amended, amended.of_kind("game")[0], amended.of_kind("board")[0], parsed, readings)
        counts.append(len(read))
        read.clear()
    # An `if` with its `otherwise` is joined again each time.
    assert counts[0] > 100 and max(counts[len(counts) // 2 :]) < 20, counts
