"""Jobs that let bots play games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from warchest.bots import BOTS
from warchest.diagnostics.articles import many
from warchest.game.state import EndlessError
from warchest.lsp.jobs.task import JobTask, result
from warchest.lsp.parameters import bounded
from warchest.lsp.plays import check_bot
from warchest.testing.bot_games import MANY, BotTable, GameLimit
from warchest.testing.game_records import Record
from warchest.testing.search import KitSearch
from warchest.testing.tally import Tally, TallyTable

GAMES, MOST_GAMES = 100, 10_000
"""The usual number of games, and the most."""
CAP = 1000
"""The most decisions of a game, which is then given up."""
_BEGINNING = ("setup", "players", "sets", "options", "armies")


def simulate(task: JobTask) -> dict[str, object]:
    """Let bots play games within the budget; return the results."""
    bots, beginning = bots_asked(task, BOTS[1]), task.game.beginning(**beginning_asked(task))
    beginning.brought()
    table, games = BotTable(task.game, beginning, bots), bounded(task.params, "games", GAMES, MOST_GAMES)
    reason = table.play_natively() if table.searches or games >= MANY else ""
    tally, records = Tally(beginning.variant.board.seats, ("card", "seat")), list[Record]()

    def play(number: int) -> Record:
        return table.play(number, task.budget.seed + number, GameLimit(CAP))

    def add(_: int, record: Record) -> None:
        tally.add(record)
        records.append(record)

    KitSearch(range(games), play, task.budget).run(add, task.progress.shown("games"))
    notes = [f"the reference machine plays: {reason}"] if reason else []
    notes += tally.remarks()
    summary = f"{many(tally.games, 'game')}: {tally.means_text()}" if tally.games else "no game was over in time"
    lengths = [
        {"seed": one.seed, "turns": one.turns, "rounds": one.rounds, "decisions": one.decisions} for one in records
    ]
    partly = tally.games < games
    return result(
        "sim",
        summary,
        partly,
        notes=notes,
        findings=_endless(task, records),
        tables=[job_table(one) for one in tally.tables(task.game.name)] if tally.games else [],
        data={**tally.data(partly), "lengths": lengths},
    )


def _endless(task: JobTask, records: Sequence[Record]) -> list[dict[str, object]]:
    """Return a finding for each rule that did not terminate, with the first game that it ended."""
    first: dict[str, tuple[EndlessError, int]] = {}
    for one in records:
        if one.endless is not None:
            first.setdefault(str(one.endless), (one.endless, one.seed))
    return [
        {"message": f"{text} (in the game of seed {seed})", **task.place(error.clause)}
        for text, (error, seed) in first.items()
    ]


def bots_asked(task: JobTask, usual: str) -> list[str]:
    """Return the bots that a job names, or the usual one; raises RequestError for one that does not exist."""
    bots = task.params.get("bots") or [usual]
    for name in bots:
        check_bot(name, "bots")
    return bots


def beginning_asked(task: JobTask) -> dict[str, Any]:
    """Return the arguments of `Game.beginning` for the games of a job."""
    return {key: value for key, value in task.params.items() if key in _BEGINNING}


def job_table(told: TallyTable) -> dict[str, object]:
    """Return a table in the form of the results of jobs."""
    rows = [list(row) for section in told.sections for row in section]
    return {"title": told.title, "columns": list(told.columns), "rows": rows}
