"""A cache for linting and loading a game thousands of times, each time with one other file.

Unchanged files are not parsed again, nor are sentences with the same words; and of a file that gives no document the
game without it is checked only now and then, because that does not test the file.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from typing import Any
from zlib import crc32

from remembered import keep, put, remember_files
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.library import Document, Library
from warchest.lint import run
from warchest.lint.sentences.texts import Texts
from warchest.resolve import resolve as check
from warchest.source.text import Source, Span
from warchest.syntax.words import Vocabulary

LOOKED_THROUGH = 25
"""One in this many files that give no document is linted with all the rest of its game."""
_blocks: dict[tuple[int, Span, int], tuple[Source, Any]] = {}
_words: dict[str, int] = {}
_last: list[Any] = [None, 0]
_read_block, _findings = check._parsed, run._game_findings


def remember() -> None:
    """Let loading, linting and checking remember from now on."""
    remember_files()
    put((check, "_parsed", _read_block_once), (run, "_game_findings", _findings_of))


def _read_block_once(span: Span, vocabulary: Vocabulary) -> Any:
    if _last[0] is not vocabulary:
        _last[:] = vocabulary, _words.setdefault(repr(vocabulary), len(_words))
    key = (id(span.source), span, _last[1])
    found = _blocks.get(key) or keep(_blocks, key, (span.source, _read_block(span, vocabulary)))
    return found[1]


def _findings_of(
    library: Library, game: Document, shown: Collection[str], replaceable: Collection[str]
) -> Generator[list[Diagnostic] | None, None, tuple[list[Diagnostic], Texts]]:
    """Lint a game in steps, unless none of its files is asked for."""
    texts = [one.text for one in library.sources if one.path in shown]
    asked = any(one.span.path in shown for one in library.documents)
    if asked or crc32("".join(texts).encode("utf-8", "replace")) % LOOKED_THROUGH == 0:
        return (yield from _findings(library, game, shown, replaceable))
    return [], Texts(library, game, shown)
