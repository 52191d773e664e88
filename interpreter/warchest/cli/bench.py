"""Measure how many games a second are played by policy C.

Policy C takes the act that the game prefers if it is on offer, else any option, each as likely as the others; a game
is given up at the cap. Armies are drawn anew for each game, and every run plays the same games. Time is that of the
processor, and the median of the runs is reported.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from statistics import median
from typing import Any

from warchest.bots import bot_named, drive
from warchest.cli.common import (
    FINE,
    UsageError,
    add_common,
    armies_of,
    army_cards,
    check_known,
    load_game,
    note,
    print_json,
    whole_number,
)
from warchest.game.game import Game
from warchest.game.state import State

NAME = "bench"
HELP = "measure how many games are played in a second"

POLICY, BOT = "C", "policy-c"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("--seconds", type=_seconds, default=3.0, metavar="S",
                        help="how long a run takes at least (default: %(default)s)")  # fmt: skip
    parser.add_argument("--runs", type=whole_number(1), default=7, metavar="N",
                        help="how many runs (default: %(default)s)")  # fmt: skip
    parser.add_argument("--sets", metavar="A,B", help="draw armies from these sets only (default: from all)")
    parser.add_argument("--cap", type=whole_number(1), default=1000, metavar="N",
                        help="give a game up after so many decisions (default: %(default)s)")  # fmt: skip
    add_common(parser)


@dataclass(frozen=True, slots=True)
class Run:
    """What one run has measured."""

    games: int
    decisions: int
    seconds: float

    def data(self) -> dict[str, Any]:
        """Return it JSON-ready."""
        return {
            "games": self.games,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            "games_per_second": round(self.games / self.seconds, 3),
            "decisions_per_second": round(self.decisions / self.seconds, 1),
        }


def run(args: argparse.Namespace) -> int:
    """Measure and report; return the exit code."""
    game = load_game(args)
    dealer = Dealer(game, _sets(game, args.sets))
    runs = []
    for number in range(1, args.runs + 1):
        runs.append(_run(dealer, args.seconds, args.cap))
        note(f"run {number} of {args.runs}: {runs[-1].games / runs[-1].seconds:.2f} games/s")
    result = {
        "games_per_second": round(median(one.games / one.seconds for one in runs), 3),
        "decisions_per_second": round(median(one.decisions / one.seconds for one in runs), 1),
        "runs": [one.data() for one in runs],
        "policy": POLICY,
        "sets": dealer.sets,
        "cap": args.cap,
    }
    if args.format == "json":
        print_json(result)
    else:
        print(f"{result['games_per_second']} games/s, {result['decisions_per_second']} decisions/s")
        sets = ", ".join(dealer.sets) or "none"
        print(f"median of {args.runs} runs, policy {POLICY}, cap {args.cap}, sets: {sets}")
    return FINE


def _run(dealer: Dealer, seconds: float, cap: int) -> Run:
    """Play games until the time is over; the last is played to its end."""
    bots = dict.fromkeys((seat.name for seat in dealer.game.board.seats), bot_named(BOT, dealer.game))
    games = decisions = 0
    start = time.process_time()
    for seed in count():
        rng = Random(seed)
        decisions += drive(dealer.new(seed, rng), bots, rng, cap)
        games += 1
        spent = time.process_time() - start
        if spent >= seconds:
            break
    return Run(games, decisions, max(spent, 1e-9))


# ---- who plays with what


class Dealer:
    """Makes new games with armies drawn from some sets of cards."""

    def __init__(self, game: Game, sets: Sequence[str] | None) -> None:
        self.game = game
        cards = army_cards(game)
        self.sets = sorted(set(cards.values()) if sets is None else set(sets))
        # Which of all cards each player gets the setup settles; only a choice of sets must be drawn here.
        self.cards = None if sets is None else sorted(name for name, of in cards.items() if of in sets)
        self.sizes = {player: len(army) for player, army in armies_of(game, game.new(seed=0)).items()}
        if self.cards is not None and len(self.cards) < sum(self.sizes.values()):
            raise UsageError(
                f"these sets hold {len(self.cards)} cards, and {sum(self.sizes.values())} are dealt"
            )

    def new(self, seed: int, rng: Random) -> State:
        """Return a new game."""
        if self.cards is None:
            return self.game.new(seed=seed)
        left = iter(rng.sample(self.cards, sum(self.sizes.values())))
        return self.game.new(
            seed=seed,
            armies={player: [next(left) for _ in range(size)] for player, size in self.sizes.items()},
        )


def _sets(game: Game, written: str | None) -> list[str] | None:
    if written is None:
        return None
    known = sorted({name for name in army_cards(game).values() if name})
    names = [name.strip() for name in written.split(",")]
    for name in names:
        check_known("set", name, known)
    return names


def _seconds(written: str) -> float:
    try:
        seconds = float(written)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 86400:
        raise argparse.ArgumentTypeError(f"a number of seconds is needed, not {written[:40]!r}")
    return seconds
