"""Games that are played once while many invariants are checked; each broken one is reported by its name.

A test hands `watch` a game that a seed settles, and a list of invariants. Every invariant sees every game: all of its
moments, or a share of them where looking is dear. One that is broken looks no further, the others go on.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, ClassVar, Protocol

import pytest

from seeds import failed, is_usual
from warchest import State
from warchest.game.decision import Decision
from warchest.testing.laws import faults_in, law_named
from warchest.testing.properties.watch import PropertyWatch


class Walk(Protocol):
    """A game, all of it settled by a seed."""

    @property
    def seed(self) -> int:
        """The seed of the game."""

    @property
    def cap(self) -> int:
        """How many decisions of it are taken at most."""

    def start(self) -> State:
        """Return its first state."""

    def choose(self, decision: Decision, rng: Random) -> int:
        """Return the index of the option that is taken."""


@dataclass(frozen=True)
class Seeded:
    """The common part of all random games, which have a kind and a seed."""

    kind: ClassVar[str]
    seed: int
    cap: int
    """How many decisions are taken at most."""

    def __str__(self) -> str:
        return f"{self.kind}, seed {self.seed}"


class Moment:
    """A present state of a game, and the results about it that all invariants share."""

    def __init__(self, walk: Any, state: State, before: Moment | None) -> None:
        self.walk, self.state, self.before = walk, state, before
        self.step: int = before.step + 1 if before is not None else 0
        self.decision = state.decision
        self.position: dict[str, Any] = state.position()
        """As it was handed out, once for all: no invariant changes it."""
        self.options = data_of(state)
        self.taken = -1
        """The index of the option that has been taken."""

    @cached_property
    def everything(self) -> str:
        """All that can be read of the state."""
        return everything(self.state)

    @cached_property
    def is_mid_effect(self) -> bool:
        """Whether a player has something to choose in the middle of an effect."""
        return self.decision is not None and not self.decision.is_chance and "pending" in self.position

    def past(self) -> Iterator[Moment]:
        """Yield the moments before this one, the last one first."""
        here = self.before
        while here is not None:
            yield here
            here = here.before


Check = Callable[[Moment, Random], None]
LOOKS = 0.4 if is_usual() else 1.0
"""The part of the looks that are taken: in the usual run fewer, which still find faults in the first games."""


@dataclass(frozen=True)
class Invariant:
    """An invariant, which holds at every moment; it has chance of its own, so that none is changed by another one."""

    check: Check
    looks: float = math.inf
    """About how many moments of a game are checked, and fewer in the usual run; of those in the middle of an effect,
    which are few, four times that share."""
    last: bool = False
    """Whether it is only checked where a game has ended, or is played no further."""

    @property
    def name(self) -> str:
        """The remark about a game in which it holds."""
        return self.check.__name__.replace("_", " ")

    def looks_at(self, moment: Moment, rng: Random, part: float) -> bool:
        """Whether this moment is checked, where a part of the checks is made."""
        share = self.looks * part / moment.walk.cap
        return share >= 1 or rng.random() < (4 * share if moment.is_mid_effect else share)


SELDOM = 4
"""The number of steps from one check of properties of states to the next: a wrong state mostly stays wrong."""


def watch(walk: Walk, invariants: Iterable[Invariant]) -> int:
    """Play a game and check all invariants; return how many moments there were, or raise all that are broken.

    So do the properties of the game, step by step.
    """
    looking = {one: Random(f"{walk.seed} {one.name}") for one in invariants}
    # In a game that has failed once the moment that failed is among all checked ones.
    part = 1.0 if walk.seed in failed(str(walk).partition(",")[0]) else LOOKS
    broken: list[Exception] = []
    state, rng, moment = walk.start(), Random(walk.seed), None
    properties = PropertyWatch(state.variant.origin)  # type: ignore[arg-type]
    properties.begin(state)
    while True:
        moment = Moment(walk, state, moment)
        ended = state.decision is None or moment.step == walk.cap
        for one, own in list(looking.items()):
            try:
                if ended if one.last else one.looks_at(moment, own, part):
                    one.check(moment, own)
            except (Exception, pytest.fail.Exception) as error:
                known = error if isinstance(error, Exception) else AssertionError(str(error))
                known.add_note(f"broken: {one.name}; {walk}, step {moment.step}")
                broken.append(known.with_traceback(error.__traceback__))
                del looking[one]
        if ended:
            break
        moment.taken = walk.choose(state.decision, rng)
        properties.take(state, state.decision.options[moment.taken], look=moment.step % SELDOM == 0)
    broken += [AssertionError(f"{breach.message}; {walk}") for breach in properties.breaches]
    if broken:
        raise ExceptionGroup(f"{walk}: {len(broken)} of {len(broken) + len(looking)} invariants are broken", broken)
    return moment.step + 1


# ---- invariants of any game


def the_same_options_make_the_same_game(moment: Moment, rng: Random) -> None:
    """Check that a game has the same result again; for where it has ended."""
    again = moment.walk.start()
    for one in reversed(list(moment.past())):
        assert data_of(again) == one.options and again.decision is not None
        again.apply(again.decision.options[one.taken])
    assert everything(again) == moment.everything


def kept(name: str) -> Check:
    """Return the invariant that a law holds which every game has (see `warchest.testing.laws`)."""
    laws = [law_named(name)]

    def check(moment: Moment, rng: Random) -> None:
        assert [fault.text for fault in faults_in(moment.state, laws)] == []

    check.__name__ = f"the_law_{name}_holds"
    return check


def collected(invariants: list[Invariant], **how: Any) -> Callable[[Check], Check]:
    """Return a decorator that puts a function into a list of invariants."""

    def add(check: Check) -> Check:
        invariants.append(Invariant(check, **how))
        return check

    return add


# ---- what can be said of a state of any game


def data_of(state: State) -> list[dict[str, Any]] | None:
    """Return the data of all options, in their order."""
    return None if state.decision is None else [option.data for option in state.decision.options]


def text(value: Any) -> str:
    """Return a value as canonical JSON, to compare and sort by."""
    return json.dumps(value, sort_keys=True)


def everything(state: State) -> str:
    """Return all that can be read of a state."""
    decision, outcome = state.decision, state.outcome
    players = state.variant.naming.players
    asked = None
    if decision is not None:
        odds = [str(option.probability) for option in decision.options]
        labels = [option.label for option in decision.options]
        asked = (decision.player, decision.prompt, decision.is_chance, data_of(state), labels, odds)
    return text(
        [
            state.position(),
            asked,
            state.log,
            [state.log_for(player) for player in players],
            state.turn,
            state.round,
            [state.view(player) for player in players],
            outcome and (outcome.winners, outcome.reason),
        ]
    )


def is_mid_effect(state: State) -> bool:
    """Whether a player has something to choose in the middle of an effect."""
    decision = state.decision
    return decision is not None and not decision.is_chance and not state.at_boundary
