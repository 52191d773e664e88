"""Games that are loaded once in each process, however many tests play them: a game is never changed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from random import Random

import warchest
from warchest.documents.library import Library
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.game.game import Game, load_game
from warchest.paraphrase.reading import Reading, Study, study
from warchest.source.data import data_folder


@cache
def shipped(name: str = "war-chest", *documents: str) -> Game:
    """Return a shipped game, with the texts of further documents; its own files are read once."""
    if not documents:
        return load_game(name)
    known = shipped(name)
    contents = known._contents
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(documents):
            file = Path(folder) / f"extra{number}.yaml"
            file.write_text(text, encoding="utf-8")
            contents = contents.with_texts({str(file): text})
        return Game(known.folder, [Path(folder)], contents)


@cache
def documents(name: str = "war-chest") -> Library:
    """Return all documents of a shipped game, its rulings and questions among them."""
    library = load([data_folder("cards") / name], read_schemas())
    assert library.findings == []
    return library


@cache
def load_modules() -> None:
    """Import all modules of the package, before pytest is run in this process: it forgets those that it imports."""
    import hypothesis.stateful  # noqa: F401

    for module in walk_packages(warchest.__path__, "warchest."):
        import_module(module.name)


def played(decisions: int, name: str = "war-chest", seed: int = 3, silent: bool = False) -> warchest.State:
    """Return a shipped game after the given number of decisions by chance."""
    rng, state = Random(seed), shipped(name).new(seed=seed)
    state.silent = silent
    for _ in range(decisions):
        if state.decision is None:
            break
        state.apply(state.decision.sample(rng))
    return state


@lru_cache(maxsize=16)
def _loaded(name: str | Path, extra: tuple[str | Path, ...], here: str, texts: frozenset[object]) -> warchest.Game:
    return load_game(name, extra)


def load_once(name: str | Path = "war-chest", extra: Iterable[str | Path] | str | Path = ()) -> warchest.Game:
    """Load a game as `load_game` does, and not again for the same paths while their files are unchanged."""
    paths = (extra,) if isinstance(extra, str | Path) else tuple(extra)
    if isinstance(name, str) and "/" not in name and not paths:
        # A shipped game is the same one wherever it is named.
        return shipped(name)
    return _loaded(name, paths, os.getcwd(), frozenset(_texts((name, *paths))))


def _texts(paths: Iterable[str | Path]) -> Iterator[tuple[Path, object]]:
    """Yield all files in some folders, with their contents; the shipped games stay as they are."""
    for path in map(Path, paths):
        for file in sorted(path.rglob("*")) if os.path.isdir(path) else [path]:
            with suppress(OSError, ValueError):
                yield file, file.read_bytes() if file.is_file() else file.lstat().st_mode


def studied(game: Game) -> Study:
    """Return the study of a game as it is usually played."""
    return study(game.library, game.name, game.boards.usual, game.options(None))


def read_card(game: Game, name: str) -> list[Reading]:
    """Return the readings of the texts of a card; each must be understood, and found words for."""
    (document,) = (one for one in game.library.documents if one.name == name)
    found = list(studied(game).document(document))
    assert found and all(isinstance(one, Reading) and not one.unsaid for one in found), found
    return [one for one in found if isinstance(one, Reading)]


def said_by(game: Game, name: str) -> list[str]:
    """Return the sentences in full of the texts of a card."""
    return [one for reading in read_card(game, name) for one in reading.said]
