"""Saved games in earlier words of a game: `renamed` in its document gives the present ones."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from loaded import shipped
from warchest.replay.game_session import Session
from warchest.replay.record import Misfit, Replay, TakenStep
from warchest.replay.stepping import replayed

RENAMED = shipped("unigames").document.values["words"]["renamed"]
EARLIER = {now: before for before, now in RENAMED.items()}


def played(seed: int, setup: str) -> Replay:
    session, rng = Session.new(shipped("unigames"), seed, setup), Random(seed)
    for _ in range(150):
        decision = session.state.decision
        if decision is None:
            break
        session.take(decision.options[rng.randrange(len(decision.options))])
    return session.replay()


def in_words(option: dict[str, Any], words: dict[str, str]) -> dict[str, Any]:
    """An option with other words for its keys, and for those of its values that are among the words."""
    return {
        words.get(key, key): words.get(value, value) if isinstance(value, str) else value
        for key, value in option.items()
    }


@pytest.mark.parametrize(("seed", "setup"), [(1, "Ambush"), (2, "Conjurers"), (3, "Conjurers")])
def test_a_saved_game_in_earlier_words_is_played_again(seed: int, setup: str) -> None:
    replay = played(seed, setup)
    before = tuple(replace(step, option=in_words(step.option, EARLIER)) for step in replay.taken)
    game = shipped("unigames")
    assert replayed(game, replace(replay, taken=before)).position() == replayed(game, replay).position()


def test_some_step_is_in_earlier_words() -> None:
    steps = [step for seed in (1, 2, 3) for step in played(seed, "Conjurers").taken]
    said = {word for step in steps for one in step.option.items() for word in one if isinstance(word, str)}
    assert said & EARLIER.keys()


def test_a_word_that_was_never_one_is_refused() -> None:
    replay = played(1, "Ambush")
    wrong = TakenStep(replay.taken[0].by, {"act": "levitate"})
    with pytest.raises(Misfit):
        replayed(shipped("unigames"), replace(replay, taken=(wrong, *replay.taken[1:])))
