"""The texts that a client has open, with their findings, their game and its words.

Open texts are held in memory, and other files are read from the disk. No card file is ever written.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from warchest.diagnostics.codes import report
from warchest.documents.library import Document
from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.game.game_files import folder_of, no_game
from warchest.lint.clean_jobs import FOLDER
from warchest.lint.explanations import with_help
from warchest.lint.fixing.fix_trial import lint_and_try
from warchest.lint.jobs import Job, Report, UnknownGame, jobs, with_neighbours
from warchest.lint.run import LintSteps, lint_in_steps
from warchest.lint.settings import FILE, PROJECT, Settings, settings
from warchest.lsp.game_versions import GameKey, GivenText, LatestVersion, heads
from warchest.lsp.protocol import RequestError
from warchest.paraphrase.reading import Study, study
from warchest.source.cache import Cache, own_cache
from warchest.source.contents import Contents
from warchest.source.data import folder_around
from warchest.source.folders import TooMuch
from warchest.source.text import Source
from warchest.words.following import WordRanking


class StudiedGame(NamedTuple):
    """A game that was read, though not checked to be played, and its study."""

    game: Game
    study: Study


@dataclass(slots=True)
class OpenText:
    """A text that a client has open: its version there, and its source."""

    version: int | None
    source: Source


@dataclass(frozen=True, slots=True)
class _Neighbour:
    """A file in the folder of an open one: the names of its documents, and whether it declares or defines words."""

    file: Path
    path: str
    names: tuple[str, ...]
    defines: bool


def _told_of(file: Path, contents: Contents) -> _Neighbour:
    source = contents.source(file).source
    text = source.text if source is not None else ""
    names = tuple(one.strip().strip("'\"") for one in _NAMED.findall(text))
    return _Neighbour(file, os.path.abspath(file), names, bool(_DEFINES.search(text)))


_NAMED = re.compile(r"^[a-z]+: {0,9}([\"']?[A-Z][^\n#]*)", re.MULTILINE)
"""A value with a capital letter after a key that is not indented, such as the name of a document."""
_DEFINES = re.compile(r"^(?:words|game):|\bto [a-z][a-z -]*:|\bis [a-z-]+ when\b|^(?:documents|things):", re.MULTILINE)
"""The signs of a text that declares or defines words."""


@dataclass
class Workspace:
    """The open texts of a client, by their paths."""

    root: Path | None = None
    """The folder that the client works in; None for the working folder."""
    texts: dict[str, OpenText] = field(default_factory=dict)
    chosen_game: str | None = None
    """The game that the client has chosen; it takes precedence over the settings."""
    settings: Settings = field(default_factory=Settings)
    """The settings of the project; while they are not valid, those that were valid before."""
    _marks: tuple[tuple[str, int, int], ...] | None = None
    """The files that may hold settings, each with its time and its size, as they were read."""
    _disk: Contents = field(default_factory=Contents)
    """The contents of files on the disk, without those that a text replaces."""
    _read: Contents = field(default_factory=Contents)
    """The contents of files as they were linted last, with the texts in `_given` in place of some."""
    _given: dict[str, OpenText] = field(default_factory=dict)
    _jobs: dict[str, Job] = field(default_factory=dict)
    _neighbours: dict[str, list[_Neighbour]] = field(default_factory=dict)
    """The files that belong together with those of a folder."""
    _near: dict[str, tuple[tuple[int, ...], Game | None]] = field(default_factory=dict)
    """The game with the cards near the text of the last request, and the texts that it was made of."""
    _rankings: dict[int, tuple[Study, WordRanking]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._games = LatestVersion(self._game)
        self._studies = LatestVersion(self._studied)

    # ---- texts

    def take(self, path: str, version: int | None, text: str) -> None:
        """Take a text that a client has opened or changed."""
        if path not in self.texts and not os.path.exists(path):
            self._list_anew()
        self.texts[path] = OpenText(version, Source(path, text))

    def open_text(self, path: str, field: str = "textDocument") -> Source:
        """Return the text of a file that is open; raises RequestError about a field of the request if it is not."""
        if path not in self.texts:
            raise RequestError(f"{path} is not open", data={"field": field})
        return self.texts[path].source

    def close(self, path: str) -> None:
        """Forget an open text; from now on its file is read."""
        self.texts.pop(path, None)
        self.forget()

    def forget(self) -> None:
        """Clear all caches, because files were added, removed or changed on the disk."""
        self._list_anew()
        self._disk, self._read = Contents(), Contents()
        self._given.clear()
        self._rankings.clear()

    def _list_anew(self) -> None:
        """Clear the caches that depend on which files there are."""
        self._jobs.clear()
        self._near.clear()
        self._neighbours.clear()
        self._games.forget()
        self._studies.forget()

    def choose_game(self, name: str) -> None:
        """Let the texts belong to a shipped game from now on; raises RequestError if there is none of that name."""
        if folder_of(name) is None:
            raise RequestError(no_game(name), data={"field": "game"})
        self.chosen_game, self._marks = name, None

    def renew_settings(self) -> bool:
        """Read the settings if their files have changed; return whether they have. Raises SettingsError."""
        marks = tuple(_marks_of(self.root or Path.cwd()))
        if marks == self._marks:
            return False
        self._marks = marks
        found = settings(folder=self.root)
        self.settings = found if self.chosen_game is None else replace(found, game=self.chosen_game)
        self.forget()
        return True

    @cached_property
    def _records(self) -> Cache | None:
        """The records of earlier runs; None where they could be another user's."""
        return own_cache(FOLDER)[0]

    def _contents(self) -> Contents:
        """Return the contents of all files, with the open texts; the others are read once."""
        changed = {path: one for path, one in self.texts.items() if self._given.get(path) is not one}
        if changed:
            self._read = self._read.with_texts({path: one.source.text for path, one in changed.items()})
            self._given.update(changed)
        return self._read

    # ---- findings

    def steps(self, path: str) -> LintSteps | None:
        """Return the linting of an open text, for which files beside it may declare words; None if it is excluded."""
        job = self._current_job(path)
        return None if job is None else lint_in_steps(job, self._records)

    def shown(self, report: Report) -> Report:
        """Return a report with the findings that the settings select, each with its help."""
        return replace(report, findings=tuple(map(with_help, self.settings.applied(report.findings))))

    def with_fixes(self, path: str) -> Report:
        """Return the report on an open text, with fixes that were tried; this takes several times as long."""
        job = self._current_job(path)
        return Report((), 0, 0) if job is None else self.shown(lint_and_try(job, self._records))

    def _current_job(self, path: str) -> Job | None:
        job = self._job(path)
        return None if job is None else self._with_spoken_of(replace(job, contents=self._contents()), path)

    def _with_spoken_of(self, job: Job, path: str) -> Job:
        """Return a job with the neighbours of its file that its text mentions, or that define words."""
        if not job.alone:
            return job
        folder = os.path.dirname(path)
        if folder not in self._neighbours:
            known = {*job.files}
            others = [file for file in with_neighbours(job).files if file not in known]
            # Other files of the folder are read beside this one, and this one beside them.
            self._neighbours[folder] = [_told_of(file, job.contents) for file in (*others, *job.alone)]
        text = job.contents.source(job.alone[0]).source
        said = text.text if text is not None else ""
        beside = (
            _told_of(one.file, job.contents) if one.path in self.texts else one
            for one in self._neighbours[folder]
            if one.path != path
        )
        files = [one.file for one in beside if one.defines or any(name in said for name in one.names)]
        return replace(job, files=[*job.files, *files], found={*job.found, *files}, alone=[])

    def _job(self, path: str) -> Job | None:
        if self.settings.is_excluded(Path(path)):
            return None
        if path not in self._jobs:
            chosen = self.settings
            try:
                (job,) = jobs([Path(path)], chosen.game, chosen.cards, contents=self._contents())
            except (UnknownGame, TooMuch, FileNotFoundError, ValueError):
                return None
            # An editor opens all sorts of YAML: as in a folder, other files than documents are passed over.
            self._jobs[path] = replace(job, found={*job.found, Path(path)})
        return self._jobs[path]

    # ---- the game

    def game(self, path: str) -> Game | None:
        """Return the game of a file to be played; None where there is none."""
        key = self._made_of(path)
        return self._games.of(key, self._texts_of(key)) or self._games.of(GameKey(key.name, ()), {})

    def whole_game(self, path: str, without: Collection[str] = ()) -> Game:
        """Return the game of a file to be played, with all texts as they are; raises CardError where one has errors.

        The files whose paths are in `without` are left out.
        """
        key = self._made_of(path)
        texts = self._texts_of(key)
        game = None if without else self._games.of(key, texts)
        if game is None or not self._games.is_whole(key):
            given: dict[str, str | None] = {one: source.text for one, source in texts.items()}
            return self._with(key, None, given | dict.fromkeys(without), True)
        return game

    def near_game(self, path: str) -> Game | None:
        """Return the game of an open text with only the other cards that the text mentions, to run its rulings.

        In a large folder that is much quicker than the whole game, which is returned if this fails.
        """
        marks = tuple(id(one.source) for one in self.texts.values())
        if self._near.get(path, ((), None))[0] != marks:
            self._near = {path: (marks, self._made_near(path))}
        return self._near[path][1] or self.game(path)

    def _made_near(self, path: str) -> Game | None:
        job, home = self._current_job(path), folder_of(self.settings.game or "war-chest")
        if job is None or home is None or not job.on_top:
            return None
        inside = heads([str(home)])
        files = [file for file in job.files if not os.path.abspath(file).startswith(inside)]
        try:
            return Game(home, files, job.contents, {path: self.texts[path].source.text})
        except CardError:
            return None

    def is_whole(self, path: str) -> bool:
        """Whether the game of a file is made from all texts as they are in the editor."""
        return self._games.is_whole(self._made_of(path))

    def _texts_of(self, key: GameKey) -> dict[str, Source]:
        """Return the open texts in the folders that a game is made of."""
        home = key.name if os.sep in key.name else str(folder_of(key.name) or "")
        inside = heads((*([home] if home else []), *key.folders))
        return {path: one.source for path, one in self.texts.items() if path.startswith(inside)}

    def _game(self, key: GameKey, last: Game | None, texts: GivenText) -> Game:
        """Return a game with some texts, checked; raises CardError."""
        return self._with(key, last, texts, True)

    def _studied(self, key: GameKey, last: StudiedGame | None, texts: GivenText) -> StudiedGame:
        """Return the study of a game with some texts, which is quicker to make than a whole game; raises CardError."""
        game = self._with(key, last.game if last is not None else None, texts, False)
        if last is not None and game is last.game:
            return last
        made = study(game.library, game.name, game.boards.usual, game.options(None))
        if made.errors:
            raise CardError(made.errors)
        return StudiedGame(game, made)

    def _with(self, key: GameKey, last: Game | None, texts: GivenText, is_checked: bool) -> Game:
        """Return a game with some texts, and without the files whose text is None; raises CardError."""
        if last is None:
            contents = self._disk.with_texts(texts)
            folders = [Path(one) for one in key.folders if contents.files(Path(one)).files]
            home = folder_of(Path(key.name) if os.sep in key.name else key.name)
            if home is None:
                raise CardError([report("no-such-document", f"there is no game {key.name!r}", None)])
            return Game(home, folders, contents, texts, is_checked)
        sources = {os.path.abspath(one.path): one.text for one in last.library.sources}
        changed = {path: text for path, text in texts.items() if sources.get(path) != text}
        return last.with_texts(changed) if changed else last

    def _made_of(self, path: str) -> GameKey:
        """Return the game of a file, and the folders of cards that are read on top of it."""
        around = folder_around(Path(path))
        if around is not None:
            return GameKey(f"{around}{os.sep}", ())
        cards = (os.path.abspath(one) for one in self.settings.cards)
        folders = dict.fromkeys((os.path.dirname(path), *cards))
        apart = [one for one in folders if folders.keys().isdisjoint(map(str, Path(one).parents))]
        return GameKey(self.settings.game or "war-chest", tuple(apart))

    def ranking(self, path: str) -> WordRanking | None:
        """Return the ranking of the words of the game of a file, by its last study.

        During typing, the words of the game rarely change, and a new study takes too long.
        """
        known = self.words(path)
        if known is None:
            return None
        if id(known) not in self._rankings:
            self._rankings = {id(known): (known, WordRanking(known.vocabulary, known.library))}
        return self._rankings[id(known)][1]

    def words(self, path: str) -> Study | None:
        """Return the last study of the game of a file, for its words; a new study if there is none."""
        known = self._studies.latest(self._made_of(path))
        return known.study if known is not None else self.study(path)

    def study(self, path: str) -> Study | None:
        """Return the study of the current game of a file, which explains sentences; None where there is no game."""
        found = self._studied_game(path)
        return found.study if found is not None else None

    def _studied_game(self, path: str) -> StudiedGame | None:
        key = self._made_of(path)
        return self._studies.of(key, self._texts_of(key)) or self._studies.of(GameKey(key.name, ()), {})

    def documents(self, path: str) -> list[Document]:
        """Return the documents of a file in its game."""
        found = self._studied_game(path)
        return found.game.library.in_file(path) if found is not None else []


def _marks_of(folder: Path) -> list[tuple[str, int, int]]:
    """Return the files in a folder and above it that may hold settings, each with its time and its size."""
    found = list[tuple[str, int, int]]()
    for place in (folder, *folder.parents):
        for name in (FILE, PROJECT):
            path = os.path.join(place, name)
            with suppress(OSError):
                told = os.stat(path)
                found.append((path, told.st_mtime_ns, told.st_size))
    return found
