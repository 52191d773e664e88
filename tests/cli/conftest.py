"""Common parts of the tests of the command line: a run in this process, with each game loaded once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from warchest.cli.main import main

POSITION = """\
to_act: raven
initiative: raven
control: {raven: [e2, h1], wolf: [g6, d7]}
units:
  - {at: f4, unit: Scout, owner: raven, coins: 2}
  - {at: f5, unit: Knight, owner: wolf}
hand: {raven: [Scout], wolf: [Royal Coin, Knight]}
bag: {raven: [Archer, Archer], wolf: [Knight]}
"""


@dataclass(frozen=True)
class Ran:
    """The outcome of a run of the command line."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], loads_once: None) -> Run:
    """Run the command line; whatever happens, there must be no traceback and no fault of the program."""

    def run(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        assert "fault of the program" not in captured.err
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def position(tmp_path: Path) -> Path:
    file = tmp_path / "position.yaml"
    file.write_text(POSITION, encoding="utf-8")
    return file
