"""Short ways to the parts of the kit that are commands as well: coverage, mutants of cards, and steps as rulings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from warchest.bots import bot_named
from warchest.bots.bot import CAP
from warchest.game.game import Game
from warchest.testing.budget import UNLIMITED
from warchest.testing.coverage.collecting import Collector
from warchest.testing.coverage.excuses import excuses_in
from warchest.testing.coverage.report import CoverageReport, report_of
from warchest.testing.mutants.making import Mutants
from warchest.testing.mutants.trying import DifferenceSearch, Trial, Trials, read_rulings, rulings_of
from warchest.testing.ruling_files import ruling_text
from warchest.testing.steps import Step

_PLAYER = "policy-c"
"""The bot that plays games."""
_ASIDE = ("game", "pending")
"""The keys of positions that expectations leave out."""


def mutants(game: Game, cards: Sequence[str], positions: int = 300, seed: int = 0, jobs: int = 1) -> Iterator[Trial]:
    """Yield the trial of each mutant of some cards: its `outcome` is caught, missed, unviable or equivalent.

    If no ruling of the game notices a mutant, `positions` random positions are searched for a difference.
    """
    makes, search = Mutants(game), DifferenceSearch(positions, seed) if positions else None
    made = [one for document in game.library.documents if document.name in cards for one in makes.of(document)]
    trials = Trials(game, rulings_of(game), search=search)
    yield from (trials.trial(*one) for one in trials.search_in(made, replace(UNLIMITED, jobs=jobs)).parts())


def coverage(game: Game, games: int = 0, seed: int = 0) -> CoverageReport:
    """Return the facts of each clause that the rulings of a game show, and `games` games with successive seeds.

    `lacking` of the result are the facts that nothing shows and no document excuses, `counts` their numbers, and `data`
    everything, JSON-ready.
    """
    cases, documents = read_rulings(game)
    collector = Collector(game)
    for _ in collector.run(cases):
        pass
    beginning, bot = game.beginning(), bot_named(_PLAYER, game)
    for number in range(seed, seed + games):
        collector.play(beginning, {seat.name: bot for seat in beginning.variant.board.seats}, number, CAP)
    return report_of(collector, excuses_in(documents))


def to_ruling(step: Step, name: str, source: str = "ruling: as it is now") -> str:
    """Return a step as a document of one ruling: its position, its act, and all resulting changes."""
    before, after = step.before.position(), step.after.position()
    changed = {key: value for key, value in after.items() if key not in _ASIDE and value != before.get(key)}
    rest = {"then": changed} if changed else {}
    return ruling_text(name, name, source, before, [step.option.data], rest)
