"""Lets the tests of this folder compile each thing once in a run, however many work at it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import warchest
from loaded import load_once


@pytest.fixture(scope="session", autouse=True)
def _made_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    from native_support import Made

    base = tmp_path_factory.getbasetemp()
    # Processes that test side by side have folders beside each other.
    Made.folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "made-natively"
    Made.folder.mkdir(exist_ok=True)


@pytest.fixture(autouse=True)
def _loaded_once(loads_once: None) -> None:
    """Let commands have the games that the tests beside them play."""


@pytest.fixture
def compiled_for_tests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the native machines be those that the other tests of this folder have compiled, with all their checks."""
    from lockstep_support import checked_for

    from warchest.game import native_engine

    monkeypatch.setattr(native_engine, "library_for", checked_for)
    native_engine.native_machine.cache_clear()
    yield
    native_engine.native_machine.cache_clear()


@pytest.fixture(scope="session")
def further(tmp_path_factory: pytest.TempPathFactory, gong: str) -> Path:
    """A folder with all the cards that tests of this folder make up."""
    from further_cards import write_cards

    folder = tmp_path_factory.mktemp("further") / "cards"
    write_cards(folder, gong)
    return folder


@pytest.fixture(scope="session")
def further_game(further: Path) -> warchest.Game:
    """War Chest with those cards."""
    return load_once("war-chest", [further])
