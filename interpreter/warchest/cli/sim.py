"""Let bots play games against each other and report how they ended.

The bots are given in the order of the seats; in each further game they move on by one seat, so that none keeps the
first. Game number k (from 0) is set up and rolled with the seed S + k, so that it is the same however many are played
at a time.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any

from warchest.bots import BOTS, Bot, Course, bot_named, played
from warchest.cli.beginning import add_beginning, beginning_of
from warchest.cli.common import (
    FINE,
    add_common,
    add_jobs,
    add_limits,
    armies_of,
    check_known,
    load_game,
    note,
    print_json,
    progress,
    whole_number,
)
from warchest.game.game import Game
from warchest.game.state import EndlessError, State
from warchest.parallel import side_by_side
from warchest.streams import console

if TYPE_CHECKING:
    from rich.console import Console

    from warchest.game.setup import Beginning

NAME = "sim"
HELP = "let bots play games and report how they ended"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("-n", "--games", type=whole_number(1), default=100, metavar="N",
                        help="how many games (default: %(default)s)")  # fmt: skip
    parser.add_argument(
        "--seed", type=whole_number(0), default=0, metavar="S", help="the first seed (default: 0)"
    )
    parser.add_argument("--bots", default="policy-c", metavar="A,B", help="who plays (default: %(default)s)")
    add_limits(parser)
    add_jobs(parser, "games")
    parser.add_argument("--show", action="store_true", help="print each game as it goes")
    add_beginning(parser)
    add_common(parser)


@dataclass(frozen=True, slots=True)
class Record:
    """What came of a game."""

    seed: int
    armies: dict[str, list[str]]
    bots: dict[str, str]
    winners: tuple[str, ...] | None
    reason: str
    turns: int
    rounds: int
    decisions: int
    endless: EndlessError | None = None
    """The rule that never came to an end and broke the game off."""

    def data(self) -> dict[str, Any]:
        """Return it JSON-ready; the outcome of a game that was given up, or had no end, is null."""
        outcome = None if self.winners is None else {"winners": list(self.winners), "reason": self.reason}
        return {
            "seed": self.seed,
            "armies": self.armies,
            "bots": self.bots,
            "outcome": outcome,
            "turns": self.turns,
            "rounds": self.rounds,
            "decisions": self.decisions,
            "endless": None if self.endless is None else self.endless.data(),
        }


def run(args: argparse.Namespace) -> int:
    """Play the games and report; return the exit code."""
    game = load_game(args)
    table = _Table(game, beginning_of(game, args), _bots(args.bots))
    show, limit = _showing(args.format) if args.show else None, (args.cap, args.turns)
    begun = time.perf_counter()

    def play(number: int) -> Record:
        return table.play(number, args.seed + number, limit, show)

    played = side_by_side(play, range(args.games), 1 if args.show else args.jobs)
    if args.show:
        records = list(played)
    else:
        with progress() as bar:
            records = list(bar.track(played, total=args.games, description="games"))
    for reason, count in Counter(str(record.endless) for record in records if record.endless is not None).items():
        note(f"{count} game{'' if count == 1 else 's'} broken off: {reason}")
    seconds, decisions = time.perf_counter() - begun, sum(record.decisions for record in records)
    note(f"{args.games / seconds:.1f} games and {decisions / seconds:.0f} decisions a second")
    if args.format == "json":
        print_json([*(record.data() for record in records), _summary(table.beginning, records)])
    else:
        _print(table, records)
    return FINE


def _showing(form: str) -> Console:
    """Return where games are shown; in JSON standard output is the result's alone."""
    return console(error=form == "json")


def _bots(written: str) -> list[str]:
    names = [name.strip() for name in written.split(",")]
    for name in names:
        check_known("bot", name, BOTS)
    return names


# ---- playing


@dataclass(slots=True)
class _Table:
    """A game, how it begins, and those who play it."""

    game: Game
    beginning: Beginning
    names: Sequence[str]
    bots: dict[str, Bot] = field(init=False)

    def __post_init__(self) -> None:
        self.bots = {name: bot_named(name, self.game) for name in self.names}

    def seating(self, number: int) -> dict[str, str]:
        """Return which bot sits where in the game of this number."""
        seats = self.beginning.variant.board.seats
        return {seat.name: self.names[(place + number) % len(self.names)] for place, seat in enumerate(seats)}

    def play(self, number: int, seed: int, limit: tuple[int, int | None], show: Console | None) -> Record:
        """Play a game to its end, or until so many decisions, or turns, are over."""
        state = self.beginning.begin(seed)
        state.silent = show is None
        brought = armies_of(self.game, state)
        seating, rng = self.seating(number), Random(seed)
        teller = _Teller(self.game, state, show) if show is not None else None
        if teller is not None:
            teller.begin(number, seed, seating)
        bots = {seat: self.bots[name] for seat, name in seating.items()}
        course = played(state, bots, rng, *limit, watch=teller.tell if teller is not None else None)
        outcome = state.outcome
        winners, reason = (outcome.winners, outcome.reason) if outcome is not None else (None, "")
        if teller is not None:
            teller.end(reason or _broken_off(course))
        # Armies may have been chosen in the game itself, or may have left for the board since it began.
        armies = {player: army or brought[player] for player, army in armies_of(self.game, state).items()}
        return Record(seed, armies, seating, winners, reason, state.turn, state.round, course.decisions, course.endless)


def _broken_off(course: Course) -> str:
    """Return why a game has no outcome."""
    if course.endless is not None:
        return f"broken off: {course.endless}"
    return f"given up after {course.decisions} decisions"


class _Teller:
    """Shows a game: at the end of each round what has happened in it, and the board."""

    def __init__(self, game: Game, state: State, show: Console) -> None:
        self.state, self.show = state, show
        self.round, self.lines = state.round, 0
        words = game.document.values.get("words", {}).get("verbs", {})
        # What the game itself does every round is no news.
        self.routine = {name for name, verb in words.items() if verb.get("by") == "game"}

    def begin(self, number: int, seed: int, seating: dict[str, str]) -> None:
        """Say which game it is, and who plays."""
        who = ", ".join(f"{seat} is {bot}" for seat, bot in seating.items())
        self.show.print(f"game {number + 1}, seed {seed}: {who}", soft_wrap=True)

    def tell(self) -> None:
        """Show what is new if a round has ended."""
        if self.state.round != self.round:
            self._news(f"round {self.round} has ended")
            self.round = self.state.round

    def end(self, how: str) -> None:
        """Show what is left to be told, and how the game ended."""
        self._news(how)

    def _news(self, title: str) -> None:
        from warchest.picture import text

        log = self.state.log
        for line in log[self.lines :]:
            if line.strip() not in self.routine:
                self.show.print(line, soft_wrap=True, style="dim" if line.startswith(" ") else "bold")
        self.lines = len(log)
        self.show.print()
        self.show.print(text(self.state))
        self.show.print(f"{title}\n", style="bold")


# ---- the report


def _means(records: Sequence[Record]) -> dict[str, float]:
    return {
        "mean_turns": fmean(record.turns for record in records),
        "mean_rounds": fmean(record.rounds for record in records),
        "mean_decisions": fmean(record.decisions for record in records),
    }


def _wins(beginning: Beginning, records: Sequence[Record]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Return the games won by seat and by bot, and how often each bot sat down; a team's win is each member's."""
    by_seat: Counter[str] = Counter()
    by_bot: Counter[str] = Counter()
    sat: Counter[str] = Counter()
    for record in records:
        for seat in beginning.variant.board.seats:
            bot = record.bots[seat.name]
            won = record.winners is not None and bool({seat.name, seat.team} & set(record.winners))
            by_seat[seat.name] += won
            by_bot[bot] += won
            sat[bot] += 1
    return by_seat, by_bot, sat


def _summary(beginning: Beginning, records: Sequence[Record]) -> dict[str, Any]:
    by_seat, by_bot, sat = _wins(beginning, records)
    return {
        "summary": True,
        "games": len(records),
        "wins": dict(by_seat),
        "bots": {bot: {"seats": sat[bot], "wins": by_bot[bot]} for bot in sat},
        "draws": sum(record.winners == () for record in records),
        "unfinished": sum(record.winners is None for record in records),
        "endless": sum(record.endless is not None for record in records),
        **{name: round(mean, 2) for name, mean in _means(records).items()},
    }


def _print(played: _Table, records: Sequence[Record]) -> None:
    from rich.table import Table

    by_seat, by_bot, sat = _wins(played.beginning, records)
    table = Table(title=f"{len(records)} game{'' if len(records) == 1 else 's'} of {played.game.name}")
    for name in ("", "games", "won", "share"):
        table.add_column(name, justify="right" if name else "left")
    for seat, won in by_seat.items():
        table.add_row(seat, str(len(records)), str(won), f"{won / len(records):.1%}")
    table.add_section()
    for bot, won in by_bot.items():
        table.add_row(f"bot {bot}", str(sat[bot]), str(won), f"{won / sat[bot]:.1%}")
    table.add_section()
    for name, count in (
        ("drawn", sum(record.winners == () for record in records)),
        ("given up", sum(record.winners is None and record.endless is None for record in records)),
        ("endless", sum(record.endless is not None for record in records)),
    ):
        if count or name != "endless":
            table.add_row(name, str(len(records)), str(count), f"{count / len(records):.1%}")
    out = console()
    out.print(table)
    means = _means(records)
    out.print(", ".join(f"{means[f'mean_{what}']:.1f} {what}" for what in ("turns", "rounds", "decisions"))
              + " a game")  # fmt: skip
