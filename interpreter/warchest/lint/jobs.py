"""Jobs, the units of linting: each is one game with the files that are read, and those that are reported on."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.load import DECLARES
from warchest.source.contents import Contents
from warchest.source.data import GAME_FILE, data_folder, folders_of, shipped_game, shipped_games
from warchest.source.folders import TooMuch, is_file, is_yaml, once
from warchest.source.limits import MAX_FILES
from warchest.source.records import record

_HEAD = 4096
_DECLARES = re.compile(rf"^(?:{'|'.join(DECLARES)})[ \t]*:", re.MULTILINE)
_IS_GAME = re.compile(r"\A(?:[ \t]*(?:#[^\n]*)?\r?\n|---[^\n]*\n)*game[ \t]*:")
_RULINGS = "rulings"


class UnknownGame(ValueError):
    """There is no game of the given name; the message lists the names."""


class Unlinted(Exception):
    """A job failed for a reason other than a fault of its files; the message names the job and the reason."""


@dataclass(slots=True)
class Job:
    """A game's folder, the files read with it (by the names to print), and those reported on."""

    folder: Path
    files: list[Path] = field(default_factory=list)
    shown: set[str] = field(default_factory=set)
    found: set[Path] = field(default_factory=set)
    """The files found in a folder, which were not named themselves."""
    alone: list[Path] = field(default_factory=list)
    """The individually named files, whose neighbours may declare the words that they use."""
    on_top: bool = False
    """Whether the files reported on do not belong to the game itself."""
    contents: Contents = field(default_factory=Contents, compare=False, repr=False)
    """The contents of the files that were already read."""


@record()
class Report:
    """The outcome of a job: the findings to show, the number of findings elsewhere, and the number of files read."""

    findings: tuple[Diagnostic, ...]
    elsewhere: int
    read: int
    passed_over: tuple[str, ...] = ()
    """The files in folders to be reported on that are not documents."""
    widened: bool = False
    """Whether the neighbours of the job's files had to be read with them."""


def folder_of(name: str) -> Path:
    """Return the folder of a shipped game, or a name with a slash as a folder; raises UnknownGame."""
    own = Path(name) if os.sep in name else None
    if own is not None and not os.path.isfile(own / GAME_FILE):
        raise UnknownGame(f"{name} is no folder of a game: there is no {GAME_FILE} in it")
    folder = own or shipped_game(name)
    if folder is None:
        names = [one.name for one in shipped_games()]
        help = did_you_mean(name, names) or f"there are: {', '.join(names)}"
        raise UnknownGame(f"there is no game `{name}`; {help}")
    return folder


def jobs(
    paths: Sequence[Path],
    game: str | None,
    cards: Sequence[Path],
    lost: list[Path] | None = None,
    is_excluded: Callable[[Path], bool] = lambda _: False,
    contents: Contents | None = None,
) -> list[Job]:
    """Return the jobs that lint these paths; raises UnknownGame and TooMuch.

    A file in the folder of a game belongs to that game; any other is read on top of the game called `game`. Broken
    links in folders are added to `lost`. Files found in folders are skipped if `is_excluded` says so. `contents` can
    have texts in place of files, also of new ones.
    """
    lost = [] if lost is None else lost
    wanted = list(paths)
    if not wanted:
        wanted = [_near(folder_of(game) if game else data_folder("cards")), *cards]
    contents = contents or Contents()
    extra = _named(cards, lost if paths else [], contents)
    by_folder: dict[Path, dict[Path, Path]] = {}
    loose: dict[Path, Path] = {}
    known: dict[Path, Path | None] = {}
    for absolute, file in _named(wanted, lost, contents).items():
        if file not in wanted and is_excluded(file):
            continue
        folder = _home(absolute, known, contents)
        (by_folder.setdefault(folder, {}) if folder is not None else loose)[absolute] = file
    found = [_job(folder, files, extra, contents) for folder, files in sorted(by_folder.items())]
    named = {path for path in (*wanted, *cards) if not os.path.isdir(path)}
    if loose:
        job = _job(_absolute(folder_of(game or "war-chest")), loose, extra, contents)
        found.append(replace(job, on_top=True, alone=[file for file in loose if loose[file] in named]))
    return [replace(job, found=set(job.files) - named, contents=contents) for job in found]


def with_neighbours(job: Job) -> Job:
    """Return the job with the neighbours of the individually named files: one card may refer to the others."""
    read = {_absolute(file) for file in job.files}
    beside = _neighbours(job.alone, job.contents)
    read |= _targets_in(read, beside)
    others = [name for file, name in beside.items() if file not in read]
    return replace(job, files=[*job.files, *others], found={*job.found, *others}, alone=[], on_top=False)


def _neighbours(files: Iterable[Path], contents: Contents) -> dict[Path, Path]:
    """Return the neighbours of files that belong to no game.

    For a file below the working folder, these are all cards in its top-level folder there, and those directly in the
    working folder; for a file elsewhere, all cards in the folder of the file and below.
    """
    here, found = Path.cwd(), dict[Path, Path]()
    known: dict[Path, Path | None] = {}
    for folder in sorted({file.parent for file in files}):
        below = folder.relative_to(here).parts if folder.is_relative_to(here) else ()
        try:
            beside = contents.files(here / below[0] if below else folder).files if folder != here else []
            if folder.is_relative_to(here):
                beside += contents.files(here, below=False).files
        except TooMuch:
            beside = []  # the named file is checked nevertheless, by itself
        found.update((file, _near(file)) for file in beside if _home(file, known, contents) is None)
    return found


def _job(folder: Path, asked: dict[Path, Path], extra: dict[Path, Path], contents: Contents) -> Job:
    """Read the whole folder; of its rulings, which no other document needs, only the requested ones.

    The documents that a game begins from are read before it, and are not reported on.
    """
    folders = [_absolute(one) for one in folders_of(folder)]
    read = {
        file: asked.get(file) or _near(file)
        for one in folders
        for file in contents.files(one).files
        if file in asked or not _is_rulings(file, one)
    }
    read.update({file: name for file, name in extra.items() if file not in read})
    for file in _targets_in(asked, list(read)):
        del read[file]
    read.update(asked)
    return Job(_near(folders[0]), list(read.values()), {str(name) for name in asked.values()}, on_top=len(folders) > 1)


def _is_rulings(file: Path, folder: Path) -> bool:
    return _RULINGS in file.parts[len(folder.parts) : -1]


def _named(paths: Iterable[Path], lost: list[Path], contents: Contents) -> dict[Path, Path]:
    """Return all files in `paths` by their locations, each with the path that named it.

    A folder without files is returned itself, so that it can be reported. Broken links are added to `lost`.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        looked = contents.files(path)
        lost += looked.lost
        for file in looked.files or [path]:
            found.setdefault(_absolute(file), file)
        if len(found) > MAX_FILES:
            raise TooMuch(path, MAX_FILES, "YAML files up to here")
    return {file: found[file] for file in once(found)}


def _targets_in(links: Iterable[Path], files: Iterable[Path]) -> set[Path]:
    """Return the files that are also the targets of links."""
    targets = {os.path.realpath(file) for file in links if os.path.islink(file)}
    return {file for file in files if targets and os.path.realpath(file) in targets}


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))


def _near(path: Path) -> Path:
    """Return a path below the working folder relative to that folder, and any other path unchanged."""
    here = os.path.join(os.getcwd(), "")
    return Path(str(path)[len(here) :]) if str(path).startswith(here) else path


def _home(file: Path, known: dict[Path, Path | None], contents: Contents) -> Path | None:
    """Return the nearest folder above a file that contains a document of kind `game`."""
    passed: list[Path] = []
    found: Path | None = None
    start = file.parent if is_yaml(file.name) else file
    for folder in (start, *start.parents):
        if folder in known:
            found = known[folder]
            break
        passed.append(folder)
        if _game_folder(folder, contents):
            found = folder
            break
    known.update(dict.fromkeys(passed, found))
    return found


def _game_folder(folder: Path, contents: Contents) -> bool:
    try:
        with os.scandir(folder) as entries:
            inside = [entry.path for entry in entries if is_yaml(entry.name) and is_file(entry)]
    except OSError:
        return False
    inside += contents.new_in(folder)
    # The documents of a game with more files than this would not be read anyway.
    return len(inside) <= MAX_FILES and any(_begins_with_game(path, contents) for path in sorted(inside))


def _begins_with_game(path: str, contents: Contents) -> bool:
    try:
        head = contents.of(path)[:_HEAD].decode("utf-8-sig", errors="replace").replace("\r", "\n")
    except (OSError, ValueError):
        return False
    # A position begins with its game, too, but declares nothing.
    return _IS_GAME.match(head) is not None and _DECLARES.search(head) is not None
