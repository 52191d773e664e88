"""Jobs that change words of cards, to find the changes that no ruling notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from warchest.diagnostics.articles import many
from warchest.game.game import Game
from warchest.lsp.jobs.task import JobTask, drawn, result
from warchest.lsp.protocol import RequestError
from warchest.source.cache import own_cache
from warchest.testing.mutants.adopting import adopted
from warchest.testing.mutants.keeping import FOLDER, KeptTrials
from warchest.testing.mutants.making import Mutant, Mutants
from warchest.testing.mutants.trying import DifferenceSearch, Trial, Trials, rulings_of
from warchest.testing.paths import behind
from warchest.testing.ruling_files import case_text

POSITIONS = 300
"""The number of positions that are searched for a difference."""
CAUGHT, MISSED = "caught", "missed"


def mutate(task: JobTask) -> dict[str, object]:
    """Change words of cards; return the changes that no ruling notices, each with a ruling that would."""
    game = task.game
    mutants = _mutants(task)
    trials = Trials(game, rulings_of(game), search=DifferenceSearch(POSITIONS, task.budget.seed))
    failing = trials.failing_before(mutants)
    if failing:
        told = f"names: the ruling {failing[0].name!r} of {failing[0].card} fails without any change"
        raise RequestError(told, data={"field": "names", **task.place(failing[0].span)})
    done = list[Trial]()
    KeptTrials(trials, own_cache(FOLDER)[0]).run(mutants, task.budget, done.append, task.progress.shown("changes"))
    counts = Counter[str](one.outcome for one in done)
    able = counts[CAUGHT] + counts[MISSED]
    summary = f"{many(counts[MISSED], 'change')} of {able} that make a difference {_is(counts[MISSED])} not noticed"
    findings = [_finding(task, game, trials, one) for one in done if one.outcome == MISSED]
    return result(
        "mutants",
        summary,
        len(done) < len(mutants),
        findings=findings,
        marks=_marks(task, done),
        data={**counts, "left": len(mutants) - len(done)},
    )


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _mutants(task: JobTask) -> list[Mutant]:
    """Return the changes of the documents that a job is about, or of the sentences that overlap a range."""
    makes = Mutants(task.game)
    documents = task.documents()
    found = [one for document in documents for one in makes.of(document)]
    within = task.part(documents[0].span.source) if documents else None
    if within is not None:
        found = [one for one in found if one.sentence.start <= within.end and within.start <= one.sentence.end]
    if not found:
        raise RequestError("uri: a file or names of documents with sentences are needed", data={"field": "uri"})
    return found


def _finding(task: JobTask, game: Game, trials: Trials, trial: Trial) -> dict[str, object]:
    """Return a change that no ruling notices, with the ruling that would, and the position that it is about."""
    mutant, case, difference = trial.mutant, adopted(trials, trial), trial.difference
    told: dict[str, object] = {}
    if case is not None and difference is not None:
        ruling = case_text(mutant.document.name, {**case, "source": f"ruling: … (of {mutant.change})"})
        state = behind(game.position(difference.position), difference.path)
        told = {
            "position": dict(difference.position),
            "way": list(difference.path),
            **drawn(state),
            "ruling": ruling,
            **task.adopting(ruling, mutant.path),
        }
    return {
        "message": f"no ruling notices {mutant.change}",
        **task.place(mutant.span),
        "before": mutant.before,
        "after": mutant.after,
        **told,
    }


def _marks(task: JobTask, done: Sequence[Trial]) -> list[dict[str, object]]:
    """Return for each sentence the number of its changes that are noticed."""
    sentences: dict[tuple[str, int], list[Trial]] = {}
    for one in done:
        if one.outcome in (CAUGHT, MISSED):
            sentences.setdefault((one.mutant.path, one.mutant.sentence.start), []).append(one)
    marks = []
    for trials in sentences.values():
        sentence, caught = trials[0].mutant.sentence, sum(one.outcome == CAUGHT for one in trials)
        message = f"{caught} of {many(len(trials), 'change')} noticed by rulings"
        marks.append({**task.place(sentence), "text": sentence.one_line, "count": caught, "message": message})
    return marks
