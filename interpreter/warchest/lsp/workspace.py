"""The texts that a client has open, with their findings, their game and its words.

Open texts are held in memory, and other files are read from the disk. No card file is ever written.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from warchest.documents.library import Document, Library
from warchest.game.errors import CardError
from warchest.game.game import Game, load_game
from warchest.lint.clean import folder as folder_of_records
from warchest.lint.explanations import with_help
from warchest.lint.fixing.trial import lint_and_try
from warchest.lint.jobs import Job, Report, UnknownGame, jobs, with_neighbours
from warchest.lint.run import lint
from warchest.lint.settings import Settings, SettingsError, settings
from warchest.paraphrase.reading import Study, study
from warchest.source.contents import Contents
from warchest.source.data import folder_around
from warchest.source.folders import TooMuch
from warchest.source.nodes import blocks
from warchest.source.private import doubt_of
from warchest.source.text import Source, Span
from warchest.source.yaml import parse
from warchest.syntax.lexer import scan


@dataclass(slots=True)
class OpenText:
    """A text that a client has open: its version there, and its source."""

    version: int | None
    source: Source


@dataclass(frozen=True, slots=True)
class _Neighbour:
    """A file in the folder of an open one: the names of its documents, and whether it declares or defines words."""

    file: Path
    names: tuple[str, ...]
    defines: bool


def _told_of(file: Path, contents: Contents) -> _Neighbour:
    source = contents.source(file).source
    text = source.text if source is not None else ""
    return _Neighbour(file, tuple(one.strip("'\"") for one in _NAMED.findall(text)), bool(_DEFINES.search(text)))


_NAMED = re.compile(r"^[a-z]+: *([\"']?[A-Z][^\n#]*?) *$", re.MULTILINE)
"""A value with a capital letter behind a key that is not indented, such as the name of a document."""
_DEFINES = re.compile(r"^(?:words|game):|\bto [a-z][a-z -]*:|\bis [a-z-]+ when\b|^(?:documents|things):", re.MULTILINE)
"""The signs of a text that declares or defines words."""


@dataclass
class Workspace:
    """The open texts of a client, by their paths."""

    texts: dict[str, OpenText] = field(default_factory=dict)
    _jobs: dict[str, Job] = field(default_factory=dict)
    _neighbours: dict[str, list[_Neighbour]] = field(default_factory=dict)
    """The files that belong together with those of a folder."""
    _games: dict[tuple[str, ...], Game] = field(default_factory=dict)
    """The last valid game, by its name and its folder of cards."""
    _refused: dict[tuple[str, ...], tuple[int, ...]] = field(default_factory=dict)
    """The texts with which a game was not valid, so that it is not loaded again with the same ones."""
    _studies: dict[int, tuple[Game, Study]] = field(default_factory=dict)
    _latest: dict[tuple[str, ...], Study] = field(default_factory=dict)

    # ---- texts

    def take(self, path: str, version: int | None, text: str) -> None:
        """Take a text that a client has opened or changed."""
        self.texts[path] = OpenText(version, Source(path, text))

    def close(self, path: str) -> None:
        """Forget an open text; from now on its file is read."""
        self.texts.pop(path, None)
        self.forget()

    def forget(self) -> None:
        """Clear all caches, because files were added, removed or changed on the disk."""
        self._jobs.clear()
        self._neighbours.clear()
        self._games.clear()
        self._refused.clear()
        self._studies.clear()
        self._latest.clear()

    @cached_property
    def settings(self) -> Settings:
        """The settings of the project; the defaults where these are not valid."""
        try:
            return settings()
        except SettingsError:
            return Settings()

    @cached_property
    def _records(self) -> Path | None:
        """The folder of records of earlier runs; None where it could belong to somebody else."""
        kept = folder_of_records()
        return None if kept is None or doubt_of(kept) else kept

    # ---- findings

    def report(self, path: str, with_fixes: bool = False) -> Report:
        """Return the linter's report on an open text; files beside it may declare words that it uses.

        Fixes are tried only on request, because that takes several times as long.
        """
        job = self._job(path)
        if job is None:
            return Report((), 0, 0)
        contents = job.contents
        for other, opened in self.texts.items():
            contents = contents.with_texts({other: opened.source.text})
        job = self._with_spoken_of(replace(job, contents=contents), path)
        found = (lint_and_try if with_fixes else lint)(job, self._records)
        return replace(found, findings=tuple(map(with_help, self.settings.applied(found.findings))))

    def _with_spoken_of(self, job: Job, path: str) -> Job:
        """Return a job with the neighbours of its file that its text mentions, or that define words."""
        if not job.alone:
            return job
        folder = os.path.dirname(path)
        if folder not in self._neighbours:
            beside = [file for file in with_neighbours(job).files if file not in job.files]
            self._neighbours[folder] = [_told_of(file, job.contents) for file in beside]
        text = job.contents.source(job.alone[0]).source
        said = text.text if text is not None else ""
        files = [one.file for one in self._neighbours[folder] if os.path.abspath(one.file) != path
                 and (one.defines or any(name in said for name in one.names))]  # fmt: skip
        return replace(job, files=[*job.files, *files], found={*job.found, *files}, alone=[])

    def _job(self, path: str) -> Job | None:
        if self.settings.is_excluded(Path(path)):
            return None
        if path not in self._jobs:
            chosen = self.settings
            try:
                (job,) = jobs([Path(path)], chosen.game, chosen.cards)
            except (UnknownGame, TooMuch, FileNotFoundError, ValueError):
                return None
            # An editor opens all sorts of YAML: as in a folder, other files than documents are passed over.
            self._jobs[path] = replace(job, found={*job.found, Path(path)})
        return self._jobs[path]

    # ---- the game

    def game(self, path: str) -> Game | None:
        """Return the game of a file, with all texts as they are in the editor, or were when the game was last valid."""
        key = self._made_of(path)
        texts = tuple(id(one.source) for one in self.texts.values())
        if self._refused.get(key) != texts:
            try:
                self._games[key] = self._current(self._games.get(key), key)
            except CardError:
                self._refused[key] = texts
        if key not in self._games and len(key) > 1:
            # The files contain errors; the game without them still has its own words.
            return self._games.get(key[:1]) or self._games.setdefault(key[:1], load_game(_named(key[0])))
        return self._games.get(key)

    def _current(self, known: Game | None, key: tuple[str, ...]) -> Game:
        game = known or load_game(_named(key[0]), [Path(one) for one in key[1:]])
        sources = {os.path.abspath(one.path): one for one in game.library.sources}
        for path, opened in self.texts.items():
            if path in sources and sources[path].text != opened.source.text:
                game = game.with_text(sources[path].path, opened.source.text)
        return game

    def _made_of(self, path: str) -> tuple[str, ...]:
        """Return the name or folder of the game of a file, and the folder of the file if it is outside of the game."""
        around = folder_around(Path(path))
        if around is not None:
            return (f"{around}{os.sep}",)
        return (self.settings.game or "war-chest", os.path.dirname(path))

    def words(self, path: str) -> Study | None:
        """Return the last study of the game of a file, for its words; a new one if there is none.

        While somebody types, the words of the game rarely change, and a new study takes too long.
        """
        known = self._latest.get(self._made_of(path))
        return known if known is not None else self.study(path)

    def study(self, path: str) -> Study | None:
        """Return the study of the current game of a file, which explains sentences; None where there is no game."""
        game = self.game(path)
        if game is None:
            return None
        known = self._studies.get(id(game))
        if known is None:
            made = study(game.library, game.name, game.boards.usual, game.options(None))
            known = game, made
            self._studies = {**dict(list(self._studies.items())[-3:]), id(game): known}
        self._latest[self._made_of(path)] = known[1]
        return known[1]

    def documents(self, path: str) -> list[Document]:
        """Return the documents of a file in its game."""
        game = self.game(path)
        found = game.library.documents if game is not None else []
        return [one for one in found if os.path.abspath(one.span.path) == path]


def _named(name: str) -> str | Path:
    return Path(name) if os.sep in name else name


def block_at(source: Source, offset: int) -> Span | None:
    """Return the block of sentences around an offset; None where there is none."""
    roots, _ = parse(source)
    found = next((one for root in roots for one in blocks(root) if one.start <= offset <= one.end), None)
    return found or _block_by_marks(source, offset)


def _block_by_marks(source: Source, offset: int) -> Span | None:
    """Return the block from the last `|` to an offset, where the text is not valid YAML at the moment."""
    text = source.text
    head = max(text.rfind("|\n", 0, offset), text.rfind("|-\n", 0, offset))
    start = text.find("\n", head) + 1
    if head < 0 or not start or start > offset:
        return None
    for line in text[start:offset].split("\n"):
        if line.strip() and not line.startswith((" ", "\t")):
            return None
    return source.span(start, offset)


def pairs_of_words(library: Library) -> Counter[tuple[str, str]]:
    """Return the number of times that each two words follow each other in the texts of a game, to rank next words."""
    counted: Counter[tuple[str, str]] = Counter()
    for document in library.documents:
        for entry in document.node.entries:
            for block in document.blocks(entry.key.text):
                words = ["", *(one.text for one in scan(block.source.text, block.start, block.end))]
                counted.update(pairwise(words))
    return counted
