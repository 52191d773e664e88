"""The extension for VS Code: its grammar is up to date, and colours words as the language server does."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from sentences_support import FILE, FOLDER, PACKAGE, scopes, vocabulary_of, written

from loaded import documents
from warchest.lsp.semantic_tokens import TYPES, semantic_tokens, sort_of
from warchest.source.data import shipped_games
from warchest.source.text import Source

GRAMMAR: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
TOLD: dict[str, Any] = json.loads(PACKAGE.read_text(encoding="utf-8"))
WORDS = [(re.compile(one["match"]), one["name"]) for one in GRAMMAR["repository"]["words"]["patterns"]]
BLOCKS = [(re.compile(one["begin"]), re.compile(one["while"])) for one in GRAMMAR["patterns"]]


def marked(line: str) -> Iterator[tuple[int, str, str]]:
    """The words of a line with their places and their scopes: the first that any rule finds, by the first such rule."""
    place = 0
    while found := [
        (hit.start(), number, hit)
        for number, (rule, _) in enumerate(WORDS)
        if (hit := rule.search(line, place)) is not None
    ]:
        begin, number, hit = min(found, key=lambda one: one[:2])
        yield begin, hit[0], WORDS[number][1]
        place = hit.end()


def coloured(text: str) -> Iterator[tuple[int, int, str, str]]:
    """The words of a text with their lines, their places in them, and their scopes, as editors find them."""
    goes_on: re.Pattern[str] | None = None
    for number, line in enumerate(text.splitlines()):
        if goes_on is not None and goes_on.search(line):
            yield from ((number, *one) for one in marked(line))
            continue
        goes_on = next((below for begin, below in BLOCKS if begin.search(line)), None)


def by_server(text: str, game: str) -> Iterator[tuple[int, int, str, str]]:
    """The same as the server finds them."""
    number, place, lines = 0, 0, text.splitlines()
    numbers = iter(semantic_tokens(Source("x.yaml", text), words_of(game)))
    for step, across, length, sort, _ in zip(*[numbers] * 5, strict=True):
        number, place = number + step, across if step else place + across
        yield number, place, lines[number][place : place + length], scopes()[TYPES[sort]]


@lru_cache
def words_of(game: str) -> Any:
    return vocabulary_of(game)


def test_it_is_up_to_date() -> None:
    """`python tests/docs/sentences_support.py` writes it."""
    assert FILE.read_text(encoding="utf-8") == written()


def test_the_package_names_existing_files_and_settings() -> None:
    (grammar,) = TOLD["contributes"]["grammars"]
    assert (FOLDER / grammar["path"]).samefile(FILE) and (FOLDER / TOLD["main"]).is_file()
    assert grammar["scopeName"] == GRAMMAR["scopeName"]
    assert set(scopes()) == set(TYPES)
    program = (FOLDER / TOLD["main"]).read_text(encoding="utf-8")
    imported = set(re.findall(r'require\("([a-z-]+)', program))
    assert imported == {"vscode", *TOLD["dependencies"]}
    (setting,) = TOLD["contributes"]["configuration"]["properties"].items()
    assert setting[0] == "warchest.server" and setting[1]["default"] == "wc-lsp" and setting[1]["scope"] == "machine"


def test_the_words_of_a_card_are_marked() -> None:
    text = "unit: Knight\ntactic: |\n  draw a Light Cavalry's coin, within 2-3 spaces. # why\n\n  attack.\ncoins: 4\n"
    named = {scope: sort for sort, scope in scopes().items()} | {"comment.line.number-sign.warchest": "comment"}
    assert [(line, word, named[scope]) for line, _, word, scope in coloured(text)] == [
        (2, "draw", "function"),
        (2, "a", "keyword"),
        (2, "Light Cavalry", "class"),
        (2, "coin", "variable"),
        (2, "within", "keyword"),
        (2, "2-3", "number"),
        (2, "spaces", "variable"),
        (2, "# why", "comment"),
        (4, "attack", "function"),
    ]


def test_texts_end_where_the_next_key_begins() -> None:
    text = "replace:\n  tactic: |\n    move.\n  coins: move\n  effect: |\n    attack.\n---\nmove: 1\nrules: move\n"
    assert [(line, word) for line, _, word, _ in coloured(text)] == [(2, "move"), (5, "attack")]


def test_shipped_cards_have_the_colours_that_the_server_gives() -> None:
    """Except for words that are of different sorts in different games."""
    other, seen = set[str](), 0
    for source in documents().sources:
        if "/units/" in source.path.replace(os.sep, "/"):
            found = set(coloured(source.text))
            server = set(by_server(source.text, "war-chest"))
            other |= {word for _, _, word, _ in server - found}
            seen += len(server)
    assert seen > 400
    assert {word for word in other if one_sort(word)} == set()


def one_sort(word: str) -> bool:
    """Whether a word is of one sort in all games that have it."""
    games, said = [words_of(folder.name) for folder in shipped_games()], word.split()
    return len({sort_of(said, one) for one in games if tuple(said) in one.entries}) <= 1
