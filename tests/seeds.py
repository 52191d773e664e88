"""Seeds of games to test with: the same in every run, or fresh ones, and those of games that have failed once.

HYPOTHESIS_PROFILE chooses how many, as it does for examples of Hypothesis.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import settings

USUAL = 40
"""How many examples Hypothesis gives in the usual run."""
KEPT = Path(__file__).parent / "seeds_that_failed.txt"


def is_usual() -> bool:
    """Whether this is the usual run, and none that looks for more."""
    return settings().max_examples <= USUAL


def seeds(count: int, kind: str, usual: Iterable[int] = ()) -> list[int]:
    """Return seeds for a kind of games: `count` where the profile asks for 40 examples, otherwise in proportion.

    The usual run takes others, if they are given: fewer, and such that hardly less is met than with all of them.
    """
    profile = settings()
    wanted = max(1, count * profile.max_examples // USUAL)
    first = 0 if profile.derandomize else Random(os.environ.get("PYTEST_XDIST_TESTRUNUID")).randrange(1 << 32)
    chosen = [*usual] if is_usual() else []
    chosen = chosen or [*range(first, first + wanted)]
    return [*chosen, *(one for one in failed(kind) if one not in chosen)]


def quick(games: list[Any], count: int) -> list[Any]:
    """Return games, or other values, as parameters of a test; `make quick` tries the first few."""
    return [
        pytest.param(one, id=str(one), marks=[pytest.mark.quick] if number < count else [])
        for number, one in enumerate(games)
    ]


def failed(kind: str) -> list[int]:
    """Return the seeds of a kind of games in which something was wrong once."""
    lines = (line.partition("#")[0].rsplit(maxsplit=1) for line in KEPT.read_text(encoding="utf-8").splitlines())
    return [int(line[1]) for line in lines if line and line[0] == kind]
