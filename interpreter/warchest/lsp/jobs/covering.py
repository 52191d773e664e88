"""Jobs that count, for each sentence, the rulings that show it and the times that it acted."""

from __future__ import annotations

from collections import Counter

from warchest.diagnostics.articles import many
from warchest.lsp.jobs.task import JobTask, result
from warchest.lsp.parameters import bounded
from warchest.lsp.protocol import RequestError
from warchest.source.text import Span
from warchest.testing.check_report import portions_of
from warchest.testing.coverage.collecting import ACTING, Collector
from warchest.testing.law_check import CheckTask, GameCheck, sets_with
from warchest.testing.mutants.trying import Trials, rulings_of
from warchest.testing.sentences import ActedClause, CardSentence, sentences_in

TIMES, GAMES = 3, 200
"""The number of times that the work for a card is done with other random positions, and the games each time."""
MOST_GAMES = 10_000
"""The most games for a card each time."""


def cover(task: JobTask) -> dict[str, object]:
    """Run the rulings about some documents, and play with these; return a mark for each of their sentences."""
    game, documents = task.game, task.documents()
    sentences = sentences_in(game.variant().program, [one.span.path for one in documents])
    if not sentences:
        raise RequestError("uri: a file or names of documents with sentences are needed", data={"field": "uri"})
    shown, cases = _by_rulings(task, sentences)
    acted, partial = _in_play(task)
    marks = [_mark(task, one, shown[one], _times(one, acted)) for one in sentences]
    silent = sum(not one["count"] for one in marks)
    summary = f"{many(len(marks) - silent, 'sentence')} of {len(marks)} seen to act; {many(cases, 'ruling')} run"
    return result("cover", summary, partial, marks=marks, data={"sentences": len(marks), "silent": silent})


def _by_rulings(task: JobTask, sentences: list[CardSentence]) -> tuple[Counter[CardSentence], int]:
    """Return the number of rulings in which each sentence acts, and the number that were run."""
    game = task.game
    trials, collector, shown = Trials(game, rulings_of(game)), Collector(game), Counter[CardSentence]()
    numbers = dict.fromkeys(number for one in task.documents() for number in trials.about(one))
    cases = [trials.cases[number] for number in numbers]
    run = 0
    for _ in task.progress.counted(collector.run(cases), len(cases), "rulings"):
        run += 1
        if task.budget.spent:
            break
    for one in sentences:
        places = {
            case.place
            for mark, some in collector.by_ruling.items()
            for case in some
            if collector.table.all[mark].what in ACTING and one.includes(collector.table.all[mark].key[:3])
        }
        shown[one] = len(places)
    return shown, run


def _in_play(task: JobTask) -> tuple[Counter[ActedClause], bool]:
    """Return the number of times that clauses act in games with the documents; and whether time ran out."""
    documents = task.documents()
    made = GameCheck(
        task.game,
        sets_with(task.game, documents),
        task.budget.seed,
        (),
        bounded(task.params, "games", GAMES, MOST_GAMES),
    )
    cards = dict.fromkeys(card for one in documents if one.name in made.known for card in made.cards_near(one.name))
    tasks = [CheckTask((card,), number=number) for number in range(TIMES) for card in cards]
    search, acted = portions_of(made, tasks, task.budget), Counter[ActedClause]()
    search.run(lambda _, outcome: acted.update(outcome.acted), task.progress.shown("parts of the search"))
    return acted, bool(search.left)


def _times(sentence: CardSentence, acted: Counter[ActedClause]) -> int:
    """Return the number of times that a sentence acted, counted by its part that acted most often."""
    return max((count for one, count in acted.items() if sentence.includes(one)), default=0)


def _mark(task: JobTask, one: CardSentence, rulings: int, times: int) -> dict[str, object]:
    source = next(source for source in task.game.library.sources if source.path == one.file)
    message = f"acted {many(times, 'time')} in play, and in {many(rulings, 'ruling')}"
    if not times and not rulings:
        message = "never seen to act"
    return {
        **task.place(Span(source, one.start, one.end)),
        "text": one.text,
        "count": times + rulings,
        "message": message,
    }
