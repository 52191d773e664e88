"""The grammar for colouring sentences in editors, made from the words of the language and of the shipped games.

`python tests/docs/sentences_support.py` writes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from warchest.documents.schemas import read_schemas
from warchest.game.game import load_game
from warchest.lsp.semantic_tokens import TYPES, sort_of
from warchest.paraphrase.reading import study
from warchest.source.data import shipped_games
from warchest.syntax.lexer import NUMBER_WORDS
from warchest.syntax.parse import function_words
from warchest.syntax.words import Vocabulary

FOLDER = Path(__file__).parents[2] / "docs" / "editors" / "vscode"
FILE = FOLDER / "syntaxes" / "sentences.tmLanguage.json"
PACKAGE = FOLDER / "package.json"
INDENTS = (0, 2)
"""The blanks in front of the keys of texts: in a document, and among the texts that an erratum replaces."""
BEFORE, BEHIND = "(?<![A-Za-z0-9'’-])", "(?![A-Za-z0-9-])"


def vocabulary_of(game: str) -> Vocabulary:
    """The words of a shipped game."""
    loaded = load_game(game)
    return study(loaded.library, loaded.name, loaded.boards.usual, loaded.options(None)).vocabulary


def sorts() -> dict[str, str]:
    """The sort of each spelling; games that differ about one have an act, or the first sort."""
    found: dict[str, str] = {}
    for folder in shipped_games():
        words = vocabulary_of(folder.name)
        for spelling in words.entries:
            length, sort = sort_of(list(spelling), words)
            if sort is not None and length == len(spelling) and TYPES[sort] != "keyword":
                word = " ".join(spelling)
                known = found.get(word, TYPES[sort])
                found[word] = "function" if "function" in (known, TYPES[sort]) else known
    own = (*function_words(), *function_words(within=True), *NUMBER_WORDS)
    return {**dict.fromkeys(own, "keyword"), **found}


def scopes() -> dict[str, str]:
    """The scope of each sort, as the package gives it to the colours of the server."""
    (told,) = json.loads(PACKAGE.read_text(encoding="utf-8"))["contributes"]["semanticTokenScopes"]
    return {sort: names[0] for sort, names in told["scopes"].items()}


def matched(spellings: Iterable[str], in_any_letters: bool) -> str:
    """The expression for some spellings; names keep their capital letters, and sentences begin with one."""
    told = "|".join(re.sub(r"\\ ", " +", re.escape(one)) for one in sorted(spellings))
    return f"{BEFORE}(?{'i' * in_any_letters}:{told}){BEHIND}"


def grammar() -> dict[str, Any]:
    """The grammar: texts of rules by their keys, and in them the longest words first."""
    words, named = sorts(), scopes()
    number = {"match": f"{BEFORE}[0-9]+(-[0-9]+)?{BEHIND}", "name": named["number"]}
    rows = [{"match": "#.*", "name": "comment.line.number-sign.warchest"}, number]
    for length in sorted({one.count(" ") for one in words}, reverse=True):
        for sort in ("class", *(one for one in TYPES if one not in ("class", "number"))):
            these = [one for one, of in words.items() if of == sort and one.count(" ") == length]
            if these:
                rows.append({"match": matched(these, sort != "class"), "name": named[sort]})
    keys = "|".join(sorted(read_schemas().texts))
    return {
        "information_for_contributors": ["Made by `python tests/docs/sentences_support.py`; do not edit."],
        "name": "Sentences of cards",
        "scopeName": "warchest.sentences",
        "injectionSelector": "L:source.yaml -comment -meta.sentences.warchest",
        "patterns": [text_below(keys, indent) for indent in INDENTS],
        "repository": {"words": {"patterns": rows}},
    }


def text_below(keys: str, indent: int) -> dict[str, Any]:
    """The rule for literal blocks whose keys have a given indentation."""
    return {
        "begin": rf"(?<=^{' ' * indent})({keys})(:)[ \t]+(\|[1-9+-]*)[ \t]*$",
        "while": rf"(?<=^{' ' * indent})(?=[ \t]|$)|^$",
        "beginCaptures": {
            "1": {"name": "entity.name.tag.yaml"},
            "2": {"name": "punctuation.separator.key-value.mapping.yaml"},
            "3": {"name": "keyword.control.flow.block-scalar.literal.yaml"},
        },
        "contentName": "meta.sentences.warchest",
        "patterns": [{"include": "#words"}],
    }


def written() -> str:
    """The text of the file."""
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(written(), encoding="utf-8")
