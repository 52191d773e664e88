"""Counters for each clause: off unless requested, correct, and without an influence on the game."""

from __future__ import annotations

from dataclasses import astuple, fields
from random import Random

import pytest
from machine_support import card, game, position

from loaded import shipped
from warchest.lowering.clause_counts import ClauseCount, Counts
from warchest.source.text import Span

DONE, CONSIDERED, HELD, FAILED, TRIED_HELD, TRIED_FAILED, FORBADE = range(len(fields(ClauseCount)))


def told(counts: Counts) -> dict[str, tuple[int, ...]]:
    """Return the counters by the text of their clauses; those of the same text are added up."""
    found: dict[str, tuple[int, ...]] = {}
    for span, one in counts.by_clause.items():
        text, row = span.one_line, astuple(one)
        found[text] = tuple(map(sum, zip(row, found.get(text, (0,) * len(row)), strict=True)))
    return found


def test_performed_and_considered_acts_are_counted_apart() -> None:
    text = "if this is bolstered, move.\notherwise, attack."
    state = game(card("Ra", tactic=text)).position(position("Ra f4, wolf Archer f5", "Ra"))
    counts = Counts()
    state.count(counts)
    assert state.decision is not None
    (tactic,) = [one for one in state.decision.options if one.data["act"] == "tactic"]
    before = told(counts)
    assert before["attack"][DONE] == 0 < before["attack"][CONSIDERED]
    asked = before["if this is bolstered, move"]
    assert asked[HELD] == asked[FAILED] == asked[TRIED_HELD] == 0 < asked[TRIED_FAILED]
    state.apply(tactic)
    after = told(counts)
    assert after["attack"][DONE] >= 1
    asked = after["if this is bolstered, move"]
    assert asked[HELD] == asked[TRIED_HELD] == 0 < asked[FAILED], "the unit was never bolstered"


def test_prohibitions_are_counted() -> None:
    text = "this cannot attack an Archer."
    state = game(card("Ra", restriction=text)).position(position("Ra f4, wolf Archer f5, wolf Knight f3 2", "Ra"))
    counts = Counts()
    state.count(counts)
    assert state.decision is not None and state.decision.options
    assert told(counts)["this cannot attack an Archer"][FORBADE] > 0


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_counting_changes_nothing(name: str) -> None:
    plain, counted, counts = shipped(name).new(seed=2), shipped(name).new(seed=2), Counts()
    counted.count(counts)
    rng, other = Random(2), Random(2)
    for _ in range(60):
        if plain.decision is None:
            break
        assert counted.decision is not None
        assert [one.label for one in plain.decision.options] == [one.label for one in counted.decision.options]
        plain.apply(plain.decision.sample(rng))
        counted.apply(counted.decision.sample(other))
    assert plain == counted and plain.log == counted.log
    assert sum(one.done for one in counts.by_clause.values()) > 500
    assert all(isinstance(span, Span) for span in counts.by_clause)
