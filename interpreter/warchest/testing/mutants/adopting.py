"""Rulings to adopt: cases that pass in one version of a game and fail in another, made from their differences."""

from __future__ import annotations

from warchest.game.state import EndlessError, State
from warchest.testing.differences import Difference, GameComparison, decider_of
from warchest.testing.mutants.trying import Trial, Trials
from warchest.testing.paths import behind, data_along
from warchest.testing.positions import state_told

MOST = 3
"""The most options that a ruling names."""


def case_of(comparison: GameComparison, found: Difference, name: str, source: str = "ruling: …") -> dict[str, object]:
    """Return a ruling that passes in the first of two games and fails in the second, from a difference between them.

    Without a `source`, the case has a placeholder for it that people fill in.
    """
    first, second = ({**found.position, **({"options": dict(one)} if one else {})} for one in comparison.options)
    case: dict[str, object] = {"name": name, "source": source, "position": first}
    try:
        done = data_along(comparison.first, first, found.path)
        here = behind(state_told(comparison.first, first), found.path)
    except EndlessError:
        return case
    case |= {"do": done} if done else {}
    if here is None:
        # The orders of the first game never end there, and no ruling says so.
        return case
    if found.sort == "outcome":
        # Only the first game gives the expected result of the last option.
        return case | _outcome(here, found)
    there = behind(state_told(comparison.second, second), found.path)
    assert there is not None
    return case | _offered(here, there, found)


def adopted(trials: Trials, trial: Trial) -> dict[str, object] | None:
    """Return a ruling that would notice a mutant; None where no difference was found."""
    if trial.difference is None:
        return None
    mutant, options = trial.mutant, trials.options_of(trial.mutant.document)
    changed = trials.game.with_text(mutant.path, mutant.text)
    return case_of(GameComparison(trials.game, changed, (options, options)), trial.difference, mutant.before)


def _offered(here: State, there: State, found: Difference) -> dict[str, object]:
    """Return the options that must be on offer, and those that must not."""
    parts = zip(("offered", "not offered"), (here, there), found.only, strict=True)
    return {key: [_data(state, one) for one in ids[:MOST]] for key, state, ids in parts if ids}


def _outcome(here: State, found: Difference) -> dict[str, object]:
    """Return the decider that is expected, and the parts of the position that differ."""
    keys = {one.root for one in found.parts}
    then = {key: value for key, value in here.position().items() if key in keys}
    return {"decides": decider_of(here), **({"then": then} if then else {})}


def _data(state: State, chosen: str) -> dict[str, object]:
    assert state.decision is not None
    return dict(state.decision.by_id(chosen).data)
