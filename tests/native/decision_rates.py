"""Measures how long it takes to read a decision natively: itself, its count, the keys and the labels of its options.

`python -m decision_rates` in this folder prints microseconds for each shipped game: medians over the decisions of random
games, each read once, when play has just arrived there; and the most microseconds for nine of ten of them. Labels are
read in games of their own, because they fill the caches of the processor. The time that the clock
itself takes is left out. Where a call has to wait for a processor, no median shows it; the time for labels, which is
longer, is that of the processor.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from random import Random
from statistics import median
from time import perf_counter_ns, thread_time_ns

import warchest
from warchest.game.game import Game

CLOCK = 1000
"""The number of times that the clock is read to find its own time."""


class Reading:
    """The nanoseconds that it took to read each part of decisions, by name."""

    def __init__(self, game: Game, decisions: int) -> None:
        self.game, self.decisions = game, decisions
        self.times: dict[str, list[int]] = defaultdict(list)
        self._own = int(median(-(perf_counter_ns() - perf_counter_ns()) for _ in range(CLOCK)))

    def play(self, seed: int, labels: bool) -> None:
        """Play a random game, and read labels, or all else, on the way."""
        state, rng = self.game.new(seed=seed), Random(seed)
        state.silent = True
        why = state.play_natively()
        assert not why, why
        for _ in range(self.decisions):
            begun = perf_counter_ns()
            decision = state.decision
            read = perf_counter_ns()
            if decision is None:
                return
            count = decision.count
            counted = perf_counter_ns()
            if labels:
                begun = thread_time_ns()
                for option in decision.options:
                    option.label  # noqa: B018
                self.times["labels, chance" if decision.is_chance else "labels"].append(thread_time_ns() - begun)
            else:
                decision.keys  # noqa: B018
                listed = perf_counter_ns()
                self._note("decision", begun, read)
                self._note("count", read, counted)
                self._note("keys", counted, listed)
                self.times["decision, keys"].append(self.times["decision"][-1] + self.times["keys"][-1])
            state.apply(rng.randrange(count))

    def _note(self, name: str, begun: int, ended: int) -> None:
        self.times[name].append(ended - begun - self._own)


def main() -> None:
    """Measure, and print a line for each part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=8, help="the games of each kind (default: 8)")
    parser.add_argument("--decisions", type=int, default=150, help="the most decisions of a game (default: 150)")
    args = parser.parse_args()
    for name in ("war-chest", "unigames"):
        reading = Reading(warchest.load(name), args.decisions)
        for labels in (False, True):
            for seed in range(args.seeds):
                reading.play(seed, labels)
        for part, times in reading.times.items():
            most = sorted(times)[len(times) * 9 // 10]
            print(f"{name:10} {part:15} {median(times) / 1000:9.2f} µs  {most / 1000:9.2f} µs")


if __name__ == "__main__":
    main()
