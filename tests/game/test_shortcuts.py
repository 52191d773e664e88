"""What the machine leaves out to be quick changes no option: everything done at length comes to the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

import warchest
from loaded import shipped
from warchest import Game, State
from warchest.game.decision import Offers
from warchest.machine import options, program
from warchest.machine.act_sites import KindSite, RoleSite, WaySite
from warchest.machine.sites import BranchSite, PickSite, Site
from warchest.machine.stretches import Row, Stretch

GAMES = ["war-chest", "unigames"]


@cache
def quick(name: str) -> Game:
    return shipped(name)


@cache
def thorough(name: str) -> Game:
    return warchest.load(name)


def walked(name: str, position: Mapping[str, Any]) -> State:
    """Return a state whose rules are without stretches, and without anything that is told before it is begun."""
    with ExitStack() as stack:
        for shortcut in ("straighten", "find_previews"):
            stack.enter_context(patch.object(program, shortcut, lambda *_: None))
        state = thorough(name).position(position)
    ops = [op for routine in state.variant.program.routines.values() for op in routine.ops]
    assert not any(op.previews for op in ops if isinstance(op, Site))
    return state


@contextmanager
def at_length() -> Iterator[None]:
    """Let everything be tried, as far as possible, and at once."""
    with ExitStack() as stack:
        for kind in (WaySite, KindSite, PickSite):
            stack.enter_context(patch.object(kind, "promising", Site.promising))
        stack.enter_context(patch.object(options, "anything_below_can_fail", lambda run: True))
        walk = options.Listing._walk
        stack.enter_context(patch.object(options.Listing, "_walk", lambda self, hasty: walk(self, hasty=False)))
        stack.enter_context(patch.object(Site, "ends", lambda self, run: self.leaf))
        yield


def moments(name: str, seed: int, every: int, count: int) -> Iterator[State]:
    """Yield states of a random game, with decisions between them."""
    rng, state = Random(seed), quick(name).new(seed=seed)
    for _ in range(count):
        for _ in range(every):
            if state.decision is None:
                return
            state.apply(state.decision.sample(rng))
        yield state


def told(state: State) -> list[tuple[str, str]]:
    assert state.decision is not None
    return [(one.label, one.act) for one in state.decision.options]


def paths(offers: Offers) -> list[tuple[object, ...]]:
    return [(path.taken, path.notes, options.act_of(path.notes)) for path in offers.listing.settle()]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_options_are_those_found_at_length(name: str, seed: int) -> None:
    for state in moments(name, seed, 7, 25):
        if state.decision is None or state.decision.is_chance:
            continue
        found = told(state)
        with at_length():
            assert told(walked(name, state.position())) == found


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_before_it_is_begun_is_what_walking_finds(name: str) -> None:
    """Paths with all that they say."""
    settings = {"sets": ["base", "nobility", "siege"]} if name == "war-chest" else {}
    for seed in range(3):
        rng, state = Random(seed), quick(name).new(seed=seed, **settings)
        for _ in range(150):
            if state.decision is None:
                break
            there = state.position()
            foreseen, found = quick(name).position(there).decision.offers, walked(name, there).decision.offers
            if isinstance(foreseen, Offers):
                assert foreseen.listing.loops == found.listing.loops
                assert paths(foreseen) == paths(found)
            state.apply(state.decision.sample(rng))


@pytest.mark.parametrize("name", GAMES)
def test_an_option_leads_to_where_walking_it_leads(name: str) -> None:
    """Also what the log tells on the way."""
    taken, rng = 0, Random(5)
    for state in moments(name, 5, 3, 40):
        if state.decision is None or state.decision.is_chance:
            continue
        there = state.position()
        number = rng.randrange(len(state.decision.options))
        ways = quick(name).position(there), walked(name, there)
        one, other = (way.apply(number) for way in ways)
        assert one.position() == other.position() and one.log == other.log
        taken += any(preview.take is not None for preview in state.site.previews.values())
    # In War Chest what comes first is a coin, and the forks stand behind it.
    assert taken > 5 or name == "war-chest"


@pytest.mark.parametrize("name", GAMES)
def test_options_are_the_same_after_the_game_has_gone_on(name: str) -> None:
    for state in moments(name, 1, 9, 20):
        if state.decision is None:
            continue
        before, copy = state.decision, state.clone()
        state.apply(before.sample(Random(0)))
        with at_length():
            there = quick(name).position(copy.position())
            assert [one.label for one in before.options] == [one.label for one in there.decision.options]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_sampled_is_on_offer_and_each_as_likely(name: str) -> None:
    rng = Random(4)
    for state in moments(name, 2, 31, 4):
        if state.decision is None or state.decision.is_chance:
            continue
        there, drawn = state.position(), Counter[str]()
        offered = {one.label for one in state.decision.options}
        for _ in range(60 * len(offered)):
            drawn[quick(name).position(there).decision.sample(rng).label] += 1
        assert drawn.keys() == offered
        assert all(25 < count < 110 for count in drawn.values())


def test_paths_are_left_open_and_stretches_taken() -> None:
    opened = 0
    with at_length():
        assert not quick("unigames").new(seed=3).decision.offers.listing.open
    for state in moments("unigames", 3, 1, 120):
        if state.decision is not None and isinstance(state.decision.offers, Offers):
            opened += len(state.decision.offers.listing.open)
    assert opened > 20
    ops = [op for routine in quick("unigames").variant({}).program.routines.values() for op in routine.ops]
    for kind in (WaySite, KindSite, RoleSite, BranchSite):
        assert any(op.previews for op in ops if isinstance(op, kind))
    assert any(one.end is None for op in ops if isinstance(op, Site) for one in op.previews.values())
    assert any(op.unless for op in ops if isinstance(op, RoleSite))
    made = [
        call for routine in quick("unigames").variant({}).program.routines.values()
        for call in routine.calls if getattr(call, "__code__", None) and call.__code__.co_filename == "<rules>"
    ]  # fmt: skip
    assert len(made) > 5


def test_who_has_gone_bears_nothing_that_a_stretch_asks_for() -> None:
    """No piece is counted as -1, by which no set of pieces can be shifted."""
    program = quick("unigames").variant({}).program
    routine = next(iter(program.routines.values()))
    stretch = Stretch(program, Row(routine, (), ()))
    stretch.bearing = {"e[0]": {0, 1}}
    (test,) = stretch._special()
    first = program.layout.of_document
    memory = [0] * first + [0b1000, 0b0001]
    told = [bool(eval(test, {"m": memory, "e": (piece,)})) for piece in (-1, 0, 1, 3)]
    assert told == [False, True, False, True]
