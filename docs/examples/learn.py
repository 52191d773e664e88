"""Trains a policy that beats the bot `greedy`, in both seats, with NumPy alone: a small network, and PPO.

    OPENBLAS_NUM_THREADS=1 python docs/examples/learn.py

An observation is a row of numbers. Amounts are inputs of the network as they are; of all else each number of each
column is an input that is 0 or 1. The network has two hidden layers; its outputs are the value of the state (output 0),
and a weight for each action. While a game goes on, controlled spaces count as a small reward that cancels itself out
by the end (a potential); without it, a policy that never wins learns nothing.
"""

from __future__ import annotations

import argparse
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import warchest
from warchest.rl import Batch, GameStatus

Numbers = NDArray[np.int64]
Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
GAMES, LENGTH = 256, 64
"""The games that are played at once, and the steps of each in a round, after which the network changes."""
INPUTS, HIDDEN, OUTPUTS = 1000, 128, 500
"""The most inputs, the size of a hidden layer, and the most outputs; only those that have come up take time."""
PASSES, PART = 3, 1024
"""The passes over the steps of a round, and the steps of one change of the network."""
KEPT, TRUSTED = 0.997, 0.95
"""The share of later rewards that counts at each step, and that of later estimates."""
RATE, CLIP, CURIOSITY, VALUE_RATE = 1e-3, 0.2, 0.005, 0.5
PER_SPACE = 0.3
"""The reward for each controlled space, until the game is over."""


class Numbering:
    """Numbers for things in the order in which they come up, so that the network has room only for those that do."""

    def __init__(self, things: int, most: int, first: int = 0) -> None:
        self.of, self.things = np.full(things, -1), np.zeros(most, np.int64)
        """The number of each thing, -1 if it has none; and the thing of each number."""
        self.count, self._most = first, most

    def add(self, things: Numbers) -> None:
        """Number the things that have no number yet."""
        new = np.unique(things[self.of[things] < 0])[: self._most - self.count]
        self.of[new] = np.arange(self.count, self.count + len(new))
        self.things[self.count : self.count + len(new)] = new
        self.count += len(new)


class Network:
    """Three layers of weights, which Adam changes; inputs that are always 1 make up for weights of their own."""

    def __init__(self, rng: np.random.Generator) -> None:
        sizes = ((INPUTS, HIDDEN, 0.12), (HIDDEN, HIDDEN, (2 / HIDDEN) ** 0.5), (HIDDEN, OUTPUTS, 0.01))
        weights = [(rng.standard_normal((rows, columns)) * scale).astype(np.float32) for rows, columns, scale in sizes]
        self._all = (weights, [np.zeros_like(one) for one in weights], [np.zeros_like(one) for one in weights])
        """The weights, and for Adam the means of their slopes, and those of the squares."""
        self._changes = 0
        self.use(0, 1)

    def use(self, inputs: int, outputs: int) -> None:
        """Leave out the inputs and outputs from these numbers on."""
        self._used = [(first[:inputs], second, last[:, :outputs]) for first, second, last in self._all]

    def run(self, inputs: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the hidden layers and the outputs."""
        first, second, last = self._used[0]
        near = np.maximum(inputs[:, : len(first)] @ first, 0)
        far = np.maximum(near @ second, 0)
        return near, far, far @ last

    def change(self, inputs: Floats, near: Floats, far: Floats, slopes: Floats, rate: float) -> None:
        """Change the weights against the slopes of the outputs, whose layers `run` has returned."""
        first, second, last = self._used[0]
        far_slopes = (slopes @ last.T) * (far > 0)
        near_slopes = (far_slopes @ second.T) * (near > 0)
        found = (inputs[:, : len(first)].T @ near_slopes, near.T @ far_slopes, far.T @ slopes)
        self._changes += 1
        rate *= (1 - 0.999**self._changes) ** 0.5 / (1 - 0.9**self._changes)
        for weights, mean, square, slope in zip(*self._used, found, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            weights -= rate * mean / (np.sqrt(square) + 1e-5)


class Step(NamedTuple):
    """A step of all games, with a row for each."""

    inputs: Floats
    legal: Flags
    """The outputs of the actions on offer."""
    taken: Numbers
    odds: Floats
    """The odds of the output that was taken."""
    values: Floats
    rewards: Floats
    ends: Flags
    """The games that ended with it."""
    begins: Flags
    """The games that had ended before it, so that it only began another one."""


class Side:
    """A batch of games in which one seat learns, and bots have the others."""

    def __init__(self, game: warchest.Game, setup: str, seat: str, bot: str, games: int, seed: int, cap: int) -> None:
        others = [one for one in game.board_for(setup).players if one != seat]
        self.batch = Batch(game, games, seed=seed, bots=dict.fromkeys(others, bot), setup=setup, cap=cap)
        self.at = self.batch.seats.index(seat)
        self._spaces = [at for at, name in enumerate(self.batch.columns) if name.startswith("controller of ")]
        self._worth = self._potential()

    def _potential(self) -> Floats:
        """Return the reward for the spaces that are controlled, which counts while a game goes on."""
        held = self.batch.observations[:, self._spaces]
        running = self.batch.ended == GameStatus.RUNNING
        found: Floats = (PER_SPACE * running * ((held == 1).sum(1) - (held == 2).sum(1))).astype(np.float32)
        return found

    def step(self, actions: Numbers) -> tuple[Floats, Flags, Flags]:
        """Take an action in each game; return the rewards, and which games ended with it, and before it."""
        begins, before = self.batch.ended != GameStatus.RUNNING, self._worth
        self.batch.step(np.where(begins, 0, actions))
        ends, self._worth = self.batch.ended != GameStatus.RUNNING, self._potential()
        rewards = self.batch.rewards[:, self.at] + KEPT * self._worth - before
        return np.where(begins, 0, rewards).astype(np.float32), ends, begins


class Player:
    """The policy: a network, with the numbers of its inputs and outputs."""

    def __init__(self, batch: Batch, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.network = Network(self.rng)
        self._amounts = np.array([" in " in name or name.endswith("tokens") for name in batch.columns])
        most = [batch.action_count if name.startswith("part ") else 128 for name in batch.columns]
        self._most = np.where(self._amounts, 1, most)
        """The greatest number of each column that has an input of its own."""
        self._first = np.cumsum(self._most) - self._most
        self._inputs = Numbering(int(self._most.sum()), INPUTS)
        self._outputs = Numbering(batch.action_count, OUTPUTS, first=1)

    def read(self, batch: Batch) -> tuple[Floats, Flags]:
        """Return the inputs of the network, and the outputs whose actions are on offer."""
        rows, columns = np.nonzero(batch.observations)
        numbers = batch.observations[rows, columns]
        places = self._first[columns] + np.minimum(numbers, self._most[columns]) - 1
        self._inputs.add(places)
        inputs = np.zeros((batch.games, INPUTS + 1), np.float32)
        inputs[rows, self._inputs.of[places]] = np.where(self._amounts[columns], numbers / 2, 1)
        self._outputs.add(np.nonzero(batch.mask.any(0))[0])
        legal = np.zeros((batch.games, OUTPUTS), np.bool_)
        legal[:, 1 : self._outputs.count] = batch.mask[:, self._outputs.things[1 : self._outputs.count]]
        self.network.use(self._inputs.count, self._outputs.count)
        return inputs, legal

    def actions_of(self, batch: Batch, outputs: Numbers) -> Numbers:
        """Return the actions of outputs; the first on offer where none of those on offer has an output."""
        actions, rows = self._outputs.things[outputs], np.arange(len(outputs))
        found: Numbers = np.where(batch.mask[rows, actions], actions, batch.actions[:, 0])
        return found


def odds_of(outputs: Floats, legal: Flags) -> Floats:
    """Return the odds of the outputs: none for those that are not on offer."""
    marks = np.where(legal[:, : outputs.shape[1]], outputs, np.float32(-1e9))
    odds: Floats = np.exp(marks - marks.max(1, keepdims=True))
    odds /= odds.sum(1, keepdims=True)
    return odds


def play(player: Player, sides: list[Side]) -> Step:
    """Take a step in the games of all sides."""
    seen = [player.read(side.batch) for side in sides]
    inputs, legal = np.concatenate([one for one, _ in seen]), np.concatenate([one for _, one in seen])
    outputs = player.network.run(inputs)[2]
    odds, rows = odds_of(outputs, legal), np.arange(len(inputs))
    summed = np.cumsum(odds, 1)
    taken = (summed < player.rng.random((len(odds), 1)) * summed[:, -1:]).sum(1)
    parts = np.split(taken, len(sides))
    told = [side.step(player.actions_of(side.batch, part)) for side, part in zip(sides, parts, strict=True)]
    rewards, ends, begins = (np.concatenate(column) for column in zip(*told, strict=True))
    return Step(inputs, legal, taken, odds[rows, taken], outputs[:, 0], rewards, ends, begins)


def advantages(steps: list[Step], last: Floats) -> list[Floats]:
    """Return how much better each step went than its value had said; `last` are the values after all of them."""
    found, value, gain = list[Floats](), last, np.zeros_like(last)
    for step in reversed(steps):
        error = step.rewards + KEPT * np.where(step.ends, 0, value) - step.values
        gain = np.where(step.begins, 0, error + KEPT * TRUSTED * np.where(step.ends, 0, gain)).astype(np.float32)
        found.append(gain)
        value = np.where(step.begins, 0, step.values)
    return found[::-1]


def learn(player: Player, steps: list[Step], last: Floats, left: float) -> None:
    """Change the network by the steps of a round; the less of the training is `left`, the smaller are the changes."""
    gains = np.concatenate(advantages(steps, last))
    inputs, legal, taken, odds, values, _, _, begins = (np.concatenate(column) for column in zip(*steps, strict=True))
    wanted, real = values + gains, np.nonzero(~begins)[0]
    gains = (gains - gains[real].mean()) / (gains[real].std() + 1e-8)
    for _ in range(PASSES):
        for part in np.array_split(player.rng.permutation(real), max(1, len(real) // PART)):
            seen, rows, gain = inputs[part], np.arange(len(part)), gains[part]
            near, far, outputs = player.network.run(seen)
            now = odds_of(outputs, legal[part])
            ratio = now[rows, taken[part]] / odds[part]
            pull = np.where(np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP), ratio * gain, 0)
            surprise = np.log(now + 1e-9)
            calm = (now * surprise).sum(1, keepdims=True)
            slopes = now * (pull[:, None] + CURIOSITY * left * (surprise - calm))
            slopes[rows, taken[part]] -= pull
            slopes[:, 0] = VALUE_RATE * (outputs[:, 0] - wanted[part])
            player.network.change(seen, near, far, slopes / np.float32(len(part)), RATE * left)


def measure(player: Player, side: Side) -> float:
    """Play each game of a side to its end, with the likeliest action each time; return the share of games won."""
    batch, going, wins = side.batch, np.ones(side.batch.games, np.bool_), 0
    while going.any():
        inputs, legal = player.read(batch)
        likeliest = odds_of(player.network.run(inputs)[2], legal).argmax(1)
        side.step(player.actions_of(batch, likeliest))
        over = going & (batch.ended != GameStatus.RUNNING)
        wins += int((batch.rewards[over, side.at] > 0).sum())
        going &= ~over
    return wins / batch.games


def main(given: list[str] | None = None) -> float:
    """Train, print the share of games won from time to time, and return that of more games after it."""
    parser = argparse.ArgumentParser(description="Train a policy against a bot.")
    parser.add_argument("--game", default="war-chest", help="the shipped game (default: war-chest)")
    parser.add_argument("--setup", default="First game", help="the setup (default: First game)")
    parser.add_argument("--bot", default="greedy", help="the bot that it plays against (default: greedy)")
    parser.add_argument("--steps", type=int, default=4_000_000, help="the steps of all games (default: 4,000,000)")
    parser.add_argument("--games", type=int, default=4000, help="the games played at the end (default: 4,000)")
    parser.add_argument("--seed", type=int, default=1, help="the seed (default: 1)")
    args = parser.parse_args(given)
    game, begun = warchest.load(args.game), process_time()
    seats = game.board_for(args.setup).players

    def sides(games: int, seed: int, cap: int) -> list[Side]:
        return [Side(game, args.setup, seat, args.bot, games // len(seats), seed, cap) for seat in seats]

    def report(text: str, games: int, seed: int) -> float:
        shares = [measure(player, side) for side in sides(games, seed, 1000)]
        share = float(np.mean(shares))
        off, spent = 1.96 * (share * (1 - share) / games) ** 0.5, process_time() - begun
        each = ", ".join(f"{one:.1%} as {seat}" for one, seat in zip(shares, seats, strict=True))
        print(f"{text}, {spent:.0f} s: {share:.1%} ± {off:.1%} of {games:,} games won ({each})", flush=True)
        return share

    training = sides(GAMES, args.seed, 400)
    player, rounds = Player(training[0].batch, args.seed), max(1, args.steps // (GAMES * LENGTH))
    for number in range(1, 1 + rounds):
        steps = [play(player, training) for _ in range(LENGTH)]
        last = np.concatenate([player.network.run(player.read(side.batch)[0])[2][:, 0] for side in training])
        learn(player, steps, last, 1 - (number - 1) / rounds)
        if number % max(4, rounds // 16) == 0:
            report(f"{number * GAMES * LENGTH:,} steps", 400, args.seed + 1)
    return report("at the end", args.games, args.seed + 2)


if __name__ == "__main__":
    main()
