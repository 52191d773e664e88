"""Texts of other games: in one folder there can be cards of several, and each game leaves out those of the others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.load import declared
from warchest.lint.jobs import Job, Report, jobs
from warchest.lint.run import lint
from warchest.source.data import GAME_FILE, folder_around, is_shipped, shipped_games
from warchest.source.folders import files_in
from warchest.source.read import read_source
from warchest.source.text import Source

BELONGS = "other-game"
"""The name of the finding that a text belongs to another game; it has no code, because the text has no fault."""
_STRANGE = ("no-such-document", "undeclared", "unknown-name", "unknown-word", "unknown-key", "unknown-kind")
"""The findings about names and words that another game may know."""
_QUOTED = re.compile(r"`([^`]*)`")
_WORD = re.compile(r"[\w'-]+")
_HEAD = re.compile(r"^\w[\w -]*:.*$", re.MULTILINE)


class OtherGames:
    """Tells for texts which of them belong to another shipped game than the one in play.

    The kind of its first document tells, if only the other game declares it. Else it is one with strange words in the
    game in play, and without errors in the other: that is judged again on changes only if it was so before.
    """

    def __init__(self) -> None:
        self._own: set[tuple[str, str, str]] = set()
        """The texts that belong to the game in play: the path, the first key with its value, and the game."""

    def may_be(self, source: Source, game: str, found: Iterable[Diagnostic]) -> bool:
        """Whether a text with these findings may belong to another game than the one of this name."""
        if folder_around(Path(source.path)) is not None:
            return False
        if game_of_kind(source.text, game):
            return True
        known = (source.path, _head(source.text), game) in self._own
        return not known and any(one.name in _STRANGE for one in found if one.severity == "error")

    def of(self, job: Job, source: Source, game: str, report: Report) -> str:
        """Return the name of the other game that a text belongs to, by the report on it; empty if there is none."""
        errors = [one for one in report.findings if one.severity == "error" and one.file == source.path]
        name = ""
        if self.may_be(source, game, errors):
            others = (one for one in shipped_games() if one.name != game)
            fits = (one.name for one in others if _fits(one, job, source, errors))
            name = game_of_kind(source.text, game) or next(fits, "")
        if not name:
            self._own.add((source.path, _head(source.text), game))
        return name


def game_of_kind(text: str, game: str) -> str:
    """Return the name of another game that declares the kind of a text, where the game of this name does not."""
    kind = _head(text).partition(":")[0]
    games = {one.name: _kinds(one) for one in shipped_games()}
    if kind in games.get(game, {kind}):
        return ""
    return next((name for name, kinds in games.items() if kind in kinds), "")


def belonging(source: Source, other: str, game: str) -> Diagnostic:
    """Return the one finding on a text that belongs to another game."""
    first = _HEAD.search(source.text)
    span = source.span(first.start(), first.end()) if first is not None else source.span(0, 0)
    return Diagnostic("", BELONGS, "info", f"this belongs to the game `{other}`, and is left out of `{game}`", span,
                      f"choose the game `{other}` to play with it")  # fmt: skip


def _fits(folder: Path, job: Job, source: Source, errors: list[Diagnostic]) -> bool:
    """Whether a text with errors in the game in play belongs to the game in a folder: it has no errors there."""
    strange = (one for one in errors if one.name in _STRANGE)
    named = [word for one in strange for word in _QUOTED.findall(one.message)[:1]]
    if not any(set(_WORD.findall(one)) <= _words(folder) for one in named):
        return False  # such as misspelt words, which no game knows
    path = Path(source.path)
    (there,) = jobs([path], folder.name, [], contents=job.contents)
    beside = [file for file in job.files if not is_shipped(file) and file not in there.files]
    found = lint(replace(there, files=[*there.files, *beside], found={*there.found, path, *beside}, alone=[]))
    return bool(found.read) and all(one.severity != "error" for one in found.findings)


@cache
def _kinds(folder: Path) -> frozenset[str]:
    """Return the kinds of documents that a shipped game declares."""
    (game,) = declared([folder / GAME_FILE]).of_kind("game")
    return frozenset(game.values.get("documents", ()))


@cache
def _words(folder: Path) -> frozenset[str]:
    """Return all words in the texts of a shipped game."""
    texts = (read_source(file).source for file in files_in(folder))
    return frozenset(word for one in texts if one is not None for word in _WORD.findall(one.text))


def _head(text: str) -> str:
    found = _HEAD.search(text)
    return found[0] if found is not None else ""
