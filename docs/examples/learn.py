"""Trains a policy against the bot `greedy`, with NumPy alone: an actor and a critic, both linear.

    python docs/examples/learn.py --steps 5000000

An observation is a row of numbers. Each number of each column becomes a feature that is there or not; the policy has a
weight for each action and feature, and the critic one for each feature. At first the spaces that are controlled count,
too, as a small reward that cancels itself out by the end of a game; without it a policy that never wins learns nothing.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from time import process_time

import numpy as np
from numpy.typing import NDArray

import warchest
from warchest.rl import Batch, GameStatus

Numbers = NDArray[np.int64]
Floats = NDArray[np.float32]
GAMES, LENGTH = 256, 32
"""The games of the batch, and the steps of each between two changes of the weights."""
MOST = 2_000
"""The most features; the last one stands for all further ones."""
KEPT, TRUSTED = 0.995, 0.95
"""The share of later rewards that counts at each step, and that of later estimates."""
RATE, CRITIC_RATE, CURIOSITY = 0.02, 0.3, 0.01
PER_SPACE = 0.1
"""The reward for each controlled space, until the game is over."""


class Features:
    """Numbers the values that columns have had, as they come up: each is a feature."""

    def __init__(self, columns: tuple[str, ...], actions: int) -> None:
        def most(name: str) -> int:
            return actions + 1 if name.startswith("part ") else 128 if name == "question" or "document" in name else 8

        self._most = np.array([most(name) for name in columns])
        """The greatest number of each column; greater ones are the same feature."""
        self._first = np.concatenate([[0], np.cumsum(self._most)[:-1]])
        self._known = np.full(int(self._most.sum()), -1)
        self.count = 0

    def of(self, observations: NDArray[np.int16]) -> tuple[Numbers, Numbers, Numbers]:
        """Return the features of all rows one behind the other, where those of each row begin, and how many they are."""
        rows, columns = np.nonzero(observations)
        values = np.clip(observations[rows, columns], 1, self._most[columns])
        places = self._first[columns] + values - 1
        new = np.unique(places[self._known[places] < 0])
        self._known[new] = np.minimum(np.arange(self.count, self.count + len(new)), MOST - 1)
        self.count = min(self.count + len(new), MOST)
        begins = np.searchsorted(rows, np.arange(len(observations)))
        return self._known[places], begins, np.diff(np.append(begins, len(rows)))


@dataclass
class Choice:
    """What was on offer at a step: the games with actions, the actions of each, their odds, and which were taken."""

    live: Numbers
    counts: Numbers
    rows: Numbers
    """The game of each action."""
    actions: Numbers
    pairs: Numbers
    """For each action its features, one behind the other: their places among those of all games."""
    lengths: Numbers
    odds: Floats
    taken: Numbers


@dataclass
class Step:
    """A step of all games: what was seen, chosen and estimated, and what came of it."""

    features: Numbers
    lengths: Numbers
    choice: Choice
    values: Floats
    rewards: Floats
    ends: NDArray[np.bool_]
    """The games that ended with it."""
    begins: NDArray[np.bool_]
    """The games that had ended before it, so that it only began another one."""


def spread(begins: Numbers, lengths: Numbers) -> Numbers:
    """Return the numbers of some stretches, one behind the other."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1]) + np.repeat(begins - ends + lengths, lengths)


@dataclass
class Policy:
    """A weight for each action and feature, and for the critic one for each feature; Adam changes the former."""

    actions: int
    seed: int
    sure: bool = False
    """Whether it takes the likeliest action, and tries no other one."""
    weights: Floats = field(init=False)
    critic: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.weights = np.zeros((self.actions, MOST), np.float32)
        self.critic = np.zeros(MOST, np.float32)
        self._mean, self._square = np.zeros_like(self.weights), np.zeros_like(self.weights)
        self._changes, self._rng = 0, np.random.default_rng(self.seed)

    def choose(self, batch: Batch, seen: tuple[Numbers, Numbers, Numbers]) -> Choice:
        """Draw an action in each game that is not over, by the odds of those on offer."""
        features, begins, lengths = seen
        live = np.nonzero(batch.counts)[0]
        counts = batch.counts[live].astype(np.int64)
        rows, first = np.repeat(live, counts), np.cumsum(counts) - counts
        actions = batch.actions[rows, np.arange(len(rows)) - np.repeat(first, counts)].astype(np.int64)
        pairs = spread(begins[rows], lengths[rows])
        each = np.cumsum(lengths[rows]) - lengths[rows]
        marks = np.add.reduceat(self.weights[np.repeat(actions, lengths[rows]), features[pairs]], each)
        odds = np.exp(marks - np.repeat(np.maximum.reduceat(marks, first), counts))
        odds /= np.repeat(np.add.reduceat(odds, first), counts)
        if self.sure:
            best = np.repeat(np.maximum.reduceat(odds, first), counts)
            drawn = np.nonzero(odds == best)[0]
            drawn = drawn[np.searchsorted(drawn, first)]
        else:
            summed = np.cumsum(odds)
            before = np.concatenate([[0], summed[first[1:] - 1]])
            drawn = np.searchsorted(summed, before + self._rng.random(len(live)))
        return Choice(
            live, counts, rows, actions, pairs, lengths[rows], odds, np.clip(drawn, first, first + counts - 1)
        )

    def learn(self, steps: list[Step], last: Floats, rate: float) -> None:
        """Change the weights by some steps in a row; `last` are the values of the states behind them."""
        gains = advantages(steps, last)
        spread_out = float(np.std(gains)) + 1e-6
        slopes, critic = np.zeros_like(self.weights), np.zeros_like(self.critic)
        for step, gain in zip(steps, gains, strict=True):
            made, wish = step.choice, gain / spread_out
            surprise = np.log(made.odds + 1e-9)
            first = np.cumsum(made.counts) - made.counts
            calm = np.repeat(np.add.reduceat(-made.odds * surprise, first), made.counts)
            pull = -made.odds * (wish[made.rows] + CURIOSITY * (surprise + calm))
            pull[made.taken] += wish[made.live]
            places = np.repeat(made.actions, made.lengths) * MOST + step.features[made.pairs]
            np.add.at(slopes.reshape(-1), places, np.repeat(pull, made.lengths).astype(np.float32))
            np.add.at(critic, step.features, np.repeat(gain, step.lengths).astype(np.float32))
        self._climb(slopes / (GAMES * len(steps)), rate)
        self.critic += CRITIC_RATE * critic / (GAMES * len(steps))

    def _climb(self, slopes: Floats, rate: float) -> None:
        self._changes += 1
        self._mean += 0.1 * (slopes - self._mean)
        self._square += 0.001 * (slopes**2 - self._square)
        mean, square = self._mean / (1 - 0.9**self._changes), self._square / (1 - 0.999**self._changes)
        self.weights += rate * mean / (np.sqrt(square) + 1e-5)


def advantages(steps: list[Step], last: Floats) -> list[Floats]:
    """Return how much better each step went than the critic had estimated."""
    found, value, gain = list[Floats](), last, np.zeros_like(last)
    for step in reversed(steps):
        now = np.where(step.begins, 0, step.values)
        error = step.rewards + KEPT * np.where(step.ends, 0, value) - now
        gain = np.where(step.begins, 0, error + KEPT * TRUSTED * np.where(step.ends | step.begins, 0, gain))
        found.append(gain.astype(np.float32))
        value = now
    return found[::-1]


class Training:
    """A batch of games against a bot, the policy that plays them, and the rewards of the games that have ended."""

    def __init__(self, name: str, setup: str, bot: str, seed: int) -> None:
        game = warchest.load(name)
        learner, *others = game.board_for(setup).players
        self.batch = Batch(game, GAMES, seed=seed, bots=dict.fromkeys(others, bot), setup=setup, cap=400)
        self.policy = Policy(self.batch.action_count, seed)
        self.features = Features(self.batch.columns, self.batch.action_count)
        self.seat = self.batch.seats.index(learner)
        self.rewards = list[float]()
        self.spaces = [at for at, name in enumerate(self.batch.columns) if name.startswith("controller of ")]
        self._held = self._worth()

    def _worth(self) -> Floats:
        """Return the reward for the spaces that are controlled, which counts while a game goes on."""
        held = self.batch.observations[:, self.spaces]
        running = self.batch.ended == GameStatus.RUNNING
        return (PER_SPACE * running * ((held == 1).sum(1) - (held == 2).sum(1))).astype(np.float32)

    def _step(self) -> Step:
        batch, seen = self.batch, self.features.of(self.batch.observations)
        values = np.add.reduceat(self.policy.critic[seen[0]], seen[1])
        choice, before = self.policy.choose(batch, seen), batch.ended != GameStatus.RUNNING
        actions = np.zeros(batch.games, np.int64)
        actions[choice.live] = choice.actions[choice.taken]
        batch.step(actions)
        ends, held = batch.ended != GameStatus.RUNNING, self._worth()
        won = batch.rewards[:, self.seat]
        rewards, self._held = np.where(before, 0, won + held - self._held).astype(np.float32), held
        self.rewards += won[ends].tolist()
        return Step(seen[0], seen[2], choice, values, rewards, ends, before)

    def round(self, left: float) -> None:
        """Play some steps, and learn from them; the less of the training is `left`, the smaller are the changes."""
        steps = [self._step() for _ in range(LENGTH)]
        features, begins, _ = self.features.of(self.batch.observations)
        values = np.add.reduceat(self.policy.critic[features], begins)
        values = np.where(self.batch.ended != GameStatus.RUNNING, 0, values)
        self.policy.learn(steps, values, RATE * left)

    def played(self, games: int) -> float:
        """Play so many games, and some more, with the likeliest action each time; return the share of games won."""
        self.policy.sure, self.rewards = True, []
        while len(self.rewards) < games:
            self._step()
        self.policy.sure = False
        return float((np.array(self.rewards) > 0).mean())


def main(given: list[str] | None = None) -> float:
    """Train, print the share of games won from time to time, and return that of two thousand games behind it."""
    parser = argparse.ArgumentParser(description="Train a linear policy against a bot.")
    parser.add_argument("--game", default="war-chest", help="the shipped game (default: war-chest)")
    parser.add_argument("--setup", default="First game", help="the setup (default: First game)")
    parser.add_argument("--bot", default="greedy", help="the bot that it plays against (default: greedy)")
    parser.add_argument("--steps", type=int, default=5_000_000, help="the steps of all games (default: 5,000,000)")
    parser.add_argument("--seed", type=int, default=1, help="the seed (default: 1)")
    args = parser.parse_args(given)
    training, begun = Training(args.game, args.setup, args.bot, args.seed), process_time()
    rounds = args.steps // (GAMES * LENGTH)
    each = max(1, rounds // 20)
    for number in range(1, 1 + rounds):
        training.round(1 - (number - 1) / rounds)
        if number % each == 0:
            last, spent = np.array(training.rewards[-1000:]), process_time() - begun
            won = float((last > 0).mean()) if len(last) else 0.0
            print(
                f"{number * GAMES * LENGTH:,} steps, {spent:.0f} s: {won:.1%} of the last 1,000 games won", flush=True
            )
    won = training.played(2000)
    print(f"with the likeliest action each time: {won:.1%} of 2,000 games won")
    return won


if __name__ == "__main__":
    main()
