"""Let bots play games against each other and report how they ended.

The bots are given in the order of the seats; in each further game they move on by one seat, so that none keeps the
first. Game number k (from 0) is set up and rolled with the seed S + k, so that it is the same however many are played
at a time, and on whichever machine: many games are played natively.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

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
from warchest.game.game import Game
from warchest.game.state import EndlessError, State
from warchest.parallel import side_by_side
from warchest.signals import held_back
from warchest.streams import console, say

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

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
    parser.add_argument("--by-card", action="store_true", help="tell how often armies with each card have won")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--native", action="store_true",
                     help="play natively, as is usual for many games; they are the same")  # fmt: skip
    how.add_argument("--reference", action="store_true", help="play on the reference machine")
    add_beginning(parser)
    add_common(parser)


@dataclass(frozen=True, slots=True)
class Record:
    """The outcome of a game."""

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
    lost: str = ""
    """Why the native machine gave the game up, if it did, and the reference machine played it."""

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
    table = _BotTable(game, beginning_of(game, args), args.bots)
    show, limit = _showing(args.format) if args.show else None, (args.cap, args.turns)
    if not args.reference and (table.searches or (not args.show and (args.native or args.games >= MANY))):
        reason = table.play_natively()
        if reason:
            note(f"the reference machine plays: {reason}")
    begun = time.perf_counter()

    def play(number: int) -> Record:
        return table.play(number, args.seed + number, limit, show)

    played = side_by_side(play, range(args.games), 1 if args.show else args.jobs)
    tally, listed = _Tally(table.beginning), JsonList() if args.format == "json" else None
    with as_far_as_it_goes() as broken, progress(among=listed is not None or args.show) as bar:
        for record in counted(bar, played, args.games, "games"):
            # A game that is counted is listed, too, whenever a signal comes.
            with held_back():
                tally.add(record)
                if listed is not None:
                    listed.add(record.data())
    for reason, count in tally.reasons.items():
        note(f"{count} game{'' if count == 1 else 's'} broken off: {reason}")
    for reason, count in tally.lost.items():
        note(f"{count} game{'' if count == 1 else 's'} played on the reference machine, because natively {reason}")
    seconds = time.perf_counter() - begun
    note(f"{tally.games / seconds:.1f} games and {tally.decisions / seconds:.0f} decisions a second")
    if tally.games or not isinstance(broken.by, Exception):
        _report(game, tally, listed, args.games if broken else None, args.by_card)
    if broken:
        note(f"broken off in the game of seed {args.seed + tally.games}")
    broken.again()
    return FINE


def _showing(form: str) -> Console:
    """Return the console for games that are shown; in JSON standard output is the result's alone."""
    return console(error=form == "json")


def _bots(written: str) -> list[str]:
    return [bot_name(name.strip()) for name in written.split(",")]


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
        turns, rounds = state.turn, state.round
        return Record(seed, armies, seating, winners, reason, turns, rounds, course.decisions, course.endless, lost)

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
        return Record(seed, armies, seating, winners, reason, played.turns, played.rounds, played.decisions)


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


class _Tally:
    """The outcome of the games so far, in sum: there may be too many to keep them all."""

    def __init__(self, beginning: Beginning) -> None:
        self.seats = beginning.variant.board.seats
        self.games = self.turns = self.rounds = self.decisions = self.draws = self.unfinished = 0
        self.by_seat: Counter[str] = Counter({seat.name: 0 for seat in self.seats})
        """The games won by each seat; a team's win is each member's."""
        self.by_bot: Counter[str] = Counter()
        self.sat: Counter[str] = Counter()
        """The number of times each bot sat down."""
        self.sat_to_the_end: Counter[str] = Counter()
        """The same in games that have ended."""
        self.by_team: Counter[str] = Counter({seat.team: 0 for seat in self.seats})
        self.with_card: Counter[str] = Counter()
        self.by_card: Counter[str] = Counter()
        """The armies with each card in games that have ended, and how many of them have won."""
        self.reasons: Counter[str] = Counter()
        """The rules that never came to an end, and the number of games that each of them broke off."""
        self.lost: Counter[str] = Counter()
        """The reasons for which the native machine gave games up, with the numbers of games."""

    def add(self, record: Record) -> None:
        """Count a further game."""
        self.games += 1
        self.turns += record.turns
        self.rounds += record.rounds
        self.decisions += record.decisions
        self.draws += record.winners == ()
        self.unfinished += record.winners is None
        if record.endless is not None:
            self.reasons[str(record.endless)] += 1
        if record.lost:
            self.lost[record.lost] += 1
        for seat in self.seats:
            bot = record.bots[seat.name]
            won = record.winners is not None and bool({seat.name, seat.team} & set(record.winners))
            self.by_seat[seat.name] += won
            self.by_bot[bot] += won
            self.sat[bot] += 1
            if record.winners is not None:
                self.sat_to_the_end[bot] += 1
                cards = set(record.armies.get(seat.name, ()))
                self.with_card.update(cards)
                self.by_card.update(cards if won else ())
        if record.winners is not None:
            self.by_team.update({seat.team for seat in self.seats if {seat.name, seat.team} & set(record.winners)})

    @property
    def ended(self) -> int:
        """The number of games that have ended."""
        return self.games - self.unfinished

    def means(self) -> dict[str, float]:
        """Return the averages of a game; nothing where there was none."""
        sums = {"turns": self.turns, "rounds": self.rounds, "decisions": self.decisions}
        return {what: number / self.games for what, number in sums.items()} if self.games else {}

    def data(self, partial: bool) -> dict[str, Any]:
        """Return the summary JSON-ready; `partial` where the games were broken off."""
        means = self.means()
        return {
            "summary": True,
            "partial": partial,
            "games": self.games,
            "wins": dict(self.by_seat),
            "bots": {bot: {"seats": sat, "wins": self.by_bot[bot]} for bot, sat in self.sat.items()},
            "cards": {name: {"armies": self.with_card[name], "wins": self.by_card[name]}
                      for name in sorted(self.with_card)},
            "draws": self.draws,
            "unfinished": self.unfinished,
            "endless": self.reasons.total(),
            **{f"mean_{what}": round(means[what], 2) if means else None for what in ("turns", "rounds", "decisions")},
        }


def _report(
    game: Game, tally: _Tally, listed: JsonList | None, wanted: int | None, by_card: bool
) -> None:
    """Print the outcome of the games; `wanted` is the number there were to be, where they were broken off."""
    if listed is not None:
        listed.add(tally.data(wanted is not None))
        listed.end()
    elif tally.games:
        _print(game, tally, by_card)
        if wanted is not None:
            say(f"broken off; {wanted} games were asked for")
    else:
        say("broken off before a game was over")


def _print(game: Game, tally: _Tally, by_card: bool) -> None:
    """Print the shares of those who played in the games that have ended, and beside these the games that have not."""
    games, ended = tally.games, tally.ended
    table = _table(f"{games} game{'' if games == 1 else 's'} of {game.name}", "games")
    for team, won in tally.by_team.items():
        members = [seat.name for seat in tally.seats if seat.team == team]
        _add_rate(table, " and ".join(members), won, ended)
    _add_rate(table, "drawn", tally.draws, ended)
    table.add_section()
    for bot, won in tally.by_bot.items():
        _add_rate(table, f"bot {bot}", won, tally.sat_to_the_end[bot])
    table.add_section()
    endless = tally.reasons.total()
    for name, count in (("given up", tally.unfinished - endless), ("endless", endless)):
        if count:
            table.add_row(name, str(games), str(count), f"{count / games:.1%}", "")
    out = console()
    out.print(table)
    if by_card:
        cards = _table("armies with a card", "armies")
        for name in sorted(tally.with_card, key=lambda one: (-tally.by_card[one] / tally.with_card[one], one)):
            _add_rate(cards, name, tally.by_card[name], tally.with_card[name])
        out.print(cards)
    out.print(", ".join(f"{mean:.1f} {what}" for what, mean in tally.means().items()) + " a game")


def _table(title: str, counted: str) -> Table:
    from rich.table import Table

    table = Table(title=title)
    for name in ("", counted, "won", "share", "95 %"):
        table.add_column(name, justify="right" if name else "left")
    return table


def _add_rate(table: Table, name: str, won: int, games: int) -> None:
    """Add a row with a share, and the bounds of the true one."""
    from warchest.testing.impact import Rate

    low, high = Rate(won, games).interval
    share = f"{won / games:.1%}" if games else "-"
    table.add_row(name, str(games), str(won), share, f"{low:.0%}–{high:.0%}" if games else "")
