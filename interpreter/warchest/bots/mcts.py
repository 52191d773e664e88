"""A bot that searches: it grows a tree of lines of play, in worlds that are possible for all that its player knows.

Each iteration goes down the tree in some world, by the earlier results of the options (PUCT), adds a branch, and lets
greedy players play on from there for a while; their result counts for all branches on the way. Options are identified
by the candidates that they take, so that one tree serves all worlds (information-set search): an option may be on
offer in some of them only. Outcomes of chance are drawn again each time, and make no branches.

Where a state is held natively, the native machine grows the tree (`native/search.c`) by the same steps and the same
sums, so that a seed gives the same choice on either machine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from random import Random
from threading import Thread
from time import perf_counter

from warchest.bots.greedy import WON, Greedy
from warchest.game.decision import Decision, Option
from warchest.game.state import EndlessError, State
from warchest.game.tree_search import TriedOption, native_search

SHARED = 16
"""The number of iterations that share a world."""
AHEAD, FAR_AHEAD = 20, 300
"""The numbers of decisions that are played from a new branch on: usually, and if only the end counts."""
CURIOUS = 1.0
"""The weight of branches that have been tried little, against those with good results."""
EVEN = 0.5
"""The value of a branch that has not been tried."""
UNSURE = 0.1
"""The least difference in value of anything except the end from a game won or lost."""
STEEPEST = 30.0
"""The largest exponent in use: more makes no difference."""
WITHOUT_THREADS = ("emscripten", "wasi")
"""The platforms on which trees grow one after the other, as Python calls them."""
SEEDS = 2**32 - 1
"""The number of seeds for a search, for chance in a world, and for games that are played on."""


@dataclass(frozen=True, slots=True)
class ThinkingTime:
    """The time for a decision: a number of iterations, or of seconds, for each of some trees."""

    iterations: float = inf
    seconds: float = inf
    trees: int = 1
    """The number of trees, which the native machine grows side by side."""


class Deadline:
    """The end of the time for a decision, which begins now."""

    def __init__(self, time: ThinkingTime) -> None:
        self._begun = perf_counter()
        self.left, self._end = time.iterations, self._begun + time.seconds

    def is_past(self) -> bool:
        """Whether the time is over."""
        return perf_counter() >= self._end

    def end(self) -> None:
        """End the time now."""
        self._end = self._begun

    def portion(self, done: int, most: int) -> int:
        """Return the number of iterations, at most `most`, before the next reading of the clock, by the pace so far."""
        wanted = min(most, self.left - done)
        if self._end < inf:
            now = perf_counter()
            pace = (now - self._begun) / done if done else inf
            wanted = min(wanted, (self._end - now) / pace if pace else most)
        return max(int(wanted), 1)


@dataclass(slots=True)
class Prospect:
    """An option in the tree, its results, and the options after it by their keys."""

    prior: float
    """Its prior probability."""
    visits: int = 0
    total: float = 0.0
    """The sum of the values to the player who takes it."""
    behind: dict[tuple[int, ...], Prospect] = field(default_factory=dict)

    @property
    def value(self) -> float:
        """The mean of the values, each from 0 (a game lost) to 1 (a game won)."""
        return self.total / self.visits if self.visits else EVEN


class Mcts:
    """Searches for some time, and takes the option that was tried most: good ones are tried again and again."""

    def __init__(self, greedy: Greedy, time: ThinkingTime) -> None:
        self.greedy, self.time = greedy, time
        weights = [abs(weight.each) for weight in greedy.weights]
        self._usual = sum(weights) / len(weights) if any(weights) else 1.0
        """The difference in worth that is usual between options."""
        self.ahead = AHEAD if any(weights) else FAR_AHEAD
        """The number of decisions that are played on from a new branch."""

    def choose(self, state: State, rng: Random) -> Option:
        """Return the best option found for the player who decides, using only the knowledge of this player."""
        decision, deadline = state.decision, Deadline(self.time)
        assert decision is not None and decision.player is not None
        if decision.count == 1:
            return decision.options[0]
        found = self.tried(state, decision.player, rng.randrange(SEEDS), deadline)
        most = max(found, key=lambda one: (one.visits, one.value, one.prior))
        return decision.options[found.index(most)] if most.prior else decision.draw(rng)

    def tried(self, state: State, player: str, seed: int, deadline: Deadline) -> Sequence[TriedOption]:
        """Return the results of each option in all trees together; each tree has a seed that settles chance in it."""
        seeds = range(seed, seed + self.time.trees)

        if len(seeds) > 1 and sys.platform not in WITHOUT_THREADS and self.greedy.natively(state) is not None:
            return _together(self._tried_side_by_side(state, player, seeds, deadline))
        return _together([self._tried_by(state, player, one, deadline) for one in seeds])

    def _tried_side_by_side(
        self, state: State, player: str, seeds: Sequence[int], deadline: Deadline
    ) -> list[Sequence[TriedOption]]:
        """Return the results of each option in the trees of some seeds, each on a thread of its own."""
        found: dict[int, Sequence[TriedOption]] = {}
        errors: list[Exception] = []

        def grow(seed: int) -> None:
            try:
                found[seed] = self._tried_by(state, player, seed, deadline)
            except Exception as error:
                errors.append(error)
                deadline.end()

        threads = [Thread(target=grow, args=(seed,)) for seed in seeds[1:]]
        for thread in threads:
            thread.start()
        try:
            grow(seeds[0])
            for thread in threads:
                thread.join()
        finally:
            # Also where a signal has come, after which the threads would keep growing.
            deadline.end()
            for thread in threads:
                thread.join()
        if errors:
            raise errors[0]
        return [found[seed] for seed in seeds]

    def _tried_by(self, state: State, player: str, seed: int, deadline: Deadline) -> Sequence[TriedOption]:
        """Return the results of each option in a tree; in one grown step by step if the native machine gives up."""
        found = self.tried_natively(state, player, Random(seed), deadline)
        return found or self.tried_here(state, player, Random(seed), deadline)

    def tried_natively(self, state: State, player: str, rng: Random, deadline: Deadline) -> Sequence[TriedOption]:
        """Return the results of each option in a tree of the native machine; empty if it cannot grow a tree."""
        valuation = self.greedy.natively(state)
        search = native_search(state, valuation, self.ahead, self._usual) if valuation is not None else None
        if search is None:
            return ()
        worlds, done = state.worlds(player), 0
        while done < deadline.left and not deadline.is_past():
            if done % SHARED == 0 and not search.enter(worlds.draw(rng), rng.randrange(SEEDS)):
                return ()
            many = deadline.portion(done, SHARED - done % SHARED)
            if not search.grow(many):
                return ()
            done += many
        return search.tried()

    def tried_here(self, state: State, player: str, rng: Random, deadline: Deadline) -> Sequence[TriedOption]:
        """Return the results of each option in a tree that grows step by step, on whichever machine holds the state."""
        decision, tree = state.decision, self.grown(state, player, rng, deadline)
        assert decision is not None
        branches = (tree.behind.get(key, Prospect(0)) for key in decision.keys)
        return [TriedOption(one.visits, one.value, one.prior) for one in branches]

    def grown(self, state: State, player: str, rng: Random, deadline: Deadline) -> Prospect:
        """Return the tree that has grown by the end of the time."""
        tree, world, chance, worlds = Prospect(1.0), state, rng, state.worlds(player)
        while tree.visits < deadline.left and not deadline.is_past():
            if tree.visits % SHARED == 0:
                world, chance = worlds.draw(rng), Random(rng.randrange(SEEDS))
                world.silent = True
            tree.visits += 1
            try:
                self._grow(tree, world.clone(), chance, deadline)
            except EndlessError:
                # Play may never get there.
                continue
        return tree

    def _grow(self, tree: Prospect, world: State, rng: Random, deadline: Deadline) -> None:
        """Add a branch to the tree, and add its value to all branches on the way."""
        path: list[tuple[int, Prospect]] = []
        players, last = world.variant.naming.players, tree
        while (last is tree or last.visits) and (decision := world.decision) is not None:
            if decision.player is None:
                world.apply(decision.sample(rng))
                continue
            branches = self._branches(last, world, decision, deadline)
            if not branches:
                return
            number = _promising(branches, last.visits)
            last = branches[number]
            path.append((players.index(decision.player), last))
            world.apply(number)
        worths = self.greedy.worths_ahead(world, rng.randrange(SEEDS), self.ahead, deadline.is_past)
        for number, branch in path:
            branch.visits += 1
            branch.total += self._value(worths[number])

    def _branches(self, parent: Prospect, world: State, decision: Decision, deadline: Deadline) -> list[Prospect]:
        """Return the branches of the options of a decision; new ones get priors by the options' immediate results.

        No branches are returned if the time ends early.
        """
        keys = decision.keys
        if not all(key in parent.behind for key in keys):
            worths = self.greedy.worths(world, deadline.is_past)
            most = max(worths, default=0)
            trust = [_power_of_e(max((worth - most) / self._usual, -STEEPEST)) for worth in worths]
            whole = _total(trust)
            for key, one in zip(keys, trust, strict=False):
                parent.behind.setdefault(key, Prospect(one / whole))
            if len(worths) < len(keys):
                return []
        return [parent.behind[key] for key in keys]

    def _value(self, worth: float) -> float:
        """Return the value of a worth: the end of a game counts more than all things on the board."""
        if abs(worth) >= WON:
            return float(worth > 0)
        steep = min(max(worth / self._usual, -STEEPEST), STEEPEST)
        return UNSURE + (1 - 2 * UNSURE) / (1 + _power_of_e(-steep))


def _promising(branches: Sequence[Prospect], visits: int) -> int:
    """Return the number of the branch to try next, after a number of visits to all of them."""
    curious = CURIOUS * sqrt(visits) / _total(branch.prior for branch in branches)
    scores = [branch.value + curious * branch.prior / (1 + branch.visits) for branch in branches]
    return scores.index(max(scores))


def _together(trees: Sequence[Sequence[TriedOption]]) -> Sequence[TriedOption]:
    """Return the results of options in several trees, joined as if from a single tree."""
    if len(trees) == 1:
        return trees[0]
    found = []
    for options in zip(*trees, strict=True):
        visits = sum(one.visits for one in options)
        whole = _total(one.value * one.visits for one in options)
        trust = _total(one.prior for one in options) / len(options)
        found.append(TriedOption(visits, whole / visits if visits else EVEN, trust))
    return found


def _total(numbers: Iterable[float]) -> float:
    """Return the sum of numbers, each added as the native machine does: `sum` is more exact in some versions."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def _power_of_e(power: float) -> float:
    """Return e to a power, by plain arithmetic that is the same on every machine."""
    part, total = power / 1024, 1.0
    for number in range(6, 0, -1):
        total = 1 + part / number * total
    for _ in range(10):
        total *= total
    return total
