"""Limits of the tests of this folder, which leave out most positions, games and native machines."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

import pytest

from warchest.engine import runs
from warchest.native.c_compiler import Unavailable
from warchest.testing import law_check, playing


@contextmanager
def unavailable(*_: object) -> Iterator[Unavailable]:
    """Replace games that are counted natively, where there is no machine for them."""
    yield Unavailable("there is no compiler")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the budgets of endless rules, and the numbers of positions and games."""
    monkeypatch.setattr(runs, "BUDGET", 3000)
    monkeypatch.setattr(runs, "PATIENCE", 1500)
    monkeypatch.setattr(law_check, "POSITIONS", 2)
    monkeypatch.setattr(import_module("warchest.testing.positions"), "RULED", 2)
    monkeypatch.setattr(law_check, "DEPTH", 2)
    monkeypatch.setattr(law_check, "COMPARED", 4)
    monkeypatch.setattr(playing, "counted_from", unavailable)
    monkeypatch.setattr(playing, "STARTS", 1)
    monkeypatch.setattr(playing, "SHORT", 40)
    monkeypatch.setattr(playing, "native_machine", lambda *_, **__: None)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch, impatient: None) -> None:
    """Lower all numbers to a minimum: commands are tested by their findings alone."""
    monkeypatch.setattr(law_check, "DEPTH", 1)
    monkeypatch.setattr(law_check, "COMPARED", 1)
    monkeypatch.setattr(playing, "SHORT", 10)
