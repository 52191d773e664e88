"""The answers about a text: its meaning, its words, its outline and its edits."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.visible import visible
from warchest.documents.library import Document
from warchest.format import formatted
from warchest.lsp.completion import completions, meaning_of
from warchest.lsp.findings import action, edit, location
from warchest.lsp.inlay_hints import hints
from warchest.lsp.lenses import Lenses
from warchest.lsp.links import declared, names_at, said_of
from warchest.lsp.outline import last_line, stretches, symbol
from warchest.lsp.protocol import DocumentParams, RequestError
from warchest.lsp.renaming import renamable, renamed
from warchest.lsp.semantic_tokens import semantic_tokens
from warchest.lsp.text_positions import offset_of, path_of, range_of, uri_of, whole
from warchest.lsp.workspace import Workspace
from warchest.paraphrase.reading import Reading, Study
from warchest.rulings.cases import Case, cases_in, cases_of
from warchest.source.nodes import Mapping as YamlMapping
from warchest.source.text import Source
from warchest.source.yaml import parse

MOST_RULINGS = 20
"""The most rulings that are named on hovering."""


class LanguageAnswers:
    """Answers requests about the open texts of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.lenses = Lenses(workspace)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the handlers, by the methods of the protocol."""
        return {
            "textDocument/hover": self.hover,
            "textDocument/completion": self.completion,
            "completionItem/resolve": self.resolved_completion,
            "textDocument/definition": self.definition,
            "textDocument/references": self.references,
            "textDocument/rename": self.rename,
            "textDocument/prepareRename": self.prepare_rename,
            "textDocument/semanticTokens/full": self.tokens,
            "textDocument/documentSymbol": self.symbols,
            "textDocument/inlayHint": self.inlay_hints,
            "textDocument/codeLens": self.code_lenses,
            "codeLens/resolve": self.lenses.resolved,
            "textDocument/foldingRange": self.folding,
            "textDocument/codeAction": self.actions,
            "textDocument/formatting": self.formatting,
        }

    def open_text(self, params: DocumentParams) -> tuple[str, Source]:
        """Return the path and the text of the document that a request is about; raises RequestError."""
        path = path_of(params["textDocument"]["uri"])
        return path, self.workspace.open_text(path)

    # ---- meaning

    def hover(self, params: DocumentParams) -> dict[str, object] | None:
        """Return the reading of the sentence at a place."""
        path, source = self.open_text(params)
        offset, study = offset_of(source, params["position"]), self.workspace.study(path)
        if study is None:
            return None
        for document in _current(study, path, source):
            for one in study.document(document):
                if isinstance(one, Reading) and one.span.start <= offset <= one.span.end:
                    span = source.span(one.span.start, one.span.end)
                    told = _read(one, document, study, names_at(source, offset))
                    return {"contents": {"kind": "plaintext", "value": told}, "range": range_of(span)}
        return None

    def completion(self, params: DocumentParams) -> dict[str, object]:
        """Return the next words that a sentence allows, the likeliest first, or the keys that a document can have."""
        path, source = self.open_text(params)
        return completions(self.workspace, path, source, offset_of(source, params["position"]))

    def resolved_completion(self, params: Mapping[str, object]) -> dict[str, object]:
        """Return a completion with the meaning of its word."""
        item, told = dict(params), params.get("data")
        if not (isinstance(told, list) and len(told) == 2 and all(isinstance(one, str) for one in told)):
            return item
        study = self.workspace.words(told[0]) if told[0] in self.workspace.texts else None
        said = meaning_of(study, str(item["label"]), told[1]) if study is not None else ""
        return {**item, "documentation": said} if said else item

    def inlay_hints(self, params: DocumentParams) -> list[dict[str, object]]:
        """Return hints for the sentences of a range: the antecedents of `it` and `that …`, and the deciding players."""
        path, source = self.open_text(params)
        start, end = (offset_of(source, params["range"][key]) for key in ("start", "end"))
        study = self.workspace.study(path)
        if study is None:
            return []
        return [
            hint for document in _current(study, path, source) for hint in hints(study, document, source, start, end)
        ]

    # ---- navigation

    def definition(self, params: DocumentParams) -> list[dict[str, object]]:
        """Return the declarations of the word or the card at a position."""
        path, source = self.open_text(params)
        study, offset = self.workspace.study(path), offset_of(source, params["position"])
        if study is None:
            return []
        return [location(span) for span in declared(study, names_at(source, offset))]

    def references(self, params: DocumentParams) -> list[dict[str, object]]:
        """Return the mentions of the word or the card at a position, with its declarations if the client wants them."""
        path, source = self.open_text(params)
        study, offset = self.workspace.study(path), offset_of(source, params["position"])
        places = list(declared(study, names_at(source, offset))) if study is not None else []
        if study is None or not places:
            return []
        is_whole = params.get("context", {}).get("includeDeclaration", False)
        return [location(span) for span in said_of(study, places[0].text) if is_whole or span not in places]

    def prepare_rename(self, params: DocumentParams) -> dict[str, object]:
        """Return the name or word at a place that can be renamed, with its range there."""
        _, source = self.open_text(params)
        word, here = renamable(self._current_study(source), source, offset_of(source, params["position"]))
        return {"range": range_of(here), "placeholder": word}

    def rename(self, params: DocumentParams) -> dict[str, object]:
        """Return the edits that rename a card or a word of the user's own."""
        _, source = self.open_text(params)
        if not isinstance(params["newName"], str):
            raise RequestError("newName: a text is needed", data={"field": "newName"})
        study, offset = self._current_study(source), offset_of(source, params["position"])
        found = renamed(study, source, offset, params["newName"])
        return {
            "changes": {
                uri_of(file): [{"range": range_of(span), "newText": text} for span, text in edits]
                for file, edits in found.items()
            }
        }

    def _current_study(self, source: Source) -> Study:
        """Return the study of all texts as they are; raises RequestError while errors in one of them prevent that."""
        study = self.workspace.study(source.path)
        known = {os.path.abspath(one.path): one.text for one in study.library.sources} if study is not None else {}
        texts = {path: one.source.text for path, one in self.workspace.texts.items()}
        behind = [path for path, text in texts.items() if known.get(path, "" if path == source.path else text) != text]
        if study is None or behind:
            name = visible(os.path.basename(next(iter(behind), source.path)))
            raise RequestError(f"nothing can be renamed while there are errors in {name}: correct them first")
        return study

    def tokens(self, params: DocumentParams) -> dict[str, object]:
        """Return the sorts of the words in sentences."""
        path, source = self.open_text(params)
        study = self.workspace.words(path)
        return {"data": semantic_tokens(source, study.vocabulary) if study is not None else []}

    def symbols(self, params: DocumentParams) -> list[dict[str, object]]:
        """Return the documents of a text, each with its blocks and rulings."""
        _, source = self.open_text(params)
        roots, _ = parse(source)
        return [symbol(root) for root in roots if isinstance(root, YamlMapping) and root.entries]

    def code_lenses(self, params: DocumentParams) -> list[dict[str, object]]:
        """Return the lenses on the rulings and the sentences of a text."""
        return self.lenses.of(*self.open_text(params))

    def folding(self, params: DocumentParams) -> list[dict[str, object]]:
        """Return the ranges of a text that can be folded: keys with their values, and items of lists."""
        _, source = self.open_text(params)
        roots, _ = parse(source)
        spans = [span for root in roots for span in stretches(root)]
        return [
            {"startLine": span.line - 1, "endLine": last_line(span) - 1}
            for span in spans
            if last_line(span) > span.line
        ]

    # ---- edits

    def actions(self, params: DocumentParams) -> list[dict[str, object]]:
        """Return the fixes of the findings in a range, and one action for all safe fixes in the text."""
        path, source = self.open_text(params)
        start, end = (offset_of(source, params["range"][key]) for key in ("start", "end"))
        found = [one for one in self.workspace.with_fixes(path).findings if one.file == path and one.fix is not None]
        actions = [action(one, source) for one in found if _overlaps(one, start, end)]
        safe = [one for fixed in found if fixed.fix is not None and fixed.fix.is_safe for one in fixed.fix.edits]
        if len(found) > 1 and safe:
            changes = {"changes": {uri_of(path): [edit(one, source) for one in safe]}}
            actions.append({"title": "Apply all safe fixes", "kind": "source.fixAll", "edit": changes})
        return actions

    def formatting(self, params: DocumentParams) -> list[dict[str, object]]:
        """Return the edit that lays a text out; none if it is laid out already, or if that is impossible."""
        _, source = self.open_text(params)
        try:
            text = formatted(source.text)
        except ValueError:
            return []
        return [] if text == source.text else [{"range": whole(source), "newText": text}]


def _current(study: Study, path: str, source: Source) -> list[Document]:
    """Return the documents of a text in a study; an empty list if the study was made from an older text."""
    return [one for one in study.library.in_file(path) if one.span.source.text == source.text]


def _overlaps(found: Diagnostic, start: int, end: int) -> bool:
    return found.span is not None and found.span.start <= end and start <= found.span.end


def _read(reading: Reading, document: Document, study: Study, names: Iterable[str]) -> str:
    """Return a reading as plain text, with the meaning of the word at the place, and the rulings on the card."""
    said = reading.said or (f"(the language has no words for this: {reading.unsaid})",)
    facts = [f"- {one.about}: {one.text}" for one in reading.facts]
    source = [f"source: {document.source}"] if document.source else []
    cases = [*cases_of(document), *(one for one in cases_in(study.library) if _is_about(one, document))]
    rulings = ["rulings:", *(f"- {one.name}" for one in cases[:MOST_RULINGS])] if cases else []
    return "\n".join([*_meaning(study, names), "read as:", *said, *facts, *source, *rulings])


def _is_about(case: Case, document: Document) -> bool:
    """Whether a ruling in another document is about a card."""
    return case.span.path != document.span.path and document.name == case.card


def _meaning(study: Study, names: Iterable[str]) -> Iterator[str]:
    """Yield the meaning of the longest word at a place that belongs to the game."""
    for name in names:
        kinds = study.vocabulary.entries.get(tuple(name.split()), {})
        said = next((meaning_of(study, name, kind) for kind in kinds), "")
        if said:
            yield from (f"`{name}`:", said, "")
            return
