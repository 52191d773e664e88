"""Running scripts for the second game, and what comes of them."""

from __future__ import annotations

from functools import lru_cache

import warchest
from warchest import Game, State
from warchest.scripts.script import Result, run_script
from warchest.source.text import Source

FIELD = "P1 Foot@d4n 3/9/5 dmg=2\nP1 Friend@f3n 1/3/3 Aid(Protection 2)\nP2 Foe@d6s 1/4/3\n"
"""Three lines that most cases begin with."""


@lru_cache(maxsize=1)
def game() -> Game:
    return warchest.load("unigames")


def run(text: str) -> Result:
    source = Source("case.script", text)
    return run_script(game(), source.span(0, len(source.text)))


def holds(text: str) -> State:
    """Run a script that holds, and return the state it leads to."""
    result = run(text)
    assert result.finding is None, result.finding
    assert result.state is not None
    return result.state


def stops(text: str) -> tuple[str, int, int]:
    """Run a script that does not hold: the kind of finding, and its line and column."""
    finding = run(text).finding
    assert finding is not None and finding.span is not None
    return finding.name, finding.span.line, finding.span.column
