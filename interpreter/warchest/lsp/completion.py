"""Completion of the next words of a sentence, and the meanings of words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warchest.lsp.key_completion import REFERENCE, completed
from warchest.lsp.links import declared, said_of
from warchest.lsp.text_positions import range_of
from warchest.lsp.workspace import Workspace
from warchest.paraphrase.reading import Study
from warchest.source.text import Source, Span
from warchest.words.expected import LANGUAGE, NextWord, begin_of_word
from warchest.words.following import block_at

KEYWORD = 14
"""The kind of completion of the protocol for all words of sentences except names."""
MOST_WORDS = 400
"""The most words in a list of completions; the likeliest come first."""
SORTS = {
    "NOUN": "a thing",
    "PLURAL": "things",
    "ADJ": "an adjective",
    "VERB": "an act",
    "VERBS": "an act",
    "VERBED": "an act done",
    "NAME": "a name",
    "NAMES": "names",
    "ADV": "an adverb",
    "PARAMETER": "a number to be filled in",
    LANGUAGE: "of the language",
}
"""The names of the sorts of words, as editors show them."""
_LONGEST = 400
"""The most characters of a text that a meaning quotes."""
_DEFINED = r"(?:^|\s)to {0}\b|\b{0} when\b"
_EXAMPLES = 2


def completions(workspace: Workspace, path: str, source: Source, offset: int) -> dict[str, object]:
    """Return the next words that a sentence allows, the likeliest first, or the keys that a document can have."""
    ranking, block = workspace.ranking(path), block_at(source, offset)
    if ranking is None:
        return {"isIncomplete": False, "items": []}
    if block is None:
        study = workspace.words(path)
        return {"isIncomplete": False, "items": list(completed(study, source, offset)) if study is not None else []}
    begin = begin_of_word(source.text, block.start, offset)
    found = ranking.words(source.text, block.start, offset)
    edit = range_of(source.span(begin, offset))
    items = [_item(one, number, edit, path) for number, one in enumerate(found[:MOST_WORDS])]
    return {"isIncomplete": len(found) > MOST_WORDS, "items": items}


def _item(word: NextWord, number: int, edit: dict[str, object], path: str) -> dict[str, object]:
    return {
        "label": word.text,
        "kind": REFERENCE if word.sort in ("NAME", "NAMES") else KEYWORD,
        "detail": SORTS.get(word.sort, ""),
        "sortText": f"{number:04}",
        "textEdit": {"range": edit, "newText": word.text},
        "data": [path, word.sort],
    }


def meaning_of(study: Study, word: str, sort: str) -> str:
    """Return the meaning of a word: the text that defines it, or a document of this name; without either, its uses."""
    if sort == LANGUAGE:
        return _examples(study, word)
    lexeme = next(
        (form for kind, form in study.vocabulary.entries.get(tuple(word.split()), {}).items() if kind == sort), word
    )
    told = next((_cut(one) for one in _defining(study, lexeme)), "")
    if told:
        return told
    for span in declared(study, [lexeme]):
        return _cut(_paragraph(span))
    return _examples(study, word)


def _defining(study: Study, lexeme: str) -> Iterator[str]:
    """Yield the sentences that define an act or an adjective."""
    pattern = re.compile(_DEFINED.format(re.escape(lexeme)), re.IGNORECASE)
    for span in said_of(study, lexeme):
        line = _sentence(span)
        if pattern.search(line):
            yield line


def _examples(study: Study, word: str) -> str:
    """Return sentences of the game's texts in which a word is used."""
    found: dict[str, None] = {}
    for span in said_of(study, word):
        if _is_in_block(span):
            found[_cut(_sentence(span))] = None
        if len(found) == _EXAMPLES:
            break
    return "\n".join(("as in:", *found)) if found else ""


def _is_in_block(span: Span) -> bool:
    """Whether a word is on an indented line without a key, as those of sentences are."""
    text = span.source.text
    line = text[text.rfind("\n", 0, span.start) + 1 : text.find("\n", span.end)]
    return line.startswith("  ") and "#" not in line and not line.strip().startswith("-") and ": " not in line


def _sentence(span: Span) -> str:
    """Return the sentence around a word, on one line."""
    text = span.source.text
    start = max(text.rfind(mark, 0, span.start) for mark in (".\n", ". ", "|\n", "\n\n"))
    end = text.find(".", span.end)
    lines = text[start + 1 if start >= 0 else 0 : end + 1 if end >= 0 else span.end].split("\n")
    said = (line.partition("#")[0] for line in lines)
    return " ".join(" ".join(said).split()).removeprefix("| ")


def _paragraph(span: Span) -> str:
    """Return the lines from a declaration on that belong to it: those that are indented deeper."""
    lines = span.source.text[span.source.text.rfind("\n", 0, span.start) + 1 :].split("\n")
    margin = len(lines[0]) - len(lines[0].lstrip())
    inside = [lines[0]]
    for line in lines[1:]:
        if line.startswith("---") or (margin and line.strip() and len(line) - len(line.lstrip()) <= margin):
            break
        inside.append(line)
    return "\n".join(inside).strip()


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()} …"
