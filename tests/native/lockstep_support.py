"""The native machine beside the reference machine, decision by decision."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from native_support import HOOKS, Made

import warchest
from loaded import load_once
from machine.machine_support import Data, position
from warchest.engine.runs import Frame, frames
from warchest.game.native_engine import cells_of_frame
from warchest.game.native_engine import made_of as text_of
from warchest.game.native_games import put
from warchest.game.setup.beginning import Beginning
from warchest.game.variant import Variant
from warchest.lowering.code import LISTS
from warchest.lowering.probes import Probing
from warchest.lowering.program import Program
from warchest.native.c_compiler import Compiler, Unavailable, compile_units, compiler, link
from warchest.native.code_places import HOOKS as ROOM_FOR_HOOKS
from warchest.native.code_places import Places
from warchest.native.compiled import NativeGame, NativeLibrary, Standing
from warchest.native.generate import CSource, generate

assert HOOKS == ROOM_FOR_HOOKS
CHECKED = ("-O0", "-DCHECK")


class Lost(AssertionError):
    """The native machine has given a game up; the text says why."""


@dataclass
class Seen:
    """How much has been compared."""

    decisions: int = 0
    options: int = 0


def library_of(source: CSource, flags: tuple[str, ...] = CHECKED) -> NativeLibrary:
    """Return the native machine for a source, compiled once in a run of the tests."""
    return NativeLibrary(made_of(source, flags), source.legend)


def library_for(
    program: Program, made_of: str, flags: tuple[str, ...] = (), probing: Probing | None = None
) -> NativeLibrary:
    """Replace the cache of the user: games are compiled as they are for users, unless they are to count."""
    return library_of(_source(program, made_of, probing), CHECKED if probing is not None else flags)


def checked_for(
    program: Program, made_of: str, flags: tuple[str, ...] = (), probing: Probing | None = None
) -> NativeLibrary:
    """Replace the cache of the user where the speed of the compiled game does not matter."""
    return library_of(_source(program, made_of, probing), CHECKED)


def checked_library(variant: Variant, probing: Probing | None = None) -> NativeLibrary:
    """Return the native machine of a variant, with all its checks, which counts if it is to."""
    return checked_for(variant.program, text_of(variant), probing=probing)


def source_of(variant: Variant) -> CSource:
    """Return the C of a variant."""
    return _source(variant.program, text_of(variant), None)


def _source(program: Program, made_of: str, probing: Probing | None) -> CSource:
    """Return the C of a program, which is identified by its parts; it is written once."""
    key = made_of, probing
    if key not in _sources:
        _sources[key] = generate(program, probing(program) if probing is not None else None)
    return _sources[key]


_sources: dict[tuple[str, bool], CSource] = {}


def made_of(source: CSource, flags: tuple[str, ...]) -> Path:
    """Return the file of the native machine for a source."""
    found = compiler()
    if isinstance(found, Unavailable):
        pytest.skip(found.reason)
    return _compiled(found, (*source.units, source.machine), flags)


@cache
def native_for(name: str, setup: str | None, probing: Probing | None = None) -> tuple[Beginning, NativeLibrary]:
    """Return how a game begins, and the native machine for it, which counts if it is to."""
    beginning = load_once(name).beginning(setup=setup, sets="all" if name == "war-chest" else None)
    return beginning, checked_library(beginning.variant, probing)


@cache
def _compiled(found: Compiler, units: tuple[str, ...], flags: tuple[str, ...]) -> Path:
    """Compile some text, each unit once for all setups that have it; a warning is an error."""
    # Two processes that want the same begin at opposite ends.
    objects = {unit: _object(found, unit, flags) for unit in (units if os.getpid() % 2 else units[::-1])}

    def link_to(target: Path) -> None:
        problem = link(found, [objects[unit] for unit in units], target, target.parent, flags)
        assert problem is None, problem

    return Made.once([*units, *flags, found.identity], link_to)


def _object(found: Compiler, unit: str, flags: tuple[str, ...]) -> Path:
    def compile_to(target: Path) -> None:
        problem = compile_units(found, [(unit, target)], target.parent, ("-Werror", *flags))
        assert problem is None, problem

    return Made.once(["object", unit, *flags, found.identity], compile_to)


def forget() -> None:
    """Forget all code that was written and compiled, so that many games one after the other need no more memory."""
    _sources.clear()
    _compiled.cache_clear()


# ---- frames


def differences(places: Places, frame: Frame, cells: tuple[int, ...]) -> list[Any]:
    """The variables of a frame that are not the same in both machines."""
    mine, at, found = cells_of_frame(places, frame), places.cells[places.number[frame.code.name]], []
    for number, base in enumerate(frame.code.bases):
        first = at[number]
        count = 1 + 2 * max(mine[first], 0) if base == "queue" else 2 + max(mine[first + 1], 0) if base in LISTS else 1
        one, other = mine[first : first + count], list(cells[first : first + count])
        if one != other:
            found.append((frame.code.name, number, base, one, other))
    return found


# ---- lockstep


def same_standing(game: NativeGame, state: warchest.State, standing: Standing, seen: Seen) -> None:
    """Compare memory, frames, and who decides."""
    places = game.library.places
    if standing is Standing.LOST:
        raise Lost(game.why)
    memory, here = list(state.run.memory), game.memory
    assert here == memory, [
        (cell, one, other) for cell, (one, other) in enumerate(zip(memory, here, strict=True)) if one != other
    ]
    assert (standing is Standing.OVER) == (state.decision is None)
    if state.decision is None:
        return
    pending, native = list(frames(state.run.top)), game.frames
    assert [(one.code.name, one.pc) for one in pending] == [
        (places.routines[one.routine].name, one.instruction) for one in native
    ]
    for one, other in zip(pending, native, strict=True):
        assert not differences(places, one, other.cells)
    assert (standing is Standing.CHANCE) == state.decision.is_chance
    if not state.decision.is_chance:
        assert state.variant.naming.players[max(game.decider, 0)] == state.decision.player


def same_options(game: NativeGame, state: warchest.State) -> None:
    """Compare the options of a decision, with the acts that they are."""
    assert state.decision is not None
    names = {number: name for name, number in game.library.acts.items()} | {0: ""}
    options = [(one.path.taken, one.act) for one in state.decision.options]
    assert options == [(one.taken, names[one.act]) for one in game.options], state.position()


def play_both(
    game: NativeGame,
    state: warchest.State,
    rng: Random,
    cap: int,
    seen: Seen,
    favourite: str = "",
    begun: Callable[[], None] = lambda: None,
) -> None:
    """Play on in both machines, and compare them at each decision; `begun` is called where both are at the first."""
    standing = put(game, state)
    begun()
    for _ in range(cap):
        same_standing(game, state, standing, seen)
        decision = state.decision
        if decision is None:
            break
        seen.decisions += 1
        if decision.is_chance:
            weights = game.outcomes
            assert weights == decision.offers.weights
            chosen = rng.choices(list(weights), list(weights.values()))[0]
            state.apply(decision.offers._option(chosen))
            standing = game.roll(chosen)
            continue
        same_options(game, state)
        options = decision.options
        seen.options += len(options)
        preferred = [number for number, one in enumerate(options) if one.act == favourite]
        number = rng.choice(preferred or range(len(options)))
        state.apply(options[number])
        standing = game.take(number)


def play_positions(game: warchest.Game, made: Callable[[Random], Data], count: int = 40, cap: int = 40) -> None:
    """Compare the machines in games from random positions, in which tactics are used whenever they are on offer."""
    seen = Seen()
    for seed in range(count):
        state = game.position(made(Random(seed)))
        if seed == 0:
            natively = NativeGame(checked_library(state.variant))
        play_both(natively, state, Random(seed), cap, seen, "tactic")
    assert seen.decisions > 10 * count


def play_smiths(game: warchest.Game) -> None:
    """Compare the machines in 60 games with Hammer, Anvil, Rivet and Bolt, units of a pack, from random positions."""
    play_positions(game, smiths, count=60)


SPACES = ["e4", "f4", "f5", "e5", "g4", "d4", "g5", "f6"]
"""Some spaces close together."""


def smiths(rng: Random) -> Data:
    """Return a position with Hammer, Anvil, Rivet and Bolt close together."""
    owners = {"Hammer": "raven", "Anvil": "wolf", "Rivet": "raven", "Bolt": "wolf", "Scout": "wolf"}
    at = rng.sample(SPACES, len(owners))
    units = ", ".join(
        f"{owner} {name} {one} {rng.randrange(1, 3)}" for one, (name, owner) in zip(at, owners.items(), strict=True)
    )
    return position(units, "Hammer, Rivet, Hammer", "Anvil, Bolt, Anvil")


def among_others(rng: Random, unit: str, hand: str, other: str, likely: float = 0.7, **more: Any) -> Data:
    """Return a position with a unit, as in `Scout 2`, and near it four others, each there with this probability."""
    name, *coins = unit.split()
    spaces = iter(rng.sample(SPACES, 5))
    units = [" ".join((name, next(spaces), *coins))]
    units += [
        f"{('raven', 'wolf')[number % 2]} {one} {next(spaces)}"
        for number, one in enumerate(("Scout", "Archer", "Knight", "Pikeman"))
        if rng.random() < likely
    ]
    return position(", ".join(units), hand, other, **more)


def play_turn(native: NativeGame, state: warchest.State, rng: Random, seen: Seen) -> None:
    """Compare both machines at each decision until the next player has the turn."""
    begun = state.turn
    while state.decision is not None and state.turn == begun:
        same_standing(native, state, put(native, state), seen)
        if not state.decision.is_chance:
            seen.decisions += 1
            same_options(native, state)
        state.apply(state.decision.sample(rng))
