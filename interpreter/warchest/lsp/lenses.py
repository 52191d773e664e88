"""Lenses: the outcome of each ruling of a text, and the number of rulings that show each sentence."""

from __future__ import annotations

from collections.abc import Mapping

from warchest.diagnostics.articles import many
from warchest.documents.library import Document
from warchest.game.game import Game
from warchest.lsp.text_positions import range_of, uri_of
from warchest.lsp.workspace import Workspace
from warchest.paraphrase.reading import Reading, Study
from warchest.rulings.cases import Case, cases_in, cases_of
from warchest.rulings.runner import run_case
from warchest.source.nodes import Mapping as YamlMapping
from warchest.source.text import Source

MOST = 100
"""The most rulings that are run for a text, and the most sentences of it with a lens."""
PICTURE = "warchest.picture"
"""The command that draws the position of a ruling."""
_ShownCounts = dict[tuple[int, int], int]


class Lenses:
    """The lenses on open texts, whose titles are found when the client shows them."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._shown: dict[str, tuple[Game, _ShownCounts]] = {}
        """For each path the game, and for each sentence the number of rulings that show it."""

    def of(self, path: str, source: Source) -> list[dict[str, object]]:
        """Return the lenses on a text, without titles; none while the game cannot be read with it."""
        found = list[dict[str, object]]()
        for document in self._documents(path, source):
            for number, case in enumerate(cases_of(document)[:MOST]):
                place = _place(case, source)
                told = {"uri": uri_of(path), "document": document.name, "ruling": number}
                draw = {"title": "picture", "command": PICTURE, "arguments": [{"uri": uri_of(path), "name": case.name}]}
                found.append({"range": place, "data": told})
                found += [{"range": place, "command": draw}] if case.script is None else []
            for start, end in self._sentences(path, document):
                told = {"uri": uri_of(path), "document": document.name, "sentence": [start, end]}
                found.append({"range": range_of(source.span(start, end)), "data": told})
        return found

    def resolved(self, params: Mapping[str, object]) -> dict[str, object]:
        """Return a lens with its title."""
        told = params.get("data")
        if not isinstance(told, Mapping):
            return dict(params)
        path = next((one for one in self.workspace.texts if uri_of(one) == told.get("uri")), None)
        title = self._title(path, told) if path is not None else ""
        return {**params, "command": {"title": title or "…", "command": ""}}

    def _title(self, path: str, told: Mapping[str, object]) -> str:
        documents = self._documents(path, self.workspace.texts[path].source)
        document = next((one for one in documents if one.name == told.get("document")), None)
        game = self.workspace.near_game(path)
        if document is None or game is None:
            return ""
        if "ruling" in told:
            cases, number = cases_of(document), told["ruling"]
            return _outcome(game, cases[number]) if isinstance(number, int) and number in range(len(cases)) else ""
        said = told["sentence"]
        place = tuple(said) if isinstance(said, list) else ()
        count = self._rulings_of(path, game, document).get(place, 0)
        return f"shown by {many(count, 'ruling') if count else 'no rulings'}"

    def _documents(self, path: str, source: Source) -> list[Document]:
        return [one for one in self.workspace.documents(path) if one.span.source.text == source.text]

    def _sentences(self, path: str, document: Document) -> list[tuple[int, int]]:
        study = self.workspace.study(path)
        return _spans(study, document)[:MOST] if study is not None else []

    def _rulings_of(self, path: str, game: Game, document: Document) -> _ShownCounts:
        """Return for each sentence of a text the number of the game's loaded rulings that show a fact of it."""
        known = self._shown.get(path)
        if known is None or known[0] is not game:
            self._shown = {path: (game, self._counted(path, game, document))}
        return self._shown[path][1]

    def _counted(self, path: str, game: Game, document: Document) -> _ShownCounts:
        from warchest.testing.coverage.collecting import Collector

        file, name = document.span.path, document.name
        near = [
            one
            for one in cases_in(game.library)
            if name == one.card or file == one.span.path or name in str(one.values)
        ]
        collector, found = Collector(game), _ShownCounts()
        for _ in collector.run(near[:MOST]):
            pass
        for start, end in self._sentences(path, document):
            places = set[str]()
            for mark, cases in collector.by_ruling.items():
                span = collector.table.all[mark].span
                if span.path == file and start <= span.start and span.end <= end:
                    places |= {one.place for one in cases}
            found[start, end] = len(places)
        return found


def _spans(study: Study, document: Document) -> list[tuple[int, int]]:
    """Return the sentences of a document, or its blocks of steps, as offsets."""
    found = (one for one in study.document(document) if isinstance(one, Reading))
    return list(dict.fromkeys((one.span.start, one.span.end) for one in found))


def _place(case: Case, source: Source) -> dict[str, object]:
    """Return the range of the name of a ruling."""
    node = case.node.get("name") if isinstance(case.node, YamlMapping) else None
    span = node.span if node is not None else case.span
    return range_of(source.span(span.start, span.end))


def _outcome(game: Game, case: Case) -> str:
    """Return whether a ruling passes, with the reason if it does not."""
    result = run_case(game, case)
    if result.outcome == "passed":
        return "passes"
    why = (result.wrong[0] if result.wrong else result.message).partition("\n")[0].rstrip(" :;")
    return f"{'skipped' if result.outcome == 'skipped' else 'fails'}: {why}"
