"""Measures batches: steps for each second of processor time, with masks and with observations, and on several threads.

`python -m rl_rates` in this folder prints them, beside the decisions a second of whole games (as `warchest bench
--native` counts them), to compare measurements of different times. All are measured in turns, a slice of
each after the other; medians are printed. Threads are timed by the clock, as far as the machine has processors
to spare.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time

import numpy as np

import warchest
from warchest.game.game import Game
from warchest.game.native_games import NativeTable, PlayCourse, table_for
from warchest.rl import Batch

SLICE = 0.2
"""The seconds of processor time of a slice."""


class Walk:
    """Random steps of a batch; drawing actions is not measured."""

    def __init__(self, game: Game, games: int, threads: int, observe: bool) -> None:
        self.batch = Batch(game, games, seed=1, threads=threads, observe=observe)
        self.rng = np.random.default_rng(1)

    def slice(self) -> tuple[float, float]:
        """Return the steps for each second of processor time, and of the wall."""
        steps, spent, passed = 0, 0.0, 0.0
        while spent < SLICE:
            actions = self.batch.sample(self.rng)
            begun, at = process_time(), perf_counter()
            self.batch.step(actions)
            spent, passed = spent + process_time() - begun, passed + perf_counter() - at
            steps += self.batch.games
        return steps / spent, steps / passed


class WholeGames:
    """Whole games between bots that favour an act, as `warchest bench --native` plays them."""

    def __init__(self, game: Game) -> None:
        table = table_for(game.beginning())
        assert isinstance(table, NativeTable), table.reason
        favoured = frozenset({"control"})
        self.table, self.course, self.seed = table, PlayCourse((favoured,) * 2, 1000, None, range(0)), 0

    def slice(self) -> tuple[float, float]:
        """Return the decisions for each second of processor time, and of the wall."""
        decisions, begun, at = 0, process_time(), perf_counter()
        while process_time() - begun < SLICE:
            played = self.table.play(self.seed, self.course)
            self.seed += 1
            decisions += played.played.decisions if played is not None else 0
        return decisions / (process_time() - begun), decisions / (perf_counter() - at)


def measured(slices: dict[str, Callable[[], tuple[float, float]]], rounds: int) -> dict[str, tuple[float, float]]:
    """Return the medians of some rounds of slices, by name."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in slices}
    for _ in range(rounds):
        for name, one in slices.items():
            found[name].append(one())
    return {name: (median(of for of, _ in rows), median(wall for _, wall in rows)) for name, rows in found.items()}


def main() -> None:
    """Measure, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="war-chest", help="the shipped game (default: war-chest)")
    parser.add_argument("--games", type=int, default=256, help="the games of a batch (default: 256)")
    parser.add_argument("--threads", type=int, default=2, help="the threads of the last lines (default: 2)")
    parser.add_argument("--rounds", type=int, default=9, help="the rounds of slices (default: 9)")
    args = parser.parse_args()
    game = warchest.load(args.game)
    told = {
        "whole games, decisions": WholeGames(game).slice,
        "mask": Walk(game, args.games, 1, False).slice,
        "mask, observation": Walk(game, args.games, 1, True).slice,
        f"mask, {args.threads} threads": Walk(game, args.games, args.threads, False).slice,
        f"mask, observation, {args.threads} threads": Walk(game, args.games, args.threads, True).slice,
    }
    found = measured(told, args.rounds)
    whole = found["whole games, decisions"][0]
    for name, (of_processor, of_wall) in found.items():
        share = f"{of_processor / whole:.3f} of whole games"
        print(f"{name:32} {of_processor:12,.0f} /s of processor  {of_wall:12,.0f} /s of the wall  {share}")


if __name__ == "__main__":
    main()
