"""Jobs that estimate how strong cards are, by games between bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from warchest.balance.needed_libraries import missing
from warchest.game.game import Game
from warchest.game.setup.beginning import Beginning
from warchest.lsp.jobs.simulating import CAP, beginning_asked, bots_asked, job_table
from warchest.lsp.jobs.task import JobTask, result
from warchest.lsp.parameters import bounded
from warchest.lsp.protocol import RequestError
from warchest.testing.bot_games import MANY, GameLimit

if TYPE_CHECKING:
    from warchest.balance.result import JudgedCards

GAMES, MOST_GAMES = 3000, 20_000
"""The usual number of seeds, and the most."""
WITHIN = 0.03
"""The share of games within which all shares are to be known."""
BOT = "greedy"
"""The default bot."""


def balance(task: JobTask) -> dict[str, object]:
    """Estimate the strengths of cards within the budget; return them with a report. Raises RequestError."""
    lacking = missing()
    if lacking:
        raise RequestError(lacking)
    from warchest.balance.asked_versions import TableMaker
    from warchest.balance.report_page import faces_for, report_page
    from warchest.balance.result import result_of
    from warchest.balance.series import GameSeries

    if not task.game.document.values.get("armies"):
        raise RequestError(f"{task.game.name} gives its players no armies of cards, so there is nothing to compare")
    how = beginning_asked(task)

    def begin(game: Game, options: Mapping[str, str]) -> Beginning:
        return game.beginning(**how)

    version = TableMaker(begin, bots_asked(task, BOT)).version(task.game)
    series = GameSeries([version], tuple(one.name for one in task.documents()), task.budget.seed, GameLimit(CAP))
    games = bounded(task.params, "games", GAMES, MOST_GAMES)
    reason = version.play_natively() if games >= MANY or series.usual.searches else ""
    series.run(games, WITHIN, task.budget, task.progress.shown)
    found = result_of(series)
    options = dict(series.usual.beginning.variant.options)
    return result(
        "balance",
        _summary(found),
        found.partial,
        notes=[*([f"the reference machine plays: {reason}"] if reason else []), *found.notes()],
        tables=[job_table(one) for one in found.tables()] if found.games else [],
        data=found.data(),
        **({"page": report_page(found, faces_for(task.game, options, found))} if found.games else {}),
    )


def _summary(found: JudgedCards) -> str:
    """Return the result in a line: the strength of the only card asked about, if there is one."""
    if not found.told:
        return "no game was over in time"
    if len(found.told) > 1:
        first, last = found.told[0], found.told[-1]
        return f"{first.name} is the strongest card ({first.share:.0%} of games), {last.name} the weakest ({last.share:.0%})"
    [one] = found.told
    low, high = one.shares
    return f"{one.name} wins {one.share:.0%} of games ({low:.0%} to {high:.0%}) in place of a mean card"
