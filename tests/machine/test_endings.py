"""What is told of leaving a loop is what trying it comes to, and nothing is changed by asking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from random import Random

import pytest
from machine_support import game

import warchest
from warchest import State
from warchest.game.decision import Offers
from warchest.machine.endings import Ending, Endings
from warchest.machine.follow import can_follow
from warchest.machine.options import EVERYTHING, Listing, Path
from warchest.machine.sites import BranchSite
from warchest.machine.stretches import BentError, Row
from warchest.rules.steps import Clock, Either, SetField, Until

SETUPS = ["Alternate reveal", "Ambush", "Conjurers"]


def in_loops(state: State, rng: Random, count: int) -> Iterator[State]:
    """Yield the states of a random game in which a loop can be left."""
    for _ in range(count):
        if state.decision is None:
            return
        if state.site is not None and state.site.endings is not None:
            yield state
        state.apply(state.decision.sample(rng))


def listed(state: State, enough: int) -> list[Path]:
    """Return the paths there are, of which `enough` have been looked into."""
    run, site = state.run, state.site
    assert site is not None
    run.candidates = site.candidates(run, run.env)
    return Listing(run, site, enough).paths


@pytest.mark.parametrize("setup", SETUPS)
def test_what_is_told_is_what_following_a_path_comes_to(setup: str) -> None:
    told = Counter[bool | None]()
    for there in in_loops(warchest.load("unigames").new(setup=setup, seed=7), Random(7), 400):
        site, run = there.site, there.run
        assert isinstance(site, BranchSite) and site.endings is not None
        paths = listed(there, enough=0)
        before = run.mark(), run.memory[:], run.events[:]
        for path in paths:
            known = site.endings.look(run, path.taken[0]) if len(path.taken) == 1 else None
            if len(path.taken) == 2 and site.endings.after(run, *path.taken) is not None:
                known = True
            assert (run.mark(), run.memory, run.events) == before
            if known is not None:
                assert known == (can_follow(run, site, path.taken) is not None)
            told[known] += 1
    assert told[True] > 100


def test_where_it_leads_is_kept_for_the_choice_that_comes_next() -> None:
    """What is known to lead to an end after another branch is there among the options, and holds."""
    kept = 0
    for there in in_loops(warchest.load("unigames").new(seed=6), Random(6), 300):
        assert there.decision is not None and isinstance(there.decision.offers, Offers)
        listing = there.decision.offers.listing
        for taken, proof in list(listing.proofs.items()):
            site, candidate = proof[0] if proof else (None, 0)
            if site is there.site and len(taken) == 2:
                after = there.clone()
                after.apply(next(one for one in after.decision.options if one.path.taken == taken))
                if after.site is site:
                    assert any(path.taken[0] == candidate for path in listed(after, EVERYTHING))
                    kept += 1
    assert kept > 20


def test_only_loops_that_end_with_a_choice_have_endings() -> None:
    program = game().variant({}).program
    ops = [op for routine in program.routines.values() for op in routine.ops if isinstance(op, BranchSite)]
    assert ops and not any(isinstance(op.endings, Endings) for op in ops)


def test_what_makes_something_follow_at_once_is_tried() -> None:
    """Where rules look at a field, what follows comes before the loop is left, so that nothing is told beforehand."""
    program = warchest.load("unigames").variant({}).program
    loop = next(one for one in program.ruleset.verbs if one.name == "travel").definitions[0].code.steps[0]
    orders = [step for verb in program.ruleset.verbs for way in verb.definitions for step in way.code.steps]
    fields = [step for step in orders if isinstance(step, SetField)]
    assert isinstance(loop, Until)
    for watched in (False, True):
        step = next(one for one in fields if (one.field in program.watched.fields) == watched)
        ending = Ending(program, Row(next(iter(program.routines.values())), (), ()), loop)
        with pytest.raises(BentError) if watched else nullcontext():
            ending.step(step)
        assert bool(ending.lines) != watched


def test_what_a_loop_does_before_its_choice_belongs_to_the_next_round() -> None:
    program = warchest.load("unigames").variant({}).program
    loop = next(one for one in program.ruleset.verbs if one.name == "travel").definitions[0].code.steps[0]
    assert isinstance(loop, Until) and isinstance(loop.steps[-1], Either)
    turn, row = loop.steps[-1].options[1], Row(next(iter(program.routines.values())), (), ())
    Ending(program, row, loop).go_round(turn)
    asked = replace(loop, steps=(Clock("choice", span=loop.span), *loop.steps))
    with pytest.raises(BentError):
        Ending(program, row, asked).go_round(turn)
