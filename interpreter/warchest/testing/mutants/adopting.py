"""Rulings to adopt: cases that would notice a mutant, made of the position in which it differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warchest.game.game import Game
from warchest.game.state import State
from warchest.testing.differences import Difference
from warchest.testing.mutants.making import Mutant
from warchest.testing.paths import behind, data_along
from warchest.testing.positions import state_told

MOST = 3
"""The most options that a ruling names."""


def case_of(game: Game, mutant: Mutant, found: Difference, options: Mapping[str, str]) -> dict[str, Any]:
    """Return a ruling that passes in a game and fails with a mutant, of a difference between them under some options.

    Its name says what stands on the card, and its source is left for people to fill in.
    """
    position = {**found.position, **({"options": dict(options)} if options else {})}
    done = data_along(game, position, found.path)
    case = {"name": mutant.before, "source": "ruling: …", "position": position, **({"do": done} if done else {})}
    here = behind(state_told(game, position), found.path)
    assert here is not None
    if found.sort == "outcome":
        # Only the first game says what ought to come of the last option.
        return case | _outcome(here, found)
    there = behind(state_told(game.with_text(mutant.path, mutant.text), position), found.path)
    assert there is not None
    return case | _offered(here, there, found)


def _offered(here: State, there: State, found: Difference) -> dict[str, Any]:
    """Return the options that must be on offer, and those that must not."""
    parts = zip(("offered", "not offered"), (here, there), found.only, strict=True)
    return {key: [_data(state, one) for one in ids[:MOST]] for key, state, ids in parts if ids}


def _outcome(here: State, found: Difference) -> dict[str, Any]:
    """Return the decider that is expected, and the parts of the position that differ."""
    keys = {line.partition(":")[0].partition(".")[0] for line in found.lines}
    then = {key: value for key, value in here.position().items() if key in keys}
    decider = here.decision.player or "chance" if here.decision is not None else "nobody"
    return {"decides": decider, **({"then": then} if then else {})}


def _data(state: State, chosen: str) -> dict[str, Any]:
    assert state.decision is not None
    return dict(state.decision.by_id(chosen).data)
