"""Memory for whoever lints and loads a game thousands of times, one file of which is another each time.

Files that are as they were are not read anew, sentences are not parsed anew with the same words, and of a file that
gives no document the game without it is looked through only now and then: it says nothing of that file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any
from zlib import crc32

from warchest.check import check
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.load import Document, Library, files_in, load
from warchest.documents.schemas import Schemas
from warchest.game import game as games
from warchest.lint import run
from warchest.source.text import Span
from warchest.syntax.words import Vocabulary

LOOKED_THROUGH = 25
"""Of so many files that give no document, one is linted with all the rest of its game."""
MOST = 60_000
"""How many blocks, and a thirtieth of so many files, are remembered; they are forgotten together."""
_files: dict[tuple[str, bytes], Library] = {}
_parsed: dict[tuple[int, Span, int], Any] = {}
_words: dict[str, int] = {}
_last: list[Any] = [None, 0]
_parse, _findings = check._parsed, run._game_findings


def remember() -> None:
    """Let loading, linting and checking remember from now on."""
    games.load = run.load = _load  # type: ignore[attr-defined]
    check._parsed, run._game_findings = _parse_once, _findings_of


def _load(paths: Iterable[Path], schemas: Schemas) -> Library:
    """Read documents as `load` does."""
    whole = Library()
    for root in paths:
        for file in files_in([root]) or [root]:
            part = _one(file, schemas)
            whole.documents += part.documents
            whole.findings += part.findings
            whole.sources += part.sources
            whole.left_out |= part.left_out
    return whole


def _one(file: Path, schemas: Schemas) -> Library:
    if not file.is_file():
        return load([file], schemas)
    key = (str(file), file.read_bytes())
    if key not in _files:
        if len(_files) > MOST // 30:
            _files.clear()
        _files[key] = load([file], schemas)
    return _files[key]


def _findings_of(library: Library, game: Document, shown: Collection[str]) -> list[Diagnostic]:
    """Look through a game, unless nothing of it is asked for."""
    texts = [one.text for one in library.sources if one.path in shown]
    asked = any(one.span.path in shown for one in library.documents)
    if asked or crc32("".join(texts).encode("utf-8", "replace")) % LOOKED_THROUGH == 0:
        return _findings(library, game, shown)
    return []


def _parse_once(span: Span, vocabulary: Vocabulary) -> Any:
    """Parse a block; one that was parsed with the same words is remembered."""
    if _last[0] is not vocabulary:
        _last[:] = vocabulary, _words.setdefault(repr(vocabulary), len(_words))
    key = (id(span.source), span, _last[1])
    if key not in _parsed:
        if len(_parsed) > MOST:
            _parsed.clear()
        # The source is kept with it, so that no other one gets its number.
        _parsed[key] = span.source, _parse(span, vocabulary)
    return _parsed[key][1]
