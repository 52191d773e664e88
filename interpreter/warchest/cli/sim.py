"""Let bots play games against each other and report how they ended.

The bots are given in the order of the seats; in each further game they move on by one seat, so that none keeps the
first. Game number k (from 0) is set up and rolled with the seed S + k, so that it is the same however many are played
at a time, and on whichever machine: many games are played natively.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from warchest.bots import Bot, Course, Mcts, bot_named, played
from warchest.bots.seated import Seated, seated
from warchest.cli.beginning import add_beginning, beginning_of
from warchest.cli.common import (
    FINE,
    JsonList,
    add_common,
    add_jobs,
    add_limits,
    armies_of,
    as_far_as_it_goes,
    bot_name,
    counted,
    load_game,
    note,
    progress,
    whole_number,
)
from warchest.cli.records import Record, rows_file, rows_into
from warchest.cli.tally import BY, By, Tally
from warchest.diagnostics.articles import many
from warchest.game.game import Game
from warchest.game.state import State
from warchest.parallel import side_by_side
from warchest.signals import held_back
from warchest.streams import console, say

if TYPE_CHECKING:
    from rich.console import Console

    from warchest.game.setup.beginning import Beginning
    from warchest.native.library import NativeTable as NativeTable

MANY = 50
"""The number of games that are worth making the native machine for, where nobody asks for it."""
NAME = "sim"
HELP = "let bots play games and report how they ended"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("-n", "--games", type=whole_number(1), default=100, metavar="N",
                        help="how many games (default: %(default)s)")  # fmt: skip
    parser.add_argument(
        "--seed", type=whole_number(0), default=0, metavar="S", help="the first seed (default: 0)"
    )
    parser.add_argument("--bots", type=_bots, default="policy-c", metavar="A,B",
                        help="who plays (default: %(default)s)")  # fmt: skip
    add_limits(parser)
    add_jobs(parser, "games")
    parser.add_argument("--show", action="store_true", help="print each game as it goes")
    parser.add_argument("--by", type=_sorts, default=(), metavar="A,B",
                        help="print the shares by `card`, by `pair` of cards or by `seat` as well")  # fmt: skip
    parser.add_argument("--rows", type=rows_file, metavar="FILE",
                        help="write a row for each army of each game, as .csv, .jsonl or .parquet")  # fmt: skip
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--native", action="store_true",
                     help="play natively, as is usual for many games; they are the same")  # fmt: skip
    how.add_argument("--reference", action="store_true", help="play on the reference machine")
    add_beginning(parser)
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Play the games and report; return the exit code."""
    game = load_game(args)
    table = _BotTable(game, beginning_of(game, args), args.bots)
    show, limit = _showing(args.format) if args.show else None, (args.cap, args.turns)
    if not args.reference and (table.searches or (not args.show and (args.native or args.games >= MANY))):
        reason = table.play_natively()
        if reason:
            note(f"the reference machine plays: {reason}")
    begun = time.perf_counter()

    def play(number: int) -> Record:
        return table.play(number, args.seed + number, limit, show)

    seats = table.beginning.variant.board.seats
    tally, listed = Tally(seats, args.by), JsonList() if args.format == "json" else None
    with rows_into(args.rows) as write:
        played = side_by_side(play, range(args.games), 1 if args.show else args.jobs)
        with as_far_as_it_goes() as broken, progress(among=listed is not None or args.show) as bar:
            for record in counted(bar, played, args.games, "games"):
                # A game that is counted is listed, too, whenever a signal comes.
                with held_back():
                    tally.add(record)
                    for row in record.rows(seats):
                        write(row)
                    if listed is not None:
                        listed.add(record.data())
    for reason, count in tally.reasons.items():
        note(f"{many(count, 'game')} broken off: {reason}")
    for reason, count in tally.lost.items():
        note(f"{many(count, 'game')} played on the reference machine, because natively {reason}")
    seconds = time.perf_counter() - begun
    note(f"{tally.games / seconds:.1f} games and {tally.decisions / seconds:.0f} decisions a second")
    if tally.games or not isinstance(broken.by, Exception):
        _report(game, tally, listed, args.games if broken else None)
    if broken:
        note(f"broken off in the game of seed {args.seed + tally.games}")
    broken.again()
    return FINE


def _showing(form: str) -> Console:
    """Return the console for games that are shown; in JSON standard output is the result's alone."""
    return console(error=form == "json")


def _bots(written: str) -> list[str]:
    return [bot_name(name.strip()) for name in written.split(",")]


def _sorts(written: str) -> tuple[By, ...]:
    told = [name.strip() for name in written.split(",")]
    unknown = [name for name in told if name not in BY]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(BY)}")
    return tuple(one for one in BY if one in told)


# ---- playing


@dataclass(slots=True)
class _BotTable:
    """A game, how it begins, and those who play it."""

    game: Game
    beginning: Beginning
    names: Sequence[str]
    bots: dict[str, Bot] = field(init=False)
    natively: NativeTable | None = field(init=False, default=None)
    """The native table on which games are played, if they are."""
    held: bool = field(init=False, default=False)
    """Whether the states of games are held natively, where these cannot be played whole."""

    def __post_init__(self) -> None:
        self.bots = {name: bot_named(name, self.game) for name in self.names}

    @property
    def searches(self) -> bool:
        """Whether any bot searches, which is slow on the reference machine."""
        return any(isinstance(bot, Mcts) for bot in self.bots.values())

    def play_natively(self) -> str:
        """Play natively from now on; return why that cannot be, if it cannot."""
        from warchest.game.native import table_for
        from warchest.native.build import Unavailable

        found = table_for(self.beginning)
        if isinstance(found, Unavailable):
            return found.reason
        self.held = isinstance(seated(list(self.bots.values()), self.beginning.variant), str)
        self.natively = None if self.held else found
        return ""

    def seating(self, number: int) -> dict[str, str]:
        """Return the bots by their seats in the game of this number."""
        seats = self.beginning.variant.board.seats
        return {seat.name: self.names[(place + number) % len(self.names)] for place, seat in enumerate(seats)}

    def play(self, number: int, seed: int, limit: tuple[int, int | None], show: Console | None) -> Record:
        """Play a game to its end, or until so many decisions, or turns, are over."""
        lost = ""
        if self.natively is not None:
            found = self._native(self.natively, number, seed, limit)
            if isinstance(found, Record):
                return found
            lost = found
        state = self.beginning.begin(seed)
        state.silent = show is None
        if self.held:
            state.play_natively()
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
        turns = _turns(state.turn, winners, limit)
        return Record(
            seed, armies, seating, winners, reason, turns, state.round, course.decisions, course.endless, lost
        )

    def _native(self, table: NativeTable, number: int, seed: int, limit: tuple[int, int | None]) -> Record | str:
        """Return the record of a game that is played natively, or the reason it was given up."""
        from warchest.game.native import PlayCourse as NativeCourse
        from warchest.game.native import cells_of_zone, outcome_of, zone_in

        variant, zone = self.beginning.variant, str(self.game.document.values.get("armies", ""))
        seating, cells = self.seating(number), cells_of_zone(variant, zone)
        those = seated([self.bots[name] for name in seating.values()], variant)
        assert isinstance(those, Seated)
        found = table.play(seed, NativeCourse(those.favourites, *limit, cells, those.looks, those.valuation))
        if found is None:
            return table.game.why
        brought, left = (zone_in(variant, zone, cells, values) for values in (found.begun, found.ended))
        armies = {player: army or brought[player] for player, army in left.items()}
        outcome, played = outcome_of(variant, found.played), found.played
        winners, reason = (outcome.winners, outcome.reason) if outcome is not None else (None, "")
        turns = _turns(played.turns, winners, limit)
        return Record(seed, armies, seating, winners, reason, turns, played.rounds, played.decisions)


def _turns(begun: int, winners: tuple[str, ...] | None, limit: tuple[int, int | None]) -> int:
    """Return the turns that have been played of those begun: with the one beyond the limit a game is given up."""
    return begun if winners is not None or limit[1] is None else min(begun, limit[1])


def _broken_off(course: Course) -> str:
    """Return why a game has no outcome."""
    if course.endless is not None:
        return f"broken off: {course.endless}"
    return f"given up after {course.decisions} decisions"


class _Teller:
    """Shows a game: at the end of each round the events of it, and the board."""

    def __init__(self, game: Game, state: State, show: Console) -> None:
        self.state, self.show = state, show
        self.round, self.lines = state.round, 0
        words = game.document.values.get("words", {}).get("verbs", {})
        # Acts of the game itself every round are no news.
        self.routine = {name for name, verb in words.items() if verb.get("by") == "game"}

    def begin(self, number: int, seed: int, seating: dict[str, str]) -> None:
        """Print the number and the seed of the game, and its players."""
        who = ", ".join(f"{seat} is {bot}" for seat, bot in seating.items())
        self.show.print(f"game {number + 1}, seed {seed}: {who}", soft_wrap=True)

    def tell(self) -> None:
        """Show the news if a round has ended."""
        if self.state.round != self.round:
            self._news(f"round {self.round} has ended")
            self.round = self.state.round

    def end(self, how: str) -> None:
        """Show the rest of the log, and the end of the game."""
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


def _report(game: Game, tally: Tally, listed: JsonList | None, wanted: int | None) -> None:
    """Print the outcome of the games; `wanted` is the number there were to be, where they were broken off."""
    if listed is not None:
        listed.add(tally.data(wanted is not None))
        listed.end()
    elif tally.games:
        tally.print(game.name)
        if wanted is not None:
            say(f"broken off; {wanted} games were asked for")
    else:
        say("broken off before a game was over")
