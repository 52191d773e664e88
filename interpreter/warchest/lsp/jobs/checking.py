"""Jobs that search for faults of cards: broken laws in small positions and whole games."""

from __future__ import annotations

from warchest.diagnostics.visible import visible
from warchest.lsp.jobs.task import JobTask, drawn, result
from warchest.lsp.protocol import RequestError
from warchest.source.text import Span
from warchest.testing.check_report import CheckReport, LawLine, portions_of
from warchest.testing.law_check import Finding, GameCheck, sets_with
from warchest.testing.law_rulings import text_of
from warchest.testing.paths import behind
from warchest.testing.playing import slow_note
from warchest.testing.properties.stated_properties import properties_of
from warchest.testing.sentences import CardSentence


def check(task: JobTask) -> dict[str, object]:
    """Search for faults of cards within the budget; return them with the positions that show them."""
    game, documents = task.game, task.documents()
    properties_of(game)
    sets = game.sets(task.params["sets"]) if "sets" in task.params else sets_with(game, documents)
    made = GameCheck(game, sets, task.budget.seed)
    names = [one.name for one in documents if one.name in made.known]
    if documents and not names:
        raise RequestError("uri: the file has no card to check", data={"field": "uri"})
    cards = list(dict.fromkeys(card for name in names for card in made.cards_near(name))) or list(made.cards)
    tasks = made.tasks(cards, bool(names) and not task.params.get("alone", False), False)
    report = CheckReport(made, cards, names, portions_of(made, tasks, task.budget))
    reason = made.player.prepare()
    report.search.run(report.add, task.progress.shown("parts of the search"))
    report.sort(None)
    notes = [slow_note(reason)] if reason else []
    notes += [visible(note) for note in report.notes()]
    findings = [_finding(task, made, line, one) for line in report.laws for one, _ in line.findings]
    return result(
        "check",
        ", ".join(report.totals()),
        bool(report.search.left),
        notes=notes,
        findings=findings,
        tables=[_laws(report)],
        marks=[_mark(task, one) for one in report.silent()],
        data=report.counts(),
    )


def _laws(report: CheckReport) -> dict[str, object]:
    rows = [[line.name, line.says, line.told(report.has_looked)] for line in report.laws]
    return {"title": "laws", "columns": ["law", "meaning", "outcome"], "rows": rows}


def _finding(task: JobTask, made: GameCheck, line: LawLine, found: Finding) -> dict[str, object]:
    """Return a fault with the position that shows it, the options that lead from there to it, and its ruling."""
    clauses, ruling = found.fault.clauses, text_of(made.game, found, made.seed)
    try:
        state = behind(made.game.position(found.position), found.path[: len(found.path) - found.on_step])
    except Exception:
        state = None
    own = next((one.path for one in clauses if one.path == task.path), task.path)
    return {
        "message": f"{line.says} But {found.task.title}: {found.fault.text}",
        **task.place(clauses[0] if clauses else None),
        "law": line.name,
        "cards": list(found.task.cards),
        "position": dict(found.position),
        "way": list(found.path),
        **drawn(state),
        "ruling": ruling,
        **task.adopting(ruling, own),
    }


def _mark(task: JobTask, one: CardSentence) -> dict[str, object]:
    source = next(source for source in task.game.library.sources if source.path == one.file)
    place = task.place(Span(source, one.start, one.end))
    return {**place, "text": one.text, "count": 0, "message": "never seen to act"}
