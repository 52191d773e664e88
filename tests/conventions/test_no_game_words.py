"""The rulebook is the program: no word of any game in the interpreter or the grammar."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from conventions_support import ROOT, found_in_modules, spoken, tokens_of

from loaded import documents
from warchest.documents.library import Document

pytestmark = pytest.mark.quick

GRAMMAR = sorted((ROOT / "grammar").iterdir())
GAMES = sorted(folder for folder in (ROOT / "cards").iterdir() if (folder / "game.yaml").exists())

BANNED = re.compile(
    r"archer|berserker|cavalry|crossbow|ensign|footm[ae]n|knight|lancer|marshal|mercenar|pikem[ae]n|royal|swordsm[ae]n"
    r"|priest|bannerman|bishop|herald|sapper|siege|trebuchet|wagon|bolster|deploy|recruit|initiative|proclaim|decree"
    r"|fortif|\bcoins?\b|\bbag\b|raven|\bwolf\b|backlash|backstab|doppelganger|mind.?control|reanimate|scavenge|martyr"
    r"|takeover|lingering",
    re.IGNORECASE,
)
"""Words that are forbidden whatever the documents say."""

ALLOWED = {
    # the concepts of the machine
    "game player turn round active target limit holder controller random rules card": "the machine's own model",
    "army armies": "what `new(armies=…)` of the public interface calls the cards a player brings",
    "unit": "the noun a distance is measured in (`Away.unit`)",
    "action attribute class generic": (
        "Python's: an argparse or parser action, an attribute of an object, `class`, a class for several types"
    ),
    # plain English words that name no thing of a game in the code
    "a the its on two first next": "function words",
    "move draw control pass use": "moving tokens, drawing a picture or a match, control flow, `pass`, using",
    "run find open close complete empty fresh own lost spent drawn box height hand guard discard": (
        "said of files, searches, shapes, times and texts"
    ),
    "blue": "a colour of the terminal",
    "table lay four": "a table of codes or of results, to lay out, and a number",
    "step side take play": "steps of texts, sides of shapes and signs, what is taken up, playing",
    "create transform": "readers are created, trees and drawings are transformed",
    "effect carry": "changes that a machine makes, and code that it carries out",
    "left point leave clear fall fallen": "what remains, a place or moment, to leave out, to empty, to fall back",
    "facing": "the direction of a piece, whatever a game's `heading:` is",
    "counter": "Python's dictionary that counts",
    "send": "what Python's library calls handing something to another process",
    "a4": "a size of paper",
    "deck": "the word of Tabletop Simulator for a heap of cards",
    "cover met h1": "the command that tells which facts of clauses rulings have met, and the heading of its page",
    "fetch alternate": "settings of git, which is to fetch nothing",
    "location": "the name of the place of a fault in SARIF and GitLab",
    "pack": "a document that declares things for a folder of cards",
    "host": "the name of a computer in an address",
    "wheel capture": "a package of Python, and the output of a process",
    "way": "a definition among several, or how something is done",
    "passes": "a ruling that is as the cards say",
    "strength deal": "the share of a card in the odds of an army, and the cards that the beginning of a game gives",
    "paired": "said of games of the same seed",
    "h2 h3": "headings of a page",
    "rest escape cost drain": "what is left, signs with a meaning, what is paid first in an offer, to empty a queue",
}
"""Words of some game that the interpreter uses as well, with its meaning of them."""

# ---- the words of the games


def words_in(text: object) -> set[str]:
    return set(re.findall(r"[a-z]+[0-9]*", str(text).lower()))


def game_words(values: dict[str, Any]) -> Iterator[object]:
    """The words that a game's document declares."""
    for kind, shape in values["documents"].items():
        yield from (kind, *shape.get("blocks", {}), *shape.get("numbers", ()))
    for noun, shape in values["things"].items():
        yield from (noun, *(shape.get(key, "") for key in ("tag", "copies", "plural")))
    for shapes in values.get("fields", {}).values():
        for name, shape in shapes.items():
            yield from (name, shape.get("opposite", "") if isinstance(shape, dict) else "")
    for name, shape in values.get("zones", {}).items():
        yield from (name, *shape.get("faces", {}))
    words = values["words"]
    yield from (*words.get("adjectives", ()), *words.get("numbers", ()))
    for verb, shape in words.get("verbs", {}).items():
        yield from (verb, shape.get("noun", ""), shape.get("past", ""))


def board_words(values: dict[str, Any]) -> Iterator[object]:
    """The names on a board: seats, tags, numbers, spaces."""
    for seat in values.get("seats", ()):
        yield from (seat["name"], seat.get("team", ""), seat.get("colour", ""))
    yield from (*values.get("tags", {}), *values.get("numbers", {}))
    for column, rows in values.get("rows", {}).items():
        first, _, last = str(rows).partition("-")
        yield from (f"{column}{row}" for row in range(int(first), int(last or first) + 1))


def document_words(document: Document) -> set[str]:
    # Rulings, layers, questions and properties are named by sentences about the game.
    apart = ("rulings", "errata", "question", "properties", "game")
    said: list[object] = [document.name] if document.kind not in apart else []
    if document.kind == "game":
        said += game_words(document.values)
    if document.kind == "board":
        said += board_words(document.values)
    return set().union(*(words_in(one) for one in said))


@lru_cache(maxsize=1)
def banned_words() -> frozenset[str]:
    allowed = set().union(*(words_in(words) for words in ALLOWED))
    found = set().union(*(document_words(one) for game in GAMES for one in documents(game.name).documents))
    return frozenset(found - allowed - {f"{word}s" for word in allowed})


# ---- what the code says


def said_words(text: str) -> set[str]:
    """The words in a name or a text: cut at underlines and humps, plurals also without their end."""
    text = re.sub(r"war-?chest", "", text, flags=re.IGNORECASE)
    text = re.sub(r"#[0-9a-fA-F]{3,8}\b", "", text)  # colours are no spaces
    words = words_in(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).replace("_", " "))
    return words | {word.removesuffix("s") for word in words}


def leaks(text: str) -> list[tuple[int, str]]:
    return [(line, word) for line, said in spoken(text) for word in banned_in(said)]


@cache
def banned_in(said: str) -> tuple[str, ...]:
    """The words of games in a name or a text; the same names are met everywhere."""
    words = sorted(said_words(said) & banned_words())
    return (*words, *(match.group() for match in BANNED.finditer(re.sub(r"(?i)war-?chest", "", said))))


def commented(text: str) -> list[str]:
    """The banned words in the comments of a module."""
    comments = "\n".join(token.string for token in tokens_of(text) if token.type == tokenize.COMMENT)
    return BANNED.findall(comments)


def test_no_game_word_in_the_interpreter() -> None:
    # The names and texts of a module and its comments at once, for which it is taken apart into tokens once.
    assert found_in_modules(lambda _, text, __: [*leaks(text), *commented(text)]) == {}


@pytest.mark.parametrize("file", GRAMMAR, ids=lambda file: file.name)
def test_no_game_word_in_the_grammar(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert BANNED.findall(text) == []
    rules = re.sub(r"//.*", "", text)
    spelled = set().union(*(words_in(text) for text in re.findall(r'"([^"]*)"', rules)))
    assert spelled & banned_words() == set()


def test_the_list_of_game_words_is_not_empty() -> None:
    assert len(GAMES) >= 1
    assert {"archer", "bolster", "f4", "supply", "faceup", "attack", "wolf", "maneuver"} <= banned_words()


@pytest.mark.parametrize(
    "line",
    [
        "archer = 1",
        "def bolsterUnit(): ...",
        "x = move_coins(2)",
        "raise ValueError('the bag is empty')",
        "place = 'f4'",
        "class SwordsmanRule: ...",
        "x = f'a {y} in the supply'",
        "teams = ['Wolf', 1]",
    ],
)
def test_a_planted_word_is_found(line: str) -> None:
    assert leaks(line) != []


@pytest.mark.parametrize(
    "line", ['"""An archer."""', "import warchest", "path = 'cards/war-chest'", "fill = '#c6d4f3'"]
)
def test_other_words_are_allowed(line: str) -> None:
    assert leaks(line) == []
