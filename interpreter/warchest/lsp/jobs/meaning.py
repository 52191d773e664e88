"""Jobs on the meaning of sentences: positions where near readings differ, as questions with boards to compare."""

from __future__ import annotations

from collections.abc import Mapping

from warchest.documents.library import Document
from warchest.game.state import State
from warchest.lsp.jobs.task import JobTask, drawn, result
from warchest.lsp.messages import OfferedOption
from warchest.lsp.plays import offered
from warchest.lsp.protocol import RequestError
from warchest.lsp.text_positions import range_of, uri_of
from warchest.rulings.compare import matches
from warchest.source.text import Span
from warchest.testing.answers import after, state_at
from warchest.testing.meanings import (
    LOOKING,
    MeaningQuestion,
    Meanings,
    MeaningSearch,
    NearReading,
    answer_case,
    rounds,
)
from warchest.testing.ruling_files import case_text

POSITIONS = 300
"""The number of positions where readings are compared."""
MOST_ALIKE = 20
"""The most readings without a difference that are listed."""


def means(task: JobTask) -> dict[str, object]:
    """Search for positions that distinguish near readings of sentences; return them as questions."""
    document = task.document()
    within = task.part(document.span.source)
    if within is not None:
        document = _around(task, within) or document
    search = MeaningSearch(task.game, document, task.budget.seed, within)
    if not search.left:
        raise RequestError("uri: there is no sentence here that could be read otherwise", data={"field": "uri"})
    looking = task.budget.share(LOOKING)
    for number, one in enumerate(rounds(search, POSITIONS, looking)):
        for _ in task.progress.counted(one.done, one.size, "readings compared" if number else "readings"):
            pass
    meanings = search.meanings()
    questions = [_question(task, document, meanings, one) for one in meanings.questions]
    summary = "no near reading plays differently in the positions that were compared"
    if questions:
        apart = len(meanings.readings) - 1
        summary = f"{apart} near {'reading plays' if apart == 1 else 'readings play'} differently"
    return result(
        "means",
        summary,
        looking.spent,
        questions=questions,
        data={"alike": [one.said for one in meanings.alike[:MOST_ALIKE]]},
    )


def _around(task: JobTask, within: Span) -> Document | None:
    """Return the document of a file that a part of its text is in."""
    return next((one for one in task.documents() if one.span.start <= within.start <= one.span.end), None)


def _question(task: JobTask, document: Document, meanings: Meanings, asked: MeaningQuestion) -> dict[str, object]:
    """Return a question: a position, and for each group of readings the events that it allows there."""
    moment = asked.moment
    return {
        "position": dict(moment.position),
        "way": list(moment.path),
        **drawn(state_at(task.game, moment)),
        "answers": [_answer(task, document, meanings, asked, number) for number in range(len(asked.answers))],
    }


def _answer(
    task: JobTask, document: Document, meanings: Meanings, asked: MeaningQuestion, number: int
) -> dict[str, object]:
    """Return an answer: the events by the readings that give it, and the board after them."""
    answer = asked.answers[number]
    readings = [meanings.readings[one] for one in answer.readings]
    before = state_at(readings[0].game, asked.moment)
    taken = [one for data in answer.taken[:1] for one in _options(before, data)]
    there = after(before, taken[0]["id"]) if before is not None and taken else before
    ruling = case_text(document.name, answer_case(document, meanings, asked, number))
    shown = [one for data in answer.expected.get("offered", ()) for one in _options(before, data)]
    return {
        "written": readings[0].mutant is None,
        "lines": list(answer.lines),
        "taken": taken,
        "offered": shown,
        "readings": [_reading(one) for one in readings],
        **drawn(there),
        **({"position": there.position()} if there is not None else {}),
        "ruling": ruling,
        **task.adopting(ruling, document.span.path),
    }


def _options(state: State | None, data: Mapping[str, object]) -> list[OfferedOption]:
    """Return the option on offer that has some data, as in views."""
    options = state.decision.options if state is not None and state.decision is not None else ()
    return [offered(one) for one in options if matches(data, one.data)][:1]


def _reading(one: NearReading) -> dict[str, object]:
    """Return a reading: its sentence, and the edit that writes it; no edit for the unchanged text."""
    if one.mutant is None:
        return {"text": ""}
    uri, place = uri_of(one.mutant.path), range_of(one.mutant.span)
    return {"text": one.said, "edit": {"changes": {uri: [{"range": place, "newText": one.mutant.new}]}}}
